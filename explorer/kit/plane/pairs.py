"""The plane's edges."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from explorer.kit.canvas.chips import (
    CHIP_STEPS,
    DOTS,
    ChipPlaces,
    chip_places,
    is_short,
    place_chips,
    ring_dots,
    still_fit,
)
from explorer.kit.canvas.curves import (
    along,
    choose_bends,
    looped,
    trimmed,
)
from explorer.kit.canvas.drawing import Chip, Edge, Marker
from explorer.kit.canvas.placement import FREE, Surroundings
from explorer.kit.canvas.text import Word, word
from explorer.kit.plane import relations
from explorer.kit.plane.placed_frame import Array, Pair, PlacedFrame, is_pair
from explorer.kit.plane.relations import Flow
from explorer.session import Edges, Frame
from explorer.text import decimal_places, display_weight

# Sizes of the design in px at 100 %.
_THINNEST, _SCORE_WIDTH, _WEIGHT_WIDTH = 1.5, 11.0, 22.0
_START_GAP, _END_GAP, _RING_GAP = 3.0, 6.0, 4.0

_BESIDE = 0.58  # opacity of edges beside the selected pair's
_BOW = 0.1  # bend of edges that run to and fro between the same points
_MOST_LOOPS = 24  # edges; of more, those between touching markers lie beneath them
_CONCENTRIC = 0.5  # of both markers' radii: nearer ones leave no room for an arrow


class DrawnEdges(NamedTuple):
    """Edges, and what names and chips heed of them.

    Parameters
    ----------
    edges : list of Edge
    dots : ndarray, shape (E, len(DOTS), 2)
        Places along each, at the parameters `DOTS`.
    at : ndarray, shape (E, len(CHIP_STEPS), 2)
        Its direction at `CHIP_STEPS`.
    bends : mapping of (query, key) to float
    """

    edges: list[Edge]
    dots: Array
    at: Array
    bends: dict[Pair, float]

    @property
    def reach(self) -> Array:
        """Half of each edge's width."""
        return np.array([edge.width / 2 for edge in self.edges])

    @property
    def rings(self) -> dict[int, float]:
        """The outer radius of each query's ring."""
        return {e.query: e.radius + e.width / 2 for e in self.edges if e.radius}


def edges(placed: PlacedFrame, shown: list[Marker]) -> DrawnEdges:
    """Return the edges of the selected token, or of all, and those that hovering adds."""
    flow = placed.flow
    base, added = _pairs(placed)
    pairs = base + added
    if flow is None or not pairs:
        return DrawnEdges([], np.empty((0, len(DOTS), 2)), np.empty((0, len(CHIP_STEPS), 2)), {})
    chosen = np.array(pairs)
    query, key = placed.at[flow.query][chosen[:, 0]], placed.at[flow.key][chosen[:, 1]]
    start, end = (key, query) if flow.to_query else (query, key)
    bends = _bends(placed, flow, pairs, len(base), start, end, shown)
    if placed.pose is None:
        widths = edge_widths(placed.frame, placed.values[chosen[:, 0], chosen[:, 1]])
    else:
        widths = placed.pose.widths[chosen[:, 0], chosen[:, 1]]
    widths = widths * placed.scale * placed.thickness
    size = {(m.space, m.row): m.diameter / 2 for m in shown}
    query_gap = np.array([size.get((flow.query, i), 0.0) for i, _j in pairs])
    key_gap = np.array([size.get((flow.key, j), 0.0) for _i, j in pairs])
    first, last = (key_gap, query_gap) if flow.to_query else (query_gap, key_gap)
    scale = placed.scale
    gaps = np.array([first + _START_GAP * scale, last + _END_GAP * scale])
    curves = trimmed(start, end, bends, widths, *gaps)
    apart = np.hypot(*(end - start).T) >= _CONCENTRIC * (first + last)
    close = ~curves.clear & (len(pairs) <= _MOST_LOOPS)
    points, heads = curves.points, curves.heads
    if close.any():
        others = _others(along(points, heads, DOTS[::4])[0], query, key, shown)
        loops = looped(start, end, widths, gaps, others, scale)
        points[close], heads[close] = loops.points[close], loops.heads[close]
    dots, at = along(points, heads, DOTS)
    at = at[:, : len(CHIP_STEPS)]
    drawn: list[Edge] = []
    for n, (i, j) in enumerate(pairs):
        colour, dashed = _colour(placed, flow, (i, j)), bool(placed.values[i, j] < 0)
        width = float(widths[n])
        if curves.clear[n] or apart[n] or i != j or flow.to_query:
            body = tuple((x, y) for x, y in points[n].tolist())
            head = tuple((x, y) for x, y in heads[n].tolist())
            drawn.append(Edge(i, j, body, width, colour, dashed, head))
        else:
            x, y = query[n].tolist()
            radius = float(query_gap[n]) + _RING_GAP * scale + width / 2
            drawn.append(Edge(i, j, ((x, y),), width, colour, dashed, radius=radius))
            dots[n], at[n] = ring_dots(x, y, radius)
    return DrawnEdges(drawn, dots, at, dict(zip(pairs, bends.tolist(), strict=True)))


