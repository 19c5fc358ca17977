"""The edge between the picture and the right panel, which the mouse can move."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from explorer.text import _

WIDTH = 7  # px on the screen, over the hairline and what lies beside it


class Grip(QWidget):
    """Something to take hold of, that paints nothing."""

    moved = Signal(int)  # px to the left since it was taken hold of
    left = Signal()  # it was let go
    reset = Signal()  # it was clicked twice

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.SplitHCursor)
        self.setToolTip(_("Drag to change the panel's width; double-click for the usual one"))
        self._from: int | None = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = round(event.globalPosition().x())
            self.moved.emit(0)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell how far it was moved."""
        if self._from is not None:
            self.moved.emit(self._from - round(event.globalPosition().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        if self._from is not None and event.button() == Qt.MouseButton.LeftButton:
            self._from = None
            self.left.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ask for the usual width."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = None
            self.reset.emit()
