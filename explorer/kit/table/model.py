"""What a table shows, and the one model through which Qt's views and screen readers read it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Self

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from explorer.text import displayable, plain_tip

Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()
_ROLES = Qt.ItemDataRole


class Cells:
    """What the cells of a table hold at one moment. Subclasses say what stands in a cell."""

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        raise NotImplementedError

    @property
    def row_names(self) -> Sequence[str]:
        """The rows' tokens."""
        raise NotImplementedError

    def column_name(self, column: int) -> str:
        """Return a column's heading."""
        raise NotImplementedError

    def text(self, row: int, column: int) -> str:
        """Return what stands in a cell; nothing where it is empty."""
        raise NotImplementedError

    def tip(self, row: int, column: int) -> str:
        """Return a cell's plain text with every digit."""
        raise NotImplementedError

    def spoken(self, row: int, column: int) -> str:
        """Return a cell's accessible name."""
        raise NotImplementedError

    def editable(self, row: int, column: int) -> bool:
        """Return whether something can be typed into a cell."""
        return False

    def edit_text(self, row: int, column: int) -> str:
        """Return the text that an editor of a cell begins with."""
        return self.text(row, column)

    def changed_rows(self, before: Self) -> Collection[int]:
        """Return the rows that differ from those before, of as many; none where all is painted."""
        return ()


class CellModel(QAbstractTableModel):
    """Cells as Qt's model: what views, screen readers, tooltips and tests read.

    Parameters
    ----------
    cells : Cells, optional
    """

    def __init__(self, parent: QWidget, cells: Cells | None = None) -> None:
        super().__init__(parent)
        self.source = cells
        self._shape = (0, 0) if cells is None else cells.shape

    def show(self, source: Cells) -> None:
        """Take the cells of another moment; rows are laid out anew only in another number."""
        if self.source is None or source.shape != self._shape:
            self.beginResetModel()
            self.source, self._shape = source, source.shape
            self.endResetModel()
            return
        before, self.source = self.source, source
        rows = source.changed_rows(before)
        if rows:
            last = self.columnCount() - 1
            self.dataChanged.emit(self.index(min(rows), 0), self.index(max(rows), last))

    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else self._shape[0]

    def columnCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else self._shape[1]

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if self.source is None or not index.isValid():
            return flags
        editable = self.source.editable(index.row(), index.column())
        return flags | Qt.ItemFlag.ItemIsEditable if editable else flags

    def data(self, index: Index, role: int = _ROLES.DisplayRole) -> Any:
        source, at = self.source, (index.row(), index.column())
        if source is None or not index.isValid():
            return None
        if role == _ROLES.DisplayRole:
            return source.text(*at)
        if role == _ROLES.EditRole:
            return source.edit_text(*at)
        if role == _ROLES.AccessibleTextRole:
            return source.spoken(*at)
        return plain_tip(source.tip(*at)) if role == _ROLES.ToolTipRole else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _ROLES.DisplayRole
    ) -> Any:
        if self.source is None or role != _ROLES.DisplayRole:
            return None
        if orientation == Qt.Orientation.Horizontal:
            return self.source.column_name(section)
        return displayable(self.source.row_names[section])
