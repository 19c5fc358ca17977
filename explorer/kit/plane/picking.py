"""What lies under the pointer, and what it means to point at it."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from explorer.kit.canvas.drawing import Drawing, Edge, Point
from explorer.kit.plane.relations import points_at
from explorer.session import Edges, Frame, Matrix, Role, Selection, Space

_TARGET = 16.0  # px: half of the smallest target
_PREFERRED = 4.0  # px by which a point of X wins: all others are made of it
_EDGE_REACH = 6.0  # px beside an edge


class PointHit(NamedTuple):
    """A marker."""

    space: Space
    row: int


class PairHit(NamedTuple):
    """An edge or its chip."""

    query: int
    key: int


class BasisHit(NamedTuple):
    """The image of a basis vector: a row of a W."""

    matrix: Matrix
    row: int


Hit = PointHit | PairHit | BasisHit


def pick(drawing: Drawing, x: float, y: float) -> Hit | None:
    """Return the thing at a pixel: the nearest marker in reach, else the nearest basis vector.

    Else a chip, else an edge.
    """
    best, nearest = None, math.inf
    for marker in drawing.markers:
        if marker.row < 0:
            continue
        away = math.hypot(marker.x - x, marker.y - y)
        if away > max(_TARGET, marker.diameter / 2 + 2):
            continue
        if marker.space is Space.X:
            away -= _PREFERRED
        # The last painted of equally near ones is the one seen.
        if away <= nearest:
            best, nearest = PointHit(marker.space, marker.row), away
    if best is not None:
        return best
    near = [(math.hypot(h.x - x, h.y - y), BasisHit(h.matrix, h.row)) for h in drawing.handles]
    within = [each for each, h in zip(near, drawing.handles, strict=True) if each[0] <= h.reach]
    if within:
        return min(within)[1]
    for chip in reversed(drawing.chips):
        left, top, right, bottom = chip.rect
        if left <= x <= right and top <= y <= bottom:
            return PairHit(chip.query, chip.key)
    found, nearest = None, math.inf
    for edge in drawing.edges:
        away = _distance(edge, x, y) - edge.width / 2
        if away <= _EDGE_REACH and away <= nearest:
            found, nearest = PairHit(edge.query, edge.key), away
    return found


def meaning(hit: Hit | None, frame: Frame) -> Selection | None:
    """Return what pointing at a thing selects.

    An edge or a chip is its pair, as a score or as a weight, whichever the edges show. A point is
    its token. With a query selected, a key's or value's point is that query's pair with it.
    """
    if hit is None or isinstance(hit, BasisHit):
        return None
    role = Role.A if frame.look.edges is Edges.ATTENTION else Role.S
    if isinstance(hit, PairHit):
        return Selection(role, query=hit.query, key=hit.key)
    if hit.space in (Space.K, Space.V):
        selected = points_at(frame.selection)
        if selected is not None and selected.query is not None:
            return Selection(role, query=selected.query, key=hit.row)
    return _token(hit.space, hit.row)


def stepped(frame: Frame, right: int, up: int) -> Selection:
    """Return the selection one arrow key on.

    A pair goes to its next key (left, right) or query (up, down), like a cell of a table. A token
    goes to the next token. Where nothing is selected it is the first token.
    """
    thing = points_at(frame.selection)
    queries, keys = len(frame.scene.tokens), len(frame.scene.key_tokens)
    if thing is None:
        order = (Space.Q, Space.O, Space.Y, Space.X, Space.P, Space.K, Space.V)
        first = next((space for space in order if space in frame.look.shown), Space.X)
        return _token(first, 0)
    if thing.pair is not None:
        i, j = thing.pair
        return replace(thing, query=_within(i - up, queries), key=_within(j + right, keys))
    step = right - up
    if thing.query is not None:
        return replace(thing, query=_within(thing.query + step, queries))
    return replace(thing, key=_within((thing.key or 0) + step, keys))


def _within(index: int, count: int) -> int:
    return min(max(index, 0), count - 1)


def _token(space: Space, row: int) -> Selection:
    """Return a point's token: rows of K and V are the context's."""
    role = Role(space.value)
    if space in (Space.K, Space.V):
        return Selection(role, key=row)
    return Selection(role, query=row)


def _distance(edge: Edge, x: float, y: float) -> float:
    """Return how far a pixel is from the middle line of an edge."""
    if edge.radius:
        return abs(math.hypot(edge.points[0][0] - x, edge.points[0][1] - y) - edge.radius)
    start, control, end = edge.points
    if edge.head:
        end = edge.head[0]
    steps = 16
    places = [_place(start, control, end, n / steps) for n in range(steps + 1)]
    return min(_to_segment(a, b, x, y) for a, b in pairwise(places))


def _place(start: Point, control: Point, end: Point, t: float) -> Point:
    a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
    return (
        a * start[0] + b * control[0] + c * end[0],
        a * start[1] + b * control[1] + c * end[1],
    )


def _to_segment(a: Point, b: Point, x: float, y: float) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    t = 0.0 if square == 0 else ((x - a[0]) * dx + (y - a[1]) * dy) / square
    t = min(max(t, 0.0), 1.0)
    return math.hypot(a[0] + t * dx - x, a[1] + t * dy - y)
