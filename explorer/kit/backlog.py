"""A queue of work for idle time, done in small pieces between events: what is visible first."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from weakref import WeakMethod

from PySide6.QtCore import QObject, QTimer

_SLICE = 0.008  # s of work before other events have their turn


class Backlog(QObject):
    """What is left to do, in the order in which it was put; done a few pieces at a time.

    Parameters
    ----------
    do : bound method
        Does a piece; may put one again.
    parent : QObject
    """

    def __init__(self, do: Callable[[int], None], parent: QObject) -> None:
        super().__init__(parent)
        # Held weakly: a view that has one would go only when garbage is looked for.
        self._do = WeakMethod(do)
        self._left: dict[int, None] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._slice)

    def put(self, pieces: Iterable[int]) -> None:
        """Have pieces done; those that wait already keep their turn."""
        self._left.update(dict.fromkeys(pieces))
        if self._left and not self._timer.isActive():
            self._timer.start(0)

    def clear(self) -> None:
        """Leave undone what is left."""
        self._left.clear()
        self._timer.stop()

    def finish(self) -> None:
        """Do now whatever is left."""
        while self._left:
            self._next()
        self._timer.stop()

    def _slice(self) -> None:
        end = time.perf_counter() + _SLICE
        while self._left and time.perf_counter() < end:
            self._next()
        if self._left:
            self._timer.start(0)

    def _next(self) -> None:
        piece = next(iter(self._left))
        del self._left[piece]
        do = self._do()
        if do is not None:
            do(piece)
