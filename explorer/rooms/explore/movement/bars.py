"""Singular values as bars, largest first."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.kit.theme import Theme
from explorer.session import Array
from explorer.text import _, display_number, ngettext

_MOST = 8  # bars; of more the first and the last are shown
_ROW, _BAR, _GAP = 20, 10, 8  # px at 100 %


class Row(NamedTuple):
    """A bar of a share of the room, and its number; without a share a line of text."""

    text: str
    share: float | None = None


def bar_rows(sizes: Array) -> list[Row]:
    """Return what is shown of singular values, shape (n,), largest first."""
    values = sizes.tolist()
    largest = values[0] or 1.0
    rows = [Row(display_number(value, 2), value / largest) for value in values]
    left_out = len(rows) - _MOST
    if left_out <= 0:
        return rows
    said = ngettext("… {n} more …", "… {n} more …", left_out).format(n=left_out)
    return [*rows[: _MOST - 1], Row(said), rows[-1]]


class SingularBars(QWidget):
    """Paints singular values as bars with their numbers behind them."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[Row] = []
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Singular values, largest first"))

    def show_sizes(self, sizes: Array) -> None:
        """Show singular values, shape (n,)."""
        self._rows = bar_rows(sizes)
        self.setAccessibleDescription(", ".join(row.text for row in self._rows))
        self.setFixedHeight(len(self._rows) * self._theme.px(_ROW))
        self.update()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.setFixedHeight(len(self._rows) * theme.px(_ROW))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint bars from the left and numbers at the right."""
        painter, theme = QPainter(self), self._theme
        font, row = theme.font(13), theme.px(_ROW)
        painter.setFont(font)
        numbers = [each.text for each in self._rows if each.share is not None]
        metrics = QFontMetrics(font)
        right = max((metrics.horizontalAdvance(text) for text in numbers), default=0)
        room = max(self.width() - right - theme.px(_GAP), 0)
        for place, (text, share) in enumerate(self._rows):
            line = QRectF(0, place * row, self.width(), row)
            side = Qt.AlignmentFlag.AlignLeft if share is None else Qt.AlignmentFlag.AlignRight
            painter.setPen(theme.color("ink3" if share is None else "ink1"))
            painter.drawText(line, side | Qt.AlignmentFlag.AlignVCenter, text)
            if share is not None:
                bar, ends = theme.px(_BAR), max(room * share, 1.0)
                top = line.top() + (row - bar) / 2
                painter.fillRect(QRectF(0, top, ends, bar), theme.color("ctl"))
        painter.end()
