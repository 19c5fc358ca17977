"""The numbers of an editable table, and how its cells are painted and edited."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil
from typing import Self

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyleOptionViewItem, QWidget

from explorer.kit.markers import paint_marker
from explorer.kit.table.delegate import CellDelegate
from explorer.kit.table.model import Cells, Index
from explorer.kit.table.painting import draw_box
from explorer.kit.table.view import TableView
from explorer.kit.theme import Theme, TokenColour
from explorer.session import Array, Invalid, Space
from explorer.text import _, decimal_places, display_number, displayable, full_number
from explorer.text.plain import token_name

MOST_DECIMALS = 4


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
            return f"{self.title}, {name}"
        n, wrong = column - self.first + 1, self.invalid_at(row, column)
        where = _("{table}, {row}, column {n}").format(table=self.title, row=name, n=n)
        text = self.text(row, column)
        return f"{where}, {text}" if wrong is None else f"{where}, {text}: {wrong.message}"

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


RING = 2.0  # px: focus ring and invalid border
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
# Joined once: each | of Qt's flags takes microseconds.
_NAME = _LEFT | Qt.TextFlag.TextSingleLine
_NUMBER = _RIGHT | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip

_NUMBER_GAP = 2  # px at 100 %, between a number and its column's lines


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


class NumberDelegate(CellDelegate):
    """Paints the cells of `Numbers` and edits them."""

    committed = Signal(object, str)  # index, text: only where the text was changed

    def __init__(self, table: TableView) -> None:
        super().__init__(table)
        self.pointing = Pointing()
        self.air = 0  # px kept free at the right of narrow columns
        self.block = QRect()  # columns and rows selected together, where there are several

    @property
    def _numbers(self) -> Numbers:
        numbers = self.table.cells.source
        assert isinstance(numbers, Numbers)
        return numbers

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._number_font = theme.font(15)
        self._number_metrics = QFontMetricsF(self._number_font)
        self._usual_width = ceil(self._number_metrics.horizontalAdvance("\u22120.000"))
        self._name_fonts = {False: theme.font(14), True: theme.font(14, 600)}
        self._name_metrics = {k: QFontMetricsF(font) for k, font in self._name_fonts.items()}
        self._colours = {
            name: theme.color(name)
            for name in ("raised", "hover", "line", "ink1", "ink2", "ink3", "err")
        }

    def name_width(self, name: str) -> int:
        """Return how wide the column of names must be to show a name in full."""
        text = self._name_metrics[True].horizontalAdvance(displayable(name))
        return int(text + 1) + self._name_start() + self.table.theme.px(6)

    def numbers_width(self, letters: int) -> int:
        """Return how wide columns must be to show numbers in so many letters, or all they have."""
        advance = self._number_metrics.horizontalAdvance
        numbers = np.unique(self._numbers.values).tolist()
        texts = {number_text(value, lambda text: len(text) <= letters) for value in numbers}
        return ceil(max(map(advance, texts), default=0)) + 2 * self.table.theme.px(_NUMBER_GAP)

    def _name_start(self) -> int:
        """Return where names begin: nearer to the edge where many numbers want the room."""
        return self.table.theme.px(31 if self._numbers.shape[1] <= 3 else 23)

    def is_whole(self, index: Index, rect: QRect) -> bool:
        """Return whether a cell shows its full text and every digit."""
        if self._numbers.is_name(index.column()):
            return self.name_width(self._numbers.names[index.row()]) <= rect.width()
        shown = self._shown_number(index.row(), index.column(), rect)
        return shown == index.data(Qt.ItemDataRole.EditRole)

    # --- painting --------------------------------------------------------------------------------

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one cell with its right and lower line."""
        self.paint_cell(painter, option.rect, index.row(), index.column())

    def paint_cell(self, painter: QPainter, rect: QRect, row: int, column: int) -> None:
        """Paint a cell into `rect`, wherever that is."""
        numbers, colours, pointing = self._numbers, self._colours, self.pointing
        rows, columns = numbers.shape
        lit = row in (pointing.selected_row, pointing.hovered_row)
        lit |= (row, column) == pointing.hovered
        fill = "line" if self.block.contains(column, row) else "hover" if lit else "raised"
        painter.fillRect(rect, colours[fill])
        painter.setPen(colours["line"])
        if column < columns - 1:
            painter.drawLine(rect.topRight(), rect.bottomRight())
        if row < rows - 1:
            painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if numbers.is_name(column):
            self._paint_name(painter, rect, row)
        else:
            self._paint_number(painter, rect, row, column)

    def marked(self) -> set[tuple[int, int]]:
        """Return the cells that carry a mark: invalid, selected, or current with the focus."""
        numbers, pointing = self._numbers, self.pointing
        cells = {(row, column + numbers.first) for row, column in numbers.invalid}
        return cells | {at for at in (pointing.selected, pointing.focused) if at is not None}

    def paint_mark(self, painter: QPainter, rect: QRect, row: int, column: int) -> None:
        """Paint the outline of a marked cell: in the error colour where it is invalid."""
        wrong = self._numbers.invalid_at(row, column) is not None
        inner = QRectF(rect).adjusted(1, 1, -1, -1)
        edge = self._colours["err" if wrong else "ink1"]
        draw_box(painter, inner, 2, edge=edge, width=RING)
        if wrong and (row, column) in (self.pointing.selected, self.pointing.focused):
            painter.setPen(QPen(self._colours["ink1"], 1))
            painter.drawRect(inner.adjusted(2, 2, -2, -2))

    def _paint_name(self, painter: QPainter, rect: QRect, row: int) -> None:
        px, numbers = self.table.theme.px, self._numbers
        colour = numbers.colours[row]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(
            QPointF(rect.left() + self._name_start() - px(13) + 0.5, rect.center().y() + 0.5)
        )
        paint_marker(
            painter,
            Space.X,
            px(9),
            self.table.theme.color(colour.fill),
            self.table.theme.color(colour.ink),
            scale=px(100) / 150,
        )
        painter.restore()
        strong = row == self.pointing.selected_row
        text = rect.adjusted(self._name_start(), 0, -px(5), 0)
        name = self._name_metrics[strong].elidedText(
            displayable(numbers.names[row]), Qt.TextElideMode.ElideRight, text.width()
        )
        painter.setFont(self._name_fonts[strong])
        painter.setPen(self._colours["ink1" if strong else "ink2"])
        painter.drawText(text, _NAME, name)

    def _paint_number(self, painter: QPainter, rect: QRect, row: int, column: int) -> None:
        inner = self._number_rect(rect)
        text = self._fitting_number(row, column, inner.width())
        painter.setFont(self._number_font)
        painter.setPen(self._colours["ink1"])
        if self._numbers.invalid_at(row, column) is not None:
            text = self._number_metrics.elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
        elif (wide := self._number_metrics.horizontalAdvance(text)) > inner.width():
            font = QFont(self._number_font)
            font.setPixelSize(max(1, int(font.pixelSize() * inner.width() / wide)))
            painter.setFont(font)
        painter.drawText(inner, _NUMBER, text)

    def _number_rect(self, rect: QRect) -> QRect:
        gap = self.table.theme.px(_NUMBER_GAP)
        # The usual number comes first, then air.
        air = rect.width() - self.table.theme.px(5) - self._usual_width
        pad = min(self.table.theme.px(13), max(gap + self.air, air))
        return rect.adjusted(gap, 0, -pad, 0)

    def _shown_number(self, row: int, column: int, rect: QRect) -> str:
        return self._fitting_number(row, column, self._number_rect(rect).width())

    def _fitting_number(self, row: int, column: int, room: int) -> str:
        numbers = self._numbers
        wrong = numbers.invalid_at(row, column)
        if wrong is not None:
            return displayable(wrong.text)
        advance = self._number_metrics.horizontalAdvance
        value = float(numbers.values[row, column - numbers.first])
        return number_text(value, lambda text: advance(text) <= room)

    # --- editing ---------------------------------------------------------------------------------

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Return a plain line edit; a name's holds nothing that a name cannot."""
        editor = super().createEditor(parent, option, index)
        assert isinstance(editor, QLineEdit)
        if self._numbers.is_name(index.column()):
            editor.textEdited.connect(partial(_keep_to_a_name, editor))
        else:
            editor.setFont(self._number_font)
            editor.setAlignment(_RIGHT)
        return editor

    def setModelData(self, editor: QWidget, _model: object, index: Index) -> None:
        """Tell the text that was typed, where it is another; a blank name leaves the old one."""
        assert isinstance(editor, QLineEdit)
        text = editor.text()
        if self._numbers.is_name(index.column()) and not text.strip():
            return
        if text != index.data(Qt.ItemDataRole.EditRole):
            self.committed.emit(index, text)

    def editor_rect(self, editor: QLineEdit, cell: QRect, index: Index) -> QRect:
        rect = QRect(cell)
        if self._numbers.is_name(index.column()):  # beside the dot, with the text where it was
            rect.setLeft(rect.left() + self._name_start() - self._editor_margin() + 2)
        else:
            pad = rect.right() - self._number_rect(rect).right()
            editor.setTextMargins(0, 0, max(0, pad - self._editor_margin()), 0)
        return rect

    def _editor_margin(self) -> int:
        """Return how far inside an editor its text stands: border, padding, Qt's own 2 px."""
        return 2 + self.table.theme.px(4) + 2


def _keep_to_a_name(editor: QLineEdit, typed: str) -> None:
    """Cut what a token's name cannot hold; Qt's own limit counts UTF-16 units, not characters."""
    name = token_name(typed)
    if name != typed:
        at = editor.cursorPosition()
        editor.setText(name)
        editor.setCursorPosition(at)
        editor.setModified(True)
