"""Sentences as values, and untrusted texts made safe to show."""

from __future__ import annotations

import json

import numpy as np
import pytest

from explorer.text import Message, Problem, displayable, html_escaped
from explorer.text.layout import json_lines, json_text


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


def test_json_of_arrays_reads_back_as_the_same_numbers() -> None:
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**63, size=(3, 40, 50)).view(np.float64)  # numbers of every size
    bits[~np.isfinite(bits)] = -0.0
    single, masked = np.float32([0.1, 1e-30]), np.array([[1.0, -np.inf]])
    value = {"many": bits, "single": single, "masked": masked, "mask": masked < 0, "n": 1}
    text = json_text(value)
    assert "".join(f"{line}\n" for line in json_lines(value)) == text + "\n"
    told = json.loads(text)
    assert np.array_equal(np.array(told["many"]).view(np.int64), bits.view(np.int64))
    assert told["single"] == single.tolist()
    assert told["masked"] == [[1.0, None]]
    assert told["mask"] == [[False, True]]
    assert '"masked": [\n    [1.0, null]\n  ]' in text
    for wrong in (np.nan, np.inf):
        with pytest.raises(ValueError, match="neither NaN nor infinity"):
            json_text({"W": np.array([0.0, wrong])})
