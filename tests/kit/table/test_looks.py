"""What an editable grid shows of frames and of what is pointed at, and how it scrolls."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.table.grid import NumberGrid
from explorer.session import Matrix, Role, Selection
from explorer.session.intents import Hover, Select
from tests.kit.table.conftest import (
    FORMATS,
    INVALID,
    KEY,
    NAMES,
    THEME,
    Stage,
    X,
    show,
    staged,
)


def wide(qtbot: QtBot, rows: int = 20, columns: int = 9) -> Stage:
    grid = NumberGrid(Matrix.X, "X", THEME, FORMATS, named=True)
    values = np.arange(rows * columns, dtype=float).reshape(rows, columns)
    grid.show_numbers(values, [f"t{i}" for i in range(rows)], [THEME.neutral_token] * rows)
    return staged(qtbot, grid)


# --- pointing ------------------------------------------------------------------------------------


def test_hover_is_told_only_when_it_changes(x: Stage) -> None:
    view = x.grid.viewport()
    for at in (x.at(0, 0), x.at(0, 0) + QPoint(2, 2), x.at(1, -1)):
        x.move(at)
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    told = [hover.selection for hover in x.take(Hover)]
    assert told[-3:] == [
        Selection(Role.X, query=0, column=0),
        Selection(Role.X, query=1),
        None,
    ]
    assert all(a != b for a, b in pairwise(told))


def test_pointing_elsewhere_lights_the_row(x: Stage) -> None:
    def fill(row: int) -> str:
        return x.pixel(x.grid.visualRect(x.grid.cells.index(row, 1)).topLeft() + QPoint(5, 5))

    x.grid.show_pointing(Selection(Role.S, query=0, key=3), Selection(Role.K, key=2))
    assert [fill(row) for row in range(4)] == [
        THEME.palette.hover,
        THEME.palette.raised,
        THEME.palette.hover,
        THEME.palette.raised,
    ]
    x.grid.show_pointing(None, Selection(Role.K, key=2), crossed=True)
    assert fill(2) == THEME.palette.raised, "that key is a token of the context"
    x.grid.show_pointing(Selection(Role.WQ, query=1, column=0), None)
    assert fill(1) == THEME.palette.raised, "a row of W is no token"


def test_the_selected_cell_has_a_ring(x: Stage) -> None:
    x.grid.show_pointing(Selection(Role.X, query=1, column=0), None)
    rect = x.grid.visualRect(x.grid.cells.index(1, 1))
    for inset in (0, 1):
        assert x.pixel(QPoint(rect.left() + inset, rect.center().y())) == THEME.palette.ink1
    assert x.pixel(QPoint(rect.left() + 2, rect.center().y())) == THEME.palette.hover
    assert not x.take(), "drawing says nothing"


def test_the_keyboard_goes_on_from_what_was_selected_elsewhere(x: Stage) -> None:
    x.click(0, 0)
    x.grid.show_pointing(Selection(Role.X, query=2, column=1), None)
    x.take()
    x.key(KEY.Key_Down)
    assert x.take(Select) == [Select(Selection(Role.X, query=3, column=1))]


# --- drawing -------------------------------------------------------------------------------------


def test_only_changed_rows_are_told_to_the_view(x: Stage) -> None:
    changed: list[tuple[int, int]] = []
    numbers = x.grid.cells
    numbers.dataChanged.connect(lambda a, b: changed.append((a.row(), b.row())))
    numbers.modelReset.connect(lambda: changed.append((-1, -1)))
    show(x, X.copy())
    assert changed == []
    moved = X.copy()
    moved[2, 1] = 0.4
    show(x, moved)
    assert changed == [(2, 2)]
    show(x, moved, invalid={(1, 0): INVALID})
    assert changed == [(2, 2), (1, 1)]
    assert not x.take()


def test_a_token_more_or_less_keeps_the_current_cell_near(x: Stage) -> None:
    x.click(3, 1)
    x.take()
    x.grid.show_numbers(X[:2], NAMES[:2], [THEME.slot(0)] * 2)
    current = x.grid.currentIndex()
    assert (current.row(), current.column()) == (1, 2)
    assert not x.take(), "drawing says nothing"


def test_accessible_texts(x: Stage) -> None:
    show(x, invalid={(1, 1): INVALID})
    role = Qt.ItemDataRole.AccessibleTextRole
    numbers = x.grid.cells
    assert x.grid.accessibleName() == "X"
    assert numbers.index(0, 1).data(role) == "X, cat, column 1, 1.0"
    assert numbers.index(0, 0).data(role) == "X, cat"
    said = numbers.index(1, 2).data(role)
    assert said == "X, likes, column 2, 0.5x: Type a number, for example 0.5"


def test_tooltips_tell_what_has_no_room(x: Stage) -> None:
    show(x, np.full((4, 2), 1 / 3))
    assert repr(1 / 3) in x.grid.tooltip_at(x.at(0, 0))
    show(x)
    assert x.grid.tooltip_at(x.at(0, 0)) == ""
    assert x.grid.tooltip_at(x.at(0, -1)) == ""
    name = "<b>" + "a" * 40
    x.grid.show_numbers(X, (name, *NAMES[1:]), x.grid.numbers.colours)
    assert "&lt;b&gt;" + "a" * 40 in x.grid.tooltip_at(x.at(0, -1))


# --- large tables --------------------------------------------------------------------------------


def test_names_stand_still_while_numbers_scroll(qtbot: QtBot) -> None:
    stage = wide(qtbot)
    grid = stage.grid
    before = grid.viewport().grab(grid.visualRect(grid.cells.index(0, 0)))
    bar = grid.horizontalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    after = grid.viewport().grab(grid.visualRect(grid.cells.index(0, 0)))
    assert before.toImage() == after.toImage()
    assert grid.indexAt(stage.at(3, -1)) == grid.cells.index(3, 0)


def test_the_current_number_never_hides_below_the_names(qtbot: QtBot) -> None:
    stage = wide(qtbot)
    stage.click(0, 0)
    grid = stage.grid
    for key in [KEY.Key_Right] * 8 + [KEY.Key_Left] * 8:
        stage.key(key)
        rect = grid.visualRect(grid.currentIndex())
        assert rect.left() >= grid.frozen_width()
        assert rect.right() <= grid.viewport().width()


def test_a_high_table_scrolls_inside(qtbot: QtBot) -> None:
    stage = wide(qtbot)
    assert stage.grid.height() <= 12 * 30 + 8
    stage.click(0, 0)
    for _row in range(19):
        stage.key(KEY.Key_Down)
    rect = stage.grid.visualRect(stage.grid.currentIndex())
    assert stage.grid.viewport().rect().contains(rect)


def test_columns_are_equally_wide(x: Stage) -> None:
    grid = x.grid
    widths = [grid.columnWidth(column) for column in (1, 2)]
    assert max(widths) - min(widths) <= 1
    assert grid.columnWidth(0) + sum(widths) == grid.viewport().width()
    assert all(grid.rowHeight(row) == 30 for row in range(4))
    assert not grid.horizontalScrollBar().isVisible()


def test_the_dot_has_the_tokens_colour(x: Stage) -> None:
    rect = x.grid.visualRect(x.grid.cells.index(1, 0))
    image = x.grid.viewport().grab(rect).toImage()
    line = [image.pixelColor(i, rect.height() // 2) for i in range(rect.width() // 3)]
    assert QColor(THEME.slot(1).fill) in line
