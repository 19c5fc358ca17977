"""The marks of a lesson's pages."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractSlider, QToolTip, QWidget

from explorer.kit.focus_ring import is_ringed
from explorer.kit.table.painting import draw_box, draw_text
from explorer.kit.theme import Theme
from explorer.text import _, plain_tip

_HEIGHT, _BAR, _HERE = 36, 4, 8  # px at 100 %: of the whole, of a mark, of the open page's mark
_GAP, _LEAST = 4, 6  # between marks; narrower ones stand without gaps
_TEXT, _TEXT_Y, _BAR_Y = 13, 0.3, 0.76  # px of the letters; where they and the marks stand


class Stepper(QAbstractSlider):
    """One mark for each page, and which one is open: those behind are filled, that one is thick.

    A press on a mark goes to its page (`valueChanged`), and so do the arrow keys.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Step of the lesson"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setPageStep(1)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.retheme(theme)

    def show_page(self, place: int, count: int) -> None:
        """Show that the page at `place`, from 0, of so many is open; goes nowhere."""
        self.blockSignals(True)
        self.setRange(0, count - 1)
        self.setValue(place)
        self.blockSignals(False)
        self.update()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.setFixedHeight(theme.px(_HEIGHT))
        self.update()

    def sizeHint(self) -> QSize:
        """Return the height; any width will do."""
        return QSize(self._theme.px(8 * _HEIGHT), self._theme.px(_HEIGHT))

    def text(self) -> str:
        """Return which page is open, such as "2 of 6"."""
        return self._said(self.value())

    def mark(self, place: int) -> QRectF:
        """Return where a page's mark can be pressed."""
        width = self.width() / (self.maximum() + 1)
        return QRectF(place * width, 0, width, self.height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the page whose mark is pressed."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setValue(self._place_at(event.position().toPoint()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave Page Down and Page Up to the window: a slider would go the other way."""
        if event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show which mark the mouse is over."""
        self.update()

    def event(self, event: QEvent) -> bool:
        """Name the step under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            said = self._said(self._place_at(event.pos()))
            QToolTip.showText(event.globalPos(), plain_tip(said), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the marks."""
        theme, here = self._theme, self.value()
        over = self._place_at(self.mapFromGlobal(self.cursor().pos())) if self.underMouse() else -1
        gap = theme.px(_GAP) if self.mark(0).width() >= theme.px(_GAP + _LEAST) else 0
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            line = QRectF(0, 0, self.width(), 2 * _TEXT_Y * self.height())
            draw_text(painter, theme, self.text(), line, theme.color("ink3"), _TEXT)
            for place in range(self.maximum() + 1):
                height = theme.px(_HERE if place == here else _BAR)
                box = self.mark(place).adjusted(gap / 2, 0, -gap / 2, 0)
                top = _BAR_Y * self.height() - height / 2
                box = QRectF(box.left(), top, box.width(), height)
                ink = "ink1" if place <= here else "ink3" if place == over else "ctl"
                draw_box(painter, box, height / 2, theme.color(ink))
            if is_ringed(self):
                inside = QRectF(self.rect()).adjusted(1, 1, -1, -1)
                draw_box(painter, inside, 6, edge=theme.color("ink1"))

    def _said(self, place: int) -> str:
        return _("{place} of {count}").format(place=place + 1, count=self.maximum() + 1)

    def _place_at(self, at: QPoint) -> int:
        count = self.maximum() + 1
        return min(max(int(at.x() * count / max(self.width(), 1)), 0), count - 1)
