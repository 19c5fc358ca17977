"""Plain geometry of vectors and points, safe from overflow at any float64 the program holds."""

import math

import numpy as np
from numpy.typing import ArrayLike

from explorer.attention.arrays import Floats, floats, read_only


def distance(a: ArrayLike, b: ArrayLike) -> float:
    """The Euclidean distance of the points `a` and `b`, both of shape (d,)."""
    return math.dist(*_pair("a", a, "b", b))


def angle(q: ArrayLike, k: ArrayLike) -> float | None:
    """The angle between the vectors `q` and `k` in degrees, 0 to 180; None if one is zero.

    q, k : (d,). By Kahan's formula, which unlike the arc cosine keeps its digits near 0 and 180.
    """
    a, b = map(_unit, _pair("q", q, "k", k))
    if a is None or b is None:
        return None
    return math.degrees(2.0 * math.atan2(math.hypot(*(a - b)), math.hypot(*(a + b))))


def foot(k: ArrayLike, q: ArrayLike) -> Floats | None:
    """The foot of the perpendicular from `k` to the line through 0 and `q`; None if q is zero.

    k, q : (d,). The foot is (k · q / ‖q‖²) q.
    """
    vector, line = _pair("k", k, "q", q)
    direction = _unit(line)
    return None if direction is None else read_only((vector @ direction) * direction)


def convex_hull(points: ArrayLike) -> Floats:
    """The corners of the convex hull of `points`, counter-clockwise from the leftmost.

    points : (N, 2). Returns (M, 2): points on an edge and repeated points are left out, so that
    points on one line give the line's two ends, and equal points give one. Andrew's monotone
    chain (1979).
    """
    array = floats("points", points, 2)
    if array.shape[1] != 2:
        raise ValueError(f"points must have two columns, but its shape is {array.shape}.")
    ordered = sorted({(x, y) for x, y in array.tolist()})
    if len(ordered) > 2:
        # Each chain ends where the other begins.
        ordered = _chain(ordered)[:-1] + _chain(ordered[::-1])[:-1]
    return read_only(np.array(ordered))


def _chain(ordered: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The corners met from the first to the last point when only left turns are taken."""
    chain: list[tuple[float, float]] = []
    for x, y in ordered:
        while len(chain) >= 2:
            (ax, ay), (bx, by) = chain[-2:]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                break
            chain.pop()
        chain.append((x, y))
    return chain


def _pair(a_name: str, a: ArrayLike, b_name: str, b: ArrayLike) -> tuple[Floats, Floats]:
    first, second = floats(a_name, a, 1), floats(b_name, b, 1)
    if first.shape != second.shape:
        raise ValueError(
            f"{a_name} {first.shape} and {b_name} {second.shape} must be equally long."
        )
    return first, second


def _unit(vector: Floats) -> Floats | None:
    """The vector at length 1, or None for zero."""
    largest = float(np.abs(vector).max(initial=0.0))
    if largest == 0.0:
        return None
    scaled = vector / largest  # numbers near the smallest there are have few digits left
    return scaled / math.hypot(*scaled)
