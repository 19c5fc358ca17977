"""Sentences as values, and untrusted texts made safe to show."""

from __future__ import annotations

import json

import numpy as np
import pytest

from explorer.text import Message, Problem, displayable, html_escaped
from explorer.text.layout import json_text


def test_a_message_is_made_into_a_sentence_with_those_inside_it() -> None:
    inner = Message("{n} rows", {"n": 3})
    assert str(Message("{what}: {inner}", {"what": "X", "inner": inner})) == "X: 3 rows"


def test_a_problem_is_its_sentence_and_keeps_its_values() -> None:
    problem = Problem("{file} is gone", file="{a}.json")
    assert str(problem) == "{a}.json is gone"
    assert problem.message.args == {"file": "{a}.json"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("cat", "cat"),
        ("早上好 🐈‍⬛", "早上好 🐈‍⬛"),
        ("a\u202eb", "a b"),
        ("a\nb\0", "a b "),
        ("\ud800", " "),
    ],
)
def test_characters_that_disturb_their_surroundings_are_not_shown(text: str, shown: str) -> None:
    assert displayable(text) == shown


def test_a_long_text_is_cut() -> None:
    assert displayable("abcdef", 4) == "abc…"
    assert displayable("abcd", 4) == "abcd"


def test_html_shows_the_very_text() -> None:
    assert html_escaped('<s>&"') == "&lt;s&gt;&amp;&quot;"


def test_json_has_a_matrix_row_a_line_and_every_digit() -> None:
    value = {"tokens": ["早"], "W": [[[0.1, 1 / 3], [1e-300, -0.0]]], "n": 1, "o": {"a": "b"}}
    text = json_text(value)
    assert json.loads(text) == value
    assert "\n      [0.1, 0.3333333333333333],\n      [1e-300, -0.0]\n" in text
    assert '"早"' in text
    assert json_text(value, ascii_only=True).isascii()
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text([[float(np.nan)]])
