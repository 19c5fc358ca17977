"""An editable table of numbers that behaves as a spreadsheet does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QItemSelection, QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QTableView

from explorer.kit.copying import Emit, copy_block, copy_menu
from explorer.kit.table.delegate import CellDelegate, step_of
from explorer.kit.table.frozen import NumberTable
from explorer.kit.table.model import Index
from explorer.session import Matrix, Selection
from explorer.session.intents import (
    AddToken,
    ApplyPreset,
    CopyText,
    NudgeCell,
    PasteCells,
    RemoveToken,
    RenameToken,
    ReorderToken,
    RevertCell,
    Select,
    TypeCell,
)
from explorer.session.presets import PRESET_LABELS
from explorer.text import _, plain_tip


def add_presets(menu: QMenu, matrix: Matrix, emit: Emit) -> None:
    """Add the presets of a matrix to a menu."""
    for preset, label in PRESET_LABELS.items():
        intent = ApplyPreset(matrix, preset)
        menu.addAction(_(label)).triggered.connect(partial(_emit, emit, intent))


def add_token_actions(
    menu: QMenu, row: int, rows: int, context: bool, emit: Emit, *, rename: Callable[[], object]
) -> None:
    """Add what can be done with the token of a row.

    Parameters
    ----------
    rows : int
        How many tokens there are.
    context : bool
        Whether they are those of the context.
    rename : callable
        Opens the editor on the token's name.
    """
    last = rows - 1
    menu.addAction(_("Add token below"), lambda: emit(AddToken(row, context)))
    menu.addAction(_("Rename"), rename)
    up = menu.addAction(_("Move up"), lambda: emit(ReorderToken(row, row - 1, context)))
    up.setEnabled(row > 0)
    down = menu.addAction(_("Move down"), lambda: emit(ReorderToken(row, row + 1, context)))
    down.setEnabled(row < last)
    remove = menu.addAction(_("Remove"), lambda: emit(RemoveToken(row, context)))
    remove.setEnabled(last > 0)


def _emit(emit: Emit, intent: object, _checked: bool = False) -> None:
    emit(intent)


NUDGE, FINE_NUDGE = 0.1, 0.01
_NOTCH = 120  # of a mouse wheel, in eighths of a degree
_COPIED_AS = {Matrix.CONTEXT: "X_context", Matrix.POSITION: "P"}
_ALT, _SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier
_UP_DOWN = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class NumberGrid(NumberTable):
    """One matrix to look at and to edit. What is typed goes out as it is; the grid parses nothing.

    Parameters
    ----------
    matrix : Matrix
        What is edited.
    title : str
        What accessible names begin with.
    theme : Theme
    formats : CopyFormats
        What a block can be copied as.
    named : bool
        Whether rows belong to tokens, with a first column of names that stands still. Those of X
        and of a context can be renamed, added, removed and carried to another place.
    editable : bool
    """

    _turned = 0  # of the wheel, not yet a notch
    _lifted: tuple[int, QPoint] | None = None  # a row pressed by its name, and where
    _drop: int | None = None  # the place where that row would land

    def edit_with(self, delegate: CellDelegate) -> None:
        super().edit_with(delegate)
        self.delegate.committed.connect(self._commit)
        self.delegate.stepped.connect(self._step)

    # --- what was done goes out ------------------------------------------------------------------

    def _commit(self, index: Index, text: str) -> None:
        if self.numbers.is_name(index.column()):
            self.intent.emit(RenameToken(index.row(), text, self.of_context))
        else:
            self.intent.emit(TypeCell(self._cell_at(index), text))

    def _nudge(self, index: Index, steps: int, fine: bool) -> None:
        delta = steps * (FINE_NUDGE if fine else NUDGE)
        self.intent.emit(NudgeCell(self._cell_at(index), delta))

    def _copy(self) -> None:
        block = self._block()
        if block.isEmpty():
            return
        if block.right() < self.numbers.first:
            names = self.numbers.names[block.top() : block.bottom() + 1]
            self.intent.emit(CopyText("\n".join(names)))
        else:
            values = self._block_values(block)
            copy_block(self.formats, self._name, values, self.intent.emit)

    @property
    def _name(self) -> str:
        return _COPIED_AS.get(self.matrix, str(self.matrix))

    def _paste(self) -> None:
        index, text = self.currentIndex(), QGuiApplication.clipboard().text()
        if not self.numbers.writable or not index.isValid() or not text.strip():
            return
        corner = self.cells.index(self._block().top(), self._block().left())
        self.intent.emit(PasteCells(self._cell_at(corner if corner.isValid() else index), text))

    def _delete(self) -> None:
        """Remove the token whose name is current, or put 0 into the selected cells."""
        index, block = self.currentIndex(), self._block()
        if not self.numbers.writable or not index.isValid():
            return
        if self.numbers.is_name(index.column()):
            if self.numbers.of_tokens:
                self.intent.emit(RemoveToken(index.row(), self.of_context))
            return
        rows, columns = self._block_values(block).shape
        zeros = "\n".join(["\t".join(["0"] * columns)] * rows)
        corner = self.cells.index(block.top(), max(block.left(), self.numbers.first))
        self.intent.emit(PasteCells(self._cell_at(corner), zeros))

    # --- keyboard --------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Keep keys that mean something in a cell from shortcuts of the window, such as 1 to 7."""
        if event.type() == QEvent.Type.ShortcutOverride:
            assert isinstance(event, QKeyEvent)
            plain = not event.modifiers() & ~(_SHIFT | Qt.KeyboardModifier.KeypadModifier)
            ours = plain and (event.text().isprintable() and bool(event.text()))
            ours |= event.matches(QKeySequence.StandardKey.Copy)
            ours |= event.matches(QKeySequence.StandardKey.Paste)
            ours |= event.key() == Qt.Key.Key_Delete
            ours |= event.key() == Qt.Key.Key_Escape and self._current_is_invalid()
            if ours:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what a spreadsheet does with the key."""
        index, alt = self.currentIndex(), bool(event.modifiers() & _ALT)
        turn = _UP_DOWN.get(Qt.Key(event.key()))
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        elif event.matches(QKeySequence.StandardKey.Paste):
            self._paste()
        elif event.key() == Qt.Key.Key_Delete:
            self._delete()
        elif event.key() == Qt.Key.Key_Escape:
            if self._current_is_invalid():
                self.intent.emit(RevertCell(self._cell_at(index)))
            else:
                event.ignore()  # the window clears the selection
        elif alt and turn is not None:
            self._turn(index, turn, bool(event.modifiers() & _SHIFT))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._step(*(step_of(event) or (1, 0)))
        else:
            super().keyPressEvent(event)
            if self.state() is QAbstractItemView.State.EditingState:
                event.accept()  # a digit that begins a number is no key of the window as well

    def _turn(self, index: Index, turn: int, shift: bool) -> None:
        """Nudge the current number with Alt and a vertical arrow, or move the current token."""
        if not index.isValid() or not self.numbers.writable:
            return
        if not self.numbers.is_name(index.column()):
            self._nudge(index, -turn, fine=shift)
        elif shift and 0 <= index.row() + turn < self.cells.rowCount():
            self._carry(index.row(), index.row() + turn)

    def _carry(self, row: int, place: int) -> None:
        if self.numbers.of_tokens:
            self.intent.emit(ReorderToken(row, place, self.of_context))

    def _current_is_invalid(self) -> bool:
        index = self.currentIndex()
        return index.isValid() and self.numbers.invalid_at(index.row(), index.column()) is not None

    def _step(self, rows: int, columns: int) -> None:
        """Go on after Enter (one row) or after Tab (one column, then the next row, then out)."""
        self.setFocus()  # a question about what was typed took it, and nobody gave it back
        if columns:
            self.focusNextPrevChild(columns > 0)
            return
        index = self.currentIndex()
        row = min(max(index.row() + rows, 0), self.cells.rowCount() - 1)
        self.setCurrentIndex(self.cells.index(row, max(index.column(), 0)))

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Go to the next number; from the last one leave the table."""
        index, first = self.currentIndex(), self.numbers.first
        columns = self.cells.columnCount() - first
        count = self.cells.rowCount() * columns
        if index.isValid():
            place = index.row() * columns + max(index.column() - first, 0)
            # From a name, Tab goes to the first number of its row.
            entering = forward and self.numbers.is_name(index.column())
            place += 0 if entering else 1 if forward else -1
            if 0 <= place < count:
                self.setCurrentIndex(self.cells.index(place // columns, place % columns + first))
                return True
        return super().focusNextPrevChild(forward)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Enter the table at its first number with Tab, at its last with Shift+Tab."""
        self._drawing = True  # Qt makes some cell current here; a click then says which
        super().focusInEvent(event)
        self._drawing = False
        last = (self.cells.rowCount() - 1, self.cells.columnCount() - 1)
        if event.reason() == Qt.FocusReason.TabFocusReason:
            self._enter(self.cells.index(0, self.numbers.first))
        elif event.reason() == Qt.FocusReason.BacktabFocusReason:
            self._enter(self.cells.index(*last))
        self._mark()

    def _enter(self, index: QModelIndex) -> None:
        if index == self.currentIndex():
            self._tell_selection(index)
        self.setCurrentIndex(index)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the focus ring away."""
        super().focusOutEvent(event)
        self._mark()

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Select what is current now."""
        super().currentChanged(current, previous)
        if current.isValid() and not self._drawing:
            self._tell_selection(current)
        self._mark()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Light the block of cells where more than one is selected."""
        super().selectionChanged(selected, deselected)
        block = self._block()
        block = block if block.width() * block.height() > 1 else QRect()
        if block != self.block:
            self.block = block
            self.viewport().update()

    def _tell_selection(self, index: Index) -> None:
        selection = self._selection_at(index)
        if selection != self._selection:
            self.intent.emit(Select(selection))

    # --- mouse -----------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the cell; a row pressed by its name can be carried to another place."""
        before, point = self._place(self.currentIndex()), event.position().toPoint()
        index = self.indexAt(point)
        super().mousePressEvent(event)
        if event.button() != Qt.MouseButton.LeftButton or not index.isValid():
            return
        if self.numbers.of_tokens and self.numbers.is_name(index.column()):
            self._lifted = (index.row(), point)
        if self._place(index) == before:
            self._tell_selection(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Carry a row, extend the selected block, or hover."""
        point = event.position().toPoint()
        if self._lifted is not None:
            far = (point - self._lifted[1]).manhattanLength() >= QApplication.startDragDistance()
            if far or self._drop is not None:
                end = self.cells.rowCount() - 1
                under = self.rowAt(min(max(point.y(), 0), self.viewport().height() - 1))
                self._drop = end if under < 0 else under
                self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
                self.viewport().update()
            return
        QTableView.mouseMoveEvent(self, event)
        super().mouseMoveEvent(event)

    def selection_at(self, point: QPoint) -> Selection | None:
        index = self.indexAt(point)
        return self._selection_at(index) if index.isValid() else None

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Put a carried row down."""
        lifted, drop = self._lifted, self._drop
        self._lifted = self._drop = None
        self.viewport().unsetCursor()
        super().mouseReleaseEvent(event)
        if lifted is not None and drop is not None:
            self.viewport().update()
            if drop != lifted[0]:
                self._carry(lifted[0], drop)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Nudge the number under the pointer if it has the focus; else scroll."""
        index = self.indexAt(event.position().toPoint())
        mine = self.hasFocus() and index.isValid() and index == self.currentIndex()
        if not self.numbers.writable or not mine or self.numbers.is_name(index.column()):
            super().wheelEvent(event)
            return
        turn = event.angleDelta().y() or event.angleDelta().x()  # Shift or Alt may turn the axis
        self._turned += turn
        notches = int(self._turned / _NOTCH)
        if notches:
            self._turned -= notches * _NOTCH
            self._nudge(index, notches, fine=bool(event.modifiers() & _SHIFT))
        event.accept()

    def tooltip_at(self, point: QPoint) -> str:
        """Return the full text or number of the cell under a point, as HTML; "" if it shows all."""
        index = self.indexAt(point)
        if not index.isValid() or self.is_whole(index):
            return ""
        return plain_tip(index.data(Qt.ItemDataRole.EditRole))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the table, and where a carried row would land."""
        super().paintEvent(event)
        if self._lifted is None or self._drop is None or self._drop == self._lifted[0]:
            return
        rect = self.visualRect(self.cells.index(self._drop, 0))
        y = rect.bottom() if self._drop > self._lifted[0] else rect.top()
        y = min(max(y, 1), self.viewport().height() - 2)
        with QPainter(self.viewport()) as painter:
            painter.fillRect(0, y - 1, self.viewport().width(), 3, self.theme.color("ink1"))

    # --- menu ------------------------------------------------------------------------------------

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of a cell: by the mouse at it, by the keyboard below the current one."""
        index, at = self.indexAt(event.pos()), event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
            at = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
        if not index.isValid():
            return
        menu = self.menu_at(index)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    def menu_at(self, index: Index) -> QMenu:
        """Return the menu of a cell; it copies the selected block, else the whole matrix."""
        block = self._block()
        several = block.width() * block.height() > 1 and block.right() >= self.numbers.first
        values = self._block_values(block) if several else self.numbers.values
        menu = copy_menu(self, self.formats, self._name, values, self.intent.emit)
        if not self.numbers.writable:
            return menu
        menu.addSeparator()
        paste = menu.addAction(_("Paste"), self._paste)
        paste.setEnabled(bool(QGuiApplication.clipboard().text().strip()))
        add_presets(menu.addMenu(_("Fill with")), self.matrix, self.intent.emit)
        if self.numbers.named and self.numbers.of_tokens:
            menu.addSeparator()
            name = self.cells.index(index.row(), 0)
            add_token_actions(
                menu,
                index.row(),
                self.cells.rowCount(),
                self.of_context,
                self.intent.emit,
                rename=lambda: self.edit(name),
            )
        return menu
