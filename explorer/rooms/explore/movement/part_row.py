"""The rows of a movement: a slider with its name before it and its number, typed too, behind."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSlider, QWidget

from explorer.kit.small_inputs import StepField, give_font
from explorer.kit.theme import Theme
from explorer.session.intents import Phase
from explorer.text import N_, Ambiguous, NotANumber, _, display_number, full_number, parse_number


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


_FIELD, _HEIGHT = 68, 28  # px at 100 %


class Part(NamedTuple):
    """One part of a movement: the field of `Movement`, and how it is shown."""

    field: str
    name: str
    low: float
    high: float
    step: float
    page: int
    decimals: int
    unit: str = ""


PARTS = (
    Part("rotation", N_("rotation"), -180, 180, 1, 15, 1, "°"),
    Part("stretch_x", N_("stretch x"), -3, 3, 0.05, 10, 2),
    Part("stretch_y", N_("stretch y"), -3, 3, 0.05, 10, 2),
    Part("shear", N_("shear"), -3, 3, 0.05, 10, 2),
)


class PartRow(QWidget):
    """Puts three widgets into a row of a grid; it is the parent of all three's signals.

    Parameters
    ----------
    part : Part
    of : str
        Whose movement it is, such as "Wk".
    """

    asked = Signal(str, float, object)  # the part's field, a number, a Phase
    refused = Signal(str)  # what was typed and is no number

    def __init__(self, part: Part, of: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.part = part
        name = _("{part} of {matrix}").format(part=_(part.name), matrix=of)
        self.label = QLabel(_(part.name), self)
        self.label.setProperty("ink", "ink3")
        self.slider = PartSlider(name, part.low, part.high, part.step, part.page, self)
        self.slider.setObjectName("part")
        self.field = StepField(_("{name}, as a number").format(name=name), False, self)
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.addWidget(self.label, 0, 0)
        self._layout.addWidget(self.slider, 0, 1)
        self._layout.addWidget(self.field, 0, 2)
        self._layout.setColumnStretch(1, 1)
        self.slider.asked.connect(
            lambda number, phase: self.asked.emit(self.part.field, number, phase)
        )
        self.field.committed.connect(self._typed)

    def show_number(self, number: float) -> None:
        """Show the part's number; emits nothing."""
        text = display_number(number, self.part.decimals) + self.part.unit
        self.slider.show_number(number, text)
        self.field.show_text(text)
        if self.field.toolTip() != (exact := full_number(number) + self.part.unit):
            self.field.setToolTip(exact)

    def _typed(self, text: str) -> None:
        try:
            number = parse_number(text.strip().removesuffix(self.part.unit))
        except (Ambiguous, NotANumber):
            self.field.show_text(text, wrong=True)
            self.refused.emit(text)
            return
        for phase in (Phase.BEGIN, Phase.MOVE, Phase.END):
            self.asked.emit(self.part.field, number, phase)

    def retheme(self, theme: Theme, label_width: int) -> None:
        """Take another theme or text scale."""
        px = theme.px
        self._layout.setSpacing(px(8))
        self.label.setFont(theme.font(13))
        self.label.setFixedWidth(label_width)
        self.slider.setMinimumWidth(px(48))
        self.slider.setFixedHeight(px(24))
        give_font(self.field, theme.font(14))
        self.field.setFixedSize(px(_FIELD), px(_HEIGHT))
