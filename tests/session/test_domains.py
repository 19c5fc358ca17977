"""Which weight has the full colour, and the longest bar."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.resources import example
from explorer.session import read_scene, resolve
from explorer.session.resolve import domain_of

SCENE = read_scene(example("cat-likes-fish.json"))


@pytest.mark.parametrize(
    ("largest", "domain"),
    [(0.0, 0.1), (0.83, 0.9), (0.3, 0.3), (0.07, 0.07), (0.0066, 0.007), (0.01, 0.01), (1.0, 1.0)],
)
def test_the_largest_weight_is_rounded_up_to_its_first_digit(largest: float, domain: float) -> None:
    assert domain_of(largest) == domain


def test_the_weights_of_256_tokens_use_the_colours() -> None:
    X = np.random.default_rng(1).uniform(-1, 1, (256, 2))
    frame = resolve(SCENE.replace(X=X, tokens=tuple(f"t{n}" for n in range(256))))
    assert frame.weights.max() < 0.05
    assert frame.weights.max() > 0.5 * frame.weight_domain
