"""What each head alone does to what a model expects: exact, one head after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from explorer.models.forward import Report
from explorer.models.model import Model
from explorer.models.model_run import ModelRun
from explorer.models.run import Array
from explorer.text import N_, Problem, displayable

_MASKS = ("[MASK]", "<mask>")


@dataclass(frozen=True)
class Effect:
    """What switching one head off changes; layer and head count from 1.

    before, after : the probability of the followed word, or, where a model predicts none, the
        cosine of the text's vector to what it is without a switch
    """

    layer: int
    head: int
    before: float
    after: float

    @property
    def change(self) -> float:
        """After less before."""
        return self.after - self.before


@dataclass(frozen=True)
class Followed:
    """What effects are measured by: a token of the vocabulary at a place, or the text's vector.

    place : int or None
        The token after which (causal) or at which the word is expected; None for the vector, which
        is the mean of all tokens.
    word : int
    """

    place: int | None
    word: int = 0


def token_of(model: Model, word: str) -> int:
    """Return the token of the vocabulary that a word is, within a text. Raises Problem."""
    word = word.strip()
    if model.tokenizer is not None and word:
        begin, end = (len(part) for part in model.frame)
        for text in (f" {word}", word):
            ids = model.tokenizer.encode(text, begin + end + 2).ids
            ids = ids[begin : len(ids) - end]
            if len(ids) == 1 and model.text_of(ids[0]).strip() == word:
                return ids[0]
    raise Problem(
        N_("{word} is not one token of this model: name one, such as one of the likeliest words."),
        word=displayable(word, 40) or "?",
    )


def followed(run: ModelRun, word: int | None = None) -> Followed:
    """Return what is followed in a run: the next token, the masked word, or the text's vector.

    word : the token; by default the likeliest one
    """
    plan, place = run.model.plan, None
    if plan.has_logits:
        masked = (i for i, piece in enumerate(run.pieces) if piece.token in _MASKS)
        place = len(run.ids) - 1 if plan.causal else next(masked, None)
    if place is None:
        return Followed(None)
    return Followed(place, int(run.logits_at(place).argmax()) if word is None else word)


def effects(run: ModelRun, what: Followed | None = None) -> Iterator[Effect]:
    """Yield the effect of each head that is not off, beside the switches that `run` has.

    Each is exact, what lies before its layer is taken from `run`, and those come first that an
    estimate says matter. Whoever has seen enough stops asking.
    """
    told = Effects(run, followed(run) if what is None else what)
    return (told.of(*place) for place in told.order)


def outcome(run: ModelRun, what: Followed, whole: ModelRun) -> float:
    """Return the followed word's probability, or the cosine of the vector to that of `whole`."""
    return _measured(run, run.streams[-1], what, _vector(whole, whole.streams[-1]))


class Effects:
    """What each head alone does, asked for one by one.

    Parameters
    ----------
    run : ModelRun
    what : Followed
    report : function, optional
        Called between layers, here and in `of`; may raise to stop, and can be asked again.

    Attributes
    ----------
    order : list of (layer, head)
        The heads that are not off, counted from 0; those first that an estimate says matter.
    before : float
        What is followed, without a further switch.
    """

    def __init__(self, run: ModelRun, what: Followed, report: Report | None = None) -> None:
        self.run, self.what, self._report = run, what, report
        self._parts: list[_Part] = []
        for layer in range(run.model.plan.layers):
            if report is not None:
                report(layer)
            self._parts.append(_Part.of(run, layer))
        self._base = _vector(run, run.streams[-1])
        self.before = _measured(run, run.streams[-1], what, self._base)
        self.order = _order(run, self._parts, what)

    def of(self, layer: int, head: int) -> Effect:
        """Return the effect of a head, both numbers from 0."""
        run, what, part = self.run, self.what, self._parts[layer]
        without = part.attention - run.forward.written(layer, head, part.outputs[head])
        end = _after(run, layer, without, what, self._report)
        after = _measured(run, end, what, self._base)
        return Effect(layer + 1, head + 1, self.before, after)


@dataclass(frozen=True, eq=False)
class _Part:
    """A layer's heads, (H, T, d_k), and all of them after Wo, (T, d)."""

    outputs: Array
    attention: Array

    @classmethod
    def of(cls, run: ModelRun, layer: int) -> _Part:
        outputs = run.layers[layer].head_output
        return cls(outputs, run.forward.attended(layer, outputs))


def _order(run: ModelRun, parts: list[_Part], what: Followed) -> list[tuple[int, int]]:
    """Return the heads that are not off, both numbers from 0, those that seem to matter first.

    Of a word it is what the head adds to its logit by itself (nostalgebraist 2020, "logit lens"),
    else how much the head adds to the stream.
    """
    forward, plan = run.forward, run.model.plan
    direct = what.place is not None and "head.dense.weight" not in plan.parts
    towards = forward.towards(what.word) if direct else None
    sizes = {}
    for layer, part in enumerate(parts):
        for head, output in enumerate(part.outputs):
            if (layer, head) in forward.off:
                continue
            if towards is None:
                size = float(np.linalg.norm(forward.written(layer, head, output)))
            else:
                size = abs(float(forward.written(layer, head, output[what.place]) @ towards))
            sizes[layer, head] = size
    return sorted(sizes, key=lambda place: (-sizes[place], place))


def _after(
    run: ModelRun, layer: int, attention: Array, what: Followed, report: Report | None
) -> Array:
    """Return the last stream, of the followed place alone where that is all there is to know."""
    forward, residual, plan = run.forward, run.streams[layer], run.model.plan
    replaced = forward.touched(layer) & {"attention", "inner"} or forward.touched(plan.layers)
    if layer == plan.layers - 1 and what.place is not None and not replaced:
        rows = slice(what.place, what.place + 1)
        residual, attention = residual[rows], attention[rows]
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        begin = forward.layer(layer, residual, attention)
    return forward.layers(begin, layer + 1, report)[-1]


def _measured(run: ModelRun, stream: Array, what: Followed, base: Array) -> float:
    """Return the followed word's probability, or the cosine to the unchanged vector `base`."""
    if what.place is None:
        vector = _vector(run, stream)
        return float(vector @ base / (np.linalg.norm(vector) * np.linalg.norm(base)))
    forward = run.forward
    place = min(what.place, len(stream) - 1)
    if not forward.touched(run.model.plan.layers):
        stream, place = stream[place : place + 1], 0
    logits = forward.logits(forward.hidden(stream))[place].astype(np.float64)
    powers = np.exp(logits - logits.max())
    return float(powers[what.word] / powers.sum())


def _vector(run: ModelRun, stream: Array) -> Array:
    return run.forward.hidden(stream).mean(axis=0, dtype=np.float64)
