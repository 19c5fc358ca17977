"""Train's left panel on the screen, and all it asks for."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from explorer.kit.small_inputs import StepField
from explorer.kit.style import finish, prepare
from explorer.kit.theme import Theme
from explorer.rooms.train.parameters import ParametersView
from explorer.session.train import Progress, RunState, TrainFrame
from explorer.traces import parse_corpus
from tests.showing import to_front

LEFT = Qt.MouseButton.LeftButton
KEY = Qt.Key
CORPUS = parse_corpus("a b c\nd e f\n")


class Panel:
    """A shown panel and everything it asks for."""

    def __init__(self, qtbot: QtBot, theme: Theme | None = None) -> None:
        theme = theme or Theme()
        prepare(theme)
        self.view = ParametersView(theme)
        finish(self.view, theme)
        qtbot.addWidget(self.view)
        self.view.resize(256, 900)
        with qtbot.waitExposed(self.view):
            self.view.show()
        to_front(self.view)
        self.intents: list[object] = []
        self.view.intent.connect(self.intents.append)
        self.draw()

    def draw(self, **changes: Any) -> None:
        self.view.draw(TrainFrame(**({"corpus": CORPUS} | changes)))
        QApplication.processEvents()

    def state(self, state: RunState, **others: Any) -> None:
        self.draw(progress=Progress(state, 148, 200, "cpu", **others))

    def asked(self) -> list[object]:
        asked, self.intents[:] = list(self.intents), []
        return asked

    def line(self, field: str) -> StepField:
        row = self.view.rows.get(field) or self.view.more.rows[field]
        assert isinstance(row.input, StepField)
        return row.input

    def type(self, field: str, text: str) -> StepField:
        """Write a text into a line, without committing it."""
        line = self.line(field)
        line.setFocus()
        line.lineEdit().selectAll()
        QTest.keyClicks(line, text)
        return line

    def wheel(self, field: str, up: bool) -> None:
        line = self.line(field)
        at = QPointF(line.rect().center())
        event = QWheelEvent(
            at,
            line.mapToGlobal(at),
            QPoint(),
            QPoint(0, 120 if up else -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(line, event)


@pytest.fixture
def panel(qtbot: QtBot) -> Panel:
    return Panel(qtbot)


def seen(widget: QLabel) -> str:
    return widget.text() if widget.isVisible() else ""
