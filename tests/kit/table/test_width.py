"""How wide the columns of an editable table are, and when they scroll."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from explorer.kit.table.grid import NumberGrid
from explorer.kit.theme import SCALES, Theme
from explorer.session import Matrix

NAMES = ("早", "上", "好")
SHORT = np.array([[1.0, 2.0, 1.0, 2.0, 1.0], [1.0, 1.0, 3.0, 2.0, 1.0], [3.0, 1.0, 2.0, 1.0, 1.0]])


def x_grid(qtbot: QtBot, values: np.ndarray, percent: int = 100) -> NumberGrid:
    theme = Theme(percent=percent)
    grid = NumberGrid(Matrix.X, "X", theme, named=True)
    qtbot.addWidget(grid)
    grid.resize(theme.px(224), 300)
    grid.show_numbers(values, NAMES, [theme.slot(n) for n in (1, 2, 3)])
    return grid


def scrolls(grid: NumberGrid) -> bool:
    columns = range(grid.cells.columnCount())
    return sum(map(grid.columnWidth, columns)) > grid.width()


@pytest.mark.parametrize("percent", SCALES)
def test_five_columns_of_short_numbers_are_all_in_view(qtbot: QtBot, percent: int) -> None:
    grid = x_grid(qtbot, SHORT, percent)
    last = grid.cells.index(0, 5)

    assert not scrolls(grid)
    assert QRect(0, 0, grid.width(), grid.height()).contains(grid.visualRect(last))
    assert all(grid.columnWidth(column) >= grid.theme.px(34) for column in range(1, 6))
    assert all(grid.is_whole(grid.cells.index(row, 1)) for row in range(3))


def test_columns_scroll_where_numbers_need_more(qtbot: QtBot) -> None:
    grid = x_grid(qtbot, SHORT - 0.125)
    assert not scrolls(grid) or grid.columnWidth(1) >= 58
    grid = x_grid(qtbot, -SHORT - 0.125)
    assert scrolls(grid)
    assert grid.columnWidth(1) >= 58


def test_an_edit_that_needs_room_gets_it_and_gives_it_back(qtbot: QtBot) -> None:
    grid = x_grid(qtbot, SHORT)
    longer = SHORT.copy()
    longer[0, 0] = -0.125
    grid.show_numbers(longer, NAMES, grid.numbers.colours)
    assert scrolls(grid)
    grid.show_numbers(SHORT, NAMES, grid.numbers.colours)
    assert not scrolls(grid)


def test_columns_stand_still_while_a_token_is_dragged(qtbot: QtBot) -> None:
    grid = x_grid(qtbot, SHORT)
    widths = [grid.columnWidth(column) for column in range(6)]
    longer = SHORT - 2.125
    grid.show_numbers(longer, NAMES, grid.numbers.colours, dragged=True)
    assert [grid.columnWidth(column) for column in range(6)] == widths
    grid.show_numbers(longer, NAMES, grid.numbers.colours)  # the drag ends with the same numbers
    assert scrolls(grid)


def test_numbers_stand_off_the_right_edge_where_there_is_room(qtbot: QtBot) -> None:
    for columns, least in ((2, 12), (3, 6), (5, 4)):
        grid = x_grid(qtbot, SHORT[:, :columns])
        image = QImage(grid.size(), QImage.Format.Format_RGB32)
        grid.render(image)
        paper, rect = grid.theme.color("raised").rgb(), cell(grid)
        free = 0
        while all(
            image.pixel(rect.right() - 1 - free, y) == paper
            for y in range(rect.top() + 8, rect.bottom() - 6)
        ):
            free += 1
        assert free >= least, columns


def cell(grid: NumberGrid) -> QRect:
    return grid.visualRect(grid.cells.index(0, 1))
