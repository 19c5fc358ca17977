"""The plane on the screen under a mouse and a keyboard, and all it asks for."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.preview import SAMPLE
from explorer.kit.theme import Theme
from explorer.rooms.explore.plane import PlaneView
from explorer.session import Edges, Frame, Look, Role, Selection, Space, Stage, resolve

LEFT = Qt.MouseButton.LeftButton


NONE = Qt.KeyboardModifier.NoModifier
SCORES = Look(Stage.S, frozenset({Space.Q, Space.K}), Edges.SCORES)
OUTPUT = Look(Stage.O, frozenset({Space.V, Space.O}), Edges.ATTENTION)
PAIR = Selection(Role.S, 0, 3)


class Table:
    """A shown plane, the intents it emitted, and a hand."""

    def __init__(self, qtbot: QtBot, frame: Frame, theme: Theme | None = None) -> None:
        self.frame = frame
        self.view = PlaneView(theme or Theme())
        qtbot.addWidget(self.view)
        self.view.resize(836, 704)
        self.view.draw(frame)
        with qtbot.waitExposed(self.view):
            self.view.show()
        self.held = Qt.MouseButton.NoButton
        QApplication.processEvents()
        self.intents: list[object] = []
        self.view.intent.connect(self.intents.append)

    def at(self, space: Space, row: int) -> QPoint:
        return self.view.screen_point(space, row).toPoint()

    def press(self, at: QPoint) -> None:
        self.held = LEFT
        QTest.mousePress(self.view.viewport(), LEFT, NONE, at)

    def move(self, at: QPoint, modifier: Qt.KeyboardModifier = NONE) -> None:
        """Move the mouse with the buttons that are held; an X server would tell it later."""
        port = self.view.viewport()
        event = QMouseEvent(
            QEvent.Type.MouseMove,
            QPointF(at),
            QPointF(port.mapToGlobal(at)),
            Qt.MouseButton.NoButton,
            self.held,
            modifier,
        )
        QApplication.sendEvent(port, event)

    def release(self, at: QPoint) -> None:
        self.held = Qt.MouseButton.NoButton
        QTest.mouseRelease(self.view.viewport(), LEFT, NONE, at)

    def click(self, at: QPoint) -> None:
        QTest.mouseClick(self.view.viewport(), LEFT, NONE, at)

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.view.viewport(), key, modifier)

    def taken(self, kind: type) -> list[object]:
        """Return the intents of a kind, and forget all so far."""
        found = [intent for intent in self.intents if isinstance(intent, kind)]
        self.intents.clear()
        return found


@pytest.fixture
def calm(qtbot: QtBot) -> Table:
    return Table(qtbot, resolve(SAMPLE))


@pytest.fixture
def scores(qtbot: QtBot) -> Table:
    return Table(qtbot, resolve(SAMPLE, SCORES, PAIR))
