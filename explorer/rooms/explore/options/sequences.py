"""Several sequences in a scene: one more, one less."""

from __future__ import annotations

from explorer.rooms.explore.options.group import Group, allow, reason, show_text
from explorer.session import Frame, forms
from explorer.session.intents import AddSequence, RemoveSequence
from explorer.text import N_, _


class SequencesGroup(Group):
    """One more sequence, or one less."""

    title = N_("Sequences")

    def build(self) -> None:
        """Make the buttons."""
        self.add = self.button(_("Add a copy"), AddSequence)
        self.remove = self.button(_("Remove"), RemoveSequence)
        self.row(self.caption, None)
        self.row(self.add, self.remove, None)

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return how many there are, and which is shown."""
        return len(frame.scene.others), frame.scene.shown

    def show_frame(self, frame: Frame) -> None:
        """Say which is shown."""
        scene = frame.scene
        allow(self.add, reason(lambda: forms.add_sequence(scene)))
        allow(self.remove, reason(lambda: forms.remove_sequence(scene)))
        said = ""
        if scene.others:
            said = _("Sequence {n} of {all} is shown; another can be chosen above X.").format(
                n=scene.shown + 1, all=len(scene.others) + 1
            )
        show_text(self.note, said)
