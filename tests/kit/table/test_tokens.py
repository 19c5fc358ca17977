"""The names and the rows of an editable grid: tokens are renamed, carried, added, removed."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.table.grid import NumberGrid
from explorer.session import Cell, Matrix, Role, Selection
from explorer.session.intents import (
    AddToken,
    ApplyPreset,
    CopyText,
    NudgeCell,
    PasteCells,
    RemoveToken,
    RenameToken,
    ReorderToken,
    Select,
)
from tests.kit.table.conftest import (
    ALT,
    FORMATS,
    KEY,
    LEFT,
    NAMES,
    NONE,
    SHIFT,
    THEME,
    Stage,
    X,
    editor,
    press,
    staged,
)


def test_a_name_is_edited_in_place(x: Stage) -> None:
    x.click(1, -1)
    x.key(KEY.Key_F2)
    assert editor(x).text() == "likes"
    x.type("loves")
    x.key(KEY.Key_Return)
    assert x.take(RenameToken) == [RenameToken(1, "loves")]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("a" * 70, "a" * 64),
        ("👩" * 70, "👩" * 64),
        ("big\tcat\x07\n", "big cat"),
        (" cat", " cat"),
    ],
)
def test_a_name_is_cut_to_what_a_name_can_be(x: Stage, typed: str, name: str) -> None:
    x.click(1, -1)
    x.key(KEY.Key_F2)
    QApplication.clipboard().setText(typed)
    press(x, QKeySequence.StandardKey.Paste)
    assert editor(x).text() == name
    x.type("!")
    x.grid.show_numbers(X + 1, x.grid.numbers.names, x.grid.numbers.colours)
    x.key(KEY.Key_Return)
    assert x.take(RenameToken) == [RenameToken(1, (name + "!")[:64])]


def test_a_long_name_is_kept_where_it_is_only_looked_at(x: Stage) -> None:
    x.grid.show_numbers(X, ("👩" * 64, *NAMES[1:]), x.grid.numbers.colours)
    x.click(0, -1)
    x.key(KEY.Key_F2)
    x.key(KEY.Key_Return)
    assert not x.take(RenameToken)


@pytest.mark.parametrize("typed", ["", "  "])
def test_a_blank_name_leaves_the_old_one(x: Stage, typed: str) -> None:
    x.click(1, -1)
    x.key(KEY.Key_F2)
    x.key(KEY.Key_Backspace)
    x.type(typed)
    x.key(KEY.Key_Return)
    assert not x.take(RenameToken)
    assert x.grid.cells.index(1, 0).data() == "likes"


def test_an_input_method_starts_to_edit_a_name(x: Stage) -> None:
    x.click(1, -1)
    composed = QInputMethodEvent("zao", [])
    QApplication.sendEvent(x.grid, composed)
    done = QInputMethodEvent()
    done.setCommitString("早")
    QApplication.sendEvent(x.grid, done)
    x.key(KEY.Key_Return)
    assert x.take(RenameToken) == [RenameToken(1, "早")]


def test_an_input_method_that_is_cancelled_changes_nothing(x: Stage) -> None:
    x.click(1, -1)
    for composed in (QInputMethodEvent("zao", []), QInputMethodEvent()):
        QApplication.sendEvent(x.grid, composed)
    assert editor(x).text() == "likes"
    x.key(KEY.Key_Return)
    assert not x.take(RenameToken)


def test_delete_on_a_name_removes_the_token(x: Stage) -> None:
    x.click(1, -1)
    x.key(KEY.Key_Delete)
    assert x.take(RemoveToken, PasteCells) == [RemoveToken(1)]


def test_alt_shift_arrows_reorder(x: Stage) -> None:
    x.click(0, -1)
    x.key(KEY.Key_Up, ALT | SHIFT)
    x.key(KEY.Key_Down, ALT | SHIFT)
    assert x.take(ReorderToken) == [ReorderToken(0, 1)]


def test_a_row_is_carried_by_its_name(x: Stage) -> None:
    view = x.grid.viewport()
    QTest.mousePress(view, LEFT, NONE, x.at(0, -1))
    x.move(x.at(1, -1), LEFT)
    x.move(x.at(2, -1), LEFT)
    rect = x.grid.visualRect(x.grid.cells.index(2, 0))
    assert x.pixel(QPoint(100, rect.bottom())) == THEME.palette.ink1, "where it would land"
    QTest.mouseRelease(view, LEFT, NONE, x.at(2, -1))
    assert x.take(ReorderToken) == [ReorderToken(0, 2)]


def test_a_click_on_a_name_carries_nothing(x: Stage) -> None:
    x.click(0, -1)
    x.move(x.at(3, -1))
    assert not x.take(ReorderToken)


def test_the_menu(x: Stage) -> None:
    QGuiApplication.clipboard().setText("5")
    x.click(1, 1)
    x.take()
    menu = x.grid.menu_at(x.grid.cells.index(1, 2))
    actions = {action.text(): action for action in menu.actions() if action.text()}
    for text in (
        "Copy as Table",
        "Copy as NumPy",
        "Paste",
        "Add token below",
        "Move up",
        "Move down",
        "Remove",
    ):
        assert actions[text].isEnabled()
        actions[text].trigger()
    cell = Cell(Matrix.X, 1, 1)
    assert x.take() == [
        CopyText(FORMATS["Table"]("X", X)),
        CopyText(FORMATS["NumPy"]("X", X)),
        PasteCells(cell, "5"),
        AddToken(after=1),
        ReorderToken(1, 0),
        ReorderToken(1, 2),
        RemoveToken(1),
    ]
    actions["Rename"].trigger()
    assert editor(x).text() == "likes"
    presets = actions["Fill with"].menu().actions()
    assert [action.text() for action in presets][:3] == ["identity", "zeros", "random"]
    presets[1].trigger()
    assert x.take(ApplyPreset) == [ApplyPreset(Matrix.X, "zeros")]


def test_the_menu_of_the_first_and_only_row(qtbot: QtBot) -> None:
    grid = NumberGrid(Matrix.X, "X", THEME, FORMATS, named=True)
    grid.show_numbers(np.ones((1, 1)), ("one",), [THEME.slot(0)])
    stage = staged(qtbot, grid)
    menu = stage.grid.menu_at(grid.cells.index(0, 0))
    off = {action.text() for action in menu.actions() if not action.isEnabled()}
    assert {"Move up", "Move down", "Remove"} <= off


def test_rows_of_a_context_are_edited_as_those_of_x_are(qtbot: QtBot) -> None:
    grid = NumberGrid(Matrix.CONTEXT, "X of the context", THEME, FORMATS, named=True)
    grid.show_numbers(X, NAMES, [THEME.slot(i) for i in range(4)])
    stage = staged(qtbot, grid)
    stage.click(1, 0)
    assert stage.take(Select) == [Select(Selection(Role.CONTEXT, key=1, column=0))]
    stage.key(KEY.Key_Up, ALT)
    stage.wheel(1, 0, 120)
    cell = Cell(Matrix.CONTEXT, 1, 0)
    assert stage.take() == [NudgeCell(cell, 0.1), NudgeCell(cell, 0.1)]
    stage.click(2, -1)
    stage.take()
    stage.key(KEY.Key_Down, ALT | Qt.KeyboardModifier.ShiftModifier)
    stage.key(KEY.Key_Delete)
    menu = {action.text(): action for action in grid.menu_at(grid.cells.index(2, 0)).actions()}
    for text in ("Add token below", "Move up", "Remove"):
        menu[text].trigger()
    assert stage.take() == [
        ReorderToken(2, 3, context=True),
        RemoveToken(2, context=True),
        AddToken(2, context=True),
        ReorderToken(2, 1, context=True),
        RemoveToken(2, context=True),
    ]


def test_rows_of_a_position_have_names_that_are_not_theirs(qtbot: QtBot) -> None:
    grid = NumberGrid(Matrix.POSITION, "P", THEME, FORMATS, named=True)
    grid.show_numbers(X, NAMES, [THEME.slot(i) for i in range(4)])
    stage = staged(qtbot, grid)
    stage.click(2, -1)
    stage.take()
    stage.type("7")
    stage.key(KEY.Key_Delete)
    stage.key(KEY.Key_Up, ALT | Qt.KeyboardModifier.ShiftModifier)
    assert stage.take() == []
    texts = {action.text() for action in grid.menu_at(grid.cells.index(2, 0)).actions()}
    assert "Paste" in texts
    assert "Remove" not in texts
    stage.click(2, 1)
    assert Select(Selection(Role.POSITION, query=2, column=1)) in stage.take(Select)
    stage.key(KEY.Key_Up, ALT)
    assert stage.take() == [NudgeCell(Cell(Matrix.POSITION, 2, 1), 0.1)]


def test_rows_that_cannot_be_edited_are_shown_and_copied(qtbot: QtBot) -> None:
    grid = NumberGrid(Matrix.POSITION, "P", THEME, FORMATS, named=True, editable=False)
    grid.show_numbers(X, NAMES, [THEME.slot(i) for i in range(4)])
    stage = staged(qtbot, grid)
    QGuiApplication.clipboard().setText("5")
    stage.click(1, 0)
    stage.type("7")
    stage.key(KEY.Key_Delete)
    press(stage, QKeySequence.StandardKey.Paste)
    stage.key(KEY.Key_Up, ALT)
    stage.wheel(1, 0, 120)
    assert stage.take() == [Select(Selection(Role.P, query=1, column=0))]
    texts = {action.text() for action in grid.menu_at(grid.cells.index(2, 1)).actions()}
    assert texts == {"Copy as Table", "Copy as NumPy"}
