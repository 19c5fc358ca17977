"""A matrix of the scene as a table: its numbers, and what of it is pointed at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from explorer.kit.copying import NO_FORMATS, CopyFormats
from explorer.kit.table.model import Index
from explorer.kit.table.numbers import NumberDelegate, Numbers, Pointing
from explorer.kit.table.view import TableView
from explorer.kit.theme import Theme, TokenColour
from explorer.session import ROLE_OF_MATRIX, Array, Cell, Invalid, Matrix, Role, Selection

MOST_ROWS = 12  # a higher table scrolls inside
# Widths of a column, px at 100 %: for short numbers, for any, where others are a scroll away, and
# with air beside any.
_LEAST, _NARROWEST, _COMFORTABLE, _ROOMY = 34, 48, 58, 72
_SHORT, _USUAL = 5, 6  # letters of a number, as in −0.83 and −0.825
_HINT = QAbstractItemView.ScrollHint.EnsureVisible


class FrozenTable(TableView):
    """Shows `Numbers` in a rounded border, as wide as there is room and as high as it needs.

    Columns share the width equally; where they would be too narrow for their numbers they scroll
    beside the names.
    """

    delegate: NumberDelegate
    delegate_kind = NumberDelegate

    def __init__(
        self,
        numbers: Numbers,
        theme: Theme,
        formats: CopyFormats,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(numbers.title, theme, formats, parent, numbers)
        self._hangs_on_numbers = False  # whether they decide about the columns
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
        self.delegate.retheme(theme)
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
        self.delegate.air = 0
        # Only where neither is plain do the numbers themselves decide, and are looked at.
        self._hangs_on_numbers = px(_LEAST) <= closer and share < px(_ROOMY)
        if self._hangs_on_numbers and self.delegate.numbers_width(_SHORT) <= closer:
            names, wide = tight, False
            self.delegate.air = max(0, closer - self.delegate.numbers_width(_USUAL)) // 2
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
        return max(map(self.delegate.name_width, self.numbers.names), default=0)

    def _names_width(self, room: int, columns: int) -> int:
        """Return the width of the column of names: what the longest needs, within limits."""
        px = self.theme.px
        needed = self._longest_name()
        scrolls = room - columns * px(_NARROWEST) < px(64)
        left = px(104) if scrolls else room - columns * px(_NARROWEST if columns > 2 else 58)
        least = px(96 if columns <= 2 else 64)
        return max(least, min(needed, max(px(64), min(left, px(128)))))

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
        """Paint the cells, over them the names where scrolled, and the rounded border."""
        with QPainter(self.viewport()) as ground:
            ground.fillRect(event.rect(), self.theme.color("win"))
        super().paintEvent(event)
        with QPainter(self.viewport()) as painter:
            if self.numbers.named and self.horizontalScrollBar().value() > 0:
                self._paint_names(painter, event.rect())
            whole = QRectF(self.viewport().rect())
            inside, corners = QPainterPath(), QPainterPath()
            radius = self.theme.px(6)
            inside.addRoundedRect(whole.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
            corners.addRect(whole)
            corners.addPath(inside)  # odd-even: what lies outside the rounded border
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillPath(corners, self.theme.color("win"))
            painter.setPen(QPen(self.theme.color("ctl"), 1))
            painter.drawPath(inside)
            # Marks on edge cells stay whole on top of the border.
            for row, column in self.delegate.marked():
                rect = self.visualRect(self.cells.index(row, column))
                if column < self.numbers.first or rect.left() >= self.frozen_width():
                    self.delegate.paint_mark(painter, rect, row, column)

    def _paint_names(self, painter: QPainter, area: QRect) -> None:
        for row in range(max(0, self.rowAt(area.top())), self.cells.rowCount()):
            rect = self.visualRect(self.cells.index(row, 0))
            if rect.top() > area.bottom():
                break
            self.delegate.paint_cell(painter, rect, row, 0)


_OF_TOKENS = (Matrix.X, Matrix.CONTEXT, Matrix.V)


class NumberTable(FrozenTable):
    """Draws one matrix. See `NumberGrid` for the parameters and for what can be done with it."""

    # Defaults of the class, because Qt makes a cell current while the table is being built.
    _head = 0
    _crossed = False
    _drawing = False
    _dragged = False
    _selection: Selection | None = None
    _hover: Selection | None = None

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
        super().__init__(
            Numbers(title, named, editable, of_tokens=matrix in _OF_TOKENS and editable),
            theme,
            formats,
            parent,
        )
        self.matrix = matrix
        # Of rows that are not the scene's own, the sums are what can be pointed at.
        self.role = ROLE_OF_MATRIX[matrix] if editable else Role.P
        self.of_context = matrix in (Matrix.CONTEXT, Matrix.V)  # whose tokens are keys

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
        """Give the delegate what is marked, and repaint the rows where that changed."""
        before = self.delegate.pointing
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
        self.delegate.pointing = after
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
