"""Words laid out once and painted often."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF, QStaticText, QTextLayout

from explorer.kit.drawing_cache import drawing_cache
from explorer.kit.theme import Theme


class Word(NamedTuple):
    """A laid-out line of plain text and its size in px."""

    text: str
    static: QStaticText
    font: QFont
    width: float
    height: float
    ascent: float


def word(theme: Theme, text: str, size: float, weight: int = 400) -> Word:
    """Return `text` laid out in the interface font; `size` in px at 100 %."""
    return _word(text, size, weight, theme.percent, theme.least)


def wrapped(theme: Theme, text: str, size: float, width: float) -> list[Word]:
    """Return a text in lines of at most `width` px, broken between words."""
    lines = [""]
    for part in text.split(" "):
        longer = f"{lines[-1]} {part}".strip()
        if lines[-1] and word(theme, longer, size).width > width:
            lines.append(part)
        else:
            lines[-1] = longer
    return [word(theme, line, size) for line in lines]


@drawing_cache(4096, texts=True)
def _word(text: str, size: float, weight: int, percent: int, least: int) -> Word:
    font = Theme(percent=percent, least=least).font(size, weight)
    static = QStaticText(text)
    static.setTextFormat(Qt.TextFormat.PlainText)
    static.prepare(font=font)
    # Letters of another font, such as Chinese ones, may make the line higher than the font says.
    layout = QTextLayout(text or " ", font)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    width = QFontMetricsF(font).horizontalAdvance(text)
    height = line.ascent() + line.descent()
    return Word(text, static, font, width, height, line.ascent())
