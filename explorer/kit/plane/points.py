"""The plane's markers and the names beside them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from explorer.kit.canvas.drawing import Arc, Chip, Line, Marker, Rect, Text
from explorer.kit.canvas.placement import (
    Anchor,
    Surroundings,
    boxes_of,
    leader,
    overlaps,
    place_labels,
)
from explorer.kit.canvas.text import Word, word
from explorer.kit.drawing_cache import drawing_cache
from explorer.kit.plane import geometry, relations
from explorer.kit.plane.placed_frame import FADED, Array, Pair, PlacedFrame
from explorer.kit.plane.relations import Flow
from explorer.kit.theme import Theme, TokenColour
from explorer.session import Space
from explorer.text import displayable

# Sizes of the design in px at 100 %.
MARKER, FOCUS, GHOST, HALO = 24.0, 30.0, 18.0, 60.0
_LETTER, _NAME, _LOWERED = 21, 17, 5.0

_PRESENTED = 1.15  # times the size of names, before an audience
_GHOSTLY = 0.30
_LONGEST_NAME = 16  # characters of a token on the plane
_ALL_LABELS = 64  # points of one space; beyond, only pinned and pointed ones are labelled

# Among many tokens.
_SMALL = {Space.Q: 12.0}  # markers of those without a colour
_SMALL_MARKER, _SMALL_NAME, _PLACE = 13.0, 14, 12
_COLOURED_GHOST, _SMALL_GHOST = 0.45, 0.55


class Name(NamedTuple):
    """One point's name, and whether it is there at any price."""

    texts: list[Text]
    rect: Rect
    required: bool


class Labels(NamedTuple):
    """The names, the number of the place that each point's took, and lines to distant ones."""

    names: list[Name]
    places: dict[tuple[Space, int], int | None]
    leaders: list[Line | Arc]

    @property
    def boxes(self) -> Array:
        """The rectangles that are covered, shape (n, 4)."""
        return boxes_of(name.rect for name in self.names)

    def texts(self, chips: Sequence[Chip]) -> list[Text]:
        """Return all texts but those that could be left out and lie beneath a chip."""
        rects = boxes_of(chip.rect for chip in chips)
        hidden = np.asarray(overlaps(self.boxes, rects).any(axis=1))
        named = zip(self.names, hidden.tolist(), strict=True)
        return [text for name, away in named if name.required or not away for text in name.texts]


def markers(placed: PlacedFrame) -> list[Marker]:
    """Return all markers inside the view: ghosts first, the focused ones last."""
    ghosts: list[Marker] = _drag_start(placed)
    full: list[Marker] = []
    small: list[Marker] = []  # upon the large ones, which would hide them
    focused: list[Marker] = []
    reach, camera = HALO * placed.scale, placed.camera
    right, bottom = camera.width + reach, camera.height + reach
    tiny = GHOST * placed.scale
    flow = relations.flow_between(placed.frame, placed.frame.look.edges)
    for space, points in placed.at.items():
        hovered, alone = _hovered(placed, space), _alone(placed, flow, space)
        for row, (x, y) in enumerate(points.tolist()):
            if not (-reach < x < right and -reach < y < bottom):
                continue
            if alone is not None and row not in alone and row not in hovered:
                ghosts.append(_ghost(placed, space, row, x, y, placed.colour(space, row)))
                continue
            marker = _marker(placed, space, row, x, y, row in hovered)
            (focused if marker.halo else small if marker.diameter < tiny else full).append(marker)
    return ghosts + full + small + focused


def _marker(
    placed: PlacedFrame, space: Space, row: int, x: float, y: float, hovered: bool
) -> Marker:
    colour, hover = placed.colour(space, row), placed.hover
    if hover is not None and not relations.is_related(placed.frame, hover, space, row):
        fill = placed.mixed(QColor(colour.fill), FADED).name()
        colour = TokenColour(fill, placed.mixed(QColor(colour.ink), FADED).name())
    halo = 0.0
    if _is_dragged(placed, space, row) or placed.focus == (space, row):
        diameter, halo = FOCUS, HALO * placed.scale
    else:
        diameter = _SMALL.get(space, _SMALL_MARKER) if placed.is_small(space, row) else MARKER
    return Marker(space, row, x, y, diameter * placed.scale, colour, 1.0, halo, hovered)


