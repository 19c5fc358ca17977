"""One run from beginning to end: trained, recorded to its folder, and told of on the way."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from explorer import __version__
from explorer.text import N_, Message, Problem
from explorer.traces import Config, Corpus, Fork, Run, SpoolWriter, usual_samples
from explorer.training.control import Control
from explorer.training.forks import ForkPoint
from explorer.training.libraries import Device
from explorer.training.mailbox import Ended, Event, Progress, Scalar, Started

Array = NDArray[Any]

TELL_EVERY = 0.033  # seconds; a screen shows no more
DIVERGED = N_("The loss is no longer a number at epoch {epoch}: try a smaller learning rate.")


class Telling:
    """Gathers what a run comes to and passes it on, at most thirty times a second.

    Parameters
    ----------
    run : int
    tell : callable
        Takes each `Progress`.
    """

    def __init__(self, run: int, tell: Callable[[Progress], None]) -> None:
        self._run = run
        self._tell = tell
        self._scalars: list[Scalar] = []
        self._share = 0.0
        self._due = 0.0

    def add(self, scalar: Scalar) -> None:
        """Take an epoch."""
        self._scalars.append(scalar)
        self._share = 0.0
        if time.monotonic() >= self._due:
            self.flush()

    def within(self, share: float) -> None:
        """Take how much is done of the epoch after those that were added."""
        if time.monotonic() >= self._due:
            self._share = share
            self._tell_all()

    def flush(self) -> None:
        """Pass on the epochs that have not been passed on yet."""
        if self._scalars:
            self._tell_all()

    def _tell_all(self) -> None:
        self._tell(Progress(self._run, tuple(self._scalars), self._share))
        self._scalars.clear()
        self._due = time.monotonic() + TELL_EVERY


def record(
    config: Config,
    corpus: Corpus,
    folder: Path,
    *,
    run: int,
    control: Control,
    tell: Callable[[Progress | Event], None],
    samples: Sequence[int] | None = None,
    start: ForkPoint | None = None,
) -> Ended:
    """Train, spool every recorded step into `folder`, tell of it, and return how it ended.

    The end is returned, not told; whatever was recorded by then is in the folder and closed.

    Parameters
    ----------
    run : int
        Stands in everything that is told.
    samples : sequence of int or None
        The recorded lines of the corpus, counted from 0; None for the usual ones.
    start : ForkPoint or None
        What a fork goes on from.
    """
    # Here and not above: torch takes seconds to import, and never into the window's process.
    from explorer.training.loop import chosen_device, train

    last = -1
    telling = Telling(run, tell)
    try:
        device = chosen_device(config, corpus)
        tell(Started(run, device))
        chosen = tuple(usual_samples(config, corpus) if samples is None else samples)
        fork = None if start is None else start.fork
        with _spool(config, corpus, folder, device, chosen, fork) as spool:

            def between(share: float) -> bool:
                telling.within(share)
                return control.within()

            for epoch in train(config, corpus, samples=chosen, start=start, between=between):
                last = epoch.number
                judged = {"loss": epoch.loss, "accuracy": epoch.accuracy}
                spool.scalar(last, **judged, gradient=epoch.gradient)
                if epoch.arrays is not None:
                    spool.record(last, epoch.arrays, epoch.buffer)
                    if spool.problem is not None:
                        raise spool.problem
                telling.add(Scalar(last, epoch.loss, epoch.accuracy))
                if not math.isfinite(epoch.loss):
                    return Ended(run, "diverged", last, Message(DIVERGED, {"epoch": last}))
                if last < config.epochs and not control.proceed(telling.flush):
                    return Ended(run, "stopped", last)
            spool.flush()
            if spool.problem is not None:
                raise spool.problem
            return Ended(run, "finished" if last == config.epochs else "stopped", last)
    except Problem as problem:
        return Ended(run, "failed", last, problem.message)
    finally:
        telling.flush()


def _spool(
    config: Config,
    corpus: Corpus,
    folder: Path,
    device: Device,
    samples: Sequence[int],
    fork: Fork | None,
) -> SpoolWriter:
    tokens, lengths, targets = corpus.encoded(samples)
    about = Run(
        config=config,
        corpus=corpus.sentences,
        vocabulary=corpus.vocabulary,
        device=device.name,
        versions={
            "attention-explorer": __version__,
            **{name: version(name) for name in ("torch", "numpy")},
        },
        created=datetime.now().astimezone().isoformat(timespec="seconds"),
        id=folder.name,
        fork=fork,
    )
    return SpoolWriter(
        folder, about, tokens=tokens, lengths=lengths, targets=targets, samples=samples
    )
