"""The heads that tell most of a run, from its last weights."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from explorer.sweeps.plan import Plan
from explorer.traces.trace import Array
from explorer.training.maps import attention_maps

_SENTENCES = 24  # the first ones, that are looked at
_LONGEST = 64  # words of a sentence


@dataclass(frozen=True, eq=False)
class TellingMap:
    """A head on a sentence: layer and head from 0, T words, weights (T, T)."""

    layer: int
    head: int
    words: tuple[str, ...]
    weights: Array


def telling_maps(plan: Plan, run: int, weights: Array) -> tuple[TellingMap, ...]:
    """Return the two heads whose last word attends most to a part of the sentence.

    That is least entropy of the last row, as a share of the most there can be, as a mean over the
    sentences. They stand on the sentence in which they differ most; a model of one head stands on
    the two sentences whose last rows differ most.

    weights : (P,), the parameters in the order of `explorer.training.parameters.parameter_blocks`
    """
    config, corpus = plan.run_config(run), plan.sentences
    sentences = [line[:-1] for line in corpus.lines[:_SENTENCES] if len(line) - 1 <= _LONGEST]
    found = [attention_maps(config, corpus, weights, words) for words in sentences]
    if not found:
        return ()
    spread = np.mean([_entropy(maps[:, :, -1]) for maps in found], axis=0)  # (L, H)
    order = np.argsort(spread, axis=None, kind="stable")
    heads = [divmod(int(place), config.heads) for place in order[:2]]
    if len(heads) == 2:
        (one, other) = heads
        place = max(range(len(found)), key=lambda at: _apart(found[at][one], found[at][other]))
        chosen = [(*head, place) for head in heads]
    else:
        first = found[0][heads[0]]
        alike = [at for at, maps in enumerate(found) if maps[heads[0]].shape == first.shape]
        last = max(alike, key=lambda at: _apart(first, found[at][heads[0]]))
        chosen = [(*heads[0], place) for place in dict.fromkeys((0, last))]
    return tuple(
        TellingMap(layer, head, sentences[place], found[place][layer, head])
        for layer, head, place in chosen
    )


def _entropy(rows: Array) -> Array:
    """Return the entropy of each row as a share of the most there can be."""
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(rows > 0, rows * np.log(rows), 0.0)
    total: Array = -parts.sum(-1) / math.log(max(rows.shape[-1], 2))
    return total


def _apart(one: Array, other: Array) -> float:
    return float(abs(one[-1] - other[-1]).sum())
