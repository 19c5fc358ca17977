"""Whether keys and values come from other tokens."""

from __future__ import annotations

from explorer.rooms.explore.options.group import Group, reason, show_text
from explorer.session import Context, Frame, forms
from explorer.session.intents import SetContext
from explorer.text import N_, _


class ContextGroup(Group):
    """Cross-attention, on or off."""

    title = N_("Cross-attention")

    def build(self) -> None:
        """Make the check box."""
        self.on = self.check(_("K and V from a context"), _("K and V from a context"))
        self.row(self.caption)
        self.row(self.on, None)
        self.on.asked.connect(lambda on: self.intent.emit(SetContext(on)))

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return the context, and what must fit it."""
        scene = frame.scene
        width = -1 if scene.Wk is None else scene.Wk.shape[-2]
        return scene.context is None, width, scene.d_model, len(scene.tokens), scene.others

    def show_frame(self, frame: Frame) -> None:
        """Show whether there is a context, and why that cannot be otherwise."""
        scene = frame.scene
        there = scene.context is not None
        self.on.show_checked(there)
        wanted = None if there else Context(scene.tokens, scene.X)
        why_not = reason(lambda: forms.set_context(scene, wanted))
        self.on.setEnabled(why_not is None)
        said = "" if why_not is None else str(why_not)
        if there and why_not is None:
            said = _("Its tokens stand below X, and can be edited there.")
        show_text(self.note, said)