def _others(dots: Array, query: Array, key: Array, shown: list[Marker]) -> Array:
    """Return for each edge the places along all others, and those of markers not its own."""
    count = len(dots)
    away = np.where(np.eye(count, dtype=bool)[:, :, None, None], np.inf, dots).reshape(count, -1, 2)
    marks = np.array([(m.x, m.y) for m in shown]).reshape(1, -1, 2).repeat(count, axis=0)
    for own in (query, key):
        near = np.hypot(*np.moveaxis(marks - own[:, None], -1, 0)) < 1.0
        marks[near] = np.inf
    return np.concatenate([away, marks], axis=1)


def _pairs(placed: PlacedFrame) -> tuple[list[Pair], list[Pair]]:
    """Return the selection's pairs, and those that only the hovered thing adds."""
    if placed.flow is None:
        return [], []
    base = relations.pairs(placed.frame, placed.selection)
    if placed.hover is None:
        return base, []
    known = set(base)
    hovered = relations.pairs(placed.frame, placed.hover)
    return base, [
        pair
        for pair in hovered
        if pair not in known and relations.is_related_pair(placed.hover, *pair)
    ]


def _bends(
    placed: PlacedFrame,
    flow: Flow,
    pairs: list[Pair],
    base: int,
    start: Array,
    end: Array,
    shown: list[Marker],
) -> Array:
    """Return each edge's bend; those beyond the first `base` stay straight."""
    query, key = placed.at[flow.query], placed.at[flow.key]
    if query is key or (placed.pose is None and np.array_equal(query, key)):
        # Both directions join the same two points: each bows to its own side.
        return np.full(len(pairs), _BOW)
    kept = placed.keep.bends
    if all(pair in kept for pair in pairs[:base]):
        return np.array([kept.get(pair, 0.0) for pair in pairs])
    centres = np.array([(m.x, m.y) for m in shown]).reshape(-1, 2)
    radii = np.array([m.diameter / 2 for m in shown])
    bends = choose_bends(start[:base], end[:base], centres, radii)
    return np.concatenate([bends, np.zeros(len(pairs) - base)])


def edge_widths(frame: Frame, values: Array) -> Array:
    """Return the widths of edges that show `values`, of any shape, px at 100 %."""
    if frame.look.edges is Edges.ATTENTION:
        return _THINNEST + _WEIGHT_WIDTH * values
    strength = np.minimum(np.abs(values) / frame.score_domain, 1.0)
    return np.asarray(_THINNEST + _SCORE_WIDTH * strength)


def _colour(placed: PlacedFrame, flow: Flow, pair: Pair) -> QColor:
    """Return an edge's colour: that of the token it leaves, weaker beside the selected pair's."""
    token = placed.keys[pair[1]] if flow.to_query else placed.queries[pair[0]]
    thing = placed.selection
    share = placed.share(pair)
    beside = thing is None or thing.pair not in (None, pair)
    if beside and placed.hover is None:
        share = _BESIDE
    return placed.mixed(QColor(token.fill), share * placed.arrival)


# Sizes of the design in px at 100 %.
_TEXT, _HEIGHT, _PAD, _AIR = 17, 26.0, 9.0, 4.0

# Between an edge and a chip that is tied to it; the last for one that has to be there.
_FAR = (18.0, 44.0, 84.0)
_RESERVED = 2 * len(CHIP_STEPS)
_ALL = 24  # edges; beyond, only pointed ones carry their value
_HEEDED = 64  # edges that a chip keeps clear of
_FROM = 0.7  # arrival of the edges; paler chips would hide names and show no number


