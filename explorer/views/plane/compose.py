"""From a frame and a camera to the plane's drawing: pure, and the only place that decides looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from explorer.session import Edges, Frame, Selection, Space
from explorer.text import decimal_places, display_number, displayable
from explorer.views.canvas.curves import choose_bends, positions, trimmed
from explorer.views.canvas.drawing import Arc, Chip, Drawing, Edge, Line, Marker, Text
from explorer.views.canvas.placement import (
    CHIP_STEPS,
    Anchor,
    Surroundings,
    chip_places,
    place_chip,
    place_labels,
)
from explorer.views.canvas.text import Word, word
from explorer.views.plane import geometry, relations
from explorer.views.plane.camera import Camera
from explorer.views.plane.grid import grid
from explorer.views.theme import Colormap, Theme, TokenColour

Array = NDArray[np.float64]
Pair = tuple[int, int]

# Sizes of the design in px at 100 %.
MARKER, FOCUS, GHOST, HALO = 24.0, 30.0, 18.0, 60.0
_LETTER, _NAME, _CHIP_TEXT = 21, 17, 17
_CHIP_HEIGHT, _CHIP_PAD = 26.0, 9.0
_START_GAP, _END_GAP = 3.0, 6.0

_GHOSTLY = 0.30
_FADED = 0.35  # of what is unrelated to the hovered thing
_BESIDE = 0.58  # of edges beside the selected pair's
_LONGEST_NAME = 16  # characters of a token on the plane
_ALL_LABELS = 40  # points of one space; beyond, only pointed ones are labelled
_ALL_CHIPS = 24  # edges; beyond, only pointed ones carry their value
_DOTS = 24  # places at which an edge is looked at
_ACCEPTED = 15.0  # what a chip may cost at its best place before it is left out


@dataclass(frozen=True)
class Layout:
    """The choices of one drawing, kept while a token is dragged so that nothing hops about.

    Parameters
    ----------
    bends : mapping of (query, key) to float
    chips : mapping of (query, key) to int or None
        The number of the chip's place; None where it is left out.
    labels : mapping of (space, index) to int
    """

    bends: Mapping[Pair, float] = field(default_factory=dict)
    chips: Mapping[Pair, int | None] = field(default_factory=dict)
    labels: Mapping[tuple[Space, int], int] = field(default_factory=dict)


class Composed(NamedTuple):
    """A drawing and the choices made for it."""

    drawing: Drawing
    layout: Layout


def mixed(colour: QColor, canvas: QColor, share: float) -> QColor:
    """Return `colour` at an opacity of `share` upon the canvas, as an opaque colour."""
    if share >= 1.0:
        return colour
    parts = zip(colour.getRgb(), canvas.getRgb(), strict=True)  # type: ignore[call-overload]
    return QColor(*(round(a * share + b * (1 - share)) for a, b in parts))


def points_on_screen(frame: Frame, camera: Camera) -> dict[Space, Array]:
    """Return the pixels of every shown space's points, (T or S, 2), in the order of painting."""
    return {
        space: camera.to_screen(frame.projection.project(frame.points(space)))
        for space in (Space.V, Space.K, Space.X, Space.O, Space.Q)
        if space in frame.look.spaces
    }


def compose(
    frame: Frame, theme: Theme, camera: Camera, top: float, keep: Layout | None = None
) -> Composed:
    """Return the drawing of a frame.

    Parameters
    ----------
    top : float
        Pixels at the upper edge that are covered by controls.
    keep : Layout, optional
        Choices to be kept where they still apply. Without it they are those made where nothing is
        hovered: hovering moves nothing.
    """
    if keep is None and frame.hover is not None:
        keep = compose(replace(frame, hover=None), theme, camera, top).layout
    return _Composer(frame, theme, camera, top, keep or Layout()).composed()


