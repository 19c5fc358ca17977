"""A matrix before and after a change, and the difference, as three blocks of numbers."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.kit.heat import painting
from explorer.kit.heat.painting import LEFT, RIGHT, draw_text
from explorer.kit.theme import Theme
from explorer.session import Array
from explorer.text import _, display_number

# px at 100 %, as all below
_ROW, _CAPTION = 24, 20
_SIZE, _CAPTION_SIZE = 13, 12
_AIR, _GAP = 10, 14  # between numbers, and between blocks
_MOST_DECIMALS = 6
_SPOKEN = 24  # numbers that are read out


class ChangeTable(QWidget):
    """Old, new and difference: rows below each other, matrices side by side where they fit.

    All numbers have the same decimals; differences wear their sign and its colour.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme = theme
        self._blocks: tuple[Array, ...] = ()
        self._room, self._cell, self._aside = 0, 1, True
        self.decimals = 3

    def show_change(self, old: Array, new: Array, difference: Array, theme: Theme) -> None:
        """Show matrices of one shape."""
        self._theme, self._blocks = theme, (old, new, difference)
        self.decimals = _decimals(difference)
        said = [
            f"{name} {', '.join(self.text(block, *at) for at in np.ndindex(old.shape))}"
            for block, name in enumerate(self._names())
            if old.size <= _SPOKEN
        ]
        self.setAccessibleName(_("Change"))
        self.setAccessibleDescription("; ".join(said))
        self._arrange()

    def set_room(self, width: int) -> None:
        """Take so much width, in px, where more is not needed."""
        if width != self._room:
            self._room = width
            self._arrange()

    def text(self, block: int, row: int, column: int) -> str:
        """Return a number as it is shown: of the old (0), the new (1) or the difference (2)."""
        value = float(self._blocks[block][row, column])
        shown = display_number(value, self.decimals)
        return f"+{shown}" if block == 2 and value > 0.0 else shown

    @staticmethod
    def _names() -> tuple[str, str, str]:
        return _("old"), _("new"), _("difference")

    def sizeHint(self) -> QSize:
        if not self._blocks:
            return QSize(0, 0)
        px, (rows, columns) = self._theme.px, self._blocks[0].shape
        if self._aside:
            wide = 3 * columns * self._cell + 2 * px(_GAP)
            return QSize(wide, px(_CAPTION) + rows * px(_ROW))
        gap = px(4) if rows > 1 else 0
        return QSize(self._captions() + columns * self._cell, 3 * rows * px(_ROW) + 2 * gap)

    def _arrange(self) -> None:
        if not self._blocks:
            return
        theme, (rows, columns) = self._theme, self._blocks[0].shape
        # Of wide matrices the numbers of largest magnitude stand for the rest.
        extremes = [np.unravel_index(np.abs(block).argmax(), block.shape) for block in self._blocks]
        texts = [self.text(b, int(at[0]), int(at[1])) for b, at in enumerate(extremes)]
        texts += [self.text(2, r, c) for r in range(min(rows, 8)) for c in range(min(columns, 8))]
        widest = max(painting.text_width(theme, text, _SIZE) for text in texts)
        self._cell = math.ceil(widest) + theme.px(_AIR)
        captions = max(painting.text_width(theme, n, _CAPTION_SIZE) for n in self._names())
        wide = 3 * columns * self._cell + 2 * theme.px(_GAP)
        fits = wide <= self._room and columns * self._cell >= captions
        self._aside = rows > 1 and fits
        self.setFixedSize(self.sizeHint())
        self.update()

    def _captions(self) -> int:
        names = self._names()
        widths = (painting.text_width(self._theme, name, _CAPTION_SIZE) for name in names)
        return math.ceil(max(widths)) + self._theme.px(4)

    def cell(self, block: int, row: int, column: int) -> QRectF:
        """Return where a number stands."""
        px, (rows, columns) = self._theme.px, self._blocks[0].shape
        if self._aside:
            left = block * (columns * self._cell + px(_GAP)) + column * self._cell
            return QRectF(left, px(_CAPTION) + row * px(_ROW), self._cell, px(_ROW))
        gap = px(4) if rows > 1 else 0
        top = block * (rows * px(_ROW) + gap) + row * px(_ROW)
        return QRectF(self._captions() + column * self._cell, top, self._cell, px(_ROW))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is in view."""
        if not self._blocks:
            return
        theme, painter = self._theme, QPainter(self)
        rows, columns = self._blocks[0].shape
        area = QRectF(event.rect())
        largest = float(np.abs(self._blocks[2]).max()) or 1.0
        for block, name in enumerate(self._names()):
            first = self.cell(block, 0, 0)
            ink = theme.color("ink3")
            if self._aside:
                where = QRectF(first.left(), 0, columns * self._cell, theme.px(_CAPTION))
                where.adjust(theme.px(_AIR) / 2, 0, -theme.px(_AIR) / 2, 0)
                draw_text(painter, theme, name, where, ink, _CAPTION_SIZE, 400, RIGHT)
            else:
                where = QRectF(0, first.top(), self._captions(), first.height())
                draw_text(painter, theme, name, where, ink, _CAPTION_SIZE, 400, LEFT)
            # Large matrices: the cells that the painted area touches, and no others.
            top = max(int((area.top() - first.top()) // first.height()), 0)
            bottom = min(int((area.bottom() - first.top()) // first.height()) + 1, rows)
            left = max(int((area.left() - first.left()) // first.width()), 0)
            right = min(int((area.right() - first.left()) // first.width()) + 1, columns)
            for row in range(top, bottom):
                for column in range(left, right):
                    self._paint_cell(painter, block, row, column, largest)

    def _paint_cell(
        self, painter: QPainter, block: int, row: int, column: int, largest: float
    ) -> None:
        theme, rect = self._theme, self.cell(block, row, column)
        ink = theme.color("ink1" if block else "ink2")
        value = float(self._blocks[2][row, column])
        if block == 2 and value:
            # At half of the ramp: the sign is to be seen, not to outshine the tables.
            colours, domain = theme.scores_map, 2 * largest
            painter.fillRect(rect.adjusted(1, 1, -1, -1), colours.fill(value, domain))
            ink = colours.text(value, domain)
        inside = rect.adjusted(0, 0, -theme.px(_AIR) / 2, 0)
        text = self.text(block, row, column)
        draw_text(painter, theme, text, inside, ink, _SIZE, 400, RIGHT)


def _decimals(difference: Array) -> int:
    """Return three, or as many as the largest difference needs for two digits."""
    largest = float(np.abs(difference).max(initial=0.0))
    if largest <= 0.0:
        return 3
    return min(max(3, 1 - math.floor(math.log10(largest))), _MOST_DECIMALS)
