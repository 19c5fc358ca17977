"""An old projector, 1024 by 768, with larger text: every page of every lesson is read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QScrollArea, QToolButton, QWidget

from explorer.kit.canvas.drawing import text_box
from explorer.kit.canvas.widget import Canvas
from explorer.lessons.read import read_lesson
from explorer.resources import example, lessons
from explorer.rooms.lesson.reading import Reading
from explorer.session import Role, Selection, Stage
from explorer.session.lesson import TurnTo
from tests.overlaps import upon_markers
from tests.proofreading import parts, written_on
from tests.sampled import EVERY_EIGHTH

ONE_WINDOW = True  # which begins anew for each test


def unread(panel, least: float) -> str:
    """Return what is wrong with a page that has to be scrolled: fewer lines are in view."""
    [reading] = panel.findChildren(Reading)
    [area] = reading.findChildren(QScrollArea)
    hidden = area.verticalScrollBar().maximum()
    lines = area.viewport().height() / QFontMetrics(panel.theme.font(15)).lineSpacing()
    return f"{lines:.1f} lines are seen" if hidden and lines < least else ""


def overlapping(canvas: Canvas) -> list[str]:
    """Return which texts of a picture lie upon each other, and which points upon a text."""
    drawing = canvas.shown
    boxes = []
    for text in drawing.texts:
        if not text.colour.alpha():
            continue  # only the ground of one
        left, top, right, bottom = text_box(text)
        fifth = (bottom - top) / 5  # what stands above and below the letters
        box = QRectF(left + 1, top + fifth, right - left - 2, bottom - top - 2 * fifth)
        boxes.append((text.word.text, box))
    over = [f"{a} on {b}" for (a, x), (b, y) in combinations(boxes, 2) if x.intersects(y)]
    for marker in drawing.markers:
        at = QRectF(marker.x - 2, marker.y - 2, 4, 4)
        if not marker.ghost:
            over += [f"{marker.space} beneath {a}" for a, box in boxes if box.intersects(at)]
    return over


def in_disorder(whole: QWidget) -> Iterator[str]:
    """Yield which painted texts of a widget's parts lie upon each other, or stick out of it."""
    for part in parts(whole):
        if isinstance(part, Canvas):
            yield from overlapping(part)
            continue
        boxes = []
        for each in written_on(part):
            fifth = each.box.height() / 5
            if abs(each.box.height() - QFontMetrics(each.font).height()) < 3:  # else it slants
                boxes.append((each.text, each.box.adjusted(1, fifth, -1, -fifth)))
        yield from (  # but a word that is painted once more, in its colour
            f"{a} on {b}"
            for (a, x), (b, y) in combinations(boxes, 2)
            if x.intersects(y) and b.strip() not in a
        )
        sides = whole.rect().toRectF().translated(-part.mapTo(whole, part.rect().topLeft()))
        yield from (
            f"{text} is cut off"
            for text, box in boxes
            if box.right() > sides.left()
            and (box.right() > sides.right() or box.left() < sides.left())
        )


@pytest.mark.parametrize("first", EVERY_EIGHTH)
@pytest.mark.parametrize(("percent", "code", "least"), [(200, "en", 7), (125, "zh", math.inf)])
def test_every_page_of_every_lesson_is_read_on_an_old_projector(
    person, percent, code, least, first
):
    window = person.window
    window.speak(code)
    window.resize(1024, 768)
    window.appearance.scale_text_to(percent)
    page = window.explore_page
    person.plane = page.plane
    person.plane.set_motion(False)
    faults = []
    for path in lessons()[(first + 4 * (code == "zh")) % 8 :: 8]:
        lesson = read_lesson(path)
        if any(step.trace or step.model for step in lesson.steps):
            continue  # another room
        window.playing.open(path)
        for place in range(len(lesson.steps) + bool(lesson.questions)):
            window.playing.handle(TurnTo(place))
            person.settle()
            found = [unread(page.lesson, least)]
            if person.plane.isVisible():
                assert person.plane.width() >= 430
                assert person.plane.height() >= 400
                found += overlapping(person.plane.viewport())
            faults += [f"{path.stem}, page {place + 1}: {each}" for each in found if each]
    assert not faults


