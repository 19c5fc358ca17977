"""Where labels go, and what covers what: pure functions of what is around them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.kit.canvas.drawing import Point, Rect, Text, text_box

Array = NDArray[np.float64]

# Penalties; the order of the candidates decides between places that cover nothing.
COVERS = 20.0
OUTSIDE = 5 * COVERS  # what is cut is not read at all
ON_EDGE = 3.0
ON_GHOST = 2.5
_CROSSED = 2 * ON_EDGE  # a label upon two edges is hardly read
_ON_LINE = 1.6
LATER = 0.2
_AT_ANOTHER = 2.0

_APART = 8.0  # px at 100 % between a label and a marker that is not its own

FREE = -1  # choose a place
_UNPLACED = (None, FREE)


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
    dots : ndarray, shape (E, len(DOTS), 2)
        Places along each edge, at the parameters `DOTS`.
    reach : ndarray, shape (E,)
        Half of each edge's width.
    lines : ndarray, shape (L, n, 2)
        Places along thin lines, which labels had rather not cover either.
    """

    inside: Rect
    boxes: Array
    ghosts: Array
    dots: Array
    reach: Array
    lines: Array = np.empty((0, 0, 2))


class Anchor(NamedTuple):
    """A marker to be labelled.

    Parameters
    ----------
    x, y : float
    reach : float
        Half of its size.
    width, height : float
        The label's size.
    required : bool
        Whether the label is there even where it covers something, other labels excepted.
    pointed : bool
        Whether it is there even where it covers other labels.
    held : bool
        Whether the marker is being dragged: its label stays beside it, and others give way.
    tail : float
        Height of what stands below the label.
    rise : float
        By how much it is taller above its middle than `reach`.
    wide : bool
        Whether there are many, so that its name may stand farther away, tied to it by a line.
    """

    x: float
    y: float
    reach: float
    width: float
    height: float
    required: bool = True
    tail: float = 0.0
    rise: float = 0.0
    wide: bool = False
    pointed: bool = False
    held: bool = False


class Placed(NamedTuple):
    """The place that a label took: its number, or None where it is left out.

    hidden : whether it keeps its place, but something else stands there now
    """

    number: int | None
    rect: Rect
    hidden: bool = False


def _label_places(anchor: Anchor, scale: float) -> Array:
    """Return the rectangles tried for a label, the favourite first, shape (8, 4)."""
    x, y, reach, w, h, _required, tail, rise, *_rest = anchor
    right, left = x + reach + 9 * scale, x - reach - 9 * scale - w
    lift, drop = y - h / 2 - 11 * scale, y - h / 2 + 14 * scale
    above, below = y - reach - rise - h - tail - 3 * scale, y + reach + 3 * scale
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
    return np.hstack([corners, corners + np.array([w, h + tail])])


_TURNS = np.deg2rad([0, *(s * a for a in range(15, 180, 15) for s in (1, -1)), 180])
_FARTHER = np.linspace(0.0, 120.0, 8)  # px at 100 %
# Of each of the places among many names: its direction and how far it is, nearest first.
_TOWARDS = np.tile(np.stack([np.cos(_TURNS), -np.sin(_TURNS)], axis=1), (len(_FARTHER), 1))
_AWAY = np.repeat(_FARTHER, len(_TURNS))
_BESIDE = 8  # places beside a marker, which come before those around it
_GAP, _TIED_FROM = 5.0, 16.0  # between marker and name; from where on a line ties them
_PER_PX = 0.12  # what each px between marker and name costs
_WIDE_COVERS = 10.0  # what a name may cost that could be left out


def _wide_places(anchors: Sequence[Anchor], scale: float, which: Any) -> Array:
    """Return rectangles tried among many names, of 8 distances in 24 directions.

    Parameters
    ----------
    anchors : sequence of n Anchor
    which : slice or ndarray of int, shape (n,)
        The places of all of them, or one of each.

    Returns
    -------
    ndarray, shape (places or n, 4)
    """
    x, y, reach, width, height, tail = np.array(
        [(a.x, a.y, a.reach, a.width, a.height, a.tail) for a in anchors]
    ).T
    size = np.stack([width, height + tail], axis=-1)
    turns = _TOWARDS[which]
    # The rectangle's nearest point lies so far away: it touches a circle around the marker.
    across = (np.abs(turns) * size).sum(axis=-1) / 2
    far = reach + (_GAP + _AWAY[which]) * scale + across
    corners = np.stack([x, y], axis=-1) + turns * far[:, None] - size / 2
    return np.concatenate([corners, corners + size], axis=-1)


# What each of those places costs as such.
_WIDE_COSTS = (_FARTHER[:, None] * _PER_PX + np.arange(len(_TURNS)) * (LATER / 2)).ravel()
_NEAR = 2 * len(_TURNS)
_WIDE_ROUNDS = [(0, _NEAR), (_NEAR, None)]
_BESIDE_ROUND = [(0, len(_TURNS))]  # next to the marker


