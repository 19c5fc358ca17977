"""The plane's extras: angle and foot between q and k, the hull of V, captions, coordinates."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from explorer.attention import angle, convex_hull, foot
from explorer.session import Edges, Space
from explorer.text import _, display_number
from explorer.views.canvas.drawing import Arc, Line, Marker, Rect, Text
from explorer.views.canvas.placement import DOTS, Surroundings, place_cost
from explorer.views.canvas.text import Word, word
from explorer.views.plane.setting import Array, Setting
from explorer.views.theme import Theme

_ARC = 46.0  # px at 100 %
_DOTS = (1.0, 3.0)
_LINES_HEEDED = 32  # by names


class Angle(NamedTuple):
    """What shows the angle, and the rectangle of its text."""

    shapes: list[Line | Arc]
    texts: tuple[Text, ...]
    box: Rect


def angle_at_origin(setting: Setting, around: Surroundings) -> Angle | None:
    """Return the angle between the selected pair's q and k and the foot of k on q's line.

    Only at the scores, where Q and K themselves are drawn: in a projection neither the angle nor
    the foot would be true. None where there is nothing to show.
    """
    frame, theme, camera, thing = setting.frame, setting.theme, setting.camera, setting.selection
    if (
        thing is None
        or thing.pair is None
        or frame.look.edges is not Edges.SCORES
        or not {Space.Q, Space.K} <= frame.look.spaces
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
    width = setting.scale
    shapes: list[Line | Arc] = [
        Line((origin, end_q), QColor(setting.queries[i].ink), 1.25 * width),
        Line((origin, end_k), QColor(setting.keys[j].ink), 1.25 * width),
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
    radius = _ARC * setting.scale
    shapes.append(Arc(origin, radius, turn_q, span, theme.color("ink2"), 1.5 * width))
    texts, box = _angle_text(theme, degrees, origin, turn_q + span / 2, radius, around)
    share = setting.share((i, j))
    if share < 1.0:  # another thing is hovered
        shapes = [_paler(shape, setting, share) for shape in shapes]
        texts = tuple(t._replace(colour=setting.mixed(t.colour, share)) for t in texts)
    return Angle(shapes, texts, box)


def _paler(shape: Line | Arc, setting: Setting, share: float) -> Line | Arc:
    """Return a shape at an opacity of `share`."""
    colour = setting.mixed(shape.colour, share)
    if isinstance(shape, Line) and shape.fill is not None:
        return shape._replace(colour=colour, fill=setting.mixed(shape.fill, share))
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


def hull(setting: Setting) -> list[Line | Arc]:
    """Return the hull of V, which no output leaves, where both are drawn."""
    at, theme = setting.at, setting.theme
    if not {Space.V, Space.O} <= at.keys() or len(at[Space.V]) < 3:
        return []
    corners = [(x, y) for x, y in convex_hull(at[Space.V]).tolist()]
    width = 1.25 * setting.scale
    return [
        Line(
            (*corners, corners[0]),
            theme.color("ink3"),
            width,
            (2.5, 3.5),
            theme.color("ink2", 0.05),
        )
    ]


def caption(setting: Setting) -> tuple[Text, ...]:
    """Return what the plane leaves out, where it does."""
    projection, theme, camera = setting.frame.projection, setting.theme, setting.camera
    if projection.exact:
        return ()
    said = _("PCA of {count} dimensions, {percent} % of the variance").format(
        count=len(projection.mean), percent=round(100 * float(projection.explained.sum()))
    )
    line = word(theme, said, 13)
    x = camera.width - line.width - theme.px(16)
    y = camera.height - theme.px(28) - line.height
    return (Text(line, x, y, theme.color("ink3"), background=theme.color("canvas")),)


def coordinates(setting: Setting, marker: Marker) -> Word | None:
    """Return the place of a dragged point, to stand under its label; None for other points."""
    frame, drag = setting.frame, setting.frame.drag
    if drag is None or marker.space is not Space.X or marker.row != drag.token:
        return None
    point = frame.projection.project(frame.scene.X[drag.token])
    numbers = ", ".join(display_number(value, 2) for value in point.tolist())
    return word(setting.theme, f"({numbers})", 15)


def dotted(shapes: list[Line | Arc]) -> Array:
    """Return places along the straight lines among the shapes, shape (n, len(DOTS), 2)."""
    ends = [pair for shape in shapes if isinstance(shape, Line) for pair in pairwise(shape.points)]
    lines = np.array(ends[:_LINES_HEEDED]).reshape(-1, 2, 1, 2)
    return np.asarray(lines[:, 0] + (lines[:, 1] - lines[:, 0]) * DOTS[:, None])
