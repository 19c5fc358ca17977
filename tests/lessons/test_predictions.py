"""Predictions: right to the decimals typed; else the usual mistake that gives the number."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.lessons.mistakes import of_head
from explorer.lessons.predictions import answer, likely_mistakes
from explorer.resources import example
from explorer.session import read_scene, resolve
from explorer.text import NotANumber

FRAME = resolve(read_scene(example("cat-likes-fish.json")))
ATTENTION = FRAME.attention


@pytest.mark.parametrize(
    ("typed", "value", "right"),
    [
        ("0.38", 0.379, True),
        ("0.379", 0.3794, True),
        ("0.378", 0.3794, False),
        ("0.4", 0.379, False),  # at least two decimals count
        ("0.40", 0.399, True),
        ("0,38", 0.379, True),
        ("−0.62", -0.62, True),
        ("1", 1.004, True),
        ("1", 1.006, False),
        ("0.125", 0.125, True),
        ("0.13", 0.125, True),  # a half may be rounded either way
        ("0.12", 0.125, True),
        ("0.12", math.inf, False),
        ("1/3", 0.3349, True),  # a fraction counts as two decimals
        ("1/3", 0.338, True),
        ("1/3", 0.339, False),
        ("0,125", 0.1254, True),  # a decimal comma, not thousands
        ("0,125", 0.1256, False),
        ("2e-4", 0.00024, True),
        ("2e-4", 0.00026, False),
        ("1.5e2", 150.004, True),
        ("０．２５０", 0.2504, True),
        ("０．２５０", 0.2506, False),
    ],
)
def test_right_is_what_rounds_to_the_typed_decimals(typed: str, value: float, right: bool) -> None:
    assert answer(typed).fits(value) is right


@given(st.floats(-50, 50), st.integers(2, 6))
def test_the_rounded_number_is_always_right(value: float, decimals: int) -> None:
    assert answer(f"{value:.{decimals}f}").fits(value)


def test_no_number_is_no_answer() -> None:
    with pytest.raises(NotANumber):
        answer("much")


def softmax(scores: list[float]) -> list[float]:
    """Return the softmax of a row, term by term."""
    powers = [math.exp(s) for s in scores]
    return [p / sum(powers) for p in powers]


WHAT = {name: of_head(name, 0) for name in ("raw", "scores", "weights", "head_output")}


def said(table: str, typed: str, row: int = 0, column: int = 3) -> list[str]:
    """Return the sentences for a typed number of the first example."""
    found = likely_mistakes(FRAME, WHAT[table], {(row, column): answer(typed)})
    return [str(message) for message in found]


def test_usual_mistakes_are_named_by_doing_them() -> None:
    raw = ATTENTION.raw[0]
    scores = raw / math.sqrt(2)
    columns = np.exp(scores) / np.exp(scores).sum(axis=0)
    for typed, sentence in (
        (softmax(list(raw[0]))[3], "÷ √d was left out."),
        (softmax(list(raw[0] * math.sqrt(2)))[3], "Multiplied by √d instead of divided."),
        (softmax(list(raw[0] / 2))[3], "Divided by d, not by its root."),
        (softmax(list(-scores[0]))[3], "The scores have the wrong sign."),
        (columns[0, 3], "The softmax was taken down the columns."),
        (scores[0, 3] / scores[0].sum(), "e^ was forgotten: scores were divided by their sum."),
    ):
        assert sentence in said("weights", f"{typed:.4f}")
    assert "÷ √d was left out." in said("scores", "-0.62")
    assert said("scores", f"{-scores[0, 3]:.4f}") == ["The sign is wrong."]
    assert said("raw", "0.62") == ["The sign is wrong."]


def test_rounding_too_early_is_named() -> None:
    early = softmax([round(s, 1) for s in ATTENTION.scores[0, 0]])
    assert "A score was rounded too early." in said("weights", f"{early[1]:.5f}", 0, 1)
    weights = np.round(ATTENTION.weights[0], 1)
    output = weights @ ATTENTION.V[0]
    assert "A weight was rounded too early." in said("head_output", f"{output[0, 0]:.5f}", 0, 0)
    powers = np.round(np.exp(ATTENTION.scores[0]), 1)
    weight = powers[0, 1] / powers[0].sum()
    assert "A power of e was rounded too early." in said("weights", f"{weight:.5f}", 0, 1)


def test_two_mistakes_that_fit_are_both_named() -> None:
    # With four tokens the root of their number is d itself.
    found = said("weights", f"{softmax(list(ATTENTION.raw[0][0] / 2))[3]:.4f}")
    assert "Divided by d, not by its root." in found
    assert "The root of the number of tokens was taken, not that of d_k." in found


def test_the_right_number_is_no_mistake() -> None:
    for table in WHAT:
        right = getattr(ATTENTION, table)[0]
        for row, column in np.ndindex(*right.shape):
            assert said(table, f"{right[row, column]:.6f}", row, column) == []


def test_a_mistake_of_a_whole_table_is_named_once() -> None:
    wrong = [softmax(list(row)) for row in ATTENTION.raw[0]]
    typed = {(i, j): answer(f"{wrong[i][j]:.3f}") for i in range(4) for j in range(4)}
    assert [str(m) for m in likely_mistakes(FRAME, WHAT["weights"], typed)] == [
        "÷ √d was left out."
    ]
    # A slip of the pen in one cell takes nothing away; another number in most of them does.
    typed[2, 2] = answer("0.9")
    assert [str(m) for m in likely_mistakes(FRAME, WHAT["weights"], typed)] == [
        "÷ √d was left out."
    ]
    for cell in list(typed)[2:]:
        typed[cell] = answer("0.9")
    assert likely_mistakes(FRAME, WHAT["weights"], typed) == []
