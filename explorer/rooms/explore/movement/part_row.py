"""The rows of a movement: a slider with its name before it and its number, typed too, behind."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from explorer.kit.labels import plain_line
from explorer.kit.slider import LinearScale, Slider
from explorer.kit.small_inputs import StepField, give_font
from explorer.kit.theme import Theme
from explorer.session.intents import Phase
from explorer.text import N_, Ambiguous, NotANumber, _, display_number, full_number, parse_number

_FIELD, _HEIGHT = 68, 28  # px at 100 %


class MovementPart(NamedTuple):
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
    MovementPart("rotation", N_("rotation"), -180, 180, 1, 15, 1, "°"),
    MovementPart("stretch_x", N_("stretch x"), -3, 3, 0.05, 10, 2),
    MovementPart("stretch_y", N_("stretch y"), -3, 3, 0.05, 10, 2),
    MovementPart("shear", N_("shear"), -3, 3, 0.05, 10, 2),
)


class PartRow(QWidget):
    """Puts three widgets into a row of a grid; it is the parent of all three's signals.

    Parameters
    ----------
    part : MovementPart
    of : str
        Whose movement it is, such as "Wk".
    """

    asked = Signal(str, float, object)  # the part's field, a number, a Phase
    refused = Signal(str)  # what was typed and is no number

    def __init__(self, part: MovementPart, of: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.part = part
        name = _("{part} of {matrix}").format(part=_(part.name), matrix=of)
        self.label = plain_line("ink3", self, _(part.name))
        self.slider = Slider(name, LinearScale(part.low, part.high, part.step, part.page), self)
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
