"""The audience's window: a page and what lies over it, driven by keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QCursor,
    QEnterEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from explorer.kit.painted import is_alone
from explorer.kit.style import finish
from explorer.kit.table.painting import draw_box
from explorer.kit.theme import Theme
from explorer.rooms.present import SceneSlide
from explorer.rooms.present.animate_number import AnimateNumber
from explorer.rooms.present.sizes import LEAST, Sizes
from explorer.rooms.present.slide import Slide
from explorer.session import Session
from explorer.text import _

_DARKNESS = 0.72
_STILL_PAD = 8  # px of the drawn page
_LIGHT, _PEN = 130, 5  # px of the drawn page: the spotlight's radius, the pen's width


class Overlay(QWidget):
    """Lies over the whole page; the mouse reaches what is below unless the pen is in hand."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._sizes = Sizes()
        self.blank = self.pen = self.spotlight = False
        self.still: QPixmap | None = None
        self.strokes: list[list[QPointF]] = []
        self._light = QPoint()
        self._settle()

    def set_sizes(self, sizes: Sizes) -> None:
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
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.blank:
                painter.fillRect(self.rect(), Qt.GlobalColor.black)
                return
            if self.still is not None:
                self._draw_still(painter, self.still)
                self._say_still(painter)
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

    def _draw_still(self, painter: QPainter, still: QPixmap) -> None:
        """Draw the picture that is kept, as large as the window as it is now has room for."""
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(self.rect(), self._sizes.theme.color("canvas"))
        size = still.deviceIndependentSize().scaled(
            QSizeF(self.size()), Qt.AspectRatioMode.KeepAspectRatio
        )
        box = QRectF(QPointF(), size)
        box.moveCenter(QRectF(self.rect()).center())
        painter.drawPixmap(box, still, QRectF(still.rect()))

    def _say_still(self, painter: QPainter) -> None:
        """Say where the cross was, which closes nothing now, that the picture is kept still."""
        sizes, said = self._sizes, _("Frozen")
        painter.setFont(sizes.font(LEAST))
        pad = sizes.px(_STILL_PAD)
        box = QRectF(painter.fontMetrics().boundingRect(said)).adjusted(-pad, -pad, pad, pad)
        box.moveTopRight(QPointF(self.width() - pad, pad))
        draw_box(painter, box, pad, sizes.theme.color("win"))
        painter.setPen(sizes.theme.color("ink2"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, said)

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


_ON = (Qt.Key.Key_PageDown, Qt.Key.Key_Down)
_BACK = (Qt.Key.Key_PageUp, Qt.Key.Key_Up)
_REPEATED = (*_ON, *_BACK, Qt.Key.Key_Left, Qt.Key.Key_Right)
_SCALES = {
    Qt.Key.Key_Plus: 1,
    Qt.Key.Key_Equal: 1,
    Qt.Key.Key_Minus: -1,
    Qt.Key.Key_0: 0,
}
_TAKE_LETTERS = (
    QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit, QTextEdit,
)  # fmt: skip


class Audience(QWidget):
    """A window of its own that shows one idea, large.

    Parameters
    ----------
    session : Session
    theme : Theme
    over : QWidget
        The main window.
    """

    left = Signal()
    changed = Signal()  # what lies over the page
    room_asked = Signal()
    keys_asked = Signal()  # which keys there are
    scaled = Signal(int)  # larger text, 1; smaller, -1; as at first, 0
    hovered = Signal()  # the mouse came into the window, or left it

    def __init__(self, session: Session, theme: Theme, over: QWidget) -> None:
        super().__init__(over, Qt.WindowType.Window)
        self.setWindowTitle(_("Present"))
        finish(self, theme)
        self._session, self._theme = session, theme
        self._page: Slide[Any] | None = None
        self.overlay = Overlay(self)
        self.animation = AnimateNumber(session, self)
        self._keys: dict[Qt.Key, Callable[[], object]] = {
            Qt.Key.Key_B: self.blank,
            Qt.Key.Key_P: lambda: self.overlay.take_pen(not self.overlay.pen),
            Qt.Key.Key_C: self.overlay.clear,
            Qt.Key.Key_L: lambda: self.overlay.show_spotlight(not self.overlay.spotlight),
            Qt.Key.Key_F: self.freeze,
            Qt.Key.Key_W: self.toggle_animate_number,
            Qt.Key.Key_T: lambda: self.page.show_other_half(),
            Qt.Key.Key_A: lambda: self.page.show_arithmetic(),
            Qt.Key.Key_Home: lambda: self.page.go_to_end(False),
            Qt.Key.Key_End: lambda: self.page.go_to_end(True),
            Qt.Key.Key_Return: lambda: self.page.play(),
            Qt.Key.Key_Enter: lambda: self.page.play(),
            Qt.Key.Key_R: self.room_asked.emit,
            Qt.Key.Key_Escape: self.close,
            Qt.Key.Key_Space: lambda: self.page.go_on(),
            Qt.Key.Key_Right: lambda: self.page.step(1),
            Qt.Key.Key_Left: lambda: self.page.step(-1),
            **dict.fromkeys(_ON, lambda: self.page.turn(1)),
            **dict.fromkeys(_BACK, lambda: self.page.turn(-1)),
        }

    @property
    def page(self) -> Slide[Any]:
        """The page that is shown."""
        assert self._page is not None
        return self._page

    def show_page(self, page: Slide[Any]) -> None:
        """Show a page, made as a child of this window, instead of another."""
        if page is self._page:
            return
        if self._page is not None:
            self.animation.end()
            self.overlay.clear()
            self._page.hide()
        self._page = page
        self.setFocusProxy(page)
        self._fit()
        page.show()
        page.setFocus()
        self.overlay.raise_()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        finish(self, theme)
        self.page.retheme(theme)
        self._fit()

    def blank(self) -> None:
        """Show nothing but black, or the page again."""
        self.overlay.show_blank(not self.overlay.blank)
        self.changed.emit()

    def freeze(self) -> None:
        """Keep the picture that is seen while things go on below, or show them again."""
        self.overlay.keep_still(self.page.grab() if self.overlay.still is None else None)
        self.changed.emit()

    def toggle_animate_number(self) -> None:
        """Let the selected number move by itself, or put it back."""
        if self.animation.going:
            self.animation.end()
        elif isinstance(self.page, SceneSlide) and not self._session.in_gesture:
            self.animation.begin()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep page and overlay as large as the window."""
        super().resizeEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Carry out the presenter's keys; any of them ends the blank."""
        if event.isAutoRepeat() and event.key() not in _REPEATED:
            return  # a key that is held would switch to and fro
        if self.overlay.blank:
            self.blank()
        elif event.key() == Qt.Key.Key_Escape and self.page.dragged is not None:
            QApplication.sendEvent(self.page.dragged, event)  # the drag is given up
        elif event.text() == "?" and not takes_letters(self.focusWidget()):
            self.keys_asked.emit()
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.key() in _SCALES:
            self.scaled.emit(_SCALES[Qt.Key(event.key())])
        elif is_alone(event) and event.key() in self._keys:
            if not (event.text().isalpha() and takes_letters(self.focusWidget())):
                self._keys[Qt.Key(event.key())]()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Tell that the mouse is here."""
        super().enterEvent(event)
        self.hovered.emit()

    def leaveEvent(self, event: QEvent) -> None:
        """Tell that the mouse is elsewhere."""
        super().leaveEvent(event)
        self.hovered.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Put back what moved by itself, and tell that the window is gone."""
        self.animation.end()
        self.overlay.show_spotlight(False)
        super().closeEvent(event)
        self.left.emit()

    def _fit(self) -> None:
        if self._page is not None:
            self._page.setGeometry(self.rect())
        self.overlay.setGeometry(self.rect())
        self.overlay.set_sizes(Sizes.of(self._theme, self.width(), self.height()))


def takes_letters(widget: QWidget | None) -> bool:
    """Return whether letters are typed into a widget: a cell or a text field."""
    return isinstance(widget, _TAKE_LETTERS)
