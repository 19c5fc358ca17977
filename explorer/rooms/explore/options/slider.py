"""A slider on which each doubling takes the same way; a drag of it is one gesture."""

from __future__ import annotations

import math

from PySide6.QtCore import QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QStyle, QStyleOptionSlider, QWidget

from explorer.kit.slider import AskingSlider
from explorer.session.intents import Phase

_DECADE = 1000  # of the slider's own steps: as far as from 1 to 10
_NEAR = 20  # this near to the middle it is the middle


class LogSlider(AskingSlider):
    """Asks for numbers from 0.1 to 10, of two digits; 1 is in the middle and a double click away.

    What it shows is what it is told.

    Parameters
    ----------
    name : str
        For screen readers.
    """

    asked = Signal(float, object)  # the number, and the phase of the gesture

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setRange(-_DECADE, _DECADE)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.shown = 1.0
        self._grip: int | None = None  # where the handle is held, px from its middle
        self._held = False

    def show_value(self, value: float) -> None:
        """Show a number, at an end where it is beyond; emits nothing."""
        self.shown = value
        if number_at(self.value()) != value or not self._held:
            with QSignalBlocker(self):
                self.setValue(place_of(value))
        self.setAccessibleDescription(f"{value:g}")

    # --- mouse -----------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the handle, which comes to the mouse."""
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._held = True
        handle = self._handle()
        at = event.position().toPoint()
        self._grip = at.x() - handle.center().x() if handle.contains(at) else 0
        self.asked.emit(self._number_under(event), Phase.BEGIN)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Carry the handle along."""
        if self._held:
            self.asked.emit(self._number_under(event), Phase.MOVE)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let the handle go."""
        if self._held:
            self._held = False
            self.asked.emit(self._number_under(event), Phase.END)
            self.show_value(self.shown)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Go back to 1."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.ask(1.0)

    def _handle(self) -> QRect:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        control, part = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
        return self.style().subControlRect(control, option, part, self)

    def _number_under(self, event: QMouseEvent) -> float:
        handle, x = self._handle().width(), event.position().x() - (self._grip or 0)
        room = self.width() - handle
        return number_at(
            QStyle.sliderValueFromPosition(
                self.minimum(), self.maximum(), round(x - handle / 2), max(room, 1)
            )
        )

    # --- keyboard and wheel ----------------------------------------------------------------------

    def stepped(self, steps: int) -> float:
        return _next(self.shown, steps)

    def ends(self) -> tuple[float, float]:
        return number_at(self.minimum()), number_at(self.maximum())

    def ask(self, value: float) -> None:
        least, most = self.ends()
        value = min(max(value, least), most)
        if value != self.shown:
            self.asked.emit(value, Phase.BEGIN)
            self.asked.emit(value, Phase.END)


def _next(value: float, way: int) -> float:
    """Return the next number of two digits above or below."""
    step = 0.01 if value < 1 or (value == 1 and way < 0) else 0.1
    return float(f"{value + way * step:.2g}")


def place_of(value: float) -> int:
    """Return where a number is on the slider."""
    return round(math.log10(value) * _DECADE)


def number_at(place: int) -> float:
    """Return the number at a place of the slider, in two digits."""
    if abs(place) <= _NEAR:
        return 1.0
    return float(f"{10 ** (place / _DECADE):.2g}")
