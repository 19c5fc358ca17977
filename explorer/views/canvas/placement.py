"""Where labels and chips go: the best of a few places, judged by what they would cover.

Everything is a plain function of rectangles (left, top, right, bottom) in device pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.views.canvas.drawing import Rect

Array = NDArray[np.float64]

# Penalties; the order of the candidates decides between places that cover nothing.
_OUTSIDE = 40.0
_COVERS = 20.0
_ON_EDGE = 3.0
_ON_GHOST = 2.5
_LATER = 0.2

_FREE = -1
CHIP_STEPS = (0.5, 0.4, 0.6, 0.3, 0.7)


class Surroundings(NamedTuple):
    """What labels and chips must not cover.

    Parameters
    ----------
    inside : Rect
        Where everything has to stay.
    boxes : ndarray, shape (B, 4)
        Markers and other fixed things.
    ghosts : ndarray, shape (G, 4)
        Things that are covered rather than another edge, but not gladly.
    dots : ndarray, shape (E, n, 2)
        Places along each edge.
    reach : ndarray, shape (E,)
        Half of each edge's width.
    """

    inside: Rect
    boxes: Array
    ghosts: Array
    dots: Array
    reach: Array


class Anchor(NamedTuple):
    """A marker to be labelled: its place, its half size, and the label's width and height.

    One that is not `required` is left out where it would cover something.
    """

    x: float
    y: float
    reach: float
    width: float
    height: float
    required: bool = True


class Placed(NamedTuple):
    """The place that a label took: its number, or None where it is left out."""

    number: int | None
    rect: Rect


def _label_places(anchor: Anchor, scale: float) -> Array:
    """Return the rectangles tried for a label, the favourite first, shape (8, 4)."""
    x, y, reach, w, h, _required = anchor
    right, left = x + reach + 9 * scale, x - reach - 9 * scale - w
    lift, drop = y - h / 2 - 11 * scale, y - h / 2 + 14 * scale
    above, below = y - reach - h - 3 * scale, y + reach + 3 * scale
    corners = np.array(
        [
            (right, lift),
            (x - w / 2, above),
            (right, drop),
            (x - w / 2, below),
            (left, lift),
            (left, drop),
            (right - 6 * scale, above),
            (left + 6 * scale, below),
        ]
    )
    return np.hstack([corners, corners + np.array([w, h])])


def place_labels(
    anchors: Sequence[Anchor],
    around: Surroundings,
    scale: float,
    keep: Sequence[int | None],
) -> list[Placed]:
    """Return the place of each label; those that keep theirs are heeded by all others.

    keep : for each label the number of the place to keep (None: left out), or −1 to choose.
    """
    chosen: dict[int, Placed] = {}
    taken: list[Rect] = []
    for n in sorted(range(len(anchors)), key=lambda n: (keep[n] == _FREE, not anchors[n].required)):
        anchor, number = anchors[n], keep[n]
        places = _label_places(anchor, scale)
        if number == _FREE or (number is None and anchor.required):
            cost = place_cost(places, around, taken)
            best = int(cost.argmin())
            number = best if anchor.required or cost[best] < _COVERS else None
        left, top, right, bottom = places[number or 0].tolist()
        chosen[n] = Placed(number, (left, top, right, bottom))
        if number is not None:
            taken.append(chosen[n].rect)
    return [chosen[n] for n in range(len(anchors))]


def chip_places(
    dots: Array, at: Array, width: Array | float, height: float, clear: Array | float
) -> Array:
    """Return the rectangles tried for edges' chips, the favourite first, shape (…, 25, 4).

    First upon the edge at each of `CHIP_STEPS`, then on either side of it, then farther away.

    Parameters
    ----------
    dots, at : ndarray, shape (…, 5, 2)
        The edges at `CHIP_STEPS`, and their directions there (of length 1).
    width, clear : ndarray, shape (…), or float
        The chips' widths; half the edges' widths and a little air.
    """
    half = np.stack(np.broadcast_arrays(width, height), axis=-1)[..., None, :] / 2
    across = np.stack([-at[..., 1], at[..., 0]], axis=-1)
    # How far a box has to move along `across` until it no longer touches the edge.
    reach = (np.abs(across) * half).sum(axis=-1) + np.asarray(clear)[..., None]
    side = across * reach[..., None]
    ways = (0.0, 1.0, -1.0, 2.0, -2.0)
    centres = np.concatenate([dots + way * side for way in ways], axis=-2)
    return np.concatenate([centres - half, centres + half], axis=-1)


def place_chip(
    places: Array, around: Surroundings, own: int, crowded: bool, taken: Sequence[Rect]
) -> tuple[int, float]:
    """Return the number of the best place for a chip and what it costs there.

    Parameters
    ----------
    own : int
        Which of `around.dots` is the chip's own edge.
    crowded : bool
        Whether the edge is so short that a chip upon it would hide it.
    """
    others = around._replace(
        dots=np.delete(around.dots, own, axis=0), reach=np.delete(around.reach, own)
    )
    cost = place_cost(places, others, taken)
    if crowded:
        cost[: len(CHIP_STEPS)] += _COVERS / 2
    cost[len(CHIP_STEPS) :] += 1.0  # beside the edge only where upon it is worse
    best = int(cost.argmin())
    return best, float(cost[best])


def place_cost(places: Array, around: Surroundings, taken: Sequence[Rect] = ()) -> Array:
    """Return what each of the rectangles (n, 4) would cover, as a penalty; early ones cost less."""
    cost = np.arange(len(places), dtype=np.float64) * _LATER
    left, top, right, bottom = around.inside
    out = (
        (places[:, 0] < left)
        | (places[:, 1] < top)
        | (places[:, 2] > right)
        | (places[:, 3] > bottom)
    )
    cost += out * _OUTSIDE
    boxes = np.concatenate([around.boxes, np.array(taken)]) if taken else around.boxes
    if len(boxes):
        cost += _overlaps(places, boxes).sum(axis=1) * _COVERS
    if len(around.ghosts):
        cost += _overlaps(places, around.ghosts).sum(axis=1) * _ON_GHOST
    if around.dots.size:
        x, y = around.dots[..., 0], around.dots[..., 1]
        low_x, low_y, high_x, high_y = (places[:, i, None, None] for i in range(4))
        reach = around.reach[:, None]
        within = (x > low_x - reach) & (x < high_x + reach)
        within &= (y > low_y - reach) & (y < high_y + reach)
        cost += within.any(axis=-1).sum(axis=-1) * _ON_EDGE
    return cost


def _overlaps(a: Array, b: Array) -> NDArray[np.bool_]:
    """Return which rectangles of `a` (n, 4) meet which of `b` (m, 4), shape (n, m)."""
    return (
        (a[:, None, 0] < b[:, 2])
        & (a[:, None, 2] > b[:, 0])
        & (a[:, None, 1] < b[:, 3])
        & (a[:, None, 3] > b[:, 1])
    )
