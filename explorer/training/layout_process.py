"""The process that lays words out, and who asks it; neither waits for the other."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from explorer.processes import WarmProcess
from explorer.text import N_, Problem
from explorer.training.libraries import missing


@dataclass(frozen=True)
class _Question:
    trace: Hashable
    step: int
    words: NDArray[np.float32]
    seed: int


@dataclass(frozen=True)
class WordLayout:
    """Where t-SNE puts the words of a step.

    trace, step : as asked for
    places : (V, 2) float32
    """

    trace: Hashable
    step: int
    places: NDArray[np.float32]


class LayoutProcess:
    """Lays out the words of one step at a time, the one asked for last; its process is kept.

    A step sets out from the nearest one of its trace that has been laid out.
    """

    def __init__(self) -> None:
        self._process: WarmProcess | None = None

    def ask(self, trace: Hashable, step: int, words: NDArray[Any], seed: int) -> None:
        """Have a step laid out, in place of any asked for before and not begun yet.

        Parameters
        ----------
        trace : hashable
            Tells one trace from another; can be pickled.
        words : (V, d)
            The embedding at this step.

        Raises Problem where no process can be started, it has died, or scikit-learn is missing.
        """
        if self._process is None and (lacking := missing("sklearn")):
            raise Problem.of(lacking)
        try:
            if self._process is None:
                # The same places every time, and a core for the window.
                self._process = WarmProcess(main, "layout", {"OMP_NUM_THREADS": "1"})
            self._process.pipe.send(
                _Question(trace, step, np.asarray(words, dtype=np.float32), seed)
            )
        except OSError:
            raise self._lost() from None

    def take(self) -> WordLayout | None:
        """Return the newest layout that has come since the last call; None where there is none.

        Raises Problem where the process has died.
        """
        newest = None
        try:
            while self._process is not None and self._process.pipe.poll():
                newest = self._process.pipe.recv()
        except (EOFError, OSError):
            raise self._lost() from None
        return newest

    def close(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None:
            self._process.end(0)  # it holds nothing that could be lost
            self._process = None

    def _lost(self) -> Problem:
        self.close()
        return Problem(N_("The process that lays out words ended: choose t-SNE again."))


def main(pipe: Connection) -> NoReturn:
    """Answer the questions from `pipe`, each time the last one there is, until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    questions: SimpleQueue[_Question] = SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, questions), daemon=True).start()

    from explorer.training.layout import laid_out

    trace: Hashable = None
    known: dict[int, NDArray[np.float32]] = {}  # the steps of this trace that are laid out
    with suppress(OSError):
        while True:
            question = questions.get()
            while not questions.empty():
                question = questions.get()
            if question.trace != trace:
                trace = question.trace
                known.clear()
            step = question.step
            if step not in known:
                nearest = min(known, key=lambda each: abs(each - step), default=None)
                start = None if nearest is None else known[nearest]
                known[step] = laid_out(question.words, question.seed, start)
            pipe.send(WordLayout(trace, step, known[step]))
    os._exit(0)


def _listen(pipe: Connection, questions: SimpleQueue[_Question]) -> None:
    with suppress(EOFError, OSError):
        while True:
            questions.put(pipe.recv())
    os._exit(0)
