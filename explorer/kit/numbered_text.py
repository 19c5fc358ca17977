"""A text to edit whose lines are numbered at the left, for sentences that name a line."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from explorer.kit.table.painting import RIGHT, draw_text, text_width
from explorer.kit.theme import Theme

_GAP, _SMALLER = 8, 0.9  # px at 100 % between number and text; the numbers' size by the text's
_LEAST_DIGITS = 2  # there is room for


class NumberedText(QPlainTextEdit):
    """Plain text; a line that is wrapped has its number beside its first row."""

    def __init__(self, theme: Theme, size: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._size = theme, size
        self.numbers = _Numbers(self)
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(self._follow)
        self.retheme(theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.setFont(theme.font(self._size))
        self._make_room()
        self.numbers.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the numbers be as high as the text."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        digits = max(len(str(self.blockCount())), _LEAST_DIGITS)
        wide = text_width(self._theme, "0" * digits, self._size * _SMALLER)
        wide += self._theme.px(_GAP) / 2
        self.setViewportMargins(round(wide), 0, 0, 0)
        within = self.contentsRect()
        self.numbers.setGeometry(within.left(), within.top(), round(wide), within.height())

    def _follow(self, _rect: QRect, by: int) -> None:
        self.numbers.update()

    def paint_numbers(self) -> None:
        """Paint the numbers of those lines whose first row is in view."""
        theme, size, high = self._theme, self._size * _SMALLER, self.fontMetrics().lineSpacing()
        wide, bottom = self.numbers.width() - theme.px(_GAP) / 2, self.viewport().height()
        block = self.firstVisibleBlock()
        with QPainter(self.numbers) as painter:
            painter.translate(0, self.viewport().y() - self.numbers.y())
            while block.isValid():
                top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
                if top + high > bottom + 1:
                    break
                if top >= 0:
                    box, number = QRectF(0, top, wide, high), str(block.blockNumber() + 1)
                    draw_text(painter, theme, number, box, theme.color("ink3"), size, 400, RIGHT)
                block = block.next()


class _Numbers(QWidget):
    """What stands beside a text."""

    def __init__(self, text: NumberedText) -> None:
        super().__init__(text)
        self._text = text

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the numbers."""
        self._text.paint_numbers()
