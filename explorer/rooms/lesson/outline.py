"""An outline around a part of the window that a lesson speaks of."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QScrollArea, QWidget

from explorer.kit.guarded_filter import guarded_filter
from explorer.kit.theme import Theme

_WIDTH, _RADIUS = 2.25, 8  # px at 100 %
_AWAY, _EDGE = 5, 2  # px at 100 %: how far around what scrolls, how far within its panel


class Outline(QWidget):
    """Lies on a widget's edge, lets the mouse through, and goes with it.

    Where the widget can be scrolled away, it is scrolled to, and the outline lies around it, for
    what it holds reaches to its edge. The outline is masked to the line itself, so that nothing
    beneath is painted again because of it.
    """

    def __init__(self, target: QWidget, theme: Theme) -> None:
        self._area = _scrolled_in(target)
        super().__init__(target if self._area is None else target.parentWidget())
        self._theme = theme
        self._target = target
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        target.installEventFilter(self)
        if self._area is not None:
            self._area.viewport().installEventFilter(self)
        self._follow(target)
        self._scroll_to(target)
        self.setVisible(not target.isHidden())
        self.raise_()

    @property
    def target(self) -> QWidget:
        """What is outlined."""
        return self._target

    def take_away(self) -> None:
        """Outline nothing any more."""
        self._target.removeEventFilter(self)  # or it would be seen again with its widget
        self.hide()
        self.deleteLater()

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep to the edge, and in sight when the widget is put elsewhere or is seen again."""
        target = self._target
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._follow(target)
        if watched is target and event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self.setVisible(not target.isHidden())
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
            self._area.ensureWidgetVisible(target, 0, self._theme.px(_AWAY))

    def _follow(self, target: QWidget) -> None:
        box = target.rect()
        if self._area is not None:
            away, edge = self._theme.px(_AWAY), self._theme.px(_EDGE)
            # Beside the panel's edges, and a scroll bar that covers the target's margin.
            ends = self._area.viewport().rect().adjusted(edge, 0, -edge, 0)
            origin = target.pos() + target.mapFrom(self._area.viewport(), ends.topLeft())
            box = target.geometry().adjusted(-away, -away, away, away)
            box.setLeft(max(box.left(), origin.x()))
            box.setRight(min(box.right(), origin.x() + ends.width() - 1))
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
