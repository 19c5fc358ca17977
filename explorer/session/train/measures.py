"""What of a run can be followed over its epochs beside the loss: a function and a line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from explorer.session.look import Stage
from explorer.session.scene import Array
from explorer.session.train.frame import TrainFrame
from explorer.text import N_, Listing, Message, displayable
from explorer.traces import Trace

_MOST_STEPS = 256  # at which arrays are read
_LONGEST = 40  # of a sentence, in characters
_MATRICES = {
    Stage.X: "embedding",
    Stage.Q: "Wq",
    Stage.K: "Wk",
    Stage.V: "Wv",
    Stage.O: "Wo",
}


@dataclass(frozen=True, eq=False)
class Series:
    """Values over epochs.

    epochs : (E,)
    lines : values (E,) by the name of each line, translated
    chosen : the line that is meant most, or None
    missing : why there are none
    """

    epochs: Array = field(default_factory=lambda: np.zeros(0))
    lines: Mapping[str, Array] = field(default_factory=dict)
    chosen: str | None = None
    missing: Message | None = None


def measured(frame: TrainFrame, key: str) -> Series:
    """Return a measure of the shown run at its recorded steps. Raises Problem."""
    return MEASURES[key][1](frame)


def _steps(frame: TrainFrame) -> list[int]:
    count = len(frame.recorded)
    found = np.linspace(0, count - 1, min(count, _MOST_STEPS)).round().astype(int)
    return [int(step) for step in np.unique(found)]


def _over(
    frame: TrainFrame, names: list[str], at: Callable[[Trace, int], Array], chosen: int | None
) -> Series:
    """Return a line for each name of what a function gives for a step, (lines,)."""
    assert frame.trace is not None
    steps = _steps(frame)
    values = np.stack([np.asarray(at(frame.trace, step), np.float64) for step in steps])
    lines = {name: values[:, n] for n, name in enumerate(names)}
    named = None if chosen is None else names[chosen]
    return Series(frame.recorded[steps].astype(float), lines, named)


def _lacks(frame: TrainFrame, *names: str) -> Series | None:
    """Return why there is nothing where an array is not recorded."""
    missing = [name for name in names if frame.trace is None or name not in frame.trace.names]
    if not missing:
        return None
    arrays = {"arrays": Listing.of(missing)}
    return Series(missing=Message(N_("This trace does not hold {arrays}."), arrays))


def _heads(frame: TrainFrame) -> list[str]:
    assert frame.trace is not None
    count = frame.trace.sizes.get("H", 1)
    return [str(Message(N_("Head {head}"), {"head": head + 1})) for head in range(count)]


def _weights(frame: TrainFrame, step: int) -> Array:
    """Return the weights of the chosen sample and layer, (H, T, T)."""
    assert frame.trace is not None
    sample = frame.cursor.sample
    length = int(frame.trace.lengths[sample])
    maps = frame.trace.array("weights", step, sample, frame.cursor.layer)
    return np.asarray(maps[:, :length, :length], np.float64)


def _scalar(frame: TrainFrame, key: str, name: str) -> Series:
    """Return a number of each epoch, by its name in Scalars."""
    epochs, values = frame.scalars.epochs, getattr(frame.scalars, key)
    if not len(values) or np.isnan(values).all():
        arrays = {"arrays": f"scalar.{key}"}
        return Series(missing=Message(N_("This trace does not hold {arrays}."), arrays))
    return Series(epochs, {name: values[: len(epochs)]}, name)


def _accuracy(frame: TrainFrame) -> Series:
    return _scalar(frame, "accuracy", str(Message(N_("accuracy"))))


def _gradient(frame: TrainFrame) -> Series:
    """The Euclidean norm of the loss's gradient, averaged over the steps that led to an epoch."""
    return _scalar(frame, "gradient", str(Message(N_("gradient"))))


def _places(frame: TrainFrame) -> Series:
    """−ln of the probability of the word after each place of the chosen sentence."""
    trace = frame.trace
    absent = _lacks(frame, "losses")
    if absent is not None or trace is None:
        return absent or Series()
    sample = frame.cursor.sample
    words = [*trace.words(sample)[1:], str(trace.target(sample))]
    names = [f"{place}. {displayable(word, _LONGEST)}" for place, word in enumerate(words, start=2)]
    pair = _pair(frame)
    return _over(
        frame,
        names,
        lambda trace, step: trace.array("losses", step, sample)[: len(names)],
        None if pair is None else pair[0],
    )


def _sentences(frame: TrainFrame) -> Series:
    """−ln of the probability of each recorded sentence's target.

    Where every place predicts, the mean over its places.
    """
    trace = frame.trace
    absent = _lacks(frame, "logits", "targets")
    if absent is not None or trace is None or trace.targets is None:
        return absent or Series()
    targets = trace.targets

    def at(trace: Trace, step: int) -> Array:
        if "losses" in trace.names:  # beyond a sentence's length they are 0
            return np.asarray(trace.array("losses", step).sum(axis=1) / trace.lengths)
        logits = trace.array("logits", step).astype(np.float64)
        logits = logits - logits.max(axis=1, keepdims=True)
        picked = logits[np.arange(len(targets)), targets]
        return np.asarray(np.log(np.exp(logits).sum(axis=1)) - picked)

    names = [
        displayable(" ".join((*trace.words(n), str(trace.target(n)))), _LONGEST)
        for n in range(len(targets))
    ]
    # The same sentence twice is one line by name: its number follows.
    names = [name if names.count(name) == 1 else f"{name} #{n + 1}" for n, name in enumerate(names)]
    return _over(frame, names, at, frame.cursor.sample)


