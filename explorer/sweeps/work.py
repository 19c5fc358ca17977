"""What a worker does: one chunk of runs, from its configurations to its results.

Sent by name to worker processes here and on a cluster, which need the package and nothing else.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from multiprocessing.connection import Connection
from typing import Any

from explorer import __version__
from explorer.text import Message, Problem
from explorer.traces import Config, Corpus
from explorer.traces.trace import Array

TRIAL = 5  # epochs, by which the time of a sweep is estimated

_stopped: Any = None  # shared with the sweep's process, which sets it to end every chunk


@dataclass(frozen=True, eq=False)
class Done:
    """What came of a chunk of R runs of E epochs and P parameters.

    loss, accuracy : (R, E + 1) float32; nan from where a run diverged
    weights : (R, P) float32, the last
    """

    loss: Array
    accuracy: Array
    weights: Array


def versions() -> dict[str, str]:
    """Return what the numbers of a run depend on here."""
    return {
        "attention-explorer": __version__,
        **{name: version(name) for name in ("torch", "numpy")},
        "Python": ".".join(map(str, sys.version_info[:2])),
    }


def serve(stopped: Any, asked: Connection) -> None:
    """Be a worker of this computer: carry out what is asked until the other end is closed.

    It ends with the sweep's process.

    stopped : a shared flag; 1 ends the chunk in progress
    asked : takes functions with their arguments, and gives what each returned, and what it raised
    """
    global _stopped
    _stopped = stopped
    # Ctrl-C in the terminal reaches every process; what it means is the sweep's to say.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            function, args = asked.recv()
            answer: tuple[Any, Exception | None]
            try:
                answer = function(*args), None
            except Exception as error:
                answer = None, error
            asked.send(answer)


def stop_flag() -> Any:
    """Return a flag for `serve`, without a lock that a killed worker could hold for ever."""
    return multiprocessing.get_context("spawn").RawValue(ctypes.c_byte, 0)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def train_chunk(configs: Sequence[Config], sentences: Sequence[str]) -> Done | Message | None:
    """Return the results of runs of equal shapes; None where they are stopped.

    A problem, such as a missing device, is returned as its message.
    """
    from explorer.training.batched import train_together

    corpus = Corpus(tuple(tuple(line.split(" ")) for line in sentences))
    try:
        found = train_together(configs, corpus, _proceed)
    except Problem as problem:
        return problem.message
    return None if found is None else Done(found.loss, found.accuracy, found.weights)


def seconds_an_epoch(configs: Sequence[Config], sentences: Sequence[str]) -> float:
    """Return what an epoch of a chunk takes, by a trial of a few; 0 where it cannot be tried."""
    import msgspec

    few = [msgspec.structs.replace(config, epochs=TRIAL) for config in configs]
    train_chunk(few, sentences)  # the first time takes longer
    start = time.perf_counter()
    done = train_chunk(few, sentences)
    return (time.perf_counter() - start) / (TRIAL + 1) if isinstance(done, Done) else 0.0


def _proceed() -> bool:
    return _stopped is None or not _stopped.value
