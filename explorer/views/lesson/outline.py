"""An outline around a part of the window that a lesson speaks of."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QScrollArea, QWidget

from explorer.views.surviving import surviving
from explorer.views.theme import Theme

_WIDTH, _RADIUS = 2.25, 8  # px at 100 %


class Outline(QWidget):
    """Lies on a widget's edge, lets the mouse through, and goes with it.

    Where the widget can be scrolled away, it is scrolled to. The outline is masked to the line
    itself, so that nothing beneath is painted again because of it.
    """

    def __init__(self, target: QWidget, theme: Theme) -> None:
        super().__init__(target)
        self._theme = theme
        self._target, self._area = target, _scrolled_in(target)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        target.installEventFilter(self)
        if self._area is not None:
            self._area.viewport().installEventFilter(self)
        self._follow(target)
        self._scroll_to(target)
        self.show()
        self.raise_()

    @surviving
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep to the edge, and in sight when the widget is put elsewhere or is seen again."""
        target = self._target
        if event.type() == QEvent.Type.Resize:
            self._follow(target)
        if watched is target and event.type() in (
            QEvent.Type.Resize,
            QEvent.Type.Move,
            QEvent.Type.Show,
        ):
            self._scroll_to(target)
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the line."""
        width = _WIDTH * self._theme.percent / 100
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("ink1"), width))
        inset = width / 2 + 1
        box = self.rect().toRectF().adjusted(inset, inset, -inset, -inset)
        radius = self._theme.px(_RADIUS)
        painter.drawRoundedRect(box, radius, radius)

    def _scroll_to(self, target: QWidget) -> None:
        if self._area is not None:
            self._area.ensureWidgetVisible(target, 0, 0)

    def _follow(self, target: QWidget) -> None:
        box = target.rect()
        if self._area is not None:  # beside a scroll bar that covers the target's margin
            port = self._area.viewport()
            box.setRight(min(box.right(), target.mapFrom(port, port.rect().bottomRight()).x()))
        self.setGeometry(box)
        edge = self._theme.px(_RADIUS)
        inner: QRect = self.rect().adjusted(edge, edge, -edge, -edge)
        self.setMask(QRegion(self.rect()) - QRegion(inner))


def _scrolled_in(widget: QWidget) -> QScrollArea | None:
    """Return the area in which a widget is scrolled; None where it always stands still."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    return area
