"""The numbers of an editable table, and how its cells are painted and edited."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetricsF, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from explorer.kit.guarded_filter import guarded_filter
from explorer.kit.markers import paint_marker
from explorer.kit.theme import Theme, TokenColour
from explorer.session import Array, Invalid, Space
from explorer.text import _, decimal_places, display_number, displayable, full_number
from explorer.text.plain import token_name

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


RING = 2.0  # px: focus ring and invalid border
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

# Keys that end the editing of a cell, and the step (rows, columns) that follows.
_STEPS = {
    Qt.Key.Key_Return: (1, 0),
    Qt.Key.Key_Enter: (1, 0),
    Qt.Key.Key_Tab: (0, 1),
    Qt.Key.Key_Backtab: (0, -1),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Up: (-1, 0),
}
_NUMBER_GAP = 2  # px at 100 %, between a number and its column's lines


def step_of(event: QKeyEvent) -> tuple[int, int] | None:
    """Return the step (rows, columns) that Enter, Tab or a vertical arrow stands for, else None."""
    step = _STEPS.get(Qt.Key(event.key()))
    enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
    if enter and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
        return (-1, 0)
    return step


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


class CellDelegate(QStyledItemDelegate):
    """Paints cells and opens plain line edits on them.

    Parameters
    ----------
    model : NumberModel
    theme : Theme
    """

    committed = Signal(object, str)  # index, text: only where the text was changed
    stepped = Signal(int, int)  # rows, columns to go after an editor closed

    def __init__(self, model: NumberModel, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self.pointing = Pointing()
        self.air = 0  # px kept free at the right of narrow columns
        self.block = QRect()  # columns and rows selected together, where there are several
        self.retheme(theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
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
        return int(text + 1) + self._name_start() + self._theme.px(6)

    def numbers_width(self, letters: int) -> int:
        """Return how wide columns must be to show numbers in so many letters, or all they have."""
        advance = self._number_metrics.horizontalAdvance
        numbers = np.unique(self._model.values).tolist()
        texts = {number_text(value, lambda text: len(text) <= letters) for value in numbers}
        return ceil(max(map(advance, texts), default=0)) + 2 * self._theme.px(_NUMBER_GAP)

    def _name_start(self) -> int:
        """Return where names begin: nearer to the edge where many numbers want the room."""
        return self._theme.px(31 if self._model.columnCount() <= 3 else 23)

    def is_whole(self, index: Index, rect: QRect) -> bool:
        """Return whether a cell shows its full text and every digit."""
        if self._model.is_name(index):
            return self.name_width(self._model.names[index.row()]) <= rect.width()
        shown = self._shown_number(index, rect)
        return shown == self._model.edit_text(index)

    # --- painting --------------------------------------------------------------------------------

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one cell with its right and lower line."""
        self.paint_cell(painter, option.rect, index)

    def paint_cell(self, painter: QPainter, rect: QRect, index: Index) -> None:
        """Paint the cell of `index` into `rect`, wherever that is."""
        model, colours, pointing = self._model, self._colours, self.pointing
        row, column = index.row(), index.column()
        cell = (row, column)
        lit = row in (pointing.selected_row, pointing.hovered_row) or cell == pointing.hovered
        fill = "line" if self.block.contains(column, row) else "hover" if lit else "raised"
        painter.fillRect(rect, colours[fill])
        painter.setPen(colours["line"])
        if column < model.columnCount() - 1:
            painter.drawLine(rect.topRight(), rect.bottomRight())
        if row < model.rowCount() - 1:
            painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if model.is_name(index):
            self._paint_name(painter, rect, row)
        else:
            self._paint_number(painter, rect, index)

    def marked(self) -> list[QModelIndex]:
        """Return the cells that carry a mark: invalid, selected, or current with the focus."""
        cells = {self.pointing.selected, self.pointing.focused} - {None}
        cells |= {(row, column + self._model.first) for row, column in self._model.invalid}
        return [self._model.index(*cell) for cell in cells if cell is not None]

    def paint_mark(self, painter: QPainter, rect: QRect, index: Index) -> None:
        """Paint the outline of a marked cell: in the error colour where it is invalid."""
        wrong = self._model.invalid_at(index) is not None
        inner = QRectF(rect).adjusted(1, 1, -1, -1)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._colours["err" if wrong else "ink1"], RING))
        painter.drawRoundedRect(inner, 2, 2)
        if wrong and (index.row(), index.column()) in (
            self.pointing.selected,
            self.pointing.focused,
        ):
            painter.setPen(QPen(self._colours["ink1"], 1))
            painter.drawRect(inner.adjusted(2, 2, -2, -2))

    def _paint_name(self, painter: QPainter, rect: QRect, row: int) -> None:
        px, model = self._theme.px, self._model
        colour = model.colours[row]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(
            QPointF(rect.left() + self._name_start() - px(13) + 0.5, rect.center().y() + 0.5)
        )
        paint_marker(
            painter,
            Space.X,
            px(9),
            self._theme.color(colour.fill),
            self._theme.color(colour.ink),
            scale=px(100) / 150,
        )
        painter.restore()
        strong = row == self.pointing.selected_row
        text = rect.adjusted(self._name_start(), 0, -px(5), 0)
        name = self._name_metrics[strong].elidedText(
            displayable(model.names[row]), Qt.TextElideMode.ElideRight, text.width()
        )
        painter.setFont(self._name_fonts[strong])
        painter.setPen(self._colours["ink1" if strong else "ink2"])
        painter.drawText(text, _LEFT | Qt.TextFlag.TextSingleLine, name)

    def _paint_number(self, painter: QPainter, rect: QRect, index: Index) -> None:
        text = self._shown_number(index, rect)
        painter.setFont(self._number_font)
        painter.setPen(self._colours["ink1"])
        inner = self._number_rect(rect)
        if self._model.invalid_at(index) is not None:
            text = self._number_metrics.elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
        elif (wide := self._number_metrics.horizontalAdvance(text)) > inner.width():
            font = QFont(self._number_font)
            font.setPixelSize(max(1, int(font.pixelSize() * inner.width() / wide)))
            painter.setFont(font)
        flags = _RIGHT | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip
        painter.drawText(inner, flags, text)

    def _number_rect(self, rect: QRect) -> QRect:
        gap = self._theme.px(_NUMBER_GAP)
        # The usual number comes first, then air.
        air = rect.width() - self._theme.px(5) - self._usual_width
        pad = min(self._theme.px(13), max(gap + self.air, air))
        return rect.adjusted(gap, 0, -pad, 0)

    def _shown_number(self, index: Index, rect: QRect) -> str:
        wrong = self._model.invalid_at(index)
        if wrong is not None:
            return displayable(wrong.text)
        room, advance = self._number_rect(rect).width(), self._number_metrics.horizontalAdvance
        value = float(self._model.values[self._model.place(index)])
        return number_text(value, lambda text: advance(text) <= room)

    # --- editing ---------------------------------------------------------------------------------

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Return a plain line edit; a name's holds nothing that a name cannot."""
        editor = QLineEdit(parent)
        editor.setProperty("cell", True)
        editor.setFont(self._theme.font(14 if self._model.is_name(index) else 15))
        editor.setAccessibleName(self._model.accessible_text(index))
        if self._model.is_name(index):
            editor.textEdited.connect(partial(_keep_to_a_name, editor))
        else:
            editor.setAlignment(_RIGHT)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Start with the cell's full text; later changes of the numbers leave typed text alone.

        Qt also asks after an input method was cancelled, which leaves the editor empty.
        """
        assert isinstance(editor, QLineEdit)
        if not editor.isModified() or not editor.text():
            editor.setText(self._model.edit_text(index))

    def setModelData(self, editor: QWidget, _model: object, index: Index) -> None:
        """Tell the text that was typed, where it is another; a blank name leaves the old one."""
        assert isinstance(editor, QLineEdit)
        text = editor.text()
        if self._model.is_name(index) and not text.strip():
            return
        if text != self._model.edit_text(index):
            self.committed.emit(index, text)

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Lay the editor over the cell, wider where the text needs it and there is room."""
        assert isinstance(editor, QLineEdit)
        rect = QRect(option.rect)
        if self._model.is_name(index):  # beside the dot, with the text where it was
            rect.setLeft(rect.left() + self._name_start() - self._editor_margin() + 2)
        else:
            pad = rect.right() - self._number_rect(rect).right()
            editor.setTextMargins(0, 0, max(0, pad - self._editor_margin()), 0)
        needed = int(editor.fontMetrics().horizontalAdvance(editor.text())) + self._theme.px(20)
        viewport = editor.parentWidget()
        room = viewport.width() if viewport is not None else rect.width()
        rect.setWidth(min(max(rect.width(), needed), room))
        rect.moveLeft(max(0, min(rect.left(), room - rect.width())))
        editor.setGeometry(rect)

    def _editor_margin(self) -> int:
        """Return how far inside an editor its text stands: border, padding, Qt's own 2 px."""
        return 2 + self._theme.px(4) + 2

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Commit on Enter, Tab and vertical arrows and go on to the next cell."""
        if event.type() == QEvent.Type.KeyPress and isinstance(watched, QLineEdit):
            assert isinstance(event, QKeyEvent)
            step = step_of(event)
            if step is not None and not event.modifiers() & Qt.KeyboardModifier.AltModifier:
                self.commitData.emit(watched)
                self.closeEditor.emit(watched, QAbstractItemDelegate.EndEditHint.NoHint)
                self.stepped.emit(*step)
                return True
        return super().eventFilter(watched, event)


def _keep_to_a_name(editor: QLineEdit, typed: str) -> None:
    """Cut what a token's name cannot hold; Qt's own limit counts UTF-16 units, not characters."""
    name = token_name(typed)
    if name != typed:
        at = editor.cursorPosition()
        editor.setText(name)
        editor.setCursorPosition(at)
        editor.setModified(True)
