"""A slider for a width, on which each doubling takes the same way."""

from __future__ import annotations

import math

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QWidget

from explorer.kit.slider import AskingSlider
from explorer.text import _

_DOUBLING = 1000  # of the slider's own steps


class WidthSlider(AskingSlider):
    """Asks for a width from 1 to the widest; what it shows is what it is told.

    The arrow keys ask for one more or less, Page Up and Page Down for twice or half as many.
    """

    asked = Signal(int)

    def __init__(self, widest: int, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._widest = widest
        self.shown = 1
        self.setRange(0, place_of(widest))
        self.setPageStep(_DOUBLING)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Width d of q and k"))
        self.valueChanged.connect(lambda place: self.ask(width_at(place)))

    def show_width(self, width: int) -> None:
        """Show a width; emits nothing."""
        self.shown = width
        if width_at(self.value()) != width or not self.isSliderDown():
            with QSignalBlocker(self):
                self.setValue(place_of(width))
        self.setAccessibleDescription(str(width))

    def stepped(self, steps: int) -> float:
        return self.shown + steps

    def ends(self) -> tuple[float, float]:
        return 1, self._widest

    def ask(self, value: float) -> None:
        width = min(max(int(value), 1), self._widest)
        if width != self.shown:
            self.asked.emit(width)


def place_of(width: int) -> int:
    """Return where a width is on the slider."""
    return round(math.log2(width) * _DOUBLING)


def width_at(place: int) -> int:
    """Return the width nearest to a place on the slider."""
    return round(2 ** (place / _DOUBLING))
