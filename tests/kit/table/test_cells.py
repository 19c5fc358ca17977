"""The cells of an editable grid, driven by real keys and mouse events."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtTest import QTest

from explorer.session import Cell, Matrix, Role, Selection
from explorer.session.intents import CopyText, NudgeCell, PasteCells, RevertCell, Select, TypeCell
from tests.kit.table.conftest import (
    ALT,
    FORMATS,
    INVALID,
    KEY,
    LEFT,
    NONE,
    SHIFT,
    THEME,
    Stage,
    X,
    editor,
    press,
    show,
)

# --- selecting and moving ------------------------------------------------------------------------


def test_a_click_selects_the_cell(x: Stage) -> None:
    x.click(3, 0)
    assert x.take(Select) == [Select(Selection(Role.X, query=3, column=0))]
    x.grid.show_pointing(Selection(Role.X, query=3, column=0), None)
    x.click(3, 0)
    assert not x.take(Select), "it is selected already"
    x.grid.show_pointing(Selection(Role.S, 0, 3), None)
    x.click(3, 0)
    assert x.take(Select) == [Select(Selection(Role.X, query=3, column=0))]


def test_a_click_on_a_name_selects_the_token(x: Stage) -> None:
    x.click(2, -1)
    assert x.take(Select) == [Select(Selection(Role.X, query=2))]


def test_arrows_move_and_select(x: Stage) -> None:
    x.click(0, 0)
    x.take()
    x.key(KEY.Key_Down)
    x.key(KEY.Key_Right)
    x.key(KEY.Key_Left)
    x.key(KEY.Key_Left)
    x.key(KEY.Key_Up)
    assert [s.selection for s in x.take(Select)] == [
        Selection(Role.X, query=1, column=0),
        Selection(Role.X, query=1, column=1),
        Selection(Role.X, query=1, column=0),
        Selection(Role.X, query=1),
        Selection(Role.X, query=0),
    ]


def test_tab_goes_through_the_numbers_and_out(x: Stage) -> None:
    x.key(KEY.Key_Tab)
    assert x.grid.hasFocus()
    for _number in range(7):
        x.key(KEY.Key_Tab)
    places = [(s.selection.query, s.selection.column) for s in x.take(Select)]
    assert places == [(row, column) for row in range(4) for column in range(2)]
    x.key(KEY.Key_Tab)
    assert x.after.hasFocus()
    x.key(KEY.Key_Backtab, SHIFT)
    for _number in range(7):
        x.key(KEY.Key_Backtab, SHIFT)
    assert x.grid.hasFocus()
    x.key(KEY.Key_Backtab, SHIFT)
    assert x.before.hasFocus()


def test_tab_from_a_name_goes_to_its_first_number(x: Stage) -> None:
    x.click(2, -1)
    x.key(KEY.Key_Tab)
    assert x.take(Select)[-1] == Select(Selection(Role.X, query=2, column=0))


def test_a_digit_is_typed_although_the_window_has_a_shortcut_for_it(x: Stage) -> None:
    pressed: list[int] = []
    QShortcut(QKeySequence("1"), x).activated.connect(lambda: pressed.append(1))
    x.click(0, 1)
    x.key(KEY.Key_1)
    x.key(KEY.Key_Return)
    assert x.take(TypeCell) == [TypeCell(Cell(Matrix.X, 0, 1), "1")]
    assert not pressed


# --- typing --------------------------------------------------------------------------------------


def test_typing_replaces_and_enter_goes_down(x: Stage) -> None:
    x.click(0, 0)
    x.type("1/3")
    x.key(KEY.Key_Return)
    assert x.take(TypeCell) == [TypeCell(Cell(Matrix.X, 0, 0), "1/3")]
    assert x.grid.hasFocus()
    x.type("7")
    x.key(KEY.Key_Enter, SHIFT)
    assert x.take(TypeCell) == [TypeCell(Cell(Matrix.X, 1, 0), "7")]
    assert (x.grid.currentIndex().row(), x.grid.currentIndex().column()) == (0, 1)


def test_typing_and_tab_goes_right_and_at_last_out(x: Stage) -> None:
    x.click(3, 0)
    x.type("2")
    x.key(KEY.Key_Tab)
    x.type("3")
    x.key(KEY.Key_Tab)
    assert x.take(TypeCell) == [
        TypeCell(Cell(Matrix.X, 3, 0), "2"),
        TypeCell(Cell(Matrix.X, 3, 1), "3"),
    ]
    assert x.after.hasFocus()


def test_shift_tab_and_arrows_end_typing(x: Stage) -> None:
    x.click(1, 1)
    x.type("2")
    x.key(KEY.Key_Backtab, SHIFT)
    x.type("3")
    x.key(KEY.Key_Down)
    x.type("4")
    x.key(KEY.Key_Up)
    assert [(t.cell.row, t.cell.column, t.text) for t in x.take(TypeCell)] == [
        (1, 1, "2"),
        (1, 0, "3"),
        (2, 0, "4"),
    ]
    assert x.take() == []


def test_escape_cancels(x: Stage) -> None:
    x.click(0, 0)
    x.type("99")
    x.key(KEY.Key_Escape)
    assert not x.take(TypeCell)
    assert x.grid.hasFocus()


def test_f2_and_double_click_edit_the_full_number(x: Stage) -> None:
    show(x, X + 1 / 3)
    x.click(0, 0)
    x.key(KEY.Key_F2)
    assert editor(x).text() == repr(1 + 1 / 3)
    x.key(KEY.Key_Return)
    assert not x.take(TypeCell), "nothing was changed"
    show(x)
    QTest.mouseClick(x.grid.viewport(), LEFT, NONE, x.at(3, 0))
    QTest.mouseDClick(x.grid.viewport(), LEFT, NONE, x.at(3, 0))
    assert editor(x).text() == "−0.8"


def test_a_frame_drawn_meanwhile_leaves_the_typed_text_alone(x: Stage) -> None:
    x.click(0, 0)
    x.type("12")
    show(x, X * 2)
    x.type("3")
    assert editor(x).text() == "123"


def test_going_away_keeps_what_was_typed(x: Stage) -> None:
    x.click(0, 0)
    x.type("4")
    QTest.mouseClick(x.after, LEFT)
    assert x.take(TypeCell) == [TypeCell(Cell(Matrix.X, 0, 0), "4")]


# --- what is no number ---------------------------------------------------------------------------


def test_an_invalid_cell_keeps_its_text_and_is_marked(x: Stage) -> None:
    show(x, invalid={(1, 1): INVALID})
    index = x.grid.cells.index(1, 2)
    assert index.data(Qt.ItemDataRole.DisplayRole) == "0.5x"
    rect = x.grid.visualRect(index)
    assert x.pixel(QPoint(rect.left() + 1, rect.center().y())) == THEME.palette.err
    x.click(1, 1)
    x.key(KEY.Key_F2)
    assert editor(x).text() == "0.5x"
    x.key(KEY.Key_Escape)
    assert not x.take(RevertCell), "the first Escape ends the editing"
    x.key(KEY.Key_Escape)
    assert x.take(RevertCell) == [RevertCell(Cell(Matrix.X, 1, 1))]


def test_escape_on_a_valid_cell_is_left_to_the_window(x: Stage) -> None:
    seen: list[int] = []
    QShortcut(QKeySequence("Esc"), x).activated.connect(lambda: seen.append(1))
    x.click(0, 0)
    x.key(KEY.Key_Escape)
    assert seen == [1]


# --- nudging -------------------------------------------------------------------------------------


def test_the_wheel_nudges_only_the_focused_cell(x: Stage) -> None:
    x.click(0, 0)
    x.after.setFocus()
    x.wheel(0, 0, 120)
    assert not x.take(NudgeCell), "no focus"
    x.click(0, 0)
    x.take()
    x.wheel(1, 0, 120)
    assert not x.take(NudgeCell), "another cell"
    x.wheel(0, 0, 120)
    x.wheel(0, 0, -240, SHIFT)
    cell = Cell(Matrix.X, 0, 0)
    assert x.take(NudgeCell) == [NudgeCell(cell, 0.1), NudgeCell(cell, -0.02)]
    for _part in range(4):
        x.wheel(0, 0, 30)
    assert x.take(NudgeCell) == [NudgeCell(cell, 0.1)], "a fine wheel: one nudge a notch"


def test_alt_and_arrows_nudge(x: Stage) -> None:
    x.click(1, 1)
    x.key(KEY.Key_Up, ALT)
    x.key(KEY.Key_Down, ALT | SHIFT)
    cell = Cell(Matrix.X, 1, 1)
    assert x.take(NudgeCell) == [NudgeCell(cell, 0.1), NudgeCell(cell, -0.01)]


# --- blocks --------------------------------------------------------------------------------------


def test_copy_takes_the_selected_block(x: Stage) -> None:
    show(x, X / 3)
    x.click(2, 0)
    x.key(KEY.Key_Down, SHIFT)
    x.key(KEY.Key_Right, SHIFT)
    press(x, QKeySequence.StandardKey.Copy)
    block = X[2:] / 3
    assert x.take(CopyText) == [CopyText(FORMATS["Table"]("X", block))]
    assert "-0.26666666666666666\t0.3" in FORMATS["Table"]("X", block)


def test_copy_of_names_alone_gives_the_names(x: Stage) -> None:
    x.click(0, -1)
    x.key(KEY.Key_Down, SHIFT)
    press(x, QKeySequence.StandardKey.Copy)
    assert x.take(CopyText) == [CopyText("cat\nlikes")]


def test_dragging_over_cells_selects_a_block(x: Stage) -> None:
    view = x.grid.viewport()
    QTest.mousePress(view, LEFT, NONE, x.at(0, 0))
    x.move(x.at(1, 1), LEFT)
    QTest.mouseRelease(view, LEFT, NONE, x.at(1, 1))
    press(x, QKeySequence.StandardKey.Copy)
    assert x.take(CopyText) == [CopyText(FORMATS["Table"]("X", X[:2]))]


def test_paste_goes_to_the_first_cell_of_the_block(x: Stage) -> None:
    QGuiApplication.clipboard().setText("1\t2\n3\t4")
    x.click(2, 1)
    x.key(KEY.Key_Up, SHIFT)
    press(x, QKeySequence.StandardKey.Paste)
    assert x.take(PasteCells) == [PasteCells(Cell(Matrix.X, 1, 1), "1\t2\n3\t4")]


def test_delete_puts_zeros(x: Stage) -> None:
    x.click(0, 0)
    x.key(KEY.Key_Right, SHIFT)
    x.key(KEY.Key_Down, SHIFT)
    x.key(KEY.Key_Delete)
    assert x.take(PasteCells) == [PasteCells(Cell(Matrix.X, 0, 0), "0\t0\n0\t0")]
