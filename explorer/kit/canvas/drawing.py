"""What a canvas draws, as values, and how it changes before an audience."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage

from explorer.kit.canvas.text import Word
from explorer.kit.theme import TokenColour
from explorer.session import Matrix, Space

Point = tuple[float, float]
Rect = tuple[float, float, float, float]  # left, top, right, bottom


class Line(NamedTuple):
    """A polyline or, with a fill, a polygon."""

    points: tuple[Point, ...]
    colour: QColor
    width: float
    dash: tuple[float, ...] = ()  # on and off, in units of the width
    fill: QColor | None = None


class Arc(NamedTuple):
    """Part of a circle; degrees count counter-clockwise from the right."""

    centre: Point
    radius: float
    start: float
    span: float
    colour: QColor
    width: float


class Disc(NamedTuple):
    """A filled ellipse."""

    centre: Point
    across: float  # half of its width
    up: float  # half of its height
    colour: QColor


class Text(NamedTuple):
    """One laid-out word at its top left corner."""

    word: Word
    x: float
    y: float
    colour: QColor
    background: QColor | None = None


class Marker(NamedTuple):
    """The point of one token in one space."""

    space: Space
    row: int
    x: float
    y: float
    diameter: float
    colour: TokenColour
    opacity: float = 1.0
    halo: float = 0.0  # diameter of the disc behind it; 0 for none
    hovered: bool = False
    ghost: bool = False


class Edge(NamedTuple):
    """An arrow (start, control, end of a quadratic curve) or a ring (its centre alone)."""

    query: int
    key: int
    points: tuple[Point, ...]
    width: float
    colour: QColor
    dashed: bool = False
    head: tuple[Point, ...] = ()
    radius: float = 0.0  # of a ring


class Chip(NamedTuple):
    """The value of an edge."""

    query: int
    key: int
    rect: Rect
    word: Word
    fill: QColor
    colour: QColor
    selected: bool = False
    hovered: bool = False
    pill: bool = False  # with round ends and an outline
    leader: tuple[Point, ...] = ()  # a line that ties it to its edge, to its middle


class Handle(NamedTuple):
    """Where the image of a basis vector can be taken hold of: near its tip, and by its name."""

    matrix: Matrix
    row: int  # of W
    x: float
    y: float
    reach: float


class Tint(NamedTuple):
    """What the canvas is coloured with beneath everything, from corner to corner.

    low, high : the weights of the first and of the last colour
    """

    image: QImage
    width: float
    height: float
    low: float = 0.0
    high: float = 1.0


class Drawing(NamedTuple):
    """All of a picture, each kind painted over the one before it; a tint beneath them all."""

    grid: tuple[Line, ...] = ()
    shapes: tuple[Line | Arc | Disc, ...] = ()
    edges: tuple[Edge, ...] = ()
    markers: tuple[Marker, ...] = ()
    texts: tuple[Text, ...] = ()
    chips: tuple[Chip, ...] = ()
    handles: tuple[Handle, ...] = ()  # never painted: what they belong to is
    scale: float = 1.0  # text scale, which multiplies outlines and halos
    many_edges: int = 96  # from here on edges are painted without antialiasing
    tint: Tint | None = None


def chip_rect(drawing: Drawing, query: int, key: int) -> QRectF:
    """Return where the value of a pair is drawn; empty where it is not."""
    for chip in drawing.chips:
        if (chip.query, chip.key) == (query, key):
            left, top, right, bottom = chip.rect
            return QRectF(left, top, right - left, bottom - top)
    return QRectF()


_RIM = 12.0  # px at 100 % by which outlines reach beyond what a drawing says


def reaches_above(drawing: Drawing, y: float) -> bool:
    """Return whether anything but the grid may reach above a height, in device pixels."""
    y += _RIM * drawing.scale
    return (
        any(_top(shape) < y for shape in drawing.shapes)
        or any(
            min(p[1] for p in (*e.points, *e.head)) - e.radius - e.width < y for e in drawing.edges
        )
        or any(m.y - max(m.diameter, m.halo / 2) < y for m in drawing.markers)
        or any(text.y < y - _RIM * drawing.scale for text in drawing.texts)
        or any(chip.rect[1] < y for chip in drawing.chips)
    )


def _top(shape: Line | Arc | Disc) -> float:
    if isinstance(shape, Line):
        return min(y for _x, y in shape.points) - shape.width
    if isinstance(shape, Arc):
        return shape.centre[1] - shape.radius - shape.width
    return shape.centre[1] - shape.up


def for_audience(drawing: Drawing, ground: QColor) -> Drawing:
    """Return a drawing that is read from afar: no line runs through a text, and points that only
    accompany the selected token's edges are left out."""
    boxes = [text_box(text) for text in drawing.texts]
    unseen = QColor(0, 0, 0, 0)
    crossed = (
        text._replace(colour=unseen, background=ground)
        for text, hit in zip(drawing.texts, _crossed(boxes, drawing.edges), strict=True)
        if hit
    )
    grounds = [_rectangle(box, ground) for box in boxes]
    return drawing._replace(
        shapes=(*drawing.shapes, *grounds),
        markers=tuple(m for m in drawing.markers if not m.ghost or m.row < 0),
        texts=(*crossed, *drawing.texts),
    )


def _crossed(boxes: list[Rect], edges: tuple[Edge, ...]) -> list[bool]:
    """Return for each rectangle whether an edge passes through it, or a ring lies about it."""
    if not edges:
        return [False] * len(boxes)
    # A ring, or an edge without a head, is that one point three times.
    bodies = np.array([e.points if len(e.points) == 3 else e.points * 3 for e in edges])
    heads = np.array([e.head or e.points[:1] * 3 for e in edges])
    half = np.array([[e.width / 2 + e.radius] for e in edges])
    corners = np.concatenate([bodies, heads], axis=1)
    low, high = corners.min(axis=1) - half, corners.max(axis=1) + half
    t = np.linspace(0.0, 1.0, 65)
    curve = np.stack([(1 - t) ** 2, 2 * t * (1 - t), t**2], axis=1)
    found = []
    for left, top, right, bottom in boxes:
        first, last = (left, top), (right, bottom)
        near = ((high > first) & (low < last)).all(axis=1)  # a curve stays between its points
        places = np.concatenate([curve @ bodies[near], heads[near]], axis=1)
        reach = half[near, None]
        inside = (places > first - reach) & (places < last + reach)
        found.append(bool(inside.all(axis=2).any()))
    return found


def _rectangle(rect: Rect, fill: QColor) -> Line:
    left, top, right, bottom = rect
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Line(corners, fill, 2, fill=fill)


def text_box(text: Text) -> Rect:
    """Return the rectangle that a text covers."""
    return text.x, text.y, text.x + text.word.width, text.y + text.word.height
