"""What is added to X for the place of a token, and the order of the tokens."""

from __future__ import annotations

from explorer.kit.segments import Segment
from explorer.rooms.explore.options.group import Group, allow
from explorer.session import Frame
from explorer.session.intents import SetPosition, ShuffleTokens
from explorer.text import N_, Message, _

_ONE = Message(N_("One token alone has no order."))


class PositionGroup(Group):
    """No position, a sinusoidal one, or rows of one's own."""

    title = N_("Position, added to X")

    def build(self) -> None:
        """Make the choice and the button."""
        self.choice = self.segments(
            (
                Segment("none", _("None"), _("no position")),
                Segment("sinusoidal", _("Sinusoidal"), _("sine and cosine of the place")),
                Segment("own", _("Own"), _("rows of your own, at first the present ones")),
            ),
            _("Position"),
            pad=8,
        )
        self.shuffle = self.button(_("Shuffle tokens"), ShuffleTokens)
        self.row(self.caption)
        self.row(self.choice, None)
        self.row(self.shuffle, None)
        self.choice.picked.connect(lambda position: self.intent.emit(SetPosition(position)))

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return the position, and whether there is an order."""
        return frame.scene.options.position, len(frame.scene.tokens) > 1

    def show_frame(self, frame: Frame) -> None:
        """Show the position."""
        position = frame.scene.options.position
        self.choice.show_checked({position if isinstance(position, str) else "own"})
        allow(self.shuffle, None if len(frame.scene.tokens) > 1 else _ONE)