class _Composer:
    """One composition; holds what its steps share and is thrown away after."""

    def __init__(
        self, frame: Frame, theme: Theme, camera: Camera, top: float, keep: Layout
    ) -> None:
        self.frame, self.theme, self.camera, self.top, self.keep = frame, theme, camera, top, keep
        self.scale = theme.percent / 100
        self.canvas = theme.color("canvas")
        self.at = points_on_screen(frame, camera)
        self.queries, self.keys = theme.token_colours(frame)
        self.selection = relations.points_at(frame.selection)
        self.hover = relations.points_at(frame.hover)
        self.focus = relations.focus(frame, self.selection)
        self.flow = relations.possible_flow(frame, frame.look.edges)

    def composed(self) -> Composed:
        """Return the finished drawing."""
        lines, ticks = grid(self.camera, self.theme, self.top)
        markers = self._markers()
        edges, dots, bends = self._edges(markers)
        boxes = np.array([_box(m) for m in markers if not m.ghost]).reshape(-1, 4)
        around = Surroundings(
            (4.0, self.top + 4, self.camera.width - 4, self.camera.height - 28 * self.scale),
            boxes,
            dots[:64],
        )
        angle = geometry.angle_at_origin(self.frame, self.theme, self.camera)
        if angle is not None:
            around = around._replace(boxes=np.vstack([around.boxes, angle.box]))
        rings = {e.query: e.radius + e.width / 2 for e in edges if e.radius}
        labels, label_boxes, label_places = self._labels(markers, rings, around)
        around = around._replace(boxes=np.vstack([around.boxes, label_boxes]))
        chips, chip_choices = self._chips(edges, dots, around)
        shapes: list[Line | Arc] = list(geometry.hull(self.frame, self.theme, self.at))
        if angle is not None:
            shapes += angle.shapes
            ticks += angle.texts
        drawing = Drawing(
            grid=lines,
            shapes=tuple(shapes),
            edges=tuple(edges),
            markers=tuple(markers),
            texts=(*ticks, *geometry.caption(self.frame, self.theme, self.camera), *labels),
            chips=tuple(chips),
            scale=self.scale,
        )
        return Composed(drawing, Layout(bends, chip_choices, label_places))

    # --- points ----------------------------------------------------------------------------------

    def _colour(self, space: Space, index: int) -> TokenColour:
        return (self.keys if space in (Space.K, Space.V) else self.queries)[index]

    def _faded(self, colour: TokenColour) -> TokenColour:
        fill = mixed(QColor(colour.fill), self.canvas, _FADED).name()
        return TokenColour(fill, mixed(QColor(colour.ink), self.canvas, _FADED).name())

    def _is_ghost(self, space: Space, index: int) -> bool:
        """Return whether a point only accompanies the selected token's edges."""
        thing = self.selection
        if thing is None or self.flow is None or self.flow.query is self.flow.key:
            return False
        if thing.query is not None:
            return space is self.flow.query and index != thing.query
        return space is self.flow.key and index != thing.key

    def _markers(self) -> list[Marker]:
        """Return all markers inside the view, ghosts first, the focused one last."""
        frame, scale = self.frame, self.scale
        drag = frame.drag
        ghosts: list[Marker] = []
        full: list[Marker] = []
        top: list[Marker] = []
        if drag is not None and Space.X in self.at and drag.token < len(frame.scene.tokens):
            start = self.camera.to_screen(frame.projection.project(drag.start[None]))[0]
            colour = self._colour(Space.X, drag.token)
            x, y = start.tolist()
            # Index −1: where it began is no point to be pointed at.
            ghosts.append(Marker(Space.X, -1, x, y, GHOST * scale, colour, _GHOSTLY, ghost=True))
        reach = HALO * scale
        for space, points in self.at.items():
            for index, (x, y) in enumerate(points.tolist()):
                if not (
                    -reach < x < self.camera.width + reach
                    and -reach < y < self.camera.height + reach
                ):
                    continue
                colour = self._colour(space, index)
                hovered = related = False
                if self.hover is not None:
                    related = relations.is_related(frame, self.hover, space, index)
                    hovered = self._is_hovered(space, index)
                if self._is_ghost(space, index) and not hovered:
                    ghosts.append(
                        Marker(space, index, x, y, GHOST * scale, colour, _GHOSTLY, ghost=True)
                    )
                    continue
                if self.hover is not None and not related:
                    colour = self._faded(colour)
                dragged = drag is not None and space is Space.X and index == drag.token
                focused = dragged or self.focus == (space, index)
                marker = Marker(
                    space,
                    index,
                    x,
                    y,
                    (FOCUS if focused else MARKER) * scale,
                    colour,
                    halo=HALO * scale if focused else 0.0,
                    hovered=hovered,
                )
                (top if focused else full).append(marker)
        return ghosts + full + top

    def _is_hovered(self, space: Space, index: int) -> bool:
        thing = self.hover
        if thing is None:
            return False
        if relations.focus(self.frame, thing) == (space, index):
            return True
        return thing.pair is not None and space in (Space.K, Space.V) and index == thing.key

    # --- edges -----------------------------------------------------------------------------------

    def _drawn_pairs(self) -> list[Pair]:
        """Return the selection's pairs, then those that only the hovered thing adds."""
        if self.flow is None:
            return []
        base = relations.pairs(self.frame, self.selection)
        if self.hover is None:
            return base
        known = set(base)
        added = [
            pair
            for pair in relations.pairs(self.frame, self.hover)
            if pair not in known and relations.is_related_pair(self.hover, *pair)
        ]
        return base + added

    def _edges(self, markers: list[Marker]) -> tuple[list[Edge], Array, dict[Pair, float]]:
        """Return edges, places along each (E, 5 + `_DOTS`, 2), and their bends."""
        pairs = self._drawn_pairs()
        if self.flow is None or not pairs:
            return [], np.empty((0, len(CHIP_STEPS) + _DOTS, 2)), {}
        chosen = np.array(pairs)
        query, key = self.at[self.flow.query][chosen[:, 0]], self.at[self.flow.key][chosen[:, 1]]
        start, end = (key, query) if self.flow.to_query else (query, key)
        bends = self._bends(pairs, start, end, markers)
        widths = np.array([self._width(pair) for pair in pairs])
        size = {(m.space, m.row): m.diameter / 2 for m in markers}
        query_gap = np.array([size.get((self.flow.query, i), 12.0) for i, _ in pairs])
        key_gap = np.array([size.get((self.flow.key, j), 12.0) for _, j in pairs])
        first, last = (key_gap, query_gap) if self.flow.to_query else (query_gap, key_gap)
        first, last = first + _START_GAP * self.scale, last + _END_GAP * self.scale
        curves = trimmed(start, end, bends, widths, first, last)
        steps = np.array([*CHIP_STEPS, *np.linspace(0.04, 0.96, _DOTS)])
        dots = positions(start, end, bends, steps)
        edges: list[Edge] = []
        for n, (i, j) in enumerate(pairs):
            colour, dashed = self._edge_colour(i, j), self._value(i, j) < 0
            width = float(widths[n])
            if curves.visible[n]:
                points = tuple((x, y) for x, y in curves.points[n].tolist())
                head = tuple((x, y) for x, y in curves.heads[n].tolist())
                edges.append(Edge(i, j, points, width, colour, dashed, head))
            else:
                x, y = query[n].tolist()
                radius = float(query_gap[n]) + 4 * self.scale + width / 2
                edges.append(Edge(i, j, ((x, y),), width, colour, dashed, radius=radius))
                dots[n] = _around(x, y, radius)
        return edges, dots, dict(zip(pairs, bends.tolist(), strict=True))

    def _bends(self, pairs: list[Pair], start: Array, end: Array, markers: list[Marker]) -> Array:
        assert self.flow is not None
        if self.flow.query is self.flow.key:
            # Both directions join the same two points: each bows to its own side.
            return np.full(len(pairs), 0.1)
        if all(pair in self.keep.bends for pair in pairs):
            return np.array([self.keep.bends[pair] for pair in pairs])
        centres = np.array([(m.x, m.y) for m in markers]).reshape(-1, 2)
        base = sum(1 for pair in pairs if self._in_selection(pair))
        radii = np.array([m.diameter / 2 for m in markers])
        bends = choose_bends(start[:base], end[:base], centres, radii)
        return np.concatenate([bends, np.zeros(len(pairs) - base)])

    def _in_selection(self, pair: Pair) -> bool:
        """Return whether a pair is drawn for the selection, not only for the hovered thing."""
        return self.selection is None or (
            self.selection.query in (None, pair[0])
            and (self.selection.query is not None or self.selection.key == pair[1])
        )

    def _value(self, query: int, key: int) -> float:
        return float(relations.edge_values(self.frame)[query, key])

    def _width(self, pair: Pair) -> float:
        value = abs(self._value(*pair))
        if self.frame.look.edges is Edges.ATTENTION:
            return (1.5 + 22 * value) * self.scale
        return (1.5 + 11 * min(value / self.frame.score_domain, 1.0)) * self.scale

    def _edge_colour(self, query: int, key: int) -> QColor:
        assert self.flow is not None
        token = self.keys[key] if self.flow.to_query else self.queries[query]
        if self.hover is not None:
            related = relations.is_related_pair(self.hover, query, key)
            share = 1.0 if related else _FADED
        elif self.selection is None:
            share = _BESIDE
        else:
            share = 1.0 if self.selection.pair in (None, (query, key)) else _BESIDE
        return mixed(QColor(token.fill), self.canvas, share)

    # --- chips -----------------------------------------------------------------------------------

    def _chips(
        self, edges: list[Edge], dots: Array, around: Surroundings
    ) -> tuple[list[Chip], dict[Pair, int | None]]:
        """Return the values upon or beside their edges, and where each found a place."""
        pointed = {thing.pair for thing in (self.selection, self.hover) if thing is not None}
        order = sorted(range(len(edges)), key=lambda n: self._chip_rank(edges[n]))
        if len(edges) > _ALL_CHIPS:
            order = [n for n in order if (edges[n].query, edges[n].key) in pointed]
        chips: list[Chip] = []
        choices: dict[Pair, int | None] = {}
        for n in order:
            edge = edges[n]
            pair = (edge.query, edge.key)
            text = self._chip_word(pair)
            width = text.width + 2 * _CHIP_PAD * self.scale
            height = _CHIP_HEIGHT * self.scale
            clear = edge.width / 2 + 4 * self.scale
            places = chip_places(dots[n, :5], _directions(dots[n]), width, height, clear)
            choice = self.keep.chips.get(pair)
            if choice is None and (pair not in self.keep.chips or pair in pointed):
                length = float(np.hypot(*(dots[n, -1] - dots[n, 5])))
                crowded = bool(edge.radius) or length < 1.6 * width
                taken = [chip.rect for chip in chips]
                best, cost = place_chip(places, around, n, crowded, taken)
                choice = best if cost < _ACCEPTED or pair in pointed else None
            choices[pair] = choice
            if choice is not None:
                left, top, right, bottom = places[choice].tolist()
                chips.append(self._chip(pair, text, (left, top, right, bottom)))
        return chips[::-1], choices

    def _chip_rank(self, edge: Edge) -> tuple[bool, bool]:
        """Return in which order chips choose: settled ones, the selected one, all others."""
        pair = (edge.query, edge.key)
        return pair not in self.keep.chips, not _is_pair(self.selection, pair)

    def _chip_word(self, pair: Pair) -> Word:
        value = self._value(*pair)
        least = 3 if self.frame.look.edges is Edges.ATTENTION else 2
        text = display_number(value, decimal_places(value, most=3, least=least))
        return word(self.theme, text, _CHIP_TEXT, 600 if _is_pair(self.selection, pair) else 500)

    def _chip(self, pair: Pair, text: Word, rect: tuple[float, float, float, float]) -> Chip:
        colours: Colormap
        if self.frame.look.edges is Edges.ATTENTION:
            colours, domain = self.theme.weights_map, self.frame.weight_domain
        else:
            colours, domain = self.theme.scores_map, self.frame.score_domain
        value = self._value(*pair)
        share = 1.0
        if self.hover is not None and not relations.is_related_pair(self.hover, *pair):
            share = _FADED
        return Chip(
            *pair,
            rect,
            text,
            mixed(colours.fill(value, domain), self.canvas, share),
            mixed(colours.text(value, domain), self.canvas, share),
            selected=_is_pair(self.selection, pair),
            hovered=_is_pair(self.hover, pair),
        )

    # --- labels ----------------------------------------------------------------------------------

    def _labels(
        self, markers: list[Marker], rings: Mapping[int, float], around: Surroundings
    ) -> tuple[list[Text], Array, dict[tuple[Space, int], int]]:
        """Return the names beside their markers, what they cover, and where they stand."""
        shown = [m for m in reversed(markers) if not m.ghost and self._is_labelled(m)]
        words = [self._name(m) for m in shown]
        anchors = [
            Anchor(m.x, m.y, max(m.diameter / 2, self._ring(m, rings)), *_extent(parts))
            for m, parts in zip(shown, words, strict=True)
        ]
        keep = [self.keep.labels.get((m.space, m.row)) for m in shown]
        placed = place_labels(anchors, around, self.scale, keep)
        texts: list[Text] = []
        for marker, parts, (_place, rect) in zip(shown, words, placed, strict=True):
            ink = QColor(marker.colour.ink)
            x = rect[0]
            for n, part in enumerate(parts):
                y = rect[1] + (parts[0].ascent - part.ascent + 5 * self.scale if n else 0.0)
                texts.append(Text(part, x, y, ink))
                x += part.width
            texts += geometry.coordinates(self.frame, self.theme, self.camera, marker, rect)
        boxes = np.array([rect for _place, rect in placed]).reshape(-1, 4)
        places = {(m.space, m.row): n for m, (n, _rect) in zip(shown, placed, strict=True)}
        return texts, boxes, places

    def _ring(self, marker: Marker, rings: Mapping[int, float]) -> float:
        """Return the radius of the ring around a marker, or 0."""
        of_query = self.flow is not None and marker.space is self.flow.query
        return rings.get(marker.row, 0.0) if of_query else 0.0

    def _is_labelled(self, marker: Marker) -> bool:
        return (
            len(self.at[marker.space]) <= _ALL_LABELS
            or marker.halo > 0
            or marker.hovered
            or self._is_key(marker, self.selection)
        )

    def _is_key(self, marker: Marker, thing: Selection | None) -> bool:
        keyed = marker.space in (Space.K, Space.V)
        return keyed and thing is not None and marker.row == thing.key

    def _name(self, marker: Marker) -> tuple[Word, ...]:
        token = displayable(self.frame.names(marker.space)[marker.row], _LONGEST_NAME)
        if marker.space is Space.X:
            return (word(self.theme, token, _LETTER if marker.halo else _NAME, 600),)
        letter = word(self.theme, marker.space.value.lower(), _LETTER, 600)
        return letter, word(self.theme, token, _NAME, 600)


def _is_pair(thing: Selection | None, pair: Pair) -> bool:
    return thing is not None and thing.pair == pair


def _box(marker: Marker) -> tuple[float, float, float, float]:
    half = marker.diameter / 2 + 3
    return marker.x - half, marker.y - half, marker.x + half, marker.y + half


def _extent(parts: tuple[Word, ...]) -> tuple[float, float]:
    return sum(part.width for part in parts), max(part.height for part in parts)


def _directions(dots: Array) -> Array:
    """Return an edge's direction at each of `CHIP_STEPS`, of length 1, shape (5, 2)."""
    near = np.rint(np.array(CHIP_STEPS) * (_DOTS - 1)).astype(np.intp)
    along = np.gradient(dots[len(CHIP_STEPS) :], axis=0)[near]
    return np.asarray(along / np.maximum(np.hypot(*along.T), 1e-9)[:, None])


def _around(x: float, y: float, radius: float) -> Array:
    """Return places on a ring: the five tried for its chip, then all around."""
    turns = np.deg2rad([-45, 225, 45, 135, -90, *np.linspace(0, 360, _DOTS)])
    return np.stack([x + radius * np.cos(turns), y + radius * np.sin(turns)], axis=1)
