"""Typing into a cell what it is wanted to be, and heads chosen by mouse and keys."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTableView

from explorer.kit.table.aim import AimCard
from explorer.kit.table.part import HeatPart
from explorer.resources import example
from explorer.session import Matrix, Scene, Stage, read_scene
from explorer.session.intents import ChangeLook, SetMask, ShowStage
from tests.window.conftest import LEFT, NO_KEY, Person

ONE_WINDOW = True  # which begins anew for each test


def parts(person: Person) -> dict[Stage, HeatPart]:
    matrices = person.window.explore_page.results.matrices
    return {Stage.S: matrices.scores, Stage.A: matrices.weights}


def select(person: Person, stage: Stage, query: int, key: int) -> QTableView:
    table = parts(person)[stage].table
    person.click_cell(table, query, key)
    assert table.hasFocus()
    return table


def card(person: Person, stage: Stage) -> AimCard:
    found = parts(person)[stage].card
    assert found is not None
    assert found.isVisible()
    return found


def wish(person: Person, stage: Stage, query: int, key: int, text: str) -> AimCard:
    select(person, stage, query, key)
    person.keys(text)
    person.key(Qt.Key.Key_Return)
    return card(person, stage)


def text_of(person: Person, stage: Stage, query: int, key: int) -> str:
    shown: str = parts(person)[stage].table.model().index(query, key).data()
    return shown


def open_example(person: Person, name: str) -> None:
    person.session.open(read_scene(example(name)))
    person.settle()


def test_a_wanted_weight_is_proposed_accepted_and_undone(person: Person) -> None:
    before = person.session.scene
    shown = wish(person, Stage.A, 0, 3, "0.7")
    assert shown.accept.isHidden()  # by x of cat alone it does not get there
    assert "Wq or Wk" in shown.note
    person.click(shown.moves.button(Matrix.WQ), shown.moves.button(Matrix.WQ).rect().center())
    aiming = person.session.frame.aiming
    assert aiming is not None
    assert aiming.moves is Matrix.WQ
    assert shown.accept.isVisible()
    assert "0.700" in shown.note
    assert person.session.scene is before  # nothing has moved yet
    assert shown.accept.hasFocus()
    person.key(Qt.Key.Key_Return)
    assert not shown.isVisible()
    assert text_of(person, Stage.A, 0, 3) == "0.700"
    assert person.session.frame.weights[0, 3] == pytest.approx(0.7, abs=1e-6)
    assert before.Wq is not person.session.scene.Wq
    assert before.X is person.session.scene.X
    person.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert person.session.scene is before
    assert text_of(person, Stage.A, 0, 3) == "0.120"


def test_enter_takes_a_proposal_and_the_keys_come_back(person: Person) -> None:
    wish(person, Stage.S, 0, 3, "-1")  # with the hyphen of the keyboard
    person.key(Qt.Key.Key_Return)  # the card has the focus
    assert text_of(person, Stage.S, 0, 3) == "−1.000"
    assert QApplication.focusWidget() is parts(person)[Stage.S].table


def test_esc_discards_a_proposal(person: Person) -> None:
    before = person.session.scene
    shown = wish(person, Stage.S, 0, 3, "2")
    person.key(Qt.Key.Key_Escape)
    assert not shown.isVisible()
    assert person.session.frame.aiming is None
    assert person.session.scene is before
    assert QApplication.focusWidget() is parts(person)[Stage.S].table
    assert person.session.selection is not None


def test_old_and_new_differ_by_the_difference(person: Person) -> None:
    shown = wish(person, Stage.S, 1, 2, "1/3")
    old, new, difference = (
        np.array([float(shown.change.text(block, 0, c).replace("−", "-")) for c in range(2)])
        for block in range(3)
    )
    assert old.tolist() == [0.5, 0.5]
    assert new - old == pytest.approx(difference, abs=1.1e-3)
    assert all(shown.change.text(2, 0, c)[0] in "+−" for c in range(2))
    assert "0.333" in shown.note


def test_an_unreachable_weight_says_why(person: Person) -> None:
    shown = wish(person, Stage.A, 0, 3, "1.5")
    assert shown.note == "A softmax over several keys only gives weights between 0 and 1."
    assert shown.accept.isHidden()
    for matrix in (Matrix.WQ, Matrix.WK):
        assert shown.moves.button(matrix).isEnabled()
    person.key(Qt.Key.Key_Escape)
    assert person.session.frame.aiming is None


def test_a_text_that_is_no_number_stays_in_its_cell(person: Person) -> None:
    select(person, Stage.A, 0, 3)
    part = parts(person)[Stage.A]
    person.keys("0.7x")
    person.key(Qt.Key.Key_Return)
    line = part.editors[0].line
    assert line is not None
    assert line.text() == "0.7x"
    assert part.note.isVisible()
    assert part.note.text() == "Type a number, for example 0.5"
    assert person.session.frame.aiming is None
    person.key(Qt.Key.Key_Escape)
    assert part.editors[0].line is None
    assert not part.note.isVisible()
    assert part.table.hasFocus()


def test_a_double_click_and_f2_open_the_cell_with_its_number(person: Person) -> None:
    part = parts(person)[Stage.A]
    table = select(person, Stage.A, 1, 1)
    person.key(Qt.Key.Key_F2)
    line = part.editors[0].line
    assert line is not None
    assert (line.text(), line.selectedText()) == ("0.272", "0.272")
    person.key(Qt.Key.Key_Escape)
    cell = table.visualRect(table.model().index(2, 0)).center()
    QTest.mouseDClick(table.viewport(), LEFT, NO_KEY, cell)
    person.settle()
    line = part.editors[0].line
    assert line is not None
    assert line.text() == "0.180"
    # The editor lies over its cell, and beside the number beneath nothing shows through.
    assert line.geometry().contains(cell)


def test_the_context_menu_offers_it(person: Person) -> None:
    table = parts(person)[Stage.A].table
    cell = table.visualRect(table.model().index(2, 3)).center()
    where = table.viewport().mapToGlobal(cell)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, cell, where)
    QCoreApplication.sendEvent(table.viewport(), event)
    [menu] = table.findChildren(QMenu)
    [make] = [action for action in menu.actions() if action.text() == "Make this…"]
    make.trigger()
    menu.close()
    person.settle()
    assert parts(person)[Stage.A].editors[0].line is not None
    assert person.session.selection is not None
    assert person.session.selection.pair == (2, 3)


def test_scaled_scores_send_to_the_raw_ones(person: Person) -> None:
    person.window.explore.handle(ChangeLook({"scaled": True}))
    person.settle()
    select(person, Stage.S, 0, 1)
    person.keys("3")
    part = parts(person)[Stage.S]
    assert part.editors[0].line is None
    assert "switch to QKᵀ" in part.note.text()
    person.window.explore.handle(ChangeLook({"scaled": False}))
    person.settle()
    assert not part.note.isVisible()


def test_a_masked_cell_says_why_not(person: Person) -> None:
    person.window.explore.handle(SetMask("causal"))
    person.settle()
    select(person, Stage.A, 0, 3)
    person.keys("5")
    assert "masked" in parts(person)[Stage.A].note.text()
    person.click_cell(parts(person)[Stage.A].table, 3, 0)
    assert not parts(person)[Stage.A].note.isVisible()
    person.keys("0")
    assert parts(person)[Stage.A].editors[0].line is not None
    assert not parts(person)[Stage.A].note.isVisible()


@pytest.mark.parametrize("size", [(1024, 768), (960, 640)])
def test_the_card_is_in_view_in_small_windows(person: Person, size: tuple[int, int]) -> None:
    person.window.resize(*size)
    person.window.explore.handle(ShowStage(Stage.A))
    person.settle()
    shown = wish(person, Stage.A, 0, 3, "0.3")
    area = person.window.explore_page.results.area.viewport()
    seen = area.rect().translated(area.mapToGlobal(QPoint()))
    button = shown.accept if shown.accept.isVisible() else shown.discard
    assert seen.contains(button.mapToGlobal(button.rect().center()))
    assert shown.width() <= area.width()


def test_heads_are_chosen_with_mouse_and_keys(person: Person) -> None:
    open_example(person, "two-heads.json")
    result = person.session.frame.attention
    heads = person.window.explore_page.results.heads
    first, second, average = heads.buttons

    def shown() -> np.ndarray:
        table = parts(person)[Stage.A].table
        rows, columns = table.model().rowCount(), table.model().columnCount()
        texts = [[table.model().index(i, j).data() for j in range(columns)] for i in range(rows)]
        return np.array(texts, float)

    assert first.isChecked()
    person.click(second, second.rect().center())
    assert person.session.look.head == 1
    assert shown() == pytest.approx(result.weights[1], abs=5.1e-4)
    person.click(average, average.rect().center())
    assert person.session.frame.averaged
    assert shown() == pytest.approx(result.weights.mean(axis=0), abs=5.1e-4)
    title = parts(person)[Stage.A].title.visible_text
    assert title == "A average of 2 heads, each row sums to 1"
    person.key(Qt.Key.Key_Home)
    assert first.hasFocus()
    assert first.isChecked()
    assert not person.session.frame.averaged
    assert shown() == pytest.approx(result.weights[0], abs=5.1e-4)
    person.key(Qt.Key.Key_Right)
    assert person.session.look.head == 1
    assert [button.isChecked() for button in heads.buttons] == [False, True, False]


def test_an_average_cannot_be_asked_to_be_something(person: Person) -> None:
    open_example(person, "two-heads.json")
    average = person.window.explore_page.results.heads.buttons[-1]
    person.click(average, average.rect().center())
    select(person, Stage.A, 0, 1)
    person.keys("1")
    assert "choose one head" in parts(person)[Stage.A].note.text()


def test_another_head_drops_what_was_wanted_of_this_one(person: Person) -> None:
    open_example(person, "two-heads.json")
    shown = wish(person, Stage.S, 0, 1, "0.5")
    second = person.window.explore_page.results.heads.buttons[1]
    person.click(second, second.rect().center())
    assert not shown.isVisible()
    assert person.session.frame.aiming is None


def test_a_value_is_wanted_of_a_table_at_full_size(newcomer: Person) -> None:
    # Of many tokens a window shows the table that was chosen last.
    rng = np.random.default_rng(5)
    W = {name: rng.normal(size=(3, 3)) for name in ("Wq", "Wk", "Wv")}
    scene = Scene(tuple(f"t{i}" for i in range(24)), rng.normal(size=(24, 3)), **W)
    newcomer.session.open(scene)
    newcomer.settle()
    part = parts(newcomer)[Stage.S]
    newcomer.click(part.title.full, part.title.full.rect().center())
    assert part.table is part.full
    shown = wish(newcomer, Stage.S, 2, 3, "1.5")
    newcomer.key(Qt.Key.Key_Return)
    assert not shown.isVisible()
    assert newcomer.session.frame.attention.raw[0, 2, 3] == pytest.approx(1.5, abs=1e-6)
    assert text_of(newcomer, Stage.S, 2, 3) == "1.500"
    # The card of a large W scrolls.
    shown = wish(newcomer, Stage.S, 1, 0, "0.25")
    newcomer.click(shown.moves.button(Matrix.WK), shown.moves.button(Matrix.WK).rect().center())
    assert shown.change.height() > shown.change.parentWidget().height()
