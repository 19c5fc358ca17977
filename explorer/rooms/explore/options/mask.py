"""Which keys a query may attend to."""

from __future__ import annotations

from explorer.kit.segments import Segment
from explorer.rooms.explore.options.group import Group, show_text
from explorer.rooms.explore.options.padding import PaddingList
from explorer.session import Frame, Scene, masks
from explorer.session.intents import SetMask, SetPadding, ShowPainting
from explorer.text import N_, _


class MaskGroup(Group):
    """None, causal, padding with the tokens it hides, or one's own."""

    title = N_("Mask")

    def build(self) -> None:
        """Make the choice and the list of tokens."""
        self.choice = self.segments(
            (
                Segment("none", _("None"), _("every token sees every token")),
                Segment("causal", _("Causal"), _("a token sees itself and earlier ones")),
                Segment("padding", _("Padding"), _("some tokens are seen by none")),
                Segment("own", _("Own"), _("any cell of A may be hidden")),
            ),
            _("Mask"),
            pad=1,
        )
        self.padding = PaddingList(self.theme, self)
        self.themed(self.padding)
        self.row(self.caption, None)
        self.row(self.choice, None)
        self.hidden = self.label(_("No token may attend to"))
        self.row(self.hidden, None)
        self.row(self.padding)
        self.paint = self.link(_("Paint cells of A"), lambda: ShowPainting(True))
        self.row(self.paint, None)
        self.choice.picked.connect(self._ask)
        self.padding.asked.connect(lambda keys: self.intent.emit(SetPadding(keys)))

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return the mask and the tokens it may hide."""
        scene = frame.scene
        return scene.options.mask, scene.tokens, scene.key_tokens, frame.look.painting

    def show_frame(self, frame: Frame) -> None:
        """Show what kind of mask it is, and what it hides."""
        scene = frame.scene
        kinds = _chosen(scene)
        self.choice.show_checked(kinds)
        listed = "padding" in kinds
        self.hidden.setVisible(listed)
        self.padding.setVisible(listed)
        if listed:
            self.padding.show_tokens(scene.key_tokens, masks.padded_keys(scene))
        own, painting = "own" in kinds, frame.look.painting
        self.paint.setVisible(own and not painting)
        said = _("Click or drag over cells of A to paint which keys are hidden.")
        show_text(self.note, said if own and painting else "")

    def _ask(self, kind: str) -> None:
        if kind == "padding":  # something has to be hidden: at first the last token
            self.intent.emit(SetPadding(frozenset({len(self.scene.key_tokens) - 1})))
        else:
            self.intent.emit(SetMask(kind))
            if kind == "own":
                self.intent.emit(ShowPainting(True))


def _chosen(scene: Scene) -> frozenset[str]:
    """Return what is chosen: a mask of one's own is "own" unless it hides whole keys for all."""
    if isinstance(scene.options.mask, str):
        return frozenset({scene.options.mask})
    kinds = masks.mask_kinds(scene)
    return frozenset(map(str, kinds)) if masks.MaskKind.PADDING in kinds else frozenset({"own"})
