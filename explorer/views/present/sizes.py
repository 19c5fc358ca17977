"""How large things are on a page for an audience: by the size of its window."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QFont

from explorer.views.theme import Theme

WIDTH, HEIGHT = 1280, 720  # px of the drawn page
LEAST = 20  # px of any text
_PLANE = 1.6  # the plane's sizes by those of Explore
_TICK = 13  # px of its smallest texts at 100 %


@dataclass(frozen=True)
class Sizes:
    """The sizes of one window.

    Parameters
    ----------
    dark : bool
    scale : float
        What sizes of the drawn page are multiplied by.
    """

    dark: bool = False
    scale: float = 1.0

    @classmethod
    def of(cls, dark: bool, width: int, height: int) -> Sizes:
        """Return the sizes for a window's width and height in pixels."""
        return cls(dark, max(min(width / WIDTH, height / HEIGHT), 0.5))

    @property
    def theme(self) -> Theme:
        """The colours; its sizes are pixels of the screen."""
        return Theme(self.dark)

    @property
    def plane(self) -> Theme:
        """The theme in which the plane is drawn: no text of it is below `LEAST`."""
        least = -(-100 * LEAST // _TICK)
        return Theme(self.dark, max(least, round(100 * _PLANE * self.scale)))

    def px(self, size: float) -> int:
        """Return a length of the drawn page in pixels of the screen."""
        return max(1, round(size * self.scale))

    def text(self, size: float) -> int:
        """Return a text size of the drawn page in pixels of the screen, `LEAST` at least."""
        return max(LEAST, self.px(size))

    def font(self, size: float, weight: int = 400) -> QFont:
        """Return the interface font at a text size of the drawn page."""
        return self.theme.font(self.text(size), weight)
