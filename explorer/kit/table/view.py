"""Tables of a source's cells: model, mouse, keyboard, copying; how they look is the subclass's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QMenu, QTableView, QToolTip, QWidget

from explorer.kit.base import only_selection_differs
from explorer.kit.copying import CopyFormats, copy_block, copy_menu
from explorer.kit.motion import fade
from explorer.kit.table import painting
from explorer.kit.table.delegate import CellDelegate
from explorer.kit.table.model import CellModel, Cells
from explorer.kit.table.painting import draw_text
from explorer.kit.table.sources import Place, Source
from explorer.kit.theme import Theme
from explorer.session import Selection
from explorer.session.intents import Hover, Select
from explorer.text import plain_tip

_PAGE = 10  # rows
_LEAST_MARK = 5  # px at 100 %, of a picture's cell


class TableView(QTableView):
    """What all tables have: model and delegate, tooltips, and what the mouse is on, told once.

    Parameters
    ----------
    name : str
        Accessible name.
    formats : CopyFormats
        For the copy key and the context menu.
    cells : Cells, optional
        What is shown at first.
    """

    intent = Signal(object)
    delegate_kind: type[CellDelegate] = CellDelegate

    def __init__(
        self,
        name: str,
        theme: Theme,
        formats: CopyFormats,
        parent: QWidget | None = None,
        cells: Cells | None = None,
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self.formats = formats
        self.cells = CellModel(self, cells)
        self.edit_with(self.delegate_kind(self))
        self.setModel(self.cells)
        self._hovered: Selection | None = None
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setCornerButtonEnabled(False)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def edit_with(self, delegate: CellDelegate) -> None:
        """Let cells be edited by another delegate."""
        self.delegate = delegate
        self.setItemDelegate(delegate)

    def selection_at(self, point: QPoint) -> Selection | None:
        """Return what is at a point of the viewport."""
        raise NotImplementedError

    def tooltip_at(self, point: QPoint) -> str:
        """Return the tooltip at a point of the viewport."""
        raise NotImplementedError

    def cell_rect(self, row: int, column: int) -> QRectF:
        """Return where a cell is painted in the viewport."""
        return QRectF(self.visualRect(self.cells.index(row, column)))

    def visible_rows(self, area: QRect | None = None) -> range:
        """Return the rows in view, or those that an area of the viewport touches."""
        area = area or self.viewport().rect()
        first, last = self.rowAt(area.top()), self.rowAt(area.bottom())
        return range(max(first, 0), self.cells.rowCount() if last < 0 else last + 1)

    def visible_columns(self) -> range:
        """Return the columns in view."""
        first, last = self.columnAt(0), self.columnAt(self.viewport().width() - 1)
        return range(max(first, 0), self.cells.columnCount() if last < 0 else last + 1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._tell_hover(self.selection_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        self._tell_hover(None)
        super().leaveEvent(event)

    def _tell_hover(self, selection: Selection | None) -> None:
        if selection != self._hovered:
            self._hovered = selection
            self.intent.emit(Hover(selection))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._tell_hover(None)
        elif event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tooltip_at(event.pos()), self.viewport())
            return True
        return super().viewportEvent(event)


class CellTable(TableView):
    """A table that shows a source and asks, by intents, for another selection.

    The selected cell is the current index, set by `show` alone: keys and clicks only ask.
    """

    offering = Signal(object, object)  # the context menu and its place, before it opens

    def __init__(
        self, name: str, theme: Theme, formats: CopyFormats, parent: QWidget | None = None
    ) -> None:
        super().__init__(name, theme, formats, parent)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)

    @property
    def is_picture(self) -> bool:
        """Whether cells are too small for numbers."""
        return False

    @property
    def source(self) -> Source | None:
        """What is shown."""
        source = self.cells.source
        return source if isinstance(source, Source) else None

    def show_source(self, source: Source) -> None:
        """Show the table of another frame."""
        self.theme = source.theme
        before = self.source
        if before is not None and only_selection_differs(before.frame, source.frame):
            fade(self.viewport())
        self.cells.show(source)
        self.prepare(source)
        row, column = source.place(source.frame.selection)
        index = self.cells.index(-1 if row is None else row, -1 if column is None else column)
        if index != self.currentIndex():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.repaint_for(source)
        self.delegate.follow()

    def prepare(self, source: Source) -> None:
        """Lay the table out for a source that it has just taken, before anything is painted."""

    def repaint_for(self, source: Source) -> None:
        """Have painted anew what the source may have changed."""
        self.viewport().update()

    def hit(self, point: QPoint) -> Place | None:
        """Return the cell, row or column at a point of the viewport; None beside the table."""
        index = self.indexAt(point)
        return (index.row(), index.column()) if index.isValid() else None

    def selected_rect(self) -> QRect:
        """Return where the selected cell lies in the viewport; empty where there is none."""
        return self.visualRect(self.currentIndex())

    # --- painting --------------------------------------------------------------------------------

    def paint_cells(
        self,
        painter: QPainter,
        rows: Iterable[int],
        columns: Sequence[int],
        text_of: Callable[[int, int], str],
        size: int,
    ) -> None:
        """Paint cells: numbers on their colours, or texts where the source has no colours."""
        source, theme = self.source, self.theme
        assert source is not None
        selected = source.place(source.frame.selection)
        for row in rows:
            for column in columns:
                rect, text = self.cell_rect(row, column), text_of(row, column)
                ink, weight = source.ink(row, column), 600 if (row, column) == selected else 400
                if source.heated:
                    fill = source.fill(row, column)
                    painting.draw_cell(painter, theme, rect, fill, text, ink, size, weight)
                    continue
                pair = source.paired(row, column)
                if pair is not None:
                    rect.setLeft(rect.left() + theme.px(painting.MARGIN))
                    painting.draw_pair(painter, theme, rect, pair, size, weight)
                    continue
                pad = theme.px(air) if (air := self.pad(source)) else 0
                rect = rect.adjusted(pad, 0, -pad, 0)
                if "\n" in text:
                    painting.draw_lines(painter, theme, text, rect, ink, size, weight)
                    continue
                if source.align == painting.LEFT:
                    text = painting.elided(theme, text, size, weight, int(rect.width()))
                draw_text(painter, theme, text, rect, ink, size, weight, source.align)
            if source.empty_row(row):
                ends = self.cell_rect(row, columns[0]), self.cell_rect(row, columns[-1])
                seen = ends[0].united(ends[1]).intersected(QRectF(self.viewport().rect()))
                painting.draw_blind(painter, theme, seen)

    def pad(self, source: Source) -> int:
        """Return the room beside a cell's text, px at 100 %."""
        return source.pad

    def mark_rect(self, row: int | None, column: int | None) -> QRectF | None:
        """Return what is outlined where a cell, a row or a column is pointed at."""
        raise NotImplementedError

    def paint_marks(self, painter: QPainter) -> None:
        """Outline what is hovered and what is selected."""
        source, least = self.source, _LEAST_MARK if self.is_picture else None
        assert source is not None
        for thing, width in (
            (source.frame.hover, painting.HOVERED),
            (source.frame.selection, painting.SELECTED),
        ):
            rect = self.mark_rect(*source.place(thing))
            if rect is not None:
                painting.draw_mark(painter, self.theme, rect, width, least)

    # --- mouse -----------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.source is not None:
            place = self.hit(event.position().toPoint())
            if place is not None:
                self.intent.emit(Select(self.source.selection(*place)))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if not self.delegate.double_clicked(event):
            self.mousePressEvent(event)

    def selection_at(self, point: QPoint) -> Selection | None:
        place = self.hit(point)
        if self.source is None or place is None:
            return None
        return self.source.selection(*place)

    def tooltip_at(self, point: QPoint) -> str:
        return self.tip_at(self.hit(point))

    def tip_at(self, place: Place | None) -> str:
        """Return the tooltip of a cell, a row's name or a column's name."""
        if place is None or self.source is None:
            return ""
        row, column = place
        if row is not None and column is not None:
            return plain_tip(self.source.tip(row, column))
        if row is not None:
            return plain_tip(self.source.row_tip(row))
        return plain_tip(self.source.column_tip(column)) if column is not None else ""

    # --- keyboard --------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.source is None or not all(self.source.shape):
            event.ignore()
        elif self.delegate.table_key(event):
            return
        elif event.matches(QKeySequence.StandardKey.Copy):
            copy_block(self.formats, *self.source.copied(), self.intent.emit)
        else:
            place = self._moved(self.source, event)
            if place is None:
                event.ignore()  # the window's own keys
            else:
                self.intent.emit(Select(self.source.selection(*place)))

    def focusNextPrevChild(self, forward: bool) -> bool:
        return self.delegate.tabbed(forward) or super().focusNextPrevChild(forward)

    def _moved(self, source: Source, event: QKeyEvent) -> Place | None:
        """Return where a key moves the selection to; None for any other key."""
        last_row, last_column = (count - 1 for count in source.shape)
        row, column = source.place(source.frame.selection)
        nothing = row is None and column is None
        key = event.key()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            ends = {Qt.Key.Key_Home: (0, 0), Qt.Key.Key_End: (last_row, last_column)}
            return ends.get(Qt.Key(key))
        down = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_PageUp: -_PAGE,
            Qt.Key.Key_PageDown: _PAGE,
        }.get(Qt.Key(key))
        if down is not None:
            if nothing:
                return 0, 0
            return 0 if row is None else min(max(row + down, 0), last_row), column
        if key not in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End):
            return None
        row = 0 if row is None else row
        if key == Qt.Key.Key_End:
            return row, last_column
        if key == Qt.Key.Key_Home or column is None:
            return row, 0
        return row, min(max(column + (1 if key == Qt.Key.Key_Right else -1), 0), last_column)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.source is None or not self.formats:
            return
        menu = copy_menu(self, self.formats, *self.source.copied(), self.intent.emit)
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        frame = self.source.frame
        place = self.hit(event.pos()) if by_mouse else self.source.place(frame.selection)
        copies = menu.actions()
        self.offering.emit(menu, place)
        if len(menu.actions()) > len(copies):
            menu.insertSeparator(copies[0])
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())


def put_first(menu: QMenu, action: QAction) -> None:
    """Add an action at the top of a menu."""
    others = menu.actions()
    if others:
        menu.insertAction(others[0], action)
    else:
        menu.addAction(action)
