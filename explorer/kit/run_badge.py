"""The letter that stands for a run: A and B filled in their own ink, every other one hollow."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from explorer.kit.table.painting import CENTRE, draw_box, draw_text
from explorer.kit.theme import Theme

SIDE = 20  # px at 100 %
_RADIUS = 5


def run_ink(theme: Theme, letter: str) -> QColor:
    """Return the colour of a run's lines and numbers: A's, B's, or that of all others."""
    return theme.color({"A": "ink1", "B": "run_b"}.get(letter, "ink2"))


def draw_badge(
    painter: QPainter, theme: Theme, box: QRectF, letter: str, *, chosen: bool = True
) -> None:
    """Paint a run's letter in a box, hollow where the run is neither A nor B now."""
    radius = theme.px(_RADIUS)
    colour = run_ink(theme, letter if chosen else "")
    if chosen and letter in ("A", "B"):
        draw_box(painter, box, radius, colour)
        ink = theme.color("on_sel" if letter == "A" else "canvas")
    else:
        inside = box.adjusted(0.5, 0.5, -0.5, -0.5)
        draw_box(painter, inside, radius, edge=theme.color("ctl"))
        ink = colour
    draw_text(painter, theme, letter, box, ink, 13, 700, CENTRE)


class RunBadge(QWidget):
    """A run's letter as a widget."""

    def __init__(self, theme: Theme, letter: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._letter = letter
        self.setAccessibleName(letter)
        self.retheme(theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.setFixedSize(theme.px(SIDE), theme.px(SIDE))
        self.update()

    def paintEvent(self, _event: object) -> None:
        """Paint the letter."""
        with QPainter(self) as painter:
            draw_badge(painter, self._theme, QRectF(self.rect()), self._letter)
