"""What a widget really paints: its texts with their sizes, colours and places, and all the rest."""

from __future__ import annotations

import math
import re
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPolygonF, QTransform
from PySide6.QtSvg import QSvgGenerator, QSvgRenderer
from PySide6.QtWidgets import QWidget

from explorer.kit.theme import Theme, contrast

_SVG = "{http://www.w3.org/2000/svg}"
# Qt reads the usual prefixes alone.
ElementTree.register_namespace("", "http://www.w3.org/2000/svg")
ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")


class Painted(NamedTuple):
    """One painted text; its box and its shape, which is turned with it, have its digits' height."""

    text: str
    pixels: float
    colour: QColor
    box: QRect
    faint: bool
    shape: QPolygonF


def painted(widget: QWidget) -> tuple[list[Painted], QImage]:
    """Return every text that a widget paints, and a picture of the widget without them."""
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(widget.size())
    generator.setViewBox(widget.rect())
    generator.setResolution(96)
    with QPainter(generator) as painter:
        widget.render(painter, QPoint())
    root = ElementTree.fromstring(bytes(buffer.data().data()))
    texts = []
    for group in root.iter(f"{_SVG}g"):
        for text in group.findall(f"{_SVG}text"):
            texts.append(_painted(group, text))
            group.remove(text)
    bare = QImage(widget.size(), QImage.Format.Format_RGB32)
    bare.fill(Qt.GlobalColor.magenta)
    with QPainter(bare) as painter:
        QSvgRenderer(QByteArray(ElementTree.tostring(root))).render(painter)
    return [each for each in texts if each.text.strip()], bare


def _painted(group: ElementTree.Element, text: ElementTree.Element) -> Painted:
    matrix = [float(part) for part in re.findall(r"-?[\d.]+", group.get("transform", ""))]
    turned = QTransform(*matrix) if len(matrix) == 6 else QTransform()
    pixels = float(text.get("font-size", "0"))
    # The interface font: all that an SVG does not say of it is its stretch.
    font = Theme().font(pixels, int(text.get("font-weight", "400")))
    words = "".join(text.itertext()).strip("\n ")
    metrics = QFontMetricsF(font)
    x, y = float(text.get("x", "0")), float(text.get("y", "0"))
    height = metrics.capHeight()
    line = QRectF(x, y - height, metrics.horizontalAdvance(words), height)
    shape = turned.map(QPolygonF(line))
    around = shape.boundingRect()
    left, top = math.ceil(around.left()), math.ceil(around.top())  # whole pixels
    right, bottom = math.floor(around.right()), math.floor(around.bottom())
    box = QRect(left, top, right - left, bottom - top)
    faint = float(group.get("opacity", "1")) * float(text.get("fill-opacity", "1")) < 1
    return Painted(words, pixels, QColor(text.get("fill", "#000000")), box, faint, shape)


def worst(colour: QColor, picture: QImage, box: QRect, shape: QPolygonF | None = None) -> float:
    """Return the contrast of a colour against the worst pixel of a box, or of a shape within."""
    box = box.intersected(picture.rect())
    behind = picture.copy(box).convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(behind.constBits(), np.uint32)
    if shape is not None:
        within = QImage(box.size(), QImage.Format.Format_RGB32)
        within.fill(Qt.GlobalColor.black)
        with QPainter(within) as painter:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(Qt.GlobalColor.white)
            painter.drawPolygon(shape.translated(-box.left(), -box.top()))
        pixels = pixels[np.frombuffer(within.constBits(), np.uint32) == np.uint32(0xFFFFFFFF)]
    seen = np.unique(pixels)
    channels = np.stack([seen >> shift & 255 for shift in (16, 8, 0)], axis=-1)
    return float(contrast(np.array(colour.getRgb()[:3]), channels).min())
