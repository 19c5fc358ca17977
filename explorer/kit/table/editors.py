"""What is typed and painted into the cells of a table: wanted values, and the mask."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QMenu

from explorer.kit.guarded_filter import guarded_filter
from explorer.kit.table.sources import HeatSource, Place
from explorer.kit.table.titles import scaling_label
from explorer.kit.table.view import CellTable, put_first
from explorer.kit.theme import Theme
from explorer.session import Frame, Matrix, Role
from explorer.session.intents import AimCell, PaintMask, Phase, Select
from explorer.text import (
    N_,
    Ambiguous,
    Message,
    NotANumber,
    _,
    displayable,
    expected_instead,
    parse_number,
    plain_tip,
)

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
        self.apply_theme(source.theme, wrong=False)
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

    def apply_theme(self, theme: Theme, *, wrong: bool) -> None:
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


class TargetEditor(CellEditor):
    """Types into a cell what it is wanted to be; the context menu offers it as well.

    Enter asks for the change that gives the cell this value. A text that is no number stays,
    marked, and `said` tells what is expected; it also tells why a cell can be asked nothing.
    """

    said = Signal(object, object)  # a Message, or None for nothing any more; its query and key
    asked = Signal()  # before a wanted value is handed on

    def __init__(self, table: CellTable) -> None:
        super().__init__(table)
        table.offering.connect(self._offer)

    def close(self) -> None:
        """Close the editor, whatever stands in it."""
        was_open = self.line is not None
        super().close()
        if was_open:
            self.said.emit(None, None)

    def _offer(self, menu: QMenu, place: Place | None) -> None:
        if self.source is None or place is None or None in place:
            return
        action = QAction(_("Make this…"), menu)
        action.triggered.connect(lambda: self.open(place))
        put_first(menu, action)

    def may_open(self, source: HeatSource, pair: Pair) -> bool:
        reason = refusal(source.frame, source.role, *pair)
        self.said.emit(reason, pair)
        return reason is None

    def name_of(self, source: HeatSource, pair: Pair) -> str:
        return _("Wanted value of {table}, {pair}").format(
            table=source.role.value, pair=source.pair(*pair)
        )

    def key_pressed(self, event: QKeyEvent) -> bool:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        self._ask()
        return True

    def _ask(self) -> None:
        source, line, pair = self.source, self.line, self._pair
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
        self.apply_theme(theme, wrong=True)
        self.line.setToolTip(plain_tip(str(message)))
        self.line.setAccessibleDescription(displayable(str(message)))
        self.line.selectAll()
        self.said.emit(message, self._pair)

    def changed(self) -> None:
        source = self.source
        if source is not None:
            self.apply_theme(source.theme, wrong=False)
            self.said.emit(None, None)


_NEXT = 2  # px between the points that are looked at along a stroke

_Pair = tuple[int, int]


class Brush(QObject):
    """Paints the mask in a table of weights.

    While the look says so, a press turns the cell under it over, and dragging gives further cells
    the same; Esc gives the stroke up. The key M turns the selected cell over at any time.
    """

    intent = Signal(object)

    def __init__(self, table: CellTable) -> None:
        super().__init__(table)
        self._table = table
        self._painted: set[_Pair] | None = None  # while a stroke goes on
        self._may_attend = False
        self._last = QPoint()
        table.installEventFilter(self)
        table.viewport().installEventFilter(self)
        table.offering.connect(self._offer)

    def show(self, painting: bool) -> None:
        """Show by the pointer whether a press paints."""
        wanted = Qt.CursorShape.CrossCursor if painting else Qt.CursorShape.ArrowCursor
        if self._table.viewport().cursor().shape() != wanted:
            self._table.viewport().setCursor(wanted)

    @property
    def _frame(self) -> Frame | None:
        return None if self._table.source is None else self._table.source.frame

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what belongs to a stroke; the table has the rest."""
        if isinstance(event, QMouseEvent):
            return watched is self._table.viewport() and self._mouse(event)
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return watched is self._table and self._key(event)
        if event.type() == QEvent.Type.Hide and watched is self._table:
            self._end(Phase.END)
        return False

    def _mouse(self, event: QMouseEvent) -> bool:
        at = event.position().toPoint()
        left = event.button() == Qt.MouseButton.LeftButton
        match event.type():
            case QEvent.Type.MouseButtonPress | QEvent.Type.MouseButtonDblClick if left:
                return self._begin(at)
            case QEvent.Type.MouseMove if self._painted is not None:
                self._paint(at)
            case QEvent.Type.MouseButtonRelease if left and self._painted is not None:
                self._end(Phase.END)
                return True
        return False

    def _begin(self, at: QPoint) -> bool:
        frame = self._frame
        if frame is None or not frame.look.painting:
            return False
        pair = self._pair(self._table.hit(at))
        if pair is None:
            return False  # a name still selects its row or column
        self._may_attend, self._painted, self._last = frame.masked(*pair), {pair}, at
        self.intent.emit(PaintMask((pair,), self._may_attend, Phase.BEGIN))
        return True

    def _paint(self, at: QPoint) -> None:
        """Paint the cells that a straight line to a point newly comes to."""
        assert self._painted is not None
        way = at - self._last
        steps = max(way.manhattanLength() // _NEXT, 1)
        fresh = []
        for step in range(1, steps + 1):
            place = self._last + QPoint(way.x() * step // steps, way.y() * step // steps)
            pair = self._pair(self._table.hit(place))
            if pair is not None and pair not in self._painted:
                self._painted.add(pair)
                fresh.append(pair)
        self._last = at
        if fresh:
            self.intent.emit(PaintMask(tuple(fresh), self._may_attend, Phase.MOVE))

    def _end(self, phase: Phase) -> None:
        if self._painted is not None:
            self._painted = None
            self.intent.emit(PaintMask((), self._may_attend, phase))

    def _key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape and self._painted is not None:
            self._end(Phase.CANCEL)
            return True
        source = self._table.source
        if event.key() != Qt.Key.Key_M or event.modifiers() or source is None:
            return False
        pair = self._pair(source.place(source.frame.selection))
        if pair is None or self._painted is not None:
            return False
        if not event.isAutoRepeat():
            self._turn_over(pair)
        return True

    def _turn_over(self, pair: _Pair) -> None:
        frame = self._frame
        if frame is not None:
            may_attend = frame.masked(*pair)
            self.intent.emit(PaintMask((pair,), may_attend, Phase.BEGIN))
            self.intent.emit(PaintMask((), may_attend, Phase.END))

    def _offer(self, menu: QMenu, place: Place) -> None:
        pair, frame = self._pair(place), self._frame
        if pair is None or frame is None:
            return
        masked = frame.masked(*pair)
        action = QAction(_("Let the query attend to this key") if masked else _("Mask"), menu)
        action.triggered.connect(lambda: self._turn_over(pair))
        put_first(menu, action)

    @staticmethod
    def _pair(place: Place | None) -> _Pair | None:
        if place is None or place[0] is None or place[1] is None:
            return None
        return place[0], place[1]
