"""Position: the published formula, and what order has to do with it."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.attention import attend, sinusoidal


@given(T=st.integers(1, 20), d=st.integers(1, 13))
def test_sines_on_even_columns_and_cosines_on_odd_ones(T, d):
    P = sinusoidal(T, d)
    assert P.shape == (T, d)
    assert not P.flags.writeable
    for t in range(T):
        for i in range(0, d, 2):
            angle = t / 10000 ** (i / d)
            assert math.isclose(P[t, i], math.sin(angle), abs_tol=1e-15)
            if i + 1 < d:
                assert math.isclose(P[t, i + 1], math.cos(angle), abs_tol=1e-15)


def test_the_first_position_is_zeros_and_ones():
    np.testing.assert_array_equal(sinusoidal(2, 5)[0], [0, 1, 0, 1, 0])


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(3, 7), st.integers(2, 6))
def test_shuffled_tokens_give_shuffled_outputs_but_for_position_and_causal_mask(seed, T, d):
    rng = np.random.default_rng(seed)
    X, W = rng.normal(size=(T, d)), rng.normal(size=(3, 2, d, 2))
    order = rng.permutation(T)
    while np.array_equal(order, np.arange(T)):
        order = rng.permutation(T)
    P = sinusoidal(T, d)
    visible = rng.random((T, T)) < 0.6

    def difference(position, mask, shuffled_mask):
        before, after = (
            attend(rows + position, *W, mask=seen).output
            for rows, seen in ((X, mask), (X[order], shuffled_mask))
        )
        return np.abs(after - before[order]).max()

    assert difference(0, "none", "none") < 1e-12
    assert difference(0, visible, visible[np.ix_(order, order)]) < 1e-12
    assert difference(P, "none", "none") > 1e-9
    assert difference(0, "causal", "causal") > 1e-9
