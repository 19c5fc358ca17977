"""The graph's edges, rings and prediction, and the chips with their values."""

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
)
from explorer.kit.canvas.curves import along, trimmed
from explorer.kit.canvas.drawing import Chip, Edge, Marker
from explorer.kit.canvas.placement import FREE, Surroundings
from explorer.kit.canvas.text import Word, word
from explorer.rooms.train.graph.graph_edges import GraphEdge, Kind
from explorer.rooms.train.graph.placed_frame import Array, Layout, PlacedFrame
from explorer.text import display_number

# Sizes of the design in px at 100 %; widths a little less than on the plane, as words are many.
_THINNEST, _DOTTED = 1.5, 2.0
_WIDTH = {Kind.FAINT: 8.0, Kind.BOLD: 12.0, Kind.PREDICTED: 0.0}
_RING_WIDTH = 0.5  # of an arrow's: a ring is all round
_START_GAP, _END_GAP, _RING_GAP = 3.0, 6.0, 4.0
_CHIP_TEXT, _CHIP_HEIGHT, _CHIP_PAD, _PILL_PAD, _CHIP_AIR = 17, 26.0, 9.0, 12.0, 4.0
_FAR = (18.0, 44.0, 68.0)  # from its edge: few are shown, each is wanted

_FAINT = 0.18  # opacity of other samples' edges
_BESIDE = 0.58  # opacity of edges beside the selected one
_BOW = 0.14  # to the left of the way, so that an edge and its reverse lie apart
_DOTTED_BOW = -0.06
_ALL_CHIPS = 24  # bold edges; of more, only pointed ones carry their value

TieKey = tuple[int, int, int]


class DrawnGraphEdges(NamedTuple):
    """Edges in the order of painting, and what labels and chips heed of them.

    Parameters
    ----------
    edges : list of Edge
    valued : list of GraphEdge
        Those that carry values, and matter to labels: bold ones and the prediction.
    dots : ndarray, shape (len(valued), len(DOTS), 2)
        Places along each, at the parameters `DOTS`.
    at : ndarray, shape (len(valued), len(CHIP_STEPS), 2)
        Its direction at `CHIP_STEPS`.
    reach : ndarray, shape (len(valued),)
        Half of its width.
    """

    edges: list[Edge]
    valued: list[GraphEdge]
    dots: Array
    at: Array
    reach: Array

    @property
    def rings(self) -> dict[int, float]:
        """The outer radius of each word's ring that carries a value."""
        return {
            edge.query: edge.radius + edge.width / 2
            for edge in self.edges[len(self.edges) - len(self.valued) :]
            if edge.radius
        }


