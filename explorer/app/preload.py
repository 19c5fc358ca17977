"""Preloading: while the program is idle, what other pages need is loaded in small pieces.

Loaded with the first press of Train they would hold the window up for a third of a second; loaded
before the window is seen, they would keep it from being seen.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pkgutil import resolve_name

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from explorer.attention import WIDEST, random_trial
from explorer.session.views import Centre, ModelCentre, TrainCentre

QUIET = 500  # ms in which nothing is pressed, dragged, turned or typed
SLICE = 0.008  # s of it before other events have their turn

# What takes long to load, each after what it imports, so that no piece is a large one.
MODULES = (
    "multiprocessing.connection",
    "numpy.random",
    "explorer.kit.plot",
    "explorer.traces",
    "explorer.training",
    "explorer.rooms.train.page",
    "explorer.app.train",
    "explorer.lessons.read",
    "explorer.app.lessons.classroom",
    "explorer.app.lessons.player",
    "explorer.rooms.model.page",
    "explorer.app.model",
    "explorer.rooms.sweep.page",
    "explorer.app.sweep",
    "explorer.rooms.present.presentation",
    "ziamath",
)
_INPUT = {
    *(QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease),
    *(QEvent.Type.Wheel, QEvent.Type.KeyPress, QEvent.Type.KeyRelease),
}


def preload_work() -> Iterator[Callable[[], object]]:
    """Return what loads a piece each, in order, makes the painter of plots and draws samples."""
    # PySide makes a class when it is first named, and the plotting library names all of them.
    for module in (QtCore, QtGui, QtWidgets):
        yield from (partial(getattr, module, name) for name in dir(module))
    yield from (partial(import_module, name) for name in MODULES)
    for centre in (*Centre, *TrainCentre, *ModelCentre):
        yield partial(resolve_name, centre.spec.factory)
    yield resolve_name("explorer.kit.plot:prepare")
    yield partial(random_trial, WIDEST)  # the samples of all widths, which are kept


class Preloader(QObject):
    """Does pieces of work while the program is idle and its window is shown.

    Parameters
    ----------
    window : QWidget
    pieces : iterator of callable
    """

    def __init__(self, window: QWidget, pieces: Iterator[Callable[[], object]]) -> None:
        super().__init__(window)
        self._pieces = pieces
        self._timer = QTimer(self, interval=QUIET, singleShot=True)
        self._timer.timeout.connect(self._slice)
        self._timer.start()
        # All that comes from mouse and keyboard passes here, and little else.
        window.windowHandle().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Wait anew when something is done; to move the mouse alone is not to do something."""
        dragged = isinstance(event, QMouseEvent) and event.buttons() != Qt.MouseButton.NoButton
        if dragged or event.type() in _INPUT:
            self._timer.start(QUIET)
        return False

    def _slice(self) -> None:
        end = time.perf_counter() + SLICE
        while time.perf_counter() < end:
            piece = next(self._pieces, None)
            if piece is None:
                self.deleteLater()
                return
            piece()
        self._timer.start(0)
