"""A table at its full size that scrolls, under a header of names or headings."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.table import painting
from explorer.kit.table.painting import CENTRE, LEFT, LINE, MARGIN, RIGHT, draw_text
from explorer.kit.table.sources import Source
from explorer.kit.table.view import CellTable
from explorer.kit.theme import Theme
from explorer.session.intents import Select
from explorer.text.numbers import MINUS

HEADING_SIZE = 12  # px at 100 %, as all below


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
                pad = (
                    0
                    if source.align == CENTRE
                    else theme.px(MARGIN if paired else self._table.pad(source))
                )
                height = theme.px(LINE)
                top = rect.center().y() - height * len(lines) / 2
                for index, line in enumerate(lines):
                    where = QRectF(left + pad, top + index * height, rect.width() - 2 * pad, height)
                    align = LEFT if paired else RIGHT if self._table.upright else source.align
                    ink = theme.color("ink3")
                    draw_text(painter, theme, line, where, ink, HEADING_SIZE, 400, align)


ROW = 29  # px at 100 %, as all below
HEADER, TALL_HEADER = 28, 42  # for one and for two lines
_WIDEST_NAME, _WIDEST = 96, 180
_SIZES = (13, 12, 11)  # of the cells' type; the largest at which all columns are in view is taken
_LEAST_PAIR, _LEAST_NAME = 56, 64  # what names give way to
# About a vector whose numbers stand below each other: beside it where room is short, added to that
# where it is not, and above and below.
_UPRIGHT_PAD, _MORE_AIR, _UPRIGHT_AIR = 3, 16, 6
_WIDE_NUMBER = f"{MINUS}0.000"  # which any number of a vector may become while it is dragged


class ListTable(CellTable):
    """A source's cells at full size.

    Where they would not all be in view side by side, the numbers of vectors and the names of pairs
    stand below each other, type is smaller, and names give way.

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
        self._size, self._upright, self._spare = _SIZES[0], False, True
        self.setVerticalHeader(NamesHeader(Qt.Orientation.Vertical, self))
        self.verticalHeader().setVisible(named)
        self.verticalHeader().sectionPressed.connect(self._row_pressed)
        self.setHorizontalHeader(HeadingsHeader(Qt.Orientation.Horizontal, self))
        self.horizontalHeader().sectionPressed.connect(self._column_pressed)
        for set_mode in (self.setHorizontalScrollMode, self.setVerticalScrollMode):
            set_mode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    @property
    def upright(self) -> bool:
        """Whether the numbers of vectors stand below each other."""
        return self._upright

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

    def _size_columns(self, source: Source) -> None:
        """Widen columns for what they hold; narrow them only with another table or width, so that
        no drag makes them jump."""
        rows, columns = source.shape
        tokens = source.row_names, source.frame.scene.key_tokens
        kind = (self.theme, rows, columns, tokens, None if source.heated else self.width())
        fresh, self._sized = kind != self._sized, kind
        two_lines = any("\n" in source.column_name(column) for column in range(min(columns, 32)))
        self.horizontalHeader().setFixedHeight(self.theme.px(TALL_HEADER if two_lines else HEADER))
        if fresh and self._named:
            widest = painting.widest_name(self.theme, tuple(source.row_names), 14)
            widest = min(widest, self.theme.px(_WIDEST_NAME))
            self.verticalHeader().setFixedWidth(round(widest) + self.theme.px(MARGIN + 24))
        if fresh:
            self._choose_form(source)
        widths = self._wanted_widths(source)
        if fresh and self._upright:  # what room is left keeps the numbers of two spaces apart
            air = (self._room - sum(widths)) // len(widths)
            widths = [width + min(max(air, 0), self.theme.px(_MORE_AIR)) for width in widths]
        for column, width in enumerate(widths):
            if fresh or width > self.columnWidth(column):
                self.setColumnWidth(column, width)
        self._spread()
        if fresh:
            for column in range(32, columns):
                self.setColumnWidth(column, self.columnWidth(31))

    def _choose_form(self, source: Source) -> None:
        """Take the first form in which all columns are in view: vectors and pairs side by side,
        then below each other, then smaller type, then shorter names."""
        rows, columns = source.shape
        self._size, self._upright, self._spare = _SIZES[0], False, True
        if not source.heated:
            cells = [source.vector_parts(row, j) for row in range(rows) for j in range(columns)]
            most = max(map(len, cells), default=0)
            pairs = self._is_of_pairs(source)
            most = 2 if pairs else most
            beside = _SIZES[: 2 if pairs else 1]
            forms = [(size, False, True) for size in beside if most]
            forms += [(size, bool(most), spare) for spare in (True, False) for size in _SIZES]
            for self._size, self._upright, self._spare in forms:
                widths = self._wanted_widths(source)
                if pairs and not self._spare:
                    widths[0] = self.theme.px(_LEAST_PAIR)
                if self._size == _SIZES[-1] and self._named:  # names give way too
                    names, excess = self.verticalHeader().width(), sum(widths) - self._room
                    least = min(names, self.theme.px(_LEAST_NAME))
                    self.verticalHeader().setFixedWidth(max(names - max(excess, 0), least))
                if sum(widths) <= self._room:
                    break
        height = ROW
        if self._upright:
            height = max(ROW, most * LINE + 2 * _UPRIGHT_AIR)
        self.verticalHeader().setDefaultSectionSize(self.theme.px(height))

    def _text_of(self, row: int, column: int) -> str:
        """Return a cell's text as it is painted; the numbers of an upright vector in lines."""
        source = self.source
        assert source is not None
        parts = source.vector_parts(row, column) if self._upright else ()
        return "\n".join(parts) or source.text(row, column)

    def pad(self, source: Source) -> int:
        return min(source.pad, _UPRIGHT_PAD) if self.upright else source.pad

    @property
    def _room(self) -> int:
        """The width that columns have beside the names and a scroll bar."""
        beside = self.verticalHeader().width() if self._named else 0
        return self.width() - beside - self.verticalScrollBar().sizeHint().width()

    def _wanted_widths(self, source: Source) -> list[int]:
        """Return how wide columns are so that some of their cells, and the headings, have room."""
        theme, size, rows = self.theme, self._size, source.shape[0]
        sample = range(0, rows, max(1, rows // 16))
        wide = painting.text_width(theme, _WIDE_NUMBER, size) if self._spare else 0
        pad = theme.px(self.pad(source))
        widths = list[int]()
        for column in range(min(source.shape[1], 32)):
            longest = max((source.text(row, column) for row in sample), key=len, default="")
            cells = [source.vector_parts(row, column) for row in sample]
            upright = self._upright and any(cells)
            width = 0 if upright else painting.text_width(theme, longest, size, 600)
            for parts in cells:
                each = [max(painting.text_width(theme, part, size), wide) for part in parts]
                if self._upright:
                    width = max(width, *each, 0)
                elif parts:
                    between = painting.text_width(theme, "()" + ", " * (len(parts) - 1), size, 600)
                    width = max(width, sum(each) + between)
            width = math.ceil(width) + 2 * pad
            if rows and source.paired(0, column):
                scene = source.frame.scene
                names = scene.tokens, scene.key_tokens
                width = painting.pair_width(theme, names, size, upright=self._upright)
                width = math.ceil(width) + theme.px(MARGIN)
            widths.append(min(max(width, self._heading_width(source, column)), theme.px(_WIDEST)))
        return widths

    @staticmethod
    def _is_of_pairs(source: Source) -> bool:
        return source.shape[0] > 0 and source.paired(0, 0) is not None

    def _spread(self) -> None:
        """Give the pairs the room that the other columns leave."""
        source = self.source
        if source is None or not self._is_of_pairs(source):
            return
        others = self.horizontalHeader().length() - self.columnWidth(0)
        left = max(self.viewport().width() - others, self.theme.px(_LEAST_PAIR))
        if left != self.columnWidth(0):
            self.setColumnWidth(0, left)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.source is not None:
            self._size_columns(self.source)

    def _heading_width(self, source: Source, column: int) -> int:
        lines = source.column_name(column).split("\n")
        widest = max(painting.text_width(self.theme, line, HEADING_SIZE) for line in lines)
        dot = self.theme.px(painting.DOT + 10) if source.column_colour(column) is not None else 0
        heading = round(widest) + dot + self.theme.px(2 * self.pad(source))
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
            self.paint_cells(painter, rows, self.visible_columns(), self._text_of, self._size)
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
