"""What the lessons about the shipped model say is what the model does."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

from explorer.models import load
from explorer.models.next_token import next_tokens
from explorer.resources import example, resource
from explorer.session import compute, read_scene

REPEATED = "Mary met John and Mary met"
GIFT = "When Mary and John went to the shop, John gave a drink to"


@cache
def model():
    return load(example("stories"))


def expected(text: str, *off: tuple[int, int]) -> dict[str, float]:
    """Return the likeliest next tokens with their probabilities, some heads off."""
    rows = next_tokens(model().run(text=text, off=set(off))).rows
    return {row.text.strip(): row.probability for row in rows}


@pytest.mark.parametrize(
    ("name", "text", "layer", "head"),
    [
        ("previous-token-head", REPEATED, 3, 1),
        ("induction-head", REPEATED, 4, 4),
        ("name-carrying-head", GIFT, 4, 2),
        ("repeated-name-head", GIFT, 3, 3),
    ],
)
def test_the_scenes_are_the_model_s_heads(name: str, text: str, layer: int, head: int) -> None:
    scene = read_scene(resource("lessons") / f"{name}.json")
    run = model().run(text=text)
    assert scene.key_tokens == ("start", *run.tokens[1:])
    weights = run.head(layer, head).weights[-len(scene.tokens) :]
    np.testing.assert_allclose(compute(scene).weights[0], weights, atol=1e-4)


def test_what_is_said_of_heads_that_are_off_is_so() -> None:
    told = {
        "31-a-head-that-looks-back": [
            expected(REPEATED)["John"],
            expected(REPEATED, (4, 4))["in"],
            float(model().run(text=REPEATED, off={(3, 1)}).head(4, 4).weights[-1, 3]),
        ],
        "32-who-gave-what-to-whom": [
            expected(GIFT)["Mary"],
            expected(GIFT, (4, 2))["Kate"],
            expected(GIFT, (3, 3), (4, 1))["John"],
            expected(GIFT, (3, 3), (4, 1))["Mary"],
        ],
    }
    for name, shares in told.items():
        said = (resource("lessons") / f"{name}.toml").read_text("utf-8")
        quoted = set(re.findall(r"(\d+\.\d) %", said))
        assert quoted == {f"{100 * share:.1f}" for share in shares}
    assert next(iter(expected(REPEATED))) == "John"
    assert next(iter(expected(REPEATED, (4, 4)))) == "in"
    assert next(iter(expected(GIFT))) == "Mary"
    assert next(iter(expected(GIFT, (4, 2)))) == "Kate"
    assert next(iter(expected(GIFT, (3, 3), (4, 1)))) == "John"
    for alone in ((3, 3), (4, 1)):  # "each of the two changes little"
        assert expected(GIFT, alone)["Mary"] > 0.9
    run = model().run(text=GIFT)
    assert run.head(4, 1).weights[-1].argmax() == 10  # "looks there too"
