"""Painting a drawing. Nothing is worked out here: an error while painting would end the program."""

from __future__ import annotations

from itertools import groupby

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QPaintEngine,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
)

from explorer.kit.canvas.drawing import Arc, Chip, Disc, Drawing, Edge, Line, Marker, Text
from explorer.kit.canvas.text import draw_word
from explorer.kit.drawing_cache import drawing_cache
from explorer.kit.markers import HALO, OUTLINE, marker_path, paint_marker
from explorer.kit.theme import Theme
from explorer.session import Space

_DASH = (1.6, 1.2)  # of a repelling edge, in widths
_MANY_MARKERS = 48  # from here on markers are painted from pixmaps
_VECTOR = (
    QPaintEngine.Type.SVG,
    QPaintEngine.Type.Pdf,
    QPaintEngine.Type.Picture,
)


def paints_vectors(painter: QPainter) -> bool:
    """Return whether what is painted is kept as lines and letters, not as pixels."""
    return painter.paintEngine().type() in _VECTOR


def paint_drawing(painter: QPainter, drawing: Drawing, theme: Theme) -> None:
    """Paint a drawing in device pixels."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    vector = paints_vectors(painter)
    if drawing.tint is not None:
        image, width, height = drawing.tint[:3]
        painter.drawImage(QRectF(0, 0, width, height), image)
    for line in drawing.grid:
        _line(painter, line)
    for shape in drawing.shapes:
        if isinstance(shape, Arc):
            _arc(painter, shape)
        elif isinstance(shape, Disc):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(shape.colour)
            painter.drawEllipse(QPointF(*shape.centre), shape.across, shape.up)
        else:
            _line(painter, shape)
    for marker in drawing.markers:
        if marker.halo:
            _halo(painter, marker)
    rough = len(drawing.edges) >= drawing.many_edges and not vector
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, not rough)
    for _pen, alike in groupby(drawing.edges, _pen_of):
        _edges(painter, list(alike))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    stamps = len(drawing.markers) >= _MANY_MARKERS and not vector
    ratio = painter.device().devicePixelRatioF()
    for marker in drawing.markers:
        painter.setOpacity(marker.opacity)
        if stamps:
            _stamp(painter, marker, theme, drawing.scale, ratio)
        else:
            _marker(painter, marker, theme, drawing.scale)
    painter.setOpacity(1.0)
    for text in drawing.texts:
        _text(painter, text)
    for chip in drawing.chips:
        if chip.leader:
            painter.setPen(QPen(theme.color("ink3"), 1.25 * drawing.scale))
            painter.drawLine(QPointF(*chip.leader[0]), QPointF(*chip.leader[1]))
    for chip in drawing.chips:
        _chip(painter, chip, theme, drawing.scale)


def _line(painter: QPainter, line: Line) -> None:
    pen = QPen(line.colour, line.width)
    if line.dash:
        pen.setDashPattern(list(line.dash))
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    corners = QPolygonF([QPointF(x, y) for x, y in line.points])
    if line.fill is None:
        painter.drawPolyline(corners)
    else:
        painter.setBrush(line.fill)
        painter.drawPolygon(corners)


def _arc(painter: QPainter, arc: Arc) -> None:
    painter.setPen(QPen(arc.colour, arc.width))
    (x, y), r = arc.centre, arc.radius
    box = QRectF(x - r, y - r, 2 * r, 2 * r)
    painter.drawArc(box, round(arc.start * 16), round(arc.span * 16))


def _halo(painter: QPainter, marker: Marker) -> None:
    painter.setOpacity(0.1 * marker.opacity)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(marker.colour.fill))
    painter.drawEllipse(QPointF(marker.x, marker.y), marker.halo / 2, marker.halo / 2)
    painter.setOpacity(1.0)


def _pen_of(edge: Edge) -> tuple[float, int, bool]:
    return edge.width, edge.colour.rgba(), edge.dashed


def _edges(painter: QPainter, alike: list[Edge]) -> None:
    """Paint edges of one colour and width in one go: with hundreds each call counts."""
    pen = QPen(alike[0].colour, alike[0].width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if alike[0].dashed:
        pen.setDashPattern(list(_DASH))
    bodies, heads = QPainterPath(), QPainterPath()
    heads.setFillRule(Qt.FillRule.WindingFill)
    for edge in alike:
        if edge.radius:
            bodies.addEllipse(QPointF(*edge.points[0]), edge.radius, edge.radius)
            continue
        start, control, end = edge.points
        bodies.moveTo(*start)
        bodies.quadTo(*control, *end)
        heads.moveTo(*edge.head[0])
        heads.lineTo(*edge.head[1])
        heads.lineTo(*edge.head[2])
        heads.closeSubpath()
    painter.strokePath(bodies, pen)
    painter.fillPath(heads, alike[0].colour)


def _marker(painter: QPainter, marker: Marker, theme: Theme, scale: float) -> None:
    painter.save()
    painter.translate(marker.x, marker.y)
    paint_marker(
        painter,
        marker.space,
        marker.diameter,
        QColor(marker.colour.fill),
        QColor(marker.colour.ink),
        None if marker.ghost else theme.color("canvas"),
        scale,
    )
    if marker.hovered:
        _outline(painter, marker, theme, scale)
    painter.restore()


def _outline(painter: QPainter, marker: Marker, theme: Theme, scale: float) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("ink1"), 1.25 * scale))
    painter.drawPath(marker_path(marker.space, marker.diameter + 7 * scale))


def _stamp(painter: QPainter, marker: Marker, theme: Theme, scale: float, ratio: float) -> None:
    pixmap = _pixmap(
        marker.space,
        marker.diameter,
        marker.colour.fill,
        marker.colour.ink,
        "" if marker.ghost else theme.palette.canvas,
        scale,
        ratio,
    )
    half = pixmap.width() / ratio / 2
    painter.drawPixmap(QPointF(marker.x - half, marker.y - half), pixmap)
    if marker.hovered:
        painter.save()
        painter.translate(marker.x, marker.y)
        _outline(painter, marker, theme, scale)
        painter.restore()


@drawing_cache(512)
def _pixmap(
    space: Space, diameter: float, fill: str, ink: str, canvas: str, scale: float, ratio: float
) -> QPixmap:
    """Return a marker as a picture with (0, 0) in its middle."""
    side = int(diameter * 1.4 + 2 * (OUTLINE + HALO) * scale) + 2
    pixmap = QPixmap(round(side * ratio), round(side * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(pixmap.width() / ratio / 2, pixmap.height() / ratio / 2)
        halo = QColor(canvas) if canvas else None
        paint_marker(painter, space, diameter, QColor(fill), QColor(ink), halo, scale)
    return pixmap


def _text(painter: QPainter, text: Text) -> None:
    if text.background is not None:
        box = QRectF(text.x - 4, text.y, text.word.width + 8, text.word.height)
        painter.fillRect(box, text.background)
    draw_word(painter, text.word, text.x, text.y, text.colour)


def _chip(painter: QPainter, chip: Chip, theme: Theme, scale: float) -> None:
    left, top, right, bottom = chip.rect
    box = QRectF(left, top, right - left, bottom - top)
    radius = box.height() / 2 if chip.pill else 5 * scale
    if chip.selected:
        painter.setPen(QPen(theme.color("ink1"), 2.25 * scale))
    elif chip.hovered:
        painter.setPen(QPen(theme.color("ink1"), 1.25 * scale))
    elif chip.pill:
        painter.setPen(QPen(chip.colour, 1.5 * scale))
    else:
        painter.setPen(QPen(theme.color("canvas"), 1.5 * scale))
    painter.setBrush(chip.fill)
    painter.drawRoundedRect(box, radius, radius)
    x, y = (left + right - chip.word.width) / 2, (top + bottom - chip.word.height) / 2
    draw_word(painter, chip.word, x, y, chip.colour)
