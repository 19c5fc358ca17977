"""An editable grid between two other widgets, and what it says."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from explorer.kit.style import apply_theme
from explorer.kit.table.grid import NumberGrid
from explorer.kit.theme import Theme
from explorer.session import Invalid, Matrix
from explorer.text import Message
from tests.showing import to_front

KEY, SHIFT, ALT, NONE = (
    Qt.Key,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.NoModifier,
)
LEFT = Qt.MouseButton.LeftButton
NAMES = ("cat", "likes", "fish", "cloud")
X = np.array([[1, 0], [0.5, 0.5], [0, 1], [-0.8, 0.9]])
THEME = Theme()
FORMATS = {
    "Table": lambda _name, a: "\n".join("\t".join(map(repr, map(float, row))) for row in a),
    "NumPy": lambda name, a: f"{name} = {a.tolist()}",
}


class Stage(QWidget):
    """A grid between two other widgets, and everything it says."""

    def __init__(self, grid: NumberGrid) -> None:
        super().__init__()
        self.before, self.grid, self.after = QLineEdit(), grid, QLineEdit()
        layout = QVBoxLayout(self)
        for widget in (self.before, grid, self.after):
            layout.addWidget(widget)
        self.said: list[object] = []
        grid.intent.connect(self.said.append)
        self.resize(256, 600)

    def at(self, row: int, column: int) -> QPoint:
        """Return the middle of a cell; column −1 is the name."""
        index = self.grid.cells.index(row, column + self.grid.numbers.first)
        return self.grid.visualRect(index).center()

    def click(self, row: int, column: int) -> None:
        QTest.mouseClick(self.grid.viewport(), LEFT, NONE, self.at(row, column))

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(QApplication.focusWidget(), key, modifiers)

    def type(self, text: str) -> None:
        for character in text:  # the first opens an editor, which gets the others
            QTest.keyClicks(QApplication.focusWidget(), character)

    def wheel(self, row: int, column: int, turn: int, modifiers: object = NONE) -> None:
        at = QPointF(self.at(row, column))
        event = QWheelEvent(
            at,
            QPointF(self.grid.viewport().mapToGlobal(at.toPoint())),
            QPoint(),
            QPoint(0, turn),
            Qt.MouseButton.NoButton,
            modifiers,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(self.grid.viewport(), event)

    def move(self, point: QPoint, button: Qt.MouseButton = Qt.MouseButton.NoButton) -> None:
        """Move the mouse over the cells without the screen's own pointer, which tests share."""
        at, held = QPointF(point), Qt.MouseButton.NoButton
        event = QMouseEvent(QEvent.Type.MouseMove, at, at, held, button, NONE)
        QApplication.sendEvent(self.grid.viewport(), event)

    def take(self, *kinds: type) -> list[object]:
        """Return what was said since the last time, of these kinds (all where none are named)."""
        said, self.said[:] = list(self.said), []
        return [intent for intent in said if not kinds or isinstance(intent, kinds)]

    def pixel(self, point: QPoint) -> str:
        return self.grid.viewport().grab().toImage().pixelColor(point).name().upper()


def staged(qtbot: QtBot, grid: NumberGrid) -> Stage:
    stage = Stage(grid)
    apply_theme(stage, THEME)
    qtbot.addWidget(stage)
    with qtbot.waitExposed(stage):
        stage.show()
    to_front(stage)
    stage.before.setFocus()
    return stage


@pytest.fixture
def x(qtbot: QtBot) -> Stage:
    grid = NumberGrid(Matrix.X, "X", THEME, FORMATS, named=True)
    grid.show_numbers(X, NAMES, [THEME.slot(i) for i in range(4)])
    return staged(qtbot, grid)


INVALID = Invalid("0.5x", Message("Type a number, for example 0.5"))


def show(stage: Stage, values: np.ndarray = X, **more: object) -> None:
    grid = stage.grid
    grid.show_numbers(values, grid.numbers.names, grid.numbers.colours, **more)


def editor(stage: Stage) -> QLineEdit:
    widget = QApplication.focusWidget()
    assert isinstance(widget, QLineEdit)
    assert stage.grid.isAncestorOf(widget)
    return widget


def press(stage: Stage, standard: QKeySequence.StandardKey) -> None:
    QTest.keySequence(QApplication.focusWidget(), QKeySequence(standard))
