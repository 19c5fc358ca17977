"""Typing into a cell of S or A what it is wanted to be."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QMenu

from explorer.session import Frame, Matrix, Role
from explorer.session.intents import AimCell, Select
from explorer.text import (
    N_,
    Ambiguous,
    Message,
    NotANumber,
    _,
    displayable,
    expected_instead,
    parse_number,
)
from explorer.views.results.cells import CellTable, put_first
from explorer.views.results.painting import plain_tip
from explorer.views.results.sources import HeatSource, Place
from explorer.views.results.wording import scaling_label
from explorer.views.surviving import surviving
from explorer.views.theme import Theme

_STARTS = "0123456789.,-−"  # what begins a number
# A menu over the editor, or another window, does not end the typing.
_PASSING = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
_WIDTH, _HEIGHT = 72, 28  # px at 100 %, at least

_SCALED = Message(
    N_("Scaled scores follow from QKᵀ: switch to QKᵀ above, and type the wanted score there.")
)
_AVERAGED = Message(
    N_("This is the mean of all heads: choose one head above to say what its weight should be.")
)
_MASKED = Message(N_("This key is masked for the query: its weight stays 0."))


def refusal(frame: Frame, role: Role, query: int, key: int) -> Message | None:
    """Return why no value can be asked of a cell; None where one can."""
    if role is Role.S:
        # Without a scale, a temperature and a mask the scaled scores are the raw ones.
        return _SCALED if frame.look.scaled and scaling_label(frame) is not None else None
    if frame.averaged:
        return _AVERAGED
    return _MASKED if frame.masked(query, key) else None


class TargetEditor(QObject):
    """Opens an editor over a cell: by a digit, F2, a double click or the context menu.

    Enter asks for the change that gives the cell this value. A text that is no number stays,
    marked, and `said` tells what is expected; it also tells why a cell can be asked nothing.
    """

    intent = Signal(object)
    said = Signal(object, object)  # a Message, or None for nothing any more; its query and key
    asked = Signal()  # before a wanted value is handed on

    def __init__(self, table: CellTable) -> None:
        super().__init__(table)
        self._table = table
        self._pair: tuple[int, int] | None = None
        self._shown: object = None
        self.line: QLineEdit | None = None
        table.installEventFilter(self)
        table.viewport().installEventFilter(self)
        table.offering.connect(self._offer)

    def follow(self) -> None:
        """Keep the editor on its cell; away with it where the table is another."""
        source = self._source
        if self.line is None or source is None:
            return
        frame = source.frame
        if (frame.scene, frame.look.head, source.shape) != self._shown:
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
            self.said.emit(None, None)
            if focused:
                self._table.setFocus()

    # --- opening ---------------------------------------------------------------------------------

    @surviving
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open by key or double click, and take Enter and Esc of the editor."""
        if watched is self.line and self.line is not None:
            return self._edited(event)
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return watched is self._table and self._key(event)
        if not isinstance(event, QMouseEvent) or watched is not self._table.viewport():
            return False
        twice = event.type() == QEvent.Type.MouseButtonDblClick
        if not twice or event.button() != Qt.MouseButton.LeftButton or self._painting:
            return False
        return self.open(self._table.hit(event.position().toPoint()))

    def _key(self, event: QKeyEvent) -> bool:
        source = self._source
        plain = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
        if source is None or event.modifiers() & ~plain:
            return False
        place = source.place(source.frame.selection)
        if event.key() == Qt.Key.Key_F2:
            return self.open(place)
        typed = event.text()
        return bool(typed) and typed in _STARTS and self.open(place, typed)

    def _offer(self, menu: QMenu, place: Place | None) -> None:
        if self._source is None or place is None or None in place:
            return
        action = QAction(_("Make this…"), menu)
        action.triggered.connect(lambda: self.open(place))
        put_first(menu, action)

    def open(self, place: Place | None, typed: str = "") -> bool:
        """Open the editor on a cell, or say why it cannot be; return whether there is a cell."""
        source = self._source
        if source is None or place is None:
            return False
        query, key = place
        if query is None or key is None:
            return False
        self.close()
        self.intent.emit(Select(source.selection(query, key)))
        reason = refusal(source.frame, source.role, query, key)
        self.said.emit(reason, (query, key))
        if reason is not None:
            return True
        text = typed or source.text(query, key)
        self._pair = query, key
        self._shown = source.frame.scene, source.frame.look.head, source.shape
        self.line = QLineEdit(text, self._table.viewport())
        self.line.setAccessibleName(
            _("Wanted value of {table}, {pair}").format(
                table=source.role.value, pair=source.pair(query, key)
            )
        )
        self.line.installEventFilter(self)
        self.line.textEdited.connect(self._forget)
        self._dress(source.theme, wrong=False)
        self._place(source.theme)
        self.line.show()
        self.line.setFocus()
        if not typed:
            self.line.selectAll()
        return True

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

    def _dress(self, theme: Theme, *, wrong: bool) -> None:
        assert self.line is not None
        edge = theme.palette.err if wrong else theme.palette.ink1
        self.line.setFont(theme.font(14))
        self.line.setStyleSheet(
            f"QLineEdit {{ background: {theme.palette.raised}; border: 2px solid {edge};"
            f" border-radius: {theme.px(4)}px; padding: 0 {theme.px(3)}px; }}"
        )

    # --- what is typed ---------------------------------------------------------------------------

    def _edited(self, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent) and event.type() == QEvent.Type.FocusOut:
            if event.reason() not in _PASSING:
                self.close()
            return False
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            event.accept()  # Esc, digits and letters are the editor's
            return True
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.close()
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._ask()
            return True
        return False

    def _ask(self) -> None:
        source, line, pair = self._source, self.line, self._pair
        if source is None or line is None or pair is None:
            return
        text = line.text()
        try:
            parse_number(text)
        except Ambiguous:
            pass  # the person is asked which of its readings is meant
        except NotANumber as wrong:
            self._refuse(source.theme, expected_instead(wrong))
            return
        aiming = source.frame.aiming
        moves = Matrix.X if aiming is None else aiming.moves
        weight = source.role is Role.A
        self.close()
        self.asked.emit()
        self.intent.emit(AimCell(*pair, text, weight, moves))

    def _refuse(self, theme: Theme, message: Message) -> None:
        assert self.line is not None
        self._dress(theme, wrong=True)
        self.line.setToolTip(plain_tip(str(message)))
        self.line.setAccessibleDescription(displayable(str(message)))
        self.line.selectAll()
        self.said.emit(message, self._pair)

    def _forget(self) -> None:
        source = self._source
        if source is not None:
            self._dress(source.theme, wrong=False)
            self.said.emit(None, None)

    @property
    def _painting(self) -> bool:
        """Whether the mouse paints the mask here."""
        source = self._source
        return source is not None and source.role is Role.A and source.frame.look.painting

    @property
    def _source(self) -> HeatSource | None:
        source = self._table.source
        return source if isinstance(source, HeatSource) else None
