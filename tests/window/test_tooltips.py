"""Tooltips show exactly what they are told to show, whatever characters it has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import Qt, QTextDocument
from PySide6.QtWidgets import QWidget

from explorer.session import Role, Scene, Selection, frozen_array, intents
from explorer.text import displayable, plain_tip

ENTITIES = ("&amp;", "&lt;", "&gt;", "&quot;", "&#")
TOKENS = ("it's", 'say "a"', "R & D", "<b>x</b>", "1 < 2")


def as_shown(tip: str) -> str:
    """Return what Qt shows of a tooltip."""
    if not Qt.mightBeRichText(tip):
        return tip
    document = QTextDocument()
    document.setHtml(tip)
    return document.toPlainText()


@given(st.text(st.sampled_from("ab <>&;'\"\nltgampbr/#x27…é字"), max_size=100))
def test_a_tooltip_shows_exactly_its_text(text: str):
    shown = "\n".join(displayable(line) for line in text.split("\n"))

    assert as_shown(plain_tip(text)).split() == shown.split()


@pytest.mark.parametrize("text", ["context & it's", "&lt;b&gt;", "&amp;", "<b>bold</b>", "a < b"])
def test_nothing_of_a_tooltip_is_read_as_html(text: str):
    assert as_shown(plain_tip(text)) == text


def test_short_tooltips_are_plain_for_screen_readers():
    assert plain_tip("Leave the lesson") == "Leave the lesson"
    assert plain_tip("") == ""


def test_no_tooltip_of_the_window_shows_entities(person):
    rows = frozen_array(((1.0, 0.0), (0.5, 0.5), (0.0, 1.0), (-0.8, 0.9), (0.2, 0.1)))
    person.session.open(Scene(TOKENS, rows, note="R & D's\nnote <b>"))
    person.plane.intent.emit(intents.Select(Selection(Role.A, 0, 2)))
    person.settle()
    tips = {part.toolTip() for part in person.window.findChildren(QWidget) if part.toolTip()}

    assert len(tips) > 30
    for shown in map(as_shown, tips):
        assert not any(entity in shown for entity in ENTITIES), shown
        assert "<qt>" not in shown
