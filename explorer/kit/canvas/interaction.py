"""What the mouse and the keys do on a canvas, where plane and word graph are alike."""

from __future__ import annotations

from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from explorer.session.look import CHAIN, Stage

S = TypeVar("S")  # what is drawn, and can be pointed at

_THRESHOLD = 3.0  # px before a press becomes a drag
_ZOOM = 1.2  # a wheel's notch or a key
PAN = 48.0  # px a key
SHIFT = Qt.KeyboardModifier.ShiftModifier


class CanvasInteraction(QObject, Generic[S]):
    """Watches one widget's mouse and keys; it changes nothing but the cursor.

    A subclass handles what happens: `handle_mouse`, `zoom`, `claims`, `handle_key`, `hover` and
    `cancel`, and overrides `begin` where something is to be done before.
    """

    intent = Signal(object)

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._scenery: S | None = None
        widget.installEventFilter(self)

    def begin(self, kind: QEvent.Type) -> None:
        """Do what comes before an event of a kind is handled."""

    def handle_mouse(self, kind: QEvent.Type, event: QMouseEvent, scenery: S) -> bool:
        """Handle a mouse event; return whether it is used up."""
        raise NotImplementedError

    def zoom(self, factor: float, x: float, y: float, scenery: S) -> None:
        """Enlarge about a pixel."""
        raise NotImplementedError

    def claims(self, event: QKeyEvent) -> bool:
        """Return whether a key means something here, which no shortcut of the window may take."""
        raise NotImplementedError

    def handle_key(self, event: QKeyEvent, scenery: S) -> bool:
        """Handle a key; return whether it is used up."""
        raise NotImplementedError

    def hover(self, thing: None) -> None:
        """Point at nothing any more."""
        raise NotImplementedError

    def cancel(self) -> bool:
        """Give up a gesture; return whether there was one."""
        raise NotImplementedError

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle an event of the widget; True where it is used up."""
        kind = event.type()
        if self._scenery is not None:
            self.begin(kind)
        scenery = self._scenery
        if scenery is None:
            return False
        if isinstance(event, QMouseEvent):
            return self.handle_mouse(kind, event, scenery)
        if isinstance(event, QWheelEvent):
            notches, at = event.angleDelta().y() / 120, event.position()
            if notches:
                self.zoom(_ZOOM**notches, at.x(), at.y(), scenery)
            return True
        if isinstance(event, QKeyEvent):
            if kind == QEvent.Type.ShortcutOverride and self.claims(event):
                event.accept()
                return True
            return kind == QEvent.Type.KeyPress and self.handle_key(event, scenery)
        if kind == QEvent.Type.Leave:
            self.hover(None)
        elif kind in (QEvent.Type.Hide, QEvent.Type.FocusOut):
            self.cancel()
        return False

    def zoom_by_key(self, key: Qt.Key, scenery: S) -> bool:
        """Enlarge about the middle with plus and minus; return whether it was one of them."""
        if key not in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            return False
        factor = 1 / _ZOOM if key == Qt.Key.Key_Minus else _ZOOM
        self.zoom(factor, self._widget.width() / 2, self._widget.height() / 2, scenery)
        return True

    def show_cursor(self, shape: Qt.CursorShape) -> None:
        """Show a cursor over the widget."""
        if self._widget.cursor().shape() != shape:
            self._widget.setCursor(shape)


def is_drag(step: QPointF) -> bool:
    """Return whether the mouse went so far from a press that it is a drag."""
    return float((step.x() ** 2 + step.y() ** 2) ** 0.5) >= _THRESHOLD


def is_plain(event: QKeyEvent) -> bool:
    """Return whether a key comes without modifiers but Shift."""
    return not event.modifiers() & ~(SHIFT | Qt.KeyboardModifier.KeypadModifier)


def stage_of_key(key: Qt.Key) -> Stage | None:
    """Return the stage that a number key from 1 to 7 stands for."""
    return CHAIN[key - Qt.Key.Key_1] if Qt.Key.Key_1 <= key <= Qt.Key.Key_7 else None
