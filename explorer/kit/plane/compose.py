"""From a frame and a camera to the plane's drawing, as pure functions."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from explorer.kit.canvas.drawing import Arc, Chip, Drawing, Line, Marker, Rect, Tint, text_box
from explorer.kit.canvas.placement import Surroundings, boxes_of, clear_of, overlaps
from explorer.kit.plane import basis, geometry
from explorer.kit.plane.camera import Camera
from explorer.kit.plane.grid import grid
from explorer.kit.plane.pairs import chips, edges
from explorer.kit.plane.placed_frame import Array, Layout, PlacedFrame, Pose
from explorer.kit.plane.points import labels, marker_rise, markers
from explorer.kit.theme import Theme, TokenColours
from explorer.session import Frame

_STEPS = 12  # along a leader line, on which names had better not lie
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
    presented: bool = False,
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
    presented : bool
        Whether it is read from afar.
    """
    if keep is None and frame.hover is not None:
        calm = replace(frame, hover=None)
        keep = compose(
            calm, theme, camera, top, colours=colours, thickness=thickness, presented=presented
        ).layout
    placed = PlacedFrame.of(
        frame, theme, camera, keep or Layout(), colours, pose, thickness, presented
    )
    lines, ticks = grid(camera, theme, top)
    shown = markers(placed)
    drawn = edges(placed, shown)
    said, shades = geometry.caption(placed, tint)
    points = boxes_of(_box(m) for m in shown if not m.ghost)
    inside = (4.0, top + 4, camera.width - 4, camera.height - 28 * placed.scale)
    movements = basis.moved(placed, shown, inside)
    around = Surroundings(
        inside=inside,
        boxes=np.vstack([points, boxes_of((*map(text_box, said), *movements.boxes))]),
        ghosts=boxes_of(_box(m) for m in shown if m.ghost),
        dots=drawn.dots[:_EDGES_HEEDED],
        reach=drawn.reach[:_EDGES_HEEDED],
    )
    shapes: list[Line | Arc] = geometry.hull(placed) + geometry.reach(placed)
    shapes += geometry.turns(placed)
    angle = geometry.angle_at_origin(placed, around)
    if angle is not None:
        shapes = shapes + angle.shapes
        ticks += angle.texts
        around = around._replace(boxes=np.vstack([around.boxes, angle.box]))
    around = around._replace(lines=geometry.dotted(shapes))
    ends = [(edge.query, edge.key) for edge in drawn.edges]
    crowded = any(map(placed.is_crowded, placed.at))
    if presented or crowded:  # the values of a short edge have fewer places than a name
        values, places = chips(placed, drawn, around)
        taken = boxes_of(chip.rect for chip in values)
        ties = _leader_boxes(values) if presented else np.empty((0, 4))
        beside = around._replace(boxes=np.vstack([around.boxes, taken, ties]))
        names = labels(placed, shown, drawn.rings, ends, beside)
        # A name that found no place gets it from a value.
        if not crowded and overlaps(taken, names.boxes).any():
            around = around._replace(boxes=np.vstack([around.boxes, names.boxes]))
            kept = replace(placed, keep=replace(placed.keep, chips=places))
            values, places = chips(kept, drawn, around)
    else:
        names = labels(placed, shown, drawn.rings, ends, around)
        beside = around._replace(boxes=np.vstack([around.boxes, names.boxes]))
        values, places = chips(placed, drawn, beside)
        taken = boxes_of(chip.rect for chip in values)
        if overlaps(taken, around.boxes).any():  # a name can give way to a value, a point cannot
            values, places = chips(placed, drawn, around)
            taken = boxes_of(chip.rect for chip in values)
        if overlaps(taken, names.boxes).any():  # a value that found no place gets it from a name
            around = around._replace(boxes=np.vstack([around.boxes, taken]))
            names = labels(placed, shown, drawn.rings, ends, around)
    over = np.vstack([names.boxes, boxes_of(chip.rect for chip in values)])
    said = tuple(clear_of(over, said))
    ticks = tuple(clear_of(np.vstack([over, boxes_of(map(text_box, said)), points]), ticks))
    drawing = Drawing(
        tint=tint,
        # The same where nothing is moved: what is painted again depends on it.
        grid=(*lines, *movements.grid) if movements.grid else lines,
        shapes=(*shapes, *shades, *movements.shapes, *names.leaders),
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
        scale=placed.scale,
    )
    return Composed(drawing, Layout(drawn.bends, places, names.places, movements.places))


def _leader_boxes(values: list[Chip]) -> Array:
    """Return rectangles along the lines that tie values to their edges, shape (n, 4)."""
    leaders = [np.array(chip.leader) for chip in values if chip.leader]
    if not leaders:
        return np.empty((0, 4))
    steps = np.linspace(0.0, 1.0, _STEPS)[:, None]
    dots = np.concatenate([ends[0] + steps * (ends[-1] - ends[0]) for ends in leaders])
    return np.hstack([dots - 1.0, dots + 1.0])


def _box(marker: Marker) -> Rect:
    half = marker.diameter / 2 + 2.5
    top = marker.y - half - marker_rise(marker)
    return marker.x - half, top, marker.x + half, marker.y + half
