"""The brush of the mask: cells of A let queries attend to keys, or not."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu

from explorer.kit.guarded_filter import guarded_filter
from explorer.kit.heat.cells import CellTable, put_first
from explorer.kit.heat.sources import Place
from explorer.session import Frame
from explorer.session.intents import PaintMask, Phase
from explorer.text import _

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
