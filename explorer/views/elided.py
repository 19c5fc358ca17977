"""A line of plain text that ends in an ellipsis where it has no room."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel


class ElidedLabel(QLabel):
    """A label that asks for no width at all and shows what has room."""

    def minimumSizeHint(self) -> QSize:
        """Return no width at all."""
        return QSize(0, super().minimumSizeHint().height())

    @property
    def shown_text(self) -> str:
        """What is seen of the text."""
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw what has room."""
        self.style().drawItemText(
            QPainter(self),
            self.rect(),
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
            self.palette(),
            self.isEnabled(),
            self.shown_text,
            self.foregroundRole(),
        )
