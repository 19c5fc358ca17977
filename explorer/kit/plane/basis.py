"""Where W takes the plane: the grid of X as it becomes, and the images of the basis vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from explorer.attention.transforms import FLAT
from explorer.kit.canvas.drawing import Arc, Disc, Handle, Line, Marker, Point, Rect, Text
from explorer.kit.canvas.placement import boxes_of
from explorer.kit.canvas.text import word
from explorer.kit.plane.camera import Camera
from explorer.kit.plane.grid import grid_step, step_of
from explorer.kit.plane.placed_frame import Array, PlacedFrame
from explorer.kit.theme import Theme, mixed
from explorer.session import PROJECTIONS, Frame, Matrix, Space

SPACE_OF = {Matrix.WQ: Space.Q, Matrix.WK: Space.K, Matrix.WV: Space.V}
_BIAS_OF = {Matrix.WQ: Matrix.BQ, Matrix.WK: Matrix.BK, Matrix.WV: Matrix.BV}
_NAMES = ("e₁", "e₂")

# Sizes in px at 100 %.
_CLOSEST = 28.0  # between lines of the moved grid
_SHAFT, _HEAD, _SPREAD = 2.0, 12.0, 5.0
_PILL, _AWAY, _REACH = 13.0, 33.0, 16.0
_TEXT, _LETTER = 15, 11
_DASHES: dict[Matrix, tuple[float, ...]] = {Matrix.WK: (6.0, 4.0), Matrix.WV: (2.0, 4.0)}
_MOST_LINES = 200
_NOTHING = 1e-6  # px: what all of X falls on is a point
# Where a pill may stand about the tip of its arrow: degrees from straight on.
_TURNS = (0.0, 45.0, -45.0, 90.0, -90.0, 135.0, -135.0)


class Basis(NamedTuple):
    """A W, (2, 2), that is shown as a movement, and where it takes the origin."""

    matrix: Matrix
    head: int
    W: Array
    origin: Array

    @property
    def tips(self) -> Array:
        """Where the basis vectors end, shape (2, 2)."""
        return self.origin + self.W


class Moved(NamedTuple):
    """What is drawn of movements, what names must not cover, and which places pills took."""

    grid: tuple[Line, ...]
    shapes: list[Line | Arc | Disc]
    texts: tuple[Text, ...]
    handles: tuple[Handle, ...]
    boxes: Array
    places: dict[tuple[Matrix, int], int]


def bases(frame: Frame) -> list[Basis]:
    """Return the movements to be drawn: unfolded, 2 × 2, and with their space on the plane."""
    scene, look = frame.scene, frame.look
    found: list[Basis] = []
    for matrix in PROJECTIONS:
        if matrix not in look.movements or SPACE_OF[matrix] not in look.shown:
            continue
        blocks, biases = scene.per_head(matrix), scene.per_head(_BIAS_OF[matrix])
        if blocks is None or blocks.shape[1:] != (2, 2) or not frame.projection.exact:
            continue
        origin = np.zeros(2) if biases is None else biases[look.head]
        found.append(Basis(matrix, look.head, blocks[look.head], origin))
    return found


def tips(frame: Frame) -> Array:
    """Return where the drawn basis vectors end, shape (n, 2)."""
    return np.array([each.tips for each in bases(frame)]).reshape(-1, 2)


def moved(placed: PlacedFrame, shown: Sequence[Marker], inside: Rect) -> Moved:
    """Return the drawing of all movements, beneath the markers that are shown.

    inside : where names can be seen, and so taken hold of
    """
    found = bases(placed.frame)
    lines: list[Line] = []
    arrows: list[Line | Arc | Disc] = []
    pills: list[Line | Arc | Disc] = []
    texts: list[Text] = []
    handles: list[Handle] = []
    boxes: list[Rect] = []
    places: dict[tuple[Matrix, int], int] = {}
    taken = [(m.x, m.y, m.diameter / 2) for m in shown if not m.ghost]
    for each in found:
        dash = _DASHES.get(each.matrix, ()) if len(found) > 1 else ()
        lines.extend(_grid(each, placed.camera, placed.theme, dash))
        start, *ends = placed.camera.to_screen(np.vstack([each.origin, each.tips])).tolist()
        for row, end in enumerate(ends):
            arrows.extend(_arrow(start, end, placed))
            kept = placed.keep.handles.get((each.matrix, row))
            place, at = _pill_place(start, end, row, placed.scale, taken, inside, kept)
            places[each.matrix, row] = place
            taken.append((*at, _PILL * placed.scale))
            letter = SPACE_OF[each.matrix].value.lower() if len(found) > 1 else ""
            pills.extend(_pill(at, placed))
            texts.extend(_name(at, row, letter, placed))
            half = (_PILL + 2) * placed.scale
            boxes.append((at[0] - half, at[1] - half, at[0] + half, at[1] + half))
            handles += [
                Handle(each.matrix, row, x, y, _REACH * placed.scale) for x, y in (at, tuple(end))
            ]
    return Moved(
        tuple(lines),
        [*arrows, *pills],
        tuple(texts),
        tuple(handles),
        boxes_of(boxes),
        places,
    )


# --- the grid ------------------------------------------------------------------------------------


def _grid(basis: Basis, camera: Camera, theme: Theme, dash: tuple[float, ...]) -> list[Line]:
    """Return the images of the grid's lines as far as they are seen.

    They are as far apart in X as the plane's own, farther where they would lie too close. Where W
    flattens the plane it is one line, and none where it is a point.
    """
    (middle,) = camera.to_screen(basis.origin[None]).tolist()
    x, y = basis.W * (camera.scale, -camera.scale)  # pixels of screen, whose y runs downwards
    sizes = np.linalg.svd(basis.W, compute_uv=False)
    canvas = theme.color("canvas")
    colour, axis = mixed(theme.color("line2"), canvas, 0.7), mixed(theme.color("ctl"), canvas, 0.6)
    if sizes[0] * camera.scale < _NOTHING:
        return []
    if sizes[1] <= FLAT * sizes[0]:
        way = x if math.hypot(*x) >= math.hypot(*y) else y
        return [across(middle, way, 0.0, camera, axis, 1.25, dash)]
    lines: list[Line] = []
    for along, other in ((y, x), (x, y)):
        way = along / math.hypot(*along)
        apart = float(way[0] * other[1] - way[1] * other[0])  # of lines that are 1 apart in X
        step = step_of(camera, theme)
        closest = _CLOSEST * theme.percent / 100
        if abs(apart) * step < closest:
            step = grid_step(abs(apart), closest)
        for offset in _seen(middle, way, apart * step, camera):
            first = offset == 0
            paint = axis if first else colour
            lines.append(across(middle, way, offset * apart * step, camera, paint, 1.0, dash))
    return sorted(lines, key=lambda line: line.colour == axis)


def _seen(middle: Point, way: Array, apart: float, camera: Camera) -> range:
    """Return which of parallel lines, counted from one through `middle`, may cross the view."""
    corners = np.array([(x, y) for x in (0.0, camera.width) for y in (0.0, camera.height)])
    off = ((corners - middle) @ (-way[1], way[0])) / apart
    low, high = math.ceil(off.min()), math.floor(off.max())
    return range(low, high + 1) if high - low < _MOST_LINES else range(0)


def across(
    middle: Point,
    way: Array,
    off: float,
    camera: Camera,
    colour: QColor,
    width: float,
    dash: tuple[float, ...],
) -> Line:
    """Return a line from end to end of the view, `off` px to the side of `middle`."""
    way = way / math.hypot(*way)
    base = np.array(middle) + off * np.array((-way[1], way[0]))
    centre = np.array((camera.width / 2, camera.height / 2))
    base = base + way * float((centre - base) @ way)  # where it comes closest to the middle
    far = way * math.hypot(camera.width, camera.height)
    (x0, y0), (x1, y1) = (base - far).tolist(), (base + far).tolist()
    return Line(((x0, y0), (x1, y1)), colour, width, dash)


# --- the basis vectors ---------------------------------------------------------------------------


def _arrow(start: Point, end: Point, placed: PlacedFrame) -> list[Line]:
    """Return an arrow from the origin to the image of a basis vector."""
    colour, scale = placed.theme.color("ink2"), placed.scale
    length = math.dist(start, end)
    if length < 1.0:
        return []
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    head = min(_HEAD * scale, length)
    spread = _SPREAD * scale * head / (_HEAD * scale)
    neck = (end[0] - ux * head, end[1] - uy * head)
    corners = (
        (end[0], end[1]),
        (neck[0] - uy * spread, neck[1] + ux * spread),
        (neck[0] + uy * spread, neck[1] - ux * spread),
    )
    shaft = Line(((start[0], start[1]), neck), colour, _SHAFT * scale)
    return [shaft, Line(corners, colour, 1.0, fill=colour)]


def _pill_place(
    start: Point,
    end: Point,
    row: int,
    scale: float,
    taken: Sequence[tuple[float, float, float]],
    inside: Rect,
    kept: int | None,
) -> tuple[int, Point]:
    """Return where a vector's name stands, and the number of that place: free, if one is."""
    straight = math.atan2(end[1] - start[1], end[0] - start[0])
    if math.dist(start, end) < 1.0:
        straight = (0.0, -math.pi / 2)[row]

    def at(number: int) -> Point:
        turn = straight + math.radians(_TURNS[number])
        away = _AWAY * scale
        return end[0] + away * math.cos(turn), end[1] + away * math.sin(turn)

    def is_free(place: Point) -> bool:
        room, (left, top, right, bottom) = (_PILL + 4) * scale, inside
        seen = left + room <= place[0] <= right - room and top + room <= place[1] <= bottom - room
        return seen and all(math.dist(place, (x, y)) >= half + room for x, y, half in taken)

    if kept is not None:
        return kept, at(kept)
    number = next((n for n in range(len(_TURNS)) if is_free(at(n))), 0)
    return number, at(number)


def _pill(at: Point, placed: PlacedFrame) -> list[Disc | Arc]:
    radius, theme = _PILL * placed.scale, placed.theme
    return [
        Disc(at, radius, radius, theme.color("raised")),
        Arc(at, radius, 0.0, 360.0, theme.color("ink2"), 1.5 * placed.scale),
    ]


def _name(at: Point, row: int, letter: str, placed: PlacedFrame) -> list[Text]:
    """Return a vector's name in the middle of its pill, with its space where there are several."""
    theme = placed.theme
    parts = [word(theme, _NAMES[row], _TEXT if not letter else _TEXT - 2, 600)]
    if letter:
        parts.append(word(theme, letter, _LETTER, 600))
    x = at[0] - sum(part.width for part in parts) / 2
    y = at[1] - parts[0].height / 2
    texts: list[Text] = []
    for part in parts:
        texts.append(Text(part, x, y + parts[0].ascent - part.ascent, theme.color("ink1")))
        x += part.width
    return texts
