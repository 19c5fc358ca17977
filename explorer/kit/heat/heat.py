"""Scores or weights that fit the panel's width: numbers on colours, or a picture where too many."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF
from PySide6.QtGui import QImage, QLinearGradient, QPainter
from PySide6.QtWidgets import QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.heat import painting
from explorer.kit.heat.fitted import FittedTable
from explorer.kit.heat.grid import BELOW, PADDING, READOUT, Grid, heat_grid
from explorer.kit.heat.headers import HEADING_SIZE
from explorer.kit.heat.painting import HOVERED, LEFT, RIGHT, SELECTED, draw_text
from explorer.kit.heat.sources import HeatSource, Place, Source
from explorer.kit.theme import Theme
from explorer.session import Selection
from explorer.text import _, decimal_places, display_number, ngettext

_SIZES = (15, 14, 13, 12, 11)  # of numbers, px at 100 %; the largest that fits all is taken
_AIR = 5  # px at 100 % that are easily read beside a number, on either side
_OVERLAP = 4  # px by which a number may reach into the gaps beside its cell before it is shortened


class HeatTable(FittedTable):
    """The scores or the weights of one head."""

    def __init__(
        self, name: str, theme: Theme, formats: CopyFormats, parent: QWidget | None = None
    ) -> None:
        super().__init__(name, theme, formats, parent)
        self.grid = Grid(0, 0, 0, 0, 0, 0, 0, 0, numbers=True)
        self._image = QImage()
        self._pictured: object = None

    @property
    def is_picture(self) -> bool:
        return not self.grid.numbers

    @property
    def is_easy(self) -> bool:
        if not (self.grid.numbers and self._names_whole):
            return False
        source = self._source()
        room = self.grid.width / max(self.grid.columns, 1)
        names = (source.column_name(column) for column in range(self.grid.columns))
        named = all(painting.column_name_width(self.theme, name) <= room for name in names)
        size, texts = self.number_texts()
        longest = max((text for row in texts for text in row), key=len, default="")
        air = room - painting.text_width(self.theme, longest, size)
        return named and size == _SIZES[0] and air >= 2 * self.theme.px(_AIR)

    def prepare(self, source: Source) -> None:
        super().prepare(source)
        if not self.grid.numbers:
            self._picture(self._source())

    def arrange(self) -> int:
        source = self._source()
        rows, columns = source.shape
        names = self.name_width() if columns * self.theme.px(14) < self.width() else 0.0
        self.grid = heat_grid(
            self.theme, self.width(), rows, columns, names, self.compact, bool(source.spans)
        )
        self._names_whole = self.grid.name_width >= names
        below = BELOW if self.grid.numbers else READOUT
        return round(self.grid.top + self.grid.height) + self.theme.px(below)

    def layout_key(self) -> object:
        return self._source().spans

    def hit(self, point: QPoint) -> Place | None:
        return self.grid.at(point.x(), point.y())

    def visualRect(self, index: QModelIndex | QPersistentModelIndex) -> QRect:
        if not index.isValid():
            return QRect()
        return self.grid.cell(index.row(), index.column()).toAlignedRect()

    def changing(self) -> QRect:
        return self.grid.area.toAlignedRect() if self.grid.numbers else self.rect()

    def paint(self, painter: QPainter, area: QRect) -> None:
        source = self._source()
        grid = self.grid
        painter.fillRect(grid.area, self.theme.color(source.ground))
        selected = source.place(source.frame.selection)
        if grid.numbers:
            self._paint_numbers(painter, source, selected)
        else:
            painter.fillRect(grid.area, painting.hatch(self.theme))
            painter.drawImage(grid.area, self._image)
            self._paint_readout(painter, source)
        if not (grid.numbers and self.changing().contains(area)):
            self._paint_names(painter, source, selected)
        for thing, width in ((source.frame.hover, HOVERED), (source.frame.selection, SELECTED)):
            self._paint_mark(painter, source.place(thing), width)
        self.draw_focus(painter, grid.area)

    # --- numbers ---------------------------------------------------------------------------------

    def number_texts(self) -> tuple[int, list[list[str]]]:
        """Return the type size (px at 100 %) and each cell's text as it is painted.

        A number that is too wide even at the smallest size loses decimals; the tooltip has all.
        """
        source, grid = self._source(), self.grid
        texts = [[source.text(i, j) for j in range(grid.columns)] for i in range(grid.rows)]
        room = int(grid.width / grid.columns) - 2 - self.theme.px(2)
        longest = max((text for row in texts for text in row), key=len, default="")
        for size in _SIZES:
            if painting.text_width(self.theme, longest, size) <= room:
                return size, texts

        def fits(text: str) -> bool:
            return painting.text_width(self.theme, text, size) <= room + _OVERLAP

        for i, row in enumerate(texts):
            for j, text in enumerate(row):
                if not fits(text):
                    row[j] = source.shortened(i, j, fits)
        return size, texts

    def _paint_numbers(self, painter: QPainter, source: HeatSource, selected: Place) -> None:
        theme, grid = self.theme, self.grid
        size, texts = self.number_texts()
        hatching, canvas = painting.hatch(theme), theme.color("canvas")
        for i, row in enumerate(texts):
            for j, text in enumerate(row):
                cell = grid.cell(i, j)
                fill, inside = source.fill(i, j), cell.adjusted(1, 1, -1, -1)
                if fill is None:
                    painter.fillRect(inside, canvas)
                painter.fillRect(inside, hatching if fill is None else fill)
                if text:
                    weight = 600 if (i, j) == selected else 400
                    draw_text(painter, theme, text, cell, source.ink(i, j), size, weight)
            if source.empty_row(i):
                self._paint_empty_row(painter, i)

    def _paint_empty_row(self, painter: QPainter, row: int) -> None:
        painting.draw_blind(painter, self.theme, self.grid.row(row))

    # --- a picture -------------------------------------------------------------------------------

    def _picture(self, source: HeatSource) -> None:
        frame = source.frame
        look = frame.look
        head = look.head, look.scaled, frame.averaged
        wanted = (frame.attention, *head, source.role, source.domain, self.theme)
        if wanted == self._pictured:
            return
        self._pictured = wanted
        self._image = source.image()

    def _paint_readout(self, painter: QPainter, source: HeatSource) -> None:
        """Paint the scale of the colours and the number that is pointed at.

        Where there is no room for both, the number alone.
        """
        theme, domain = self.theme, source.domain
        pad = theme.px(PADDING)
        line = QRectF(
            pad, self.grid.area.bottom() + 1, self.width() - 2 * pad, theme.px(READOUT) - 2
        )
        low, places = source.low, decimal_places(domain, most=2)
        scale = (display_number(low, places), display_number(domain, places))
        wide = theme.px(48 + 6 + 6 + 8)
        wide += round(sum(painting.text_width(theme, text, 13) for text in scale))
        told = self.readout(round(line.width()) - wide)
        alone = painting.text_width(theme, told, 13, 500) > line.width() - wide
        if not alone or source.frame.pointed is None:
            self._paint_scale(painter, source, line, scale)
        if not alone or source.frame.pointed is not None:
            draw_text(painter, theme, told, line, theme.color("ink2"), 13, 500, RIGHT)

    def _paint_scale(
        self, painter: QPainter, source: HeatSource, line: QRectF, scale: tuple[str, str]
    ) -> None:
        """Paint the colours between the least number and the largest."""
        theme, domain, low = self.theme, source.domain, source.low
        ink, pad, left = theme.color("ink3"), theme.px(PADDING), line.left()
        for text in (scale[0], None, scale[1]):
            if text is None:
                ramp = QRectF(left, line.center().y() - theme.px(4), theme.px(48), theme.px(8))
                gradient = QLinearGradient(ramp.topLeft(), ramp.topRight())
                for stop in range(9):
                    value = low + (domain - low) * stop / 8
                    gradient.setColorAt(stop / 8, source.colormap.fill(value, domain))
                painter.fillRect(ramp, gradient)
                left = ramp.right() + theme.px(6)
            else:
                draw_text(
                    painter, theme, text, line.adjusted(left - pad, 0, 0, 0), ink, 13, 400, LEFT
                )
                left += painting.text_width(theme, text, 13) + theme.px(6)

    def readout(self, width: int = 1000) -> str:
        """Return what is pointed at in a picture, "cat → cloud  −0.62", within a width in px."""
        source = self._source()
        thing: Selection | None = source.frame.pointed
        row, column = source.place(thing)
        if row is None or column is None:
            rows, columns = source.shape
            return ngettext("{rows} × {columns} number", "{rows} × {columns} numbers", rows).format(
                rows=rows, columns=columns
            )
        number = source.text(row, column) or _("masked")
        room = width - round(painting.text_width(self.theme, number, 13, 500)) - self.theme.px(8)
        names = painting.elided(self.theme, source.pair(row, column), 13, 500, max(room, 1))
        return f"{names}  {number}"

    # --- around the cells ------------------------------------------------------------------------

    def _paint_names(self, painter: QPainter, source: HeatSource, selected: Place) -> None:
        theme, grid = self.theme, self.grid
        if grid.name_width:
            for i, name in enumerate(source.row_names):
                colour = source.row_colours[i]
                bold = i == selected[0]
                where = grid.row_name(i)
                painting.draw_row_name(painter, theme, where, name, colour, bold, self._names_whole)
        if grid.header and source.spans:
            self._paint_spans(painter, source)
        elif grid.header:
            for j in range(grid.columns):
                name, dot = source.column_name(j), source.column_colour(j)
                where = grid.column_name(j)
                if dot is not None:
                    painting.draw_column_name(painter, theme, where, name, dot, j == selected[1])
                elif painting.text_width(theme, name, HEADING_SIZE) < where.width():
                    draw_text(painter, theme, name, where, theme.color("ink3"), HEADING_SIZE)

    def _paint_spans(self, painter: QPainter, source: HeatSource) -> None:
        """Paint captions over several columns, each on a line as long as these."""
        theme, grid = self.theme, self.grid
        for first, last, caption, short in source.spans:
            where = grid.column_name(first).united(grid.column_name(last)).adjusted(2, 0, -2, -5)
            fits = painting.text_width(theme, caption, HEADING_SIZE) <= where.width()
            text = caption if fits else short
            if painting.text_width(theme, text, HEADING_SIZE) <= where.width() + 4:
                draw_text(painter, theme, text, where, theme.color("ink3"), HEADING_SIZE)
            line = QRectF(where.left(), where.bottom() + 1, where.width(), 1)
            painter.fillRect(line, theme.color("line2"))

    def _paint_mark(self, painter: QPainter, place: Place, width: float) -> None:
        row, column = place
        if row is not None and column is not None:
            rect = self.grid.cell(row, column)
        elif row is not None:
            rect = self.grid.row(row)
        elif column is not None:
            rect = self.grid.column(column)
        else:
            return
        if not self.grid.numbers:  # a cell of a picture can be smaller than its outline
            grow = [
                max(0.0, (self.theme.px(5) - side) / 2) for side in (rect.width(), rect.height())
            ]
            rect = rect.adjusted(-grow[0], -grow[1], grow[0], grow[1])
        painting.draw_outline(painter, self.theme, rect, width, halo=not self.grid.numbers)

    def _source(self) -> HeatSource:
        source = self.source
        assert isinstance(source, HeatSource)
        return source
