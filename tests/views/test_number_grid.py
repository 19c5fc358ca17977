"""The editable grid, driven by real keys and mouse events."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QInputMethodEvent,
    QKeySequence,
    QMouseEvent,
    QShortcut,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from explorer.session import Cell, Invalid, Matrix, Role, Selection
from explorer.session.intents import (
    AddToken,
    ApplyPreset,
    CopyText,
    Hover,
    NudgeCell,
    PasteCells,
    RemoveToken,
    RenameToken,
    ReorderToken,
    RevertCell,
    Select,
    TypeCell,
)
from explorer.text import Message
from explorer.views.number_grid import NumberGrid
from explorer.views.style import dress
from explorer.views.theme import Theme

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
        index = self.grid.numbers.index(row, column + self.grid.numbers.first)
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
    dress(QApplication.instance(), THEME)
    stage = Stage(grid)
    qtbot.addWidget(stage)
    with qtbot.waitExposed(stage):
        stage.show()
    stage.activateWindow()
    qtbot.waitUntil(stage.isActiveWindow)
    stage.before.setFocus()
    return stage


@pytest.fixture
def x(qtbot: QtBot) -> Stage:
    grid = NumberGrid(Matrix.X, "X", THEME, FORMATS, named=True)
    grid.show_numbers(X, NAMES, [THEME.slot(i) for i in range(4)])
    return staged(qtbot, grid)


def wide(qtbot: QtBot, rows: int = 20, columns: int = 9) -> Stage:
    grid = NumberGrid(Matrix.X, "X", THEME, FORMATS, named=True)
    values = np.arange(rows * columns, dtype=float).reshape(rows, columns)
    grid.show_numbers(values, [f"t{i}" for i in range(rows)], [THEME.neutral_token] * rows)
    return staged(qtbot, grid)


INVALID = Invalid("0.5x", Message("Type a number, for example 0.5"))


def show(stage: Stage, values: np.ndarray = X, **more: object) -> None:
    grid = stage.grid
    grid.show_numbers(values, grid.numbers.names, grid.numbers.colours, **more)


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


def editor(stage: Stage) -> QLineEdit:
    widget = QApplication.focusWidget()
    assert isinstance(widget, QLineEdit)
    assert stage.grid.isAncestorOf(widget)
    return widget


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
    index = x.grid.numbers.index(1, 2)
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


def press(stage: Stage, standard: QKeySequence.StandardKey) -> None:
    QTest.keySequence(QApplication.focusWidget(), QKeySequence(standard))


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


# --- tokens --------------------------------------------------------------------------------------


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
    assert x.grid.numbers.index(1, 0).data() == "likes"


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
    rect = x.grid.visualRect(x.grid.numbers.index(2, 0))
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
    menu = x.grid.menu_at(x.grid.numbers.index(1, 2))
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
    menu = stage.grid.menu_at(grid.numbers.index(0, 0))
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
    menu = {action.text(): action for action in grid.menu_at(grid.numbers.index(2, 0)).actions()}
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
    texts = {action.text() for action in grid.menu_at(grid.numbers.index(2, 0)).actions()}
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
    texts = {action.text() for action in grid.menu_at(grid.numbers.index(2, 1)).actions()}
    assert texts == {"Copy as Table", "Copy as NumPy"}


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
        return x.pixel(x.grid.visualRect(x.grid.numbers.index(row, 1)).topLeft() + QPoint(5, 5))

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
    rect = x.grid.visualRect(x.grid.numbers.index(1, 1))
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
    numbers = x.grid.numbers
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
    numbers = x.grid.numbers
    assert x.grid.accessibleName() == "X"
    assert numbers.index(0, 1).data(role) == "X, cat, column 1, 1.0"
    assert numbers.index(0, 0).data(role) == "X, cat"
    said = numbers.index(1, 2).data(role)
    assert said == "X, likes, column 2, 0.5x: Type a number, for example 0.5"


def test_tooltips_tell_what_has_no_room(x: Stage) -> None:
    show(x, np.full((4, 2), 1 / 3))
    assert x.grid.tooltip_at(x.at(0, 0)) == repr(1 / 3)
    show(x)
    assert x.grid.tooltip_at(x.at(0, 0)) == ""
    assert x.grid.tooltip_at(x.at(0, -1)) == ""
    name = "<b>" + "a" * 40
    x.grid.show_numbers(X, (name, *NAMES[1:]), x.grid.numbers.colours)
    assert x.grid.tooltip_at(x.at(0, -1)) == "&lt;b&gt;" + "a" * 40


# --- large tables --------------------------------------------------------------------------------


def test_names_stand_still_while_numbers_scroll(qtbot: QtBot) -> None:
    stage = wide(qtbot)
    grid = stage.grid
    before = grid.viewport().grab(grid.visualRect(grid.numbers.index(0, 0)))
    bar = grid.horizontalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    after = grid.viewport().grab(grid.visualRect(grid.numbers.index(0, 0)))
    assert before.toImage() == after.toImage()
    assert grid.indexAt(stage.at(3, -1)) == grid.numbers.index(3, 0)


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
    rect = x.grid.visualRect(x.grid.numbers.index(1, 0))
    image = x.grid.viewport().grab(rect).toImage()
    line = [image.pixelColor(i, rect.height() // 2) for i in range(rect.width() // 3)]
    assert QColor(THEME.slot(1).fill) in line
