"""Recorded runs in memory, and the session's frames that show them, for tests of Train's views."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.session.train import Cursor, Scalars, StepValues, TrainFrame, TrainLook
from explorer.traces import (
    DEFAULT_CORPUS,
    Config,
    Run,
    Trace,
    array_spec,
    fit_basis,
    parameter_shapes,
    parse_corpus,
)
from explorer.traces.container import Chunk, Entry

Arrays = Mapping[str, NDArray[Any]]


class MemoryTrace(Trace):
    """A trace whose arrays, as they would stand in a file, are in memory."""

    def __init__(self, run: Run, arrays: Arrays) -> None:
        super().__init__()
        self.title = "memory"
        self.run = run
        self.metadata = {}
        self._arrays = arrays
        self.tokens, self.lengths = arrays["tokens"], arrays["lengths"]
        self.targets, self.samples = arrays.get("targets"), arrays.get("samples")
        self.basis = None

    @property
    def arrays(self) -> Arrays:
        """Everything that it holds, by name."""
        return self._arrays

    @property
    def epochs(self) -> NDArray[Any]:
        return self._arrays["epochs"]

    @cached_property
    def sizes(self) -> dict[str, int]:
        found = {"V": len(self.run.vocabulary)}
        for name in self.names:
            spec = array_spec(name)
            assert spec is not None
            found |= dict(zip(spec.shape, self._arrays[name].shape, strict=True))
        return found

    @cached_property
    def entries(self) -> dict[str, Entry]:
        kinds = {"f": "F32", "i": "I64"}
        return {
            name: Entry("F64" if name.startswith("scalar.") else kinds[a.dtype.kind], a.shape)
            for name, a in self._arrays.items()
        }

    def scalars(self, name: str) -> NDArray[Any]:
        return self._arrays[f"scalar.{name}"]

    def chunks(self, name: str) -> Iterator[Chunk]:
        yield self._arrays[name].tobytes()

    def snapshot(self) -> MemoryTrace:
        return self

    def close(self) -> None:
        """Nothing is open."""

    def _block(self, name: str, lead: tuple[int, ...]) -> NDArray[Any]:
        return self._arrays[name][lead]


def recorded_run(
    text: str = DEFAULT_CORPUS,
    config: Config | None = None,
    *,
    steps: int = 7,
    only: Collection[str] | None = None,
    without: Collection[str] = (),
) -> MemoryTrace:
    """Return a run over a corpus: the true numbers of a model whose parameters drift steadily.

    Parameters
    ----------
    steps : int
        Recorded steps, `config.watch_every` epochs apart.
    only, without : collections of str
        The arrays kept of those that may be absent (all by default), and those left out.
    """
    config, corpus = config or Config(), parse_corpus(text)
    always = {"epochs", "tokens", "lengths", "weights"}
    kept = {
        name: array
        for name, array in _recorded(text, config, steps).items()
        if name in always or ((only is None or name in only) and name not in without)
    }
    run = Run(config=config, corpus=corpus.sentences, vocabulary=corpus.vocabulary, device="cpu")
    return MemoryTrace(run, kept)


@cache
def _recorded(text: str, config: Config, steps: int) -> dict[str, NDArray[Any]]:
    """Return all arrays of a run, read-only: many tests look at the same."""
    corpus = parse_corpus(text)
    tokens, lengths, targets = (a.astype(np.int64) for a in corpus.encoded(corpus.first_samples))
    rng = np.random.default_rng(config.seed)
    begin = _parameters(rng, config, parameter_shapes(config, corpus))
    drift = _parameters(rng, config, parameter_shapes(config, corpus))
    shares = np.linspace(0, 1, steps)
    records: list[dict[str, NDArray[Any]]] = []
    for share in shares:
        parameters = {name: begin[name] + share * drift[name] for name in begin}
        records.append(_forward(config, parameters, tokens, lengths))
    arrays: dict[str, NDArray[Any]] = {
        "epochs": np.arange(steps) * config.watch_every,
        "tokens": tokens,
        "lengths": lengths,
        "targets": targets,
        "samples": np.array(corpus.first_samples),
        **{
            name: np.stack([record[name] for record in records]).astype(np.float32)
            for name in records[0]
        },
    }
    passes = np.arange(arrays["epochs"][-1] + 1.0)
    arrays["scalar.epoch"] = passes
    arrays["scalar.loss"] = 3.5 * np.exp(-4 * passes / max(passes[-1], 1))
    arrays["scalar.accuracy"] = np.clip(1.4 * passes / max(passes[-1], 1), 0, 1)
    for array in arrays.values():
        array.flags.writeable = False
    return arrays


def train_frame(
    trace: Trace | None = None, cursor: Cursor | None = None, **others: Any
) -> TrainFrame:
    """Return what is shown of a trace (the default run where None); `others` as TrainFrame's."""
    trace = recorded_run() if trace is None else trace
    cursor = cursor or Cursor(step=trace.recorded // 2)
    basis = fit_basis(trace) if "param.embedding" in trace.names else None
    after = min(cursor.step + 1, trace.recorded - 1)
    scalars = Scalars()
    if {"scalar.epoch", "scalar.loss", "scalar.accuracy"} <= trace.names:
        scalars = Scalars(*(trace.scalars(name) for name in ("epoch", "loss", "accuracy")))
    frame = TrainFrame(
        trace=trace,
        recorded=trace.epochs,
        cursor=cursor,
        values=StepValues(trace.step(cursor.step), cursor.layer, basis),
        following_values=StepValues(trace.step(after), cursor.layer, basis),
        basis=basis,
        scalars=scalars,
        last_epoch=int(trace.epochs[-1]),
        look=TrainLook(),
        title="cat dog bird",
    )
    return replace(frame, **others)


def sentences(words: int, lines: int, length: int = 3) -> str:
    """Return a corpus of that many lines in which every one of the words occurs."""
    rng = np.random.default_rng(words)
    order = np.concatenate([rng.permutation(words) for _ in range(lines * length // words + 1)])
    return "\n".join(
        " ".join(f"w{n}" for n in order[i * length : (i + 1) * length]) for i in range(lines)
    )


def _parameters(
    rng: np.random.Generator, config: Config, shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, NDArray[np.float64]]:
    scale = 1 / np.sqrt(config.d_model)
    return {
        name: rng.normal(size=shape) * (1.0 if name == "embedding" else scale)
        for name, shape in shapes.items()
    }


def _forward(
    config: Config,
    parameters: Mapping[str, NDArray[np.float64]],
    tokens: NDArray[Any],
    lengths: NDArray[Any],
) -> dict[str, NDArray[Any]]:
    """Return a step's arrays; learned or no positions, no dropout."""
    width = tokens.shape[1]
    real = np.arange(width) < lengths[:, None]
    visible = np.repeat(real[:, None, None, :], width, axis=2)
    if config.causal:
        visible = visible & np.tri(width, dtype=bool)
    x = parameters["embedding"][tokens]
    if "position" in parameters:
        x = x + parameters["position"][:width]
    found: dict[str, list[NDArray[Any]]] = {}
    pairs = real[:, None, :, None] & real[:, None, None, :]
    for i in range(config.layers):
        own = {
            name.removeprefix(f"layers.{i}."): value
            for name, value in parameters.items()
            if name.startswith(f"layers.{i}.")
        }
        q, k, v = (
            np.einsum("ntd,hdk->nhtk", x, own[f"W{name}"]) + own[f"b{name}"][None, :, None]
            for name in "qkv"
        )
        scores = np.where(visible, q @ k.swapaxes(2, 3) / np.sqrt(config.d_k), -np.inf)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        head_output = weights @ v
        joined = head_output.swapaxes(1, 2).reshape(*tokens.shape, -1)
        output = joined @ own["Wo"] + own["bo"]
        rows = real[:, None, :, None]
        for name, value in (
            ("x", x * real[:, :, None]),
            ("q", q * rows),
            ("k", k * rows),
            ("v", v * rows),
            ("head_output", head_output * rows),
            ("scores", np.where(pairs, scores, 0)),
            ("weights", weights * pairs),
            ("output", output * real[:, :, None]),
        ):
            found.setdefault(name, []).append(value)
        x = _norm(x + output, own["norm1.gain"], own["norm1.bias"])
        inner = np.maximum(x @ own["W1"] + own["b1"], 0) @ own["W2"] + own["b2"]
        x = _norm(x + inner, own["norm2.gain"], own["norm2.bias"])
    last = x[np.arange(len(x)), lengths - 1]
    step = {name: np.stack(values, axis=1) for name, values in found.items()}
    step["logits"] = last @ parameters["Wout"] + parameters["bout"]
    return step | {f"param.{name}": value for name, value in parameters.items()}


def _norm(
    x: NDArray[np.float64], gain: NDArray[np.float64], bias: NDArray[np.float64]
) -> NDArray[np.float64]:
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + 1e-5) * gain + bias
