"""What the mouse and the keys do in the word graph, turned into intents and stances."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from explorer.kit.canvas.drawing import Drawing
from explorer.kit.canvas.interaction import (
    PAN,
    SHIFT,
    CanvasInteraction,
    is_drag,
    is_plain,
    stage_of_key,
)
from explorer.kit.painted import ARROWS
from explorer.kit.plane.picking import Hit, PairHit, PointHit, pick
from explorer.rooms.train.graph.camera import OrbitCamera, Stance
from explorer.rooms.train.graph.graph_edges import Pointed, selection_of
from explorer.session.intents import Hover, Select
from explorer.session.train import TrainFrame
from explorer.session.train.intents import ChangeTrainLook, HoverWord, SelectWord, ShowTrainStage

_TURN = 0.4  # degrees a pixel
_STEP = 5.0  # degrees a key
_NEXT = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}
_MINE = {
    *ARROWS,
    *_NEXT,
    Qt.Key.Key_R,
    Qt.Key.Key_A,
    Qt.Key.Key_O,
    Qt.Key.Key_Plus,
    Qt.Key.Key_Minus,
}


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
    camera: OrbitCamera
    solid: bool


@dataclass(frozen=True)
class _Press:
    """A pressed button: what lies under it, and how far the gesture has come."""

    at: QPointF
    hit: Hit | None
    last: QPointF
    pans: bool
    moved: bool = False


class Interaction(CanvasInteraction[Scenery]):
    """Selects words and edges, and turns or moves the graph."""

    stance_changed = Signal(object)  # a Stance
    pointed = Signal(object)  # a Pointed, or None
    released = Signal()  # a gesture that moved the graph has ended
    reset_asked = Signal()
    turn_asked = Signal()

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._press: _Press | None = None
        self._hovered: Pointed | None = None
        self._told = False  # whether others were told of the edge that is hovered,
        self._word_told: int | None = None  # and of which word
        self.spares_page_keys = False  # whether these turn something else's pages

    @property
    def busy(self) -> bool:
        """Whether the graph is being moved."""
        return self._press is not None and self._press.moved

    def show_scenery(self, scenery: Scenery | None) -> None:
        """Take what is shown now."""
        self._scenery = scenery

    def cancel(self) -> bool:
        """Leave the graph where it is."""
        busy, self._press = self.busy, None
        return busy

    # --- mouse -----------------------------------------------------------------------------------

    def handle_mouse(self, kind: QEvent.Type, event: QMouseEvent, scenery: Scenery) -> bool:
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
            pans = not left or not scenery.solid or bool(event.modifiers() & SHIFT)
            self._press = _Press(at, hit, at, pans)
        elif kind == QEvent.Type.MouseButtonRelease:
            self._release(left, scenery)
        self._show_cursor(at, scenery)
        return True

    def _move(self, at: QPointF, scenery: Scenery) -> None:
        press = self._press
        if press is None:
            hit = pick(scenery.targets, at.x(), at.y())
            self.hover(_pointed(hit))
        elif press.moved or is_drag(at - press.at):
            self.hover(None)
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
            self.released.emit()
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

    def hover(self, thing: Pointed | None) -> None:
        """Say what is pointed at: the other views show it too."""
        scenery = self._scenery
        if thing == self._hovered or scenery is None:
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

    def zoom(self, factor: float, x: float, y: float, scenery: Scenery) -> None:
        """Enlarge about a pixel."""
        stance, camera = scenery.stance, scenery.camera
        home_x, home_y = camera.x - stance.pan_x, camera.y - stance.pan_y
        self.stance_changed.emit(stance.zoomed(factor, x - home_x, y - home_y))

    def _show_cursor(self, at: QPointF, scenery: Scenery) -> None:
        shape = Qt.CursorShape.ArrowCursor
        if self.busy:
            shape = Qt.CursorShape.ClosedHandCursor
        elif pick(scenery.targets, at.x(), at.y()) is not None:
            shape = Qt.CursorShape.PointingHandCursor
        self.show_cursor(shape)

    # --- keys ------------------------------------------------------------------------------------

    def claims(self, event: QKeyEvent) -> bool:
        """Return whether a key turns or moves the graph, or selects a word."""
        return is_plain(event) and event.key() in _MINE and not self._spares(event)

    def _spares(self, event: QKeyEvent) -> bool:
        return self.spares_page_keys and event.key() in _NEXT

    def handle_key(self, event: QKeyEvent, scenery: Scenery) -> bool:
        """Turn, move, select, or go to a stage."""
        if not is_plain(event) or self._spares(event):
            return False
        key, frame, stance = Qt.Key(event.key()), scenery.frame, scenery.stance
        if key in ARROWS:
            down, right = ARROWS[key]
            if scenery.solid and not event.modifiers() & SHIFT:
                self.stance_changed.emit(stance.turned(right * _STEP, down * _STEP))
            else:
                self.stance_changed.emit(stance.panned(right * PAN, down * PAN))
        elif key in _NEXT:
            self.intent.emit(SelectWord(_next_word(frame, _NEXT[key])))
        elif key == Qt.Key.Key_R:
            self.reset_asked.emit()
        elif key == Qt.Key.Key_A:
            self.turn_asked.emit()
        elif key == Qt.Key.Key_O:
            self.intent.emit(ChangeTrainLook({"others": not frame.shows_others}))
        elif key == Qt.Key.Key_Escape:
            self.hover(None)
            self._clear(frame)
        elif (stage := stage_of_key(key)) is not None:
            self.intent.emit(ShowTrainStage(stage))
        else:
            return self.zoom_by_key(key, scenery)
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
