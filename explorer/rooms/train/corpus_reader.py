"""Reads a corpus in a thread of its own: a long text takes a second."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer

from explorer.text import Message
from explorer.traces import ConfigProblem, Corpus, CorpusProblem, Splitting, parse_corpus

POLL = 30  # milliseconds
_QUICK = 100_000  # characters that are read at once,
_QUICK_PAIRS = 10_000  # and those whose pieces are learned at once


class CorpusRead(NamedTuple):
    """What a text is as a corpus.

    corpus : Corpus or None
    problem : tuple of (int or None, Message), or None
        The line, from 1, and what is wrong with it.
    """

    corpus: Corpus | None
    problem: tuple[int | None, Message] | None


def read_corpus(text: str, splitting: Splitting) -> CorpusRead:
    """Return the corpus in a text, or why it is none."""
    try:
        return CorpusRead(parse_corpus(text, splitting), None)
    except CorpusProblem as problem:
        return CorpusRead(None, (problem.line, problem.message))
    except ConfigProblem as problem:
        return CorpusRead(None, (None, problem.message))


class CorpusReader(QObject):
    """Reads one text at a time, at once or in a thread; what was asked for last counts."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pending: tuple[str, Splitting] | None = None  # what is being read
        self._asked = 0
        self._take: Callable[[CorpusRead], None] | None = None
        self._found: SimpleQueue[tuple[int, CorpusRead]] = SimpleQueue()
        self._poll = QTimer(self, interval=POLL)
        self._poll.timeout.connect(self._look)

    def read(self, text: str, splitting: Splitting, take: Callable[[CorpusRead], None]) -> None:
        """Read a text, and call `take` with what it is: before this returns, or later."""
        self._asked += 1
        if len(text) < (_QUICK_PAIRS if splitting.tokens == "pairs" else _QUICK):
            self._take = self.pending = None
            take(read_corpus(text, splitting))
            return
        self._take, self.pending = take, (text, splitting)
        number, found = self._asked, self._found
        Thread(
            target=lambda: found.put((number, read_corpus(text, splitting))),
            name="corpus",
            daemon=True,
        ).start()
        self._poll.start()

    def _look(self) -> None:
        while not self._found.empty():
            number, read = self._found.get()
            if number == self._asked and self._take is not None:
                take, self._take, self.pending = self._take, None, None
                take(read)
        if self._take is None:
            self._poll.stop()
