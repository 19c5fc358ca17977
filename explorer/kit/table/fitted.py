"""A table that fits the panel's width: numbers on colours, or a picture where too many."""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.table import painting
from explorer.kit.table.heat_grid import (
    BELOW,
    LONGEST_SLANTING,
    NAMED_ROWS,
    READOUT,
    SLANTING,
    SLANTS_WITHIN,
    Grid,
    heat_grid,
    steepness,
)
from explorer.kit.table.listing import HEADING_SIZE
from explorer.kit.table.painting import COLUMN_SIZES, LEFT, PADDING, RIGHT, draw_text
from explorer.kit.table.sources import HeatSource, Place, Source
from explorer.kit.table.view import CellTable
from explorer.kit.theme import Theme
from explorer.session import Selection
from explorer.text import _, decimal_places, display_number, ngettext

_TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500)  # columns between two that are numbered
_SIZES = (15, 14, 13, 12, 11)  # of numbers; the largest that fits all is taken
_AIR = 5  # that are easily read beside a number, on either side
_APART = 15  # between slanting names
_DOTTED = 50  # px at 100 % of a row's name, from where on a dot stands before it
_OVERLAP = 4  # px by which a number may reach into the gaps beside its cell before it is shortened


class HeatTable(CellTable):
    """A table painted by itself into the width it has: numbers on colours, or a picture.

    Qt's view beneath is for the keyboard and for screen readers. Subclasses lay themselves out in
    `arrange` and paint otherwise.
    """

    def __init__(
        self, name: str, theme: Theme, formats: CopyFormats, parent: QWidget | None = None
    ) -> None:
        super().__init__(name, theme, formats, parent)
        self.compact = False
        self.grid = Grid(0, 0, 0, 0, 0, 0, 0, 0, numbers=True)
        self._arranged: object = None
        self._around: object = None
        self.names_whole = False  # whether every row's name has room
        self._image = QImage()
        self._pictured: object = None
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        for bar in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            bar(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def is_picture(self) -> bool:
        return not self.grid.numbers

    @property
    def is_easy(self) -> bool:
        """Whether numbers and names are as large as they may be, and whole."""
        if not (self.grid.numbers and self.names_whole):
            return False
        source = self._source()
        room = self.grid.width / max(self.grid.columns, 1)
        names = (source.column_name(column) for column in range(self.grid.columns))
        named = all(painting.column_name_width(self.theme, name) <= room for name in names)
        size, texts = self.number_texts()
        longest = max((text for row in texts for text in row), key=len, default="")
        air = room - painting.text_width(self.theme, longest, size)
        return named and size == _SIZES[0] and air >= 2 * self.theme.px(_AIR)

    # --- layout ----------------------------------------------------------------------------------

    def prepare(self, source: Source) -> None:
        self.rearrange()

    @property
    def numbers_picture(self) -> QImage:
        """The numbers as a picture, made when it is painted: on the way there are other sizes."""
        source, most = self.source, painting.pixels(self, self.grid.area)
        assert source is not None
        wanted = source.pictured, self.theme, most
        if wanted != self._pictured:
            self._pictured = wanted
            self._image = source.image(most)
        return self._image

    def rearrange(self) -> None:
        """Lay the table out where anything that it depends on has changed."""
        source = self.source
        if source is None:
            return
        tokens = source.row_names, source.frame.scene.key_tokens
        wanted = (self.width(), self.theme, self.compact, source.shape, tokens, self.layout_key())
        if wanted != self._arranged:
            self._arranged = wanted
            self.setFixedHeight(self.arrange())

    def arrange(self) -> int:
        """Lay the table out for its source, width and theme; return its height in px."""
        source = self._source()
        rows, columns = source.shape
        names = self.name_width() if rows <= NAMED_ROWS else 0.0
        headed, above = bool(source.spans), self._longest_column_name()
        self.grid = heat_grid(
            self.theme, self.width(), rows, columns, names, self.compact, headed, above
        )
        self.names_whole = self.grid.name_width >= names
        below = BELOW if self.grid.numbers else READOUT
        return round(self.grid.top + self.grid.height) + self.theme.px(below)

    def layout_key(self) -> object:
        """Return what the layout depends on besides size, theme and names."""
        return self._source().spans

    def repaint_for(self, source: Source) -> None:
        """Have no name painted where none can have changed, as while dragging."""
        frame = source.frame
        pointed = frame.selection, frame.hover
        around = self._arranged, source.colours, pointed, source.shape
        self.viewport().update(self.changing() if around == self._around else QRegion(self.rect()))
        self._around = around

    def changing(self) -> QRegion:
        """Return what numbers can change, in whole pixels, without the names around it."""
        cells = self.grid.area.toAlignedRect()
        below = QRect(0, cells.bottom() + 1, self.width(), self.height())
        return QRegion(cells) if self.grid.numbers else QRegion(cells).united(below)

    def set_compact(self, compact: bool) -> None:
        """Use lower rows or not."""
        self.compact = compact
        self.rearrange()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.source is not None:
            self.prepare(self.source)

    def name_width(self) -> float:
        """Return the width of the longest row name with its dot, in px."""
        if self.source is None:
            return 0.0
        longest = painting.widest_name(self.theme, tuple(self.source.row_names), 14)
        return longest + self.theme.px(painting.DOT + painting.DOT_GAP + 2 + 7)

    def _longest_column_name(self) -> float:
        """Return the width of the longest token above the columns in small type, in px."""
        source = self._source()
        columns = source.shape[1]
        if not columns or source.spans or source.column_colour(columns - 1) is None:
            return 0.0
        names = tuple(source.column_name(column) for column in range(columns))
        return painting.widest_name(self.theme, names, COLUMN_SIZES[-1])

    # --- as Qt's view ----------------------------------------------------------------------------

    def hit(self, point: QPoint) -> Place | None:
        return self.grid.at(point.x(), point.y())

    def indexAt(self, point: QPoint) -> QModelIndex:
        place = self.hit(point)
        if place is None or place[0] is None or place[1] is None:
            return QModelIndex()
        return self.cells.index(place[0], place[1])

    def visualRect(self, index: QModelIndex | QPersistentModelIndex) -> QRect:
        if not index.isValid():
            return QRect()
        return self.cell_rect(index.row(), index.column()).toAlignedRect()

    def cell_rect(self, row: int, column: int) -> QRectF:
        """Return where a cell is painted."""
        return self.grid.cell(row, column)

    def scrollTo(
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Do nothing: the whole table is always in view, the panel around it scrolls."""

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), self.theme.color("win"))
            if self.source is not None:
                self.paint(painter, event.region())

    def paint(self, painter: QPainter, region: QRegion) -> None:
        """Paint the table, at least within a region."""
        source, grid = self._source(), self.grid
        painter.fillRect(grid.area, self.theme.color(source.ground))
        selected = source.place(source.frame.selection)
        if grid.numbers:
            size, texts = self.number_texts()
            rows, columns = range(grid.rows), range(grid.columns)
            self.paint_cells(painter, rows, columns, lambda i, j: texts[i][j], size)
        else:
            painter.fillRect(grid.area, painting.hatch(self.theme))
            painter.drawImage(grid.area, self.numbers_picture)
            self._paint_readout(painter, source)
        if not region.subtracted(self.changing()).isEmpty():
            self._paint_row_names(painter, source, selected[0])
            self._paint_column_names(painter, source, selected[1])
        self.paint_marks(painter)
        self.draw_focus(painter, grid.area)

    def mark_rect(self, row: int | None, column: int | None) -> QRectF | None:
        if row is None:
            return None if column is None else self.grid.column(column)
        return self.grid.row(row) if column is None else self.grid.cell(row, column)

    def draw_focus(self, painter: QPainter, area: QRectF) -> None:
        """Draw the ring of the keyboard's focus around the cells."""
        gap, whole = self.theme.px(3) + 1, QRectF(self.viewport().rect())
        around = area.adjusted(-gap, -gap, gap, gap).intersected(whole)
        painting.draw_ring(painter, self.theme, self, around)

    # --- numbers ---------------------------------------------------------------------------------

    @property
    def shortens(self) -> bool:
        """Whether a number has fewer decimals here than its source gives it."""
        source = self._source()
        return any(
            text != source.text(i, j)
            for i, row in enumerate(self.number_texts()[1])
            for j, text in enumerate(row)
        )

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

        # Before an audience the cell's outline is wide, and would stand upon the digits.
        overlap = _OVERLAP if self.theme.least == 1 else 0

        def fits(text: str) -> bool:
            return painting.text_width(self.theme, text, size) <= room + overlap

        return size, [source.row_texts(row, fits) for row in range(grid.rows)]

    # --- a picture -------------------------------------------------------------------------------

    def _paint_readout(self, painter: QPainter, source: HeatSource) -> None:
        """Paint the scale of the colours and the number that is pointed at.

        Where there is no room for both, the number alone.
        """
        theme, domain = self.theme, source.domain
        pad = theme.px(PADDING)
        line = QRectF(
            pad, self.grid.area.bottom() + 1, self.width() - 2 * pad, theme.px(READOUT) - 2
        )
        low, places = source.low, decimal_places(domain, most=6)
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
        theme = self.theme
        ink, pad, left = theme.color("ink3"), theme.px(PADDING), line.left()
        for text in (scale[0], None, scale[1]):
            if text is None:
                ramp = QRectF(left, line.center().y() - theme.px(4), theme.px(48), theme.px(8))
                painting.draw_ramp(painter, ramp, source.colormap)
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

    def _paint_row_names(self, painter: QPainter, source: Source, bold: int | None) -> None:
        grid = self.grid
        bare = not self.names_whole and grid.name_width < self.theme.px(_DOTTED)
        for i, name in enumerate(source.row_names if grid.name_width else ()):
            look = name, source.row_colours[i], i == bold, self.names_whole, bare
            painting.draw_row_name(painter, self.theme, grid.row_name(i), *look)

    def _paint_column_names(self, painter: QPainter, source: Source, bold: int | None) -> None:
        theme, grid = self.theme, self.grid
        if source.spans and grid.header:
            self._paint_spans(painter, source)
            return
        if grid.tilted:
            self._paint_tilted_names(painter, source, bold)
            return
        for j in range(grid.columns if grid.header else 0):
            name, dot, where = source.column_name(j), source.column_colour(j), grid.column_name(j)
            if dot is not None:
                painting.draw_column_name(painter, theme, where, name, dot, j == bold)
            elif painting.text_width(theme, name, HEADING_SIZE) < where.width():
                draw_text(painter, theme, name, where, theme.color("ink3"), HEADING_SIZE)

    def _paint_tilted_names(self, painter: QPainter, source: Source, bold: int | None) -> None:
        """Paint the names of columns, slanting.

        Where these are too narrow, those of coloured and pointed ones and numbers of some others.
        """
        theme, grid = self.theme, self.grid
        hovered = source.place(source.frame.hover)[1]
        colours = source.colours[1]
        named = [j for j in (hovered, bold) if j is not None]
        named += [j for j, colour in enumerate(colours) if not theme.is_neutral(colour)]
        apart, taken = theme.px(_APART), list[float]()
        # A scroll bar may cover what is beyond.
        end = grid.left + grid.width + theme.px(SLANTS_WITHIN)
        least = 0.0
        all_named = grid.width >= apart * grid.columns
        if all_named:  # as steep as the steepest of them, lest one run into another
            named += range(grid.columns)
            least = max(self._slant(source, j, end) for j in range(grid.columns))
        for j in dict.fromkeys(named):
            x, colour = grid.column_name(j).center().x(), colours[j]
            if any(abs(x - other) < apart for other in taken):
                continue
            taken.append(x)
            y = grid.top - theme.px(6)
            painting.draw_dot(painter, theme, QPointF(x, y), replace(colour, square=True), 7)
            strong = j in (bold, hovered)
            ink = theme.color("ink1") if strong else QColor(colour.ink)
            name, wide = self._slanting_name(source, j)
            start = end - wide
            beside = not all_named and all(other < start - apart for other in taken[:-1])
            if beside and x + wide * 0.71 + theme.px(6) > end:  # it would be cut off
                line = QRectF(start, y - theme.px(24), wide, theme.px(16))
                draw_text(painter, theme, name, line, ink, 12, 600, LEFT)
                taken.append(start)
                continue
            painter.save()
            painter.translate(x - theme.px(1), y - theme.px(6))
            # The last ones stand steeper rather than lose letters, which may make another name.
            steep = max(least, self._slant(source, j, end))
            painter.rotate(-math.degrees(steep))
            room = min(round(wide), round((y - theme.px(8)) / math.sin(steep)))
            name = painting.elided(theme, name, SLANTING, 600, room)
            line = QRectF(0, -theme.px(8), theme.px(80), theme.px(16))
            draw_text(painter, theme, name, line, ink, 12, 600, LEFT)
            painter.restore()
        wide = painting.text_width(theme, str(grid.columns), 12) + theme.px(6)
        step = next((n for n in _TICKS if n * grid.width / grid.columns >= wide), _TICKS[-1])
        for j in range(step - 1, grid.columns, step):
            x = grid.column_name(j).center().x()
            if all(abs(x - other) >= wide for other in taken):
                line = QRectF(x - wide / 2, grid.top - theme.px(16), wide, theme.px(14))
                draw_text(painter, theme, str(j + 1), line, theme.color("ink3"), 12)

    def _slanting_name(self, source: Source, column: int) -> tuple[str, float]:
        """Return a column's name as it is written slanting, and how long it is in px."""
        theme = self.theme
        most = theme.px(LONGEST_SLANTING)
        name = painting.elided(theme, source.column_name(column), SLANTING, 600, most)
        return name, painting.text_width(theme, name, SLANTING, 600) + theme.px(2)

    def _slant(self, source: Source, column: int, end: float) -> float:
        """Return the angle from which on a column's name ends before a place, in radians."""
        room = end - self.grid.column_name(column).center().x()
        return steepness(self._slanting_name(source, column)[1], room)

    def _paint_spans(self, painter: QPainter, source: Source) -> None:
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

    def _source(self) -> HeatSource:
        source = self.source
        assert isinstance(source, HeatSource)
        return source
