"""The audience's window: a page and what lies over it, driven by keys."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget

from explorer.app.present.wiggle import Wiggle
from explorer.session import Session
from explorer.text import _
from explorer.views.present import PresentPage
from explorer.views.present.page import TellSheet
from explorer.views.present.sizes import Sizes
from explorer.views.present.veil import Veil
from explorer.views.theme import Theme

_ON = (Qt.Key.Key_PageDown, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Space)
_BACK = (Qt.Key.Key_PageUp, Qt.Key.Key_Left, Qt.Key.Key_Up)
_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


class Audience(QWidget):
    """A window of its own that shows one idea, large.

    Parameters
    ----------
    session : Session
    theme : Theme
    tell : callable
        Returns the lesson's sheet beside a frame, or None.
    over : QWidget
        The main window.
    """

    left = Signal()
    frozen = Signal()

    def __init__(self, session: Session, theme: Theme, tell: TellSheet, over: QWidget) -> None:
        super().__init__(over, Qt.WindowType.Window)
        self.setWindowTitle(_("Present"))
        self._session = session
        self.page = PresentPage(theme, tell, self)
        self.veil = Veil(self)
        self.wiggle = Wiggle(session, self)
        self.page.closed.connect(self.close)
        self.page.turned.connect(self.veil.clear)
        self.setFocusProxy(self.page)
        self._keys: dict[Qt.Key, Callable[[], object]] = {
            Qt.Key.Key_B: lambda: self.veil.show_blank(True),
            Qt.Key.Key_P: lambda: self.veil.take_pen(not self.veil.pen),
            Qt.Key.Key_C: self.veil.clear,
            Qt.Key.Key_L: lambda: self.veil.show_spotlight(not self.veil.spotlight),
            Qt.Key.Key_F: self.freeze,
            Qt.Key.Key_W: self.toggle_wiggle,
            Qt.Key.Key_Escape: self.close,
            **dict.fromkeys(_ON, lambda: self.page.turn(1)),
            **dict.fromkeys(_BACK, lambda: self.page.turn(-1)),
        }

    def retheme(self, theme: Theme) -> None:
        """Take another theme."""
        self.page.retheme(theme)
        self._fit()

    def freeze(self) -> None:
        """Keep the picture that is seen while things go on below, or show them again."""
        self.veil.keep_still(self.page.grab() if self.veil.still is None else None)
        self.frozen.emit()

    def toggle_wiggle(self) -> None:
        """Let the selected number move by itself, or put it back."""
        if self.wiggle.going:
            self.wiggle.end()
        elif not self._session.in_gesture:
            self.wiggle.begin()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep page and veil as large as the window."""
        super().resizeEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Carry out the presenter's keys; any of them ends the blank."""
        if event.isAutoRepeat() and event.key() not in (*_ON, *_BACK):
            return  # a key that is held would switch to and fro
        if self.veil.blank:
            self.veil.show_blank(False)
        elif event.key() == Qt.Key.Key_Escape and self._session.frame.drag is not None:
            QApplication.sendEvent(self.page.plane.viewport(), event)  # the drag is given up
        elif event.modifiers() in _PLAIN and event.key() in self._keys:
            self._keys[Qt.Key(event.key())]()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Put back what moved by itself, and tell that the window is gone."""
        self.wiggle.end()
        self.veil.show_spotlight(False)
        super().closeEvent(event)
        self.left.emit()

    def _fit(self) -> None:
        self.page.setGeometry(self.rect())
        self.veil.setGeometry(self.rect())
        self.veil.wear(Sizes.of(self.page.theme.dark, self.width(), self.height()))
