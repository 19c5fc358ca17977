"""What the mouse and the keys do on the plane, turned into intents and camera moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
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
from explorer.kit.canvas.widget import NameList
from explorer.kit.painted import ARROWS
from explorer.kit.plane.basis import Basis, bases
from explorer.kit.plane.camera import Camera
from explorer.kit.plane.picking import BasisHit, Hit, PairHit, PointHit, meaning, pick, stepped
from explorer.kit.plane.relations import focus
from explorer.kit.plane.words import point_names, why_fixed
from explorer.session import Frame, Matrix, Selection, Space
from explorer.session.intents import (
    Hover,
    MovePoint,
    MoveToken,
    Phase,
    Select,
    ShapeMatrix,
    ShowStage,
)
from explorer.text import _


class PointList(NameList):
    """One item a point, in the order of `point_names`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(_("Points of the plane"), parent)
        self._shown: tuple[object, ...] = ()

    def show_points(self, frame: Frame) -> None:
        """Name the points of a frame soon; items that stay the same are left alone."""
        shown = (frame.attention, frame.projection, frame.scene, frame.look.shown)
        if _same(shown, self._shown):
            return
        self._shown = shown
        self.name_soon(partial(point_names, frame))


def _same(a: tuple[object, ...], b: tuple[object, ...]) -> bool:
    return len(a) == len(b) and all(x is y for x, y in zip(a, b, strict=True))


_DECIMALS = 3  # of what is dragged
Place = tuple[float, float]


@dataclass(frozen=True)
class _Held:
    """A dragged vector: its W at the start, where it was gripped, and its row now."""

    basis: Basis
    row: int
    grip: Place
    now: Place


class BasisInteraction:
    """One gesture after another, each from taking a basis vector to letting it go.

    Parameters
    ----------
    emit : callable
        Takes the intents.
    snap : callable
        Rounds a coordinate to a step.
    """

    def __init__(self, emit: Callable[[object], None], snap: Callable[[float], float]) -> None:
        self._emit = emit
        self._snap = snap
        self._held: _Held | None = None

    @property
    def busy(self) -> bool:
        """Whether a basis vector is being dragged."""
        return self._held is not None

    def take(self, matrix: Matrix, row: int, at: Place, frame: Frame) -> None:
        """Take hold of a basis vector at a point of the plane."""
        basis = next((each for each in bases(frame) if each.matrix is matrix), None)
        if basis is None:
            return
        x, y = basis.tips[row].tolist()
        now = basis.W[row, 0].item(), basis.W[row, 1].item()
        self._held = _Held(basis, row, (at[0] - x, at[1] - y), now)
        self._say(Phase.BEGIN)

    def drag_to(self, at: Place, *, snapping: bool) -> None:
        """Let the vector end at the pointer, or at the nearest step from the origin."""
        held = self._held
        if held is None:
            return
        origin = held.basis.origin.tolist()
        x, y = (at[n] - held.grip[n] - origin[n] for n in (0, 1))
        now = (self._snap(x), self._snap(y)) if snapping else _rounded(x, y)
        if now != held.now:
            self._held = replace(held, now=now)
            self._say(Phase.MOVE)

    def release(self) -> bool:
        """End the gesture; return whether there was one."""
        return self._end(Phase.END)

    def give_back(self) -> bool:
        """Take the gesture back; return whether there was one."""
        return self._end(Phase.CANCEL)

    def show_scenery(self, frame: Frame) -> None:
        """Let go of what is no more."""
        if self._held is not None and all(
            each.matrix is not self._held.basis.matrix for each in bases(frame)
        ):
            self._held = None

    def _end(self, phase: Phase) -> bool:
        busy = self.busy
        if busy:
            self._say(phase)
        self._held = None
        return busy

    def _say(self, phase: Phase) -> None:
        held = self._held
        assert held is not None
        rows = held.basis.W.tolist()
        if phase is not Phase.CANCEL:
            rows[held.row] = list(held.now)
        values = tuple(tuple(row) for row in rows)
        self._emit(ShapeMatrix(held.basis.matrix, held.basis.head, values, phase))


def _rounded(x: float, y: float) -> Place:
    nearest = np.round((x, y), _DECIMALS)
    return float(nearest[0]), float(nearest[1])


STEP = 0.05  # of Shift while dragging, and of Alt with an arrow key
_TAKING = (
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.Wheel,
)


@dataclass(frozen=True)
class Scenery:
    """What is drawn, and can be pointed at."""

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
    """A dragged point: where it was in the plane, where it is, and where it was gripped."""

    space: Space
    row: int
    start: tuple[float, float]
    grip: tuple[float, float]
    now: tuple[float, float]


