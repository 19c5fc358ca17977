"""The slider of all panels, linear or logarithmic, and how it looks."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QWidget

from explorer.kit.theme import Theme
from explorer.session.intents import Phase

_DOUBLING = 1000  # places of the slider
_NEAR = 66  # so many places from 1 it is 1, where numbers are not whole


@dataclass(frozen=True)
class LinearScale:
    """Numbers one step apart.

    Parameters
    ----------
    low, high : float
        The ends, multiples of `step`.
    page : int
        Steps of Page Up and Page Down.
    """

    low: float
    high: float
    step: float
    page: int

    def place_of(self, number: float) -> int:
        """Return where a number is on the slider."""
        return round(number / self.step)

    def number_at(self, place: int) -> float:
        """Return the number at a place of the slider."""
        return round(place * self.step, 10)

    def stepped(self, number: float, steps: int, *, paged: bool = False) -> float:
        """Return the number some steps or pages away."""
        return self.number_at(self.place_of(number) + steps * (self.page if paged else 1))


@dataclass(frozen=True)
class LogScale:
    """Numbers of two digits, or whole ones, on a slider where each doubling takes the same way."""

    low: float
    high: float
    whole: bool = False

    def place_of(self, number: float) -> int:
        """Return where a number is on the slider."""
        return round(math.log2(number) * _DOUBLING)

    def number_at(self, place: int) -> float:
        """Return the number nearest to a place of the slider."""
        number = 2 ** (place / _DOUBLING)
        if self.whole:
            return round(number)
        return 1.0 if abs(place) <= _NEAR else float(f"{number:.2g}")

    def stepped(self, number: float, steps: int, *, paged: bool = False) -> float:
        """Return the next number above or below, or twice or half as much."""
        if paged:
            number *= 2.0**steps
            return int(number) if self.whole else number
        step = 1.0 if self.whole else 0.01 if number < 1 or (number == 1 and steps < 0) else 0.1
        number += steps * step
        return number if self.whole else float(f"{number:.2g}")


class Slider(QSlider):
    """Asks for numbers of a scale; what it shows is what it is told.

    From pressing to letting go, of the mouse or of a key, is one gesture, which begins with the
    number that was shown; Esc takes it back.

    Parameters
    ----------
    name : str
        For screen readers.
    rest : float, optional
        What a double click goes back to.
    """

    asked = Signal(float, object)  # a number and a Phase

    def __init__(
        self,
        name: str,
        scale: LinearScale | LogScale,
        parent: QWidget | None = None,
        *,
        rest: float | None = None,
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._scale, self._rest = scale, rest
        self._number = scale.low
        self._held: Qt.Key | Qt.MouseButton | None = None
        self._begun = False
        self.setRange(scale.place_of(scale.low), scale.place_of(scale.high))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.valueChanged.connect(lambda place: self._ask(scale.number_at(place)))

    def show_number(self, number: float, text: str = "") -> None:
        """Show a number, at an end where it lies beyond it, and say it; emits nothing."""
        self._number = number
        if not self._begun or self._scale.number_at(self.value()) != number:
            self._go_to(number)
        text = text or f"{number:g}"
        if self.accessibleDescription() != text:
            self.setAccessibleDescription(text)

    def _go_to(self, number: float) -> None:
        place = self._scale.place_of(self._clamped(number))
        if self.value() != place:
            with QSignalBlocker(self):
                self.setValue(place)
            self.update()

    def _clamped(self, number: float) -> float:
        return min(max(number, self._scale.low), self._scale.high)

    # --- gestures --------------------------------------------------------------------------------

    def _ask(self, number: float) -> None:
        number = self._clamped(number)
        if number == self._number:
            return
        if not self._begun:
            self._begun = True
            self.asked.emit(self._number, Phase.BEGIN)
        self._number = number
        self.asked.emit(number, Phase.MOVE)
        if self._held is None:
            self._finish()

    def _finish(self, phase: Phase = Phase.END) -> None:
        """Let go: end the gesture, where one has begun."""
        begun, self._held, self._begun = self._begun, None, False
        if begun:
            self.asked.emit(self._number, phase)
            self._go_to(self._number)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the handle, which comes to the mouse."""
        if self._held is not None or event.button() is not Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._held = event.button()
        option, at = QStyleOptionSlider(), event.position().toPoint()
        self.initStyleOption(option)
        control, part = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
        handle = self.style().subControlRect(control, option, part, self)
        if not handle.contains(at):
            along = at.x() - handle.width() // 2
            way = max(self.width() - handle.width(), 1)
            low, high = self.minimum(), self.maximum()
            self.setValue(QStyle.sliderValueFromPosition(low, high, along, way))
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Carry the handle along, unless the gesture was taken back."""
        if self._held is Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of it, where the mouse is now."""
        self.mouseMoveEvent(event)
        super().mouseReleaseEvent(event)
        if event.button() is self._held:
            self._finish()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Go back to where the slider rests, where it does somewhere."""
        if self._rest is None:
            self.mousePressEvent(event)
        elif event.button() is Qt.MouseButton.LeftButton:
            self._ask(self._rest)

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
        """Ask for a number a step or a page away, or an end; take the gesture back with Esc."""
        key, keys, scale = Qt.Key(event.key()), Qt.Key, self._scale
        if key is keys.Key_Escape and self._begun:
            self.setSliderDown(False)
            self._finish(Phase.CANCEL)
            return
        wanted = {
            keys.Key_Left: scale.stepped(self._number, -1),
            keys.Key_Down: scale.stepped(self._number, -1),
            keys.Key_Right: scale.stepped(self._number, 1),
            keys.Key_Up: scale.stepped(self._number, 1),
            keys.Key_PageDown: scale.stepped(self._number, -1, paged=True),
            keys.Key_PageUp: scale.stepped(self._number, 1, paged=True),
            keys.Key_Home: scale.low,
            keys.Key_End: scale.high,
        }.get(key)
        if wanted is None:
            event.ignore()
            return
        if self._held is None:
            self._held = key
        self._ask(wanted)
        if not self._begun:  # a key that does nothing here
            self._held = None
        else:
            self._go_to(self._number)

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
        """Ask for a step; leave the wheel to the panel until the slider is chosen."""
        turned = event.angleDelta().y()
        if self.hasFocus() and turned:
            self._ask(self._scale.stepped(self._number, 1 if turned > 0 else -1))
            self._go_to(self._number)
            event.accept()
        else:
            event.ignore()


def slider_sheet(theme: Theme, name: str) -> str:
    """Return the style sheet of horizontal sliders with an object name.

    It belongs on a widget around the slider, with the other rules of that widget.
    """
    px, colour = theme.px, theme.palette
    groove = f"height: {px(4)}px; border-radius: {px(2)}px;"
    return (
        f" #{name}::groove:horizontal {{ {groove} background: {colour.line2}; }}"
        f" #{name}::sub-page:horizontal {{ {groove} background: {colour.ink1}; }}"
        f" #{name}::sub-page:horizontal:disabled {{ background: {colour.line2}; }}"
        f" #{name}::handle:horizontal {{ width: {px(12)}px; height: {px(12)}px;"
        f" margin: -{px(6)}px 0; border: {px(2)}px solid {colour.ink1};"
        f" border-radius: {(px(12) + 2 * px(2)) // 2}px; background: {colour.raised}; }}"
        f" #{name}::handle:horizontal:hover {{ background: {colour.hover}; }}"
        f" #{name}::handle:horizontal:disabled {{ border-color: {colour.line2}; }}"
        f' #{name}[ringed="true"]:focus {{ border: 2px solid {colour.ink1};'
        f" border-radius: {px(5)}px; }}"
    )