def _entropy(frame: TrainFrame) -> Series:
    """The mean over the queries of −Σ w log₂ w, in bit."""

    def at(_trace: Trace, step: int) -> Array:
        maps = _weights(frame, step)
        logs = np.log2(maps, out=np.zeros_like(maps), where=maps > 0)
        return np.asarray(-(maps * logs).sum(-1).mean(-1))

    return _over(frame, _heads(frame), at, frame.cursor.head)


def _pair(frame: TrainFrame) -> tuple[int, int] | None:
    pair = None if frame.selection is None else frame.selection.pair
    return pair if pair is not None and max(pair) < len(frame.words) else None


def _pair_weight(frame: TrainFrame) -> Series:
    pair = _pair(frame)
    if pair is None:
        return Series(missing=Message(N_("Select a pair: a cell of a head, or an arrow.")))
    return _over(
        frame,
        _heads(frame),
        lambda _trace, step: _weights(frame, step)[:, *pair],
        frame.cursor.head,
    )


def _distance(frame: TrainFrame) -> Series:
    """The Euclidean distance of the embeddings of the selected pair's words."""
    pair, trace = _pair(frame), frame.trace
    absent = _lacks(frame, "param.embedding")
    if absent is not None or trace is None:
        return absent or Series()
    if pair is None:
        return Series(missing=Message(N_("Select a pair: a cell of a head, or an arrow.")))
    first, second = (int(trace.tokens[frame.cursor.sample, place]) for place in pair)

    def at(trace: Trace, step: int) -> Array:
        words = trace.array("param.embedding", step).astype(np.float64)
        return np.array([np.linalg.norm(words[first] - words[second])])

    words = [displayable(trace.run.vocabulary[word], _LONGEST) for word in (first, second)]
    return _over(frame, [" – ".join(words)], at, 0)


def _norms(frame: TrainFrame) -> Series:
    """The Frobenius norm of each matrix of the chosen layer, and of embedding and Wout.

    The chain's active matrix is the one that is meant.
    """
    trace = frame.trace
    layer = f"layers.{frame.cursor.layer}."
    wanted = ("embedding", *(layer + name for name in ("Wq", "Wk", "Wv", "Wo", "W1", "W2")), "Wout")
    known = [name for name in wanted if trace is not None and f"param.{name}" in trace.names]
    if not known:
        return _lacks(frame, "param.embedding") or Series()

    def at(trace: Trace, step: int) -> Array:
        arrays = (trace.array(f"param.{name}", step).astype(np.float64) for name in known)
        return np.array([np.sqrt(np.square(array).sum()) for array in arrays])

    names = [name.removeprefix(layer) for name in known]
    meant = _MATRICES.get(frame.look.stage)
    return _over(frame, names, at, names.index(meant) if meant in names else None)


def _rank(frame: TrainFrame) -> Series:
    """exp of the entropy of the singular values' shares of Wq Wkᵀ (Roy & Vetterli 2007)."""
    names = [f"param.layers.{frame.cursor.layer}.{name}" for name in ("Wq", "Wk")]
    absent = _lacks(frame, *names)
    if absent is not None:
        return absent

    def at(trace: Trace, step: int) -> Array:
        Wq, Wk = (trace.array(name, step).astype(np.float64) for name in names)
        sizes = np.linalg.svd(Wq @ Wk.swapaxes(1, 2), compute_uv=False)
        shares = sizes / np.maximum(sizes.sum(axis=1, keepdims=True), 1e-300)
        logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
        return np.asarray(np.exp(-(shares * logs).sum(axis=1)))

    return _over(frame, _heads(frame), at, frame.cursor.head)


def _score(name: str) -> Callable[[TrainFrame], Series]:
    """Return the measure of a published score of each head of the chosen layer."""

    def measure(frame: TrainFrame) -> Series:
        layer = frame.cursor.layer
        return _lacks(frame, name) or _over(
            frame,
            _heads(frame),
            lambda trace, step: trace.array(name, step)[layer],
            frame.cursor.head,
        )

    return measure


MEASURES: dict[str, tuple[str, Callable[[TrainFrame], Series]]] = {
    "accuracy": (N_("Accuracy"), _accuracy),
    "sentences": (N_("Loss of each sentence"), _sentences),
    "places": (N_("Loss of each place"), _places),
    "entropy": (N_("Entropy of each head (bit)"), _entropy),
    "pair": (N_("Weight of the selected pair"), _pair_weight),
    "previous": (N_("Previous-token score of each head"), _score("repeats.previous")),
    "induction": (N_("Induction score of each head"), _score("repeats.induction")),
    "distance": (N_("Distance between the selected words"), _distance),
    "gradient": (N_("Norm of the gradient"), _gradient),
    "norms": (N_("Norm of each matrix"), _norms),
    "rank": (N_("Effective rank of Wq Wkᵀ"), _rank),
}
