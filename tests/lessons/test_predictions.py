"""Predictions: right to the decimals typed; else the usual mistake that gives the number."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.attention import attend
from explorer.lessons.predictions import Answer, answer, likely_mistakes
from explorer.resources import example
from explorer.session import compute, read_scene
from explorer.text import NotANumber

SCENE = read_scene(example("cat-likes-fish.json"))
ATTENTION = compute(SCENE)


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


def said(table: str, typed: str, row: int = 0, column: int = 3) -> list[str]:
    """Return the sentences for a typed number of the first example."""
    return [
        str(message) for message in likely_mistakes(ATTENTION, 0, table, row, column, answer(typed))
    ]


def test_usual_mistakes_are_named_by_doing_them() -> None:
    raw = ATTENTION.raw[0]
    scores = raw / math.sqrt(2)
    columns = np.exp(scores) / np.exp(scores).sum(axis=0)
    for typed, sentence in (
        (softmax(list(raw[0]))[3], "÷ √d was left out."),
        (softmax(list(raw[0] * math.sqrt(2)))[3], "Multiplied by √d instead of divided."),
        (softmax(list(raw[0] / 2))[3], "Divided by d, not by its root."),
        (columns[0, 3], "The softmax ran down the columns."),
        (scores[0, 3] / scores[0].sum(), "e^ was forgotten: scores were divided by their sum."),
    ):
        assert sentence in said("weights", f"{typed:.4f}")
    assert "÷ √d was left out." in said("scores", "-0.62")
    assert said("scores", f"{-scores[0, 3]:.4f}") == ["The sign is the other one."]


def test_two_mistakes_that_fit_are_both_named() -> None:
    # With four tokens the root of their number is d itself.
    found = said("weights", f"{softmax(list(ATTENTION.raw[0][0] / 2))[3]:.4f}")
    assert len(found) >= 2


def test_the_right_number_is_no_mistake() -> None:
    for table, array in (("scores", ATTENTION.scores), ("weights", ATTENTION.weights)):
        for row, column in np.ndindex(4, 4):
            assert said(table, f"{array[0, row, column]:.6f}", row, column) == []


def test_mistakes_are_only_made_where_shapes_allow() -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(3, 5))
    W = [rng.normal(size=(5, width)) for width in (4, 4, 2)]
    result = attend(X, *W, mask="causal")
    sentences = set()
    for row, column in np.ndindex(3, 3):
        for thousandth in range(1001):
            typed = Answer(thousandth / 1000, 3)
            for message in likely_mistakes(result, 0, "weights", row, column, typed):
                sentences.add(str(message))
    assert "The mask came after the softmax." in sentences
    assert "K was not transposed." not in sentences
    assert "V was taken for K." not in sentences


def test_k_not_transposed_and_v_for_k_where_they_can_be_done() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(3, 3))
    W = rng.normal(size=(3, 3, 3))
    result = attend(X, *W)
    Q, K, V = (X @ each for each in W)
    for wrong, sentence in ((Q @ K, "K was not transposed."), (Q @ V.T, "V was taken for K.")):
        typed = answer(f"{wrong[1, 2] / math.sqrt(3):.5f}")
        found = likely_mistakes(result, 0, "scores", 1, 2, typed)
        assert [str(message) for message in found] == [sentence]
