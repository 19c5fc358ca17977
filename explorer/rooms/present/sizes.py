"""How large things are on a page for an audience: by the size of its window and the text scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from PySide6.QtGui import QFont

from explorer.kit.theme import SCALES, Theme

WIDTH, HEIGHT = 1280, 720  # px of the drawn page
LEAST = 20  # px of any text at 100 %
_PICTURE, _PLANE = 1.6, 1.4  # the sizes of a picture, and of a plane, by those of Explore
_HEADING = 130  # % up to which titles grow with the text scale
_DRAWN = 150  # % up to which a plane's points, and scripts, grow with it
_SMALLEST = 13  # px of nearly all texts there, at 100 %


@dataclass(frozen=True)
class Sizes:
    """The sizes of one window.

    Parameters
    ----------
    dark : bool
    scale : float
        What lengths of the drawn page are multiplied by.
    percent : int
        The text scale: what texts are multiplied by besides.
    """

    dark: bool = False
    scale: float = 1.0
    percent: int = 100

    @classmethod
    def of(cls, theme: Theme, width: int, height: int) -> Sizes:
        """Return the sizes for a window's width and height in pixels, with a theme's text scale."""
        return cls(theme.dark, max(min(width / WIDTH, height / HEIGHT), 0.5), theme.percent)

    @property
    def least(self) -> int:
        """The smallest text in pixels of the screen."""
        return round(max(LEAST, LEAST * self.scale) * self.percent / 100)

    @property
    def scripts(self) -> int:
        """The smallest script of a formula that has room: it grows less than texts do."""
        return min(self.least, round(self.least * _DRAWN / self.percent))

    @property
    def theme(self) -> Theme:
        """The colours; its sizes are pixels of the screen."""
        return Theme(self.dark)

    @property
    def picture(self) -> Theme:
        """The theme in which a plane, a table or a graph is drawn: no text is below `least`."""
        percent = max(100 * LEAST / _SMALLEST, 100 * _PICTURE * self.scale) * self.percent / 100
        return Theme(self.dark, round(percent), self.least)

    @property
    def smaller(self) -> Iterator[Theme]:
        """The themes for what has to be seen whole: each is taken where the ones before it have no
        room. The last one is the smallest that can be read."""
        for percent in (each for each in reversed(SCALES) if each <= self.percent):
            sizes = replace(self, percent=percent)
            yield sizes.picture
            yield Theme(self.dark, round(100 * self.scale), sizes.least)  # closer together

    @property
    def plane(self) -> Theme:
        """The theme in which a plane is drawn, where lengths have meaning and texts have room."""
        percent = 100 * _PLANE * self.scale * min(self.percent, _DRAWN) / 100
        return Theme(self.dark, round(percent), self.least)

    def px(self, size: float) -> int:
        """Return a length of the drawn page in pixels of the screen."""
        return max(1, round(size * self.scale))

    def text(self, size: float) -> int:
        """Return a text size of the drawn page in pixels of the screen, `least` at least."""
        return max(self.least, round(size * self.scale * self.percent / 100))

    def heading(self, size: float, text: float) -> QFont:
        """Return the font of a title over a text of a size: it grows less than texts do."""
        grown = size * self.scale * min(self.percent, _HEADING) / 100
        return self.theme.font(max(self.text(text), round(grown)), 700)

    def font(self, size: float, weight: int = 400) -> QFont:
        """Return the interface font at a text size of the drawn page."""
        return self.theme.font(self.text(size), weight)
