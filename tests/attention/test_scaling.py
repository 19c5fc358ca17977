"""Why the scores are divided by √d, against slow references and torch's autograd."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from explorer.attention import (
    attend,
    entropy,
    gradient_size,
    histogram,
    random_trial,
    scene_trial,
)
from tests.attention.test_variants import shapes

torch.set_num_threads(1)

widths = st.integers(1, 512)
# Scores so far apart that a weight is nearly, or exactly, 1 are among them.
rows = st.lists(st.floats(-60, 60), min_size=1, max_size=12)


def slow_softmax(scores):
    largest = max(scores)
    if largest == -math.inf:
        return [0.0] * len(scores)
    powers = [math.exp(score - largest) for score in scores]
    return [power / math.fsum(powers) for power in powers]


def torch_gradient(scores):
    """The Frobenius norm of softmax's Jacobian, one derivative after the other."""
    jacobian = torch.autograd.functional.jacobian(
        lambda row: torch.softmax(row, -1), torch.tensor(scores, dtype=torch.float64)
    )
    return float(torch.linalg.matrix_norm(jacobian))


@given(rows)
def test_the_gradient_size_is_that_of_torchs_jacobian(scores):
    assert gradient_size(slow_softmax(scores)) == pytest.approx(torch_gradient(scores), abs=1e-14)


@given(rows)
def test_no_gradient_size_is_beyond_that_of_two_equal_weights(scores):
    assert gradient_size(slow_softmax(scores)) <= gradient_size([0.5, 0.5]) + 1e-15
    assert gradient_size([0.5, 0.5]) == pytest.approx(0.5)


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=40), st.floats(0.1, 20))
def test_every_number_lies_in_its_bar_and_all_bars_together_are_one(values, width):
    bars = histogram(values, width)
    counts = np.rint(bars.density * width * len(values))
    assert counts.sum() == len(values)
    np.testing.assert_allclose(np.diff(bars.edges), width)
    np.testing.assert_allclose(bars.edges / width + 0.5, np.rint(bars.edges / width + 0.5))
    for value in values:
        near = (bars.edges[:-1] <= value + 1e-9) & (value <= bars.edges[1:] + 1e-9)
        assert counts[near].sum() >= 1
    assert counts[0] > 0
    assert counts[-1] > 0


@pytest.mark.parametrize("gap", [1.0, 10.0, 40.0, 200.0])
def test_a_gradient_that_has_all_but_vanished_keeps_its_digits(gap):
    # Of two keys the Jacobian is p (1 − p) [1 −1; −1 1], whose norm is 2 p (1 − p).
    p, q = 1 / (1 + math.exp(-gap)), math.exp(-gap) / (1 + math.exp(-gap))
    assert gradient_size([p, q]) == pytest.approx(2 * p * q, rel=1e-12)
    assert gradient_size([q, p]) == pytest.approx(2 * p * q, rel=1e-12)


@given(rows)
def test_the_entropy_is_torchs_and_at_most_that_of_equal_weights(scores):
    p = slow_softmax(scores)
    theirs = torch.distributions.Categorical(probs=torch.tensor(p, dtype=torch.float64)).entropy()
    assert entropy(p) == pytest.approx(float(theirs), abs=1e-12)
    assert 0.0 <= entropy(p) <= math.log(len(p)) + 1e-12


def test_rows_are_measured_all_at_once_and_a_masked_row_has_nothing():
    table = np.array([[[0.5, 0.5], [1.0, 0.0]], [[0.25, 0.75], [0.0, 0.0]]])
    assert entropy(table).shape == gradient_size(table).shape == (2, 2)
    np.testing.assert_array_equal(entropy(table)[:, 1], 0.0)
    np.testing.assert_array_equal(gradient_size(table)[:, 1], 0.0)


def assert_measured(row, scores):
    """Fail where a row is not the softmax of its scores, or its measures are not that row's."""
    p = slow_softmax(scores)
    np.testing.assert_allclose(row.weights, p, rtol=0, atol=1e-13)
    told = -math.fsum(weight * math.log(weight) for weight in p if weight > 0)
    assert row.entropy == pytest.approx(told, abs=1e-11)
    assert row.largest == pytest.approx(max(p), abs=1e-13)
    finite = [score for score in scores if score > -math.inf]
    expected = torch_gradient(finite) if finite else 0.0
    assert row.gradient == pytest.approx(expected, abs=1e-12)


@given(widths)
def test_a_random_trial_measures_its_own_row(d):
    trial = random_trial(d)
    assert (trial.d, trial.keys) == (d, 8)
    assert_measured(trial.plain, trial.scores)
    assert_measured(trial.scaled, trial.scores / math.sqrt(d))


