"""Presenting in the real window, with mouse and keyboard: pages, and the presenter's keys."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea

from explorer.app.shortcuts import ShortcutsSheet
from explorer.kit.motion import Glide
from explorer.lessons.lesson import said_in
from explorer.lessons.lesson_index import lesson_called
from explorer.lessons.read import read_lesson
from explorer.resources import lessons
from explorer.rooms.present.sizes import LEAST
from explorer.session import Centre, Role, Selection, Space, Stage
from explorer.session.intents import BlankOut, ShowStage
from explorer.session.lesson import TurnTo, Verdict
from explorer.text import html_escaped
from tests.sampled import EVERY_FOURTH
from tests.showing import to_front
from tests.window.speaker import LEFT, NO_KEY

ONE_WINDOW = True  # which begins anew for each test

# --- coming and going ----------------------------------------------------------------------------


def test_f5_fills_the_screen_and_esc_leaves_everything_as_it_was(person):
    person.plane.viewport().setFocus()
    person.settle()
    window, before = person.window, person.session.undo_name
    focused, size = QApplication.focusWidget(), window.size()
    QTest.keyClick(window, Qt.Key.Key_F5)
    person.settle()
    audience = window.presenting.audience
    assert audience.isFullScreen()
    assert audience.geometry() == window.screen().geometry()
    QTest.keyClick(audience.page, Qt.Key.Key_Escape)
    person.settle()
    assert window.presenting.audience is None
    assert QApplication.focusWidget() is focused
    assert window.size() == size
    assert person.session.undo_name == before


def test_the_cross_leaves(speaker):
    speaker.push(speaker.page.cross)
    assert speaker.audience is None


# --- pages ---------------------------------------------------------------------------------------


def test_a_scene_is_presented_by_its_stages(speaker):
    shown = [speaker.session.look.stage]
    turns = (
        Qt.Key.Key_PageDown, Qt.Key.Key_Right, Qt.Key.Key_Down,
        Qt.Key.Key_Space, Qt.Key.Key_PageDown, Qt.Key.Key_PageDown,
    )  # fmt: skip
    texts = {speaker.page.left.text.text()}
    for key in turns:
        speaker.key(key)
        shown.append(speaker.session.look.stage)
        texts.add(speaker.page.left.text.text())
    assert shown == [Stage.X, Stage.Q, Stage.K, Stage.V, Stage.S, Stage.A, Stage.O]
    assert len(texts) == len(shown)
    speaker.key(Qt.Key.Key_PageDown)
    assert speaker.session.look.stage is Stage.O
    for key in (Qt.Key.Key_PageUp, Qt.Key.Key_Left, Qt.Key.Key_Up):
        speaker.key(key)
    assert speaker.session.look.stage is Stage.V


def test_the_chain_is_clicked_and_says_where_one_is(speaker):
    steps = speaker.page.left.steps
    speaker.push(steps.letters[Stage.A])
    assert speaker.session.look.stage is Stage.A
    assert [stage for stage, key in steps.letters.items() if key.isChecked()] == [Stage.A]
    speaker.push(steps.next)
    assert speaker.session.look.stage is Stage.O
    assert not steps.next.isEnabled()
    speaker.push(steps.previous)
    assert speaker.session.look.stage is Stage.A


def test_a_lesson_is_presented_by_its_short_texts(teacher):
    assert teacher.page.left.title.text() == "Scores become shares"
    assert "Scores are any numbers" in teacher.page.left.text.text()
    assert not teacher.page.left.formula.isVisible()
    teacher.key(Qt.Key.Key_Space)
    assert "always positive" in teacher.page.left.text.text()
    assert "e^{-0.438}" in teacher.page.left.formula.tex
    teacher.key(Qt.Key.Key_PageUp)
    assert "Scores are any numbers" in teacher.page.left.text.text()


def test_shares_are_the_computed_weights_and_hidden_before_they_are_predicted(teacher):
    for _page in range(2):
        teacher.key(Qt.Key.Key_PageDown)
    assert teacher.session.look.veiled
    assert not teacher.page.left.bar.isVisible()
    teacher.key(Qt.Key.Key_PageDown)
    bar, frame = teacher.page.left.bar, teacher.session.frame
    assert bar.isVisible()
    weights = frame.weights[frame.selection.query]
    parts = bar.segments()
    widths = [part.width() / (parts[-1].right() - parts[0].left()) for part in parts]
    np.testing.assert_allclose(widths, weights, atol=1e-9)


def test_a_point_is_dragged_as_in_explore(speaker):
    viewport, start = speaker.page.plane.viewport(), speaker.point(Space.X, 0)
    before = speaker.session.scene
    speaker.drag(viewport, start, start + QPoint(-60, 20))
    assert speaker.session.scene is not before
    assert speaker.session.undo_name is not None
    speaker.session.undo()
    assert speaker.session.scene is before


@pytest.mark.parametrize("moves", [True, False])
def test_another_page_comes_within_a_quarter_of_a_second_or_at_once(speaker, moves):
    speaker.person.window.presenting.allow_motion(moves)
    QTest.keyClick(speaker.page, Qt.Key.Key_PageDown)
    fading = [glide.duration() for glide in speaker.page.left.findChildren(Glide)]
    assert fading == ([250] if moves else [])


def test_t_turns_the_plane_into_the_active_stages_table_and_back(speaker):
    page, session = speaker.page, speaker.session
    session.select(Selection(Role.A, 0, 3))
    speaker.push(page.left.steps.letters[Stage.A])
    assert page.picture is page.plane
    speaker.key(Qt.Key.Key_T)
    assert page.picture is page.table
    assert page.table.isVisible()
    assert not page.plane.isVisible()
    shown = page.table.table.cells
    assert float(shown.index(0, 3).data()) == pytest.approx(session.frame.weights[0, 3], abs=5e-4)
    speaker.push(page.left.steps.letters[Stage.K])
    assert float(shown.index(3, 1).data()) == pytest.approx(session.frame.points(Space.K)[3, 1])
    speaker.push(page.left.steps.letters[Stage.O])
    shown = page.table.table.cells
    assert float(shown.index(1, 0).data()) == pytest.approx(
        session.frame.points(Space.O)[1, 0], abs=5e-4
    )
    speaker.key(Qt.Key.Key_T)
    assert page.plane.isVisible()


def test_a_cell_of_the_table_is_selected_and_the_keys_stay_with_the_page(speaker):
    page = speaker.page
    speaker.push(page.left.steps.letters[Stage.S])
    speaker.key(Qt.Key.Key_T)
    table = page.table.table
    place = table.visualRect(table.model().index(2, 1)).center()
    QTest.mouseClick(table.viewport(), LEFT, NO_KEY, place)
    speaker.settle()
    assert speaker.session.selection == Selection(Role.S, 2, 1)
    assert QApplication.focusWidget() is page
    speaker.key(Qt.Key.Key_PageDown)
    assert speaker.session.look.stage is Stage.A


def test_a_step_about_a_table_shows_it_and_one_to_be_predicted_hides_it(teacher):
    page = teacher.page
    assert page.picture is page.table  # its first step speaks of the scores
    for _page in range(2):
        teacher.key(Qt.Key.Key_PageDown)
    assert teacher.session.look.veiled
    assert page.picture is page.plane
    teacher.key(Qt.Key.Key_T)
    assert page.picture is page.plane
    teacher.key(Qt.Key.Key_PageDown)
    assert page.picture is page.plane  # this one speaks of the plane too


@pytest.mark.parametrize("centre", [Centre.COMPARE, Centre.SQRT_D])
def test_what_stands_in_the_middle_of_explore_is_presented_in_full_width(speaker, centre):
    page = speaker.page
    speaker.person.window.rooms.show_centre(centre)
    speaker.settle()
    assert page.picture.width() == page.width()
    assert page.picture.geometry().bottom() < page.left.y()
    part = page.picture.geometry()
    before = speaker.seen(part)
    speaker.key(Qt.Key.Key_T)
    assert speaker.seen(part) != before
    speaker.key(Qt.Key.Key_T)
    assert speaker.seen(part) == before
    speaker.key(Qt.Key.Key_PageDown)
    assert speaker.session.look.stage is Stage.Q
    speaker.person.window.rooms.show_centre(Centre.PLANE)
    speaker.settle()
    assert page.picture is page.plane


def test_letters_are_typed_where_a_field_has_the_keys(speaker):
    page = speaker.page
    speaker.person.window.rooms.show_centre(Centre.SQRT_D)
    speaker.settle()
    field = page.picture.controls.field
    field.setFocus()
    for key in (Qt.Key.Key_B, Qt.Key.Key_F, Qt.Key.Key_T):
        QTest.keyClick(field, key)
    speaker.settle()
    overlay = speaker.audience.overlay
    assert not overlay.blank
    assert overlay.still is None


# --- the presenter's keys ------------------------------------------------------------------------


def test_b_shows_black_until_any_key(speaker):
    speaker.key(Qt.Key.Key_B)
    picture = speaker.seen()
    middle = picture.pixelColor(picture.width() // 2, picture.height() // 2)
    assert middle == QColor("black")
    stage = speaker.session.look.stage
    speaker.key(Qt.Key.Key_PageDown)
    assert speaker.session.look.stage is stage
    assert speaker.seen().pixelColor(3, 3) != QColor("black")


def test_a_key_that_is_held_switches_once(speaker):
    for repeated in (False, True, True):
        press = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_B, NO_KEY, "b", repeated)
        QApplication.sendEvent(speaker.page, press)
    assert speaker.audience.overlay.blank


def test_the_pen_draws_until_it_is_wiped_or_the_page_is_left(speaker):
    overlay, drawn = speaker.audience.overlay, speaker.below_title
    clean = speaker.seen(drawn)
    for wipe in (Qt.Key.Key_C, Qt.Key.Key_PageDown):
        speaker.key(Qt.Key.Key_P)
        speaker.drag(overlay, QPoint(100, 300), QPoint(300, 320))
        assert speaker.seen(drawn) != clean
        speaker.key(Qt.Key.Key_P)
        assert len(overlay.strokes) == 1
        speaker.key(wipe)
        assert not overlay.strokes
    speaker.key(Qt.Key.Key_PageUp)
    assert speaker.seen(drawn) == clean


def test_the_spotlight_darkens_all_but_a_circle_at_the_mouse(speaker):
    clean = speaker.seen()
    speaker.key(Qt.Key.Key_L)
    viewport = speaker.page.plane.viewport()
    QTest.mouseMove(viewport, QPoint(5, 5))
    QTest.mouseMove(viewport, viewport.rect().center())
    QApplication.processEvents()
    at = viewport.mapTo(speaker.audience, viewport.rect().center()) + QPoint(30, 30)
    lit = speaker.seen()
    assert lit.pixelColor(at) == clean.pixelColor(at)
    assert lit.pixelColor(4, 4).lightness() < clean.pixelColor(4, 4).lightness() / 2
    speaker.key(Qt.Key.Key_L)
    assert speaker.seen().pixelColor(4, 4) == clean.pixelColor(4, 4)


def test_f_keeps_the_picture_while_the_next_is_prepared(speaker):
    below = speaker.below_title  # what says that it is frozen stands above
    before = speaker.seen(below)
    speaker.key(Qt.Key.Key_F)
    frozen = speaker.seen()
    assert frozen.copy(below) == before
    speaker.session.select(Selection(Role.X, 1))
    speaker.person.window.explore.handle(ShowStage(Stage.A))
    assert speaker.seen() == frozen
    assert speaker.person.window.actions_by_name["freeze"].isChecked()
    to_front(speaker.person.window)
    speaker.settle()
    QTest.keyClick(speaker.person.window, Qt.Key.Key_F6)
    assert speaker.seen(below) != before


@pytest.mark.parametrize("end", [Qt.Key.Key_W, Qt.Key.Key_PageDown, Qt.Key.Key_Escape])
def test_w_lets_a_number_move_by_itself_and_leaves_no_trace(speaker, end):
    session, before = speaker.session, speaker.session.scene
    session.select(Selection(Role.X, 1, None, 0))
    speaker.key(Qt.Key.Key_W)
    animation = speaker.audience.animation
    animation.go_to(0.25)
    moved = session.scene.X - before.X
    assert moved[1, 0] > 0.1
    assert np.count_nonzero(moved) == 1
    animation.go_to(0.75)
    assert session.scene.X[1, 0] < before.X[1, 0]
    speaker.key(end)
    assert session.scene is before
    assert not session.in_gesture
    assert session.undo_name is None
    assert not session.modified


def test_a_hand_that_takes_over_ends_what_moves_by_itself(speaker):
    session, before = speaker.session, speaker.session.scene
    speaker.key(Qt.Key.Key_W)
    speaker.audience.animation.go_to(0.25)
    assert session.scene is not before
    viewport, start = speaker.page.plane.viewport(), QPoint(4, 4)
    QTest.mousePress(viewport, LEFT, NO_KEY, start)
    assert session.scene is before
    QTest.mouseRelease(viewport, LEFT, NO_KEY, start)
    assert session.undo_name is None


# --- what is kept back ---------------------------------------------------------------------------


def test_space_reveals_a_prediction_before_it_goes_on(teacher):
    page, session = teacher.page, teacher.session
    for _page in range(2):
        teacher.key(Qt.Key.Key_PageDown)
    assert "0.120" not in page.left.text.text()
    teacher.key(Qt.Key.Key_Space)
    assert "0.120" in page.left.text.text()
    assert not session.look.hidden
    assert page.picture is page.table  # the numbers that were hidden
    sheet = teacher.person.window.playing.sheet(session.frame)
    assert sheet.place == 2
    assert sheet.question.verdict is Verdict.SHOWN
    assert sheet.question.given == ""
    teacher.key(Qt.Key.Key_Space)
    assert teacher.person.window.playing.sheet(session.frame).place == 3
    teacher.key(Qt.Key.Key_PageUp)  # what was seen stays seen
    assert not session.look.hidden
    assert "0.120" in page.left.text.text()


def test_choices_stand_on_the_page_and_the_right_one_is_marked_when_revealed(speaker):
    speaker.person.window.open_file(lesson_called("why-words-must-see-each-other"))
    speaker.settle()
    while not speaker.session.look.veiled:
        speaker.key(Qt.Key.Key_PageDown)
    said = speaker.page.left.text
    assert "street" in said.text()
    assert "✓" not in said.text()
    speaker.key(Qt.Key.Key_Space)
    assert "animal\u00a0✓" in said.text()
    assert said.text().count("✓") == 1


def test_an_answer_that_is_foretold_of_an_edit_is_revealed_with_the_edit(speaker):
    speaker.person.window.open_file(lesson_called("what-a-w-can-do"))
    speaker.settle()
    speaker.key(Qt.Key.Key_Space)
    assert speaker.session.scene.Wk[0, 1] == 1.0
    assert "Larger\u00a0✓" in speaker.page.left.text.text()


def test_space_reveals_a_table_that_is_to_be_filled_in(speaker):
    speaker.person.window.open_file(lesson_called("scores-by-hand"))
    speaker.settle()
    while speaker.session.look.blank is None:
        speaker.key(Qt.Key.Key_PageDown)
    assert speaker.page.picture is speaker.page.table
    place = speaker.person.window.playing.sheet(speaker.session.frame).place

    def fish() -> list[str]:
        source = speaker.page.table.table.source
        return [source.text(2, column) for column in range(4)]

    seen = [fish()]
    for _cell in range(3):
        speaker.key(Qt.Key.Key_Space)
        seen.append(fish())
    assert seen == [
        ["?", "?", "?", "?"],
        ["0.20", "?", "?", "?"],
        ["0.20", "0.60", "?", "?"],
        ["0.20", "0.60", "1.00", "?"],
    ]
    speaker.key(Qt.Key.Key_Space)
    assert fish() == ["0.20", "0.60", "1.00", "0.74"]
    assert not speaker.session.look.hidden
    assert speaker.page.picture is speaker.page.table
    speaker.key(Qt.Key.Key_Space)
    assert speaker.person.window.playing.sheet(speaker.session.frame).place == place + 1


def test_a_table_hidden_by_hand_is_revealed_too(speaker):
    speaker.person.window.explore.handle(BlankOut(Stage.S))
    speaker.settle()
    stage = speaker.session.look.stage
    speaker.key(Qt.Key.Key_Space)
    assert speaker.session.look.blank is None
    assert speaker.session.look.stage is stage


@pytest.mark.parametrize("first", EVERY_FOURTH)
def test_the_questions_at_the_end_have_room_and_nothing_else_stands_beside_them(speaker, first):
    speaker.resize(1024, 768)
    for path in lessons()[first::4]:
        if not path.name.endswith(".toml"):
            continue
        read = read_lesson(path)
        speaker.person.window.open_file(path)
        speaker.person.window.playing.handle(TurnTo(len(read.steps)))
        speaker.settle()
        side = speaker.page.left
        for question in read.questions:
            assert html_escaped(said_in("en", question)) in _plain(side.text.text()), path.name
        assert len(read.questions) >= 2
        assert not side.bar.isVisible()
        assert not re.search(r"Epoch \d+, loss", side.text.text())
        assert side.text.heightForWidth(side.text.width()) <= side.text.height()
        assert side.rect().contains(side.text.geometry()), path.name
        assert speaker.page.wide or side.text.geometry().bottom() < side.steps.y(), path.name
        assert side.text.font().pixelSize() >= 20


def _plain(html: str) -> str:
    return re.sub(r"</?b[^>]*>", "", html)


def test_the_keys_are_shown_and_the_text_grows_and_shrinks(speaker):
    before = speaker.person.window.theme.percent
    QTest.keyClick(speaker.page, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    speaker.settle()
    assert speaker.person.window.theme.percent > before
    QTest.keyClick(speaker.page, Qt.Key.Key_Minus, Qt.KeyboardModifier.ControlModifier)
    speaker.settle()
    assert speaker.person.window.theme.percent == before
    QTest.keyClicks(speaker.page, "?")
    [sheet] = speaker.audience.findChildren(ShortcutsSheet)
    assert sheet.isVisible()
    said = {label.text() for label in sheet.findChildren(QLabel)}
    assert "Present" in said
    assert "Ctrl+N" not in said, "those of the window are of no use here"
    [area] = sheet.findChildren(QScrollArea)
    assert area.verticalScrollBar().maximum() == 0
    sheet.reject()
    speaker.resize(1024, 768)
    QTest.keyClicks(speaker.page, "?")
    sheet = next(each for each in speaker.audience.findChildren(ShortcutsSheet) if each.isVisible())
    assert min(label.font().pixelSize() for label in sheet.findChildren(QLabel)) >= LEAST
    assert sheet.findChild(QScrollArea).verticalScrollBar().maximum() == 0
    sheet.reject()


def test_the_arithmetic_is_shown_by_a_key_and_by_a_page_that_speaks_of_it(speaker):
    page = speaker.page
    speaker.session.select(Selection(Role.A, 0, 3))
    assert page.foot is None
    speaker.key(Qt.Key.Key_A)
    assert page.foot.isVisible()
    assert "cloud" in page.foot.plain_text()
    assert page.foot.geometry().bottom() == page.rect().bottom()
    assert not page.foot.geometry().intersects(page.picture.geometry())
    assert page.hasFocus()
    speaker.resize(1024, 768)
    for percent in (125, 150, 200):
        speaker.person.window.appearance.scale_text_to(percent)
        speaker.settle()
        assert page.foot.isVisible()
        assert page.small.isVisible()  # which says so
        assert not page.foot.is_narrow()  # each step of the arithmetic is there
        assert "0.74" in page.foot.plain_text()
        assert page.picture.height() > 3 * page.foot.height() - 2
    speaker.key(Qt.Key.Key_A)
    assert not page.foot.isVisible()
    assert not page.small.isVisible()
    lesson = read_lesson(lesson_called("scores-become-shares"))
    spoken = [n for n, s in enumerate(lesson.steps) if "strip" in s.highlight]
    speaker.person.window.playing.open(lesson.path)
    speaker.person.window.playing.handle(TurnTo(spoken[0]))
    speaker.person.settle()
    assert page.foot.isVisible()


def test_home_and_end_go_to_the_ends_and_a_frozen_picture_says_so(speaker):
    speaker.key(Qt.Key.Key_End)
    assert speaker.session.look.stage is Stage.O
    before, below = speaker.seen(), speaker.below_title
    speaker.key(Qt.Key.Key_F)
    frozen = speaker.seen()
    corner = before.rect().adjusted(before.width() - 200, 0, 0, 60 - before.height())
    assert frozen.copy(corner) != before.copy(corner)
    assert frozen.copy(below) == before.copy(below)
    other = before.rect().adjusted(0, 0, -200, 0)
    size = speaker.audience.size()
    speaker.resize(size.width() + 200, size.height())  # it stays whole, and as it was
    wider = speaker.seen()
    assert wider.copy(100, 0, other.width(), size.height()) == frozen.copy(other)
    speaker.resize(size.width(), size.height())
    speaker.key(Qt.Key.Key_F)
    speaker.key(Qt.Key.Key_Home)
    assert speaker.session.look.stage is Stage.X
