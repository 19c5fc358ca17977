"""The area that every panel scrolls in."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget

_PAGES = (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)


class ColumnArea(QScrollArea):
    """Scrolls a column of parts up and down alone: it is as wide as the area, which has no frame.

    The parts take the keys, never the area itself.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalScrollBar().rangeChanged.connect(self._stay)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll; but a page only where the window has none to turn."""
        if event.key() in _PAGES:
            QApplication.sendEvent(self.window(), event)
            if event.isAccepted():
                return
        super().keyPressEvent(event)

    @Slot()
    def _stay(self) -> None:
        """Leave nothing to scroll to sideways: what is scrolled to would come into the middle."""
        self.horizontalScrollBar().setRange(0, 0)
