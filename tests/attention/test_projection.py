"""The plane that points are drawn in, against scikit-learn's PCA."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.decomposition import PCA

from explorer.attention import align, fit_projection

seeds = st.integers(0, 2**32 - 1)


def assert_orthonormal(projection):
    rows = projection.components
    np.testing.assert_allclose(rows @ rows.T, np.eye(len(rows)), rtol=0, atol=1e-12)


def cloud(rng, count, d):
    """Points with a clearly different spread along each axis, then turned at random."""
    turn, _ = np.linalg.qr(rng.normal(size=(d, d)))
    return rng.normal(size=(count, d)) * 2.0 ** -np.arange(d) @ turn + rng.normal(size=d)


@given(count=st.integers(4, 30), d=st.integers(3, 20), n=st.sampled_from([2, 3]),
       exponent=st.integers(-600, 600), seed=seeds)  # fmt: skip
@settings(max_examples=80, deadline=None)
def test_agrees_with_sklearn(count, d, n, exponent, seed):
    assume(d > n)
    points = cloud(np.random.default_rng(seed), count, d)
    pca = PCA(n, svd_solver="full").fit(points)
    ours = fit_projection(points * 2.0**exponent, n)  # a power of two changes no digit
    assert not ours.exact
    assert_orthonormal(ours)
    np.testing.assert_allclose(ours.explained, pca.explained_variance_ratio_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ours.mean, pca.mean_ * 2.0**exponent, rtol=1e-9)
    gaps = -np.diff(PCA(svd_solver="full").fit(points).explained_variance_ratio_[: n + 1])
    if gaps.min(initial=1.0) > 1e-3:  # else an axis is anyone's choice
        signs = np.sign((ours.components * pca.components_).sum(axis=1, keepdims=True))
        np.testing.assert_allclose(ours.components, signs * pca.components_, rtol=0, atol=1e-9)
        np.testing.assert_allclose(
            ours.project(points * 2.0**exponent) / 2.0**exponent,
            pca.transform(points) * signs.T,
            rtol=0,
            atol=1e-9,
        )


@given(d=st.integers(3, 12), n=st.sampled_from([2, 3]), extra=st.integers(0, 4), seed=seeds)
@settings(max_examples=40, deadline=None)
def test_few_and_many_points_are_fitted_alike(d, n, extra, seed):
    assume(d > n)
    points = cloud(np.random.default_rng(seed), d - 1, d)  # fewer points than dimensions
    few, many = fit_projection(points, n), fit_projection(np.vstack([points] * (2 + extra)), n)
    np.testing.assert_allclose(few.explained, many.explained, rtol=0, atol=1e-9)
    np.testing.assert_allclose(few.mean, many.mean, rtol=0, atol=1e-12)
    assert few.explained.sum() <= 1 + 1e-12


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("count", [1, 2, 5, 40])
@pytest.mark.parametrize("d", [1, 2, 3, 4, 9])
def test_degenerate_points_get_a_view_all_the_same(count, d, n):
    rng = np.random.default_rng(d)
    line = np.outer(np.arange(count), rng.normal(size=d)) + 0.1
    for points in (line, np.full((count, d), 0.1), np.zeros((count, d))):
        view = fit_projection(points, n)
        assert view.components.shape == (n, d)
        assert view.exact == (d <= n)
        if d >= n:
            assert_orthonormal(view)
        assert view.explained.sum() == pytest.approx(1.0)
        assert np.all(view.explained >= 0)
        # Nothing is lost, so distances are kept.
        drawn = view.project(points)
        np.testing.assert_allclose(
            np.linalg.norm(drawn - drawn[0], axis=1),
            np.linalg.norm(points - points[0], axis=1),
            rtol=0,
            atol=1e-12,
        )


def test_two_dimensions_are_drawn_as_they_are():
    points = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0], [-0.8, 0.9]])
    view = fit_projection(points)
    assert view.exact
    assert np.array_equal(view.project(points), points)
    assert np.array_equal(view.lift([0.25, -1.0]), [0.25, -1.0])
    np.testing.assert_allclose(view.explained, points.var(axis=0) / points.var(axis=0).sum())


def test_one_dimension_lies_on_the_x_axis():
    view = fit_projection([[3.0], [-1.0]])
    assert view.exact
    assert view.project([[3.0], [-1.0]]).tolist() == [[3.0, 0.0], [-1.0, 0.0]]
    assert view.lift([0.5, 7.0]).tolist() == [0.5]
    assert view.explained.tolist() == [1.0, 0.0]


@given(d=st.integers(1, 8), n=st.sampled_from([2, 3]), seed=seeds)
@settings(max_examples=40, deadline=None)
def test_a_lifted_move_is_the_move_in_the_view_and_nothing_else(d, n, seed):
    rng = np.random.default_rng(seed)
    points, delta = rng.normal(size=(7, d)), rng.normal(size=(7, n))
    view = fit_projection(points, n)
    delta[:, d:] = 0  # there is nothing to move along
    moved = view.project(points + view.lift(delta))
    np.testing.assert_allclose(moved, view.project(points) + delta, rtol=0, atol=1e-12)
    lengths = np.linalg.norm(view.lift(delta), axis=1)
    np.testing.assert_allclose(lengths, np.linalg.norm(delta, axis=1), rtol=0, atol=1e-12)


def test_any_leading_axes_are_projected():
    points = np.random.default_rng(0).normal(size=(2, 3, 5, 4))
    view = fit_projection(points.reshape(-1, 4), 3)
    assert view.project(points).shape == (2, 3, 5, 3)
    assert view.lift(np.ones((6, 3))).shape == (6, 4)
    np.testing.assert_allclose(view.project(points)[1, 2, 4], view.project(points[1, 2, 4]))


def test_the_largest_entry_of_an_axis_is_positive():
    points = cloud(np.random.default_rng(3), 9, 6)
    for axis in fit_projection(points, 3).components:
        assert axis[np.abs(axis).argmax()] > 0
    assert np.array_equal(fit_projection(points).components, fit_projection(points).components)


@given(d=st.integers(3, 9), n=st.sampled_from([2, 3]), count=st.integers(5, 12), seed=seeds)
@settings(max_examples=60, deadline=None)
def test_aligning_undoes_any_turn_or_flip_of_the_view(d, n, count, seed):
    assume(d > n)
    rng = np.random.default_rng(seed)
    points = cloud(rng, count, d)
    fresh = fit_projection(points, n)
    turn, _ = np.linalg.qr(rng.normal(size=(n, n)))
    turned = type(fresh)(
        fresh.mean + fresh.lift(rng.normal(size=n)), turn @ fresh.components, fresh.explained, False
    )
    aligned = align(fresh, turned)
    np.testing.assert_allclose(aligned.project(points), turned.project(points), rtol=0, atol=1e-12)


@given(d=st.integers(3, 9), n=st.sampled_from([2, 3]), count=st.integers(5, 12), seed=seeds)
@settings(max_examples=60, deadline=None)
def test_an_aligned_view_shows_the_same_plane_and_says_so(d, n, count, seed):
    assume(d > n)
    rng = np.random.default_rng(seed)
    before, after = cloud(rng, count, d), cloud(rng, count, d)
    previous, fresh = fit_projection(before, n), fit_projection(after, n)
    aligned = align(fresh, previous)
    assert_orthonormal(aligned)
    # The same plane: both take a point of the full space to the same nearest point of it.
    for one in (fresh, aligned):
        nearest = one.mean + one.lift(one.project(before))
        np.testing.assert_allclose(
            nearest, fresh.mean + fresh.lift(fresh.project(before)), rtol=0, atol=1e-12
        )
    # The ratios are those of the points as drawn now.
    drawn = aligned.project(after)
    variance = drawn.var(axis=0) / after.var(axis=0).sum()
    np.testing.assert_allclose(aligned.explained, variance, rtol=0, atol=1e-10)
    assert aligned.explained.sum() == pytest.approx(fresh.explained.sum(), rel=1e-12)
    # No other turn within the plane is closer to the previous axes.
    closest = np.linalg.norm(aligned.components - previous.components)
    for _ in range(20):
        turn, _ = np.linalg.qr(rng.normal(size=(n, n)))
        other = np.linalg.norm(turn @ aligned.components - previous.components)
        assert closest <= other + 1e-12


def test_a_small_change_moves_an_aligned_cloud_little():
    # Two spreads nearly alike: a fresh fit swaps its axes when they cross.
    rng = np.random.default_rng(1)
    directions, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    corners = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 0.1]])
    before = corners * [1.001, 1.0, 1.0] @ directions
    after = corners * [1.0, 1.001, 1.0] @ directions
    previous, fresh = fit_projection(before), fit_projection(after)
    drawn = previous.project(before)
    assert np.abs(fresh.project(after) - drawn).max() > 0.5
    assert np.abs(align(fresh, previous).project(after) - drawn).max() < 0.01


def test_nothing_is_aligned_across_widths():
    wide, plane = (fit_projection(np.random.default_rng(0).normal(size=(6, d))) for d in (4, 2))
    assert align(wide, plane) is wide
    assert align(plane, wide) is plane
    assert align(plane, plane) is plane


def test_a_projection_is_read_only_and_leaves_its_points_alone():
    points = np.random.default_rng(0).normal(size=(6, 4))
    before = points.copy()
    view = fit_projection(points)
    for one in (view, align(view, fit_projection(points[:5]))):
        arrays = (one.mean, one.components, one.explained, one.project(points), one.lift([1, 0]))
        assert not any(array.flags.writeable for array in arrays)
    assert np.array_equal(points, before)