def edges(placed: PlacedFrame, shown: list[Marker]) -> DrawnGraphEdges:
    """Return all edges; the faint ones first."""
    graph_edges = placed.content.edges.all
    if not graph_edges:
        empty = np.empty((0, len(DOTS), 2))
        return DrawnGraphEdges([], [], empty, np.empty((0, len(CHIP_STEPS), 2)), np.empty(0))
    scale = placed.marks
    queries = np.array([graph_edge.query for graph_edge in graph_edges])
    keys = np.array([graph_edge.key for graph_edge in graph_edges])
    kinds = np.array([int(graph_edge.kind) for graph_edge in graph_edges])
    weights = np.array([graph_edge.weight for graph_edge in graph_edges])
    widths = _THINNEST + weights * np.array([_WIDTH[graph_edge.kind] for graph_edge in graph_edges])
    widths = np.where(queries == keys, widths * _RING_WIDTH + _THINNEST / 2, widths) * scale
    widths[kinds == Kind.PREDICTED] = _DOTTED * scale
    widths = np.rint(widths * 4) / 4  # those of one width and colour are painted in one go
    bends = np.where(kinds == Kind.PREDICTED, _DOTTED_BOW, _BOW)
    start, end = placed.at[queries, :2], placed.at[keys, :2]
    radii = np.zeros(len(placed.at))
    for marker in shown:
        radii[marker.row] = marker.diameter / 2
    first, last = radii[queries] + _START_GAP * scale, radii[keys] + _END_GAP * scale
    curves = trimmed(start, end, bends, widths, first, last)
    drawn: list[Edge] = []
    known: dict[tuple[int, Kind], QColor] = {}
    calm = placed.hover is None and placed.content.selected is None
    rows = zip(
        graph_edges, curves.points.tolist(), curves.heads.tolist(), widths.tolist(), strict=True
    )
    for graph_edge, (a, b, c), (tip, left, right), width in rows:
        dotted = graph_edge.kind is Kind.PREDICTED
        # Where nothing is pointed at, the edges of one kind that leave a word look alike.
        colour = known.get((graph_edge.query, graph_edge.kind)) if calm else None
        if colour is None:
            colour = known[graph_edge.query, graph_edge.kind] = _colour(placed, graph_edge)
        if graph_edge.query == graph_edge.key:
            radius = float(radii[graph_edge.query]) + _RING_GAP * scale + width / 2
            x, y, _near = placed.at[graph_edge.query].tolist()
            edge = Edge(
                graph_edge.query, graph_edge.key, ((x, y),), width, colour, dotted, radius=radius
            )
        else:
            points = ((a[0], a[1]), (b[0], b[1]), (c[0], c[1]))
            head = ((tip[0], tip[1]), (left[0], left[1]), (right[0], right[1]))
            edge = Edge(graph_edge.query, graph_edge.key, points, width, colour, dotted, head)
        drawn.append(edge)
    bold = np.flatnonzero(kinds != Kind.FAINT)
    dots, at = along(curves.points[bold], curves.heads[bold], DOTS)
    at = at[:, : len(CHIP_STEPS)]
    for n, place in enumerate(bold.tolist()):
        if drawn[place].radius:
            dots[n], at[n] = ring_dots(*drawn[place].points[0], drawn[place].radius)
    return DrawnGraphEdges(drawn, [graph_edges[n] for n in bold], dots, at, widths[bold] / 2)


def _colour(placed: PlacedFrame, graph_edge: GraphEdge) -> QColor:
    """Return an edge's colour: that of the word it leaves, or ink for the prediction."""
    if graph_edge.kind is Kind.PREDICTED:
        return placed.mixed(placed.theme.color("ink1"), placed.edge_share(graph_edge))
    share = placed.edge_share(graph_edge)
    if graph_edge.kind is Kind.FAINT:
        # One that is pointed at is seen a little better, and no other is lost altogether.
        share = _FAINT * (1.0 if share == 1.0 else 0.6)
        if placed.hover is not None and placed.hover.touches(graph_edge):
            share = 2 * _FAINT
    elif _beside(placed, graph_edge):
        share = min(share, _BESIDE)
    return placed.mixed(placed.edge_colour(graph_edge.query), share)


def _beside(placed: PlacedFrame, graph_edge: GraphEdge) -> bool:
    """Return whether another edge is selected than this one."""
    selected = placed.content.selected
    pair = None if selected is None or placed.hover is not None else selected.pair
    return pair is not None and pair != (graph_edge.query, graph_edge.key)


