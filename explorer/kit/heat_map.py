"""A matrix of more cells than can carry numbers, as a picture with axes and a colour bar."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import (
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from explorer.attention import max_pooled
from explorer.kit.numbers import Columns
from explorer.kit.plot import Picture, Plot, Ticks, paint_plot
from explorer.kit.table.painting import LEFT, draw_mark, draw_text
from explorer.kit.theme import Colormap, Theme
from explorer.session import Array
from explorer.text import display_number

_LEFT, _TOP, _BOTTOM, _BAR, _GAP = 44, 12, 26, 12, 12  # px at 100 %
_BAR_TEXT = 44
_ZOOM = 1.25  # a notch of the wheel
_LEAST_MARK = 8  # px at 100 %, of a marked cell
_LABEL = 64  # px at 100 % between labels


class HeatMap(QWidget):
    """Shows a matrix; the wheel zooms, a drag moves what is seen, a double click shows all.

    Where cells are smaller than pixels, a pixel shows the largest of its block.
    """

    pointed = Signal(object)  # (row, column) below the mouse, or None
    chosen = Signal(object)  # (row, column) that was clicked
    looked = Signal(QRectF)  # another viewport was chosen by hand

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: Array = np.zeros((0, 0))
        self._domain = 1.0
        self._colours: Colormap = theme.weights_map
        self._seen = QRectF()
        self._held: tuple[float, float] | None = None
        self._at: tuple[int, int] | None = None
        self._dragged = False
        self._marks: list[tuple[int, int, float]] = []
        self._drawn: QPixmap | None = None  # all but the marks
        self._theme = theme
        self.setMouseTracking(True)

    def show_matrix(self, values: Array, colours: Colormap, domain: float) -> None:
        """Show a matrix, (rows, columns); one of another shape is shown whole.

        colours, domain : as of the tables: `domain` has the full strength
        """
        if values.shape != self._values.shape:
            self._seen = QRectF(0, 0, values.shape[1], values.shape[0])
        self._values, self._colours, self._domain = values, colours, domain
        self._renew()

    def show_part(self, seen: QRectF) -> None:
        """Set the viewport, columns (x) and rows (y), moved as far as needed to lie inside."""
        rows, columns = self._values.shape
        width, height = min(seen.width(), columns), min(seen.height(), rows)
        self._take(seen.x(), seen.y(), width, height)

    def show_marks(self, marks: Sequence[tuple[int, int, float]]) -> None:
        """Outline cells: of each its row, its column and the width of the line, px at 100 %."""
        if list(marks) != self._marks:
            self._marks = list(marks)
            self.update()

    @property
    def seen(self) -> QRectF:
        """The viewport: its columns (x) and rows (y)."""
        return QRectF(self._seen)

    @property
    def picture(self) -> Array:
        """What the pixels show now: the viewport, at most one value a pixel, (rows, cols)."""
        rows, columns = self._part()
        place = self._place()
        ratio = self.devicePixelRatioF()
        return max_pooled(
            self._values[rows, columns],
            max(int(place.height() * ratio), 1),
            max(int(place.width() * ratio), 1),
            signed=self._colours.signed,
        )

    def plotted(self) -> Columns:
        """Return the columns of the matrix, by their numbers, after those of the rows."""
        rows, columns = self._values.shape
        numbered = {str(n + 1): self._values[:, n] for n in range(columns)}
        return {"row": np.arange(1.0, rows + 1), **numbered}

    def retheme(self, theme: Theme, colours: Colormap) -> None:
        """Take another theme or text scale."""
        self._colours = colours
        self._theme = theme
        self._renew()

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return the row and the column at a place of the widget, None outside of the matrix."""
        place = self._place()
        if not place.contains(x, y) or not self._values.size:
            return None
        column = self._seen.x() + (x - place.left()) / place.width() * self._seen.width()
        row = self._seen.y() + (y - place.top()) / place.height() * self._seen.height()
        rows, columns = self._values.shape
        return min(int(row), rows - 1), min(int(column), columns - 1)

    # --- drawing ---------------------------------------------------------------------------------

    def _place(self) -> QRectF:
        px = self._theme.px
        right = self.width() - px(_GAP + _BAR + _BAR_TEXT)
        bottom = self.height() - px(_BOTTOM)
        return QRectF(px(_LEFT), px(_TOP), max(right - px(_LEFT), 1), max(bottom - px(_TOP), 1))

    def _part(self) -> tuple[slice, slice]:
        seen = self._seen
        return (
            slice(math.floor(seen.top()), math.ceil(seen.bottom())),
            slice(math.floor(seen.left()), math.ceil(seen.right())),
        )

    def _renew(self) -> None:
        self._drawn = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw anew in another size."""
        super().resizeEvent(event)
        self._drawn = None

    def cell(self, row: int, column: int) -> QRectF:
        """Return where a cell lies; maybe out of sight."""
        place, seen = self._place(), self._seen
        across, down = place.width() / seen.width(), place.height() / seen.height()
        left = place.left() + (column - seen.x()) * across
        return QRectF(left, place.top() + (row - seen.y()) * down, across, down)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the viewport, its axes, the colour bar and the marks."""
        ratio = self.devicePixelRatioF()
        if self._drawn is None or self._drawn.devicePixelRatio() != ratio:
            self._drawn = QPixmap(self.size() * ratio)
            self._drawn.setDevicePixelRatio(ratio)
            with QPainter(self._drawn) as painter:
                self._draw(painter)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._drawn)
            if self._values.size:
                painter.setClipRect(self._place().adjusted(-4, -4, 4, 4))
                for row, column, width in self._marks:
                    draw_mark(painter, self._theme, self.cell(row, column), width, _LEAST_MARK)

    def _draw(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), self._theme.color("canvas"))
        if self._values.size:
            seen, place, (rows, columns) = self._seen, self._place(), self._part()
            rect = QRectF(
                columns.start, rows.start, columns.stop - columns.start, rows.stop - rows.start
            )
            picture = Picture(self.picture, self._colours, self._domain, rect)
            plot = Plot(
                (self.width(), self.height()),
                place,
                seen,
                self._ticks(seen.top(), seen.bottom(), place.height()),
                self._ticks(seen.left(), seen.right(), place.width()),
                picture=picture,
                downwards=True,
            )
            paint_plot(painter, self._theme, plot)
            self._paint_bar(painter)

    def _ticks(self, first: float, last: float, room: float) -> Ticks:
        """Return as many numbers of rows or columns, from 1, as there is room for."""
        step = round_step((last - first) / max(room / self._theme.px(_LABEL), 1))
        start = math.ceil(first / step) * step
        return [(n + 0.5, str(n + 1)) for n in range(start, math.ceil(last), step)]

    def _paint_bar(self, painter: QPainter) -> None:
        theme, place = self._theme, self._place()
        ends = self._colours.ends(self._domain)
        steps = np.linspace(ends[1], ends[0], 256)[:, np.newaxis]
        bar = QRectF(place.right() + theme.px(_GAP), place.top(), theme.px(_BAR), place.height())
        painter.drawImage(bar, self._colours.picture(steps, self._domain))
        height = theme.px(16)
        for value, y in ((ends[1], bar.top()), (ends[0], bar.bottom() - height)):
            box = QRectF(bar.right() + theme.px(4), y, theme.px(_BAR_TEXT), height)
            text = display_number(value, 2)
            draw_text(painter, theme, text, box, theme.color("ink3"), 12, align=LEFT)

    # --- the mouse -------------------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom about the mouse."""
        place, whole = self._place(), self._values.shape
        if not self._values.size or not event.angleDelta().y():
            event.ignore()
            return
        factor = _ZOOM ** (-event.angleDelta().y() / 120)
        width = min(max(self._seen.width() * factor, min(4, whole[1])), whole[1])
        height = min(max(self._seen.height() * factor, min(4, whole[0])), whole[0])
        x = (event.position().x() - place.left()) / place.width()
        y = (event.position().y() - place.top()) / place.height()
        self._look(
            self._seen.x() + x * (self._seen.width() - width),
            self._seen.y() + y * (self._seen.height() - height),
            width,
            height,
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the picture."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._held = event.position().toTuple()
            self._dragged = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move what is held; else say which cell lies below."""
        x, y = event.position().toTuple()
        if self._held is not None:
            place, seen = self._place(), self._seen
            far = abs(x - self._held[0]) + abs(y - self._held[1])
            if not self._dragged and far < QApplication.startDragDistance():
                return
            self._dragged = True
            left = seen.x() - (x - self._held[0]) / place.width() * seen.width()
            top = seen.y() - (y - self._held[1]) / place.height() * seen.height()
            self._held = x, y
            self._look(left, top, seen.width(), seen.height())
        self._point(self.cell_at(x, y))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._held = None
            at = self.cell_at(*event.position().toTuple())
            if not self._dragged and at is not None:
                self.chosen.emit(at)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show all."""
        rows, columns = self._values.shape
        self._look(0, 0, columns, rows)

    def leaveEvent(self, event: QEvent) -> None:
        """Point at no cell any more."""
        self._point(None)
        super().leaveEvent(event)

    def _point(self, at: tuple[int, int] | None) -> None:
        if at != self._at:
            self._at = at
            self.pointed.emit(at)

    def _look(self, left: float, top: float, width: float, height: float) -> None:
        """Set the viewport by hand."""
        self._take(left, top, width, height)
        self.looked.emit(self.seen)

    def _take(self, left: float, top: float, width: float, height: float) -> None:
        rows, columns = self._values.shape
        left, top = min(max(left, 0), columns - width), min(max(top, 0), rows - height)
        if QRectF(left, top, width, height) != self._seen:
            self._seen = QRectF(left, top, width, height)
            self._renew()


def round_step(least: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, … that is not below `least`."""
    power = 10 ** max(math.floor(math.log10(max(least, 1))), 0)
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= least)
