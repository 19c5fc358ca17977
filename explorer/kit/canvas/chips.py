"""Where the chips of edges go: pure functions of what is around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.kit.canvas.drawing import Point, Rect
from explorer.kit.canvas.placement import (
    COVERS,
    FREE,
    LATER,
    ON_EDGE,
    ON_GHOST,
    OUTSIDE,
    Array,
    Surroundings,
    boxes_of,
    is_outside,
    overlaps,
)

CHIP_STEPS = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.84)
DOTS = np.array([*CHIP_STEPS, *np.linspace(0.0, 1.0, 25)])
# Penalties beside those of `placement`; the order of the candidates decides between equals.
_ASTRAY = COVERS
_TIED = 0.5  # of that penalty, where a line ties the chip to its edge
_BESIDE, _AWAY = 1.0, 3.0
_UPON = 3 * COVERS  # besides, where one that has to be there would stand upon something
_GRAZED = 0.2  # of a chip's height: to touch the air around something is not to stand upon it
_HIDES = 10.0  # a chip upon an edge that is hardly longer
_FEW = 8  # chips; of more, one whose place is good but poor is left out too
_PATIENCE = 8.0  # what its place may cost
_NONE = (None, FREE)
_NEARER = 6.0  # px by which a chip is nearer to its own edge than to any other, and at least
_CLEARLY = 1.3  # times as near, where no line ties it
_AIRY = 1.6  # halves of a chip's width within which another edge is too near
_COARSE = slice(len(CHIP_STEPS), None, 3)  # enough of an edge's dots to measure distances


class ChipPlaces(NamedTuple):
    """Where an edge's chip may be, the favourite place first.

    Parameters
    ----------
    rects : ndarray, shape (…, P, 4)
    feet : ndarray, shape (…, P, 2)
        The point of the edge that each one is at.
    tied : ndarray of bool, shape (…, P)
        Whether a line has to tie the chip to it.
    brought : ndarray of bool, shape (…, P)
        Whether it is one far outside that was brought inside, better than to stand upon something.
    """

    rects: Array
    feet: Array
    tied: NDArray[np.bool_]
    brought: NDArray[np.bool_]

    def of(self, which: Any) -> ChipPlaces:
        """Return some of the places: an index of the arrays' first axes."""
        return ChipPlaces(*(part[which] for part in self))

    def within(self, inside: Rect, reserved: int = 0) -> ChipPlaces:
        """Return the places moved inside, as far as that leaves them near their edges.

        reserved : how many of the last ones are moved however far that is; a line ties them
        """
        low, high = np.array(inside[:2]), np.array(inside[2:])
        corners, ends = self.rects[..., :2], self.rects[..., 2:]
        moved = np.maximum(low - corners, 0.0) + np.minimum(high - ends, 0.0)
        near = np.abs(moved) <= (ends - corners) / 2
        last = np.arange(near.shape[-2]) >= near.shape[-2] - reserved
        moved *= near | last[:, None]
        return self._replace(
            rects=self.rects + np.tile(moved, 2), brought=last & ~near.all(axis=-1)
        )

    def leader(self, number: int) -> tuple[Point, ...]:
        """Return the line that ties a displaced chip to its edge; nothing for any other."""
        if not self.tied[number]:
            return ()
        (x, y), (left, top, right, bottom) = self.feet[number].tolist(), self.rects[number].tolist()
        return (x, y), ((left + right) / 2, (top + bottom) / 2)


def chip_places(
    dots: Array,
    at: Array,
    width: Array | float,
    height: float,
    clear: Array | float,
    scale: float,
    far: Sequence[float],
) -> ChipPlaces:
    """Return the places tried for edges' chips.

    First upon the edge at each of `CHIP_STEPS`, then on either side of it, then farther away.

    Parameters
    ----------
    dots, at : ndarray, shape (…, len(CHIP_STEPS), 2)
        The edges at `CHIP_STEPS`, and their directions there (of length 1).
    width, clear : ndarray, shape (…), or float
        The chips' widths; half the edges' widths and a little air.
    far : sequence of float
        Px at 100 % between an edge and the chips that are tied to it by a line.
    """
    half = np.stack(np.broadcast_arrays(width, height), axis=-1)[..., None, :] / 2
    across = np.stack([-at[..., 1], at[..., 0]], axis=-1)
    # How far a box has to move along `across` until it no longer touches the edge.
    reach = (np.abs(across) * half).sum(axis=-1) + np.asarray(clear)[..., None]
    offsets = [0.0 * reach, reach, -reach]
    for away in far:
        offsets += [reach + away * scale, -reach - away * scale]
    centres = np.concatenate([dots + across * offset[..., None] for offset in offsets], axis=-2)
    feet = np.concatenate([dots] * len(offsets), axis=-2)
    tied = np.arange(feet.shape[-2]) >= 3 * len(CHIP_STEPS)
    return ChipPlaces(
        np.concatenate([centres - half, centres + half], axis=-1),
        feet,
        np.broadcast_to(tied, feet.shape[:-1]),
        np.zeros(feet.shape[:-1], dtype=bool),
    )


