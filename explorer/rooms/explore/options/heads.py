"""How many heads there are, whose columns of W they have, and what follows them."""

from __future__ import annotations

from explorer.kit.segments import Segment
from explorer.rooms.explore.options.fields import CountBox
from explorer.rooms.explore.options.group import Group, allow, reason
from explorer.session import Frame, Matrix, forms
from explorer.session.forms import MOST_HEADS_BY_HAND
from explorer.session.intents import SetHeads, SetOutput
from explorer.text import N_, Message, _

_NO_W = Message(N_("Heads split Wq, Wk and Wv: add these first."))


class HeadsGroup(Group):
    """The number of heads, a W each or one that is split, and Wo."""

    title = N_("Heads")

    def build(self) -> None:
        """Make the controls."""
        self.count = CountBox(_("Number of heads"), MOST_HEADS_BY_HAND, self._judge, self)
        self.themed(self.count)
        self.form = self.segments(
            (
                Segment(False, _("own W each"), "", _("each head has its own Wq, Wk and Wv")),
                Segment(True, _("one W, split"), "", _("heads share the columns of one W")),
            ),
            _("Where heads have their W from"),
        )
        self.output = self.check(_("Wo"), _("Wo after the heads"))
        self.row(self.caption, None, self.count)
        self.row(self.form, None)
        self.row(self.output, None)
        self.count.taken.connect(lambda heads: self._ask(heads, self._split))
        self.count.judged.connect(self.say)
        self.form.picked.connect(self._pick)
        self.output.asked.connect(lambda on: self.intent.emit(SetOutput(on)))

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return what heads are made of."""
        scene = frame.scene
        return scene.heads, scene.Wq is None, _is_split(frame), scene.Wo is None, scene.d_k

    def show_frame(self, frame: Frame) -> None:
        """Show the heads."""
        scene = frame.scene
        self.count.setMaximum(max(MOST_HEADS_BY_HAND, scene.heads))  # a file may have more
        self.count.show_value(scene.heads)
        self.form.show_checked({self._split} if scene.projected else ())
        why_not = None if scene.projected else _NO_W
        allow(self.count, why_not)
        for split in (False, True):
            self.form.set_enabled(split, scene.projected, None if scene.projected else str(_NO_W))
        self.output.show_checked(scene.Wo is not None)
        allow(self.output, reason(lambda: forms.set_output(scene, scene.Wo is None)))

    @property
    def _split(self) -> bool:
        assert self._frame is not None
        return _is_split(self._frame)

    def _judge(self, heads: float) -> Message | None:
        return reason(lambda: forms.set_heads(self.scene, int(heads), split=self._split))

    def _pick(self, split: bool) -> None:
        heads = self.count.value()  # also one that was refused the other way
        message = reason(lambda: forms.set_heads(self.scene, heads, split=split))
        self.say(message)
        if message is None:
            self._ask(heads, split)

    def _ask(self, heads: int, split: bool) -> None:
        self.intent.emit(SetHeads(heads, split))


def _is_split(frame: Frame) -> bool:
    W = frame.scene.array(Matrix.WQ)
    return W is not None and W.ndim == 2
