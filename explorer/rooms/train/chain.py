"""The chain of a run: from words to the next word, with the shapes of the shown trace."""

from __future__ import annotations

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
from explorer.kit.text_runs import Place, Runs, Text
from explorer.kit.theme import Theme
from explorer.rooms.train.base import TrainView
from explorer.session import CHAIN, Stage
from explorer.session.train import TrainChange, TrainFrame
from explorer.session.train.intents import ShowTrainStage
from explorer.text import _, joined, ngettext
from explorer.traces import Trace

# What each stage's array is called in a trace, and the letter of its columns ("T" by itself is the
# number of the sample's tokens).
_ARRAYS = {
    Stage.X: ("x", "d"),
    Stage.Q: ("q", "d_k"),
    Stage.K: ("k", "d_k"),
    Stage.V: ("v", "d_v"),
    Stage.S: ("scores", "T"),
    Stage.A: ("weights", "T"),
    Stage.O: ("head_output", "d_v"),
}


def _ends(words: int | None, vocabulary: int | None) -> tuple[ChainLink, ChainLink]:
    """Return the first chip and the last, which are no stages and so cannot be gone to."""
    return (
        end_link(_("words"), words, _("The words that are given")),
        end_link(_("next word"), vocabulary, _("A probability for every word of the vocabulary")),
    )


class TrainChainView(ChainBase[TrainFrame], TrainView):
    """words → X → Q, K, V → S → A → O → next word."""

    concerns: ClassVar[TrainChange] = TrainChange.NUMBERS | TrainChange.LOOK

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        start = whole_chain(
            [stage_link(stage, None) for stage in CHAIN], _ends(None, None), ((),) * 6, Stage.A
        )
        # With nine chips the captions need the room of the words.
        super().__init__(theme, parent, start=start, details=DETAILS[1:])
        self.setAccessibleName(_("Steps of the model"))

    def chain(self, frame: TrainFrame) -> Chain:
        """Return the shapes at the cursor, and what is done at each arrow."""
        trace = frame.trace
        if trace is None:
            stages = [stage_link(stage, None) for stage in CHAIN]
            return whole_chain(stages, _ends(None, None), _captions(None, 0), frame.look.stage)
        length = int(trace.lengths[frame.cursor.sample])
        vocabulary = len(frame.vocabulary) if "logits" in trace.names else None
        return whole_chain(
            [_link(trace, stage, length) for stage in CHAIN],
            _ends(length, vocabulary),
            _captions(trace, frame.cursor.layer),
            frame.look.stage,
        )

    def asked(self, stage: Stage) -> object:
        """Return the intent to go to a stage."""
        return ShowTrainStage(stage)


def _link(trace: Trace, stage: Stage, length: int) -> ChainLink:
    name, letter = _ARRAYS[stage]
    if name not in trace.names:
        return stage_link(stage, None, _("Not recorded in this trace"))
    columns = length if letter == "T" else trace.sizes[letter]
    return stage_link(stage, (length, columns))


def _captions(trace: Trace | None, layer: int) -> tuple[Runs, ...]:
    """Return what is done at each arrow, as far as the trace tells."""
    config = None if trace is None else trace.run.config
    sizes = {} if trace is None else trace.sizes
    layers = sizes.get("L", 1)
    positioned = trace is not None and (
        "param.position" in trace.names if config is None else config.use_position
    )
    embedding = _("embed + position") if positioned else _("embed")
    if layer:
        embedding += ngettext(", {count} layer", ", {count} layers", layer).format(count=layer)
    parts = []
    if layers > 1:
        parts.append(_("layer {layer} of {layers}").format(layer=layer + 1, layers=layers))
    if "H" in sizes:
        parts.append(ngettext("{count} head", "{count} heads", sizes["H"]).format(count=sizes["H"]))
    scores: list[Text] = [*_plain("QK"), Text("T", "ink3", place=Place.SUPER)]
    # A model from elsewhere may scale and mask in another way.
    if config is not None:
        scores += _plain(f" ÷ √{sizes.get('d_k', config.d_k)}")
        if config.causal:
            scores += _plain(_(", causal"))
    after = _("add & norm, FFN")
    rest = layers - layer - 1
    if rest:
        after += ngettext(", {count} more layer", ", {count} more layers", rest).format(count=rest)
    return (
        said(embedding),
        said(joined(parts)),
        tuple(scores),
        said(_("softmax")),
        said("× V"),
        said(after),
    )


def _plain(text: str) -> tuple[Text, ...]:
    return (Text(text, "ink3"),)
