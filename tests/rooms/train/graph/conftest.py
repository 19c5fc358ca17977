"""The word graph on the screen under a mouse and a keyboard, and all it asks for."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.theme import Theme
from explorer.rooms.train.graph import GraphView
from explorer.session.train import TrainFrame
from tests.train_frames import train_frame

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
EMPTY = QPoint(6, 6)


class Table:
    """A shown graph, the intents it emitted, and a hand."""

    def __init__(self, qtbot: QtBot, frame: TrainFrame, theme: Theme | None = None) -> None:
        self.view = GraphView(theme or Theme())
        qtbot.addWidget(self.view)
        self.view.resize(844, 590)
        with qtbot.waitExposed(self.view):
            self.view.show()
        self.view.draw(frame)
        self.intents: list[object] = []
        self.view.intent.connect(self.intents.append)
        self.frame = frame

    def word(self, name: str) -> QPoint:
        return self.view.screen_point(self.frame.vocabulary.index(name)).toPoint()

    def mouse(
        self, kind: QEvent.Type, at: QPoint, button: Qt.MouseButton, keys: Qt.KeyboardModifier
    ) -> None:
        changed = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else button
        held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
        canvas, place = self.view.viewport(), QPointF(at)
        event = QMouseEvent(kind, place, canvas.mapToGlobal(place), changed, held, keys)
        QApplication.sendEvent(canvas, event)

    def drag(
        self,
        start: QPoint,
        step: QPoint,
        button: Qt.MouseButton = LEFT,
        keys: Qt.KeyboardModifier = NONE,
    ) -> None:
        self.mouse(QEvent.Type.MouseButtonPress, start, button, keys)
        for n in range(1, 5):
            self.mouse(QEvent.Type.MouseMove, start + step * n / 4, button, keys)
        self.mouse(QEvent.Type.MouseButtonRelease, start + step, button, keys)

    def hover(self, at: QPoint) -> None:
        self.mouse(QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton, NONE)

    def wheel(self, at: QPoint, notches: int) -> None:
        canvas, place = self.view.viewport(), QPointF(at)
        event = QWheelEvent(
            place,
            canvas.mapToGlobal(place),
            QPoint(),
            QPoint(0, 120 * notches),
            Qt.MouseButton.NoButton,
            NONE,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(canvas, event)

    def click(self, at: QPoint) -> None:
        QTest.mouseClick(self.view.viewport(), LEFT, NONE, at)

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.view.viewport(), key, keys)

    def chip(self) -> tuple[int, int, QPoint]:
        """Return the words of an edge between two of the sample's words, and where its value is."""
        chip = next(c for c in self.view.drawing.chips if not c.pill and c.query != c.key)
        return chip.query, chip.key, self.view.chip_rect(chip.query, chip.key).center().toPoint()


@pytest.fixture
def table(qtbot: QtBot) -> Table:
    return Table(qtbot, train_frame())
