"""A table at its full size that scrolls, under a header of names or headings."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.table import painting
from explorer.kit.table.painting import CENTRE, LEFT, MARGIN, draw_text
from explorer.kit.table.sources import Source
from explorer.kit.table.view import CellTable
from explorer.kit.theme import Theme
from explorer.session.intents import Select

LINE = 17  # px at 100 %, as all below
HEADING_SIZE = 12


class Header(QHeaderView):
    """What stands beside or above a table that scrolls."""

    def __init__(self, orientation: Qt.Orientation, table: ListTable) -> None:
        super().__init__(orientation, table)
        self._table = table
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsClickable(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)


class NamesHeader(Header):
    """The rows' tokens with their dots."""

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, source = self._table.theme, self._table.source
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), theme.color("win"))
            if source is None:
                return
            selected = source.place(source.frame.selection)[0]
            pad = theme.px(MARGIN)
            for row in self._table.visible_rows():
                top = self.sectionViewportPosition(row)
                rect = QRectF(pad, top, self.width() - pad, self.sectionSize(row))
                name, colour = source.row_names[row], source.row_colours[row]
                painting.draw_row_name(painter, theme, rect, name, colour, row == selected)


class HeadingsHeader(Header):
    """The columns' tokens or headings, of one or two lines."""

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, source = self._table.theme, self._table.source
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), theme.color("win"))
            painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("line"))
            if source is None:
                return
            selected = source.place(source.frame.selection)[1]
            for column in self._table.visible_columns():
                left = self.sectionViewportPosition(column)
                rect = QRectF(left, 0, self.sectionSize(column), self.height())
                name, colour = source.column_name(column), source.column_colour(column)
                if colour is not None:
                    painting.draw_column_name(
                        painter, theme, rect, name, colour, column == selected
                    )
                    continue
                lines = name.split("\n")
                paired = source.shape[0] > 0 and source.paired(0, column) is not None
                pad = 0 if source.align == CENTRE else theme.px(MARGIN if paired else source.pad)
                height = theme.px(LINE)
                top = rect.center().y() - height * len(lines) / 2
                for index, line in enumerate(lines):
                    where = QRectF(left + pad, top + index * height, rect.width() - 2 * pad, height)
                    align = LEFT if paired else source.align
                    ink = theme.color("ink3")
                    draw_text(painter, theme, line, where, ink, HEADING_SIZE, 400, align)


_SIZE = 13  # px at 100 %, as all below
ROW = 29
HEADER, TALL_HEADER = 28, 42  # for one and for two lines
_WIDEST_NAME, _WIDEST = 96, 180


