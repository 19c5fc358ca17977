"""An editor over a cell of a table: what opens and closes it is the same wherever one types."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit

from explorer.kit.guarded_filter import guarded_filter
from explorer.kit.heat.cells import CellTable
from explorer.kit.heat.sources import HeatSource, Place
from explorer.kit.theme import Theme
from explorer.session import Role
from explorer.session.intents import Select

_STARTS = "0123456789.,-−"  # what begins a number
# A menu over the editor, or another window, does not end the typing.
_PASSING = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
_WIDTH, _HEIGHT = 72, 28  # px at 100 %, at least
Pair = tuple[int, int]


class CellEditor(QObject):
    """Opens an editor over a cell, by a digit, F2 or a double click; Esc closes it.

    Subclasses say which cells can be typed into, what an editor begins with and is called, and
    what becomes of the text.
    """

    intent = Signal(object)

    def __init__(self, table: CellTable) -> None:
        super().__init__(table)
        self._table = table
        self._pair: Pair | None = None
        self._shown: object = None
        self.line: QLineEdit | None = None
        table.installEventFilter(self)
        table.viewport().installEventFilter(self)

    # --- what subclasses say ---------------------------------------------------------------------

    def may_open(self, source: HeatSource, pair: Pair) -> bool:
        """Return whether a cell can be typed into, having said why where it cannot."""
        raise NotImplementedError

    def here(self, source: HeatSource) -> Place:
        """Return the cell that keys are about."""
        return source.place(source.frame.selection)

    def begins_with(self, source: HeatSource, pair: Pair) -> str:
        """Return the text that an editor begins with."""
        return source.text(*pair)

    def name_of(self, source: HeatSource, pair: Pair) -> str:
        """Return the accessible name of the editor of a cell."""
        raise NotImplementedError

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Do what a key means in the open editor; return whether it means something."""
        raise NotImplementedError

    def left(self) -> None:
        """Do what becomes of the text where the person goes elsewhere."""
        self.close()

    def changed(self) -> None:
        """Do what follows from each letter."""

    # --- opening and closing ---------------------------------------------------------------------

    def follow(self) -> None:
        """Keep the editor on its cell; away with it where the table is another."""
        source = self.source
        if self.line is None or source is None:
            return
        if self._kind(source) != self._shown:
            self.close()
        else:
            self._place(source.theme)

    def close(self) -> None:
        """Close the editor, whatever stands in it."""
        if self.line is not None:
            line, self.line, self._pair = self.line, None, None
            line.removeEventFilter(self)
            focused = line.hasFocus()
            line.hide()
            line.deleteLater()
            if focused:
                self._table.setFocus()

    def open(self, place: Place | None, typed: str = "") -> bool:
        """Open the editor on a cell, if it can be typed into; return whether there is a cell."""
        source = self.source
        if source is None or place is None:
            return False
        row, column = place
        if row is None or column is None:
            return False
        pair = row, column
        self.close()
        self.intent.emit(Select(source.selection(*pair)))
        if not self.may_open(source, pair):
            return True
        self._pair, self._shown = pair, self._kind(source)
        self.line = QLineEdit(typed or self.begins_with(source, pair), self._table.viewport())
        self.line.setAccessibleName(self.name_of(source, pair))
        self.line.installEventFilter(self)
        self.line.textEdited.connect(self.changed)
        self.dress(source.theme, wrong=False)
        self._place(source.theme)
        self.line.show()
        self.line.setFocus()
        if not typed:
            self.line.selectAll()
        return True

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open by key or double click, and take the keys of the editor."""
        if watched is self.line and self.line is not None:
            return self._edited(event)
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return watched is self._table and self.table_key(event)
        if not isinstance(event, QMouseEvent) or watched is not self._table.viewport():
            return False
        twice = event.type() == QEvent.Type.MouseButtonDblClick
        if not twice or event.button() != Qt.MouseButton.LeftButton or self._painting:
            return False
        return self.open(self._table.hit(event.position().toPoint()))

    def table_key(self, event: QKeyEvent) -> bool:
        """Do what a key means in the table; return whether it means something."""
        source = self.source
        plain = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
        if source is None or event.modifiers() & ~plain:
            return False
        if event.key() == Qt.Key.Key_F2:
            return self.open(self.here(source))
        typed = event.text()
        return bool(typed) and typed in _STARTS and self.open(self.here(source), typed)

    @property
    def source(self) -> HeatSource | None:
        """What the table shows; None of another kind of table."""
        source = self._table.source
        return source if isinstance(source, HeatSource) else None

    # --- inside ----------------------------------------------------------------------------------

    def dress(self, theme: Theme, *, wrong: bool) -> None:
        """Give the editor its look: in the error colour where its text is none that can be."""
        assert self.line is not None
        edge = theme.palette.err if wrong else theme.palette.ink1
        self.line.setFont(theme.font(14))
        self.line.setStyleSheet(
            f"QLineEdit {{ background: {theme.palette.raised}; border: 2px solid {edge};"
            f" border-radius: {theme.px(4)}px; padding: 0 {theme.px(3)}px; }}"
        )

    def _edited(self, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent) and event.type() == QEvent.Type.FocusOut:
            if event.reason() not in _PASSING:
                self.left()
            return False
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            event.accept()  # Esc, digits and letters are the editor's
            return True
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.close()
            return True
        return self.key_pressed(event)

    def _place(self, theme: Theme) -> None:
        """Lay the editor over its cell, within the table."""
        if self.line is None or self._pair is None:
            return
        viewport = self._table.viewport()
        cell = self._table.visualRect(self._table.model().index(*self._pair))
        width = min(max(cell.width(), theme.px(_WIDTH)), viewport.width())
        height = min(max(cell.height(), theme.px(_HEIGHT)), viewport.height())
        rect = QRect(0, 0, width, height)
        rect.moveCenter(cell.center())
        rect.moveLeft(min(max(rect.left(), 0), viewport.width() - width))
        rect.moveTop(min(max(rect.top(), 0), viewport.height() - height))
        self.line.setGeometry(rect)

    @staticmethod
    def _kind(source: HeatSource) -> object:
        """Return what makes two tables the same as far as an open editor is concerned."""
        return source.frame.scene, source.frame.look.head, source.shape

    @property
    def _painting(self) -> bool:
        """Whether the mouse paints the mask here."""
        source = self.source
        return source is not None and source.role is Role.A and source.frame.look.painting
