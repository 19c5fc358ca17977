"""Biases, one by one."""

from __future__ import annotations

from functools import partial

from explorer.rooms.explore.options.group import Group, allow, reason
from explorer.session import Frame, Matrix, forms
from explorer.session.intents import SetBias
from explorer.text import N_, _

BIASES = (Matrix.BQ, Matrix.BK, Matrix.BV, Matrix.BO)


class BiasGroup(Group):
    """bq, bk, bv and bo, each on or off."""

    title = N_("Biases")

    def build(self) -> None:
        """Make a check box for each."""
        self.checks = {
            bias: self.check(_("Bias {bias}").format(bias=bias), str(bias)) for bias in BIASES
        }
        self.row(self.caption, None)
        self.row(*self.checks.values(), None)
        for bias, check in self.checks.items():
            check.asked.connect(partial(self._ask, bias))

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return which biases there are, and which there can be."""
        scene = frame.scene
        there = tuple(scene.array(bias) is not None for bias in BIASES)
        return there, scene.projected, scene.Wo is None

    def show_frame(self, frame: Frame) -> None:
        """Show which biases there are."""
        scene = frame.scene
        for bias, check in self.checks.items():
            check.show_checked(scene.array(bias) is not None)
            allow(check, reason(partial(forms.set_bias, scene, str(bias), not check.isChecked())))

    def _ask(self, bias: Matrix, on: bool) -> None:
        self.intent.emit(SetBias(bias, on))
