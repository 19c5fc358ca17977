"""Short animations: another selection fades in, a fold and a panel open.

A widget has its final geometry and content at once; only the painting is animated. A window
allows animation with `allow_motion`; without that there is none.
"""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QRect, Qt, QVariantAnimation
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from explorer.kit.backlog import Backlog

SELECTION, PANEL, PAGE, FLIGHT = 100, 160, 250, 450  # ms

_MOVES = "moves"  # a property of windows


def allow_motion(window: QWidget, wanted: bool) -> None:
    """Let things move in a window, or be there at once."""
    window.setProperty(_MOVES, wanted)
    if not wanted:
        finish_motions(window)


def finish_motions(widget: QWidget) -> None:
    """Show at once what a widget and all within it move towards, and what is still to be drawn."""
    for glide in widget.findChildren(Glide):
        glide.finish()
    for backlog in widget.findChildren(Backlog):
        backlog.finish()


def fade(widget: QWidget, duration: int = SELECTION) -> None:
    """Let what a widget shows now go within some ms, over what it shows from now on."""
    if may_move(widget):
        _Fading(widget, widget.grab(), duration)


def unfold(widget: QWidget) -> None:
    """Let a widget that has just been shown be seen from its upper edge on, within `PANEL`."""
    if may_move(widget):
        _Curtain(widget)


def may_move(widget: QWidget) -> bool:
    """Return whether a motion of a widget would be seen, and is wanted."""
    return widget.isVisible() and bool(widget.window().property(_MOVES))


class Glide(QVariantAnimation):
    """Goes from 0 to 1 within some ms, fast at first; tells of each step by `valueChanged`."""

    def __init__(self, duration: int, parent: QObject) -> None:
        super().__init__(parent)
        self.setStartValue(0.0)
        self.setEndValue(1.0)
        self.setDuration(duration)
        self.setEasingCurve(QEasingCurve.Type.OutCubic)

    @property
    def share(self) -> float:
        """How far it is; 1 where nothing moves."""
        still = self.state() is QVariantAnimation.State.Stopped
        return 1.0 if still else float(self.currentValue())

    def finish(self) -> None:
        """Be at the end at once, and tell."""
        if self.state() is not QVariantAnimation.State.Stopped:
            self.setCurrentTime(self.duration())


class _Veil(QWidget):
    """Lies over a widget, sees no mouse, lets more and more be seen, and is gone."""

    glide: Glide

    def __init__(self, over: QWidget, duration: int) -> None:
        before = over.findChildren(_Veil, options=Qt.FindChildOption.FindDirectChildrenOnly)
        super().__init__(over)
        for cover in before:
            cover.glide.finish()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.glide = Glide(duration, self)
        self.glide.valueChanged.connect(self._step)
        self.glide.finished.connect(self._lift)
        self.setGeometry(over.rect())
        over.installEventFilter(self)
        self.raise_()
        self.show()
        self.glide.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay over all of the widget, which is laid out only after it is shown."""
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        return False

    def _step(self) -> None:
        self.update()

    def _lift(self) -> None:
        self.hide()
        self.deleteLater()


class _Fading(_Veil):
    """What was there before, fainter and fainter."""

    def __init__(self, over: QWidget, picture: QPixmap, duration: int) -> None:
        super().__init__(over, duration)
        self._picture = picture

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is left of the picture."""
        with QPainter(self) as painter:
            painter.setOpacity(1.0 - self.glide.share)
            painter.drawPixmap(0, 0, self._picture)


class _Curtain(_Veil):
    """Bare ground from some height on, lower and lower."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over, PANEL)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground that is left."""
        top = round(self.glide.share * self.height())
        with QPainter(self) as painter:
            ground = QRect(0, top, self.width(), self.height() - top)
            painter.fillRect(ground, self.palette().window().color())