def leader(anchor: Anchor, rect: Rect, scale: float) -> tuple[Point, ...]:
    """Return the line from a marker's edge to its name; nothing where they are near each other."""
    left, top, right, bottom = rect
    x, y = min(max(anchor.x, left), right), min(max(anchor.y, top), bottom)
    away = math.hypot(x - anchor.x, y - anchor.y)
    if away - anchor.reach < _TIED_FROM * scale:
        return ()
    share = anchor.reach / away
    return (anchor.x + (x - anchor.x) * share, anchor.y + (y - anchor.y) * share), (x, y)


def place_labels(
    anchors: Sequence[Anchor],
    around: Surroundings,
    scale: float,
    keep: Sequence[int | None],
    firm: bool = True,
) -> list[Placed]:
    """Return the place of each label; those that keep theirs are heeded by all others.

    Parameters
    ----------
    keep : sequence of int or None
        For each label the number of the place to keep (None: left out), or −1 to choose.
    firm : bool
        Whether a place is kept though something is covered there. While a marker is dragged a
        label that has come to cover something stands beside its marker, if it is required, or is
        hidden meanwhile.
    """
    kept = _kept_places(anchors, scale, keep)
    held = next((n for n, anchor in enumerate(anchors) if anchor.held), None)
    lost = frozenset() if firm and held is None else _lost(kept, around, keep)
    chosen: dict[int, Placed] = {}
    taken: list[Rect] = []
    if held is not None:
        number, rect = keep[held], kept[held]
        if held in lost or not _is_beside(anchors[held], number):
            number, _cost, rect = _cheapest(anchors[held], around, scale, (), _BESIDE_ROUND)
        chosen[held] = Placed(number, rect)
        taken.append(rect)
        covered = overlaps(boxes_of(kept), boxes_of(taken))[:, 0].tolist()
        lost |= {n for n, meets in enumerate(covered) if meets and keep[n] not in _UNPLACED}
    chooses = [number == FREE or (n in lost and not firm) for n, number in enumerate(keep)]

    def turn(n: int) -> tuple[bool, bool, bool]:
        return chooses[n] or n in lost, not anchors[n].pointed, not anchors[n].required

    for n in sorted((n for n in range(len(anchors)) if n != held), key=turn):
        anchor, number, rect, hidden = anchors[n], keep[n], kept[n], False
        if n in lost and firm:
            hidden = True
            if anchor.required:
                best, cost, beside = _cheapest(anchor, around, scale, taken, _BESIDE_ROUND)
                if cost < COVERS:
                    number, rect, hidden = best, beside, False
        elif chooses[n] or (number is None and anchor.required):
            best, cost, rect = _cheapest(anchor, around, scale, taken)
            bearable = anchor.required or cost < (_WIDE_COVERS if anchor.wide else COVERS)
            number = best if bearable else None
            if not anchor.pointed and cost >= COVERS and _meets(rect, taken):
                number = None  # neither of the two could be read
        chosen[n] = Placed(number, rect, hidden)
        if number is not None and not hidden:
            taken.append(rect)
    return [chosen[n] for n in range(len(anchors))]


def _is_beside(anchor: Anchor, number: int | None) -> bool:
    """Return whether a place is next to its marker."""
    return number not in _UNPLACED and number < _first_wide(anchor) + len(_TURNS)


def _meets(rect: Rect, taken: Sequence[Rect]) -> bool:
    """Return whether a rectangle meets one of those taken."""
    return bool(taken) and bool(overlaps(np.array([rect]), np.array(taken)).any())


def _cheapest(
    anchor: Anchor,
    around: Surroundings,
    scale: float,
    taken: Sequence[Rect],
    rounds: Sequence[tuple[int, int | None]] = _WIDE_ROUNDS,
) -> tuple[int, float, Rect]:
    """Return number, cost and rectangle of the place that covers least.

    Where every place beside the marker covers something, or lies upon edges, a label that has to
    be there is tried around it too. Places that are farther cost at least what being far costs, so
    that they are computed only where none of the nearest is cheaper than that.
    """
    if anchor.wide:
        best, least, rect = 0, math.inf, (0.0, 0.0, 0.0, 0.0)
    else:
        places = _label_places(anchor, scale)
        best, least, rect = _best(places, None, around, scale, taken)
        if least < _CROSSED or not anchor.required:
            return best, least, rect
    for begin, end in rounds:
        basic = _WIDE_COSTS[begin:end]
        if least <= basic[0]:
            break
        places = _wide_places([anchor], scale, np.s_[begin:end])
        found, cost, there = _best(places, basic, around, scale, taken)
        if cost < least:
            best, least, rect = _first_wide(anchor) + begin + found, cost, there
    return best, least, rect


