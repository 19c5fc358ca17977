"""From a frame and a camera to the plane's drawing, as pure functions."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from explorer.session import Frame
from explorer.views.canvas.drawing import Arc, Drawing, Edge, Line, Marker, Rect, Text, Tint
from explorer.views.canvas.placement import Surroundings
from explorer.views.plane import basis, geometry
from explorer.views.plane.camera import Camera
from explorer.views.plane.chips import chips
from explorer.views.plane.grid import grid
from explorer.views.plane.pairs import edges
from explorer.views.plane.points import labels, marker_rise, markers
from explorer.views.plane.pose import Pose
from explorer.views.plane.setting import Layout, Setting
from explorer.views.theme import Theme, TokenColours

_EDGES_HEEDED = 64  # by labels and chips; more would leave them no place


class Composed(NamedTuple):
    """A drawing and the choices made for it."""

    drawing: Drawing
    layout: Layout


def compose(
    frame: Frame,
    theme: Theme,
    camera: Camera,
    top: float,
    keep: Layout | None = None,
    colours: TokenColours | None = None,
    pose: Pose | None = None,
    thickness: float = 1.0,
    tint: Tint | None = None,
) -> Composed:
    """Return the drawing of a frame.

    Parameters
    ----------
    top : float
        Pixels at the upper edge that are covered by controls.
    keep : Layout, optional
        Choices to be kept where they still apply. Without it they are those made where nothing is
        hovered: hovering moves nothing.
    colours : pair of lists of TokenColour, optional
        Of the queries' and the keys' tokens; the theme's for the frame where left out.
    pose : Pose, optional
        Where points and edges are while they move, seen through `camera`.
    thickness : float
        What the widths of edges are multiplied by.
    tint : Tint, optional
        Of the whole plane, by the selected pair's weight (see `Field`).
    """
    if keep is None and frame.hover is not None:
        calm = replace(frame, hover=None)
        keep = compose(calm, theme, camera, top, colours=colours, thickness=thickness).layout
    setting = Setting.of(frame, theme, camera, keep or Layout(), colours, pose, thickness)
    lines, ticks = grid(camera, theme, top)
    shown = markers(setting)
    drawn = edges(setting, shown)
    said, shades = geometry.caption(setting, tinted=tint is not None)
    inside = (4.0, top + 4, camera.width - 4, camera.height - 28 * setting.scale)
    movements = basis.moved(setting, shown, inside)
    around = Surroundings(
        inside=inside,
        boxes=np.array(
            [
                *(_box(m) for m in shown if not m.ghost),
                *(_text_box(text) for text in said),
                *movements.boxes,
            ]
        ).reshape(-1, 4),
        ghosts=np.array([_box(m) for m in shown if m.ghost]).reshape(-1, 4),
        dots=drawn.dots[:_EDGES_HEEDED],
        reach=drawn.reach[:_EDGES_HEEDED],
    )
    shapes: list[Line | Arc] = geometry.hull(setting) + geometry.reach(setting)
    angle = geometry.angle_at_origin(setting, around)
    if angle is not None:
        shapes = shapes + angle.shapes
        ticks += angle.texts
        around = around._replace(boxes=np.vstack([around.boxes, angle.box]))
    around = around._replace(lines=geometry.dotted(shapes))
    names = labels(setting, shown, drawn.rings, around)
    around = around._replace(boxes=np.vstack([around.boxes, names.boxes]))
    values, places = chips(setting, drawn, around)
    drawing = Drawing(
        tint=tint,
        # The same where nothing is moved: what is painted again depends on it.
        grid=(*lines, *movements.grid) if movements.grid else lines,
        shapes=(*shapes, *shades, *movements.shapes),
        edges=tuple(drawn.edges),
        markers=tuple(shown),
        texts=(
            *ticks,
            *said,
            *movements.texts,
            *names.texts([chip for chip in values if chip.selected]),
        ),
        chips=tuple(values),
        handles=movements.handles,
        scale=setting.scale,
    )
    return Composed(drawing, Layout(drawn.bends, places, names.places, movements.places))


def with_clear_ground(drawing: Drawing, ground: QColor) -> Drawing:
    """Return a drawing in which no line runs through a text."""
    boxes = [_text_box(text) for text in drawing.texts]
    unseen = QColor(0, 0, 0, 0)
    crossed = (
        text._replace(colour=unseen, background=ground)
        for text, box in zip(drawing.texts, boxes, strict=True)
        if any(_crosses(edge, box) for edge in drawing.edges)
    )
    grounds = [_rectangle(box, ground) for box in boxes]
    return drawing._replace(shapes=(*drawing.shapes, *grounds), texts=(*crossed, *drawing.texts))


def _crosses(edge: Edge, box: Rect) -> bool:
    """Return whether an edge passes through a rectangle, or a ring lies about it."""
    left, top, right, bottom = box
    half = edge.width / 2 + edge.radius
    if len(edge.points) == 3:
        start, control, end = (np.array(point)[:, None] for point in edge.points)
        t = np.linspace(0.0, 1.0, 65)
        x, y = (1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * end
    else:
        x, y = np.array(edge.points).T
    x, y = np.append(x, [p[0] for p in edge.head]), np.append(y, [p[1] for p in edge.head])
    inside = (x > left - half) & (x < right + half) & (y > top - half) & (y < bottom + half)
    return bool(inside.any())


def _rectangle(rect: Rect, fill: QColor) -> Line:
    left, top, right, bottom = rect
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Line(corners, fill, 2, fill=fill)


def _box(marker: Marker) -> Rect:
    half = marker.diameter / 2 + 2.5
    top = marker.y - half - marker_rise(marker)
    return marker.x - half, top, marker.x + half, marker.y + half


def _text_box(text: Text) -> Rect:
    return text.x, text.y, text.x + text.word.width, text.y + text.word.height
