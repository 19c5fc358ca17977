"""What a scene's note says is seen, as plain text, and makes room for the arithmetic."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QToolButton

from explorer.app.language import speak
from explorer.resources import examples
from explorer.session import Role, Selection, read_scene
from explorer.text import _

ONE_WINDOW = True  # which begins anew for each test


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    speak("en")


def note(person) -> QLabel:
    labels = person.window.explore_page.strip.findChildren(QLabel)
    return next(label for label in labels if label.accessibleName() == _("Note"))


def name_tip(person) -> str:
    return person.window.topbar.findChild(QToolButton, "document").toolTip()


def test_the_note_stands_in_the_strip_until_something_is_selected(person):
    assert note(person).isVisible()
    assert note(person).text() == person.session.scene.note
    assert "whom it attends to.<br>Wq leaves" in name_tip(person)

    person.session.select(Selection(Role.S, 0, 3))
    person.settle()
    assert not note(person).isVisible()
    person.key(Qt.Key.Key_Escape)
    assert note(person).isVisible()


@pytest.mark.parametrize("code", ["en", "zh"])
def test_an_examples_note_takes_two_lines_on_an_old_projector(person, code):
    person.window.resize(1024, 768)
    person.window.speak(code)
    for path in examples():
        person.session.open(read_scene(path))
        person.settle()
        label = note(person)

        assert len(label.text().splitlines()) == 2, path.stem
        as_wide_as_can_be = label.heightForWidth(10_000)
        assert label.heightForWidth(label.width()) == as_wide_as_can_be, path.stem


def test_a_scene_without_a_note_says_nothing(person):
    person.session.open(person.session.scene.replace(note=""))
    person.settle()
    assert not note(person).isVisible()
    assert "<br>" not in name_tip(person)


@pytest.mark.parametrize("text", ["<b>bold</b> & \u202ecba", "long words " * 400, "a\n" * 50])
@pytest.mark.parametrize(("size", "percent"), [((960, 640), 125), ((1440, 900), 100)])
def test_any_note_is_plain_text_inside_the_strip(person, text, size, percent):
    person.window.appearance.scale_text_to(percent)
    person.window.resize(*size)
    person.session.open(person.session.scene.replace(note=text))
    person.settle()
    label = note(person)

    assert label.isVisible()
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert "\u202e" not in label.text()
    assert "<b>" not in label.toolTip() + name_tip(person)
    assert label.heightForWidth(label.width()) <= label.height()
    assert person.window.explore_page.strip.rect().contains(label.geometry())
