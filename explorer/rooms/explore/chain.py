"""The chain from X to O: the map of the computation, and the way to go through it."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtWidgets import QWidget

from explorer.attention import MISTAKES, VARIANT_TITLES, Variant
from explorer.kit.base import View, only_numbers_differ
from explorer.kit.chain_base import ChainBase
from explorer.kit.stage_chip import Arrow, Chain, ChainLink, said, stage_link
from explorer.kit.text_runs import Place, Runs, Text
from explorer.kit.theme import Theme
from explorer.kit.wording import matrix, root, scaling
from explorer.session import (
    CHAIN,
    Change,
    Frame,
    Stage,
    inputs_of,
    position_rows,
    stages_of,
    table_shape,
)
from explorer.session.intents import ShowStage
from explorer.session.masks import MaskKind, mask_kinds
from explorer.text import _

# Where a variant departs from attention.
_DEPARTS = {
    Variant.AVERAGE: (Stage.S,),
    Variant.SOFTMAX_FIRST: (Stage.A,),
    Variant.MULTIPLIED: (Stage.S,),
    Variant.OUTPUT_SCALED: (Stage.O,),
    Variant.UNSCALED: (Stage.S,),
    Variant.HEADS_MIXED: (Stage.Q, Stage.K, Stage.V),
}


def _starts(there: tuple[Stage, ...]) -> tuple[int, ...]:
    """Return the places of the stages that an arrow leaves: not between Q, K and V."""
    return tuple(place for place, stage in enumerate(there[1:]) if stage not in (Stage.K, Stage.V))


_START = Chain(
    tuple(stage_link(stage, (1, 1)) for stage in CHAIN),
    tuple(Arrow(start, ()) for start in _starts(CHAIN)),
    Stage.X,
    (),
)


class ChainView(ChainBase[Frame], View):
    """X → Q, K, V → S → A → O, with what turns one into the next written above the arrows.

    Where a scene has them, X + P comes after X, and the heads' outputs side by side and the output
    after Wo come at the end.
    """

    concerns: ClassVar[Change] = Change.RESULT | Change.LOOK

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent, start=_START)
        self._frame: Frame | None = None
        self.setAccessibleName(_("Steps of attention"))

    def draw(self, frame: Frame) -> None:
        """Show shapes, operators and the active stage."""
        before, self._frame = self._frame, frame
        if self._shown is None or not only_numbers_differ(before, frame):
            super().draw(frame)

    def chain(self, frame: Frame) -> Chain:
        """Return the scene's stages, with the chosen head's shapes, and what leads to each."""
        there = stages_of(frame.scene)
        return Chain(
            tuple(_link(frame, stage, there[-1]) for stage in there),
            tuple(_arrow(frame, start, there[start + 1]) for start in _starts(there)),
            frame.look.stage,
            inputs_of(frame.scene, frame.look.stage),
            _ahead(frame, there),
        )

    def asked(self, stage: Stage) -> object:
        """Return the intent to go to a stage."""
        return ShowStage(stage)


def _ahead(frame: Frame, there: tuple[Stage, ...]) -> tuple[Stage, ...]:
    """Return the stages after the last one that a lesson has shown; none without a lesson."""
    met = frame.look.met
    if met is None:
        return ()
    last = max((place for place, stage in enumerate(there) if stage in met), default=-1)
    return there[last + 1 :]


def _named_variant(frame: Frame) -> Variant:
    """Return which variant the chain names: none where a mistake is to be found."""
    variant = frame.scene.options.variant
    return Variant.NONE if frame.look.unnamed and variant in MISTAKES else variant


def _link(frame: Frame, stage: Stage, last: Stage) -> ChainLink:
    word = _("head output") if stage is Stage.O and stage is not last else ""
    variant = _named_variant(frame)
    tip = ""
    if stage in _DEPARTS.get(variant, ()):
        tip = _(VARIANT_TITLES[variant])
        if variant in MISTAKES:
            tip = _("Computed wrongly on purpose: {title}").format(title=tip)
    shape = table_shape(frame.scene, stage)
    asked = {table_shape(frame.scene, veil.table) for veil in frame.look.veils if veil.shape}
    given = stage in (Stage.X, Stage.P)
    hidden = stage in frame.look.hidden or (shape in asked and not given)
    return stage_link(stage, None if hidden else shape, tip, word)


def _arrow(frame: Frame, start: int, stage: Stage) -> Arrow:
    """Return the arrow that leads to a stage from the chip before it."""
    variant = _named_variant(frame)
    caption = {
        Stage.P: lambda _frame: said("+ P"),
        Stage.Q: _projecting,
        Stage.R: _turning,
        Stage.S: _scoring,
        Stage.A: _softmax,
        Stage.O: _mixing,
        Stage.C: lambda _frame: said(_("concat")),
        Stage.Y: _after,
    }[stage](frame)
    wrong = variant in MISTAKES and stage in _DEPARTS[variant]
    return Arrow(start, caption, said(_("a mistake"), "err") if wrong else ())


def _projecting(frame: Frame) -> Runs:
    runs = _projected(frame)
    if _named_variant(frame) is Variant.HEADS_MIXED:
        runs += said(_(", heads split by reshape: a mistake"), "err")
    return runs


def _projected(frame: Frame) -> Runs:
    """Return what X becomes Q, K and V by."""
    scene = frame.scene
    crossed = scene.context is not None
    rows = "X" if position_rows(scene) is None else "X + P"
    if not scene.projected:
        if crossed:
            return said(_("Q = {rows}; K = V = context").format(rows=rows))
        return said(f"Q = K = V = {rows}")
    runs = [*said("× "), *matrix("Wq", "ink3")]
    runs += said(_("; context × ")) if crossed else said(" ")
    runs += [*matrix("Wk", "ink3"), *said(" "), *matrix("Wv", "ink3")]
    biases = [letter for letter in "qkv" if getattr(scene, f"b{letter}") is not None]
    if biases:
        runs += said(" + ")
    for place, letter in enumerate(biases):
        runs += [*(said(" ") if place else ()), *matrix(f"b{letter}", "ink3")]
    if scene.heads > 1:
        runs += said(
            _(", head {head} of {heads}").format(head=frame.look.head + 1, heads=scene.heads)
        )
    return tuple(runs)


def _scoring(frame: Frame) -> Runs:
    variant, mistake = _named_variant(frame), ""
    options = frame.scene.options  # with rotary positions they are normalised at that stage
    normed = options.qk_norm is not None and options.rotary is None
    norm = _(", Q and K normalised") if normed else ""
    if variant is Variant.AVERAGE:
        return said(_("all scores 0") + norm + _masking(frame))
    runs = [*said("QK"), Text("T", "ink3", place=Place.SUPER)]
    steps = scaling(frame)
    if variant is Variant.MULTIPLIED:
        first = f"× {root(frame)}"
        runs += said(f" {first}", "err")
        steps = steps.removeprefix(first).strip()
        mistake = _(": a mistake")
    elif variant is Variant.UNSCALED:
        mistake = _(", ÷ {root} forgotten: a mistake").format(root=root(frame))
    if steps:
        runs += said(f" {steps}")
    return *runs, *said(norm + _masking(frame)), *said(mistake, "err")


def _turning(frame: Frame) -> Runs:
    norm = frame.scene.options.qk_norm is not None
    return said(_("normalised, turned by position") if norm else _("turned by position"))


def _masking(frame: Frame) -> str:
    """Return what hides keys: ", causal, padding", ", masked", or nothing."""
    kinds = {
        MaskKind.CAUSAL: _(", causal"),
        MaskKind.PADDING: _(", padding"),
        MaskKind.OTHER: _(", masked"),
    }
    return "".join(kinds[kind] for kind in mask_kinds(frame.scene))


def _softmax(frame: Frame) -> Runs:
    runs = said(_("softmax"))
    if _named_variant(frame) is Variant.SOFTMAX_FIRST:
        runs += said(_(", then ÷ {root}: a mistake").format(root=root(frame)), "err")
    if frame.averaged:
        runs += said(_(", mean of {count} heads").format(count=frame.attention.heads))
    return runs


def _mixing(frame: Frame) -> Runs:
    runs = said("× V")
    if frame.averaged:  # O is made from one head's weights in any case
        runs = said(_("A V of head {head}").format(head=frame.look.head + 1))
    if _named_variant(frame) is Variant.OUTPUT_SCALED:
        runs += said(_(" × {root}: a mistake").format(root=root(frame)), "err")
    return runs


def _after(frame: Frame) -> Runs:
    bias = said(" + ") + matrix("bo", "ink3") if frame.scene.bo is not None else ()
    return said("× ") + matrix("Wo", "ink3") + bias