@given(widths)
def test_the_variance_of_random_dot_products_is_d(d):
    trial = random_trial(d)
    mean = math.fsum(trial.products) / len(trial.products)
    measured = math.fsum((value - mean) ** 2 for value in trial.products) / len(trial.products)
    assert trial.variance == pytest.approx(measured, rel=1e-12)
    # The standard error of a variance of N values is d √((2 + 6 / d) / N): within five of them.
    assert abs(trial.variance - d) < 5 * d * math.sqrt((2 + 6 / d) / len(trial.products))
    assert abs(mean) < 5 * math.sqrt(d / len(trial.products))


@given(st.integers(1, 511))
def test_one_component_more_adds_one_product_of_normals(d):
    added = random_trial(d + 1).products - random_trial(d).products
    # Of 2,048 products of two standard normals none is beyond 15, and their variance is near 1.
    assert np.abs(added).max() < 15
    assert np.var(added) == pytest.approx(1.0, abs=0.5)


def test_it_is_the_same_every_time_and_cannot_be_changed():
    one, two = random_trial(64), random_trial(64)
    np.testing.assert_array_equal(one.products, two.products)
    for array in (one.products, one.scores, one.plain.weights, one.curves.plain):
        assert not array.flags.writeable


def test_without_division_the_gradient_dies_and_with_it_the_gradient_stays():
    curves = random_trial(512).curves
    np.testing.assert_array_equal(curves.widths, np.arange(1, 513))
    np.testing.assert_allclose(curves.plain[0], curves.scaled[0])
    assert curves.plain[-1] < 0.2 * curves.plain[0]
    assert np.abs(curves.scaled - curves.scaled[0]).max() < 0.05
    long = random_trial(512)
    assert long.plain.largest > 0.99
    assert long.scaled.entropy > 1.0


def test_the_curves_are_means_over_rows_of_the_same_kind_as_the_one_shown():
    trial = random_trial(512)
    rng = np.random.default_rng(5)
    for place in (3, 63):
        d = place + 1
        scores = (rng.normal(size=(4000, 1, d)) * rng.normal(size=(4000, 8, d))).sum(axis=-1)
        fresh = [gradient_size(slow_softmax(row)) for row in scores]
        assert trial.curves.plain[place] == pytest.approx(np.mean(fresh), abs=0.05)


@pytest.mark.parametrize("d", [0, 513, -1])
def test_a_width_outside_is_refused(d):
    with pytest.raises(ValueError, match="d must be from 1 to 512"):
        random_trial(d)


@given(shapes, st.data())
def test_a_scenes_trial_is_what_attend_gives_with_and_without_the_scale(arguments, data):
    attention = attend(**(arguments | {"scale": 3.0}), temperature=1.7)
    head = data.draw(st.integers(0, attention.heads - 1))
    query = data.draw(st.integers(0, attention.queries - 1))
    trial = scene_trial(attention, query, head)

    assert trial.d == attention.d_k
    assert sorted(trial.products) == sorted(attention.raw[head].reshape(-1))
    assert trial.variance == pytest.approx(np.var(attention.raw[head]), abs=1e-12)
    for row, scale in ((trial.plain, "none"), (trial.scaled, "sqrt_dk")):
        there = attend(**(arguments | {"scale": scale}))
        np.testing.assert_allclose(row.weights, there.weights[head, query], rtol=0, atol=1e-14)
        assert_measured(row, list(there.scores[head, query]))
    visible = attention.keys if attention.mask is None else attention.mask[query].sum()
    assert trial.keys == visible


@given(shapes, st.data())
def test_a_scenes_curve_is_made_of_the_first_components(arguments, data):
    attention = attend(**arguments)
    query = data.draw(st.integers(0, attention.queries - 1))
    curves = scene_trial(attention, query).curves
    assert len(curves.widths) == attention.d_k
    visible = [
        key for key in range(attention.keys) if attention.mask is None or attention.mask[query, key]
    ]
    for place, d in enumerate(range(1, attention.d_k + 1)):
        q, k = attention.Q[0, query, :d], attention.K[0, :, :d]
        scores = [float(q @ k[key]) for key in visible]
        for sizes, divisor in ((curves.plain, 1.0), (curves.scaled, math.sqrt(d))):
            expected = torch_gradient([s / divisor for s in scores]) if scores else 0.0
            assert sizes[place] == pytest.approx(expected, abs=1e-12)


def test_numbers_whose_squares_are_beyond_float64_have_no_finite_variance():
    trial = scene_trial(attend([[1e100], [-1e100]], scale=1e50), 0)
    assert trial.variance == math.inf
    assert trial.plain.largest == 1.0
    assert trial.plain.gradient == 0.0


def test_one_token_has_no_variance_and_nothing_to_decide():
    trial = scene_trial(attend([[0.0, 0.0]]), 0)
    assert (trial.variance, trial.plain.entropy, trial.plain.largest) == (0.0, 0.0, 1.0)
    assert trial.plain.gradient == 0.0
