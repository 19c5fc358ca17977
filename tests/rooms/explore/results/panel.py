"""The results panel on the screen, scenes that are awkward for it, and ways to read it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from explorer.exporters import FORMATS
from explorer.exporters.code import code
from explorer.kit.preview import SAMPLE
from explorer.kit.table.fitted import HeatTable
from explorer.kit.table.outputs import OutputsTable
from explorer.kit.table.view import CellTable
from explorer.kit.theme import Theme
from explorer.rooms.explore.results import ResultsView
from explorer.session import Context, Frame, Look, Options, Role, Scene, Selection, resolve
from explorer.text.numbers import MINUS

PAIR = Selection(Role.S, 0, 3)
LEFT = Qt.MouseButton.LeftButton


def scene_of(tokens: int, width: int, *, keys: int | None = None, heads: int = 1) -> Scene:
    rng = np.random.default_rng(7)
    context = None
    if keys is not None:
        names = tuple(f"key{j}" for j in range(keys))
        context = Context(names, rng.normal(size=(keys, width)))
    shape = (width, width) if heads == 1 else (heads, width, width)
    return Scene(
        tuple(f"token{i}" for i in range(tokens)),
        rng.normal(size=(tokens, width)),
        *(rng.normal(size=shape) for _ in range(3)),
        context=context,
    )


LARGE = scene_of(64, 8)


HOLED = SAMPLE.replace(
    options=Options(
        mask=np.array([[1, 1, 1, 0], [0, 0, 0, 0], [1, 0, 1, 1], [1, 1, 1, 1]], dtype=bool)
    )
)


class Panel:
    """A panel on the screen with the intents it has emitted."""

    def __init__(self, qtbot: QtBot, scene: Scene, theme: Theme, size: tuple[int, int]) -> None:
        self.theme = theme
        self.view = ResultsView(theme, code=code, copy_as=FORMATS)
        qtbot.addWidget(self.view)
        self.view.resize(*size)
        self.intents: list[object] = []
        self.view.intent.connect(self.intents.append)
        with qtbot.waitExposed(self.view):
            self.view.show()
        self.scene = scene
        self.frame = self.draw()
        QApplication.processEvents()
        self.draw()  # the first was before the panel had its size

    def draw(
        self,
        selection: Selection | None = None,
        hover: Selection | None = None,
        look: Look | None = None,
    ) -> Frame:
        self.frame = resolve(self.scene, look, selection, hover)
        self.view.draw(self.frame)
        QApplication.processEvents()
        return self.frame

    @property
    def s(self) -> HeatTable:
        table = self.view.matrices.scores.fitted
        assert isinstance(table, HeatTable)
        return table

    @property
    def a(self) -> HeatTable:
        table = self.view.matrices.weights.fitted
        assert isinstance(table, HeatTable)
        return table

    @property
    def o(self) -> OutputsTable:
        table = self.view.matrices.outputs.fitted
        assert isinstance(table, OutputsTable)
        return table

    def last(self) -> object:
        assert self.intents, "no intent was emitted"
        return self.intents[-1]


def panel(
    qtbot: QtBot,
    scene: Scene = SAMPLE,
    theme: Theme | None = None,
    size: tuple[int, int] = (348, 704),
) -> Panel:
    return Panel(qtbot, scene, theme or Theme(), size)


def click(table: CellTable, row: int, column: int) -> None:
    QTest.mouseClick(
        table.viewport(),
        LEFT,
        Qt.KeyboardModifier.NoModifier,
        table.visualRect(table.model().index(row, column)).center(),
    )


def texts(table: CellTable) -> list[list[str]]:
    model = table.model()
    return [
        [model.index(i, j).data() for j in range(model.columnCount())]
        for i in range(model.rowCount())
    ]


def picture(widget: QWidget) -> QImage:
    return widget.grab().toImage()


def value_of(text: str) -> float:
    return float(text.replace(MINUS, "-"))
