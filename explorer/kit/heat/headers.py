"""The headers of tables that scroll: tokens with their dots, and headings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView

from explorer.kit.heat import painting
from explorer.kit.heat.painting import CENTRE, LEFT, draw_text

if TYPE_CHECKING:
    from explorer.kit.heat.listing import ListTable

LINE = 17  # px at 100 %, as all below
MARGIN = 8  # before a row's name, and before a pair
HEADING_SIZE = 12


class NamesHeader(QHeaderView):
    """The rows' tokens with their dots, beside a table that scrolls."""

    def __init__(self, table: ListTable) -> None:
        super().__init__(Qt.Orientation.Vertical, table)
        self._table = table
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsClickable(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, source = self._table.theme, self._table.source
        painter = QPainter(self.viewport())
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


class HeadingsHeader(QHeaderView):
    """The columns' tokens or headings (of one or two lines), above a table that scrolls."""

    def __init__(self, table: ListTable) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table = table
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsClickable(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, source = self._table.theme, self._table.source
        painter = QPainter(self.viewport())
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
                painting.draw_column_name(painter, theme, rect, name, colour, column == selected)
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
