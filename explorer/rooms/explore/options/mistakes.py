"""Mistakes from published code, made on purpose, and the check that unmasks each."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox

from explorer.attention import MISTAKES, VARIANT_TITLES, Variant
from explorer.kit.small_inputs import CalmCombo
from explorer.rooms.explore.options.group import Group, show_text
from explorer.session import Centre, Comparison, Frame
from explorer.session.backwards import check_variant
from explorer.session.intents import SetVariant, ShowCentre, ShowComparison
from explorer.text import N_, _


class MistakesGroup(Group):
    """One of the mistakes, or none."""

    title = N_("Mistake from published code")

    def build(self) -> None:
        """Make the choice."""
        self.choice = CalmCombo(_(self.title), self)
        self.choice.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.choice.setMinimumContentsLength(8)
        self.small(self.choice)
        self.choice.addItem(_("none"), Variant.NONE)
        for mistake in MISTAKES:
            self.choice.addItem(_(VARIANT_TITLES[mistake]), mistake)
        self.compare = self.link(_("Compare"), lambda: ShowCentre(Centre.COMPARE))
        self.compare.clicked.connect(lambda: self.intent.emit(ShowComparison(Comparison.MISTAKE)))
        self.finding = self._label("err")
        self.row(self.caption, None)
        self.row(self.choice)
        self.row(self.finding)
        self.row(self.compare, None)
        self.choice.activated.connect(self._ask)

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return the mistake, and the numbers its check looks at."""
        variant = frame.scene.options.variant
        return (variant, frame.attention) if variant in MISTAKES else (variant,)

    def show_frame(self, frame: Frame) -> None:
        """Show which mistake is made, and what its check finds."""
        variant = frame.scene.options.variant
        made = variant in MISTAKES
        self._show_choice(variant)
        self.compare.setVisible(made)
        said = ""
        if made:
            finding = check_variant(frame.scene, frame.attention, variant)
            said = _("Wrong on purpose. {finding}").format(finding=finding.says)
            if not finding.found:
                said = _("Wrong on purpose, though not to be seen in these numbers. {finding}")
                said = said.format(finding=finding.says)
        show_text(self.finding, said)

    def _show_choice(self, variant: Variant) -> None:
        index = self.choice.findData(variant if variant in MISTAKES else Variant.NONE)
        if index != self.choice.currentIndex():
            self.choice.setCurrentIndex(index)

    def _ask(self, index: int) -> None:
        present = self.scene.options.variant
        wanted = Variant(self.choice.itemData(index))
        self._show_choice(present)  # the frame alone says which is made
        if wanted is not (present if present in MISTAKES else Variant.NONE):
            self.intent.emit(SetVariant(wanted))
