"""What the mouse and the keys do in the word graph, turned into intents and stances."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from explorer.kit.canvas.drawing import Drawing
from explorer.kit.guarded_filter import guarded_filter
from explorer.kit.plane.picking import Hit, PairHit, PointHit, pick
from explorer.rooms.train.graph.camera import Camera, Stance
from explorer.rooms.train.graph.graph_edges import Pointed, selection_of
from explorer.session.intents import Hover, Select
from explorer.session.look import CHAIN
from explorer.session.train import TrainFrame
from explorer.session.train.intents import HoverWord, SelectWord, ShowTrainStage

_THRESHOLD = 3.0  # px before a press becomes a drag
_TURN = 0.4  # degrees a pixel
_STEP = 5.0  # degrees a key
_ZOOM = 1.2  # a wheel's notch or a key
_PAN = 48.0  # px a key
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_NEXT = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_MINE = {*_ARROWS, *_NEXT, Qt.Key.Key_R, Qt.Key.Key_A, Qt.Key.Key_Plus, Qt.Key.Key_Minus}


@dataclass(frozen=True)
class Scenery:
    """What is drawn, and can be pointed at.

    Parameters
    ----------
    targets : Drawing
        What can be pointed at: the words, and the edges that have positions in the sample.
    solid : bool
        Whether it can be turned; a plane is moved instead.
    """

    frame: TrainFrame
    targets: Drawing
    stance: Stance
    camera: Camera
    solid: bool


@dataclass(frozen=True)
class _Press:
    """A pressed button: what lies under it, and how far the gesture has come."""

    at: QPointF
    hit: Hit | None
    last: QPointF
    pans: bool
    moved: bool = False


class Interaction(QObject):
    """Watches one widget's mouse and keys; it changes nothing but the cursor."""

    intent = Signal(object)
    stance_changed = Signal(object)  # a Stance
    pointed = Signal(object)  # a Pointed, or None
    let_go = Signal()  # a gesture that moved the graph has ended
    reset_asked = Signal()
    turn_asked = Signal()

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._scenery: Scenery | None = None
        self._press: _Press | None = None
        self._hovered: Pointed | None = None
        self._told = False  # whether others were told of the edge that is hovered,
        self._word_told: int | None = None  # and of which word
        self.spares_page_keys = False  # whether these turn something else's pages
        widget.installEventFilter(self)

    @property
    def busy(self) -> bool:
        """Whether the graph is being moved."""
        return self._press is not None and self._press.moved

    def show_scenery(self, scenery: Scenery | None) -> None:
        """Take what is shown now."""
        self._scenery = scenery

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle an event of the widget; True where it is used up."""
        scenery, kind = self._scenery, event.type()
        if scenery is None:
            return False
        if isinstance(event, QMouseEvent):
            return self._mouse(kind, event, scenery)
        if isinstance(event, QWheelEvent):
            notches, at = event.angleDelta().y() / 120, event.position()
            if notches:
                self._zoom(_ZOOM**notches, at.x(), at.y(), scenery)
            return True
        if isinstance(event, QKeyEvent):
            plain = not event.modifiers() & ~(_SHIFT | Qt.KeyboardModifier.KeypadModifier)
            if self.spares_page_keys and event.key() in _NEXT:
                return False
            if kind == QEvent.Type.ShortcutOverride and plain and event.key() in _MINE:
                event.accept()
                return True
            return kind == QEvent.Type.KeyPress and plain and self._key(event, scenery)
        if kind == QEvent.Type.Leave:
            self._hover(None, scenery)
        elif kind in (QEvent.Type.Hide, QEvent.Type.FocusOut):
            self._press = None
        return False

    # --- mouse -----------------------------------------------------------------------------------

    def _mouse(self, kind: QEvent.Type, event: QMouseEvent, scenery: Scenery) -> bool:
        at = event.position()
        if kind == QEvent.Type.MouseMove:
            if not event.buttons():
                self._press = None
            self._move(at, scenery)
            return True
        left = event.button() == Qt.MouseButton.LeftButton
        if not left and event.button() != Qt.MouseButton.MiddleButton:
            return False
        hit = pick(scenery.targets, at.x(), at.y())
        if kind == QEvent.Type.MouseButtonDblClick and left and hit is None:
            self.reset_asked.emit()
        elif kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            pans = not left or not scenery.solid or bool(event.modifiers() & _SHIFT)
            self._press = _Press(at, hit, at, pans)
        elif kind == QEvent.Type.MouseButtonRelease:
            self._release(left, scenery)
        self._show_cursor(at, scenery)
        return True

    def _move(self, at: QPointF, scenery: Scenery) -> None:
        press = self._press
        if press is None:
            hit = pick(scenery.targets, at.x(), at.y())
            self._hover(_pointed(hit), scenery)
        elif press.moved or _length(at - press.at) >= _THRESHOLD:
            self._hover(None, scenery)
            step = at - press.last
            self._press = replace(press, last=at, moved=True)
            if press.pans:
                stance = scenery.stance.panned(step.x(), step.y())
            else:
                stance = scenery.stance.turned(step.x() * _TURN, step.y() * _TURN)
            self.stance_changed.emit(stance)
        self._show_cursor(at, scenery)

    def _release(self, left: bool, scenery: Scenery) -> None:
        press, self._press = self._press, None
        if press is None:
            return
        if press.moved:
            self.let_go.emit()
        elif left:
            self._select(press.hit, scenery.frame)

    def _select(self, hit: Hit | None, frame: TrainFrame) -> None:
        if hit is None:
            self._clear(frame)
        elif isinstance(hit, PointHit):
            if hit.row != frame.word:
                self.intent.emit(SelectWord(hit.row))
        elif isinstance(hit, PairHit):
            thing = selection_of(frame, hit.query, hit.key)
            if thing is not None and thing != frame.selection:
                self.intent.emit(Select(thing))

    def _clear(self, frame: TrainFrame) -> None:
        if frame.word is not None:
            self.intent.emit(SelectWord(None))
        if frame.selection is not None:
            self.intent.emit(Select(None))

    def _hover(self, thing: Pointed | None, scenery: Scenery) -> None:
        """Say what is pointed at: the other views show it too."""
        if thing == self._hovered:
            return
        self._hovered = thing
        self.pointed.emit(thing)
        pair = None if thing is None else thing.pair
        word = None if thing is None or pair is not None else thing.query
        if word != self._word_told:
            self._word_told = word
            self.intent.emit(HoverWord(word))
        selection = None if pair is None else selection_of(scenery.frame, *pair)
        if selection is not None or self._told:
            self._told = selection is not None
            self.intent.emit(Hover(selection))

    def _zoom(self, factor: float, x: float, y: float, scenery: Scenery) -> None:
        stance, camera = scenery.stance, scenery.camera
        home_x, home_y = camera.x - stance.pan_x, camera.y - stance.pan_y
        self.stance_changed.emit(stance.zoomed(factor, x - home_x, y - home_y))

    def _show_cursor(self, at: QPointF, scenery: Scenery) -> None:
        shape = Qt.CursorShape.ArrowCursor
        if self.busy:
            shape = Qt.CursorShape.ClosedHandCursor
        elif pick(scenery.targets, at.x(), at.y()) is not None:
            shape = Qt.CursorShape.PointingHandCursor
        if self._widget.cursor().shape() != shape:
            self._widget.setCursor(shape)

    # --- keys ------------------------------------------------------------------------------------

    def _key(self, event: QKeyEvent, scenery: Scenery) -> bool:
        key, frame, stance = Qt.Key(event.key()), scenery.frame, scenery.stance
        if key in _ARROWS:
            right, down = _ARROWS[key]
            if scenery.solid and not event.modifiers() & _SHIFT:
                self.stance_changed.emit(stance.turned(right * _STEP, down * _STEP))
            else:
                self.stance_changed.emit(stance.panned(right * _PAN, down * _PAN))
        elif key in _NEXT:
            self.intent.emit(SelectWord(_next_word(frame, _NEXT[key])))
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            factor = 1 / _ZOOM if key == Qt.Key.Key_Minus else _ZOOM
            self._zoom(factor, self._widget.width() / 2, self._widget.height() / 2, scenery)
        elif key == Qt.Key.Key_R:
            self.reset_asked.emit()
        elif key == Qt.Key.Key_A:
            self.turn_asked.emit()
        elif key == Qt.Key.Key_Escape:
            self._hover(None, scenery)
            self._clear(frame)
        elif Qt.Key.Key_1 <= key <= Qt.Key.Key_7:
            self.intent.emit(ShowTrainStage(CHAIN[key - Qt.Key.Key_1]))
        else:
            return False
        return True


def _next_word(frame: TrainFrame, step: int) -> int:
    """Return the next word of the vocabulary, around its ends; the first where none is selected."""
    count = len(frame.vocabulary)
    if frame.word is None:
        return 0 if step > 0 else count - 1
    return (frame.word + step) % count


def _pointed(hit: Hit | None) -> Pointed | None:
    match hit:
        case PointHit():
            return Pointed(query=hit.row)
        case PairHit():
            return Pointed(hit.query, hit.key)
        case _:
            return None


def _length(step: QPointF) -> float:
    return float((step.x() ** 2 + step.y() ** 2) ** 0.5)
