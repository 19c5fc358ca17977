"""The graph's edges, rings and prediction, and the chips with their values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from explorer.kit.canvas.curves import along, trimmed
from explorer.kit.canvas.drawing import Chip, Edge, Marker
from explorer.kit.canvas.placement import (
    CHIP_STEPS,
    DOTS,
    FREE,
    ChipPlaces,
    Surroundings,
    chip_places,
    is_short,
    place_chips,
    ring_dots,
)
from explorer.kit.canvas.text import Word, word
from explorer.rooms.train.graph.graph_edges import Kind, Tie
from explorer.rooms.train.graph.setting import Array, Layout, Setting
from explorer.text import display_number

# Sizes of the design in px at 100 %; widths a little less than on the plane, as words are many.
_THINNEST, _DOTTED = 1.5, 2.0
_WIDTH = {Kind.FAINT: 8.0, Kind.BOLD: 12.0, Kind.PREDICTED: 0.0}
_RING_WIDTH = 0.5  # of an arrow's: a ring is all round
_START_GAP, _END_GAP, _RING_GAP = 3.0, 6.0, 4.0
_CHIP_TEXT, _CHIP_HEIGHT, _CHIP_PAD, _PILL_PAD, _CHIP_AIR = 17, 26.0, 9.0, 12.0, 4.0

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
    valued : list of Tie
        Those that carry values, and matter to labels: bold ones and the prediction.
    dots : ndarray, shape (len(valued), len(DOTS), 2)
        Places along each, at the parameters `DOTS`.
    at : ndarray, shape (len(valued), len(CHIP_STEPS), 2)
        Its direction at `CHIP_STEPS`.
    reach : ndarray, shape (len(valued),)
        Half of its width.
    """

    edges: list[Edge]
    valued: list[Tie]
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


def edges(setting: Setting, shown: list[Marker]) -> DrawnGraphEdges:
    """Return all edges; the faint ones first."""
    ties = setting.content.ties.ties
    if not ties:
        empty = np.empty((0, len(DOTS), 2))
        return DrawnGraphEdges([], [], empty, np.empty((0, len(CHIP_STEPS), 2)), np.empty(0))
    scale = setting.marks
    queries = np.array([tie.query for tie in ties])
    keys = np.array([tie.key for tie in ties])
    kinds = np.array([int(tie.kind) for tie in ties])
    weights = np.array([tie.weight for tie in ties])
    widths = _THINNEST + weights * np.array([_WIDTH[tie.kind] for tie in ties])
    widths = np.where(queries == keys, widths * _RING_WIDTH + _THINNEST / 2, widths) * scale
    widths[kinds == Kind.PREDICTED] = _DOTTED * scale
    widths = np.rint(widths * 4) / 4  # those of one width and colour are painted in one go
    bends = np.where(kinds == Kind.PREDICTED, _DOTTED_BOW, _BOW)
    start, end = setting.at[queries, :2], setting.at[keys, :2]
    radii = np.zeros(len(setting.at))
    for marker in shown:
        radii[marker.row] = marker.diameter / 2
    first, last = radii[queries] + _START_GAP * scale, radii[keys] + _END_GAP * scale
    curves = trimmed(start, end, bends, widths, first, last)
    drawn: list[Edge] = []
    known: dict[tuple[int, Kind], QColor] = {}
    calm = setting.hover is None and setting.content.selected is None
    rows = zip(ties, curves.points.tolist(), curves.heads.tolist(), widths.tolist(), strict=True)
    for tie, (a, b, c), (tip, left, right), width in rows:
        dotted = tie.kind is Kind.PREDICTED
        # Where nothing is pointed at, the edges of one kind that leave a word look alike.
        colour = known.get((tie.query, tie.kind)) if calm else None
        if colour is None:
            colour = known[tie.query, tie.kind] = _colour(setting, tie)
        if tie.query == tie.key:
            radius = float(radii[tie.query]) + _RING_GAP * scale + width / 2
            x, y, _near = setting.at[tie.query].tolist()
            edge = Edge(tie.query, tie.key, ((x, y),), width, colour, dotted, radius=radius)
        else:
            points = ((a[0], a[1]), (b[0], b[1]), (c[0], c[1]))
            head = ((tip[0], tip[1]), (left[0], left[1]), (right[0], right[1]))
            edge = Edge(tie.query, tie.key, points, width, colour, dotted, head)
        drawn.append(edge)
    bold = np.flatnonzero(kinds != Kind.FAINT)
    dots, at = along(curves.points[bold], curves.heads[bold], DOTS)
    at = at[:, : len(CHIP_STEPS)]
    for n, place in enumerate(bold.tolist()):
        if drawn[place].radius:
            dots[n], at[n] = ring_dots(*drawn[place].points[0], drawn[place].radius)
    return DrawnGraphEdges(drawn, [ties[n] for n in bold], dots, at, widths[bold] / 2)


