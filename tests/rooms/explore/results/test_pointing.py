"""One selection in all the results: real mouse and keyboard in, intents and outlines out."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from explorer.exporters import FORMATS
from explorer.kit.preview import SAMPLE
from explorer.kit.table.view import CellTable
from explorer.kit.theme import Theme
from explorer.session import Look, Role, Selection, Stage
from explorer.session.intents import CopyText, Hover, Select
from explorer.text import full_number
from tests.rooms.explore.results.panel import (
    LARGE,
    LEFT,
    PAIR,
    Panel,
    click,
    panel,
    picture,
    scene_of,
)
from tests.showing import to_front


def focus(qtbot: QtBot, table: CellTable) -> None:
    to_front(table.window())
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)


# --- one selection everywhere --------------------------------------------------------------------


def outlined(shown: Panel, table: CellTable, row: int, column: int) -> bool:
    """Whether the middle of the cell's left edge is drawn in the selection's ink."""
    rect = table.visualRect(table.model().index(row, column))
    ink = shown.theme.color("ink1")
    image = picture(table)
    around = range(rect.left() - 2, rect.left() + 2)
    return any(image.pixelColor(x, rect.center().y()) == ink for x in around)


@pytest.mark.parametrize("role", [Role.S, Role.A])
def test_a_selected_pair_is_outlined_in_every_table(qtbot: QtBot, role: Role) -> None:
    shown = panel(qtbot)
    o_segment = 2 + 3  # two outputs, then the keys
    places = ((shown.s, 0, 3), (shown.a, 0, 3), (shown.o, 0, o_segment))
    assert not any(outlined(shown, *place) for place in places)
    shown.draw(Selection(role, 0, 3))
    assert all(outlined(shown, *place) for place in places)
    assert not outlined(shown, shown.s, 2, 1)


def test_a_selected_row_is_outlined_as_a_whole(qtbot: QtBot) -> None:
    shown = panel(qtbot, theme=Theme(dark=True))
    shown.draw(Selection(Role.O, 3))
    assert outlined(shown, shown.s, 3, 0)
    assert outlined(shown, shown.a, 3, 0)
    assert not outlined(shown, shown.a, 3, 2)  # inside the row


def test_selecting_moves_no_number(qtbot: QtBot) -> None:
    shown = panel(qtbot, scene_of(8, 3))
    before = shown.s.grid
    shown.draw(PAIR)
    assert shown.s.grid == before


# --- mouse ---------------------------------------------------------------------------------------


def test_clicks_select(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    click(shown.s, 0, 3)
    assert shown.last() == Select(Selection(Role.S, 0, 3))
    click(shown.a, 2, 1)
    assert shown.last() == Select(Selection(Role.A, 2, 1))
    click(shown.o, 1, 1)
    assert shown.last() == Select(Selection(Role.O, 1, column=1))
    click(shown.o, 3, 2 + 2)
    assert shown.last() == Select(Selection(Role.A, 3, 2))


def test_names_select_rows_and_columns(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    viewport, none = shown.a.viewport(), Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(viewport, LEFT, none, shown.a.grid.row_name(2).center().toPoint())
    assert shown.last() == Select(Selection(Role.A, query=2))
    QTest.mouseClick(viewport, LEFT, none, shown.a.grid.column_name(1).center().toPoint())
    assert shown.last() == Select(Selection(Role.A, key=1))
    QTest.mouseClick(shown.o.viewport(), LEFT, none, QPoint(30, 10))
    assert shown.last() == Select(Selection(Role.O, query=0))


def move(table: CellTable, point: QPoint) -> None:
    """Move the mouse over a table, by the very event that the window system would send."""
    viewport = table.viewport()
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(point),
        QPointF(viewport.mapToGlobal(point)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QCoreApplication.sendEvent(viewport, event)


def test_hover_is_told_only_when_it_changes(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    cell = shown.s.visualRect(shown.s.model().index(1, 2))
    for offset in (QPoint(0, 0), QPoint(3, 1), QPoint(5, 4)):
        move(shown.s, cell.center() + offset)
    assert shown.intents == [Hover(Selection(Role.S, 1, 2))]
    move(shown.s, QPoint(2, 2))
    move(shown.s, QPoint(3, 3))
    assert shown.intents[1:] == [Hover(None)]
    move(shown.s, cell.center())
    QCoreApplication.sendEvent(shown.s, QEvent(QEvent.Type.Leave))
    assert shown.last() == Hover(None)


def test_tooltips_have_every_digit_and_take_no_token_for_html(qtbot: QtBot) -> None:
    shown = panel(qtbot, SAMPLE.replace(tokens=("<b>cat", "&amp;", "fish", "cloud")))
    tip = shown.a.tip_at((0, 1))
    assert full_number(shown.frame.weights[0, 1]) in tip
    assert "&lt;b&gt;cat → &amp;amp;" in tip
    assert shown.a.tip_at((None, 1)) == "<qt>&amp;amp;</qt>"


# --- keyboard ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "key", "expected"),
    [
        (None, Qt.Key.Key_Right, Selection(Role.S, 0, 0)),
        (PAIR, Qt.Key.Key_Left, Selection(Role.S, 0, 2)),
        (PAIR, Qt.Key.Key_Right, Selection(Role.S, 0, 3)),
        (PAIR, Qt.Key.Key_Down, Selection(Role.S, 1, 3)),
        (PAIR, Qt.Key.Key_Up, Selection(Role.S, 0, 3)),
        (PAIR, Qt.Key.Key_Home, Selection(Role.S, 0, 0)),
        (Selection(Role.A, 2, 1), Qt.Key.Key_End, Selection(Role.S, 2, 3)),
        (Selection(Role.X, 1), Qt.Key.Key_Down, Selection(Role.S, 2)),
        (Selection(Role.X, 1), Qt.Key.Key_Right, Selection(Role.S, 1, 0)),
    ],
)
def test_arrow_keys_move_the_cell(
    qtbot: QtBot, start: Selection | None, key: Qt.Key, expected: Selection
) -> None:
    shown = panel(qtbot)
    shown.draw(start)
    shown.s.setFocus()
    qtbot.keyClick(shown.s, key)
    assert shown.intents == [Select(expected)]


def test_keys_reach_the_weights_behind_an_output(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    shown.draw(Selection(Role.O, 1, column=1))
    qtbot.keyClick(shown.o, Qt.Key.Key_Right)
    assert shown.last() == Select(Selection(Role.A, 1, 0))


def test_other_keys_are_left_to_the_window(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    pressed: list[int] = []
    shown.view.keyPressEvent = lambda event: pressed.append(event.key())  # type: ignore[method-assign]
    for key in (Qt.Key.Key_1, Qt.Key.Key_Escape):
        qtbot.keyClick(shown.s, key)
    assert pressed == [Qt.Key.Key_1, Qt.Key.Key_Escape]
    assert shown.intents == []


def test_tab_goes_from_table_to_table(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    focus(qtbot, shown.s)
    order = [QApplication.focusWidget()]
    for _ in range(5):
        qtbot.keyClick(order[-1], Qt.Key.Key_Tab)
        order.append(QApplication.focusWidget())
    weights, outputs = shown.view.matrices.weights, shown.view.matrices.outputs
    buttons = [weights.title.fill, weights.brush]
    assert order == [shown.s, *buttons, shown.a, outputs.title.fill, shown.o]


def test_the_block_is_copied(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    qtbot.keyClick(shown.s, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = shown.last()
    assert isinstance(copied, CopyText)
    rows = [[float(cell) for cell in line.split("\t")] for line in copied.text.splitlines()]
    assert np.array_equal(rows, shown.frame.shown_scores)


def test_the_menu_copies_in_every_format(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    centre = shown.o.viewport().rect().center()
    where = shown.o.viewport().mapToGlobal(centre)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, centre, where)
    QCoreApplication.sendEvent(shown.o.viewport(), event)
    [menu] = shown.o.findChildren(QMenu)
    texts = [action.text() for action in menu.actions()]
    assert texts[-len(FORMATS) :] == [f"Copy as {name}" for name in FORMATS]
    menu.actions()[texts.index("Copy as NumPy")].trigger()
    menu.close()
    assert shown.last() == CopyText(FORMATS["NumPy"]("O", shown.frame.attention.head_output[0]))


def test_the_selected_cell_is_kept_in_view(qtbot: QtBot) -> None:
    shown = panel(qtbot, LARGE, size=(348, 400))
    look = Look(stage=Stage.A)  # of many tokens one table is shown
    shown.draw(look=look)
    focus(qtbot, shown.a)
    bar = shown.view.area.verticalScrollBar()
    bar.setValue(0)
    shown.draw(Selection(Role.A, 60, 5), look=look)
    centre = shown.a.visualRect(shown.a.model().index(60, 5)).center()
    assert (
        shown.view.area.viewport()
        .rect()
        .contains(shown.a.viewport().mapTo(shown.view.area.viewport(), centre))
    )