def ring_dots(x: float, y: float, radius: float) -> tuple[Array, Array]:
    """Return places on a ring, those tried for its chip and all around, and its directions.

    Shapes (len(DOTS), 2) and (len(CHIP_STEPS), 2), as for other edges.
    """
    tried = [-45, 225, 45, 135, -90, 0, 180]
    turns = np.deg2rad([*tried, *np.linspace(0, 360, len(DOTS) - len(tried))])
    out = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    along = np.stack([-out[:, 1], out[:, 0]], axis=1)
    return np.array([x, y]) + radius * out, along[: len(tried)]


def is_short(dots: Array, widths: Array) -> list[bool]:
    """Return which edges (E, len(DOTS), 2) are hardly longer than their chips are wide."""
    span = dots[:, -1] - dots[:, len(CHIP_STEPS)]
    short: list[bool] = (np.hypot(*span.T) < 1.6 * widths).tolist()
    return short


def place_chips(
    places: ChipPlaces,
    around: Surroundings,
    keep: Sequence[int | None],
    crowded: Sequence[bool],
    required: Sequence[bool],
    reserved: int = 0,
) -> list[int | None]:
    """Return the number of each chip's place, None where there is no good one.

    A good place covers no box and no other chip, and is nearer to the chip's own edge than to any
    other. All kept places are heeded by those that choose, the first one first.

    Parameters
    ----------
    places : ChipPlaces
        Of n chips, whose edges are the first n of `around.dots`.
    keep : sequence of int or None
        For each chip the number of the place to keep (None: left out), or −1 to choose.
    crowded : sequence of bool
        Whether a chip upon the edge would hide it.
    required : sequence of bool
        Whether the least bad place is taken where there is no good one.
    reserved : int
        How many of the last places are for these alone.
    """
    count, steps = len(keep), len(CHIP_STEPS)
    lines = around.dots[:, _COARSE]
    numbers = list(keep)
    taken = [_cover(places.of(n), number) for n, number in enumerate(keep) if number not in _NONE]
    chips = [places.rects[n, number] for n, number in enumerate(keep) if number not in _NONE]
    rest = [n for n in range(count) if keep[n] == FREE]
    order = np.arange(places.rects.shape[1])
    basic = order * LATER + (order >= steps) * _BESIDE + (order >= 3 * steps) * _AWAY
    covered = np.zeros((count, len(order)))
    upon, astray = np.zeros((count, steps)), np.zeros((count, steps))
    if rest:
        covered[rest] = _obstructed(places.of(rest), around.inside, around.boxes)
        judged = _judged(places.of(np.s_[rest, :steps]), np.array(rest), lines, around.ghosts)
        upon[rest], astray[rest] = judged
    for n in rest:
        cost, bad = basic + (order < steps) * crowded[n] * _HIDES, covered[n]
        if taken:
            bad = bad + _obstructed(places.of(n), around.inside, np.array(taken))
        first = upon[n] + astray[n] + bad[:steps] + cost[:steps]
        best, least = int(first.argmin()), float(first.min())
        if least > cost[steps]:  # a place farther from the edge may be better
            usual = order < len(order) - reserved
            index = np.flatnonzero(((bad == 0) & usual) | required[n])
            if len(index):
                near = _judged(
                    places.of(np.s_[n : n + 1, index]), np.array([n]), lines, around.ghosts
                )
                # One that has to be there lies rather away from its edge than upon a point.
                tied = required[n] & places.tied[n, index]
                astray_here = near[1][0] * np.where(tied, _TIED, 1.0)
                total = near[0][0] + astray_here + bad[index] + cost[index]
                if required[n]:  # that its line crosses something is less bad than standing upon it
                    solid = np.concatenate([around.boxes, boxes_of(chips)])
                    rects = places.of(np.s_[n, index]).rects
                    seen = (rects[:, 3:] - rects[:, 1:2]) * _GRAZED * np.array([1, 1, -1, -1])
                    total = total + overlaps(rects + seen, solid).sum(axis=1) * _UPON
                    # Where it is brought inside without more ado, it may stand upon anything.
                    total = total + is_outside(rects, around.inside) * _UPON
                best, least = int(index[total.argmin()]), float(total.min())
            bearable = _PATIENCE + crowded[n] * _HIDES if count > _FEW else COVERS
            if not (required[n] or (len(index) and least < bearable)):
                numbers[n] = None
                continue
        numbers[n] = best
        taken.append(_cover(places.of(n), best))
        chips.append(places.rects[n, best])
    return numbers


