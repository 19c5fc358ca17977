"""Where shapes and words of the laboratory are gathered into one drawing."""

from __future__ import annotations

from PySide6.QtGui import QColor

from explorer.kit.canvas.drawing import Disc, Drawing, Line, Point, Rect, Text
from explorer.kit.canvas.text import Word, word
from explorer.kit.plot import Plot
from explorer.kit.table.painting import elided
from explorer.kit.theme import Theme

HEADING, MEASURE, CAPTION, TICK = 15, 17, 13, 12  # px at 100 %
GAP = 12


class Paper:
    """Gathers what is drawn, in px of the screen; sizes of words are px at 100 %.

    plots : those below the drawing
    size : width and height of the page, px
    """

    def __init__(self, theme: Theme, size: tuple[int, int]) -> None:
        self.theme, self.size = theme, size
        self.plots: list[Plot] = []
        self._grid: list[Line] = []
        self._shapes: list[Line | Disc] = []
        self._texts: list[Text] = []

    @property
    def drawing(self) -> Drawing:
        """Everything gathered so far."""
        return Drawing(tuple(self._grid), tuple(self._shapes), (), (), tuple(self._texts))

    def word(self, text: str, size: float, weight: int = 400) -> Word:
        """Return a laid-out word."""
        return word(self.theme, text, size, weight)

    def rule(self, x: float, y: float, right: float, bottom: float, colour: str) -> None:
        """Draw a hairline beneath everything, upon whole pixels."""
        ends = ((round(x) + 0.5, round(y) + 0.5), (round(right) + 0.5, round(bottom) + 0.5))
        self._grid.append(Line(ends, self.theme.color(colour), 1))

    def line(self, points: tuple[Point, ...], colour: QColor, width: float) -> None:
        """Draw a polyline; `width` in px at 100 %."""
        self._shapes.append(Line(points, colour, width * self.theme.percent / 100))

    def area(self, points: tuple[Point, ...], fill: QColor, rim: QColor | None = None) -> None:
        """Draw a polygon, with a thin rim where one is given."""
        self._shapes.append(Line(points, rim or fill, 1 if rim else 0.0, fill=fill))

    def box(self, rect: Rect, fill: QColor, rim: QColor | None = None) -> None:
        """Draw a rectangle."""
        left, top, right, bottom = rect
        self.area(((left, top), (right, top), (right, bottom), (left, bottom)), fill, rim)

    def dot(self, at: Point, radius: float, colour: QColor) -> None:
        """Draw a disc with a rim of the ground's colour; `radius` in px at 100 %."""
        scale = self.theme.percent / 100
        for grown, what in ((2.0, self.theme.color("canvas")), (0.0, colour)):
            reach = (radius + grown) * scale
            self._shapes.append(Disc(at, reach, reach, what))

    def write(
        self, words: Word, x: float, baseline: float, colour: QColor, ground: QColor | None = None
    ) -> None:
        """Write a word from `x` on, on a ground of its own where it may lie on lines."""
        self._texts.append(Text(words, round(x), round(baseline - words.ascent), colour, ground))

    def heading(
        self,
        left: float,
        right: float,
        top: float,
        title: str,
        captions: tuple[str, ...],
        measure: str = "",
    ) -> float:
        """Write a part's heading, a caption beside it, a measure on its right; return its bottom.

        The measure goes below where it has no room. Of the captions, the longest first, the first
        that has room is written: beside the heading, or else below it.
        """
        px, ink = self.theme.px, self.theme.color
        head, told = self.word(title, HEADING, 600), self.word(measure, MEASURE, 600)
        gap, baseline = px(GAP), top + px(18)
        self.write(head, left, baseline, ink("ink1"))
        beside, bottom, end = left + head.width + gap, baseline, right
        if measure and beside + told.width <= right:
            end = right - told.width - gap
            self.write(told, right - told.width, baseline, ink("ink1"))
        elif measure:
            bottom += px(24)
            self.write(told, left, bottom, ink("ink1"))
        small = self.word(captions[0], CAPTION)
        if small.width <= end - beside:
            self.write(small, beside, baseline, ink("ink3"))
            return bottom + px(8)
        room = int(right - left)
        texts = (*captions, elided(self.theme, captions[-1], CAPTION, 400, room))
        words = (self.word(text, CAPTION) for text in texts)
        small = next((words for words in words if words.width <= room), small)
        bottom += px(20)
        self.write(small, left, bottom, ink("ink3"))
        return bottom + px(8)


_STRENGTH = 0.8  # of the scores' colours: both can be read as text on the canvas


def hue(theme: Theme, scaled: bool) -> QColor:
    """Return indigo for what is divided by √d, amber for what is not."""
    return QColor(theme.scores_map.fill(_STRENGTH if scaled else -_STRENGTH, 1.0))
