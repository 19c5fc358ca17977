"""The editor of a table's cells: what it begins with, where it lies, which keys end it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from explorer.kit.table.model import Index

if TYPE_CHECKING:
    from explorer.kit.table.view import TableView

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
# Keys that end the editing of a cell, and the step (rows, columns) that follows.
_STEPS = {
    Qt.Key.Key_Return: (1, 0),
    Qt.Key.Key_Enter: (1, 0),
    Qt.Key.Key_Tab: (0, 1),
    Qt.Key.Key_Backtab: (0, -1),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Up: (-1, 0),
}


def step_of(event: QKeyEvent) -> tuple[int, int] | None:
    """Return the step (rows, columns) that Enter, Tab or a vertical arrow stands for, else None."""
    if event.key() in ENTER and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
        return (-1, 0)
    return _STEPS.get(Qt.Key(event.key()))


class CellDelegate(QStyledItemDelegate):
    """Opens a line edit on a cell; Esc closes it, Enter, Tab and vertical arrows go on.

    Subclasses say what becomes of the text, in `setModelData`.
    """

    stepped = Signal(int, int)  # rows, columns to go after an editor closed
    size = 14  # of the type, px at 100 %
    shape = "square"  # of the editor, as `kit/style` knows it

    def __init__(self, table: TableView) -> None:
        super().__init__(table)
        self.table = table
        self.line: QLineEdit | None = None  # the open editor
        self.pair = (-1, -1)  # its row and column

    def name_of(self, index: Index) -> str:
        """Return the accessible name of the editor of a cell."""
        name: str = index.data(Qt.ItemDataRole.AccessibleTextRole)
        return name

    def changed(self, text: str) -> None:
        """Do what follows from each letter."""

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Do what a key means in the open editor; return whether it means something."""
        step = step_of(event)
        if step is None or event.modifiers() & Qt.KeyboardModifier.AltModifier:
            return False
        if self.line is not None:
            self.commitData.emit(self.line)
        self.close()
        self.stepped.emit(*step)
        return True

    def close(self) -> None:
        """Close the editor, whatever stands in it."""
        if self.line is not None:
            self.closeEditor.emit(self.line, QAbstractItemDelegate.EndEditHint.NoHint)

    # --- in tables that open no editor by themselves ---------------------------------------------

    def table_key(self, event: QKeyEvent) -> bool:
        """Do what a key means in the table; return whether it means something."""
        return False

    def tabbed(self, forward: bool) -> bool:
        """Do what Tab or Shift+Tab means in the table; return whether it means something."""
        return False

    def double_clicked(self, event: QMouseEvent) -> bool:
        """Do what a double click means; return whether it means something."""
        return False

    def follow(self) -> None:
        """Do what follows from other cells that the table shows now."""

    # --- what Qt asks ----------------------------------------------------------------------------

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Return a plain line edit."""
        self.pair = index.row(), index.column()
        self.line = line = QLineEdit(parent)
        line.setProperty("cell", self.shape)
        line.setFont(self.table.theme.font(self.size))
        line.setAccessibleName(self.name_of(index))
        line.textEdited.connect(self.changed)
        return line

    def destroyEditor(self, editor: QWidget, index: Index) -> None:
        """Forget the editor."""
        self.line = None
        super().destroyEditor(editor, index)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Start with the cell's full text; later changes of the numbers leave typed text alone.

        Qt also asks after an input method was cancelled, which leaves the editor empty.
        """
        assert isinstance(editor, QLineEdit)
        if not editor.isModified() or not editor.text():
            editor.setText(index.data(Qt.ItemDataRole.EditRole))

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Lay the editor over the cell, wider where the text needs it and there is room."""
        assert isinstance(editor, QLineEdit)
        px, view = self.table.theme.px, self.table.viewport().rect()
        rect = self.editor_rect(editor, option.rect, index)
        needed = int(editor.fontMetrics().horizontalAdvance(editor.text())) + px(20)
        rect.setWidth(min(max(rect.width(), needed), view.width()))
        rect.setHeight(min(rect.height(), view.height()))
        rect.moveLeft(max(0, min(rect.left(), view.width() - rect.width())))
        rect.moveTop(max(0, min(rect.top(), view.height() - rect.height())))
        editor.setGeometry(rect)

    def editor_rect(self, editor: QLineEdit, cell: QRect, index: Index) -> QRect:
        """Return where an editor of a short text lies."""
        return QRect(cell)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys that end the typing; all but Esc are otherwise the editor's own."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if self.key_pressed(event):
                return True
            if event.key() != Qt.Key.Key_Escape:
                return False
        return super().eventFilter(watched, event)
