"""What is said to a prediction, for each kind and every number that can be asked for."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.app.lessons.asking import asked
from explorer.lessons.readings import number
from explorer.lessons.schema import Predict, Reading
from explorer.resources import example
from explorer.session import read_scene, resolve
from explorer.session.lesson import Question, Verdict
from explorer.text import display_number
from tests.kinds import KINDS, with_options

FRAME = resolve(read_scene(example("cat-likes-fish.json")))
ALL = resolve(with_options(KINDS["everything"], mask="none"))
NUMBERS = [
    *(Reading(value, query="cat", key="fish") for value in ("raw", "scores", "weights")),
    *(Reading(value, query="fish", column=1) for value in ("X", "P", "X + P", "Q")),
    *(Reading(value, key="fish", column=1) for value in ("K", "V")),
    *(Reading(value, query="fish", column=2) for value in ("output", "head output")),
    *(Reading(value, row=2, column=1) for value in ("Wq", "Wk", "Wv", "Wo")),
    *(Reading(value, column=1) for value in ("bq", "bk", "bv", "bo")),
]


def said(predict: Predict, given: str, frame=ALL, after=None) -> Question:
    return asked(predict, frame, after or frame, given, "en")


@pytest.mark.parametrize("of", NUMBERS, ids=lambda of: of.value)
def test_every_number_can_be_asked_for(of: Reading) -> None:
    value = number(of, ALL)
    predict = Predict("value", of)
    assert said(predict, "").verdict is Verdict.OPEN
    assert said(predict, f"{value:.3f}").verdict is Verdict.RIGHT
    assert said(predict, f"{value + 0.3:.3f}").verdict is Verdict.WRONG
    if abs(value) > 0.01:
        wrong = said(predict, f"{-value:.4f}")
        assert f"No: it is {display_number(value, 3)}." in wrong.said
        assert "The sign is wrong." in wrong.said


def test_outputs_of_one_head_without_wo_name_mistakes_too() -> None:
    result = FRAME.attention
    shares = np.exp(result.raw[0]) / np.exp(result.raw[0]).sum(axis=1, keepdims=True)
    wrong = (shares @ result.V[0])[0, 1]
    for value in ("output", "head output"):
        question = said(
            Predict("value", Reading(value, query="cat", column=2)), f"{wrong:.4f}", FRAME
        )
        assert "÷ √d was left out." in question.said


def test_of_keys_that_share_alike_any_is_right() -> None:
    predict = Predict("most", Reading("weights", query="likes"))
    for key in ("cat", "likes", "fish"):
        question = said(predict, key, FRAME)
        assert question.verdict is Verdict.RIGHT
        assert question.said == f"Right: {key} gets 0.272."
    assert said(predict, "cloud", FRAME).verdict is Verdict.WRONG


def test_the_largest_score_can_be_asked_for() -> None:
    predict = Predict("most", Reading("raw", query="cloud"))
    assert said(predict, "cloud", FRAME).said == "Right: cloud gets 1.162."


def test_what_stays_the_same_is_neither_more_nor_less() -> None:
    predict = Predict("change", Reading("raw", query="cat", key="cloud"))
    for given in ("Larger", "Smaller"):
        assert said(predict, given, FRAME).verdict is Verdict.WRONG