def chips(
    placed: PlacedFrame, drawn: DrawnEdges, around: Surroundings
) -> tuple[list[Chip], dict[Pair, int | None]]:
    """Return the values upon or at their edges, and the number of each one's place.

    Settled ones stay where they still fit; the others choose, the selected one first, then the
    largest. One that finds no good place is left out unless it is pointed at or the largest.
    """
    pairs = [(edge.query, edge.key) for edge in drawn.edges]
    if not pairs:
        return [], {}
    pointed = {thing.pair for thing in (placed.selection, placed.hover) if thing is not None}
    largest = max(pairs, key=lambda pair: float(placed.values[pair]))
    pointed.add(largest)
    order = sorted(
        range(len(pairs)),
        key=lambda n: (not is_pair(placed.selection, pairs[n]), pairs[n] != largest),
    )
    valued = order if len(pairs) <= _ALL else [n for n in order if pairs[n] in pointed]
    if not valued or placed.arrival < _FROM:
        return [], {}
    scale = placed.scale
    texts = [_chip_word(placed, pairs[n]) for n in valued]
    widths = np.array([text.width for text in texts]) + 2 * _PAD * scale
    tried = chip_places(
        drawn.dots[valued, : len(CHIP_STEPS)],
        drawn.at[valued],
        widths,
        _HEIGHT * scale,
        drawn.reach[valued] + _AIR * scale,
        scale,
        _FAR,
    ).within(around.inside, _RESERVED)
    heeded = [*valued, *(n for n in order if n not in valued)][:_HEEDED]
    around = around._replace(dots=drawn.dots[heeded], reach=drawn.reach[heeded])
    named = [pairs[n] for n in valued]
    short = is_short(drawn.dots[valued], widths)
    numbers = place_chips(
        tried,
        around,
        _settled(placed, named, pointed, tried, around),
        [bool(drawn.edges[n].radius) or tight for n, tight in zip(valued, short, strict=True)],
        [pair in pointed for pair in named],
        reserved=_RESERVED,
    )
    result = [
        _chip(placed, pair, text, tried.of(n), number, around.inside[1])
        for n, (pair, text, number) in enumerate(zip(named, texts, numbers, strict=True))
        if number is not None
    ]
    return result[::-1], dict(zip(named, numbers, strict=True))


def _settled(
    placed: PlacedFrame,
    pairs: list[Pair],
    pointed: set[Pair | None],
    tried: ChipPlaces,
    around: Surroundings,
) -> list[int | None]:
    """Return the places that are kept: all while something is hovered or moves by itself."""
    keep = [placed.keep.chips.get(pair, FREE) for pair in pairs]
    for n, pair in enumerate(pairs):
        if keep[n] is None and pair in pointed:
            keep[n] = FREE
    moves_alone = placed.hover is not None or placed.pose is not None
    return keep if moves_alone else still_fit(tried, around, keep)


def _chip_word(placed: PlacedFrame, pair: Pair) -> Word:
    value = float(placed.values[pair])
    least = 3 if placed.frame.look.edges is Edges.ATTENTION else 2
    text = display_weight(value, decimal_places(value, most=3, least=least))
    weight = 600 if is_pair(placed.selection, pair) else 500
    return word(placed.theme, text, _TEXT, weight)


def _chip(
    placed: PlacedFrame, pair: Pair, text: Word, places: ChipPlaces, number: int, above: float
) -> Chip:
    frame, theme = placed.frame, placed.theme
    if frame.look.edges is Edges.ATTENTION:
        colours, domain = theme.weights_map, frame.weight_domain
    else:
        colours, domain = theme.scores_map, frame.score_domain
    value, share = float(placed.values[pair]), placed.share(pair) * placed.arrival
    left, top, right, bottom = places.rects[number].tolist()
    # The largest value has a place even where no good one is: at least within the picture, and
    # below the controls.
    across = min(max(left, 0.0), placed.camera.width - (right - left)) - left
    down = min(max(top, above), placed.camera.height - (bottom - top)) - top
    left, top, right, bottom = left + across, top + down, right + across, bottom + down
    tie = places.leader(number)
    return Chip(
        *pair,
        (left, top, right, bottom),
        text,
        placed.mixed(colours.fill(value, domain), share),
        placed.mixed(colours.text(value, domain), share),
        selected=is_pair(placed.selection, pair),
        hovered=is_pair(placed.hover, pair),
        leader=(tie[0], ((left + right) / 2, (top + bottom) / 2)) if tie else (),
    )
