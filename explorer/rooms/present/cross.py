"""The cross that closes the page."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from explorer.rooms.present.sizes import Sizes
from explorer.text import _


class Cross(QAbstractButton):
    """A quiet cross upon the plane."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._sizes = Sizes()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(_("Leave"))

    def wear(self, sizes: Sizes) -> None:
        """Take other sizes and colours."""
        self._sizes = sizes
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cross, and a ground under the mouse."""
        theme, arm = self._sizes.theme, self._sizes.px(6)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("hover"))
            painter.drawRoundedRect(QRectF(self.rect()), 8, 8)
        pen = QPen(theme.color("ink2"), max(2.0, 2.5 * self._sizes.scale))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        middle = QRectF(self.rect()).center()
        for sign in (-1, 1):
            end = QRectF(0, 0, arm, sign * arm)
            corner = end.bottomRight()
            painter.drawLine(middle - corner, middle + corner)
        painter.end()