def _ghost(
    placed: PlacedFrame, space: Space, row: int, x: float, y: float, colour: TokenColour
) -> Marker:
    size, opacity = GHOST, _GHOSTLY
    if placed.is_crowded(space):
        small = row >= 0 and placed.is_small(space, row)
        size = _SMALL.get(space, _SMALL_MARKER) if small else GHOST
        opacity = _SMALL_GHOST if small else _COLOURED_GHOST
    return Marker(space, row, x, y, size * placed.scale, colour, opacity, ghost=True)


def _drag_start(placed: PlacedFrame) -> list[Marker]:
    """Return the ghost where a drag began; its row is −1, as it is no point to be pointed at."""
    drag = placed.frame.drag
    if drag is None or drag.token >= len(placed.at.get(drag.space, ())):
        return []
    start = placed.frame.projection.project(drag.start[None])
    ((x, y),) = placed.camera.to_screen(start).tolist()
    return [_ghost(placed, drag.space, -1, x, y, placed.colour(drag.space, drag.token))]


def _alone(placed: PlacedFrame, flow: Flow | None, space: Space) -> tuple[int | None] | None:
    """Return the one point that does not only accompany the selected token's edges, which are
    shown or still hidden; None where no point does."""
    thing = placed.selection
    if thing is None or flow is None or flow.query is flow.key:
        return None
    own, end = (thing.key, flow.key) if thing.query is None else (thing.query, flow.query)
    return (own,) if space is end else None


def _hovered(placed: PlacedFrame, space: Space) -> frozenset[int | None]:
    """Return the points that are pointed at."""
    thing = placed.hover
    if thing is None:
        return frozenset()
    focus = relations.focus(placed.frame, thing)
    end = thing.key if thing.pair is not None and space in (Space.K, Space.V) else None
    return frozenset({focus[1] if focus is not None and focus[0] is space else end, end})


def labels(
    placed: PlacedFrame,
    shown: list[Marker],
    rings: Mapping[int, float],
    pairs: Sequence[Pair],
    around: Surroundings,
) -> Labels:
    """Return the names of markers, each in the best of a few places beside its own.

    Parameters
    ----------
    rings : mapping of query to the outer radius of its ring
    pairs : the edges; what they lead to is named
    """
    ends = {
        space: {pair[n] for pair in pairs}
        for n, space in enumerate(placed.flow or ())
        if placed.is_crowded(space)
    }
    # Of many queries, and of very many points, only a few have names.
    few = {
        space: len(points) <= _ALL_LABELS and space is not Space.Q
        for space, points in placed.at.items()
    }
    crowded = {space: placed.is_crowded(space) for space in placed.at}
    twins = {space: _twins(placed, space) for space in placed.at}
    named = [
        m
        for m in reversed(shown)
        if not m.ghost
        and (few[m.space] or _is_required(placed, m) or m.row in ends.get(m.space, ()))
    ]
    words = [_name(placed, m, twins[m.space]) for m in named]
    below = [geometry.coordinates(placed, m) for m in named]
    asking = placed.flow.query if placed.flow else None
    ringed = [(m.x, m.y, rings[m.row]) for m in shown if m.space is asking and m.row in rings]
    anchors = []
    for m, name, tail in zip(named, words, below, strict=True):
        away = [(math.hypot(m.x - x, m.y - y), ring) for x, y, ring in ringed]
        anchors.append(
            Anchor(
                m.x,
                m.y,
                # A marker that stands where a ring is has its name outside that too.
                max([m.diameter / 2, *(far + ring for far, ring in away if far <= m.diameter / 2)]),
                max(name.width, tail.width) if tail else name.width,
                name.height,
                required=_is_required(placed, m),
                tail=tail.height if tail else 0.0,
                rise=marker_rise(m),
                wide=crowded[m.space],
                pointed=_is_pointed(placed, m),
                held=_is_dragged(placed, m.space, m.row),
            )
        )
    keep = [placed.keep.labels.get((m.space, m.row), -1) for m in named]
    firm = placed.hover is not None or placed.pose is not None
    firm = firm or (placed.frame.drag is not None and any(anchor.wide for anchor in anchors))
    found = place_labels(anchors, around, placed.scale, keep, firm)
    names: list[Name] = []
    leaders: list[Line | Arc] = []
    scale, tie = placed.scale, placed.theme.color("ctl")
    for marker, name, tail, anchor, place in zip(named, words, below, anchors, found, strict=True):
        if place.number is None or place.hidden:
            continue
        left, y, right, _bottom = place.rect
        # A name and what stands below it: both as near to the marker as they can be.
        share = (min(max(marker.x, left), right) - left) / (right - left)
        x = left + share * (right - left - name.width)
        texts = _texts(name, x, y, QColor(marker.colour.ink))
        if line := leader(anchor, place.rect, scale):
            leaders.append(Line(line, tie, scale))
        if tail is not None:
            x = left + share * (right - left - tail.width)
            texts.append(Text(tail, x, y + anchor.height, placed.theme.color("ink2")))
        names.append(Name(texts, place.rect, anchor.required))
    places = {(m.space, m.row): place.number for m, place in zip(named, found, strict=True)}
    return Labels(names, places, leaders)


