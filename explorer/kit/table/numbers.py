"""The numbers of an editable table, and how its cells are edited."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Self

import numpy as np
from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QStyleOptionViewItem, QWidget

from explorer.kit.table.delegate import CellDelegate
from explorer.kit.table.model import Cells, Index
from explorer.kit.theme import TokenColour
from explorer.session import Array, Invalid
from explorer.text import (
    _,
    decimal_places,
    display_number,
    displayable,
    full_number,
    joined,
    labelled,
)
from explorer.text.plain import token_name

if TYPE_CHECKING:
    from explorer.kit.table.frozen import NumberTable

MOST_DECIMALS = 4
NUMBER_SIZE = 15  # px at 100 %


@dataclass(frozen=True, eq=False)
class Numbers(Cells):
    """A matrix of numbers, with tokens' names before its rows or without.

    Parameters
    ----------
    title : str
        What accessible names begin with, such as "X".
    named : bool
        Whether the first column holds token names; numbers then start at column 1.
    writable : bool
    of_tokens : bool
        Whether rows belong to tokens, so that names can be edited as numbers are.
    values : ndarray, shape (rows, columns)
    names, colours : sequences of length rows
        Only where the table is `named`.
    invalid : mapping of (row, column of `values`) to Invalid
    """

    title: str
    named: bool
    writable: bool = True
    of_tokens: bool = True
    values: Array = field(default_factory=lambda: np.zeros((0, 0)))
    names: Sequence[str] = ()
    colours: Sequence[TokenColour] = ()
    invalid: Mapping[tuple[int, int], Invalid] = field(default_factory=dict)

    @property
    def first(self) -> int:
        """The column of the table where the numbers start."""
        return 1 if self.named else 0

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.values), self.values.shape[1] + self.first

    @property
    def row_names(self) -> Sequence[str]:
        return self.names or [_("row {n}").format(n=row + 1) for row in range(len(self.values))]

    def column_name(self, column: int) -> str:
        return "" if self.is_name(column) else str(column - self.first + 1)

    def is_name(self, column: int) -> bool:
        """Return whether the cells of a column hold tokens' names."""
        return self.named and column == 0

    def place(self, index: Index) -> tuple[int, int]:
        """Return the row and column of `values` that a cell shows (column −1: the name)."""
        return index.row(), index.column() - self.first

    def invalid_at(self, row: int, column: int) -> Invalid | None:
        """Return what was typed into a cell although it is no number."""
        return self.invalid.get((row, column - self.first)) if self.invalid else None

    def text(self, row: int, column: int) -> str:
        if self.is_name(column):
            return displayable(self.names[row])
        wrong = self.invalid_at(row, column)
        value = self.values[row, column - self.first]
        return number_text(value) if wrong is None else displayable(wrong.text)

    def edit_text(self, row: int, column: int) -> str:
        """Return the text that editing a cell starts with: every digit, or what is wrong."""
        if self.is_name(column):
            return self.names[row]
        wrong = self.invalid_at(row, column)
        return full_number(self.values[row, column - self.first]) if wrong is None else wrong.text

    def tip(self, row: int, column: int) -> str:
        return self.edit_text(row, column)

    def spoken(self, row: int, column: int) -> str:
        """Return what a screen reader says of a cell, such as "X, cat, column 1, 1.0"."""
        name = displayable(self.row_names[row])
        if self.is_name(column):
            return joined((self.title, name))
        n, wrong = column - self.first + 1, self.invalid_at(row, column)
        where = _("{table}, {row}, column {n}").format(table=self.title, row=name, n=n)
        text = self.text(row, column)
        said = joined((where, text))
        return said if wrong is None else labelled(said, str(wrong.message))

    def editable(self, row: int, column: int) -> bool:
        return self.writable and (self.of_tokens or not self.is_name(column))

    def changed_rows(self, before: Self) -> set[int]:
        rows: set[int] = set()
        if self.values is not before.values:
            rows.update(map(int, np.flatnonzero((self.values != before.values).any(axis=1))))
        for old, new in ((before.names, self.names), (before.colours, self.colours)):
            if old is not new:
                pairs = zip(old, new, strict=True)
                rows.update(row for row, (was, now) in enumerate(pairs) if was != now)
        if self.invalid != before.invalid:
            rows.update(row for row, _column in (*before.invalid, *self.invalid))
        return rows


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


class NumberEditor(CellDelegate):
    """Edits the cells of `Numbers`."""

    table: NumberTable
    committed = Signal(object, str)  # index, text: only where the text was changed

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Return a plain line edit; a name's holds nothing that a name cannot."""
        editor = super().createEditor(parent, option, index)
        assert isinstance(editor, QLineEdit)
        if self.table.numbers.is_name(index.column()):
            editor.textEdited.connect(partial(_keep_to_a_name, editor))
        else:
            editor.setFont(self.table.theme.font(NUMBER_SIZE))
            editor.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return editor

    def setModelData(self, editor: QWidget, _model: object, index: Index) -> None:
        """Tell the text that was typed, where it is another; a blank name leaves the old one."""
        assert isinstance(editor, QLineEdit)
        text = editor.text()
        if self.table.numbers.is_name(index.column()) and not text.strip():
            return
        if text != index.data(Qt.ItemDataRole.EditRole):
            self.committed.emit(index, text)

    def editor_rect(self, editor: QLineEdit, cell: QRect, index: Index) -> QRect:
        rect, margin = QRect(cell), 2 + self.table.theme.px(4) + 2  # border, padding, Qt's own
        if self.table.numbers.is_name(index.column()):  # beside the dot, with the text where it was
            rect.setLeft(rect.left() + self.table.name_start() - margin + 2)
        else:
            pad = rect.right() - self.table.number_rect(rect).right()
            editor.setTextMargins(0, 0, max(0, pad - margin), 0)
        return rect


def _keep_to_a_name(editor: QLineEdit, typed: str) -> None:
    """Cut what a token's name cannot hold; Qt's own limit counts UTF-16 units, not characters."""
    name = token_name(typed)
    if name != typed:
        at = editor.cursorPosition()
        editor.setText(name)
        editor.setCursorPosition(at)
        editor.setModified(True)
