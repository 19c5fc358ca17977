"""A results table filled in by hand in the real window, with mouse and keyboard."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QTableView, QWidget

from explorer.kit.table.view import CellTable
from explorer.rooms.explore.results.fill import FillPart
from explorer.session import (
    Centre,
    Edges,
    Look,
    ResultsTab,
    Role,
    Scene,
    Selection,
    Space,
    Stage,
)
from tests.window.conftest import Person

ONE_WINDOW = True  # which begins anew for each test

SHIFT = Qt.KeyboardModifier.ShiftModifier


def matrices(person: Person):
    return person.window.explore_page.results.matrices


def blank_out(person: Person, stage: Stage) -> FillPart:
    """Press a table's button."""
    person.push(matrices(person).parts[stage].title.fill)
    return matrices(person).fills[stage]


def texts(part: FillPart) -> list[list[str]]:
    model = part.table.model()
    rows, columns = range(model.rowCount()), range(model.columnCount())
    return [[model.index(row, column).data() for column in columns] for row in rows]


def offered(person: Person, table: CellTable, row: int, column: int) -> dict[str, QAction]:
    """Return what the context menu of a cell offers."""
    at = table.visualRect(table.model().index(row, column)).center()
    person.click(table.viewport(), at)
    reason = QContextMenuEvent.Reason.Mouse
    event = QContextMenuEvent(reason, at, table.viewport().mapToGlobal(at))
    QApplication.sendEvent(table.viewport(), event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.close()
    return {action.text(): action for action in menu.actions()}


def test_a_table_is_hidden_typed_into_checked_and_shown(person: Person) -> None:
    part = blank_out(person, Stage.A)
    assert part.isVisible()
    assert not matrices(person).weights.isVisible()
    assert not matrices(person).outputs.isVisible()
    assert matrices(person).scores.isVisible()
    assert texts(part) == [[""] * 4] * 4
    person.keys("0.38")  # the focus is the table's at once
    person.key(Qt.Key.Key_Tab)
    person.keys("2/7")
    person.key(Qt.Key.Key_Return)
    person.keys(".272")
    person.key(Qt.Key.Key_Up)
    assert texts(part)[:2] == [["0.38", "2/7", "", ""], ["", ".272", "", ""]]
    person.push(part.check)
    assert texts(part)[0] == ["✓ 0.38", "✓ 2/7", "?", "?"]
    assert part.said.text() == "3 right, 13 empty."
    person.push(part.reveal)
    assert not part.isVisible()
    assert matrices(person).weights.isVisible()
    assert person.session.undo_name is None


def test_wrong_numbers_are_marked_by_sign_and_colour_and_the_mistake_is_said(
    person: Person,
) -> None:
    part = blank_out(person, Stage.A)
    raw = person.session.frame.attention.raw[0]
    wrong = np.exp(raw) / np.exp(raw).sum(axis=1, keepdims=True)
    block = "\n".join("\t".join(f"{value:.3f}" for value in row) for row in wrong)
    QApplication.clipboard().setText(block)
    person.key(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    person.push(part.check)
    assert texts(part)[0][0] == f"✗ {wrong[0, 0]:.3f}"
    assert part.said.text() == "0 right, 16 wrong. ÷ √d was left out."
    spoken = part.table.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == f"A, cat → cat, {wrong[0, 0]:.3f}, wrong"
    palette = person.window.theme.palette
    image = person.picture(part.table)
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(60)}
    assert palette.err.lower() in colours
    assert palette.ok.lower() not in colours
    person.click_cell(part.table, 0, 0)
    person.key(Qt.Key.Key_Delete)
    assert texts(part)[0][0] == ""


def test_keys_go_from_cell_to_cell_and_out(person: Person) -> None:
    part = blank_out(person, Stage.O)
    table = part.table
    person.keys("1")
    person.key(Qt.Key.Key_Return)
    person.key(Qt.Key.Key_Return)
    assert person.session.selection == Selection(Role.O, query=2, column=0)
    person.key(Qt.Key.Key_Up)
    person.key(Qt.Key.Key_Right)
    assert person.session.selection == Selection(Role.O, query=1, column=1)
    person.key(Qt.Key.Key_Backtab, SHIFT)
    assert person.session.selection == Selection(Role.O, query=1, column=0)
    for _cell in range(5):
        person.key(Qt.Key.Key_Tab)
    assert person.session.selection == Selection(Role.O, query=3, column=1)
    assert table.hasFocus()
    person.key(Qt.Key.Key_Tab)
    assert not table.hasFocus()
    person.click_cell(table, 0, 0)
    person.key(Qt.Key.Key_F2)
    person.keys("7")
    person.key(Qt.Key.Key_Escape)
    assert texts(part)[0][0] == "1"


def test_what_was_half_typed_is_kept_when_one_goes_elsewhere(person: Person) -> None:
    part = blank_out(person, Stage.S)
    person.keys("0.6")
    person.plane.viewport().setFocus()
    person.settle()
    assert texts(part)[0][0] == "0.6"


def test_a_block_that_does_not_fit_is_said_so(person: Person) -> None:
    part = blank_out(person, Stage.O)
    QApplication.clipboard().setText("1 2 3")
    person.key(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    bar = person.window.explore_page.error_bar
    assert bar.isVisible()
    assert "does not fit" in " ".join(label.text() for label in bar.findChildren(QLabel))
    assert texts(part) == [["", ""]] * 4
    bar.hide()


def test_texts_stay_and_count_against_what_the_scene_gives_now(person: Person) -> None:
    part = blank_out(person, Stage.O)
    value = person.session.frame.attention.head_output[0, 0, 0]
    person.keys(f"{value:.3f}")
    person.push(part.check)
    assert texts(part)[0][0] == f"✓ {value:.3f}"
    start = person.point(Space.X, 0)
    person.drag(start, start + QPoint(80, -60))
    assert texts(part)[0][0] == f"✗ {value:.3f}"
    person.session.undo()
    person.settle()
    assert texts(part)[0][0] == f"✓ {value:.3f}"


def test_nothing_else_gives_a_hidden_number_away(person: Person) -> None:
    explore, session = person.window.explore_page, person.session
    session.look_at(Look().at_stage(Stage.A))
    session.select(Selection(Role.A, 0, 3))
    person.settle()
    weight = f"{session.frame.attention.weights[0, 0, 3]:.3f}"
    assert weight in told(explore)
    assert session.look.edges is Edges.ATTENTION
    part = blank_out(person, Stage.A)
    for tab in ResultsTab:
        person.push(explore.results.tabs.button(tab))
        assert weight not in told(explore), tab
    person.push(explore.results.tabs.button(ResultsTab.PAIRS))
    assert "Hidden while A is filled in by hand" in told(explore)
    session.look_at(replace(session.look, centre=Centre.COMPARE))
    person.settle()
    assert weight not in told(explore)
    person.push(explore.results.tabs.button(ResultsTab.MATRICES))
    person.push(part.reveal)
    assert weight in told(explore)


_SAID = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
)


def told(widget: QWidget) -> str:
    """Return all that the part of the window in view says, to eyes and to screen readers."""
    said: list[str] = []
    for part in widget.findChildren(QWidget):
        if not part.isVisible():
            continue
        said += [part.accessibleName(), part.accessibleDescription(), part.toolTip()]
        said.append(part.text() if hasattr(part, "text") and callable(part.text) else "")
        if isinstance(part, QTableView):
            model = part.model()
            said += [
                str(model.index(row, column).data(role))
                for row in range(model.rowCount())
                for column in range(model.columnCount())
                for role in _SAID
            ]
    return "\n".join(said)


def test_a_row_or_one_number_is_hidden_from_the_menu(person: Person) -> None:
    menu = offered(person, matrices(person).weights.table, 2, 1)
    assert {"Fill in A by hand", "Fill in this row of A by hand"} < set(menu)
    menu["Predict this number of A"].trigger()
    person.settle()
    part = matrices(person).fills[Stage.A]
    shown = texts(part)
    assert shown[2][1] == ""
    assert shown[2][0] == "0.180"
    assert sum(text == "" for row in shown for text in row) == 1
    person.keys("0.24")
    person.key(Qt.Key.Key_Return)
    person.push(part.check)
    assert part.said.text() == "All correct."


def test_enter_goes_along_a_row_that_is_filled_in_alone(person: Person) -> None:
    offered(person, matrices(person).weights.table, 2, 0)["Fill in this row of A by hand"].trigger()
    person.settle()
    for typed in ("0.180", "0.239", "0.317", "0.264"):
        person.keys(typed)
        person.key(Qt.Key.Key_Return)
    part = matrices(person).fills[Stage.A]
    assert texts(part)[2] == ["0.180", "0.239", "0.317", "0.264"]
    person.push(part.check)
    assert part.said.text() == "All correct."


def test_queries_are_filled_in_from_the_points(person: Person) -> None:
    explore = person.window.explore_page
    person.push(explore.results.tabs.button(ResultsTab.POINTS))
    table = explore.results.points
    q = next(c for c in range(5) if table.model().headerData(c, Qt.Orientation.Horizontal) == "Q")
    offered(person, table, 0, q)["Fill in Q by hand"].trigger()
    person.settle()
    part = matrices(person).fills[Stage.Q]
    assert part.isVisible()
    assert not matrices(person).scores.isVisible()
    person.push(explore.results.tabs.button(ResultsTab.POINTS))
    assert table.model().index(0, q).data() == "…"
    assert table.model().index(0, 0).data() != "…"


LESSON = """
format = "attention-explorer/lesson"
version = 1
title.en = "By hand"

[[step]]
scene = "example:cat-likes-fish"
text.en = "Reckon the weights of fish."
short.en = "Reckon."
show = {stage = "A"}
fill = {table = "weights", query = "fish"}

[[step]]
text.en = "Look."
short.en = "Look."
"""


def test_a_lesson_asks_for_a_row(person: Person, tmp_path: Path) -> None:
    path = tmp_path / "by-hand.toml"
    path.write_text(LESSON, encoding="utf-8")
    assert person.window.open_file(path)
    person.settle()
    part, panel = matrices(person).fills[Stage.A], person.window.explore_page.lesson
    assert part.isVisible()
    assert not panel.back.isVisible()
    person.click_cell(part.table, 2, 0)
    person.keys("0.18")
    person.key(Qt.Key.Key_Return)
    person.push(part.check)
    assert texts(part)[2] == ["✓ 0.18", "?", "?", "?"]
    assert not panel.back.isVisible()  # to type is not to depart from the lesson
    person.push(panel.next)
    assert not part.isVisible()
    assert person.session.look.blank is None


@pytest.mark.parametrize("size", [(1024, 768), (1440, 900)])
def test_a_table_of_many_tokens_is_filled_in_at_full_size(
    person: Person, size: tuple[int, int]
) -> None:
    tokens = tuple(f"t{n}" for n in range(40))
    X = np.random.default_rng(3).normal(size=(40, 2))
    person.session.open(Scene(tokens, X))
    person.window.resize(*size)
    person.settle()
    person.window.session.look_at(Look().at_stage(Stage.A))
    person.settle()
    part = blank_out(person, Stage.A)
    assert part.table is part.full
    person.keys("0.5")
    person.key(Qt.Key.Key_Return)
    assert texts(part)[0][0] == "0.5"
    person.window.resize(1440, 900)
