"""The outputs with what each is made of: numbers and a bar a row, or a picture where too many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QColor, QPainter, QPen, QRegion
from PySide6.QtWidgets import QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.table import painting
from explorer.kit.table.fitted import HeatTable
from explorer.kit.table.heat_grid import BELOW, LEAST_CELL, Grid
from explorer.kit.table.painting import PADDING, draw_text
from explorer.kit.table.sources import OutputSource, Place
from explorer.kit.theme import Theme
from explorer.session import Array
from explorer.text import _

ROW, COMPACT_ROW = 31, 27  # px at 100 %, as all below
BAR = 16
BAR_GAP = 16  # between the numbers and the bar
_NUMBER_GAP, _SMALLEST_GAP = 6, 4  # the second where numbers need the room, as in the next line
_LEAST_BAR, _SHORTEST_BAR = 60, 36
_SIZES = (15, 14, 13, 12)
_DECIMALS = 3
# What is tried in turn for numbers that want more room: decimals, type size, whether it is tight.
_TRIED = (
    *((_DECIMALS, size, False) for size in _SIZES),
    (_DECIMALS, _SIZES[-1], True),
    *((decimals, size, True) for decimals in (2, 1) for size in _SIZES[1:]),
)
_TALLEST = 8  # rows of full height; more share their height
_TYPICAL = "−0.000"  # numbers this long or shorter keep their column's width while they change


@dataclass(frozen=True)
class Layout:
    """What stands in a row beside its numbers, in px; all rows are alike.

    Parameters
    ----------
    left, name_width : float
    number_size : int
        Type size, px at 100 %; 0 where the numbers are a picture.
    bar_left, bar_width : float
        Where rows are too low for bars, these are left out (`bar_width` 0).
    decimals : int
        Of the numbers; fewer where columns are narrow.
    """

    left: float = 0
    name_width: float = 0
    number_size: int = 15
    bar_left: float = 0
    bar_width: float = 0
    decimals: int = _DECIMALS


class OutputsTable(HeatTable):
    """The outputs of one head and the weights they are made of."""

    def __init__(
        self, name: str, theme: Theme, formats: CopyFormats, parent: QWidget | None = None
    ) -> None:
        super().__init__(name, theme, formats, parent)
        self.layout_ = Layout()
        self._longest = _TYPICAL

    @property
    def is_easy(self) -> bool:
        at = self.layout_
        largest = (at.number_size, at.decimals) == (_SIZES[0], _DECIMALS)
        return bool(at.bar_width) and largest and self.names_whole

    def layout_key(self) -> object:
        self._longest = self._longest_text(_DECIMALS)
        return len(self._longest), self._outputs().width

    def _longest_text(self, decimals: int) -> str:
        """Return the longest number, or one that a usual one may become while it changes."""
        source = self._outputs()
        shown = source.width if source.width <= 6 else 0
        rows = range(source.shape[0]) if source.shape[0] <= 16 else ()
        texts = [source.number(i, c, decimals) for i in rows for c in range(shown)]
        return max([*texts, _TYPICAL[: decimals - _DECIMALS or None]], key=len)

    def arrange(self) -> int:
        theme, source = self.theme, self._outputs()
        rows, columns = source.shape[0], source.width
        left = theme.px(PADDING)
        inner = self.width() - 2 * left
        tallest = theme.px(COMPACT_ROW if self.compact else ROW)
        height = min(tallest, _TALLEST * tallest / rows)
        barred = height >= theme.px(LEAST_CELL[1])
        name = number = 0.0
        start, size, decimals, bar, width = float(left), 0, _DECIMALS, 0, 0.0
        if not barred:
            height = min(inner / rows, max(inner / columns, theme.px(120) / rows))
            number = inner / columns
        else:
            longest = self.name_width()
            name = min(longest, theme.px(110), max(theme.px(34), inner * 0.35))
            self.names_whole = name >= longest
            gap = theme.px(BAR_GAP)
            start = left + name
            for decimals, candidate, tight in _TRIED:
                text = self._longest if decimals == _DECIMALS else self._longest_text(decimals)
                # Only between numbers: the name has a gap of its own.
                between = theme.px(_SMALLEST_GAP if tight else _NUMBER_GAP)
                least = theme.px(_SHORTEST_BAR if tight else _LEAST_BAR)
                wanted = painting.text_width(theme, text, candidate) + between
                wanted = max(wanted, theme.px(LEAST_CELL[0]))
                if wanted * columns - between <= inner - name - gap - least:
                    start, size, number = start - between, candidate, wanted
                    break
            else:
                number = (inner - name - gap - theme.px(110)) / columns
            bar = round(start + number * columns) + gap
            width = left + inner - bar
        self.layout_ = Layout(left, name, size, bar, width, decimals)
        area = start, 0, number * columns, height * rows
        self.grid = Grid(*area, rows, columns, name, 0, numbers=bool(size))
        return round(height * rows) + theme.px(BELOW)

    # --- geometry --------------------------------------------------------------------------------

    def row_rect(self, row: int) -> QRectF:
        """Return a row's rectangle, as wide as the table."""
        each = self.grid.height / self.grid.rows
        top, bottom = round(each * row), round(each * (row + 1))
        return QRectF(0, top, self.width(), bottom - top)

    def segment_rect(self, row: int, key: int) -> QRectF:
        """Return the part of a row's bar that stands for a key; without width where it is small."""
        return self._segment(self._outputs().ends[row], self.row_rect(row), key)

    def _segment(self, ends: Array, rect: QRectF, key: int) -> QRectF:
        at = self.layout_
        start = float(ends[key - 1]) if key else 0.0
        middle = rect.center().y()
        half = min(self.theme.px(BAR) / 2, self.grid.height / self.grid.rows / 2 - 2)
        gap = 1.0 if len(ends) <= 24 else 0.0
        width = max((float(ends[key]) - start) * at.bar_width - gap, 0.0)
        return QRectF(at.bar_left + start * at.bar_width, middle - half, width, 2 * half)

    def hit(self, point: QPoint) -> Place | None:
        source, at = self._outputs(), self.layout_
        row = int(point.y() * self.grid.rows // self.grid.height)
        if not 0 <= row < source.shape[0]:
            return None
        place = self.grid.at(point.x(), point.y())
        if place is not None and place[1] is not None:
            return place
        share = (point.x() - at.bar_left) / at.bar_width if at.bar_width else -1.0
        # Where a variant's weights sum to less than 1, the bar ends before its full length.
        full = float(source.ends[row, -1]) * (1.0 + 1e-9)
        if 0.0 <= share <= min(full, 1.0) and full > 0.0:
            key = int(np.searchsorted(source.ends[row], share))
            return row, source.width + min(key, source.weights.shape[1] - 1)
        return row, None

    def cell_rect(self, row: int, column: int) -> QRectF:
        width = self._outputs().width
        if column < width:
            return self.grid.cell(row, column)
        return (
            self.segment_rect(row, column - width) if self.layout_.bar_width else self.row_rect(row)
        )

    def mark_rect(self, row: int | None, column: int | None) -> QRectF | None:
        px, at = self.theme.px, self.layout_
        if row is None:
            return None
        if column is None:
            return None if at.bar_width else self.grid.row(row)  # the band says it
        source, rect = self._outputs(), self.cell_rect(row, column)
        if column < source.width:
            return rect.adjusted(px(1), 3, px(4), -3) if at.number_size else rect
        if not at.bar_width or source.weights[row, column - source.width] == 0.0:
            return None  # a weight of 0 has no part of the bar
        wider = px(2) if rect.width() + 1 < px(4) else 0
        return rect.adjusted(-0.5 - wider, -1, 0.5 + wider, 1)

    # --- painting --------------------------------------------------------------------------------

    def changing(self) -> QRegion:
        return QRegion(self.rect())

    def paint(self, painter: QPainter, region: QRegion) -> None:
        source, at = self._outputs(), self.layout_
        frame, rows = source.frame, range(source.shape[0])
        selected = source.place(frame.selection)
        if at.bar_width:
            for row in {source.place(frame.hover)[0], selected[0]} - {None}:
                assert row is not None
                self._paint_band(painter, row)
        if not at.number_size:
            painter.drawImage(self.grid.area, self.numbers_picture)
        if at.bar_width:
            for row in rows:
                self._paint_row(painter, source, row, row == selected[0])
        if at.number_size:
            columns = range(source.width)
            self.paint_cells(
                painter,
                rows,
                columns,
                lambda row, column: source.number(row, column, at.decimals),
                at.number_size,
            )
        self.paint_marks(painter)
        whole = self.row_rect(0).united(self.row_rect(rows[-1]))
        pad = self.theme.px(PADDING) / 2
        self.draw_focus(painter, whole.adjusted(pad, 0, -pad, 0))

    def _paint_band(self, painter: QPainter, row: int) -> None:
        theme = self.theme
        pad = theme.px(PADDING) / 2
        painting.draw_band(painter, theme, self.row_rect(row).adjusted(pad, 0, -pad, 0))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_row(self, painter: QPainter, source: OutputSource, row: int, bold: bool) -> None:
        theme, at, rect = self.theme, self.layout_, self.row_rect(row)
        name = QRectF(at.left, rect.top(), at.name_width, rect.height())
        look = source.row_names[row], source.row_colours[row], bold, self.names_whole
        painting.draw_row_name(painter, theme, name, *look)
        bar = QRectF(at.bar_left, rect.top(), at.bar_width, rect.height())
        if not source.weights[row].any():
            text = painting.elided(theme, _("every key is masked"), 13, 400, int(bar.width()))
            draw_text(painter, theme, text, bar, theme.color("ink3"), 13, 400, painting.LEFT)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        neutral, round_by = theme.neutral_token, theme.px(2)
        for key, colour in enumerate(source.colours[1]):
            segment = self._segment(source.ends[row], rect, key)
            if segment.width() < 4:
                painter.fillRect(segment, QColor(colour.fill))
                continue
            # Fill and outline share the edge, so that the outline darkens it only a little.
            edge = theme.color("ctl") if colour.fill == neutral.fill else QColor(colour.ink)
            painter.setPen(QPen(edge, 1))
            painter.setBrush(QColor(colour.fill))
            inside = segment.adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(inside, round_by, round_by)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _outputs(self) -> OutputSource:
        source = self.source
        assert isinstance(source, OutputSource)
        return source