def chips(
    placed: PlacedFrame, drawn: DrawnGraphEdges, around: Surroundings, keep: Layout
) -> tuple[list[Chip], dict[TieKey, int | None]]:
    """Return the values upon or beside their edges, and the number of each one's place.

    Settled ones choose first, then pointed ones, arrows (the strongest first), the prediction and
    rings. One that finds no free place is left out, unless it is pointed at.
    """
    selected = placed.content.selected.pair if placed.content.selected else None
    pointed = {selected, placed.hover.pair if placed.hover else None}
    order = sorted(
        range(len(drawn.valued)),
        key=lambda n: _turn(drawn.valued[n], pointed, keep),
    )
    shown = order
    if len(order) > _ALL_CHIPS:
        shown = [
            n
            for n in order
            if _pair(drawn.valued[n]) in pointed or drawn.valued[n].kind is Kind.PREDICTED
        ]
    if not shown:
        return [], {}
    graph_edges, scale = [drawn.valued[n] for n in shown], placed.scale
    texts = [_chip_word(placed, graph_edge, selected) for graph_edge in graph_edges]
    pads = np.array(
        [
            _PILL_PAD if graph_edge.kind is Kind.PREDICTED else _CHIP_PAD
            for graph_edge in graph_edges
        ]
    )
    widths = np.array([text.width for text in texts]) + 2 * pads * scale
    places = chip_places(
        drawn.dots[shown, : len(CHIP_STEPS)],
        drawn.at[shown],
        widths,
        _CHIP_HEIGHT * scale,
        drawn.reach[shown] + _CHIP_AIR * scale,
        scale,
        _FAR,
    ).within(around.inside)
    others = [n for n in reversed(range(len(drawn.valued))) if n not in shown]
    heeded = [*shown, *others][: max(len(around.dots), len(shown))]
    required = [_pair(graph_edge) in pointed for graph_edge in graph_edges]
    kept = [keep.chips.get(_key(graph_edge), FREE) for graph_edge in graph_edges]
    numbers = place_chips(
        places,
        around._replace(dots=drawn.dots[heeded], reach=drawn.reach[heeded]),
        [FREE if old is None and must else old for old, must in zip(kept, required, strict=True)],
        [
            graph_edge.query == graph_edge.key or short
            for graph_edge, short in zip(
                graph_edges, is_short(drawn.dots[shown], widths), strict=True
            )
        ],
        required,
    )
    result = [
        _chip(placed, graph_edge, text, places.of(n), number)
        for n, (graph_edge, text, number) in enumerate(
            zip(graph_edges, texts, numbers, strict=True)
        )
        if number is not None
    ]
    choices = {
        _key(graph_edge): number for graph_edge, number in zip(graph_edges, numbers, strict=True)
    }
    return result[::-1], choices


def _turn(
    graph_edge: GraphEdge, pointed: set[tuple[int, int] | None], keep: Layout
) -> tuple[bool, bool, bool, bool, float]:
    """Return what sorts chips into the order in which they choose their places."""
    ring, predicted = graph_edge.query == graph_edge.key, graph_edge.kind is Kind.PREDICTED
    return (
        _key(graph_edge) not in keep.chips,
        _pair(graph_edge) not in pointed,
        ring,
        predicted,
        -graph_edge.weight,
    )


def _chip_word(
    placed: PlacedFrame, graph_edge: GraphEdge, selected: tuple[int, int] | None
) -> Word:
    strong = graph_edge.kind is Kind.PREDICTED or _pair(graph_edge) == selected
    text = display_number(graph_edge.weight, 2)
    return word(placed.theme, text, _CHIP_TEXT, 600 if strong else 500)


def _chip(
    placed: PlacedFrame, graph_edge: GraphEdge, text: Word, places: ChipPlaces, number: int
) -> Chip:
    theme, share = placed.theme, placed.edge_share(graph_edge)
    left, top, right, bottom = places.rects[number].tolist()
    rect, leader = (left, top, right, bottom), places.leader(number)
    if graph_edge.kind is Kind.PREDICTED:
        ink = placed.mixed(theme.color("ink1"), share)
        return Chip(
            graph_edge.query,
            graph_edge.key,
            rect,
            text,
            placed.canvas,
            ink,
            pill=True,
            leader=leader,
        )
    colours, selected, hover = theme.weights_map, placed.content.selected, placed.hover
    return Chip(
        graph_edge.query,
        graph_edge.key,
        rect,
        text,
        placed.mixed(colours.fill(graph_edge.weight, 1.0), share),
        placed.mixed(colours.text(graph_edge.weight, 1.0), share),
        selected=selected is not None and selected.pair == _pair(graph_edge),
        hovered=hover is not None and hover.pair == _pair(graph_edge),
        leader=leader,
    )


def _pair(graph_edge: GraphEdge) -> tuple[int, int]:
    return graph_edge.query, graph_edge.key


def _key(graph_edge: GraphEdge) -> TieKey:
    return graph_edge.query, graph_edge.key, int(graph_edge.kind)
