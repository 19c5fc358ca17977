"""Distances, angles, feet of perpendiculars and hulls."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from explorer.attention import angle, convex_hull, distance, foot

entries = st.floats(-100, 100).map(lambda x: round(x, 3))
vectors = arrays(np.float64, 3, elements=entries)


@given(q=vectors, k=vectors)
@settings(max_examples=80, deadline=None)
def test_angle_and_foot_belong_to_the_dot_product(q, k):
    assume(q.any() and k.any())
    degrees, point = angle(q, k), foot(k, q)
    lengths = np.linalg.norm(q) * np.linalg.norm(k)
    assert 0 <= degrees <= 180
    assert lengths * math.cos(math.radians(degrees)) == pytest.approx(q @ k, abs=1e-12 * lengths)
    assert point @ q == pytest.approx(k @ q, rel=0, abs=1e-12 * lengths)
    assert np.linalg.norm(np.cross(point, q)) <= 1e-12 * lengths
    assert distance(point, k) == pytest.approx(
        np.linalg.norm(k) * math.sin(math.radians(degrees)), abs=1e-9
    )


@pytest.mark.parametrize(
    ("q", "k", "degrees"),
    [
        ([1, 0], [0, 2], 90),
        ([1, 1], [3, 3], 0),
        ([1, 2, 3], [-1, -2, -3], 180),
        ([1, 0], [1, 1], 45),
        ([1e200, 1e200], [1e-200, 0], 45),
        ([5], [-1], 180),
    ],
)
def test_known_angles(q, k, degrees):
    assert angle(q, k) == pytest.approx(degrees, abs=1e-12)


def test_a_tiny_angle_is_not_lost():
    assert math.radians(angle([1, 0], [1, 1e-12])) == pytest.approx(1e-12, rel=1e-9)


def test_zero_has_no_angle_and_no_line():
    assert angle([0, 0], [1, 0]) is None
    assert angle([1, 0], [0, -0.0]) is None
    assert foot([1, 2], [0, 0]) is None
    assert foot([0, 0], [1, 2]).tolist() == [0, 0]


def test_a_foot():
    assert foot([-0.62, 0.74], [1, 0]).tolist() == [-0.62, 0]
    np.testing.assert_allclose(foot([2, 0], [5, 5]), [1, 1], rtol=1e-15)


def test_distances():
    assert distance([0, 0], [3, 4]) == 5
    assert distance([3e200, 0], [0, 4e200]) == pytest.approx(5e200)


@pytest.mark.parametrize("measure", [distance, angle, foot])
def test_vectors_of_different_length_are_refused(measure):
    with pytest.raises(ValueError, match=r"\((1|2),\) and . \((1|2),\) must be equally long\."):
        measure([1.0], [1.0, 2.0])


def cross(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


# Few whole coordinates: repeated points and points on one line are the rule, and sums are exact.
grid = st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=25)


@given(points=grid)
@settings(max_examples=150, deadline=None)
def test_hull_is_strictly_convex_holds_every_point_and_is_made_of_them(points):
    hull = [tuple(corner) for corner in convex_hull(points).tolist()]
    assert len(set(hull)) == len(hull)
    assert set(hull) <= set(points)
    assert hull[0] == min(points)
    if len(hull) >= 3:
        for i, a in enumerate(hull):
            b, c = hull[(i + 1) % len(hull)], hull[(i + 2) % len(hull)]
            assert cross(a, b, c) > 0
            assert all(cross(a, b, point) >= 0 for point in points)
    else:
        assert hull == sorted({min(points), max(points)})
        assert all(cross(hull[0], hull[-1], point) == 0 for point in points)


@given(points=arrays(np.float64, (12, 2), elements=st.floats(-1, 1)), seed=st.integers(0, 9))
@settings(max_examples=60, deadline=None)
def test_hull_does_not_depend_on_the_order_of_the_points(points, seed):
    shuffled = np.random.default_rng(seed).permutation(points)
    assert np.array_equal(convex_hull(points), convex_hull(shuffled))


def test_hulls_of_few_points():
    assert convex_hull([[1, 2]]).tolist() == [[1, 2]]
    assert convex_hull([[1, 2], [1, 2]]).tolist() == [[1, 2]]
    assert convex_hull([[1, 2], [0, 5]]).tolist() == [[0, 5], [1, 2]]
    assert convex_hull([[0, 0], [2, 2], [1, 1]]).tolist() == [[0, 0], [2, 2]]
    assert convex_hull([[0.0, 1], [-0.0, 1]]).shape == (1, 2)
    assert not convex_hull([[1, 2]]).flags.writeable


def test_a_hull_is_of_points_in_the_plane():
    with pytest.raises(ValueError, match=r"^points must have two columns"):
        convex_hull(np.ones((4, 3)))
