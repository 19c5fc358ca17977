"""A matrix of the scene as a table: its numbers, and what of it is pointed at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from explorer.kit.table.cells import Pointing
from explorer.kit.table.frozen import FrozenTable
from explorer.kit.table.model import Index, NumberModel
from explorer.kit.theme import Theme, TokenColour
from explorer.session import ROLE_OF_MATRIX, Array, Cell, Invalid, Matrix, Role, Selection

_OF_TOKENS = (Matrix.X, Matrix.CONTEXT)


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
        *,
        named: bool,
        editable: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(
            NumberModel(title, named, editable=editable, of_tokens=matrix in _OF_TOKENS),
            theme,
            parent,
        )
        self.matrix = matrix
        # Of rows that are not the scene's own, the sums are what can be pointed at.
        self.role = ROLE_OF_MATRIX[matrix] if editable else Role.P
        self.of_context = matrix is Matrix.CONTEXT  # whose tokens are keys
        self.setAccessibleName(title)

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
        self.numbers.show(values, names, colours, invalid)
        if resized or renamed:
            self.fit()
        elif (renumbered or self._dragged) and not dragged:
            self.refit()
        self._dragged = dragged
        if resized and row >= 0:
            row = min(row, self.numbers.rowCount() - 1)
            column = min(column, self.numbers.columnCount() - 1)
            self.setCurrentIndex(self.numbers.index(row, column))
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
            self.setCurrentIndex(self.numbers.index(*cell))
            self._drawing = False
        self._mark()

    def edit_name(self, row: int) -> None:
        """Open the editor on a token's name, with all of it selected; emits nothing."""
        index = self.numbers.index(row, 0)
        self._drawing = True
        self.updateGeometries()  # scrolling knows of a row just added only later
        self.setCurrentIndex(index)
        self._drawing = False
        self.edit(index)

    def _mark(self) -> None:
        """Give the delegate what is marked, and repaint the rows where that changed."""
        before = self.cells.pointing
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
        self.cells.pointing = after
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
        inside = row < self.numbers.rowCount() and column < self.numbers.columnCount()
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
