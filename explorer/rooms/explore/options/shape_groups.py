"""Options that decide what a scene is made of: heads, biases, columns, order, sequences."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QGridLayout

from explorer.kit.fold import INSET
from explorer.kit.labels import show_text
from explorer.kit.segments import Segment
from explorer.kit.theme import Theme
from explorer.rooms.explore.options.group import CountBox, Group, allow, reason
from explorer.session import Context, Frame, Matrix, edits, forms
from explorer.session.checks import MOST_COLUMNS
from explorer.session.forms import MOST_HEADS_BY_HAND
from explorer.session.intents import (
    AddSequence,
    RemoveSequence,
    Resize,
    SetBias,
    SetContext,
    SetHeads,
    SetOutput,
    SetPosition,
    ShuffleTokens,
)
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
            _("Where heads get their W"),
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
        self.count.show_value(scene.heads, MOST_HEADS_BY_HAND)  # a file may have more
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


NAMES = ("d_model", "d_k", "d_v")
_NO_WIDTHS = Message(N_("Q = K = V = X here: add Wq, Wk and Wv to change it."))


class DimensionsGroup(Group):
    """d_model, d_k and d_v."""

    title = N_("Columns of X, of Q and K, of V")

    def build(self) -> None:
        """Make a box for each."""
        self.row(self.caption)
        self._grid = QGridLayout()
        self.boxes: dict[str, CountBox] = {}
        for column, name in enumerate(NAMES):
            box = CountBox(name, MOST_COLUMNS, partial(self._judge, name), self)
            self.boxes[name] = box
            self.themed(box)
            box.taken.connect(partial(self._ask, name))
            box.judged.connect(self.say)
            self._grid.addWidget(self.label(name), 0, column)
            self._grid.addWidget(box, 1, column)
            self._grid.setColumnStretch(column, 1)
        self._column.addLayout(self._grid)

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return the widths, and whether there is a W."""
        scene = frame.scene
        return scene.d_model, scene.d_k, scene.d_v, scene.projected

    def show_frame(self, frame: Frame) -> None:
        """Show the widths."""
        scene = frame.scene
        widths = {"d_model": scene.d_model, "d_k": scene.d_k, "d_v": scene.d_v}
        for name, box in self.boxes.items():
            box.show_value(widths[name], MOST_COLUMNS)
            allow(box, None if name == "d_model" or scene.projected else _NO_WIDTHS)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        self._grid.setSpacing(theme.px(6))
        self._grid.setContentsMargins(theme.px(INSET), 0, theme.px(INSET), 0)

    def _judge(self, name: str, width: float) -> Message | None:
        sizes = {name: int(width)}
        return reason(lambda: edits.resize(self.scene, **sizes))

    def _ask(self, name: str, width: int) -> None:
        self.intent.emit(Resize(**{name: width}))


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
            said = _("Its tokens are below X and can be edited there.")
        show_text(self.note, said)


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
                Segment("own", _("Own"), _("your own rows, at first the current ones")),
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
