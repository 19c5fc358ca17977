"""The roles' markers: X circle, Q triangle, K square, V hexagon, O ring; X + P has a plus in its
circle, Y a dot in its ring.
"""

from __future__ import annotations

import math
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QIcon,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
    QTransform,
)

from explorer.kit.drawing_cache import drawing_cache
from explorer.kit.theme import Theme, TokenColour
from explorer.session import Space

OUTLINE = 1.5  # px at 100 %
HALO = 2.0


@drawing_cache(256)
def marker_path(space: Space, diameter: float) -> QPainterPath:
    """Return a space's marker around (0, 0), to be filled; what is inside twice is left open.

    The shapes are balanced to look equally large; the triangle stands on its centroid.
    """
    return QTransform.fromScale(diameter, diameter).map(_unit_path(space))


@lru_cache(maxsize=8)
def _unit_path(space: Space) -> QPainterPath:
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.OddEvenFill)
    if space is Space.Q:
        path.addPolygon(_polygon(3, 0.66))
    elif space is Space.K:
        path.addRect(QRectF(-0.46, -0.46, 0.92, 0.92))
        return path
    elif space is Space.V:
        path.addPolygon(_polygon(6, 0.56))
    else:
        path.addEllipse(QPointF(0, 0), 0.5, 0.5)
        if space is Space.O:
            path.addEllipse(QPointF(0, 0), 0.24, 0.24)
        elif space is Space.Y:
            path.addEllipse(QPointF(0, 0), 0.32, 0.32)
            path.addEllipse(QPointF(0, 0), 0.13, 0.13)
        elif space is Space.P:
            path.addPolygon(_plus(0.3, 0.085))
            path.closeSubpath()
        return path
    path.closeSubpath()
    return path


def _plus(arm: float, half: float) -> QPolygonF:
    """Return a plus around (0, 0) by the length of its arms and half of their width."""
    corner = [(half, arm), (half, half), (arm, half), (arm, -half)]
    turned = [*corner]
    for _ in range(3):
        corner = [(y, -x) for x, y in corner]
        turned += corner
    return QPolygonF([QPointF(x, y) for x, y in dict.fromkeys(turned)])


def _polygon(corners: int, radius: float) -> QPolygonF:
    """Return a regular polygon around (0, 0) with one corner at the top."""
    turns = [2 * math.pi * i / corners for i in range(corners)]
    return QPolygonF([QPointF(radius * math.sin(t), -radius * math.cos(t)) for t in turns])


def paint_marker(
    painter: QPainter,
    space: Space,
    diameter: float,
    fill: QColor,
    ink: QColor,
    canvas: QColor | None = None,
    scale: float = 1.0,
) -> None:
    """Paint a marker around the painter's origin.

    Parameters
    ----------
    fill, ink : QColor
        Inside and outline.
    canvas : QColor, optional
        Colour of the halo that keeps it apart from what lies beneath; without it there is none.
    scale : float
        Text scale, which multiplies the outline and the halo.
    """
    path = marker_path(space, diameter)
    if canvas is not None:
        painter.setBrush(canvas)
        painter.setPen(_pen(canvas, (OUTLINE + 2 * HALO) * scale))
        painter.drawPath(path)
    painter.setBrush(fill)
    painter.setPen(_pen(ink, OUTLINE * scale))
    painter.drawPath(path)


def _pen(colour: QColor, width: float) -> QPen:
    return QPen(
        colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.MiterJoin
    )


def marker_pixmap(space: Space, colour: QColor, size: int, ratio: float = 1.0) -> QPixmap:
    """Return a marker of one colour, `size` px square, for a screen of that device pixel ratio."""
    pixmap = QPixmap(QSize(size, size) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(size / 2, size * (0.6 if space is Space.Q else 0.5))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPath(marker_path(space, size * 0.9))
    return pixmap


def marker_icon(space: Space, off: QColor, on: QColor, size: int) -> QIcon:
    """Return a marker as an icon of `size` px, in one colour unchecked and another checked."""
    icon = QIcon()
    for ratio in (1.0, 1.5, 2.0, 3.0):
        for colour, state in ((off, QIcon.State.Off), (on, QIcon.State.On)):
            pixmap = marker_pixmap(space, colour, size, ratio)
            icon.addPixmap(pixmap, QIcon.Mode.Normal, state)
    return icon


def draw_marker(
    painter: QPainter,
    theme: Theme,
    centre: QPointF,
    colour: TokenColour,
    space: Space,
    size: float = 11,
) -> None:
    """Draw a token's marker beside its name, `size` px at 100 %: as a query, as a key."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(centre)
    scale = theme.percent / 100
    ink = QColor(colour.ink)
    paint_marker(painter, space, size * scale, QColor(colour.fill), ink, scale=scale * 0.75)
    painter.restore()