class ListTable(CellTable):
    """A source's cells at full size.

    Parameters
    ----------
    named : bool
        Whether the rows' tokens stand beside the table; else the source's cells name them.
    """

    def __init__(
        self,
        name: str,
        theme: Theme,
        formats: CopyFormats,
        parent: QWidget | None = None,
        *,
        named: bool = True,
    ) -> None:
        super().__init__(name, theme, formats, parent)
        self._styled: Theme | None = None
        self._sized: object = None
        self._named = named
        self.setVerticalHeader(NamesHeader(Qt.Orientation.Vertical, self))
        self.verticalHeader().setVisible(named)
        self.verticalHeader().sectionPressed.connect(self._row_pressed)
        self.setHorizontalHeader(HeadingsHeader(Qt.Orientation.Horizontal, self))
        self.horizontalHeader().sectionPressed.connect(self._column_pressed)
        for set_mode in (self.setHorizontalScrollMode, self.setVerticalScrollMode):
            set_mode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def prepare(self, source: Source) -> None:
        if self._styled != source.theme:
            self._styled = source.theme
            self._style(source.theme)
        self._size_columns(source)
        self.verticalHeader().viewport().update()
        self.horizontalHeader().viewport().update()

    def _row_pressed(self, row: int) -> None:
        if self.source is not None:
            self.intent.emit(Select(self.source.selection(row, None)))

    def _column_pressed(self, column: int) -> None:
        if self.source is not None and self.source.column_colour(column) is not None:
            self.intent.emit(Select(self.source.selection(None, column)))

    def _style(self, theme: Theme) -> None:
        win = theme.palette.win
        self.setStyleSheet(
            f"QTableView, QHeaderView {{ background: {win}; border: none; }}"
            f" QTableCornerButton::section {{ background: {win}; border: none; }}"
        )
        self.verticalHeader().setMinimumSectionSize(1)
        self.horizontalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(theme.px(ROW))

    def _size_columns(self, source: Source) -> None:
        """Widen columns for what they hold; narrow them only with another table, so that no drag
        makes them jump."""
        rows, columns = source.shape
        tokens = source.row_names, source.frame.scene.key_tokens
        kind = (self.theme, rows, columns, tokens)
        fresh, self._sized = kind != self._sized, kind
        sample = range(0, rows, max(1, rows // 16))
        two_lines = any("\n" in source.column_name(column) for column in range(min(columns, 32)))
        self.horizontalHeader().setFixedHeight(self.theme.px(TALL_HEADER if two_lines else HEADER))
        for column in range(min(columns, 32)):
            texts = [source.text(row, column) for row in sample]
            longest = max(texts, key=len, default="")
            width = math.ceil(painting.text_width(self.theme, longest, _SIZE, 600))
            width += self.theme.px(2 * source.pad)
            if rows and source.paired(0, column):
                width += self.theme.px(MARGIN - source.pad)
            width = min(max(width, self._heading_width(source, column)), self.theme.px(_WIDEST))
            if fresh or width > self.columnWidth(column):
                self.setColumnWidth(column, width)
        self._spread()
        if fresh:
            for column in range(32, columns):
                self.setColumnWidth(column, self.columnWidth(31))
            if self._named:
                names = [
                    painting.text_width(self.theme, name, 14, 600) for name in source.row_names
                ]
                widest = min(max(names, default=0.0), self.theme.px(_WIDEST_NAME))
                self.verticalHeader().setFixedWidth(round(widest) + self.theme.px(MARGIN + 24))

    def _spread(self) -> None:
        """Give the pairs the room that the other columns leave."""
        source = self.source
        if source is None or not source.shape[0] or source.paired(0, 0) is None:
            return
        left = self.viewport().width() - self.horizontalHeader().length()
        if left > 0:
            self.setColumnWidth(0, self.columnWidth(0) + left)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._spread()

    def _heading_width(self, source: Source, column: int) -> int:
        lines = source.column_name(column).split("\n")
        widest = max(painting.text_width(self.theme, line, HEADING_SIZE) for line in lines)
        dot = self.theme.px(painting.DOT + 10) if source.column_colour(column) is not None else 0
        heading = round(widest) + dot + self.theme.px(2 * source.pad)
        return min(heading, self.theme.px(_WIDEST_NAME))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, source = self.theme, self.source
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), theme.color("win"))
            if source is None or not all(source.shape):
                return
            frame = source.frame
            hovered, selected = source.place(frame.hover), source.place(frame.selection)
            rows = self.visible_rows()
            for row in {hovered[0], selected[0]} if not source.heated else ():
                if row is not None and row in rows:
                    top, high = self.rowViewportPosition(row), self.rowHeight(row)
                    painter.fillRect(0, top, self.width(), high, theme.color("hover"))
            self.paint_cells(painter, rows, self.visible_columns(), source.text, _SIZE)
            self.paint_marks(painter)
            if selected == (None, None):
                painting.draw_ring(painter, theme, self, QRectF(self.viewport().rect()))

    def mark_rect(self, row: int | None, column: int | None) -> QRectF | None:
        if row is None and column is None:
            return None
        rect = QRectF(0, 0, self.width(), self.viewport().height())
        if row is not None:
            rect.setRect(0, self.rowViewportPosition(row), rect.width(), self.rowHeight(row))
        if column is not None:
            rect.setLeft(self.columnViewportPosition(column))
            rect.setWidth(self.columnWidth(column))
        # Within its cell: beyond it, the header or the table's edge would cut it.
        return rect.adjusted(1.5, 1.5, -1.5, -1.5)
