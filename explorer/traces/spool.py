"""The spool: a run's recorded steps go to disk while it runs, so that none is lost.

A run's folder holds `begin.safetensors` (the run and its samples), then `00000.safetensors`,
`00001.safetensors`, ...: each the steps and scalars that follow those of the one before. The last of
them is replaced by a longer one until it is full; the others never change.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from explorer.text import N_, Problem
from explorer.traces.container import Entry, write_contents
from explorer.traces.files import FolderLock, reason, replacing
from explorer.traces.schema import array_spec
from explorer.traces.spec import FORMAT, VERSION, Run
from explorer.traces.trace import Array

BEGIN = "begin.safetensors"
FULL_BYTES = 2**20  # a segment of this size is not replaced by a longer one
FULL_EPOCHS = 4096
MOST_WAITING = 32 * 2**20  # bytes of steps in memory before whoever records has to wait
_WRITE_EVERY = 0.1  # seconds

_FIXED = ("tokens", "lengths", "targets", "samples")


def segment_name(number: int) -> str:
    """Return the file name of a segment."""
    return f"{number:05}.safetensors"


class SpoolWriter:
    """Records a run into a folder of its own; a thread writes, at least ten times a second.

    Parameters
    ----------
    folder : Path
        Created here, with its parents; must not exist. Locked until `close`.
    run : Run
    tokens : (N, T), lengths : (N,), targets : (N,), samples : (N,)
        The recorded samples, as `Corpus.encoded` returns them, and their lines, counted from 0.

    Raises Problem where the folder cannot be made or written.
    """

    def __init__(
        self,
        folder: Path,
        run: Run,
        *,
        tokens: ArrayLike,
        lengths: ArrayLike,
        targets: ArrayLike,
        samples: ArrayLike,
    ) -> None:
        raise NotImplementedError

    @property
    def problem(self) -> Problem | None:
        """Why recording has stopped (the disk is full); None while it goes on.

        What was recorded before is kept; `record` and `scalar` do nothing from then on.
        """
        raise NotImplementedError

    def record(self, epoch: int, arrays: Mapping[str, ArrayLike]) -> None:
        """Take a step, copied; epochs ascend.

        arrays : by name (`weights`, `x`, ..., `param.embedding`), without the axis E. The first
        step says which there are; every later one must be like it, or ValueError is raised.
        Waits only where the disk is much slower than the recording, so that memory stays bounded.
        """
        raise NotImplementedError

    def scalar(self, epoch: int, **values: float) -> None:
        """Take the loss, the accuracy and others of an epoch, recorded or not; epochs ascend."""
        raise NotImplementedError

    def flush(self) -> None:
        """Return when all that was taken is on disk, or recording has stopped."""
        raise NotImplementedError

    def close(self) -> None:
        """Write what is left, end the thread and unlock the folder."""
        raise NotImplementedError

    def __enter__(self) -> SpoolWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
