"""Lessons that go from Explore to Train and back, played with mouse and keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from explorer.app.dialogs import QtDialogs
from explorer.rooms.lesson.panel import Outline
from explorer.rooms.train.runner import Runner
from explorer.session import Stage
from explorer.session.train import TrainCentre
from explorer.traces import SpoolTrace, TraceFile
from tests.traces.made import writer
from tests.window.conftest import LEFT, NO_KEY, Learner

TEXT = 'text.en = "Look."\ntext.zh = "看。"\nshort.en = "Look."\n'
LESSON = f"""
format = "attention-explorer/lesson"
version = 1
title.en = "To Train and back"

[[step]]
scene = "example:cat-likes-fish"
{TEXT}
show = {{stage = "A"}}

[[step]]
trace = "example:tiny-transformer"
{TEXT}
highlight = ["graph", "loss"]
[step.watch]
epoch = 30
sample = "dog eats"
head = 2
page = "graph"
threshold = 0.45
query = "eats"
key = "dog"
camera = {{azimuth = 10, elevation = 40}}
[step.predict]
ask = "most"
of = {{value = "probability", epoch = "last"}}
by = [{{watch = {{epoch = "last"}}}}]

[[step]]
{TEXT}
watch = {{stage = "O", epoch = "first"}}
predict = {{ask = "change", of = {{value = "loss"}}, by = [{{watch = {{epoch = "last"}}}}]}}
[step.task]
text.en = "Go to where the loss is below 0.1."
hint.en = "To the right."
check = {{value = "loss", op = "<", than = 0.1}}
solution = [{{watch = {{epoch = "last"}}}}]

[[step]]
scene = "example:cat-likes-fish"
{TEXT}
show = {{stage = "O", camera = {{x = 0.5, y = 0.25, zoom = 3}}}}

[[step]]
trace = "own"
{TEXT}

[[step]]
trace = "example:tiny-transformer"
{TEXT}
[step.task]
text.en = "Press Train."
hint.en = "Above."
check = {{run = "finished"}}
solution = [{{run = "train"}}]

