"""A slider for one part of a movement, whose gestures have a beginning and an end."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QSlider, QWidget

from explorer.session.intents import Phase


class PartSlider(QSlider):
    """Asks for numbers between two ends, one step apart; what it shows is what it is told.

    From pressing to letting go, of the mouse or of a key, it is one gesture; Esc takes it back.

    Parameters
    ----------
    name : str
        For screen readers.
    low, high : float
        The ends, multiples of `step`.
    step : float
        Of an arrow key, and between the numbers that are asked for.
    page : int
        Steps of Page Up, Page Down and of a press beside the handle.
    """

    asked = Signal(float, object)  # a number and a Phase

    def __init__(
        self, name: str, low: float, high: float, step: float, page: int, parent: QWidget
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._step = step
        self._held: Qt.Key | Qt.MouseButton | None = None
        self._begun = False
        self.setRange(round(low / step), round(high / step))
        self.setPageStep(page)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.valueChanged.connect(self._changed)

    def show_number(self, number: float, text: str) -> None:
        """Show a number, at an end where it lies beyond it; emits nothing."""
        wanted = round(min(max(number / self._step, self.minimum()), self.maximum()))
        if self.value() != wanted:
            with QSignalBlocker(self):
                self.setValue(wanted)
            self.update()
        if self.accessibleDescription() != text:
            self.setAccessibleDescription(text)

    # --- gestures ----------------------------------------------------------------------------

    def _changed(self, place: int) -> None:
        number = round(place * self._step, 10)
        if not self._begun:
            self._begun = True
            self.asked.emit(number, Phase.BEGIN)
        self.asked.emit(number, Phase.MOVE)
        if self._held is None:
            self._finish()

    def _finish(self, phase: Phase = Phase.END) -> None:
        """Let go: end the gesture, where one has begun."""
        begun, self._held, self._begun = self._begun, None, False
        if begun:
            self.asked.emit(round(self.value() * self._step, 10), phase)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the slider."""
        if self._held is None and event.button() is Qt.MouseButton.LeftButton:
            self._held = event.button()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of it."""
        super().mouseReleaseEvent(event)
        if event.button() is self._held:
            self._finish()

    def event(self, event: QEvent) -> bool:
        """Keep Esc from the window's shortcuts while something can be taken back."""
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and self._begun
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ask for another number; take the gesture back with Esc."""
        key = Qt.Key(event.key())
        if key is Qt.Key.Key_Escape:
            if self._begun:
                self.setSliderDown(False)
                self._finish(Phase.CANCEL)
            else:
                event.ignore()
            return
        if self._held is None:
            self._held = key
        super().keyPressEvent(event)
        if self._held is key and not self._begun:  # a key that does nothing here
            self._held = None

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """End what the key began."""
        super().keyReleaseEvent(event)
        if not event.isAutoRepeat() and Qt.Key(event.key()) is self._held:
            self._finish()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """End what was begun: the key's release goes elsewhere."""
        self._finish()
        super().focusOutEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ask for one step more or less; leave the wheel to the panel until it is chosen."""
        turned = event.angleDelta().y()
        if self.hasFocus() and turned:
            self.setValue(self.value() + (1 if turned > 0 else -1))
            event.accept()
        else:
            event.ignore()
