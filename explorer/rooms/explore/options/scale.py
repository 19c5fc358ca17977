"""What scores are divided by."""

from __future__ import annotations

import math

from explorer.attention import Variant
from explorer.kit.segments import Segment
from explorer.kit.theme import Theme
from explorer.rooms.explore.options.fields import NumberField
from explorer.rooms.explore.options.group import Group, reason, show_text
from explorer.rooms.explore.options.summary import uses_scale
from explorer.session import Centre, Frame, edits
from explorer.session.intents import SetScale, ShowCentre
from explorer.text import N_, _

_FIELD = 64  # px at 100 %


class ScaleGroup(Group):
    """÷ √d, nothing, or a number of one's own."""

    title = N_("Scale")

    def build(self) -> None:
        """Make the choice and the line for the number."""
        self.why = self.link(_("Why ÷ √d?"), lambda: ShowCentre(Centre.SQRT_D))
        self.choice = self.segments(
            (
                Segment("sqrt_dk", "÷ √dₖ", _("divide scores by the square root of d_k")),
                Segment("none", _("None"), _("leave scores as they are")),
                Segment("own", "÷ n", _("divide scores by a number of your own")),
            ),
            _("Scale"),
        )
        self.divisor = NumberField(
            _("What scores are divided by"),
            lambda value: reason(lambda: edits.set_scale(self.scene, value)),
            self,
        )
        self.themed(self.divisor)
        self.row(self.caption, None, self.why)
        self.row(self.choice, None)
        self.by = self.label(_("scores are divided by"))
        self.row(self.by, None, self.divisor)
        self.choice.picked.connect(self._ask)
        self.divisor.taken.connect(lambda value: self.intent.emit(SetScale(value)))
        self.divisor.judged.connect(self.say)

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return the scale, and whether it has a say."""
        return frame.scene.options.scale, frame.scene.options.variant

    def show_frame(self, frame: Frame) -> None:
        """Show the scale."""
        options = frame.scene.options
        own = not isinstance(options.scale, str)
        self.choice.show_checked({"own" if own else options.scale})
        for part in (self.by, self.divisor):
            part.setVisible(own)
        if not isinstance(options.scale, str):
            self.divisor.show_value(options.scale)
        unused = ""
        if options.variant is Variant.AVERAGE:
            unused = _("All scores are 0 in the plain average, so nothing is divided.")
        elif not uses_scale(options.variant):
            unused = _("The mistake that is on divides in its own way instead.")
        show_text(self.note, unused)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        self.divisor.setFixedWidth(theme.px(_FIELD))

    def _ask(self, scale: str) -> None:
        if scale == "own":  # at first the number that scores are divided by anyway
            present = self.scene.options.scale
            root = round(math.sqrt(self.scene.d_k), 3)
            self.intent.emit(SetScale(root if present == "sqrt_dk" else 1.0))
        else:
            self.intent.emit(SetScale(scale))
