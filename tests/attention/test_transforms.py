"""W as a transformation of the plane: sliders that make it and follow it, turns, areas."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from explorer.attention.transforms import (
    Effect,
    Movement,
    area,
    compose,
    decompose,
    rotation,
    singular_values,
    turns,
)

squares = arrays(np.float64, (2, 2), elements=st.floats(-10, 10).map(lambda x: round(x, 3)))
angles = st.floats(-179, 180)
stretches = st.floats(0.05, 5).flatmap(lambda x: st.sampled_from([x, -x]))


def test_the_parts_are_multiplied_in_the_row_convention():
    movement = Movement(rotation=90, stretch_x=2, stretch_y=-3, shear=0.5)
    expected = np.diag([2, -3]) @ [[1, 0], [0.5, 1]] @ [[0, 1], [-1, 0]]
    np.testing.assert_allclose(compose(movement), expected, atol=1e-15)
    np.testing.assert_allclose([1, 0] @ rotation(30), [3**0.5 / 2, 0.5], atol=1e-15)


@settings(max_examples=200)
@given(squares)
def test_the_sliders_make_w(W):
    movement = decompose(W)
    assert movement.stretch_x >= 0
    if movement.exact:
        np.testing.assert_allclose(compose(movement), W, atol=1e-9)
    else:
        assert area(W).effect is Effect.FLATTENED
        np.testing.assert_allclose(compose(movement)[0], W[0], atol=1e-9)
        assert W[1].any()


@given(angles, stretches, stretches, st.floats(-3, 3))
def test_sliders_stay_where_they_were_put(angle, x, y, shear):
    put = Movement(angle, x, y, shear)
    assert decompose(compose(put), put) is put


@settings(max_examples=150)
@given(angles, stretches, stretches, st.floats(-3, 3), st.integers(0, 2**32 - 1))
def test_sliders_follow_a_small_edit_without_a_jump(angle, x, y, shear, seed):
    before = Movement(angle, x, y, shear)
    W = compose(before)
    edited = W + 1e-6 * np.random.default_rng(seed).normal(size=(2, 2))
    after = decompose(edited, before)
    np.testing.assert_allclose(compose(after), edited, atol=1e-12)
    # An image of x of length 0.05 turns by 1e-4 at most, and the image of y is up to 15 long.
    turned = (after.rotation - before.rotation + 180) % 360 - 180
    assert abs(turned) < 0.1
    assert abs(after.stretch_x - before.stretch_x) < 1e-4
    assert abs(after.stretch_y - before.stretch_y) < 5e-3
    assert abs(after.shear - before.shear) < 0.01


@pytest.mark.parametrize("of", ["stretch_x", "stretch_y"])
def test_a_stretch_goes_through_zero_without_a_jump(of):
    movement = Movement(25.0, 1.0, 1.0, 0.4)
    for value in (0.5, 0.0, -0.5, -1.0):
        parts = {"rotation": 25.0, "stretch_x": 1.0, "stretch_y": 1.0, "shear": 0.4, of: value}
        movement = decompose(compose(Movement(**parts)), movement)
        assert movement.exact
        for name, wanted in parts.items():
            assert getattr(movement, name) == pytest.approx(wanted, abs=1e-9)


def test_a_flattened_w_without_a_shear_says_so():
    movement = decompose([[1.0, 2.0], [2.0, 4.0]])
    assert not movement.exact
    assert movement.stretch_y == 0
    assert decompose(np.zeros((2, 2))) == Movement(0.0, 0.0, 0.0, 0.0)
    assert decompose([[0, 0], [0, 2]]) == Movement(0.0, 0.0, 2.0, 0.0)


@settings(max_examples=200)
@given(squares)
def test_every_w_is_a_turn_a_stretch_and_a_turn(W):
    parts = turns(W)
    made = rotation(parts.first) @ np.diag([parts.along, parts.across]) @ rotation(parts.second)
    np.testing.assert_allclose(made, W, atol=1e-9)
    assert parts.along >= abs(parts.across)
    assert -90 < parts.first <= 90
    np.testing.assert_allclose(singular_values(W), [parts.along, abs(parts.across)], atol=1e-12)
    assert parts.along * parts.across == pytest.approx(area(W).factor, abs=1e-9)


def test_a_plain_turn_is_one_turn():
    parts = turns(rotation(30) * 2)
    assert (parts.first, parts.along, parts.across) == (0.0, pytest.approx(2), pytest.approx(2))
    assert parts.second == pytest.approx(30)


@pytest.mark.parametrize(
    ("W", "factor", "effect"),
    [
        ([[2, 0], [0, 3]], 6, Effect.KEPT),
        ([[0, 1], [1, 0]], -1, Effect.FLIPPED),
        ([[1, 2], [2, 4]], 0, Effect.FLATTENED),
        ([[1, 0], [0, 1e-7]], 1e-7, Effect.FLATTENED),
        ([[1e-9, 0], [0, 1e-9]], 1e-18, Effect.KEPT),
    ],
)
def test_areas(W, factor, effect):
    found = area(W)
    assert found.effect is effect
    assert found.factor == pytest.approx(factor)


def test_larger_matrices_have_singular_values_alone():
    W = np.arange(12.0).reshape(3, 4)
    squares_of_them = np.linalg.eigvalsh(W @ W.T)[::-1].clip(0)
    np.testing.assert_allclose(singular_values(W), np.sqrt(squares_of_them), atol=1e-6)
    with pytest.raises(ValueError, match="2 × 2"):
        decompose(W)


@pytest.mark.parametrize("degrees", range(-180, 181, 5))
def test_a_mere_turn_has_no_shear_at_all(degrees: int) -> None:
    turn = math.radians(degrees)
    W = [[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]]
    assert decompose(W).shear == 0.0
