"""The temperature, which scores are divided by after the scale."""

from __future__ import annotations

from explorer.attention import Variant
from explorer.kit.slider import slider_sheet
from explorer.kit.theme import Theme
from explorer.rooms.explore.options.fields import NumberField
from explorer.rooms.explore.options.group import Group, reason, show_text
from explorer.rooms.explore.options.slider import LogSlider
from explorer.session import Frame, edits
from explorer.session.intents import Phase, SetTemperature
from explorer.text import N_, _

_FIELD, _SLIDER = 64, 24  # px at 100 %: width of the line, height of the slider


class TemperatureGroup(Group):
    """A slider and a number for the same thing."""

    title = N_("Temperature")

    def build(self) -> None:
        """Make the slider, the line for the number and the way back to 1."""
        self.slider = LogSlider(_("Temperature"), self)
        self.slider.setObjectName("temperature")
        self.number = NumberField(
            _("Temperature, as a number"),
            lambda value: reason(lambda: edits.set_temperature(self.scene, value)),
            self,
        )
        self.themed(self.number)
        self.reset = self.link(_("Back to 1"), lambda: SetTemperature(1.0, Phase.BEGIN))
        self.reset.clicked.connect(lambda: self.intent.emit(SetTemperature(1.0, Phase.END)))
        self.row(self.caption, None, self.reset)
        self.row(self.slider, self.number)
        self.slider.asked.connect(self._ask)
        self.number.taken.connect(self._take)
        self.number.judged.connect(self.say)

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return the temperature, and whether it has a say."""
        options = frame.scene.options
        return options.temperature, options.variant is Variant.AVERAGE

    def show_frame(self, frame: Frame) -> None:
        """Show the temperature."""
        temperature = frame.scene.options.temperature
        self.slider.show_value(temperature)
        self.number.show_value(temperature)
        self.reset.setVisible(temperature != 1)
        average = frame.scene.options.variant is Variant.AVERAGE
        unused = _("It changes nothing while all scores are 0.") if average else ""
        show_text(self.note, unused)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        self.number.setFixedWidth(theme.px(_FIELD))
        self.slider.setFixedHeight(theme.px(_SLIDER))
        self.setStyleSheet(slider_sheet(theme, "temperature"))

    def _ask(self, temperature: float, phase: Phase) -> None:
        self.intent.emit(SetTemperature(temperature, phase))

    def _take(self, temperature: float) -> None:
        self._ask(temperature, Phase.BEGIN)
        self._ask(temperature, Phase.END)
