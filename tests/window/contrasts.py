"""What a widget really paints: its texts with their sizes, colours and places, and all the rest."""

from __future__ import annotations

import math
import re
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator, QSvgRenderer
from PySide6.QtWidgets import QWidget

from explorer.kit.theme import Theme, contrast

_SVG = "{http://www.w3.org/2000/svg}"
# Qt reads the usual prefixes alone.
ElementTree.register_namespace("", "http://www.w3.org/2000/svg")
ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")


class Painted(NamedTuple):
    """One painted text; its box has the height of its digits."""

    text: str
    pixels: float
    colour: QColor
    box: QRect
    faint: bool


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
    across, down = matrix[4:6] if len(matrix) == 6 else (0.0, 0.0)
    pixels = float(text.get("font-size", "0"))
    # The interface font: all that an SVG does not say of it is its stretch.
    font = Theme().font(pixels, int(text.get("font-weight", "400")))
    words = "".join(text.itertext()).strip("\n ")
    metrics = QFontMetricsF(font)
    x, y = across + float(text.get("x", "0")), down + float(text.get("y", "0"))
    height = metrics.capHeight()
    left, top = math.ceil(x), math.ceil(y - height)  # whole pixels
    right, bottom = math.floor(x + metrics.horizontalAdvance(words)), math.floor(y)
    box = QRect(left, top, right - left, bottom - top)
    faint = float(group.get("opacity", "1")) * float(text.get("fill-opacity", "1")) < 1
    return Painted(words, pixels, QColor(text.get("fill", "#000000")), box, faint)


def worst(colour: QColor, picture: QImage, box: QRect) -> float:
    """Return the contrast of a colour against the worst pixel of a box."""
    behind = picture.copy(box.intersected(picture.rect()))
    behind = behind.convertToFormat(QImage.Format.Format_RGB32)
    seen = np.unique(np.frombuffer(behind.constBits(), np.uint32))
    channels = np.stack([seen >> shift & 255 for shift in (16, 8, 0)], axis=-1)
    return float(contrast(np.array(colour.getRgb()[:3]), channels).min())
