"""The chain from X to O: the map of the computation, and the way to go through it."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtWidgets import QWidget

from explorer.session import Change, Frame, Stage
from explorer.session.intents import ShowStage
from explorer.text import _
from explorer.views.base import View
from explorer.views.runs import Place, Runs, Text
from explorer.views.stations import Arrow, Chain, StationsView, said, stage_station
from explorer.views.strip.words import divided_by
from explorer.views.theme import Theme

# Between which chips there is an arrow: X → Q, V → S, S → A and A → O.
_ARROWS = (0, 3, 4, 5)
_START = Chain(
    tuple(stage_station(stage, (1, 1)) for stage in Stage),
    tuple(Arrow(start, ()) for start in _ARROWS),
    Stage.X,
)


class ChainView(StationsView[Frame], View):
    """X → Q, K, V → S → A → O, with what turns one into the next written above the arrows."""

    concerns: ClassVar[Change] = Change.RESULT | Change.LOOK

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent, start=_START)
        self.setAccessibleName(_("Steps of attention"))

    def chain(self, frame: Frame) -> Chain:
        """Return the shapes for the chosen head, and what is done at each arrow."""
        shapes = _shapes(frame)
        return Chain(
            tuple(stage_station(stage, shapes[stage]) for stage in Stage),
            tuple(
                Arrow(start, caption)
                for start, caption in zip(_ARROWS, _captions(frame), strict=True)
            ),
            frame.look.stage,
        )

    def asked(self, stage: Stage) -> object:
        """Return the intent to go to a stage."""
        return ShowStage(stage)


def _shapes(frame: Frame) -> dict[Stage, tuple[int, int]]:
    """Return the shape of each stage's array for the chosen head."""
    result = frame.attention
    arrays = {
        Stage.X: frame.scene.X,
        Stage.Q: result.Q[0],
        Stage.K: result.K[0],
        Stage.V: result.V[0],
        Stage.S: result.scores[0],
        Stage.A: result.weights[0],
        Stage.O: result.head_output[0],
    }
    return {stage: (array.shape[0], array.shape[1]) for stage, array in arrays.items()}


def _captions(frame: Frame) -> tuple[Runs, ...]:
    """Return what turns X into Q, K, V; these into S; S into A; and A into O."""
    return _projecting(frame), _scoring(frame), said(_("softmax")), said("× V")


def _projecting(frame: Frame) -> Runs:
    scene = frame.scene
    crossed = scene.context is not None
    if not scene.projected:
        return said(_("Q = X; K = V = context")) if crossed else said("Q = K = V = X")
    runs = [*said("× "), *_w("q")]
    runs += said(_("; context × ")) if crossed else said(" ")
    runs += [*_w("k"), *said(" "), *_w("v")]
    if any(bias is not None for bias in (scene.bq, scene.bk, scene.bv)):
        runs += said(" + b")
    if scene.heads > 1:
        runs += said(
            _(", head {head} of {heads}").format(head=frame.look.head + 1, heads=scene.heads)
        )
    return tuple(runs)


def _scoring(frame: Frame) -> Runs:
    runs = [*said("QK"), Text("T", "ink3", place=Place.SUPER)]
    scaling = divided_by(frame)
    if scaling:
        runs += said(f" {scaling}")
    if isinstance(frame.scene.options.mask, str):
        if frame.scene.options.mask == "causal":
            runs += said(_(", causal"))
    elif frame.attention.mask is not None:
        runs += said(_(", masked"))
    return tuple(runs)


def _w(letter: str) -> Runs:
    return Text("W", "ink3"), Text(letter, "ink3", place=Place.SUB)


if __name__ == "__main__":
    from explorer.views.preview import preview

    preview(ChainView)
