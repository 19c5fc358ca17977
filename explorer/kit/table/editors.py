"""What is typed and painted into the cells of a table: wanted values, and the mask."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget

from explorer.kit.small_inputs import mark_wrong
from explorer.kit.table.delegate import ENTER, CellDelegate
from explorer.kit.table.model import Index
from explorer.kit.table.sources import HeatSource, Place
from explorer.kit.table.titles import scaling_label
from explorer.kit.table.view import CellTable, put_first
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


class SourceEditor(CellDelegate):
    """Opens an editor over a cell of a source, by a digit, F2 or a double click.

    Subclasses say which cells can be typed into, what an editor is called, and what becomes of
    the text.
    """

    table: CellTable
    shape = "rounded"

    def __init__(self, table: CellTable) -> None:
        super().__init__(table)
        self._opened_on: object = None

    def may_open(self, source: HeatSource, pair: Pair) -> bool:
        """Return whether a cell can be typed into, having said why where it cannot."""
        return source.editable(*pair)

    def here(self, source: HeatSource) -> Place:
        """Return the cell that keys are about."""
        return source.place(source.frame.selection)

    @property
    def source(self) -> HeatSource | None:
        """What the table shows; None of another kind of table."""
        source = self.table.source
        return source if isinstance(source, HeatSource) else None

    def follow(self) -> None:
        """Keep the editor on its cell; away with it where the table is another."""
        source = self.source
        if self.line is not None and source is not None:
            if _kind(source) != self._opened_on:
                self.close()
            else:
                self.table.updateEditorGeometries()

    def open(self, place: Place | None, typed: str = "") -> bool:
        """Open the editor on a cell, if it can be typed into; return whether there is a cell."""
        source = self.source
        if source is None or place is None:
            return False
        row, column = place
        if row is None or column is None:
            return False
        self.close()
        self.table.intent.emit(Select(source.selection(row, column)))
        if self.may_open(source, (row, column)):
            self._opened_on = _kind(source)
            self.table.edit(self.table.cells.index(row, column))
            if typed and self.line is not None:
                self.line.insert(typed)
        return True

    def double_clicked(self, event: QMouseEvent) -> bool:
        left = event.button() == Qt.MouseButton.LeftButton
        return left and self.open(self.table.hit(event.position().toPoint()))

    def table_key(self, event: QKeyEvent) -> bool:
        source = self.source
        plain = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
        if source is None or event.modifiers() & ~plain:
            return False
        if event.key() == Qt.Key.Key_F2:
            return self.open(self.here(source))
        typed = event.text()
        return bool(typed) and typed in _STARTS and self.open(self.here(source), typed)

    def editor_rect(self, editor: QLineEdit, cell: QRect, index: Index) -> QRect:
        px = self.table.theme.px
        rect = QRect(0, 0, max(cell.width(), px(_WIDTH)), max(cell.height(), px(_HEIGHT)))
        rect.moveCenter(cell.center())
        return rect

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        passing = isinstance(event, QFocusEvent) and event.reason() in _PASSING
        return not passing and super().eventFilter(watched, event)


def _kind(source: HeatSource) -> object:
    """Return what makes two tables the same as far as an open editor is concerned."""
    return source.frame.scene, source.frame.look.head, source.shape


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


class TargetEditor(SourceEditor):
    """Types into a cell what it is wanted to be; the context menu offers it as well.

    Enter asks for the change that gives the cell this value. A text that is no number stays,
    marked, and `said` tells what is expected; it also tells why a cell can be asked nothing.
    """

    said = Signal(object, object)  # a Message, or None for nothing any more; its query and key
    asked = Signal()  # before a wanted value is handed on

    def __init__(self, table: CellTable) -> None:
        super().__init__(table)
        table.offering.connect(self._offer)

    def destroyEditor(self, editor: QWidget, index: Index) -> None:
        super().destroyEditor(editor, index)
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

    def name_of(self, index: Index) -> str:
        source = self.source
        assert source is not None
        return _("Wanted value of {table}, {pair}").format(
            table=source.role.value, pair=source.pair(index.row(), index.column())
        )

    def key_pressed(self, event: QKeyEvent) -> bool:
        source, line = self.source, self.line
        if event.key() not in ENTER or source is None or line is None:
            return False
        self._ask(source, line.text())
        return True

    def setModelData(self, editor: QWidget, _model: object, index: Index) -> None:
        """Ask for nothing where the person goes elsewhere."""

    def _ask(self, source: HeatSource, text: str) -> None:
        try:
            parse_number(text)
        except Ambiguous:
            pass  # the person is asked which of its readings is meant
        except NotANumber as wrong:
            self._refuse(expected_instead(wrong))
            return
        aiming = source.frame.aiming
        moves = Matrix.X if aiming is None else aiming.moves
        weight = source.role is Role.A
        self.close()
        self.asked.emit()
        self.table.intent.emit(AimCell(*self.pair, text, weight, moves))

    def _refuse(self, message: Message) -> None:
        assert self.line is not None
        mark_wrong(self.line, True)
        self.line.setToolTip(plain_tip(str(message)))
        self.line.setAccessibleDescription(displayable(str(message)))
        self.line.selectAll()
        self.said.emit(message, self.pair)

    def changed(self, text: str) -> None:
        if self.line is not None:
            mark_wrong(self.line, False)
            self.said.emit(None, None)


_NEXT = 2  # px between the points that are looked at along a stroke


class Brush(QObject):
    """Paints the mask in a table of weights.

    While the look says so, a press turns the cell under it over, and dragging gives further cells
    the same; Esc gives the stroke up. The key M turns the selected cell over at any time.
    """

    def __init__(self, table: CellTable) -> None:
        super().__init__(table)
        self._table = table
        self._painted: set[Pair] | None = None  # while a stroke goes on
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
        self._table.intent.emit(PaintMask((pair,), self._may_attend, Phase.BEGIN))
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
            self._table.intent.emit(PaintMask(tuple(fresh), self._may_attend, Phase.MOVE))

    def _end(self, phase: Phase) -> None:
        if self._painted is not None:
            self._painted = None
            self._table.intent.emit(PaintMask((), self._may_attend, phase))

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

    def _turn_over(self, pair: Pair) -> None:
        frame = self._frame
        if frame is not None:
            may_attend = frame.masked(*pair)
            self._table.intent.emit(PaintMask((pair,), may_attend, Phase.BEGIN))
            self._table.intent.emit(PaintMask((), may_attend, Phase.END))

    def _offer(self, menu: QMenu, place: Place) -> None:
        pair, frame = self._pair(place), self._frame
        if pair is None or frame is None:
            return
        masked = frame.masked(*pair)
        action = QAction(_("Let the query attend to this key") if masked else _("Mask"), menu)
        action.triggered.connect(lambda: self._turn_over(pair))
        put_first(menu, action)

    @staticmethod
    def _pair(place: Place | None) -> Pair | None:
        if place is None or place[0] is None or place[1] is None:
            return None
        return place[0], place[1]
