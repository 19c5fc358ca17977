"""What keys do in a lesson, where they are afterwards, and what a step finds on its table."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from explorer.session import Selection, Space, Stage
from explorer.session.look import Role

ONE_WINDOW = True  # which begins anew for each test

LESSON = """
format = "attention-explorer/lesson"
version = 1
title.en = "Hands"

[[step]]
scene = "example:cat-likes-fish"
text.en = "Guess."
short.en = "Guess."
show = {stage = "A", select = {table = "A", query = "cat"}}
predict = {ask = "most", of = {value = "weights", query = "cat", key = "cat"}}

[[step]]
text.en = "Now without the future."
short.en = "Without the future."
show = {mask = "causal"}
highlight = ["Wq", "scores"]

[[step]]
text.en = "Fill in."
short.en = "Fill in."
show = {mask = "none"}
fill = {table = "scores", query = "cat"}
highlight = ["scores"]

[[step]]
text.en = "Type."
short.en = "Type."
predict = {ask = "value", of = {value = "weights", query = "cat", key = "cat"}}

[[step]]
text.en = "Wrong."
short.en = "Wrong."
show = {select = {table = "A", query = "dog"}}

[[step]]
text.en = "Move."
short.en = "Move."
show = {stage = "X"}

[step.task]
text.en = "Move cloud."
hint.en = "Far."
check = {value = "X", query = "cloud", column = 1, op = "<", than = -40.0}
solution = [{set = "X", query = "cloud", column = 1, to = -50.0}]
"""


@pytest.fixture
def panel(person, tmp_path: Path):
    """The panel of a lesson with one step of each kind."""
    path = tmp_path / "hands.toml"
    path.write_text(LESSON, encoding="utf-8")
    assert person.window.open_file(path)
    person.settle()
    return person.window.explore_page.lesson


def go(person, panel, page: int) -> None:
    """Press the mark of a page, counted from 1."""
    person.click(panel.stepper, panel.stepper.mark(page - 1).center())


def test_page_keys_turn_the_page_wherever_the_focus_is(person, panel):
    choice = panel.question.buttons[0]
    person.push(choice)
    assert QApplication.focusWidget() is choice
    person.key(Qt.Key.Key_PageDown)
    assert panel.stepper.text() == "2 of 6"
    go(person, panel, 4)
    panel.question.field.setFocus()
    person.keys("0.5")
    person.push(panel.question.check)
    assert QApplication.focusWidget() is panel.question.check
    person.key(Qt.Key.Key_PageUp)
    assert panel.stepper.text() == "3 of 6"
    panel.stepper.setFocus()
    person.key(Qt.Key.Key_PageDown)
    assert panel.stepper.text() == "4 of 6"
    panel.question.field.setFocus()
    person.key(Qt.Key.Key_PageDown)
    assert panel.stepper.text() == "5 of 6"


def test_the_focus_goes_on_where_what_had_it_is_gone(person, panel):
    person.push(panel.question.buttons[0])
    person.key(Qt.Key.Key_PageDown)
    assert QApplication.focusWidget() is panel.next
    go(person, panel, 5)
    panel.next.setFocus()
    person.push(panel.next)
    assert QApplication.focusWidget() is panel.stepper  # it is the last page
    person.push(panel.task.hint)
    assert QApplication.focusWidget() is panel.stepper
    panel.task.solve.setFocus()
    person.key(Qt.Key.Key_Space)
    assert panel.task.solve.isHidden()
    assert QApplication.focusWidget() is panel.stepper


def test_what_lies_behind_the_lesson_is_pointed_to_and_what_is_filled_in_outlined(person, panel):
    explore = person.window.explore_page
    matrices, choice = explore.results.matrices, explore.left.choice
    person.push(panel.next)
    assert set(person.outlined()) == {choice.button("numbers"), matrices.scores}
    person.push(choice.button("numbers"))
    assert len(person.outlined()) == 2
    assert matrices.scores in person.outlined()
    assert choice.button("numbers") not in person.outlined()
    person.push(choice.button("lesson"))
    person.push(panel.next)
    assert person.outlined() == [matrices.fills[Stage.S]]
    person.session.look_at(person.session.look.at_stage(Stage.A))
    person.push(panel.previous)
    assert matrices.scores in person.outlined()


def test_a_step_leaves_what_it_does_not_name(person, panel):
    selected = person.session.selection
    assert selected == Selection(Role.A, 0)
    person.push(panel.next)
    assert person.session.scene.options.mask == "causal"
    assert person.session.selection == selected


def test_an_error_page_offers_nothing_that_cannot_be(person, panel):
    go(person, panel, 5)
    assert not panel.back.isVisible()
    go(person, panel, 4)
    assert not panel.back.isVisible()


def test_the_plane_is_fitted_anew_to_another_scene(person, panel):
    go(person, panel, 6)
    before = person.plane.screen_point(next(iter(person.session.look.spaces)), 0)
    person.push(panel.task.solve)
    person.plane.fit()
    person.settle()
    assert person.plane.screen_point(next(iter(person.session.look.spaces)), 0) != before
    person.push(panel.back)
    assert person.plane.screen_point(next(iter(person.session.look.spaces)), 0) == before


def test_a_page_begins_with_all_it_shows_in_sight(person, panel):
    plane = person.plane
    middle = plane.rect().center()
    far = middle + QPoint(plane.width() // 2 - 8, 0)
    person.drag(middle, far)
    x, y = plane.screen_point(Space.Q, 0).toTuple()
    assert not plane.rect().contains(round(x), round(y))
    person.push(panel.next)
    for space in (Space.Q, Space.K):
        for token in range(4):
            assert plane.rect().contains(plane.screen_point(space, token).toPoint())
