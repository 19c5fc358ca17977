"""The drawing: everything a canvas paints, as frozen values in device pixels."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import QColor

from explorer.session import Space
from explorer.views.canvas.text import Word
from explorer.views.theme import TokenColour

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


class Drawing(NamedTuple):
    """All of a picture, each kind painted over the one before it."""

    grid: tuple[Line, ...] = ()
    shapes: tuple[Line | Arc | Disc, ...] = ()
    edges: tuple[Edge, ...] = ()
    markers: tuple[Marker, ...] = ()
    texts: tuple[Text, ...] = ()
    chips: tuple[Chip, ...] = ()
    scale: float = 1.0  # text scale, which multiplies outlines and halos
    many_edges: int = 96  # from here on edges are painted without antialiasing
