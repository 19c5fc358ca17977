"""The drawing: everything a canvas paints, as frozen values in device pixels."""

from __future__ import annotations

from typing import NamedTuple

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
    """What the canvas is coloured with beneath everything, from corner to corner."""

    image: QImage
    width: float
    height: float


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
