"""The field of a pair's attention: what `attend` gives with the token at each place, and fast."""

from __future__ import annotations

from time import process_time

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.attention import Variant, attend, field
from tests.attention.test_variants import shapes


@settings(max_examples=80, deadline=None)
@given(shapes, st.sampled_from(list(Variant)), st.booleans(), st.data())
def test_each_place_has_the_weight_that_attend_gives(arguments, variant, plain, data):
    if plain:
        arguments = {
            name: arguments[name] for name in ("X", "context", "mask") if name in arguments
        }
    attention = attend(**arguments, variant=variant, temperature=1.5)
    token = data.draw(st.integers(0, attention.queries - 1))
    query = data.draw(st.integers(0, attention.queries - 1))
    key = data.draw(st.integers(0, attention.keys - 1))
    head = data.draw(st.integers(0, attention.heads - 1))
    points = np.random.default_rng(1).normal(size=(5, attention.X.shape[1]))
    W = (arguments.get("Wq"), arguments.get("Wk"))
    b = {name: arguments.get(name) for name in ("bq", "bk")}
    tints = field(attention, *W, token, query, key, points, head, **b)
    for point, tint in zip(points, tints, strict=True):
        X = arguments["X"].copy()
        X[token] = point
        there = attend(**(arguments | {"X": X}), variant=variant, temperature=1.5)
        np.testing.assert_allclose(tint, there.weights[head, query, key], rtol=0, atol=1e-12)


def test_a_grid_is_tinted_well_within_a_frame():
    rng = np.random.default_rng(1)
    W = rng.normal(size=(2, 4, 2, 2))
    points = rng.normal(size=(3000, 2))
    for variant in Variant:
        attention = attend(rng.normal(size=(12, 2)), W[0], W[1], W[1], variant=variant)
        taken = []
        for _ in range(5):
            start = process_time()
            field(attention, W[0], W[1], 3, 3, 5, points)
            taken.append(process_time() - start)
        assert min(taken) < 1 / 60
