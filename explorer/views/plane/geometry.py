"""The plane's extras: angle and foot between q and k, the hull of V, captions, coordinates."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from explorer.attention import angle, convex_hull, foot
from explorer.session import Edges, Frame, Space
from explorer.text import _, display_number
from explorer.views.canvas.drawing import Arc, Line, Marker, Rect, Text
from explorer.views.canvas.text import word
from explorer.views.plane.camera import Camera
from explorer.views.plane.relations import points_at
from explorer.views.theme import Theme

Array = NDArray[np.float64]

_ARC = 46.0  # px at 100 %
_DOTS = (1.0, 3.0)


class Angle(NamedTuple):
    """What shows the angle, and the rectangle of its text."""

    shapes: list[Line | Arc]
    texts: tuple[Text, ...]
    box: Rect


def angle_at_origin(frame: Frame, theme: Theme, camera: Camera) -> Angle | None:
    """Return the angle between the selected pair's q and k and the foot of k on q's line.

    Only at the scores, where Q and K themselves are drawn: in a projection neither the angle nor
    the foot would be true. None where there is nothing to show.
    """
    thing = points_at(frame.selection)
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
    queries, keys = theme.token_colours(frame)
    origin, end_q, end_k, end_foot = (
        (x, y) for x, y in camera.to_screen(np.array([(0.0, 0.0), q, k, at_foot])).tolist()
    )
    width = theme.px(100) / 100
    shapes: list[Line | Arc] = [
        Line((origin, end_q), QColor(queries[i].ink), 1.25 * width),
        Line((origin, end_k), QColor(keys[j].ink), 1.25 * width),
    ]
    faint = theme.color("ctl")
    if math.dist(end_k, end_foot) > 2:
        shapes.append(Line((end_k, end_foot), faint, 1.25 * width, _DOTS))
    if float(q @ k) < 0:  # the foot lies on q's line behind the origin
        shapes.append(Line((origin, end_foot), faint, 1.25 * width, _DOTS))
    shapes.append(_cross(end_foot, theme))
    turn_q = math.degrees(math.atan2(origin[1] - end_q[1], end_q[0] - origin[0]))
    turn_k = math.degrees(math.atan2(origin[1] - end_k[1], end_k[0] - origin[0]))
    span = (turn_k - turn_q + 180) % 360 - 180
    radius = _ARC * theme.percent / 100
    shapes.append(Arc(origin, radius, turn_q, span, theme.color("ink2"), 1.5 * width))
    texts, box = _angle_text(theme, degrees, origin, turn_q + span / 2, radius)
    return Angle(shapes, texts, box)


def _cross(at: tuple[float, float], theme: Theme) -> Line:
    """Return a small diamond that marks the foot."""
    (x, y), r = at, 3.5 * theme.percent / 100
    corners = ((x - r, y), (x, y - r), (x + r, y), (x, y + r))
    return Line(corners, theme.color("ink3"), 1.0, fill=theme.color("ink3"))


def _angle_text(
    theme: Theme, degrees: float, origin: tuple[float, float], middle: float, radius: float
) -> tuple[tuple[Text, ...], Rect]:
    """Return the words outside the arc, in the direction of its middle, and their rectangle."""
    number = word(theme, f"{display_number(degrees, 0)}°", 17, 700)
    shown = round(degrees)
    sign = "<" if shown > 90 else ">" if shown < 90 else "="
    cosine = word(theme, _("cos {sign} 0").format(sign=sign), 16)
    gap = theme.px(5)
    width = number.width + gap + cosine.width
    height = number.height
    turn = math.radians(middle)
    # The rectangle touches a circle a little outside the arc.
    away = radius + theme.px(8)
    x = origin[0] + math.cos(turn) * (away + width / 2)
    y = origin[1] - math.sin(turn) * (away + height / 2)
    left, top = x - width / 2, y - height / 2
    second = top + number.ascent - cosine.ascent
    texts = (
        Text(number, left, top, theme.color("ink1")),
        Text(cosine, left + number.width + gap, second, theme.color("ink2")),
    )
    return texts, (left, top, left + width, top + height)


def hull(frame: Frame, theme: Theme, at: dict[Space, Array]) -> list[Line]:
    """Return the hull of V, which no output leaves, where both are drawn."""
    if not {Space.V, Space.O} <= at.keys() or len(at[Space.V]) < 3:
        return []
    corners = [(x, y) for x, y in convex_hull(at[Space.V]).tolist()]
    return [
        Line(
            (*corners, corners[0]),
            theme.color("ink3"),
            1.25 * theme.percent / 100,
            (2.5, 3.5),
            theme.color("ink2", 0.05),
        )
    ]


def caption(frame: Frame, theme: Theme, camera: Camera) -> tuple[Text, ...]:
    """Return what the plane leaves out, where it does."""
    if frame.projection.exact:
        return ()
    said = _("PCA of {count} dimensions, {percent} % of the variance").format(
        count=len(frame.projection.mean),
        percent=round(100 * float(frame.projection.explained.sum())),
    )
    line = word(theme, said, 13)
    x = camera.width - line.width - theme.px(16)
    y = camera.height - theme.px(28) - line.height
    return (Text(line, x, y, theme.color("ink3"), background=theme.color("canvas")),)


def coordinates(
    frame: Frame, theme: Theme, camera: Camera, marker: Marker, label: Rect
) -> tuple[Text, ...]:
    """Return the place of a dragged point, to stand under its label; nothing for other points."""
    drag = frame.drag
    if drag is None or marker.space is not Space.X or marker.row != drag.token:
        return ()
    point = frame.projection.project(frame.scene.X[drag.token])
    numbers = ", ".join(display_number(value, 2) for value in point.tolist())
    line = word(theme, f"({numbers})", 15)
    return (Text(line, label[0], label[3], theme.color("ink2")),)
