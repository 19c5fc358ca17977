"""Where the story of attention starts: without projections, or with plain averages."""

from __future__ import annotations

from explorer.attention import Variant
from explorer.kit.segments import Segment
from explorer.rooms.explore.options.group import Group, reason, show_text
from explorer.session import Frame, forms
from explorer.session.intents import AddProjections, RemoveProjections, SetVariant
from explorer.text import N_, _

PLAIN, AVERAGE = "no projections", "plain average"


class StoryGroup(Group):
    """No projections, plain average, and the ways back."""

    title = N_("Simpler versions")

    def build(self) -> None:
        """Make the buttons."""
        self.choice = self.segments(
            (
                Segment(PLAIN, _("No projections"), "", _("Q = K = V = X: softmax(X Xᵀ) X")),
                Segment(AVERAGE, _("Plain average"), "", _("all scores are 0")),
            ),
            _("Simpler versions"),
            exclusive=False,
            pad=4,
        )
        self.add = self.link(_("Add Wq, Wk, Wv"), AddProjections)
        self.attend = self.link(_("Back to attention"), lambda: SetVariant(Variant.NONE))
        self.row(self.caption, None)
        self.row(self.choice, None)
        self.row(self.add, self.attend, None)
        self.choice.picked.connect(self._ask)

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return what of the story is there."""
        scene = frame.scene
        context = -1 if scene.context is None else scene.context.X.shape[1]
        return scene.projected, scene.options.variant, context, scene.d_model, scene.others

    def show_frame(self, frame: Frame) -> None:
        """Show where the story is."""
        scene = frame.scene
        average = scene.options.variant is Variant.AVERAGE
        shown = {PLAIN} if not scene.projected else set()
        self.choice.show_checked(shown | ({AVERAGE} if average else set()))
        why_not = reason(lambda: forms.without_projections(scene)) if scene.projected else None
        self.choice.set_enabled(PLAIN, why_not is None, None if why_not is None else str(why_not))
        show_text(self.note, "" if why_not is None else str(why_not))
        self.add.setVisible(not scene.projected)
        self.attend.setVisible(average)

    def _ask(self, start: str) -> None:
        scene = self.scene
        if start == PLAIN:
            self.intent.emit(RemoveProjections() if scene.projected else AddProjections())
        else:
            average = scene.options.variant is Variant.AVERAGE
            self.intent.emit(SetVariant(Variant.NONE if average else Variant.AVERAGE))
