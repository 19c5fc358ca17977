"""The plane's edges and the chips with their values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from explorer.session import Edges, Frame
from explorer.text import decimal_places, display_number
from explorer.views.canvas.curves import choose_bends, positions, trimmed
from explorer.views.canvas.drawing import Chip, Edge, Marker, Rect
from explorer.views.canvas.placement import CHIP_STEPS, Surroundings, chip_places, place_chip
from explorer.views.canvas.text import Word, word
from explorer.views.plane import relations
from explorer.views.plane.relations import Flow
from explorer.views.plane.setting import Array, Pair, Setting, is_pair

# Sizes of the design in px at 100 %.
_THINNEST, _SCORE_WIDTH, _WEIGHT_WIDTH = 1.5, 11.0, 22.0
_START_GAP, _END_GAP, _RING_GAP = 3.0, 6.0, 4.0
_CHIP_TEXT, _CHIP_HEIGHT, _CHIP_PAD = 17, 26.0, 9.0

_BESIDE = 0.58  # opacity of edges beside the selected pair's
_BOW = 0.1  # bend of edges that run to and fro between the same points
_ALL_CHIPS = 24  # edges; beyond, only pointed ones carry their value
_ALWAYS_CHIPS = 8  # edges; beyond, a chip that would cover too much is left out
_CHIPS_FROM = 0.7  # arrival of the edges; paler chips would hide names and show no number
_ACCEPTED = 15.0  # what it may cost at its best place
_DOTS = 24  # places at which an edge is looked at
_STEPS = np.array([*CHIP_STEPS, *np.linspace(0.04, 0.96, _DOTS)])


class DrawnEdges(NamedTuple):
    """Edges, places along each (at `CHIP_STEPS`, then evenly), shape (E, n, 2), and their bends."""

    edges: list[Edge]
    dots: Array
    bends: dict[Pair, float]

    @property
    def reach(self) -> Array:
        """Half of each edge's width."""
        return np.array([edge.width / 2 for edge in self.edges])

    @property
    def rings(self) -> dict[int, float]:
        """The outer radius of each query's ring."""
        return {e.query: e.radius + e.width / 2 for e in self.edges if e.radius}


def edges(setting: Setting, shown: list[Marker]) -> DrawnEdges:
    """Return the edges of the selected token, or of all, and those that hovering adds."""
    flow = setting.flow
    base, added = _pairs(setting)
    pairs = base + added
    if flow is None or not pairs:
        return DrawnEdges([], np.empty((0, len(_STEPS), 2)), {})
    chosen = np.array(pairs)
    query, key = setting.at[flow.query][chosen[:, 0]], setting.at[flow.key][chosen[:, 1]]
    start, end = (key, query) if flow.to_query else (query, key)
    bends = _bends(setting, flow, pairs, len(base), start, end, shown)
    if setting.pose is None:
        widths = edge_widths(setting.frame, setting.values[chosen[:, 0], chosen[:, 1]])
    else:
        widths = setting.pose.widths[chosen[:, 0], chosen[:, 1]]
    widths = widths * setting.scale
    size = {(m.space, m.row): m.diameter / 2 for m in shown}
    query_gap = np.array([size.get((flow.query, i), 0.0) for i, _j in pairs])
    key_gap = np.array([size.get((flow.key, j), 0.0) for _i, j in pairs])
    first, last = (key_gap, query_gap) if flow.to_query else (query_gap, key_gap)
    scale = setting.scale
    curves = trimmed(start, end, bends, widths, first + _START_GAP * scale, last + _END_GAP * scale)
    dots = positions(start, end, bends, _STEPS)
    drawn: list[Edge] = []
    for n, (i, j) in enumerate(pairs):
        colour, dashed = _colour(setting, flow, (i, j)), bool(setting.values[i, j] < 0)
        width = float(widths[n])
        if curves.clear[n] or i != j or flow.to_query:
            points = tuple((x, y) for x, y in curves.points[n].tolist())
            head = tuple((x, y) for x, y in curves.heads[n].tolist())
            drawn.append(Edge(i, j, points, width, colour, dashed, head))
        else:
            x, y = query[n].tolist()
            radius = float(query_gap[n]) + _RING_GAP * scale + width / 2
            drawn.append(Edge(i, j, ((x, y),), width, colour, dashed, radius=radius))
            dots[n] = _around(x, y, radius)
    return DrawnEdges(drawn, dots, dict(zip(pairs, bends.tolist(), strict=True)))


def _pairs(setting: Setting) -> tuple[list[Pair], list[Pair]]:
    """Return the selection's pairs, and those that only the hovered thing adds."""
    if setting.flow is None:
        return [], []
    base = relations.pairs(setting.frame, setting.selection)
    if setting.hover is None:
        return base, []
    known = set(base)
    hovered = relations.pairs(setting.frame, setting.hover)
    return base, [
        pair
        for pair in hovered
        if pair not in known and relations.is_related_pair(setting.hover, *pair)
    ]


