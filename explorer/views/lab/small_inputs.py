"""Small inputs that Train's panels share; the frame alone says what they show."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget


class CalmCombo(QComboBox):
    """A choice that the wheel changes only where it has the focus."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the panel until the box is chosen."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
