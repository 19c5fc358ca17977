"""Lessons played in the real window, with mouse and keyboard."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, QVariantAnimation
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolButton

from explorer.app.dialogs import QtDialogs
from explorer.lessons.lesson_index import lesson_called
from explorer.resources import lessons
from explorer.session import Space, Stage
from explorer.session.lesson import SolveTask
from explorer.session.scene_file import write_scene

ONE_WINDOW = True  # which begins anew for each test

BY_HAND = lesson_called("scores-by-hand")


def said(panel) -> str:
    """Return all that the panel shows, as one text that is read aloud."""
    labels = (label for label in panel.findChildren(QLabel) if label.isVisible())
    return "\n".join(label.accessibleName() or label.text() for label in labels)


def test_lessons_are_in_the_documents_menu(person):
    offered: list[str] = []

    def look() -> None:
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            inner = next(m for m in menu.findChildren(QMenu) if m.title() == "Lessons")
            inner.aboutToShow.emit()
            offered.extend(action.text() for action in inner.actions())
            menu.close()
            timer.stop()

    timer = QTimer(interval=5)
    timer.timeout.connect(look)
    timer.start()
    QTest.mouseClick(person.window.findChild(QToolButton, "document"), Qt.MouseButton.LeftButton)
    numbered = [text for text in offered if text[:1].isdecimal()]
    assert len(numbered) == len(lessons())
    assert any("Scores by hand" in text for text in numbered)


def test_a_lesson_takes_the_left_panel_and_numbers_stay_at_hand(person, panel):
    left = person.window.explore_page.left
    assert panel.isVisible()
    assert "Scores by hand" in said(panel)
    person.push(left.choice.button("numbers"))
    assert person.window.explore_page.inputs.isVisible()
    assert not panel.isVisible()
    person.push(left.choice.button("lesson"))
    assert panel.isVisible()


def test_pages_are_turned_by_buttons_and_keys_and_show_their_stage(person, panel):
    person.push(panel.next)
    assert person.session.look.stage is Stage.Q
    person.plane.viewport().setFocus()
    person.key(Qt.Key.Key_PageDown)
    assert person.session.look.stage is Stage.K
    person.key(Qt.Key.Key_PageUp)
    assert person.session.look.stage is Stage.Q
    person.push(panel.previous)
    assert person.session.look.stage is Stage.X
    assert not panel.previous.isEnabled()


def test_a_question_about_the_token_it_is_not_read_as_one_about_something(person, panel):
    assert person.window.open_file(lesson_called("why-words-must-see-each-other"))
    panel = person.window.explore_page.lesson
    for _page in range(2):
        person.push(panel.next)
    assert "Which token will “it” attend to most?" in said(panel)


def test_what_is_asked_is_hidden_until_it_is_answered(person, panel):
    for _step in range(3):
        person.push(panel.next)
    results = person.window.explore_page.results
    assert not results.matrices.isVisible()
    panel.question.field.setFocus()
    person.keys("-0.195")
    person.push(panel.question.check)
    assert "Not yet. The sign is wrong." in said(panel)
    assert not results.matrices.isVisible()
    panel.question.field.clear()
    panel.question.field.setFocus()
    person.keys("0.195")
    person.key(Qt.Key.Key_Return, widget=panel.question.field)
    assert "Right: 0.195." in said(panel)
    assert results.matrices.isVisible()


def test_a_file_that_is_opened_beside_a_lesson_hides_nothing(person, panel, tmp_path: Path):
    assert person.session.look.veiled or person.session.look.veils
    own = tmp_path / "own.json"
    write_scene(person.session.scene, own)

    assert person.window.open_file(own)
    person.settle()

    assert person.session.look == person.session.look.hiding_nothing()
    assert panel.isVisible()


@pytest.mark.parametrize("way", ["a second wrong number", "on request"])
def test_the_answer_comes_with_its_steps(person, panel, way: str):
    for _step in range(3):
        person.push(panel.next)
    field = panel.question.field
    field.setFocus()
    person.keys("0.37")  # one term of two
    person.push(panel.question.check)
    assert "Not yet. One term of the sum is missing." in said(panel)
    assert "0.195" not in said(panel)
    if way == "on request":
        person.push(panel.question.tell)
    else:
        field.clear()
        field.setFocus()
        person.keys("0.138")
        person.push(panel.question.check)
        assert "This is already divided by √d." in said(panel)
    assert "0.5 × (−0.35) + 0.5 × 0.74 = 0.195" in said(panel)
    assert person.window.explore_page.results.matrices.isVisible()
    assert not panel.question.tell.isVisible()


def test_what_is_no_number_reveals_nothing(person, panel):
    for _step in range(3):
        person.push(panel.next)
    panel.question.field.setFocus()
    person.keys("much")
    person.push(panel.question.check)
    assert "Type a number" in said(panel)
    assert not person.window.explore_page.results.matrices.isVisible()


def test_a_task_is_done_by_hand_or_shown_and_the_step_comes_back(person, panel):
    for _step in range(4):
        person.push(panel.next)
    task = panel.task
    assert "Done." not in said(panel)
    person.push(task.hint)
    assert "points to the right" in said(panel)
    before = person.session.scene
    person.push(task.solve)
    assert "Done." in said(panel)
    assert person.session.scene.X[3, 0] == 1.0
    person.push(panel.back)
    assert "Done." not in said(panel)
    assert person.session.scene.X[3, 0] == before.X[3, 0]
    person.session.undo()
    assert person.session.scene.X[3, 0] == 1.0


def colour_at(person, at: QPoint) -> QColor:
    """Return what the plane shows at a place now."""
    return person.plane.viewport().grab(QRect(at, QSize(1, 1))).toImage().pixelColor(0, 0)


@pytest.mark.parametrize(
    ("lesson", "place", "start", "end", "token"),
    [("scores-by-hand", 2, Space.X, Space.K, 3), ("order", 2, Space.V, Space.O, 1)],
)
def test_points_travel_to_the_stage_of_a_step(person, lesson, place, start, end, token):
    path = next(path for path in lessons() if path.stem.endswith(lesson))
    assert person.window.open_file(path)
    for _page in range(place - 1):
        person.key(Qt.Key.Key_PageDown, widget=person.plane.viewport())
    QTest.keyClick(person.plane.viewport(), Qt.Key.Key_PageDown)
    person.window.clock.flush()
    [clock] = person.plane.findChildren(QVariantAnimation)
    assert clock.state() is QVariantAnimation.State.Running
    assert clock.duration() == 450
    clock.pause()
    clock.setCurrentTime(0)
    origin = person.point(end, token)
    clock.setCurrentTime(100)
    between = person.point(end, token)
    mark = between + QPoint(0, 9 if end is Space.O else 0)  # a ring has nothing in its middle
    seen = colour_at(person, mark)
    person.settle()
    there = person.point(end, token)
    if start in person.session.look.spaces:
        assert (origin - person.point(start, token)).manhattanLength() <= 2
    assert seen != colour_at(person, mark)
    assert (between - origin).manhattanLength() > 8
    assert (there - between).manhattanLength() > 8

    person.key(Qt.Key.Key_PageUp, widget=person.plane.viewport())
    person.window.actions_by_name["reduce_motion"].trigger()
    QTest.keyClick(person.plane.viewport(), Qt.Key.Key_PageDown)
    person.window.clock.flush()
    assert clock.state() is QVariantAnimation.State.Stopped
    assert person.point(end, token) == there


def test_the_last_page_asks_questions_and_the_lesson_can_be_left(person, panel):
    for _step in range(6):
        person.push(panel.next)
    assert panel.next.text() == "Next lesson"
    assert "To think about" in said(panel)
    person.push(panel.close_button)
    assert person.window.explore_page.inputs.isVisible()
    assert not person.window.explore_page.left.choice.isVisible()


def test_the_last_page_hides_nothing_that_was_left_open(person, panel):
    stepper, results = panel.stepper, person.window.explore_page.results
    assert stepper.text() == "1 of 7"
    person.click(stepper, stepper.mark(5).center())
    assert not results.matrices.weights.isVisible()  # they would tell the scores to be filled in
    person.push(panel.next)
    assert results.matrices.scores.isVisible()
    assert results.matrices.weights.isVisible()
    person.push(panel.previous)
    assert not results.matrices.weights.isVisible()


def test_marks_of_the_stepper_are_pressed_and_reached_by_keys(person, panel):
    stepper = panel.stepper
    person.click(stepper, stepper.mark(2).center())
    assert person.session.look.stage is Stage.K
    assert stepper.text() == "3 of 7"
    stepper.setFocus()
    person.key(Qt.Key.Key_Right)
    assert stepper.text() == "4 of 7"
    person.key(Qt.Key.Key_Home)
    assert stepper.text() == "1 of 7"


def test_the_chain_shows_what_is_still_to_come(person, panel):
    def ahead() -> str:
        chips = person.window.explore_page.chain.chips()
        named = (chip.accessibleName().split(", ") for chip in chips)
        return " ".join(letter for letter, *rest in named if "still to come" in rest)

    seen = []
    for _page in range(5):
        seen.append(ahead())
        person.push(panel.next)
    assert seen == ["Q K V S A O", "K V S A O", "V S A O", "A O", "A O"]
    person.push(panel.close_button)
    assert ahead() == ""


def test_a_wrong_step_is_shown_with_its_line_and_the_lesson_goes_on(person, tmp_path: Path):
    text = BY_HAND.read_text(encoding="utf-8")
    shutil.copy(BY_HAND.with_name("asymmetric-keys.json"), tmp_path)
    path = tmp_path / "own.toml"
    path.write_text(text.replace('stage = "Q"', 'stage = "Ω"'), encoding="utf-8")
    assert person.window.open_file(path)
    person.settle()
    panel = person.window.explore_page.lesson
    person.push(panel.next)
    line = text[: text.index('stage = "Q"')].count("\n") + 1
    assert f'own.toml, line {line}, step 2: show.stage must be "X", "Q"' in said(panel)
    person.push(panel.next)
    assert person.session.look.stage is Stage.K


def test_what_is_no_lesson_is_told_and_nothing_is_lost(person, tmp_path: Path):
    before = person.session.scene
    path = tmp_path / "own.toml"
    path.write_text("no lesson", encoding="utf-8")
    assert not person.window.open_file(path)
    assert "own.toml: This is not TOML" in person.window.explore_page.error_bar.sentence
    assert person.session.scene is before


def test_the_last_page_leads_to_the_next_lesson_and_the_list_has_a_tick(person, panel):
    for _step in range(6):
        person.push(panel.next)
    person.push(panel.next)
    assert "Why divide by √d" in said(panel)
    assert panel.stepper.text() == "1 of 10"
    person.push(panel.next)
    person.push(panel.close_button)
    menu = person.window.topbar.findChild(QToolButton, "lessons").menu()
    menu.aboutToShow.emit()
    by_text = {action.text(): action for action in menu.actions()}
    [ticked] = [text for text, action in by_text.items() if action.isChecked()]
    assert ticked.endswith("  Scores by hand")
    by_text["Continue: Why divide by √d, page 2"].trigger()
    person.settle()
    assert "Why divide by √d" in said(panel)
    assert panel.stepper.text() == "2 of 10"


def test_what_was_tried_out_in_a_lesson_is_not_asked_about(person, panel, monkeypatch):
    asked = []
    monkeypatch.setattr(QtDialogs, "ask_unsaved", lambda _dialogs, title: asked.append(title))
    person.window.playing.handle(SolveTask())
    for _step in range(4):
        person.push(panel.next)
    person.window.playing.handle(SolveTask())
    assert person.session.modified
    assert person.window.open_file(lessons()[0])
    assert not asked


def test_model_answers_come_on_request(person, panel):
    for _step in range(6):
        person.push(panel.next)
    assert "Wq = Wk" not in said(panel)
    person.push(panel.answers)
    assert "→ Wq times the transpose of Wk must be symmetric" in said(panel)
    assert not panel.answers.isVisible()