class Interaction(CanvasInteraction[Scenery]):
    """Selects, drags and nudges points and basis vectors, and moves the camera."""

    camera_moved = Signal(object)  # a Camera
    fit_asked = Signal()
    taken = Signal()  # a press or the wheel: whatever moves by itself stops, and is shown so
    said = Signal(str)  # why something cannot be done; empty when the next thing is tried

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._press: _Press | None = None
        self._drag: _Drag | None = None
        self._basis = BasisInteraction(self.intent.emit, snapped)
        self._hovered: Selection | None = None

    @property
    def busy(self) -> bool:
        """Whether a token or a basis vector is being dragged."""
        return self._drag is not None or self._basis.busy

    def show_scenery(self, scenery: Scenery) -> None:
        """Take what is shown now."""
        self._scenery = scenery
        self._basis.show_scenery(scenery.frame)
        drag = self._drag
        if drag is not None and drag.row >= len(scenery.frame.names(drag.space)):
            self._drag = None
        if self._press is not None and not _is_there(self._press.hit, scenery.frame):
            self._press = None

    def begin(self, kind: QEvent.Type) -> None:
        """Stop what moves by itself before a press or the wheel."""
        if kind in _TAKING:
            self.taken.emit()

    # --- mouse -----------------------------------------------------------------------------------

    def handle_mouse(self, kind: QEvent.Type, event: QMouseEvent, scenery: Scenery) -> bool:
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
            self.hover(meaning(pick(scenery.drawing, at.x(), at.y()), scenery.frame))
        elif self._drag is not None:
            self._drag_to(at, event, scenery)
        elif self._basis.busy:
            shift = bool(event.modifiers() & SHIFT)
            self._basis.drag_to(scenery.camera.to_plane(at.x(), at.y()), snapping=shift)
        elif press.panning:
            step = at - press.last
            self._press = replace(press, last=at)
            self.camera_moved.emit(scenery.camera.panned(step.x(), step.y()))
        elif not press.refused and is_drag(at - press.at):
            self._begin(press, at, event, scenery)
        self._show_cursor(at, scenery)

    def _begin(self, press: _Press, at: QPointF, event: QMouseEvent, scenery: Scenery) -> None:
        if isinstance(press.hit, BasisHit):
            self.hover(None)
            place = scenery.camera.to_plane(press.at.x(), press.at.y())
            self._basis.take(press.hit.matrix, press.hit.row, place, scenery.frame)
            self._move(at, event, self._scenery or scenery)
            return
        if not isinstance(press.hit, PointHit):
            step = at - press.at
            self._press = replace(press, panning=True, last=at)
            self.camera_moved.emit(scenery.camera.panned(step.x(), step.y()))
            return
        space, row = press.hit
        if (reason := why_fixed(scenery.frame, space)) is not None:
            self._press = replace(press, refused=True)
            self.said.emit(reason)
            return
        self.hover(None)
        start = _place(scenery.frame, space, row)
        x, y = scenery.camera.to_plane(press.at.x(), press.at.y())
        self._drag = _Drag(space, row, start, (x - start[0], y - start[1]), start)
        self._ask(space, row, start, Phase.BEGIN)
        if self._scenery is not None:
            self._drag_to(at, event, self._scenery)

    def _drag_to(self, at: QPointF, event: QMouseEvent, scenery: Scenery) -> None:
        drag = self._drag
        if drag is None:
            return
        x, y = scenery.camera.to_plane(at.x(), at.y())
        place = (x - drag.grip[0], y - drag.grip[1])
        if event.modifiers() & SHIFT:
            # Coordinates snap where they are the plane's own, else the way along the components.
            base = (0.0, 0.0) if scenery.frame.projection.exact else drag.start
            place = (base[0] + snapped(place[0] - base[0]), base[1] + snapped(place[1] - base[1]))
        if place != drag.now:
            self._drag = replace(drag, now=place)
            self._ask(drag.space, drag.row, place, Phase.MOVE)

    def _release(self, scenery: Scenery) -> None:
        press, drag = self._press, self._drag
        self._press = self._drag = None
        if drag is not None:
            self._ask(drag.space, drag.row, drag.now, Phase.END)
        elif self._basis.release() or press is None or isinstance(press.hit, BasisHit):
            return
        elif not press.panning and not press.refused:
            self._select(meaning(press.hit, scenery.frame), scenery.frame)

    def cancel(self) -> bool:
        """Give a dragged point back; return whether there was one."""
        drag = self._drag
        self._press = self._drag = None
        if drag is None:
            return self._basis.give_back()
        self._ask(drag.space, drag.row, drag.start, Phase.CANCEL)
        return True

    def _ask(self, space: Space, row: int, place: tuple[float, float], phase: Phase) -> None:
        """Ask for a point to be moved."""
        if space is Space.X:
            self.intent.emit(MoveToken(row, *place, phase))
        else:
            self.intent.emit(MovePoint(space, row, *place, phase))

    def zoom(self, factor: float, x: float, y: float, scenery: Scenery) -> None:
        """Enlarge about a pixel, but while something is dragged."""
        if not self.busy:
            self.camera_moved.emit(scenery.camera.zoomed(factor, x, y))

    def hover(self, thing: Selection | None) -> None:
        """Say, once, what is pointed at."""
        if thing != self._hovered:
            self._hovered = thing
            self.intent.emit(Hover(thing))

    def _select(self, thing: Selection | None, frame: Frame) -> None:
        if thing != frame.selection:
            self.intent.emit(Select(thing))

    def _show_cursor(self, at: QPointF, scenery: Scenery) -> None:
        shape = Qt.CursorShape.ArrowCursor
        if self.busy or (self._press is not None and self._press.panning):
            shape = Qt.CursorShape.ClosedHandCursor
        else:
            hit = pick(scenery.drawing, at.x(), at.y())
            if isinstance(hit, BasisHit) or (
                isinstance(hit, PointHit) and why_fixed(scenery.frame, hit.space) is None
            ):
                shape = Qt.CursorShape.OpenHandCursor
            elif hit is not None:
                shape = Qt.CursorShape.PointingHandCursor
        self.show_cursor(shape)

    # --- keys ------------------------------------------------------------------------------------

    def claims(self, event: QKeyEvent) -> bool:
        """Return whether a key moves a point, or gives one back."""
        mine = event.key() == Qt.Key.Key_Escape and self.busy
        return mine or (event.key() in ARROWS and _is_alt(event))

    def handle_key(self, event: QKeyEvent, scenery: Scenery) -> bool:
        """Move, select, fit or go to a stage."""
        key = Qt.Key(event.key())
        self.said.emit("")
        if self.busy:
            return key == Qt.Key.Key_Escape and self.cancel()
        frame = scenery.frame
        if key in ARROWS:
            return self._arrow(key, event, scenery)
        if not is_plain(event):
            return False
        if key == Qt.Key.Key_Escape:
            self.hover(None)
            self._select(None, frame)
        elif key == Qt.Key.Key_F:
            self.fit_asked.emit()
        elif (stage := stage_of_key(key)) is not None:
            self.intent.emit(ShowStage(stage))
        else:
            return self.zoom_by_key(key, scenery)
        return True

    def _arrow(self, key: Qt.Key, event: QKeyEvent, scenery: Scenery) -> bool:
        down, right = ARROWS[key]
        if event.modifiers() & SHIFT:
            self.camera_moved.emit(scenery.camera.panned(-right * PAN, -down * PAN))
        elif _is_alt(event):
            self._nudge(right * STEP, -down * STEP, scenery.frame)
        else:
            self._select(stepped(scenery.frame, right, -down), scenery.frame)
        return True

    def _nudge(self, dx: float, dy: float, frame: Frame) -> None:
        """Move the point that the selection is about by one step of the plane."""
        point = focus(frame, frame.selection)
        reason: str | None = _("Select a point first, then move it.")
        if point is not None:
            reason = why_fixed(frame, point[0])
        if point is None or reason is not None:
            self.said.emit(reason)
            return
        start = _place(frame, *point)
        place = tidied(start[0] + dx), tidied(start[1] + dy)
        self._ask(*point, start, Phase.BEGIN)
        self._ask(*point, place, Phase.MOVE)
        self._ask(*point, place, Phase.END)


def snapped(value: float) -> float:
    """Return the nearest multiple of `STEP`, without the last digits of a product."""
    return tidied(round(value / STEP) * STEP)


def tidied(value: float) -> float:
    """Return a number rounded far below what is shown, so that 0.1 + 0.05 is 0.15."""
    return float(np.round(value, 12))


def _is_there(hit: Hit | None, frame: Frame) -> bool:
    """Return whether what was pressed is still there, in another scene for instance."""
    if isinstance(hit, PointHit):
        return hit.space in frame.look.shown and hit.row < len(frame.names(hit.space))
    if isinstance(hit, PairHit):
        return hit.query < len(frame.scene.tokens) and hit.key < len(frame.scene.key_tokens)
    return hit is None or any(each.matrix is hit.matrix for each in bases(frame))


def _place(frame: Frame, space: Space, row: int) -> tuple[float, float]:
    x, y = frame.projection.project(frame.points(space)[row]).tolist()
    return x, y


def _is_alt(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
