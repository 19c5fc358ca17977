"""The numbers of one editable table, with a first column of token names where it has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from explorer.kit.theme import TokenColour
from explorer.session import Array, Invalid
from explorer.text import _, decimal_places, display_number, displayable, full_number

Index = QModelIndex | QPersistentModelIndex
MOST_DECIMALS = 4

_NO_INDEX = QModelIndex()


class NumberModel(QAbstractTableModel):
    """A table of numbers as Qt's item views read it. It shows values; it never changes them.

    Parameters
    ----------
    title : str
        What accessible names begin with, such as "X".
    named : bool
        Whether the first column holds token names; numbers then start at column 1.
    editable : bool
    of_tokens : bool
        Whether rows belong to tokens, so that names can be edited as numbers are.
    """

    def __init__(
        self, title: str, named: bool, editable: bool = True, of_tokens: bool = True
    ) -> None:
        super().__init__()
        self.title = title
        self.named = named
        self.editable = editable
        self.of_tokens = of_tokens and editable
        self.values: Array = np.zeros((0, 0))
        self.names: Sequence[str] = ()
        self.colours: Sequence[TokenColour] = ()
        self.invalid: Mapping[tuple[int, int], Invalid] = {}

    @property
    def first(self) -> int:
        """The column of the model where the numbers start."""
        return 1 if self.named else 0

    def show(
        self,
        values: Array,
        names: Sequence[str] = (),
        colours: Sequence[TokenColour] = (),
        invalid: Mapping[tuple[int, int], Invalid] | None = None,
    ) -> None:
        """Show other numbers; tells the view only which rows differ.

        Parameters
        ----------
        values : ndarray, shape (rows, columns)
        names, colours : sequences of length rows
            Only where the table is `named`.
        invalid : mapping of (row, column) to Invalid
        """
        invalid = {} if invalid is None else invalid
        if values.shape != self.values.shape:
            self.beginResetModel()
            self.values, self.names, self.colours = values, names, colours
            self.invalid = invalid
            self.endResetModel()
            return
        rows = self._changed_rows(values, names, colours, invalid)
        self.values, self.names, self.colours, self.invalid = values, names, colours, invalid
        if rows:
            last = self.columnCount() - 1
            self.dataChanged.emit(self.index(min(rows), 0), self.index(max(rows), last))

    def _changed_rows(
        self,
        values: Array,
        names: Sequence[str],
        colours: Sequence[TokenColour],
        invalid: Mapping[tuple[int, int], Invalid],
    ) -> set[int]:
        rows: set[int] = set()
        if values is not self.values:
            rows.update(map(int, np.flatnonzero((values != self.values).any(axis=1))))
        for before, after in ((self.names, names), (self.colours, colours)):
            if before is not after:
                pairs = zip(before, after, strict=True)
                rows.update(row for row, (old, new) in enumerate(pairs) if old != new)
        if invalid != self.invalid:
            rows.update(row for row, _column in (*self.invalid, *invalid))
        return rows

    # --- what a cell holds -----------------------------------------------------------------------

    def is_name(self, index: Index) -> bool:
        """Return whether a cell holds a token's name."""
        return self.named and index.column() == 0

    def place(self, index: Index) -> tuple[int, int]:
        """Return the row and column of `values` that a cell shows (column −1: the name)."""
        return index.row(), index.column() - self.first

    def invalid_at(self, index: Index) -> Invalid | None:
        """Return what was typed into a cell although it is no number."""
        return self.invalid.get(self.place(index)) if self.invalid else None

    def edit_text(self, index: Index) -> str:
        """Return the text that editing a cell starts with: every digit, or what is wrong."""
        if self.is_name(index):
            return self.names[index.row()]
        wrong = self.invalid_at(index)
        return full_number(self.values[self.place(index)]) if wrong is None else wrong.text

    def accessible_text(self, index: Index) -> str:
        """Return what a screen reader says of a cell, such as "X, cat, column 1, 1.0"."""
        row, column = self.place(index)
        name = displayable(self.names[row]) if self.named else _("row {n}").format(n=row + 1)
        if column < 0:
            return f"{self.title}, {name}"
        where = _("{table}, {row}, column {n}").format(table=self.title, row=name, n=column + 1)
        wrong = self.invalid_at(index)
        if wrong is not None:
            return f"{where}, {displayable(wrong.text)}: {wrong.message}"
        return f"{where}, {number_text(self.values[row, column])}"

    # --- what Qt asks ----------------------------------------------------------------------------

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.values)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        """Return the number of columns, the names' among them."""
        return 0 if parent.isValid() else self.values.shape[1] + self.first

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return what can be done with a cell."""
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        editable = self.of_tokens if self.is_name(index) else self.editable
        return flags | Qt.ItemFlag.ItemIsEditable if editable else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's text for the screen, for the editor or for a screen reader."""
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.accessible_text(index)
        if role == Qt.ItemDataRole.EditRole:
            return self.edit_text(index)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if self.is_name(index):
            return displayable(self.names[index.row()])
        wrong = self.invalid_at(index)
        value = self.values[self.place(index)]
        return number_text(value) if wrong is None else displayable(wrong.text)


def number_text(value: float, fits: Callable[[str], bool] | None = None) -> str:
    """Return a number as typed: one decimal or as many as it needs, up to four.

    Where that does not fit, with fewer decimals, then in scientific notation. It never reads as
    zero unless it is zero.
    """
    for places in range(decimal_places(value, MOST_DECIMALS), -1, -1):
        text = display_number(value, places)
        if (fits is None or fits(text)) and (value == 0 or text.strip("0.\u2212")):
            return text
    short = ""
    for digits in (2, 1, 0):
        mantissa, _e, exponent = f"{value:.{digits}e}".partition("e")
        short = f"{mantissa}e{int(exponent)}".replace("-", "\u2212")
        if fits is not None and fits(short):
            break
    return short