[[step]]
trace = "own"
{TEXT}
watch = {{epoch = "first"}}
"""


@pytest.fixture
def lesson(learner: Learner, tmp_path: Path) -> Iterator[Learner]:
    """Somebody who has just opened the lesson."""
    path = tmp_path / "to-train.toml"
    path.write_text(LESSON, encoding="utf-8")
    learner.window.session.mark_saved(learner.window.session.scene)
    assert learner.window.open_file(path)
    learner.settle()
    yield learner
    panel = learner.window.explore_page.lesson
    if learner.window.explore_page.left.choice.isVisible() or learner.window.rooms.training:
        learner.window.rooms.show_explore()
        learner.push(panel.close_button)
    learner.window.show_train()


def turn_to(somebody: Learner, page: int) -> None:
    """Press Page Down, until a page is there."""
    for _page in range(page - 1):
        somebody.key(Qt.Key.Key_PageDown, widget=QApplication.focusWidget())


def said(panel) -> str:
    return "\n".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())


def test_a_step_about_a_trace_shows_it_in_train_and_the_next_scene_in_explore(lesson: Learner):
    window, graph = lesson.window, lesson.page.graph
    assert not window.rooms.training
    lesson.push(window.explore_page.lesson.next)
    assert window.rooms.training
    frame, panel = lesson.frame, lesson.page.lesson
    assert panel.isVisible()
    assert "Which word does the model expect after “dog eats”?" in said(panel)
    assert (frame.epoch, frame.words, frame.cursor.head) == (30, ("dog", "eats"), 1)
    assert (frame.look.page, frame.look.threshold) == (TrainCentre.GRAPH, 0.45)
    assert frame.selection.pair == (1, 0)
    assert (graph.stance.azimuth, graph.stance.elevation) == (10, 40)
    outlined = {outline.target for outline in window.findChildren(Outline)}
    assert outlined >= {graph.viewport(), lesson.page.timeline}
    graph.viewport().setFocus()
    turn_to(lesson, 2)
    assert (lesson.frame.look.stage, lesson.frame.look.page) == (Stage.O, TrainCentre.SPACES)
    assert (lesson.frame.epoch, lesson.frame.selection) == (0, None)
    lesson.push(panel.next)
    assert not window.rooms.training
    assert window.explore_page.lesson.isVisible()
    assert lesson.window.session.look.stage is Stage.O
    centre = lesson.plane.viewport().rect().center()
    assert lesson.plane.plane_point(centre.toPointF()) == pytest.approx((0.5, 0.25), abs=0.02)
    lesson.key(Qt.Key.Key_PageUp)
    assert window.rooms.training
    assert lesson.frame.look.stage is Stage.O


def test_an_audience_looks_from_where_the_step_says(lesson: Learner):
    turn_to(lesson, 2)
    lesson.key(Qt.Key.Key_F5, widget=lesson.window)
    audience = lesson.window.presenting.audience
    graph = audience.page.graph
    assert (graph.stance.azimuth, graph.stance.elevation) == (10, 40)
    graph.look_from(80, 5, 1)
    QTest.keyClick(audience.page, Qt.Key.Key_PageDown)
    QTest.keyClick(audience.page, Qt.Key.Key_PageDown)
    lesson.settle()
    plane = audience.page.plane
    centre = plane.viewport().rect().center().toPointF()
    assert plane.plane_point(centre) == pytest.approx((0.5, 0.25), abs=0.02)
    for _page in range(2):
        QTest.keyClick(audience.page, Qt.Key.Key_PageUp)
    lesson.settle()
    assert (graph.stance.azimuth, graph.stance.elevation) == (10, 40)
    lesson.window.presenting.leave()
    lesson.settle()


def test_whatever_was_touched_comes_back(lesson: Learner):
    turn_to(lesson, 2)
    panel, graph = lesson.page.lesson, lesson.page.graph
    assert not panel.back.isVisible()
    lesson.scrub(30, 120)
    assert lesson.frame.epoch == 120
    lesson.push(panel.back)
    assert lesson.frame.epoch == 30
    assert not panel.back.isVisible()
    at = graph.viewport().rect().center() + QPoint(0, 90)
    QTest.mousePress(graph.viewport(), LEFT, NO_KEY, at)
    for x in (20, 60, 110):
        QTest.mouseMove(graph.viewport(), at + QPoint(x, 0))
        QApplication.processEvents()
    QTest.mouseRelease(graph.viewport(), LEFT, NO_KEY, at + QPoint(110, 0))
    lesson.settle()
    assert graph.stance.azimuth != 10
    lesson.push(panel.back)
    assert graph.stance.azimuth == 10
    assert not panel.back.isVisible()


def test_what_comes_later_is_foretold_and_a_task_is_done_by_dragging(lesson: Learner):
    turn_to(lesson, 2)
    panel = lesson.page.lesson
    buttons = {button.text(): button for button in panel.question.buttons}
    assert set(buttons) == set(lesson.frame.vocabulary)
    lesson.push(buttons["bone"])
    assert "Right: bone gets" in said(panel)
    assert lesson.frame.epoch == 200
    lesson.push(panel.next)
    assert "Done." not in said(panel)
    lesson.scrub(0, 60, 150)
    assert "Done." in said(panel)
    lesson.push(panel.back)
    assert "Done." not in said(panel)
    lesson.push(panel.task.solve)
    assert "Done." in said(panel)
    lesson.push(panel.back)
    buttons = {button.text(): button for button in panel.question.buttons}
    lesson.push(buttons["Smaller"])
    assert "Right: from 2.305 to 0.023." in said(panel)
    assert lesson.frame.epoch == 200


def test_a_run_of_ones_own_is_asked_for_made_kept_and_shown_again(
    lesson: Learner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    turn_to(lesson, 5)
    panel = lesson.page.lesson
    lesson.push(panel.next)
    assert lesson.frame.example
    lesson.push(panel.task.solve)
    lesson.wait(lambda: lesson.shows_its_run)
    assert "Done." not in said(panel)
    lesson.finish()
    assert "Done." in said(panel)
    own = lesson.room.runner.folder
    lesson.push(panel.previous)
    lesson.push(panel.next)
    assert lesson.frame.example
    kept = [card.trace for card in lesson.frame.runs]
    assert own in [trace.folder for trace in kept if isinstance(trace, SpoolTrace)]
    lesson.push(panel.next)
    trace = lesson.frame.trace
    assert isinstance(trace, SpoolTrace)
    assert trace.folder == own
    assert (lesson.frame.modified, lesson.frame.epoch) == (True, 0)
    path = tmp_path / "mine.safetensors"
    monkeypatch.setattr(QtDialogs, "ask_save_trace", lambda _self, _folder, _name: path)
    lesson.key(Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier, lesson.window)
    lesson.push(panel.previous)
    assert lesson.frame.example
    lesson.push(panel.next)
    trace = lesson.frame.trace
    assert isinstance(trace, TraceFile)
    assert trace.path == path
    assert (lesson.frame.modified, lesson.frame.title) == (False, "mine")


def test_a_run_that_goes_on_is_not_ended_by_a_step(lesson: Learner):
    turn_to(lesson, 6)
    panel = lesson.page.lesson
    lesson.push(lesson.page.left.choice.button("numbers"))
    lesson.train()
    lesson.push(lesson.page.left.choice.button("lesson"))
    lesson.push(panel.back)
    assert lesson.frame.example
    assert lesson.frame.progress.active
    lesson.push(panel.next)
    assert lesson.shows_its_run


@pytest.mark.parametrize("begun", [False, True])
def test_where_there_is_no_run_yet_the_step_says_so(
    person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: bool
):
    if begun:  # and stopped before anything of it was recorded
        writer(tmp_path / "run").close()
        monkeypatch.setattr(Runner, "folder", tmp_path / "run")
    path = tmp_path / "to-train.toml"
    path.write_text(LESSON, encoding="utf-8")
    assert person.window.open_file(path)
    person.settle()
    for _page in range(4):
        person.key(Qt.Key.Key_PageDown)
    panel = person.window.train.page.lesson
    assert "There is no run of your own yet" in said(panel)
    person.click(panel.back, panel.back.rect().center())
    assert "There is no run of your own yet" in said(panel)


def test_leaving_gives_train_its_parameters_back(lesson: Learner):
    turn_to(lesson, 2)
    lesson.push(lesson.page.lesson.close_button)
    assert lesson.window.rooms.training
    assert lesson.page.parameters.isVisible()
    assert not lesson.page.left.choice.isVisible()
    assert not lesson.window.explore_page.left.choice.isVisible()
    graph = lesson.page.graph.viewport()
    graph.setFocus()
    lesson.key(Qt.Key.Key_PageDown)
    assert lesson.frame.word == 0


def test_in_another_language_the_panel_stays_where_it_is(lesson: Learner):
    turn_to(lesson, 2)
    lesson.window.speak("zh")
    lesson.settle()
    page = lesson.room.page
    assert "看。" in said(page.lesson)
    assert page.lesson.isVisible()
    lesson.window.speak("en")
    lesson.settle()
    lesson.push(lesson.room.page.lesson.next)
    assert lesson.frame.look.stage is Stage.O
