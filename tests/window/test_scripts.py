"""Tokens of every script are drawn as they are written: whole, with their marks, their own way."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QImage, QPainter, QTextLayout
from PySide6.QtWidgets import QLabel, QWidget

from explorer.app.language import speak
from explorer.session import Centre, Edges, Role, Scene, Selection, Stage, intents
from tests.proofreading import Written, parts, written_on
from tests.window.conftest import Person

HEBREW, ARABIC, MARKS, FAMILY = "שלום", "مرحبا", "s\u0323\u0307e\u0301n", "👩‍👩‍👧"
MARKUP, LONG = "<b>&amp;", "long" * 16
TOKENS = (HEBREW, ARABIC, MARKS, FAMILY, MARKUP, LONG)


@pytest.fixture(params=["en", "zh"])
def reader(request, person) -> Iterator[Person]:
    """Somebody who looks at a scene of such tokens, in each language."""
    person.window.speak(request.param)
    person.plane = person.window.explore_page.plane
    turn = 2 * np.pi * np.arange(len(TOKENS)) / len(TOKENS)
    X = np.column_stack([np.cos(turn), np.sin(turn)]).round(2)
    person.session.open(Scene(TOKENS, X, *3 * [np.eye(2)]))
    person.session.select(Selection(Role.A, 0, 1))
    person.window.explore.handle(intents.ChangeLook({"edges": Edges.NONE}))
    person.settle()
    yield person
    speak("en")


def surfaces(person: Person) -> dict[str, QWidget]:
    """Return the parts of Explore that have names of all tokens on them."""
    page = person.window.explore_page
    inside = {"inputs": page.inputs, "plane": page.plane, "results": page.results}
    return {
        f"{name}, {type(part.parentWidget()).__name__}": part
        for name, view in inside.items()
        for part in parts(view)
        if HEBREW in words(part)
    }


def words(widget: QWidget) -> str:
    """Return what is written on a widget; a letter and its marks may be written one by one."""
    return "".join(written.text for written in written_on(widget))


def ink(image: QImage, box: QRect) -> np.ndarray:
    """Return which pixels of a box differ from its ground, a row at a time."""
    grey = image.copy(box).convertToFormat(QImage.Format.Format_Grayscale8)
    size = grey.height(), grey.bytesPerLine()
    pixels = np.frombuffer(grey.constBits(), np.uint8).reshape(size)[:, : grey.width()].astype(int)
    ground = np.bincount(pixels.ravel()).argmax()
    strength = np.abs(pixels - ground)
    return strength > 0.35 * strength.max()


def drawn_alone(text: str, written: Written, box: QRect) -> np.ndarray:
    """Return the ink of a text as Qt lays it out by itself, where it was written."""
    image = QImage(box.right() + 1, box.bottom() + 1, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    with QPainter(image) as painter:
        layout = QTextLayout(text, written.font)
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        painter.setTransform(written.transform)  # names of narrow columns slant
        top = written.line.bottom() - line.height()
        layout.draw(painter, QPointF(written.line.left(), top))
    return ink(image, box)


def alike(one: np.ndarray, other: np.ndarray) -> float:
    """Return how much of their ink two pictures share, at best when moved by a pixel or two."""
    steps = range(-2, 3)
    moved = [np.roll(other, (down, right), (0, 1)) for down in steps for right in steps]
    return max(float((one & each).sum() / (one | each).sum()) for each in moved)


def test_names_are_drawn_as_qt_draws_them_alone(reader):
    found = surfaces(reader)
    kinds = {name.split(", ")[1] for name in found}
    assert kinds == {"NumberGrid", "PlaneView", "HeatTable", "OutputsTable"}
    for name, widget in found.items():
        image = widget.grab().toImage()
        for written in written_on(widget):
            if written.text not in (HEBREW, ARABIC):
                continue
            assert written.right_to_left
            box = written.box.toAlignedRect()
            seen = ink(image, box)
            right = alike(seen, drawn_alone(written.text, written, box))
            # As if each letter stood by itself, from left to right.
            mirrored = alike(seen, drawn_alone("\u202d" + written.text, written, box))
            assert right > 0.8 > 0.7 > mirrored, (name, written.text)


def test_names_are_whole_or_say_that_there_is_more(reader):
    for name, widget in surfaces(reader).items():
        text = words(widget)
        for token in (HEBREW, ARABIC, MARKS):
            assert token in text, (name, token)
        assert FAMILY.replace("\u200d", "") in text.replace("\u200d", ""), name
        assert "<b>" in text, name
        assert "long" in text, name
        assert "…" in text, name


def test_what_is_said_of_them_keeps_its_order(reader):
    window, eye = reader.window, np.eye(2)
    window.session.open(Scene((HEBREW, ARABIC), eye, eye, eye, eye))
    window.rooms.show_centre(Centre.COMPARE)
    reader.settle()
    [label] = [each for each in window.findChildren(QLabel) if f"A[\u2068{HEBREW}" in each.text()]
    lines: dict[int, list[Written]] = {}
    for written in written_on(label):
        lines.setdefault(round(written.box.bottom() / 12), []).append(written)
    seen = "".join(
        written.text for line in lines.values() for written in sorted(line, key=lambda w: w.box.x())
    )
    numbers = re.findall(r"\d\.\d+", label.text())
    assert len(numbers) >= 3
    assert re.findall(r"\d\.\d+", seen) == numbers


def test_they_are_presented(reader):
    window = reader.window
    window.presenting.present()
    audience = window.presenting.audience
    audience.showNormal()
    audience.resize(1024, 768)
    audience.page.plane.set_motion(False)
    for stage in (Stage.X, Stage.S, Stage.A, Stage.O):
        window.explore.handle(intents.ShowStage(stage))
        reader.settle()
        text = "".join(words(part) for part in parts(audience))
        assert HEBREW in text
        assert "&lt;" not in text
        turned = [w for part in parts(audience) for w in written_on(part) if w.text == ARABIC]
        assert turned
        assert all(written.right_to_left for written in turned)
    window.presenting.leave()
