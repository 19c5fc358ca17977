"""A number that moves by itself: one gesture that is given up at its end."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from explorer.session import Cell, Matrix, Role, Scene, Session, edits
from explorer.text import N_, Message

_PERIOD = 4000  # ms
_REACH = 0.4  # of a typical number of its table
_EACH = 16  # ms
_KEYS = (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)
_ENDS = (QEvent.Type.MouseButtonPress, QEvent.Type.Wheel, *_KEYS)


class AnimateNumber(QObject):
    """Lets the selected number go up and down; without one, the selected token's row of X.

    Whatever is done by hand ends it first, so that it is never taken for an edit; W in the
    audience's window is left to whoever begins it.
    """

    def __init__(self, session: Session, audience: QWidget) -> None:
        super().__init__(audience)
        self._audience = audience
        self._session = session
        self._start: Scene | None = None
        self._cells: list[Cell] = []
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(_EACH)
        self._timer.timeout.connect(lambda: self.go_to(self._clock.elapsed() / _PERIOD))

    @property
    def going(self) -> bool:
        """Whether it moves."""
        return self._start is not None

    def begin(self) -> None:
        """Begin from the numbers as they are."""
        session = self._session
        self._cells = _cells(session)
        session.begin_gesture(Message(N_("animate a number")))
        self._start = session.scene
        _application().installEventFilter(self)
        self._clock.start()
        self._timer.start()

    def end(self) -> None:
        """Put the numbers back; nothing where none moves."""
        if self._start is not None:
            self._timer.stop()
            _application().removeEventFilter(self)
            self._start = None
            self._session.cancel_gesture()

    def go_to(self, turns: float) -> None:
        """Show the numbers as they are after so many turns."""
        scene = self._start
        if scene is None:
            return
        if not self._session.in_gesture:  # it was ended from elsewhere
            self.end()
            return
        for place, cell in enumerate(self._cells):
            table = edits.head_matrix(scene, cell.matrix, cell.head)
            reach = _REACH * max(float(np.sqrt(np.mean(table**2))), 0.25)
            # Two numbers go round rather than to and fro.
            moved = reach * math.sin(2 * math.pi * turns * (1 + place))
            scene = edits.set_cells(scene, cell, [[self._at_start(cell) + moved]])
        self._session.move(scene)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """End before anything is done by hand."""
        if event.type() in _ENDS and isinstance(watched, QWidget):
            own = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_W
            if not (own and watched.window() is self._audience):
                self.end()
        return False

    def _at_start(self, cell: Cell) -> float:
        assert self._start is not None
        table = edits.head_matrix(self._start, cell.matrix, cell.head)
        return float(table[cell.row, cell.column])


def _cells(session: Session) -> list[Cell]:
    """Return the numbers that move: the selected one, or two of a token's row of X."""
    thing, scene = session.selection, session.scene
    token = 0
    if thing is not None:
        if thing.column is not None and thing.role in (Role.X, *_WEIGHTS):
            matrix = Matrix(thing.role.value)
            return [Cell(matrix, thing.query or 0, thing.column, session.look.head)]
        if not thing.in_weights and thing.query is not None and thing.query < len(scene.tokens):
            token = thing.query
    return [Cell(Matrix.X, token, column) for column in range(min(2, scene.d_model))]


_WEIGHTS = (Role.WQ, Role.WK, Role.WV)


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
