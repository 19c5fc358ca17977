"""The graph's edges, rings and prediction, and the chips with their values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from explorer.text import display_number
from explorer.views.canvas.curves import positions, trimmed
from explorer.views.canvas.drawing import Chip, Edge, Marker, Rect
from explorer.views.canvas.placement import CHIP_STEPS, Surroundings, chip_places, place_chip
from explorer.views.canvas.text import Word, word
from explorer.views.lab.graph.setting import Array, Layout, Setting
from explorer.views.lab.graph.ties import Kind, Tie

# Sizes of the design in px at 100 %; widths a little less than on the plane, as words are many.
_THINNEST, _DOTTED = 1.5, 2.0
_WIDTH = {Kind.FAINT: 8.0, Kind.BOLD: 12.0, Kind.PREDICTED: 0.0}
_RING_WIDTH = 0.5  # of an arrow's: a ring is all round
_START_GAP, _END_GAP, _RING_GAP = 3.0, 6.0, 4.0
_CHIP_TEXT, _CHIP_HEIGHT, _CHIP_PAD, _PILL_PAD = 17, 26.0, 9.0, 12.0

_FAINT = 0.18  # opacity of other samples' edges
_BESIDE = 0.58  # opacity of edges beside the selected one
_BOW = 0.14  # to the left of the way, so that an edge and its reverse lie apart
_DOTTED_BOW = -0.06
_ALL_CHIPS = 24  # bold edges; of more, only pointed ones carry their value
_ACCEPTED = 15.0  # what a chip may cost at its best place before it is left out
_STEPS = np.array([*CHIP_STEPS, *np.linspace(0.04, 0.96, 24)])

TieKey = tuple[int, int, int]


class DrawnTies(NamedTuple):
    """Edges in the order of painting, and what labels and chips heed of them.

    Parameters
    ----------
    edges : list of Edge
    valued : list of Tie
        Those that carry values, and matter to labels: bold ones and the prediction.
    dots : ndarray, shape (len(valued), n, 2)
        Places along each: at `CHIP_STEPS`, then evenly.
    at : ndarray, shape (len(valued), 5, 2)
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


def edges(setting: Setting, shown: list[Marker]) -> DrawnTies:
    """Return all edges; the faint ones first."""
    ties = setting.content.ties.ties
    if not ties:
        empty = np.empty((0, len(_STEPS), 2))
        return DrawnTies([], [], empty, np.empty((0, len(CHIP_STEPS), 2)), np.empty(0))
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
    dots = positions(start[bold], end[bold], bends[bold], _STEPS)
    at = _directions(start[bold], end[bold], bends[bold])
    for n, place in enumerate(bold.tolist()):
        if drawn[place].radius:
            dots[n], at[n] = _around(*drawn[place].points[0], drawn[place].radius)
    return DrawnTies(drawn, [ties[n] for n in bold], dots, at, widths[bold] / 2)


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


def _directions(start: Array, end: Array, bend: Array) -> Array:
    """Return each edge's direction at `CHIP_STEPS`, of length 1, shape (E, 5, 2)."""
    steps = np.array(CHIP_STEPS)
    chord = end - start
    across = np.stack([chord[:, 1], -chord[:, 0]], axis=1)
    # The derivative of (t, 2 t (1 − t) bend) in chords.
    slope = 2 * (1 - 2 * steps) * bend[:, None]
    along = chord[:, None] + slope[..., None] * across[:, None]
    return np.asarray(along / np.maximum(np.hypot(*along.transpose(2, 0, 1)), 1e-9)[..., None])


def _around(x: float, y: float, radius: float) -> tuple[Array, Array]:
    """Return places on a ring (the five tried for its chip, then all around) and directions."""
    turns = np.deg2rad([-45, 225, 45, 135, -90, *np.linspace(0, 360, len(_STEPS) - 5)])
    out = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    tried = out[: len(CHIP_STEPS)]
    return np.array([x, y]) + radius * out, np.stack([-tried[:, 1], tried[:, 0]], axis=1)


def chips(
    setting: Setting, drawn: DrawnTies, around: Surroundings, keep: Layout
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
    crowd = len(order) > _ALL_CHIPS
    result: list[Chip] = []
    choices: dict[TieKey, int | None] = {}
    for n in order:
        tie = drawn.valued[n]
        required = _pair(tie) in pointed
        if crowd and not required and tie.kind is not Kind.PREDICTED:
            continue
        ring = tie.query == tie.key
        text = word(
            setting.theme,
            display_number(tie.weight, 2),
            _CHIP_TEXT,
            600 if tie.kind is Kind.PREDICTED or _pair(tie) == selected else 500,
        )
        pad = _PILL_PAD if tie.kind is Kind.PREDICTED else _CHIP_PAD
        width, height = text.width + 2 * pad * setting.scale, _CHIP_HEIGHT * setting.scale
        clear = float(drawn.reach[n]) + 4 * setting.scale
        dots = drawn.dots[n]
        places = chip_places(dots[: len(CHIP_STEPS)], drawn.at[n], width, height, clear)
        choice = keep.chips.get(_key(tie))
        if choice is None and (_key(tie) not in keep.chips or required):
            length = float(np.hypot(*(dots[-1] - dots[len(CHIP_STEPS)])))
            taken = [chip.rect for chip in result]
            heeded, own = _heeding(around, drawn, n)
            best, cost = place_chip(places, heeded, own, ring or length < 1.6 * width, taken)
            choice = best if required or cost < _ACCEPTED else None
        choices[_key(tie)] = choice
        if choice is not None:
            left, top, right, bottom = places[choice].tolist()
            result.append(_chip(setting, tie, (left, top, right, bottom), text))
    return result[::-1], choices


def _turn(
    tie: Tie, pointed: set[tuple[int, int] | None], keep: Layout
) -> tuple[bool, bool, bool, bool, float]:
    """Return what sorts chips into the order in which they choose their places."""
    ring, predicted = tie.query == tie.key, tie.kind is Kind.PREDICTED
    return _key(tie) not in keep.chips, _pair(tie) not in pointed, ring, predicted, -tie.weight


def _heeding(around: Surroundings, drawn: DrawnTies, n: int) -> tuple[Surroundings, int]:
    """Return surroundings that hold a chip's own edge, and its place among their edges."""
    own = n - len(drawn.valued) + len(around.dots)
    if own >= 0:
        return around, own
    dots = np.concatenate([drawn.dots[n : n + 1], around.dots])
    reach = np.concatenate([drawn.reach[n : n + 1], around.reach])
    return around._replace(dots=dots, reach=reach), 0


def _chip(setting: Setting, tie: Tie, rect: Rect, text: Word) -> Chip:
    theme, share = setting.theme, setting.tie_share(tie)
    if tie.kind is Kind.PREDICTED:
        ink = setting.mixed(theme.color("ink1"), share)
        return Chip(tie.query, tie.key, rect, text, setting.canvas, ink, pill=True)
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
    )


def _pair(tie: Tie) -> tuple[int, int]:
    return tie.query, tie.key


def _key(tie: Tie) -> TieKey:
    return tie.query, tie.key, int(tie.kind)