def marker_rise(marker: Marker) -> float:
    """Return by how much a marker's tip, that of a triangle, is above half of its size."""
    return 0.16 * marker.diameter if marker.space is Space.Q else 0.0


class _LaidOut(NamedTuple):
    """A name as it is laid out: its words, and how far each lies right of and below its corner."""

    parts: tuple[tuple[Word, float, float], ...]
    width: float
    height: float


@drawing_cache(4096, texts=True)
def _laid_out(theme: Theme, texts: tuple[tuple[str, float, int], ...]) -> _LaidOut:
    """Return a name of a first word and lowered ones, each a text, its size and its weight."""
    words = [word(theme, *text) for text in texts]
    lowered = _LOWERED * theme.percent / 100
    drops = [words[0].ascent - part.ascent + lowered if n else 0.0 for n, part in enumerate(words)]
    starts = [0.0, *accumulate(part.width for part in words)]
    height = max(drop + part.height for drop, part in zip(drops, words, strict=True))
    return _LaidOut(tuple(zip(words, starts, drops, strict=False)), starts[-1], height)


def _texts(name: _LaidOut, x: float, y: float, ink: QColor) -> list[Text]:
    """Return a name's letter and its lowered token."""
    return [Text(part, x + right, y + down, ink) for part, right, down in name.parts]


def _is_dragged(placed: PlacedFrame, space: Space, row: int) -> bool:
    drag = placed.frame.drag
    return drag is not None and row == drag.token and space is drag.space


def _is_required(placed: PlacedFrame, marker: Marker) -> bool:
    small = placed.is_small(marker.space, marker.row)
    return not small or _is_pointed(placed, marker)


def _is_pointed(placed: PlacedFrame, marker: Marker) -> bool:
    thing = placed.selection
    keyed = marker.space in (Space.K, Space.V)
    chosen = keyed and thing is not None and marker.row == thing.key
    return marker.halo > 0 or marker.hovered or chosen


def _twins(placed: PlacedFrame, space: Space) -> frozenset[str]:
    """Return the names that several points have, and no colour that tells these apart."""
    names = placed.frame.names(space)
    twins = frozenset(name for name, count in Counter(names).items() if count > 1)
    if not twins or placed.is_crowded(space):
        return twins
    fills = {name: set[str]() for name in twins}
    for name, colour in zip(names, placed.colours(space), strict=True):
        if name in fills:
            fills[name].add(colour.fill)
    return frozenset(name for name in twins if len(fills[name]) < names.count(name))


def _name(placed: PlacedFrame, marker: Marker, twins: frozenset[str]) -> _LaidOut:
    """Return a marker's name; one of `twins` has its place beside it."""
    name = placed.frame.names(marker.space)[marker.row]
    token = displayable(name, _LONGEST_NAME)
    place = ((f"\u2009{marker.row + 1}", _PLACE, 400),) if name in twins else ()
    if placed.is_crowded(marker.space):
        if placed.is_small(marker.space, marker.row):
            return _laid_out(placed.theme, ((token, _SMALL_NAME, 400), *place))
        letter = () if marker.space is Space.X else (_letter(marker.space, _LETTER),)
        size = _NAME if letter else _LETTER if marker.halo else _NAME
        return _laid_out(placed.theme, (*letter, (token, size, 600), *place))
    large, small = (size * (_PRESENTED if placed.presented else 1) for size in (_LETTER, _NAME))
    if marker.space is Space.X:
        return _laid_out(placed.theme, ((token, large if marker.halo else small, 600), *place))
    return _laid_out(placed.theme, (_letter(marker.space, large), (token, small, 600), *place))


def _letter(space: Space, size: float) -> tuple[str, float, int]:
    return space.value.lower().replace(" ", ""), size, 600