def still_fit(
    places: ChipPlaces, around: Surroundings, keep: Sequence[int | None]
) -> list[int | None]:
    """Return `keep` of `place_chips` with those to choose anew whose place has become bad."""
    rows = [n for n, number in enumerate(keep) if number not in _NONE]
    if not rows:
        return list(keep)
    kept = places.of((rows, [keep[n] for n in rows]))
    bad = _obstructed(kept, around.inside, around.boxes) > 0
    bad |= np.triu(overlaps(kept.rects, kept.rects), 1).any(axis=0)  # the earlier one stays
    lines = around.dots[:, _COARSE]
    _cost, astray = _judged(kept.of(np.s_[:, None]), np.array(rows), lines, around.ghosts)
    bad |= astray[:, 0] > 0
    lost = {n for n, gone in zip(rows, bad.tolist(), strict=True) if gone}
    return [FREE if n in lost else number for n, number in enumerate(keep)]


def _cover(places: ChipPlaces, number: int | None) -> Rect:
    """Return the rectangle that a chip and its leader take."""
    left, top, right, bottom = places.rects[number].tolist()
    if not places.tied[number]:
        return left, top, right, bottom
    x, y = places.feet[number].tolist()
    return min(left, x), min(top, y), max(right, x), max(bottom, y)


def _judged(
    places: ChipPlaces, own: NDArray[np.intp], lines: Array, ghosts: Array
) -> tuple[Array, Array]:
    """Return what other edges nearby and ghosts beneath cost, and the penalty for being astray.

    places : of n chips. own : (n,), their edges. lines : (E, m, 2). Both results (n, P).
    """
    shape = places.tied.shape
    flat = places.rects.reshape(-1, 4)
    gaps = _gaps(_centres(flat), lines)
    rows, mine = np.arange(len(flat)), np.repeat(own, shape[1])
    nearest = gaps[rows, mine]
    gaps[rows, mine] = np.inf
    reach = (flat[:, 2:3] - flat[:, :1]) / 2
    cost = np.clip(_AIRY - gaps / reach, 0.0, None).sum(axis=1) * ON_EDGE
    if len(ghosts):
        cost += overlaps(flat, ghosts).sum(axis=1) * ON_GHOST
    clearly = np.where(places.tied.reshape(-1), 1.0, _CLEARLY) * nearest
    astray = (gaps.min(axis=1) < np.maximum(nearest + _NEARER, clearly)) * _ASTRAY
    return cost.reshape(shape), astray.reshape(shape)


def _obstructed(places: ChipPlaces, inside: Rect, boxes: Array) -> Array:
    """Return how bad it is what each of the places covers (…, P); 0 where it covers nothing."""
    rects = places.rects.reshape(-1, 4)
    outside = is_outside(rects, inside) | places.brought.reshape(-1)
    bad: Array = np.where(outside, OUTSIDE, 0.0)
    if len(boxes):
        bad += overlaps(rects, boxes).sum(axis=1) * COVERS
        tied = places.tied.reshape(-1)
        foot = places.feet.reshape(-1, 2)[tied]
        along = _centres(rects[tied]) - foot
        on_lines = np.concatenate([foot + share * along for share in (0.25, 0.45, 0.65)])
        crossed = overlaps(np.tile(on_lines, 2), boxes).any(axis=1)
        bad[tied] += crossed.reshape(3, -1).any(axis=0) * COVERS
    return np.reshape(bad, places.tied.shape)


def _centres(rects: Array) -> Array:
    return (rects[:, :2] + rects[:, 2:]) / 2


def _gaps(points: Array, lines: Array) -> Array:
    """Return how far points (n, 2) are from polylines (E, m, 2), shape (n, E)."""
    x, y = lines[:, :-1, 0], lines[:, :-1, 1]
    along_x, along_y = np.diff(lines[..., 0], axis=1), np.diff(lines[..., 1], axis=1)
    square = np.maximum(along_x * along_x + along_y * along_y, 1e-9)
    from_x, from_y = points[:, 0, None, None] - x, points[:, 1, None, None] - y
    t = np.clip((from_x * along_x + from_y * along_y) / square, 0.0, 1.0)
    from_x -= t * along_x
    from_y -= t * along_y
    gaps: Array = np.sqrt(np.min(from_x * from_x + from_y * from_y, axis=2))
    return gaps
