"""A widget that paints itself: its focus ring, its tooltips, and what the mouse points at."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.kit.table import painting
from explorer.kit.theme import Theme
from explorer.text import plain_tip

# What an arrow key goes: down and to the right.
ARROWS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}


def is_alone(event: QKeyEvent) -> bool:
    """Return whether a key is pressed without any other; it may be of the number pad."""
    return not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier


def row_asked(event: QKeyEvent, here: int | None, rows: int) -> int | None:
    """Return the row of a list that a key moves to from `here`; None for other keys, or no rows."""
    if not rows or not is_alone(event):
        return None
    last = rows - 1
    return {
        Qt.Key.Key_Up: 0 if here is None else max(here - 1, 0),
        Qt.Key.Key_Down: 0 if here is None else min(here + 1, last),
        Qt.Key.Key_Home: 0,
        Qt.Key.Key_End: last,
    }.get(Qt.Key(event.key()))


class PaintedWidget(QWidget):
    """As wide as there is room, as high as what it paints.

    Subclasses paint, and say what is at a point where anything can be pressed or pointed at.
    """

    intent = Signal(object)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.theme = theme
        self._thing: object = None  # what the mouse is on

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        self.theme = theme

    def text_at(self, at: QPointF) -> str:
        """Return the plain text of the tooltip at a point."""
        return ""

    def tip(self, at: QPointF) -> str:
        """Return the tooltip at a point."""
        return plain_tip(self.text_at(at))

    def thing_at(self, at: QPointF) -> object:
        """Return what is at a point; None for nothing, as where all is only read."""
        return None

    def hover(self, thing: object) -> None:
        """Take note, once, that the mouse is on something else, or on nothing any more.

        By default the cursor shows whether there is something to press.
        """
        hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
        self.setCursor(arrow if thing is None else hand)

    def set_height(self, height: int) -> None:
        """Take another height."""
        if height != self.height():
            self.setFixedHeight(height)

    def paint_ring(self, painter: QPainter) -> None:
        """Paint the ring of the keyboard's focus."""
        painting.draw_ring(painter, self.theme, self)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(event.position())

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None)
        super().leaveEvent(event)

    def _point_at(self, at: QPointF | None) -> None:
        thing = None if at is None else self.thing_at(at)
        if thing != self._thing:
            self._thing = thing
            self.hover(thing)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip(QPointF(event.pos())), self)
            return True
        return super().event(event)
