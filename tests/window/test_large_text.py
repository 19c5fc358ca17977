"""An old projector, 1024 by 768, with larger text: every page of every lesson is read."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QScrollArea

from explorer.kit.canvas.drawing import text_box
from explorer.kit.canvas.widget import Canvas
from explorer.lessons.read import read_lesson
from explorer.resources import lessons
from explorer.rooms.lesson.reading import Reading
from explorer.session.lesson import TurnTo


def unread(panel, least: float) -> str:
    """Return what is wrong with a page: fewer lines of its text are in view than `least`."""
    [reading] = panel.findChildren(Reading)
    [above] = [a for a in reading.findChildren(QScrollArea) if a.widget() is reading.above]
    hidden = above.verticalScrollBar().maximum()
    lines = above.viewport().height() / QFontMetrics(panel.theme.font(15)).lineSpacing()
    return f"{lines:.1f} lines are seen" if hidden and lines < least else ""


def overlapping(canvas: Canvas) -> list[str]:
    """Return which texts of a picture lie upon each other, and which points upon a text."""
    drawing = canvas.shown
    boxes = []
    for text in drawing.texts:
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


@pytest.mark.parametrize(("percent", "code", "least"), [(200, "en", 3), (125, "zh", math.inf)])
def test_every_page_of_every_lesson_is_read_on_an_old_projector(person, percent, code, least):
    window = person.window
    window.speak(code)
    window.resize(1024, 768)
    window.appearance.scale_text_to(percent)
    page = window.explore_page
    person.plane = page.plane
    person.plane.set_motion(False)
    faults = []
    for path in lessons():
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
