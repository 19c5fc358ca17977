"""The chain of a model's run: from words to the next layer, with the shapes of the chosen head."""

from __future__ import annotations

import math
from typing import ClassVar

from PySide6.QtWidgets import QWidget

from explorer.kit.chain_base import ChainBase
from explorer.kit.stage_chip import (
    DETAILS,
    Chain,
    ChainLink,
    end_link,
    said,
    stage_link,
    whole_chain,
)
from explorer.kit.text_runs import Place, Run, Runs, Text
from explorer.kit.theme import Theme
from explorer.rooms.model.base import ModelView
from explorer.session import CHAIN, Stage
from explorer.session.intents import ShowStage
from explorer.session.model.frame import HeadDetail, ModelChange, ModelFrame
from explorer.text import _, ngettext

_ARRAYS = {
    Stage.X: "x",
    Stage.Q: "q",
    Stage.K: "k",
    Stage.V: "v",
    Stage.S: "scores",
    Stage.A: "weights",
    Stage.O: "output",
}


class ModelChain(ChainBase[ModelFrame], ModelView):
    """words → X → Q, K, V → S → A → O → the next layer, or what comes after the last."""

    concerns: ClassVar[ModelChange] = ModelChange.NUMBERS | ModelChange.LOOK

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        start = _chain(ModelFrame())
        # With nine chips the captions need the room of the words.
        super().__init__(theme, parent, start=start, details=DETAILS[1:])
        self.setAccessibleName(_("Steps of the model"))

    def chain(self, frame: ModelFrame) -> Chain:
        """Return the shapes of the head at the cursor, and what is done at each arrow."""
        return _chain(frame)

    def asked(self, stage: Stage) -> object:
        """Return the intent to go to a stage."""
        return ShowStage(stage)


def _chain(frame: ModelFrame) -> Chain:
    tokens = None if frame.run is None else len(frame.run.pieces)
    stages = [_link(frame, stage) for stage in CHAIN]
    ends = end_link(_("words"), tokens, _("The text as tokens")), _last(frame)
    return whole_chain(stages, ends, _captions(frame), frame.look.stage, _shorts(frame))


def _last(frame: ModelFrame) -> ChainLink:
    info, layer = frame.info, frame.cursor.layer
    if info is None or layer + 1 < info.layers:
        name = _("layer {layer}").format(layer=layer + 2)
        return end_link(name, None, _("What every head gives goes into the next layer"))
    if info.predicts:
        tip = _("A probability for every token of the vocabulary")
        return end_link(_("next token"), info.vocabulary or None, tip)
    return end_link(_("result"), None, _("What the last layer gives"))


def _link(frame: ModelFrame, stage: Stage) -> ChainLink:
    if frame.head is None:
        return stage_link(stage, None)
    array = getattr(frame.head.arrays, _ARRAYS[stage])
    if array is None:
        return stage_link(stage, None, _("Not in this file"))
    return stage_link(stage, array.shape)


def _captions(frame: ModelFrame) -> tuple[Runs, ...]:
    """Return what is done at each arrow, as far as it is known."""
    info, layer, head = frame.info, frame.cursor.layer, frame.cursor.head
    if info is None:
        return ((),) * 6
    before = ngettext("{count} layer", "{count} layers", layer).format(count=layer)
    embedding = before if layer else _("embed")
    which = _("head {head} of {heads}").format(head=head + 1, heads=info.heads)
    scores = _product(frame)
    if info.causal:
        scores = (*scores, *said(_(", causal")))
    after = _("join {heads}, FFN").format(heads=info.heads)
    if frame.run is not None and frame.run.off:
        after = _("{count} off").format(count=len(frame.run.off))
    return said(embedding), said(which), scores, said(_("softmax")), said("× V"), said(after)


def _shorts(frame: ModelFrame) -> dict[int, Runs]:
    """Return what the longest captions say where there is little room."""
    if frame.info is None:
        return {}
    which = _("head {head}").format(head=frame.cursor.head + 1)
    return {1: said(which), 2: _product(frame)}


def _product(frame: ModelFrame) -> Runs:
    scores: list[Run] = [Text("QK", "ink3"), Text("T", "ink3", place=Place.SUPER)]
    if frame.head is not None:
        scores += said(scaling(frame.head))
    return tuple(scores)


def scaling(detail: HeadDetail) -> str:
    """Return what turns q · k into the score: " ÷ √32", " × 0.125", or nothing."""
    q = detail.arrays.q
    if q is None or detail.scale == 1:
        return ""
    if math.isclose(detail.scale, 1 / math.sqrt(q.shape[-1]), rel_tol=1e-6):
        return f" ÷ √{q.shape[-1]}"
    return f" × {detail.scale:.4g}"