def _colour(setting: Setting, tie: Tie) -> QColor:
    """Return an edge's colour: that of the word it leaves, or ink for the prediction."""
    if tie.kind is Kind.PREDICTED:
        return setting.mixed(setting.theme.color("ink1"), setting.tie_share(tie))
    share = setting.tie_share(tie)
    if tie.kind is Kind.FAINT:
        # One that is pointed at is seen a little better, and no other is lost altogether.
        share = _FAINT * (1.0 if share == 1.0 else 0.6)
        if setting.hover is not None and setting.hover.touches(tie):
            share = 2 * _FAINT
    elif _beside(setting, tie):
        share = min(share, _BESIDE)
    return setting.mixed(setting.edge_colour(tie.query), share)


def _beside(setting: Setting, tie: Tie) -> bool:
    """Return whether another edge is selected than this one."""
    selected = setting.content.selected
    pair = None if selected is None or setting.hover is not None else selected.pair
    return pair is not None and pair != (tie.query, tie.key)


def chips(
    setting: Setting, drawn: DrawnGraphEdges, around: Surroundings, keep: Layout
) -> tuple[list[Chip], dict[TieKey, int | None]]:
    """Return the values upon or beside their edges, and the number of each one's place.

    Settled ones choose first, then pointed ones, arrows (the strongest first), the prediction and
    rings. One that finds no free place is left out, unless it is pointed at.
    """
    selected = setting.content.selected.pair if setting.content.selected else None
    pointed = {selected, setting.hover.pair if setting.hover else None}
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
    ties, scale = [drawn.valued[n] for n in shown], setting.scale
    texts = [_chip_word(setting, tie, selected) for tie in ties]
    pads = np.array([_PILL_PAD if tie.kind is Kind.PREDICTED else _CHIP_PAD for tie in ties])
    widths = np.array([text.width for text in texts]) + 2 * pads * scale
    places = chip_places(
        drawn.dots[shown, : len(CHIP_STEPS)],
        drawn.at[shown],
        widths,
        _CHIP_HEIGHT * scale,
        drawn.reach[shown] + _CHIP_AIR * scale,
        scale,
    )
    others = [n for n in reversed(range(len(drawn.valued))) if n not in shown]
    heeded = [*shown, *others][: max(len(around.dots), len(shown))]
    required = [_pair(tie) in pointed for tie in ties]
    kept = [keep.chips.get(_key(tie), FREE) for tie in ties]
    numbers = place_chips(
        places,
        around._replace(dots=drawn.dots[heeded], reach=drawn.reach[heeded]),
        [FREE if old is None and must else old for old, must in zip(kept, required, strict=True)],
        [
            tie.query == tie.key or short
            for tie, short in zip(ties, is_short(drawn.dots[shown], widths), strict=True)
        ],
        required,
    )
    result = [
        _chip(setting, tie, text, places.of(n), number)
        for n, (tie, text, number) in enumerate(zip(ties, texts, numbers, strict=True))
        if number is not None
    ]
    choices = {_key(tie): number for tie, number in zip(ties, numbers, strict=True)}
    return result[::-1], choices


def _turn(
    tie: Tie, pointed: set[tuple[int, int] | None], keep: Layout
) -> tuple[bool, bool, bool, bool, float]:
    """Return what sorts chips into the order in which they choose their places."""
    ring, predicted = tie.query == tie.key, tie.kind is Kind.PREDICTED
    return _key(tie) not in keep.chips, _pair(tie) not in pointed, ring, predicted, -tie.weight


def _chip_word(setting: Setting, tie: Tie, selected: tuple[int, int] | None) -> Word:
    strong = tie.kind is Kind.PREDICTED or _pair(tie) == selected
    text = display_number(tie.weight, 2)
    return word(setting.theme, text, _CHIP_TEXT, 600 if strong else 500)


def _chip(setting: Setting, tie: Tie, text: Word, places: ChipPlaces, number: int) -> Chip:
    theme, share = setting.theme, setting.tie_share(tie)
    left, top, right, bottom = places.rects[number].tolist()
    rect, leader = (left, top, right, bottom), places.leader(number)
    if tie.kind is Kind.PREDICTED:
        ink = setting.mixed(theme.color("ink1"), share)
        return Chip(tie.query, tie.key, rect, text, setting.canvas, ink, pill=True, leader=leader)
    colours, selected, hover = theme.weights_map, setting.content.selected, setting.hover
    return Chip(
        tie.query,
        tie.key,
        rect,
        text,
        setting.mixed(colours.fill(tie.weight, 1.0), share),
        setting.mixed(colours.text(tie.weight, 1.0), share),
        selected=selected is not None and selected.pair == _pair(tie),
        hovered=hover is not None and hover.pair == _pair(tie),
        leader=leader,
    )


def _pair(tie: Tie) -> tuple[int, int]:
    return tie.query, tie.key


def _key(tie: Tie) -> TieKey:
    return tie.query, tie.key, int(tie.kind)
