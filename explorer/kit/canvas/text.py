"""Words laid out once and painted often."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QStaticText, QTextLayout

from explorer.kit.drawing_cache import drawing_cache
from explorer.kit.theme import Theme


@dataclass(frozen=True, eq=False)
class Word:
    """A laid-out line of plain text; its width in px, and its height in whole px."""

    text: str
    static: QStaticText
    font: QFont
    width: float
    whole: float

    @property
    def height(self) -> float:
        """The height of the line, in px."""
        return sum(self._line)

    @property
    def ascent(self) -> float:
        """What of the line is above the baseline, in px."""
        return self._line[0]

    @cached_property
    def _line(self) -> tuple[float, float]:
        # Letters of another font, such as Chinese ones, may make it higher than the font says.
        layout = QTextLayout(self.text or " ", self.font)
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        return line.ascent(), line.descent()


def draw_word(painter: QPainter, words: Word, x: float, y: float, colour: QColor) -> None:
    """Draw a word with its upper left corner at a point."""
    painter.setFont(words.font)
    painter.setPen(colour)
    painter.drawStaticText(QPointF(x, y), words.static)


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


@drawing_cache(16384, texts=True)
def _word(text: str, size: float, weight: int, percent: int, least: int) -> Word:
    font = Theme(percent=percent, least=least).font(size, weight)
    static = QStaticText(text)
    static.setTextFormat(Qt.TextFormat.PlainText)
    static.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    static.prepare(font=font)
    width = QFontMetricsF(font).horizontalAdvance(text)
    return Word(text, static, font, width, static.size().height())
