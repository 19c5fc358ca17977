"""The geometry of edges: quadratic curves between markers, their bends, ends and arrow heads.

All lengths are device pixels. An edge is worked out in a frame of its own: along the chord from its
start to its end, and across it. A control point `bend` chords off the middle then gives, at
parameter t, the place (t, 2 t (1 − t) bend) in chords, which makes every question a short formula.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

BENDS = np.array([0.0, 0.05, -0.05, 0.09, -0.09, 0.13, -0.13, 0.17, -0.17])
_CLEARANCE = 9.0  # px between an edge and a marker that is not its own
_APART = 26.0  # px between the middles of two edges
_SHORTEST = 10.0  # px of an arrow between its markers
_SAMPLES = np.linspace(0.12, 0.88, 9)
_BULGE = 17.0  # px at 100 % by which a loop stands out
_MOST_BENT = 24  # more edges than this are left straight: no bend would help


class Curves(NamedTuple):
    """E edges, trimmed to stop outside their markers.

    Parameters
    ----------
    points : ndarray, shape (E, 3, 2)
        Start, control and end of the visible curve, up to the base of the head.
    heads : ndarray, shape (E, 3, 2)
        Tip and base corners.
    clear : ndarray of bool, shape (E,)
        False where the markers are too close for an arrow: it then begins and ends beneath them.
    """

    points: Array
    heads: Array
    clear: NDArray[np.bool_]


class Loops(NamedTuple):
    """Edges between markers that touch: start, control and end, and heads, as in `Curves`."""

    points: Array
    heads: Array


def positions(start: Array, end: Array, bend: Array, t: Array) -> Array:
    """Return the places of edges at parameters t.

    start, end : (E, 2). bend : (E, ...) with any axes more. t : (n,). Returns (E, ..., n, 2).
    """
    chord = end - start
    across = np.stack([chord[:, 1], -chord[:, 0]], axis=1)
    extra = (1,) * (bend.ndim - 1)
    shape = (len(chord), *extra, 1, 2)
    side = 2 * t * (1 - t) * bend[..., None]
    return (
        start.reshape(shape)
        + t[:, None] * chord.reshape(shape)
        + side[..., None] * across.reshape(shape)
    )


def choose_bends(start: Array, end: Array, obstacles: Array, radii: Array) -> Array:
    """Return for each edge the smallest bend that keeps clear of other markers and edges, (E,).

    obstacles : (M, 2), centres of all markers, the edges' own among them. radii : (M,).
    """
    count = len(start)
    bends = np.zeros(count)
    if count == 0 or count > _MOST_BENT:
        return bends
    tried = positions(start, end, np.broadcast_to(BENDS, (count, len(BENDS))), _SAMPLES)
    gap = np.hypot(*np.moveaxis(tried[:, :, :, None] - obstacles, -1, 0))
    reach = radii + _CLEARANCE
    touch = np.clip((reach - gap) / reach, 0.0, None)
    own = (np.hypot(*np.moveaxis(start[:, None] - obstacles, -1, 0)) < 1.0) | (
        np.hypot(*np.moveaxis(end[:, None] - obstacles, -1, 0)) < 1.0
    )
    cost = np.where(own[:, None, None], 0.0, touch).max(axis=2).sum(axis=2) * 4.0
    cost += np.abs(BENDS) * 2.0
    # Greedy, the first edge first: each keeps its middle away from those already settled.
    middle = slice(2, 7)
    settled: list[Array] = []
    for i in range(count):
        row = cost[i]
        if settled:
            others = np.concatenate(settled)
            near = np.hypot(*np.moveaxis(tried[i][:, middle, None] - others, -1, 0))
            row = row + np.clip((_APART - near) / _APART, 0.0, None).max(axis=(1, 2))
        best = int(row.argmin())
        bends[i] = BENDS[best]
        settled.append(tried[i, best])
    return bends


def trimmed(
    start: Array, end: Array, bend: Array, width: Array, start_gap: Array, end_gap: Array
) -> Curves:
    """Return the visible parts of edges that stop `start_gap` and `end_gap` px from their ends.

    An arrow head is 1.7 widths long, at least 8 px, and at most 62 % of a short edge.
    """
    length = np.hypot(*(end - start).T)
    gaps = start_gap + end_gap
    clear = length - gaps >= _SHORTEST
    shrink = np.where(clear, 1.0, 0.4 * length / np.maximum(gaps, 1e-9))
    start_gap, end_gap = start_gap * shrink, end_gap * shrink
    free = length - gaps * shrink
    safe = np.maximum(length, 1e-9)
    head = np.minimum(np.maximum(8.0, 1.7 * width), 0.62 * free)
    first = _parameter(start_gap / safe, bend)
    tip = 1.0 - _parameter(end_gap / safe, bend)
    # The body ends a little inside the head, so that no seam shows between them.
    base = np.maximum(tip - head * 0.85 / safe, first)
    points = np.stack(_split(start, end, bend, first, base), axis=1)
    tips = _at(start, end, bend, tip)
    backs = _at(start, end, bend, np.maximum(tip - head / safe, 0.0))
    along = tips - backs
    along /= np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    half = np.maximum(head * 0.58, np.minimum(width * 0.75, head))[:, None]
    back = tips - along * head[:, None]
    heads = np.stack([tips, back + across * half, back - across * half], axis=1)
    return Curves(points, heads, clear)


def _parameter(gap: Array, bend: Array) -> Array:
    """Return the t at which a curve is `gap` chords from its start (two steps of iteration)."""
    t = gap / np.sqrt(1 + 4 * bend**2)
    return gap / np.sqrt(1 + 4 * (bend * (1 - t)) ** 2)


def _at(start: Array, end: Array, bend: Array, t: Array) -> Array:
    chord = end - start
    across = np.stack([chord[:, 1], -chord[:, 0]], axis=1)
    return start + t[:, None] * chord + (2 * t * (1 - t) * bend)[:, None] * across


def _split(start: Array, end: Array, bend: Array, a: Array, b: Array) -> tuple[Array, Array, Array]:
    """Return start, control and end of the part of a quadratic curve between t = a and t = b.

    The control point is the blossom at (a, b): a (1 − b) + b (1 − a) stands for 2 t (1 − t).
    """
    chord = end - start
    across = np.stack([chord[:, 1], -chord[:, 0]], axis=1)
    control = (
        start
        + ((a + b) / 2)[:, None] * chord
        + ((a * (1 - b) + b * (1 - a)) * bend)[:, None] * across
    )
    return _at(start, end, bend, a), control, _at(start, end, bend, b)


def looped(
    start: Array, end: Array, width: Array, gaps: Array, others: Array, scale: float
) -> Loops:
    """Return arrows that go out to one side and back, for markers too close for any other.

    Each takes the side that is farther from all others.

    start, end : (E, 2). width : (E,). gaps : (2, E), px to keep from start and end.
    others : (E, n, 2), places along edges, or at things, to be kept clear of.
    """
    chord = end - start
    length = np.hypot(*chord.T)[:, None]
    along = np.where(length > 1e-6, chord / np.maximum(length, 1e-9), (1.0, 0.0))
    across = np.stack([along[:, 1], -along[:, 0]], axis=1)
    reach = _BULGE * scale + gaps.max(axis=0)[:, None]
    sides = [
        np.hypot(*np.moveaxis(others - (start + end + 2 * way * reach)[:, None] / 2, -1, 0))
        for way in (across, -across)
    ]
    first_free, second_free = (side.min(axis=1, initial=np.inf) for side in sides)
    across = np.where((first_free >= second_free)[:, None], across, -across)
    # Out of the start and into the end at 60 degrees to the way between them.
    first = start + (across * 0.87 - along * 0.5) * gaps[0][:, None]
    tip = end + (across * 0.87 + along * 0.5) * gaps[1][:, None]
    control = (first + tip) / 2 + across * 2 * _BULGE * scale
    head = np.minimum(np.maximum(8.0, 1.7 * width), 24 * scale)[:, None]
    way = tip - control
    back = tip - way / np.maximum(np.hypot(*way.T), 1e-9)[:, None] * head
    side = np.stack([(tip - back)[:, 1], -(tip - back)[:, 0]], axis=1) * 0.58
    bodies = np.stack([first, control, back + (tip - back) * 0.15], axis=1)
    return Loops(bodies, np.stack([tip, back + side, back - side], axis=1))


def along(points: Array, heads: Array, t: Array) -> tuple[Array, Array]:
    """Return places along arrows, from the start to the tip, and directions of length 1 there.

    points, heads : (E, 3, 2), as in `Curves`. t : (n,). Both results (E, n, 2).
    """
    start, control, tip = points[:, None, 0], points[:, None, 1], heads[:, None, 0]
    u = t[:, None]
    at = (1 - u) ** 2 * start + 2 * u * (1 - u) * control + u**2 * tip
    way = (1 - u) * (control - start) + u * (tip - control)
    return at, way / np.maximum(np.hypot(way[..., 0], way[..., 1]), 1e-9)[..., None]