def _bends(
    setting: Setting,
    flow: Flow,
    pairs: list[Pair],
    base: int,
    start: Array,
    end: Array,
    shown: list[Marker],
) -> Array:
    """Return each edge's bend; those beyond the first `base` stay straight."""
    query, key = setting.at[flow.query], setting.at[flow.key]
    if query is key or (setting.pose is None and np.array_equal(query, key)):
        # Both directions join the same two points: each bows to its own side.
        return np.full(len(pairs), _BOW)
    kept = setting.keep.bends
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


def _colour(setting: Setting, flow: Flow, pair: Pair) -> QColor:
    """Return an edge's colour: that of the token it leaves, weaker beside the selected pair's."""
    token = setting.keys[pair[1]] if flow.to_query else setting.queries[pair[0]]
    thing = setting.selection
    share = setting.share(pair)
    beside = thing is None or thing.pair not in (None, pair)
    if beside and setting.hover is None:
        share = _BESIDE
    return setting.mixed(QColor(token.fill), share * setting.arrival)


def _around(x: float, y: float, radius: float) -> Array:
    """Return places on a ring: the five tried for its chip, then all around."""
    turns = np.deg2rad([-45, 225, 45, 135, -90, *np.linspace(0, 360, _DOTS)])
    return np.stack([x + radius * np.cos(turns), y + radius * np.sin(turns)], axis=1)


def chips(
    setting: Setting, drawn: DrawnEdges, around: Surroundings
) -> tuple[list[Chip], dict[Pair, int | None]]:
    """Return the values upon or beside their edges, and the number of each one's place.

    Chips choose in this order: settled ones, the selected one, all others; one that finds no free
    place is left out unless it is pointed at.
    """
    pointed = {thing.pair for thing in (setting.selection, setting.hover) if thing is not None}
    kept = setting.keep.chips
    pairs = [(edge.query, edge.key) for edge in drawn.edges]
    order = sorted(
        range(len(pairs)),
        key=lambda n: (pairs[n] not in kept, not is_pair(setting.selection, pairs[n])),
    )
    if len(pairs) > _ALL_CHIPS:
        order = [n for n in order if pairs[n] in pointed]
    result: list[Chip] = []
    choices: dict[Pair, int | None] = {}
    if not order or setting.arrival < _CHIPS_FROM:
        return result, choices
    scale = setting.scale
    texts = [_chip_word(setting, pairs[n]) for n in order]
    widths = np.array([text.width for text in texts]) + 2 * _CHIP_PAD * scale
    dots = drawn.dots[order]
    tried = chip_places(
        dots[:, : len(CHIP_STEPS)],
        _directions(dots),
        widths,
        _CHIP_HEIGHT * scale,
        drawn.reach[order] + 4 * scale,
    )
    for n, text, width, places in zip(order, texts, widths.tolist(), tried, strict=True):
        edge, pair = drawn.edges[n], pairs[n]
        choice = kept.get(pair)
        if choice is None and (pair not in kept or pair in pointed):
            length = float(np.hypot(*(drawn.dots[n, -1] - drawn.dots[n, len(CHIP_STEPS)])))
            crowded = bool(edge.radius) or length < 1.6 * width
            taken = [chip.rect for chip in result]
            best, cost = place_chip(places, around, n, crowded, taken)
            required = pair in pointed or len(pairs) <= _ALWAYS_CHIPS
            choice = best if required or cost < _ACCEPTED else None
        choices[pair] = choice
        if choice is not None:
            left, top, right, bottom = places[choice].tolist()
            result.append(_chip(setting, pair, text, (left, top, right, bottom)))
    return result[::-1], choices


def _chip_word(setting: Setting, pair: Pair) -> Word:
    value = float(setting.values[pair])
    least = 3 if setting.frame.look.edges is Edges.ATTENTION else 2
    text = display_number(value, decimal_places(value, most=3, least=least))
    weight = 600 if is_pair(setting.selection, pair) else 500
    return word(setting.theme, text, _CHIP_TEXT, weight)


def _chip(setting: Setting, pair: Pair, text: Word, rect: Rect) -> Chip:
    frame, theme = setting.frame, setting.theme
    if frame.look.edges is Edges.ATTENTION:
        colours, domain = theme.weights_map, frame.weight_domain
    else:
        colours, domain = theme.scores_map, frame.score_domain
    value, share = float(setting.values[pair]), setting.share(pair) * setting.arrival
    return Chip(
        *pair,
        rect,
        text,
        setting.mixed(colours.fill(value, domain), share),
        setting.mixed(colours.text(value, domain), share),
        selected=is_pair(setting.selection, pair),
        hovered=is_pair(setting.hover, pair),
    )


def _directions(dots: Array) -> Array:
    """Return edges' directions at each of `CHIP_STEPS`, of length 1, shape (E, 5, 2)."""
    near = np.rint(np.array(CHIP_STEPS) * (_DOTS - 1)).astype(np.intp)
    even = dots[:, len(CHIP_STEPS) :]
    along = even[:, np.minimum(near + 1, _DOTS - 1)] - even[:, near - 1]
    length = np.hypot(along[..., 0], along[..., 1])
    return np.asarray(along / np.maximum(length, 1e-9)[..., None])