def _best(
    places: Array, basic: Array | None, around: Surroundings, scale: float, taken: Sequence[Rect]
) -> tuple[int, float, Rect]:
    """Return number, cost and rectangle of the cheapest of some places."""
    cost = place_cost(places, around, taken, basic)
    if len(around.boxes):
        near = places + np.array([-_APART, -_APART, _APART, _APART]) * scale
        cost += overlaps(near, around.boxes).sum(axis=1) * _AT_ANOTHER
    if taken:  # two names in a line would be read as one
        wide = places + np.array([-_APART, 0, _APART, 0]) * scale
        cost += overlaps(wide, np.array(taken)).sum(axis=1) * _AT_ANOTHER
    best = int(cost.argmin())
    left, top, right, bottom = places[best].tolist()
    return best, float(cost[best]), (left, top, right, bottom)


def _first_wide(anchor: Anchor) -> int:
    """Return the number of the first place that is around a marker rather than beside it."""
    return 0 if anchor.wide else _BESIDE


def _kept_places(anchors: Sequence[Anchor], scale: float, keep: Sequence[int | None]) -> list[Rect]:
    """Return where each label is when it keeps its place; its favourite where it has none yet."""
    numbers = [max(number or 0, 0) for number in keep]
    around = [number - _first_wide(a) for number, a in zip(numbers, anchors, strict=True)]
    found = {
        n: _label_places(anchors[n], scale)[numbers[n]].tolist()
        for n, number in enumerate(around)
        if number < 0
    }
    if wide := [n for n, number in enumerate(around) if number >= 0]:
        which = np.array([around[n] for n in wide])
        places = _wide_places([anchors[n] for n in wide], scale, which).tolist()
        found |= zip(wide, places, strict=True)
    rects = (found[n] for n in range(len(anchors)))
    return [(left, top, right, bottom) for left, top, right, bottom in rects]


def _crossed(places: Array, dots: Array, reach: Array) -> NDArray[np.intp] | int:
    """Return how many edges or lines have places within each rectangle."""
    if not dots.size:
        return 0
    x, y, air = dots[..., 0], dots[..., 1], reach[:, None]
    low_x, low_y, high_x, high_y = (places[:, i, None, None] for i in range(4))
    within = (x > low_x - air) & (x < high_x + air) & (y > low_y - air) & (y < high_y + air)
    return np.asarray(within.any(axis=-1).sum(axis=-1))


def is_outside(rects: Array, inside: Rect) -> NDArray[np.bool_]:
    """Return which rectangles (n, 4) are not wholly inside."""
    left, top, right, bottom = inside
    return (
        (rects[:, 0] < left) | (rects[:, 1] < top) | (rects[:, 2] > right) | (rects[:, 3] > bottom)
    )


def _lost(kept: Sequence[Rect], around: Surroundings, keep: Sequence[int | None]) -> frozenset[int]:
    """Return those of the labels of `place_labels` that cover something where they were put."""
    rows = [n for n, number in enumerate(keep) if number not in _UNPLACED]
    if not rows:
        return frozenset()
    rects = np.array([kept[n] for n in rows])
    bad = is_outside(rects, around.inside) | overlaps(rects, around.boxes).any(axis=1)
    bad |= np.triu(overlaps(rects, rects), 1).any(axis=0)  # the earlier one stays
    return frozenset(n for n, gone in zip(rows, bad.tolist(), strict=True) if gone)


def place_cost(
    places: Array,
    around: Surroundings,
    taken: Sequence[Rect] = (),
    basic: Array | None = None,
) -> Array:
    """Return what each of the rectangles (n, 4) would cover, as a penalty.

    basic : ndarray, shape (n,), optional
        What each costs as such; without it, early ones less.
    """
    if basic is None:
        basic = np.arange(len(places), dtype=np.float64) * LATER
    cost = basic.copy()
    cost += is_outside(places, around.inside) * OUTSIDE
    boxes = np.concatenate([around.boxes, np.array(taken)]) if taken else around.boxes
    if len(boxes):
        cost += overlaps(places, boxes).sum(axis=1) * COVERS
    if len(around.ghosts):
        cost += overlaps(places, around.ghosts).sum(axis=1) * ON_GHOST
    cost += _crossed(places, around.dots, around.reach) * ON_EDGE
    cost += _crossed(places, around.lines, np.ones(len(around.lines))) * _ON_LINE
    return cost


def boxes_of(rects: Iterable[Rect]) -> Array:
    """Return rectangles as an array, shape (n, 4)."""
    return np.array([*rects], dtype=np.float64).reshape(-1, 4)


def clear_of(over: Array, texts: Sequence[Text]) -> list[Text]:
    """Return the texts over which none of some boxes lies."""
    covered = np.asarray(overlaps(boxes_of(map(text_box, texts)), over).any(axis=1)).tolist()
    return [text for text, away in zip(texts, covered, strict=True) if not away]


def overlaps(a: Array, b: Array) -> NDArray[np.bool_]:
    """Return which rectangles of `a` (n, 4) meet which of `b` (m, 4), shape (n, m)."""
    return (
        (a[:, None, 0] < b[:, 2])
        & (a[:, None, 2] > b[:, 0])
        & (a[:, None, 1] < b[:, 3])
        & (a[:, None, 3] > b[:, 1])
    )
