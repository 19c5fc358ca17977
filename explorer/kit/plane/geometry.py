"""The plane's extras: angle and foot between q and k, the hull of V, captions, coordinates."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from explorer.attention import angle, convex_hull, foot
from explorer.kit.canvas.chips import DOTS
from explorer.kit.canvas.drawing import Arc, Line, Marker, Rect, Text, Tint
from explorer.kit.canvas.placement import Surroundings, place_cost
from explorer.kit.canvas.text import Word, word, wrapped
from explorer.kit.plane.basis import across
from explorer.kit.plane.field import tint_colour
from explorer.kit.plane.placed_frame import Array, PlacedFrame
from explorer.kit.plane.words import captions, field_text, place_text
from explorer.kit.theme import Theme
from explorer.session import Edges, Frame, Space, Stage
from explorer.session.backwards import ways
from explorer.text import _, display_number

_ARC = 46.0  # px at 100 %
_DOTS = (1.0, 3.0)
_SHADES = 5  # of the tint, as they are told
_TURN_STEP, _TURN_SHARE = 0.08, 0.55  # radians between corners of a way; its opacity
_CAPTION = 13  # px at 100 %
_LINES_HEEDED = 32  # by names


class Angle(NamedTuple):
    """What shows the angle, and the rectangle of its text."""

    shapes: list[Line | Arc]
    texts: tuple[Text, ...]
    box: Rect


def angle_at_origin(placed: PlacedFrame, around: Surroundings) -> Angle | None:
    """Return the angle between the selected pair's q and k and the foot of k on q's line.

    Only at the scores, where Q and K themselves are drawn: in a projection neither the angle nor
    the foot would be true. None where there is nothing to show.
    """
    frame, theme, camera, thing = placed.frame, placed.theme, placed.camera, placed.selection
    if (
        thing is None
        or thing.pair is None
        or frame.look.edges is not Edges.SCORES
        or frame.look.hides(Stage.S)
        or not frame.turned
        or not {Space.Q, Space.K} <= frame.look.shown
        or frame.attention.d_k != 2
    ):
        return None
    i, j = thing.pair
    q, k = frame.points(Space.Q)[i], frame.points(Space.K)[j]
    degrees = angle(q, k)
    at_foot = foot(k, q)
    if degrees is None or at_foot is None:
        return None
    origin, end_q, end_k, end_foot = (
        (x, y) for x, y in camera.to_screen(np.array([(0.0, 0.0), q, k, at_foot])).tolist()
    )
    width = placed.scale
    shapes: list[Line | Arc] = [
        Line((origin, end_q), QColor(placed.queries[i].ink), 1.25 * width),
        Line((origin, end_k), QColor(placed.keys[j].ink), 1.25 * width),
    ]
    faint = theme.color("ctl")
    if math.dist(end_k, end_foot) > 2:
        shapes.append(Line((end_k, end_foot), faint, 1.25 * width, _DOTS))
    if float(q @ k) < 0:  # the foot lies on q's line behind the origin
        shapes.append(Line((origin, end_foot), faint, 1.25 * width, _DOTS))
    shapes.append(_foot_mark(end_foot, theme))
    turn_q = math.degrees(math.atan2(origin[1] - end_q[1], end_q[0] - origin[0]))
    turn_k = math.degrees(math.atan2(origin[1] - end_k[1], end_k[0] - origin[0]))
    span = (turn_k - turn_q + 180) % 360 - 180
    radius = _ARC * placed.scale
    shapes.append(Arc(origin, radius, turn_q, span, theme.color("ink2"), 1.5 * width))
    texts, box = _angle_text(theme, degrees, origin, turn_q + span / 2, radius, around)
    share = placed.share((i, j))
    if share < 1.0:  # another thing is hovered
        shapes = [_paler(shape, placed, share) for shape in shapes]
        texts = tuple(t._replace(colour=placed.mixed(t.colour, share)) for t in texts)
    return Angle(shapes, texts, box)


def _paler(shape: Line | Arc, placed: PlacedFrame, share: float) -> Line | Arc:
    """Return a shape at an opacity of `share`."""
    colour = placed.mixed(shape.colour, share)
    if isinstance(shape, Line) and shape.fill is not None:
        return shape._replace(colour=colour, fill=placed.mixed(shape.fill, share))
    return shape._replace(colour=colour)


def _foot_mark(at: tuple[float, float], theme: Theme) -> Line:
    """Return a small diamond that marks the foot."""
    (x, y), r = at, 3.5 * theme.percent / 100
    corners = ((x - r, y), (x, y - r), (x + r, y), (x, y + r))
    return Line(corners, theme.color("ink3"), 1.0, fill=theme.color("ink3"))


def _angle_text(
    theme: Theme,
    degrees: float,
    origin: tuple[float, float],
    middle: float,
    radius: float,
    around: Surroundings,
) -> tuple[tuple[Text, ...], Rect]:
    """Return the words outside the arc, towards its middle if possible, and their rectangle."""
    number = word(theme, f"{display_number(degrees, 0)}°", 17, 700)
    shown = round(degrees)
    sign = "<" if shown > 90 else ">" if shown < 90 else "="
    cosine = word(theme, _("cos {sign} 0").format(sign=sign), 16)
    gap = theme.px(5)
    width = number.width + gap + cosine.width
    height = number.height
    turns = np.deg2rad(middle + np.array([0, 30, -30, 60, -60, 180, 140, -140]))
    # The rectangle touches a circle a little outside the arc.
    away = radius + theme.px(8)
    size = np.array([width, height])
    directions = np.stack([np.cos(turns), -np.sin(turns)], axis=1)
    corners = np.array(origin) + directions * (away + size / 2) - size / 2
    places = np.hstack([corners, corners + size])
    left, top = places[int(place_cost(places, around).argmin()), :2].tolist()
    second = top + number.ascent - cosine.ascent
    texts = (
        Text(number, left, top, theme.color("ink1")),
        Text(cosine, left + number.width + gap, second, theme.color("ink2")),
    )
    return texts, (left, top, left + width, top + height)


def turns(placed: PlacedFrame) -> list[Line | Arc]:
    """Return the ways on which points of Q and K were turned, each from a hollow point on.

    At the stage of rotary positions alone; of many tokens those of the pointed one.
    """
    shapes: list[Line | Arc] = []
    for space in _spaces_turned(placed.frame):
        for row in range(len(placed.at[space])):
            if placed.is_small(space, row):
                continue
            screen = placed.camera.to_screen(_way(placed.frame, space, row)).tolist()
            path = tuple((x, y) for x, y in screen)
            ink = QColor(placed.colour(space, row).ink)
            shapes.append(Line(path, placed.mixed(ink, _TURN_SHARE), 1.5 * placed.scale))
            shapes.append(_hollow(path[0], ink, placed))
    return shapes


def turned_through(frame: Frame) -> Array:
    """Return the places of the plane that these ways go through, of tokens that keep a colour."""
    through = [np.zeros((0, 2))]
    for space in _spaces_turned(frame):
        rows = len(frame.points(space))
        slots = frame.slots[-rows:] if space is Space.K else frame.slots[:rows]
        through += [_way(frame, space, row) for row, slot in enumerate(slots) if slot >= 0]
    return np.concatenate(through)


def _spaces_turned(frame: Frame) -> list[Space]:
    if frame.scene.options.rotary is None or frame.look.stage is not Stage.R:
        return []
    if frame.attention.projected is None:
        return []
    return [space for space in (Space.Q, Space.K) if space in frame.look.shown]


def _way(frame: Frame, space: Space, row: int) -> Array:
    """Return the corners of the way on which a point was turned, in the plane."""
    rotary = frame.scene.options.rotary
    assert rotary is not None
    # As it enters less its own turn: after the norm, where there is one.
    before = rotary.at(frame.points(space)[row], row, back=True)
    angles = np.mod(row * rotary.frequencies(), 2 * math.pi)
    steps = 1 + math.ceil(float(angles.max(initial=0.0)) / _TURN_STEP)
    way = [rotary.by(before, angles * share) for share in np.linspace(0, 1, steps + 1)]
    return frame.projection.project(np.array(way))


def _hollow(at: tuple[float, float], ink: QColor, placed: PlacedFrame) -> Line:
    turns = np.linspace(0, 2 * math.pi, 17)
    radius = 4.0 * placed.scale
    ring = tuple((at[0] + radius * math.cos(t), at[1] + radius * math.sin(t)) for t in turns)
    return Line(ring, ink, 1.25 * placed.scale, fill=placed.canvas)


def hull(placed: PlacedFrame) -> list[Line | Arc]:
    """Return the hull of V, where outputs are drawn too.

    Only those of a mistake leave it, and of rows with every key masked.
    """
    at, theme = placed.at, placed.theme
    if not {Space.V, Space.O} <= at.keys() or len(at[Space.V]) < 3:
        return []
    corners = [(x, y) for x, y in convex_hull(at[Space.V]).tolist()]
    width = 1.25 * placed.scale
    return [
        Line(
            (*corners, corners[0]),
            theme.color("ink3"),
            width,
            (2.5, 3.5),
            theme.color("ink2", 0.05),
        )
    ]


def reach(placed: PlacedFrame) -> list[Line | Arc]:
    """Return the line that a dragged point cannot leave, where W allows it no more than a line."""
    frame, drag = placed.frame, placed.frame.drag
    if drag is None or drag.pull is None or drag.space not in placed.at:
        return []
    found = ways(drag.pull, frame.projection)
    if len(found) != 1 or len(drag.start) == 1:
        return []
    x, y = found[0].tolist()
    (at,) = placed.camera.to_screen(frame.projection.project(drag.start[None])).tolist()
    way, width = np.array((x, -y)), 1.5 * placed.scale
    return [across(at, way, 0.0, placed.camera, placed.theme.color("ink1"), width, _DOTS)]


def caption(placed: PlacedFrame, tint: Tint | None) -> tuple[tuple[Text, ...], list[Line | Arc]]:
    """Return what must be known of the plane, a line each, and the colours of its tint.

    tint : Tint or None
    """
    theme, camera = placed.theme, placed.camera
    ink, canvas = theme.color("ink3"), theme.color("canvas")
    texts: list[Text] = []
    y = camera.height - theme.px(28)
    lines = caption_lines(placed.frame, theme, camera.width)
    if tint is not None:
        lines.append(word(theme, field_text(placed.frame, tint.low, tint.high), _CAPTION))
    for line in lines:
        y -= line.height
        x = camera.width - line.width - theme.px(16)
        texts.append(Text(line, x, y, ink, background=canvas))
    return tuple(texts), _ramp(placed, texts[-1]) if tint is not None else []


def caption_lines(frame: Frame, theme: Theme, width: float) -> list[Word]:
    """Return what must be known of a plane so many px wide, from the lowest line up."""
    room = width - 2 * theme.px(16)
    return [
        line for said in captions(frame) for line in reversed(wrapped(theme, said, _CAPTION, room))
    ]


def _ramp(placed: PlacedFrame, beside: Text) -> list[Line | Arc]:
    """Return the colours of the tint from least to most, before the line that tells of it."""
    theme, side = placed.theme, beside.word.height - 4
    right, top = beside.x - theme.px(8) - _SHADES * side, beside.y + 2
    shades: list[Line | Arc] = []
    for n in range(_SHADES):
        x = right + n * side
        corners = ((x, top), (x + side, top), (x + side, top + side), (x, top + side))
        fill = tint_colour(theme, n / (_SHADES - 1))
        shades.append(Line((*corners, corners[0]), theme.color("axis"), 1.0, fill=fill))
    return shades


def coordinates(placed: PlacedFrame, marker: Marker) -> Word | None:
    """Return what stands under a point's label: where it is dragged, or its place after a shuffle.

    None for other points.
    """
    frame, drag = placed.frame, placed.frame.drag
    keyed = marker.space in (Space.K, Space.V) and frame.scene.context is not None
    if frame.shuffled is not None and not keyed:
        return word(placed.theme, place_text(frame, marker.row), 13)
    if drag is None or (marker.space, marker.row) != (drag.space, drag.token):
        return None
    point = frame.projection.project(frame.points(drag.space)[drag.token])
    numbers = ", ".join(display_number(value, 2) for value in point.tolist())
    return word(placed.theme, f"({numbers})", 15)


def dotted(shapes: list[Line | Arc]) -> Array:
    """Return places along the straight lines among the shapes, shape (n, len(DOTS), 2)."""
    ends = [pair for shape in shapes if isinstance(shape, Line) for pair in pairwise(shape.points)]
    lines = np.array(ends[:_LINES_HEEDED]).reshape(-1, 2, 1, 2)
    return np.asarray(lines[:, 0] + (lines[:, 1] - lines[:, 0]) * DOTS[:, None])