@pytest.mark.parametrize(("size", "percent"), [((1024, 768), 125), ((960, 691), 200)])
def test_the_first_scene_is_clear_and_the_top_bar_names_every_room(person, size, percent):
    window, page = person.window, person.window.explore_page
    window.resize(*size)
    window.appearance.scale_text_to(percent)
    person.plane.set_motion(False)
    person.session.look_at(person.session.look.at_stage(Stage.A))
    person.session.select(Selection(Role.X, 0))
    person.settle()
    for button in window.topbar.findChildren(QToolButton):
        if button.objectName() in ("mode", "lessons"):
            assert button.width() >= button.sizeHint().width()
    canvas = person.plane.viewport()
    assert not overlapping(canvas)
    assert page.right.isHidden() or canvas.window().rect().contains(page.right.geometry())
    for chip in canvas.shown.chips:
        left, top, right, bottom = chip.rect
        for marker in canvas.shown.markers:
            assert marker.ghost or not (left < marker.x < right and top < marker.y < bottom)


@pytest.mark.parametrize("stage", [Stage.S, Stage.A])
def test_the_selected_value_stands_on_no_marker_where_keys_stand_close(person, stage):
    window, session = person.window, person.session
    window.resize(1024, 768)
    window.appearance.scale_text_to(150)
    assert window.open_file(example("tired-animal.json"))
    faults = []
    for query, key in ((2, 0), (2, 2), (2, 9), (3, 0), (3, 2), (6, 9)):
        session.look_at(session.look.at_stage(stage))
        session.select(Selection(Role.A, query, key))
        person.settle()
        shown = window.explore_page.plane.viewport().shown
        [chip] = [chip for chip in shown.chips if chip.selected]
        faults += [f"{query}, {key}: {each}" for each in upon_markers(shown, chip)]
    assert not faults


def elsewhere(path: Path) -> bool:
    """Return whether a lesson goes to Train or Model."""
    return any(step.trace or step.model for step in read_lesson(path).steps)


def those_of(paths: list[Path], *first: str) -> list[object]:
    """Return lessons as cases; all but those whose numbers are named are marked `more`."""
    return [
        pytest.param(
            path, id=path.stem[:2], marks=() if path.stem[:2] in first else pytest.mark.more
        )
        for path in paths
    ]


@pytest.fixture
def pages(person, qtbot):
    """Return what opens a lesson in the largest text, and yields its pages once all has come."""
    window = person.window
    window.resize(1024, 768)
    window.appearance.scale_text_to(200)
    window.explore_page.plane.set_motion(False)

    def settle() -> None:
        for _later in range(2):  # what has come may ask for something else
            person.settle()
            if window.model is not None:
                qtbot.waitUntil(lambda: not window.model.runner.busy, timeout=60_000)
                window.model.clock.flush()
            if window.train is not None:
                window.train.clock.flush()
        person.settle()

    def turn(path: Path) -> Iterator[str]:
        lesson = read_lesson(path)
        window.playing.open(path)
        settle()
        for place in range(len(lesson.steps) + bool(lesson.questions)):
            window.playing.handle(TurnTo(place))
            settle()
            yield f"{path.stem}, page {place + 1}"

    return turn, settle


@pytest.mark.parametrize("path", those_of([p for p in lessons() if elsewhere(p)], "26"))
def test_lessons_in_train_and_model_are_read_in_the_largest_text(person, pages, path):
    turn, _settle = pages
    faults = []
    for place in turn(path):
        page = person.window.rooms.front.page
        found = [unread(page.lesson, 7), *in_disorder(page)]
        faults += [f"{place}: {each}" for each in found if each]
    assert not faults


LATER = [path for path in lessons() if path.stem[:2] >= "22"]


@pytest.mark.parametrize("path", those_of(LATER, "32"))
def test_an_audience_reads_the_later_lessons_in_the_largest_text(person, pages, path):
    turn, settle = pages
    window, faults = person.window, []
    for place in turn(path):
        if window.presenting.audience is None:
            window.presenting.present()
            window.presenting.audience.showNormal()
            window.presenting.audience.resize(1024, 768)
            window.presenting.allow_motion(False)
            settle()
        faults += [f"{place}: {each}" for each in in_disorder(window.presenting.audience)]
    assert not faults
