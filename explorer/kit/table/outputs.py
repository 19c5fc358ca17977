"""The outputs with what each is made of: numbers and a bar a row, or a picture where too many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.table import painting
from explorer.kit.table.fitted import BELOW, LEAST_CELL, FittedTable
from explorer.kit.table.painting import HOVERED, PADDING, RIGHT, SELECTED, draw_text
from explorer.kit.table.sources import OutputSource, Place, Source
from explorer.kit.theme import Theme
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
    """Where a row's parts lie, in px; all rows are alike.

    Parameters
    ----------
    left, name_width : float
    numbers_left, number_width : float
        Of the first column and of each column.
    number_size : int
        Type size, px at 100 %; 0 where the numbers are a picture.
    decimals : int
        Of the numbers; fewer where columns are narrow.
    bar_left, bar_width : float
    row_height : float
        Where it is too low for a bar, the bars are left out (`bar_width` 0).
    """

    left: float
    name_width: float
    numbers_left: float
    number_width: float
    number_size: int
    bar_left: float
    bar_width: float
    row_height: float
    decimals: int = _DECIMALS


class OutputsTable(FittedTable):
    """The outputs of one head and the weights they are made of."""

    def __init__(
        self, name: str, theme: Theme, formats: CopyFormats, parent: QWidget | None = None
    ) -> None:
        super().__init__(name, theme, formats, parent)
        self.layout_ = Layout(0, 0, 0, 1, 15, 0, 0, 1)
        self._longest = _TYPICAL
        self._image = QImage()
        self._pictured: object = None

    @property
    def is_picture(self) -> bool:
        return not self.layout_.number_size

    @property
    def is_easy(self) -> bool:
        at = self.layout_
        largest = (at.number_size, at.decimals) == (_SIZES[0], _DECIMALS)
        return bool(at.bar_width) and largest and self._names_whole

    def prepare(self, source: Source) -> None:
        super().prepare(source)
        if not self.layout_.number_size:
            self._picture(self._source())

    def layout_key(self) -> object:
        self._longest = self._longest_text(_DECIMALS)
        return len(self._longest), self._source().width

    def _longest_text(self, decimals: int) -> str:
        """Return the longest number, or one that a usual one may become while it changes."""
        source = self._source()
        shown = source.width if source.width <= 6 else 0
        rows = range(source.shape[0]) if source.shape[0] <= 16 else ()
        texts = [source.number(i, c, decimals) for i in rows for c in range(shown)]
        return max([*texts, _TYPICAL[: decimals - _DECIMALS or None]], key=len)

    def arrange(self) -> int:
        theme, source = self.theme, self._source()
        rows, columns = source.shape[0], source.width
        left = theme.px(PADDING)
        inner = self.width() - 2 * left
        tallest = theme.px(COMPACT_ROW if self.compact else ROW)
        height = min(tallest, _TALLEST * tallest / rows)
        barred = height >= theme.px(LEAST_CELL[1])
        if not barred:
            height = min(inner / rows, max(inner / columns, theme.px(120) / rows))
            self.layout_ = Layout(left, 0, left, inner / columns, 0, left, 0, height)
            return round(height * rows) + theme.px(BELOW)
        longest = self.name_width()
        name = min(longest, theme.px(110), max(theme.px(34), inner * 0.35))
        self._names_whole = name >= longest
        gap = theme.px(BAR_GAP)
        start, number, size, decimals = left + name, 0.0, 0, _DECIMALS
        for decimals, candidate, tight in _TRIED:
            text = self._longest if decimals == _DECIMALS else self._longest_text(decimals)
            # Only between numbers: the name has a gap of its own.
            between = theme.px(_SMALLEST_GAP if tight else _NUMBER_GAP)
            least = theme.px(_SHORTEST_BAR if tight else _LEAST_BAR)
            width = painting.text_width(theme, text, candidate) + between
            width = max(width, theme.px(LEAST_CELL[0]))
            if width * columns - between <= inner - name - gap - least:
                start, size = start - between, candidate
                number = width
                break
        else:
            number = (inner - name - gap - theme.px(110)) / columns
        bar = round(start + number * columns) + gap
        self.layout_ = Layout(
            left, name, start, number, size, bar, left + inner - bar, height, decimals
        )
        return round(height * rows) + theme.px(BELOW)

    # --- geometry --------------------------------------------------------------------------------

    def row_rect(self, row: int) -> QRectF:
        """Return a row's rectangle, as wide as the table."""
        top, bottom = (round(self.layout_.row_height * edge) for edge in (row, row + 1))
        return QRectF(0, top, self.width(), bottom - top)

    def number_rect(self, row: int, column: int) -> QRectF:
        """Return where an output's number stands."""
        rect, at = self.row_rect(row), self.layout_
        left = at.numbers_left + column * at.number_width
        return QRectF(left, rect.top(), at.number_width, rect.height())

    def segment_rect(self, row: int, key: int) -> QRectF:
        """Return the part of a row's bar that stands for a key; without width where it is small."""
        source, at = self._source(), self.layout_
        ends = source.ends[row]
        start = ends[key - 1] if key else 0.0
        middle, half = self.row_rect(row).center().y(), self.theme.px(BAR) / 2
        half = min(half, at.row_height / 2 - 2)
        gap = 1.0 if len(ends) <= 24 else 0.0
        width = float(ends[key] - start) * at.bar_width - gap
        return QRectF(
            at.bar_left + float(start) * at.bar_width, middle - half, max(width, 0.0), 2 * half
        )

    def hit(self, point: QPoint) -> Place | None:
        source, at = self._source(), self.layout_
        row = int(point.y() // at.row_height)
        if not 0 <= row < source.shape[0]:
            return None
        column = int((point.x() - at.numbers_left) // at.number_width)
        if 0 <= column < source.width:
            return row, column
        share = (point.x() - at.bar_left) / at.bar_width if at.bar_width else -1.0
        # Where a variant's weights sum to less than 1, the bar ends before its full length.
        full = float(source.ends[row, -1]) * (1.0 + 1e-9)
        if 0.0 <= share <= min(full, 1.0) and full > 0.0:
            key = int(np.searchsorted(source.ends[row], share))
            return row, source.width + min(key, source.weights.shape[1] - 1)
        return row, None

    def visualRect(self, index: QModelIndex | QPersistentModelIndex) -> QRect:
        if not index.isValid():
            return QRect()
        width = self._source().width
        if index.column() < width:
            return self.number_rect(index.row(), index.column()).toAlignedRect()
        if not self.layout_.bar_width:
            return self.row_rect(index.row()).toAlignedRect()
        return self.segment_rect(index.row(), index.column() - width).toAlignedRect()

    # --- painting --------------------------------------------------------------------------------

    def paint(self, painter: QPainter, area: QRect) -> None:
        source, at = self._source(), self.layout_
        frame = source.frame
        hovered, selected = source.place(frame.hover), source.place(frame.selection)
        for row in {hovered[0], selected[0]} - {None}:
            assert row is not None
            if at.bar_width:
                self._paint_band(painter, row)
        if not at.number_size:
            rows = source.shape[0]
            numbers = self.number_rect(0, 0).united(self.number_rect(rows - 1, source.width - 1))
            painter.drawImage(numbers, self._image)
        if at.bar_width:
            for row in range(source.shape[0]):
                self._paint_row(painter, source, row, selected)
        for place, width in ((hovered, HOVERED), (selected, SELECTED)):
            self._paint_mark(painter, source, place, width)
        whole = self.row_rect(0).united(self.row_rect(source.shape[0] - 1))
        pad = self.theme.px(PADDING) / 2
        self.draw_focus(painter, whole.adjusted(pad, 0, -pad, 0))

    def _paint_band(self, painter: QPainter, row: int) -> None:
        theme = self.theme
        pad = theme.px(PADDING) / 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(0, 0, 0, 0))
        painter.setBrush(theme.color("hover"))
        radius = theme.px(6)
        painter.drawRoundedRect(self.row_rect(row).adjusted(pad, 0, -pad, 0), radius, radius)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_row(
        self, painter: QPainter, source: OutputSource, row: int, selected: Place
    ) -> None:
        theme, at = self.theme, self.layout_
        rect = self.row_rect(row)
        name = QRectF(at.left, rect.top(), at.name_width, rect.height())
        bold = row == selected[0]
        painting.draw_row_name(
            painter,
            theme,
            name,
            source.row_names[row],
            source.row_colours[row],
            bold,
            self._names_whole,
        )
        if at.number_size:
            ink = theme.color("ink1")
            for column in range(source.width):
                weight = 600 if (row, column) == selected else 400
                where = self.number_rect(row, column)
                text = source.number(row, column, at.decimals)
                draw_text(painter, theme, text, where, ink, at.number_size, weight, RIGHT)
        bar = QRectF(at.bar_left, rect.top(), at.bar_width, rect.height())
        if not source.weights[row].any():
            text = painting.elided(theme, _("every key is masked"), 13, 400, int(bar.width()))
            draw_text(painter, theme, text, bar, theme.color("ink3"), 13, 400, painting.LEFT)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        neutral = theme.neutral_token
        for key, colour in enumerate(source.colours[1]):
            segment = self.segment_rect(row, key)
            if segment.width() < 4:
                painter.fillRect(segment, QColor(colour.fill))
                continue
            # Fill and outline share the edge, so that the outline darkens it only a little.
            edge = theme.color("ctl") if colour.fill == neutral.fill else QColor(colour.ink)
            painter.setPen(QPen(edge, 1))
            painter.setBrush(QColor(colour.fill))
            inside = segment.adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(inside, theme.px(2), theme.px(2))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_mark(
        self, painter: QPainter, source: OutputSource, place: Place, width: float
    ) -> None:
        row, column = place
        if row is None:
            return
        if column is None:
            if self.layout_.bar_width:
                return  # the band says it
            rect = self.number_rect(row, 0).united(self.number_rect(row, source.width - 1))
        elif column < source.width:
            rect = self.number_rect(row, column)
            if self.layout_.number_size:
                rect.adjust(self.theme.px(1), 3, self.theme.px(4), -3)
        elif self.layout_.bar_width:
            rect = self.segment_rect(row, column - source.width).adjusted(-0.5, -1, 0.5, 1)
            if rect.width() < self.theme.px(4):
                rect.adjust(-self.theme.px(2), 0, self.theme.px(2), 0)
        else:
            return
        painting.draw_outline(painter, self.theme, rect, width, halo=not self.layout_.number_size)

    def _picture(self, source: OutputSource) -> None:
        wanted = (source.frame.attention, source.frame.look.head, self.theme)
        if wanted == self._pictured:
            return
        self._pictured = wanted
        self._image = self.theme.scores_map.picture(source.values, source.domain)

    def _source(self) -> OutputSource:
        source = self.source
        assert isinstance(source, OutputSource)
        return source
