"""What the presenter lays over the page: black, a still picture, a spotlight, lines of a pen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QColor,
    QCursor,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QApplication, QWidget

from explorer.kit.guarded_filter import guarded_filter
from explorer.rooms.present.sizes import Sizes

_DARKNESS = 0.72
_LIGHT, _PEN = 130, 5  # px of the drawn page: the spotlight's radius, the pen's width


class Veil(QWidget):
    """Lies over the whole page; the mouse reaches what is below unless the pen is in hand."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._sizes = Sizes()
        self.blank = self.pen = self.spotlight = False
        self.still: QPixmap | None = None
        self.strokes: list[list[QPointF]] = []
        self._light = QPoint()
        self._settle()

    def wear(self, sizes: Sizes) -> None:
        """Take other sizes and colours; lines drawn at the former ones are gone."""
        if sizes != self._sizes:
            self._sizes = sizes
            self.strokes = []
            self.update()

    def show_blank(self, wanted: bool) -> None:
        """Show nothing but black, or the page."""
        self.blank = wanted
        self._settle()

    def take_pen(self, wanted: bool) -> None:
        """Let the mouse draw, or not; what is drawn stays."""
        self.pen = wanted
        self._settle()

    def clear(self) -> None:
        """Wipe what was drawn."""
        self.strokes = []
        self.update()

    def show_spotlight(self, wanted: bool) -> None:
        """Darken all but a circle at the mouse, or nothing."""
        if wanted != self.spotlight:
            self.spotlight = wanted
            application = QApplication.instance()
            if application is not None and wanted:
                application.installEventFilter(self)
            elif application is not None:
                application.removeEventFilter(self)
            self._light = self.mapFromGlobal(QCursor.pos())
        self._settle()

    def keep_still(self, picture: QPixmap | None) -> None:
        """Show a picture instead of what goes on below, or that again."""
        self.still = picture
        self._settle()

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the light go with the mouse, wherever on the page that is."""
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._light = self.mapFromGlobal(event.globalPosition().toPoint())
            self.update()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a line, or end the blank."""
        if self.blank:
            self.show_blank(False)
        elif self.pen:
            self.strokes.append([event.position()])
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with a line."""
        if self.pen and self.strokes and event.buttons() & Qt.MouseButton.LeftButton:
            self.strokes[-1].append(event.position())
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what lies over the page."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.blank:
            painter.fillRect(self.rect(), Qt.GlobalColor.black)
            painter.end()
            return
        if self.still is not None:
            painter.drawPixmap(0, 0, self.still)
        pen = QPen(self._sizes.theme.color("err"), max(3.0, _PEN * self._sizes.scale))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        for stroke in self.strokes:
            if len(stroke) == 1:
                painter.drawPoint(stroke[0])
            else:
                painter.drawPolyline(QPolygonF(stroke))
        if self.spotlight:
            dark, radius = QPainterPath(), self._sizes.px(_LIGHT)
            dark.addRect(self.rect())
            dark.addEllipse(QPointF(self._light), radius, radius)
            shade = QColor(0, 0, 0)
            shade.setAlphaF(_DARKNESS)
            painter.fillPath(dark, shade)
        painter.end()

    def _settle(self) -> None:
        takes_mouse = self.blank or self.pen or self.still is not None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not takes_mouse)
        if self.blank:
            self.setCursor(Qt.CursorShape.BlankCursor)
        elif self.pen:
            self.setCursor(Qt.CursorShape.CrossCursor)
        else:
            self.unsetCursor()
        self.raise_()
        self.update()
