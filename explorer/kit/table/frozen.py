"""A matrix of the scene as a table: its numbers, and what of it is pointed at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np
from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from explorer.kit.copying import NO_FORMATS, CopyFormats
from explorer.kit.table.model import Index
from explorer.kit.table.numbers import NUMBER_SIZE, NumberEditor, Numbers, number_text
from explorer.kit.table.painting import (
    NAME_SIZE,
    RIGHT,
    draw_box,
    draw_frame,
    draw_row_name,
    draw_text,
    elided,
    text_width,
)
from explorer.kit.table.view import TableView
from explorer.kit.theme import Theme, TokenColour
from explorer.session import ROLE_OF_MATRIX, Array, Cell, Invalid, Matrix, Role, Selection
from explorer.text import displayable

MOST_ROWS = 12  # a higher table scrolls inside
# Widths of a column, px at 100 %: for short numbers, for any, where others are a scroll away, and
# with air beside any.
_LEAST, _NARROWEST, _COMFORTABLE, _ROOMY = 34, 48, 58, 72
_SHORT, _USUAL = 5, 6  # letters of a number, as in −0.83 and −0.825
_NUMBER_GAP = 2  # between a number and its column's lines
_HINT = QAbstractItemView.ScrollHint.EnsureVisible


@dataclass
class Pointing:
    """Which rows and cells of a table are marked; columns count as in the model.

    Parameters
    ----------
    selected_row, hovered_row : int or None
        Token rows that are lit.
    selected, hovered, focused : (row, column) or None
        Single cells.
    """

    selected_row: int | None = None
    hovered_row: int | None = None
    selected: tuple[int, int] | None = None
    hovered: tuple[int, int] | None = None
    focused: tuple[int, int] | None = None

    def rows(self) -> set[int]:
        """Return every row that has a mark."""
        cells = (self.selected, self.hovered, self.focused)
        rows = (self.selected_row, self.hovered_row, *(cell and cell[0] for cell in cells))
        return {row for row in rows if row is not None}


_OF_TOKENS = (Matrix.X, Matrix.CONTEXT, Matrix.V)


class NumberTable(TableView):
    """Shows one matrix in a rounded border, as wide as there is room and as high as it needs.

    Columns share the width equally; where they would be too narrow for their numbers they scroll
    beside the names. See `NumberGrid` for the parameters and for what can be done with it.
    """

    delegate: NumberEditor
    delegate_kind = NumberEditor
    # Defaults of the class, because Qt makes a cell current while the table is being built.
    pointing = Pointing()
    block = QRect()  # columns and rows selected together, where there are several
    _head = 0
    _crossed = False
    _drawing = False
    _dragged = False
    _selection: Selection | None = None
    _hover: Selection | None = None
    _hangs_on_numbers = False  # whether they decide about the columns
    _air = 0  # px kept free at the right of narrow columns

    def __init__(
        self,
        matrix: Matrix,
        title: str,
        theme: Theme,
        formats: CopyFormats = NO_FORMATS,
        *,
        named: bool = False,
        editable: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        of_tokens = matrix in _OF_TOKENS and editable
        numbers = Numbers(title, named, editable, of_tokens)
        super().__init__(title, theme, formats, parent, numbers)
        self.matrix = matrix
        # Of rows that are not the scene's own, the sums are what can be pointed at.
        self.role = ROLE_OF_MATRIX[matrix] if editable else Role.P
        self.of_context = matrix in (Matrix.CONTEXT, Matrix.V)  # whose tokens are keys
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(
            triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed
        )
        self.setWordWrap(False)
        for set_mode in (self.setHorizontalScrollMode, self.setVerticalScrollMode):
            set_mode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.hide()
            header.setMinimumSectionSize(1)
        self.retheme(theme)

    @property
    def numbers(self) -> Numbers:
        """What is shown."""
        numbers = self.cells.source
        assert isinstance(numbers, Numbers)
        return numbers

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self.theme = theme
        self._metrics = QFontMetricsF(theme.font(NUMBER_SIZE))
        self._usual_width = ceil(self._metrics.horizontalAdvance("\u22120.000"))
        self.verticalHeader().setDefaultSectionSize(theme.px(30))
        self.fit()
        self.viewport().update()

    def fit(self) -> None:
        """Divide the width among the columns, or scroll; set the height that the rows need."""
        rows, columns = self.numbers.values.shape
        if rows == 0 or columns == 0:
            return
        px = self.theme.px
        bar, high = px(8), rows > MOST_ROWS
        room = self.width() - (bar if high else 0)
        names = self._names_width(room, columns) if self.numbers.named else 0
        share = (room - names) // columns
        wide = share < px(_NARROWEST)
        tight = min(names, px(64), self._longest_name()) if wide and names else names
        closer = (room - tight) // columns
        self._air = 0
        # Only where neither is plain do the numbers themselves decide, and are looked at.
        self._hangs_on_numbers = px(_LEAST) <= closer and share < px(_ROOMY)
        if self._hangs_on_numbers and self._numbers_width(_SHORT) <= closer:
            names, wide = tight, False
            self._air = max(0, closer - self._numbers_width(_USUAL)) // 2
        share, left_over = divmod(room - names, columns)
        if wide:  # whole columns fill the room; the others are a scroll away
            share = (room - names) // max(1, (room - names) // px(_COMFORTABLE))
        on, off = Qt.ScrollBarPolicy.ScrollBarAlwaysOn, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(on if wide else off)
        self.setVerticalScrollBarPolicy(on if high else off)
        height = px(30) * min(rows, MOST_ROWS) + (bar if wide else 0)
        if (self.minimumHeight(), self.maximumHeight()) != (height, height):
            self.setFixedHeight(height)
        if names:
            self.setColumnWidth(0, names)
        for column in range(columns):
            extra = 0 if wide else int(column < left_over)
            self.setColumnWidth(column + self.numbers.first, share + extra)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Divide the new width among the columns."""
        super().resizeEvent(event)
        self.fit()

    def refit(self) -> None:
        """Fit to other numbers where they decide how wide columns are."""
        if self._hangs_on_numbers:
            self.fit()

    def _longest_name(self) -> int:
        return max(map(self._name_width, self.numbers.names), default=0)

    def _names_width(self, room: int, columns: int) -> int:
        """Return the width of the column of names: what the longest needs, within limits."""
        px = self.theme.px
        needed = self._longest_name()
        scrolls = room - columns * px(_NARROWEST) < px(64)
        left = px(104) if scrolls else room - columns * px(_NARROWEST if columns > 2 else 58)
        least = px(96 if columns <= 2 else 64)
        return max(least, min(needed, max(px(64), min(left, px(128)))))

    def _name_width(self, name: str) -> int:
        """Return how wide the column of names must be to show a name in full."""
        text = text_width(self.theme, displayable(name), NAME_SIZE, 600)
        return ceil(text) + self.name_start() + self.theme.px(6)

    def _numbers_width(self, letters: int) -> int:
        """Return how wide columns must be to show numbers in so many letters, or all they have."""
        numbers = np.unique(self.numbers.values).tolist()
        texts = {number_text(value, lambda text: len(text) <= letters) for value in numbers}
        widest = max(map(self._metrics.horizontalAdvance, texts), default=0)
        return ceil(widest) + 2 * self.theme.px(_NUMBER_GAP)

    def name_start(self) -> int:
        """Return where names begin: nearer to the edge where many numbers want the room."""
        return self.theme.px(31 if self.numbers.shape[1] <= 3 else 23)

    def number_rect(self, cell: QRect) -> QRect:
        """Return where in a cell its number stands, at the right."""
        px = self.theme.px
        gap = px(_NUMBER_GAP)
        # The usual number comes first, then air.
        pad = min(px(13), max(gap + self._air, cell.width() - px(5) - self._usual_width))
        return cell.adjusted(gap, 0, -pad, 0)

    def _fitting(self, row: int, column: int, room: int) -> str:
        """Return what is painted of a number in so many px."""
        wrong = self.numbers.invalid_at(row, column)
        if wrong is not None:
            return elided(self.theme, wrong.text, NUMBER_SIZE, 400, room)
        advance = self._metrics.horizontalAdvance
        value = float(self.numbers.values[row, column - self.numbers.first])
        return number_text(value, lambda text: advance(text) <= room)

    def is_whole(self, index: Index) -> bool:
        """Return whether a cell shows its full text and every digit."""
        row, column, rect = index.row(), index.column(), self.visualRect(index)
        if self.numbers.is_name(column):
            return self._name_width(self.numbers.names[row]) <= rect.width()
        shown = self._fitting(row, column, self.number_rect(rect).width())
        return shown == index.data(Qt.ItemDataRole.EditRole)

    # --- the column that stands still ------------------------------------------------------------

    def frozen_width(self) -> int:
        """Return the width at the left that does not scroll, in px."""
        return self.columnWidth(0) if self.numbers.named else 0

    def indexAt(self, point: QPoint) -> QModelIndex:
        """Return the cell under a point of the viewport."""
        if 0 <= point.x() < self.frozen_width():
            row = self.rowAt(point.y())
            return self.cells.index(row, 0) if row >= 0 else QModelIndex()
        return super().indexAt(point)

    def visualRect(self, index: Index) -> QRect:
        """Return where a cell is painted."""
        rect = super().visualRect(index)
        if index.isValid() and self.numbers.is_name(index.column()):
            rect.moveLeft(0)
        return rect

    def scrollTo(self, index: Index, hint: QAbstractItemView.ScrollHint = _HINT) -> None:
        """Scroll until a cell is seen, beside the names and not below them."""
        bar = self.horizontalScrollBar()
        before = bar.value()
        super().scrollTo(index, hint)
        if self.numbers.is_name(index.column()):
            bar.setValue(before)
            return
        hidden = self.frozen_width() - self.visualRect(index).left()
        if hidden > 0:
            bar.setValue(bar.value() - hidden)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Scroll; all is painted anew, since names and border stand still."""
        super().scrollContentsBy(dx, dy)
        self.viewport().update()

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cells, the names over those that scroll below them, and the rounded border."""
        numbers, frozen = self.numbers, self.frozen_width()
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), self.theme.color("win"))
            rows = self.visible_rows(event.rect())
            for column in (*self.visible_columns(), 0):
                for row in rows:
                    self._paint_cell(painter, row, column)
            whole = QRectF(self.viewport().rect())
            inside, corners = QPainterPath(), QPainterPath()
            radius = self.theme.px(6)
            inside.addRoundedRect(whole.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
            corners.addRect(whole)
            corners.addPath(inside)  # odd-even: what lies outside the rounded border
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillPath(corners, self.theme.color("win"))
            painter.strokePath(inside, QPen(self.theme.color("ctl"), 1))
            # Marks on edge cells stay whole on top of the border.
            wrong = {(row, column + numbers.first) for row, column in numbers.invalid}
            for at in ({self.pointing.selected, self.pointing.focused} - {None}) | wrong:
                assert at is not None
                rect = self.cell_rect(*at).adjusted(1, 1, -1, -1)
                if at[1] < numbers.first or rect.left() > frozen:
                    self._paint_mark(painter, rect, at, at in wrong)

    def _paint_cell(self, painter: QPainter, row: int, column: int) -> None:
        """Paint one cell with its right and lower line."""
        numbers, pointing, theme = self.numbers, self.pointing, self.theme
        rect = self.visualRect(self.cells.index(row, column))
        lit = row in (pointing.selected_row, pointing.hovered_row)
        lit |= (row, column) == pointing.hovered
        ground = "line" if self.block.contains(column, row) else "hover" if lit else "raised"
        painter.fillRect(rect, theme.color(ground))
        if column < numbers.shape[1] - 1:
            painter.fillRect(rect.right(), rect.top(), 1, rect.height(), theme.color("line"))
        if row < numbers.shape[0] - 1:
            painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color("line"))
        rect.setBottom(rect.bottom() - 1)  # what stands in the cell is centred above its line
        if numbers.is_name(column):
            bold = row == pointing.selected_row
            name = QRectF(rect).adjusted(self.name_start() - theme.px(19), 0, -theme.px(2), 0)
            draw_row_name(
                painter, theme, name, numbers.names[row], numbers.colours[row], bold, True
            )
            return
        inside, size = self.number_rect(rect), float(NUMBER_SIZE)
        text = self._fitting(row, column, inside.width())
        wide = text_width(theme, text, size)
        if wide > inside.width() + 1:
            size *= inside.width() / wide
        draw_text(painter, theme, text, QRectF(inside), theme.color("ink1"), size, align=RIGHT)

    def _paint_mark(
        self, painter: QPainter, rect: QRectF, at: tuple[int, int], wrong: bool
    ) -> None:
        """Outline a cell: in the error colour where it is invalid, then with a line inside."""
        edge = self.theme.color("err" if wrong else "ink1")
        draw_box(painter, rect, 2, edge=edge, width=2)
        if wrong and at in (self.pointing.selected, self.pointing.focused):
            draw_frame(painter, rect.adjusted(2, 2, -2, -2), self.theme.color("ink1"))

    def show_numbers(
        self,
        values: Array,
        names: Sequence[str] = (),
        colours: Sequence[TokenColour] = (),
        invalid: Mapping[tuple[int, int], Invalid] | None = None,
        *,
        head: int = 0,
        dragged: bool = False,
    ) -> None:
        """Show numbers, shape (rows, columns), of one head; emits nothing.

        While a token is `dragged` the columns stay as they are.
        """
        self._head = head
        renumbered = values is not self.numbers.values
        resized = values.shape != self.numbers.values.shape
        renamed = names is not self.numbers.names
        row, column = self.currentIndex().row(), self.currentIndex().column()
        self._drawing = True
        shown = replace(self.numbers, values=values, names=names, colours=colours)
        self.cells.show(replace(shown, invalid={} if invalid is None else invalid))
        if resized or renamed:
            self.fit()
        elif (renumbered or self._dragged) and not dragged:
            self.refit()
        self._dragged = dragged
        if resized and row >= 0:
            row = min(row, self.cells.rowCount() - 1)
            column = min(column, self.cells.columnCount() - 1)
            self.setCurrentIndex(self.cells.index(row, column))
        self._drawing = False

    def show_pointing(
        self, selection: Selection | None, hover: Selection | None, *, crossed: bool = False
    ) -> None:
        """Mark what is selected and hovered anywhere in the window; emits nothing.

        `crossed` says that keys are tokens of a context, not of X.
        """
        self._crossed = crossed
        moved = selection != self._selection
        self._selection, self._hover = selection, hover
        cell = self._cell_of(selection)
        if moved and cell is not None and cell != self._place(self.currentIndex()):
            self._drawing = True
            self.setCurrentIndex(self.cells.index(*cell))
            self._drawing = False
        self._mark()

    def edit_name(self, row: int) -> None:
        """Open the editor on a token's name, with all of it selected; emits nothing."""
        index = self.cells.index(row, 0)
        self._drawing = True
        self.updateGeometries()  # scrolling knows of a row just added only later
        self.setCurrentIndex(index)
        self._drawing = False
        self.edit(index)

    def _mark(self) -> None:
        """Repaint the rows where what is marked changed."""
        before = self.pointing
        focused = self._place(self.currentIndex()) if self.hasFocus() else None
        after = Pointing(
            self._row_of(self._selection),
            self._row_of(self._hover),
            self._cell_of(self._selection),
            self._cell_of(self._hover),
            focused,
        )
        if after == before:
            return
        self.pointing = after
        for row in before.rows() | after.rows():
            top, height = self.rowViewportPosition(row), self.rowHeight(row)
            self.viewport().update(0, top, self.viewport().width(), height)

    def _row_of(self, selection: Selection | None) -> int | None:
        """Return the row of the token that a selection is about."""
        if selection is None or selection.in_weights or not self.numbers.named:
            return None
        if self.of_context:
            return selection.key
        row = selection.query
        return selection.key if row is None and not self._crossed else row

    def _cell_of(self, selection: Selection | None) -> tuple[int, int] | None:
        """Return the cell of this table that a selection names, in columns of the model."""
        if selection is None or selection.role is not self.role:
            return None
        row = selection.key if self.of_context else selection.query
        if row is None or selection.column is None:
            return None
        column = selection.column + self.numbers.first
        inside = row < self.cells.rowCount() and column < self.cells.columnCount()
        return (row, column) if inside else None

    @staticmethod
    def _place(index: Index) -> tuple[int, int] | None:
        return (index.row(), index.column()) if index.isValid() else None

    def _selection_at(self, index: Index) -> Selection:
        """Return what a cell is as a thing to select."""
        row, place = self.numbers.place(index)
        column = place if place >= 0 else None
        if self.of_context:
            return Selection(self.role, key=row, column=column)
        return Selection(self.role, query=row, column=column)

    def _cell_at(self, index: Index) -> Cell:
        """Return the address of a cell; a name stands for the first number of its row."""
        row, column = self.numbers.place(index)
        return Cell(self.matrix, row, max(column, 0), self._head)

    def _block(self) -> QRect:
        """Return the selected columns and rows of the model as a rectangle."""
        block = QRect()
        for part in self.selectionModel().selection().toList():
            size = (part.width(), part.height())
            block = block.united(QRect(part.left(), part.top(), *size))
        return block

    def _block_values(self, block: QRect) -> Array:
        first = self.numbers.first
        columns = slice(max(block.left() - first, 0), block.right() - first + 1)
        return self.numbers.values[block.top() : block.bottom() + 1, columns]
