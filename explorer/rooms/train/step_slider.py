"""The recorded steps as a slider that screen readers find and move."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QSlider, QWidget

from explorer.text import _


class StepSlider(QSlider):
    """The recorded steps as a slider: never seen, but found and moved by screen readers."""

    refocused = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setAccessibleName(_("Timeline"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setGeometry(-4000, 0, 200, 20)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave every key to the timeline."""
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell that the focus came."""
        super().focusInEvent(event)
        self.refocused.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell that the focus left."""
        super().focusOutEvent(event)
        self.refocused.emit()
