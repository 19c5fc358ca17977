"""A thin progress bar."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from explorer.kit.table.painting import draw_box
from explorer.kit.theme import Theme


class ProgressLine(QWidget):
    """A thin line, filled as far as something is done."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._share = 0.0

    def show_share(self, share: float) -> None:
        """Fill a share of it, 0 to 1."""
        if share != self._share:
            self._share = share
            self.update()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.setFixedHeight(theme.px(4))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the line."""
        with QPainter(self) as painter:
            for share, colour in ((1.0, "line2"), (self._share, "ink1")):
                line = QRectF(0, 0, self.width() * share, self.height())
                draw_box(painter, line, self.height() / 2, self._theme.color(colour))
