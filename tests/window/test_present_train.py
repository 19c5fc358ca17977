"""Presenting a run: the word graph, its epoch and loss; the presenter's keys move the playhead."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.lessons.lesson_index import lesson_called
from explorer.session.lesson import LeaveLesson
from tests.showing import to_front
from tests.window.contrasts import painted, worst
from tests.window.speaker import SIZES


@pytest.fixture
def presenting(learner):
    learner.key(Qt.Key.Key_F5, widget=learner.window)
    audience = learner.window.presenting.audience
    yield audience
    learner.window.presenting.leave()
    learner.settle()


def key(learner, audience, key) -> None:
    QTest.keyClick(audience.page, key)
    learner.settle()


def test_f5_presents_the_word_graph_and_keys_move_the_playhead(learner, presenting):
    page, frame = presenting.page, learner.frame
    assert presenting.isFullScreen()
    assert page.graph.isVisible()
    assert page.graph.drawing.markers
    last = len(frame.recorded) - 1
    assert page.left.title.accessibleName() == f"Epoch {frame.epoch}"
    key(learner, presenting, Qt.Key.Key_PageUp)
    assert learner.frame.cursor.step == last - 1
    assert page.left.title.accessibleName() == f"Epoch {learner.frame.epoch}"
    for _step in range(2):
        key(learner, presenting, Qt.Key.Key_PageDown)
    assert learner.frame.cursor.step == last
    assert not page.left.steps.next.isEnabled()


def test_a_presented_run_has_its_loss_curve_and_plays(learner, presenting):
    page = presenting.page
    last = len(learner.frame.recorded) - 1
    assert page.foot.isVisible()
    assert page.foot.chart.isVisible()
    key(learner, presenting, Qt.Key.Key_Home)
    assert learner.frame.cursor.step == 0
    key(learner, presenting, Qt.Key.Key_Return)
    assert learner.frame.playback.playing
    key(learner, presenting, Qt.Key.Key_Return)
    assert not learner.frame.playback.playing
    key(learner, presenting, Qt.Key.Key_End)
    assert learner.frame.cursor.step == last
    assert page.hasFocus()


def test_loss_accuracy_and_the_next_word_are_those_of_the_playhead(learner, presenting):
    page = presenting.page
    for _step in range(3):
        key(learner, presenting, Qt.Key.Key_Left)
    frame = learner.frame
    at = frame.scalars.epochs.tolist().index(frame.epoch)
    assert f"{frame.scalars.loss[at]:.2f}" in page.left.text.text()
    probabilities = frame.values.probabilities[frame.cursor.sample]
    widths = [part.width() for part in page.left.bar.segments()]
    shares = [width / sum(widths) for width in widths]
    assert shares == pytest.approx(sorted(probabilities, reverse=True), abs=1e-6)


def test_explore_takes_the_audience_over_and_train_again(learner, presenting):
    graph = presenting.page
    to_front(learner.window)
    learner.window.rooms.show_explore()
    learner.settle()
    learner.key(Qt.Key.Key_F5, widget=learner.window)
    assert learner.window.presenting.audience is presenting
    assert presenting.page is not graph
    assert presenting.page.plane.isVisible()
    assert not graph.isVisible()
    to_front(learner.window)
    learner.window.show_train(warm=False)
    learner.settle()
    learner.key(Qt.Key.Key_F5, widget=learner.window)
    assert presenting.page is graph
    assert graph.isVisible()


def test_w_moves_nothing_where_there_is_no_number_to_move(learner, presenting):
    key(learner, presenting, Qt.Key.Key_W)
    assert not presenting.animation.going


def test_in_a_lesson_left_and_right_move_the_playhead_and_page_keys_turn(learner):
    path = lesson_called("tiny-transformer")
    assert learner.window.open_file(path)
    learner.settle()
    player = learner.window.playing
    assert player.page == "train"
    place, step = player.train_sheet(learner.frame).place, learner.frame.cursor.step
    learner.key(Qt.Key.Key_F5, widget=learner.window)
    audience = learner.window.presenting.audience
    key(learner, audience, Qt.Key.Key_Right if step == 0 else Qt.Key.Key_Left)
    assert abs(learner.frame.cursor.step - step) == 1
    assert player.train_sheet(learner.frame).place == place
    assert f"Epoch {learner.frame.epoch}" in audience.page.left.text.text()
    key(learner, audience, Qt.Key.Key_PageDown)
    assert player.train_sheet(learner.frame).place == place + 1
    while player.train_sheet(learner.frame).question is None:
        key(learner, audience, Qt.Key.Key_PageDown)
    asked = player.train_sheet(learner.frame).place
    assert "Larger · Smaller" in audience.page.left.text.text()
    key(learner, audience, Qt.Key.Key_Space)
    assert audience.page.left.text.text().count("✓") == 1
    assert player.train_sheet(learner.frame).place == asked
    key(learner, audience, Qt.Key.Key_Space)
    assert player.train_sheet(learner.frame).place == asked + 1
    learner.window.presenting.leave()
    player.handle(LeaveLesson())
    learner.settle()


@pytest.mark.parametrize(("size", "dark"), [(SIZES[0], False), (SIZES[1], True), (SIZES[2], False)])
def test_the_graph_is_legible_from_the_last_row(learner, presenting, size, dark):
    if learner.window.theme.dark is not dark:
        learner.window.appearance.toggle_theme()
    presenting.showNormal()
    presenting.resize(*size)
    learner.settle()
    texts, bare = painted(presenting.page)
    assert {"cat", "fish"} <= {text.text for text in texts}
    for text in texts:
        assert text.pixels >= 20, text.text
        assert bare.rect().contains(text.box), text.text
        assert text.faint or worst(text.colour, bare, text.box, text.shape) >= 4.5, text.text
