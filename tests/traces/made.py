"""Runs made up for tests: small ones of any shape, recorded as a training run records them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.attention import attend
from explorer.traces import (
    DEFAULT_CORPUS,
    Config,
    Corpus,
    Run,
    SpoolTrace,
    SpoolWriter,
    TraceFile,
    parameter_shapes,
    parse_corpus,
    save_trace,
)

Arrays = dict[str, NDArray[Any]]
CORPUS = parse_corpus(DEFAULT_CORPUS)
CONFIG = Config(epochs=20)


def run_of(config: Config = CONFIG, corpus: Corpus = CORPUS) -> Run:
    return Run(
        config=config,
        corpus=corpus.sentences,
        vocabulary=corpus.vocabulary,
        device="cpu",
        versions={"numpy": np.__version__},
        created="2025-03-01T12:00:00+00:00",
    )


def step_of(config: Config = CONFIG, corpus: Corpus = CORPUS, seed: int = 0) -> Arrays:
    """Return the arrays of one step: random parameters and x, and the attention of these."""
    rng = np.random.default_rng(seed)
    arrays: Arrays = {
        f"param.{name}": rng.normal(size=shape).astype(np.float32)
        for name, shape in parameter_shapes(config, corpus).items()
    }
    tokens, lengths, _targets = corpus.encoded(corpus.first_samples)
    (n, t), layers, heads, d = tokens.shape, config.layers, config.heads, config.d_model
    x = rng.normal(size=(n, layers, t, d)).astype(np.float32)
    arrays["x"], arrays["output"] = x, np.zeros_like(x)
    for name in ("q", "k", "v", "head_output"):
        arrays[name] = np.zeros((n, layers, heads, t, config.d_k), np.float32)
    for name in ("scores", "weights"):
        arrays[name] = np.zeros((n, layers, heads, t, t), np.float32)
    for i in range(n):
        real = int(lengths[i])
        for layer in range(layers):
            W = {
                name: arrays[f"param.layers.{layer}.{name}"]
                for name in ("Wq", "Wk", "Wv", "bq", "bk", "bv", "Wo", "bo")
            }
            result = attend(x[i, layer, :real], **W, mask="causal" if config.causal else "none")
            for name in ("q", "k", "v"):
                arrays[name][i, layer, :, :real] = getattr(result, name.upper())
            arrays["head_output"][i, layer, :, :real] = result.head_output
            arrays["output"][i, layer, :real] = result.output
            arrays["scores"][i, layer, :, :real, real:] = -np.inf
            arrays["scores"][i, layer, :, :real, :real] = result.scores
            arrays["weights"][i, layer, :, :real, :real] = result.weights
    arrays["logits"] = rng.normal(size=(n, len(corpus.vocabulary))).astype(np.float32)
    return arrays


def writer(folder: Path, config: Config = CONFIG, corpus: Corpus = CORPUS) -> SpoolWriter:
    tokens, lengths, targets = corpus.encoded(corpus.first_samples)
    return SpoolWriter(
        folder,
        run_of(config, corpus),
        tokens=tokens,
        lengths=lengths,
        targets=targets,
        samples=corpus.first_samples,
    )


def spooled(
    folder: Path,
    steps: Mapping[int, Arrays],
    config: Config = CONFIG,
    corpus: Corpus = CORPUS,
    losses: Iterable[float] = (2.0, 1.5, 1.25),
) -> SpoolTrace:
    """Return a whole recorded run: some steps, and scalars for the first epochs."""
    with writer(folder, config, corpus) as spool:
        for epoch, loss in enumerate(losses):
            spool.scalar(epoch, loss=loss, accuracy=1 / (epoch + 1), gradient=loss)
        for epoch, arrays in steps.items():
            spool.record(epoch, arrays)
    return SpoolTrace(folder)


def saved(
    path: Path, config: Config = CONFIG, corpus: Corpus = CORPUS, steps: int = 3
) -> TraceFile:
    """Return a trace file with some steps, five epochs apart."""
    recorded = {5 * i: step_of(config, corpus, seed=i) for i in range(steps)}
    spool = spooled(path.parent / f"{path.name}.run", recorded, config, corpus)
    file = save_trace(spool, path)
    spool.close()
    return file
