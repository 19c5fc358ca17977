"""What the mouse and the keys do on the plane, turned into intents and camera moves."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from explorer.session import Frame, Selection, Space, Stage
from explorer.session.intents import Hover, MoveToken, Phase, Select, ShowStage
from explorer.text import _
from explorer.views.canvas.drawing import Drawing
from explorer.views.plane.camera import Camera
from explorer.views.plane.picking import Hit, PointHit, meaning, pick, stepped
from explorer.views.plane.relations import points_at
from explorer.views.plane.words import why_fixed

STEP = 0.05  # of Shift while dragging, and of Alt with an arrow key
_THRESHOLD = 3.0  # px before a press becomes a drag
_ZOOM = 1.2  # a wheel's notch or a key
_PAN = 48.0  # px a key
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
_TAKING = (
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.Wheel,
)


@dataclass(frozen=True)
class Scenery:
    """What the hand reaches into."""

    frame: Frame
    drawing: Drawing
    camera: Camera


@dataclass(frozen=True)
class _Press:
    """A pressed button: what lies under it, and how far the gesture has come."""

    at: QPointF
    hit: Hit | None
    last: QPointF
    panning: bool = False
    refused: bool = False


@dataclass(frozen=True)
class _Drag:
    """A token in the hand: where it was in the plane, where it is, and where it was gripped."""

    token: int
    start: tuple[float, float]
    grip: tuple[float, float]
    now: tuple[float, float]


class Hand(QObject):
    """Watches one widget's mouse and keys; it changes nothing but the cursor."""

    intent = Signal(object)
    camera_moved = Signal(object)  # a Camera
    fit_asked = Signal()
    taken = Signal()  # a press or the wheel: whatever moves by itself stops, and is shown so
    said = Signal(str)  # why something cannot be done; empty when the next thing is tried

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._scenery: Scenery | None = None
        self._press: _Press | None = None
        self._drag: _Drag | None = None
        self._hovered: Selection | None = None
        widget.installEventFilter(self)

    @property
    def busy(self) -> bool:
        """Whether a token is being dragged."""
        return self._drag is not None

    def reach_into(self, scenery: Scenery) -> None:
        """Take what is shown now."""
        self._scenery = scenery
        if self._drag is not None and self._drag.token >= len(scenery.frame.scene.tokens):
            self._drag = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle an event of the widget; True where it is used up."""
        scenery = self._scenery
        if scenery is None:
            return False
        kind = event.type()
        if kind in _TAKING:
            self.taken.emit()
            scenery = self._scenery or scenery
        if isinstance(event, QMouseEvent):
            return self._mouse(kind, event, scenery)
        if isinstance(event, QWheelEvent):
            return self._wheel(event, scenery)
        if isinstance(event, QKeyEvent):
            if kind == QEvent.Type.ShortcutOverride:
                return self._claim(event)
            return kind == QEvent.Type.KeyPress and self._key(event, scenery)
        if kind == QEvent.Type.Leave:
            self._hover(None)
        elif kind == QEvent.Type.Hide or (isinstance(event, QFocusEvent) and event.lostFocus()):
            self._cancel()
        return False

    # --- mouse -----------------------------------------------------------------------------------

    def _mouse(self, kind: QEvent.Type, event: QMouseEvent, scenery: Scenery) -> bool:
        at = event.position()
        if kind == QEvent.Type.MouseMove:
            self._move(at, event, scenery)
            return True
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        if kind == QEvent.Type.MouseButtonPress:
            self.said.emit("")
            self._press = _Press(at, pick(scenery.drawing, at.x(), at.y()), at)
        elif kind == QEvent.Type.MouseButtonRelease:
            self._release(scenery)
        elif kind == QEvent.Type.MouseButtonDblClick:
            hit = pick(scenery.drawing, at.x(), at.y())
            if hit is None:
                self.fit_asked.emit()
            else:
                self._press = _Press(at, hit, at)
        self._show_cursor(at, scenery)
        return True

    def _move(self, at: QPointF, event: QMouseEvent, scenery: Scenery) -> None:
        press = self._press
        if press is None or not event.buttons() & Qt.MouseButton.LeftButton:
            self._hover(meaning(pick(scenery.drawing, at.x(), at.y()), scenery.frame))
        elif self._drag is not None:
            self._drag_to(at, event, scenery)
        elif press.panning:
            step = at - press.last
            self._press = replace(press, last=at)
            self.camera_moved.emit(scenery.camera.panned(step.x(), step.y()))
        elif not press.refused and _length(at - press.at) >= _THRESHOLD:
            self._begin(press, at, event, scenery)
        self._show_cursor(at, scenery)

    def _begin(self, press: _Press, at: QPointF, event: QMouseEvent, scenery: Scenery) -> None:
        if not isinstance(press.hit, PointHit):
            step = at - press.at
            self._press = replace(press, panning=True, last=at)
            self.camera_moved.emit(scenery.camera.panned(step.x(), step.y()))
            return
        if press.hit.space is not Space.X:
            self._press = replace(press, refused=True)
            self.said.emit(why_fixed(press.hit.space, scenery.frame))
            return
        self._hover(None)
        token = press.hit.row
        start = _place(scenery.frame, token)
        x, y = scenery.camera.to_plane(press.at.x(), press.at.y())
        self._drag = _Drag(token, start, (x - start[0], y - start[1]), start)
        self.intent.emit(MoveToken(token, *start, Phase.BEGIN))
        if self._scenery is not None:
            self._drag_to(at, event, self._scenery)

    def _drag_to(self, at: QPointF, event: QMouseEvent, scenery: Scenery) -> None:
        drag = self._drag
        if drag is None:
            return
        x, y = scenery.camera.to_plane(at.x(), at.y())
        place = (x - drag.grip[0], y - drag.grip[1])
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            # Coordinates snap where they are the plane's own, else the way along the components.
            base = (0.0, 0.0) if scenery.frame.projection.exact else drag.start
            place = (base[0] + snapped(place[0] - base[0]), base[1] + snapped(place[1] - base[1]))
        if place != drag.now:
            self._drag = replace(drag, now=place)
            self.intent.emit(MoveToken(drag.token, *place, Phase.MOVE))

    def _release(self, scenery: Scenery) -> None:
        press, drag = self._press, self._drag
        self._press = self._drag = None
        if drag is not None:
            self.intent.emit(MoveToken(drag.token, *drag.now, Phase.END))
        elif press is not None and not press.panning and not press.refused:
            self._select(meaning(press.hit, scenery.frame), scenery.frame)

    def _cancel(self) -> bool:
        """Give a dragged token back; return whether there was one."""
        drag = self._drag
        self._press = self._drag = None
        if drag is None:
            return False
        self.intent.emit(MoveToken(drag.token, *drag.start, Phase.CANCEL))
        return True

    def _wheel(self, event: QWheelEvent, scenery: Scenery) -> bool:
        notches = event.angleDelta().y() / 120
        if notches and self._drag is None:
            at = event.position()
            self.camera_moved.emit(scenery.camera.zoomed(_ZOOM**notches, at.x(), at.y()))
        return True

    def _hover(self, thing: Selection | None) -> None:
        if thing != self._hovered:
            self._hovered = thing
            self.intent.emit(Hover(thing))

    def _select(self, thing: Selection | None, frame: Frame) -> None:
        if thing != frame.selection:
            self.intent.emit(Select(thing))

    def _show_cursor(self, at: QPointF, scenery: Scenery) -> None:
        shape = Qt.CursorShape.ArrowCursor
        if self._drag is not None or (self._press is not None and self._press.panning):
            shape = Qt.CursorShape.ClosedHandCursor
        else:
            hit = pick(scenery.drawing, at.x(), at.y())
            if isinstance(hit, PointHit) and hit.space is Space.X:
                shape = Qt.CursorShape.OpenHandCursor
            elif hit is not None:
                shape = Qt.CursorShape.PointingHandCursor
        if self._widget.cursor().shape() != shape:
            self._widget.setCursor(shape)

    # --- keys ------------------------------------------------------------------------------------

    def _claim(self, event: QKeyEvent) -> bool:
        """Keep keys that mean something here from the window's shortcuts."""
        mine = event.key() == Qt.Key.Key_Escape and self._drag is not None
        if mine or (event.key() in _ARROWS and _is_alt(event)):
            event.accept()
            return True
        return False

    def _key(self, event: QKeyEvent, scenery: Scenery) -> bool:
        key = Qt.Key(event.key())
        self.said.emit("")
        if self._drag is not None:
            return key == Qt.Key.Key_Escape and self._cancel()
        camera, frame = scenery.camera, scenery.frame
        if key in _ARROWS:
            return self._arrow(key, event, scenery)
        plain = not event.modifiers() & ~(
            Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
        )
        if not plain:
            return False
        if key == Qt.Key.Key_Escape:
            self._hover(None)
            self._select(None, frame)
        elif key == Qt.Key.Key_F:
            self.fit_asked.emit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            factor = 1 / _ZOOM if key == Qt.Key.Key_Minus else _ZOOM
            self.camera_moved.emit(camera.zoomed(factor, camera.width / 2, camera.height / 2))
        elif Qt.Key.Key_1 <= key <= Qt.Key.Key_7:
            self.intent.emit(ShowStage(list(Stage)[key - Qt.Key.Key_1]))
        else:
            return False
        return True

    def _arrow(self, key: Qt.Key, event: QKeyEvent, scenery: Scenery) -> bool:
        right, up = _ARROWS[key]
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.camera_moved.emit(scenery.camera.panned(-right * _PAN, up * _PAN))
        elif _is_alt(event):
            self._nudge(right * STEP, up * STEP, scenery.frame)
        else:
            self._select(stepped(scenery.frame, right, up), scenery.frame)
        return True

    def _nudge(self, dx: float, dy: float, frame: Frame) -> None:
        """Move the selected token of X by one step of the plane."""
        thing = points_at(frame.selection)
        if Space.X not in frame.look.spaces or thing is None or thing.query is None:
            self.said.emit(_("Select a point of X first, then move it."))
            return
        start = _place(frame, thing.query)
        x, y = tidied(start[0] + dx), tidied(start[1] + dy)
        self.intent.emit(MoveToken(thing.query, *start, Phase.BEGIN))
        self.intent.emit(MoveToken(thing.query, x, y, Phase.MOVE))
        self.intent.emit(MoveToken(thing.query, x, y, Phase.END))


def snapped(value: float) -> float:
    """Return the nearest multiple of `STEP`, without the last digits of a product."""
    return tidied(round(value / STEP) * STEP)


def tidied(value: float) -> float:
    """Return a number rounded far below what is shown, so that 0.1 + 0.05 is 0.15."""
    return float(np.round(value, 12))


def _place(frame: Frame, token: int) -> tuple[float, float]:
    x, y = frame.projection.project(frame.scene.X[token]).tolist()
    return x, y


def _length(step: QPointF) -> float:
    return float(np.hypot(step.x(), step.y()))


def _is_alt(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
