"""Figures of heads: kind, entropy, distance, strongest pairs, and weights made smaller.

All are about one text, never about a head as such.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from explorer.attention import max_pooled
from explorer.models.run import Array, Run

NAMED = 0.60  # mean weight from which on a head is named after where it looks
BROAD = 0.75  # part of the largest entropy from which on a head is called broad


class Kind(StrEnum):
    """What a head mostly does in a text."""

    PREVIOUS = "previous"
    NEXT = "next"
    SELF = "self"
    FIRST = "first"  # [CLS], where the text begins with one
    END = "end"  # [SEP] and other special tokens after the first token
    BROAD = "broad"
    OTHER = "other"


PLACES = (Kind.PREVIOUS, Kind.NEXT, Kind.SELF, Kind.FIRST, Kind.END)


@dataclass(frozen=True, eq=False)
class Figures:
    """Figures of the heads of a layer, or of a run with a layer axis in front.

    Attributes
    ----------
    places : (..., H, 5)
        The mean weight on what `PLACES` names, over the rows of words.
    entropy : (..., H)
        Its mean over the same rows, in bits.
    most : (...)
        The mean over these rows of the largest entropy possible: log2 of the keys that are seen.
    distance : (..., H)
        The mean of |query − key|, each weighted, in tokens.
    """

    places: Array
    entropy: Array
    most: Array
    distance: Array

    @property
    def kinds(self) -> list[list[Kind]]:
        """The kind of each head, layer by layer (one layer where there is no layer axis)."""
        heads = self.places.shape[-2]
        places = self.places.reshape(-1, heads, len(PLACES))
        entropy, most = self.entropy.reshape(-1, heads), self.most.reshape(-1)
        return [
            [_kind(places[i, h], entropy[i, h], most[i]) for h in range(heads)]
            for i in range(len(places))
        ]


def _kind(places: Array, entropy: float, most: float) -> Kind:
    largest = int(places.argmax())
    if places[largest] >= NAMED:
        return PLACES[largest]
    return Kind.BROAD if most > 0 and entropy >= BROAD * most else Kind.OTHER


def layer_figures(
    weights: Array, special: Sequence[bool] | None = None, *, square: bool = True
) -> Figures:
    """Return the figures of a layer's heads.

    The rows counted are those of words that see more than one token: a special token's row, and the
    first row of a causal model, say nothing. A row without a previous or next token is left out of
    that mean alone.

    Parameters
    ----------
    weights : (H, T, S)
    special : of the S keys, which are no words of the text; of the T queries too where `square`
    square : whether queries and keys are the same tokens; else no place but the first is known
    """
    heads, queries, keys = weights.shape
    marks = np.zeros(keys, bool) if special is None else np.asarray(special, bool)
    causal = square and queries > 1 and not np.triu(weights, 1).any()
    seen = np.arange(1, queries + 1) if causal else np.full(queries, keys)
    rows = seen > 1
    if square:
        rows &= ~marks[:queries]
    place = np.arange(queries)
    places = np.zeros((heads, len(PLACES)))
    if rows.any():
        if square:
            for k, offset in ((0, -1), (1, 1), (2, 0)):
                there = rows & (place + offset >= 0) & (place + offset < keys)
                if there.any():
                    at = place[there]
                    places[:, k] = weights[:, at, at + offset].mean(axis=1)
        places[:, 3] = weights[:, rows, 0].mean(axis=1)
        ends = np.flatnonzero(marks[1:]) + 1
        if len(ends):
            places[:, 4] = weights[:, rows][:, :, ends].sum(axis=-1).mean(axis=1)
    entropy, distance = np.zeros(heads), np.zeros(heads)
    apart = np.abs(place[:, None] - np.arange(keys)).astype(weights.dtype)
    tiny = np.finfo(weights.dtype).tiny
    for h in range(heads) if rows.any() else ():  # a head at a time stays in the cache
        w = weights[h][rows]
        entropy[h] = -np.einsum("ij,ij->", w, np.log2(np.maximum(w, tiny))) / len(w)
        distance[h] = np.einsum("ij,ij->", w, apart[rows]) / len(w)
    most = float(np.log2(seen[rows]).mean()) if rows.any() else 0.0
    return Figures(places, entropy, np.array(most), distance)


def run_figures(run: Run) -> Figures:
    """Return the figures of all heads of a run, with a layer axis in front."""
    return atlas(run, 1)[0]


def atlas(
    run: Run, most: int, report: Callable[[int], None] | None = None
) -> tuple[Figures, Array]:
    """Return the figures of all heads of a run, and their tiles, (L, H, at most `most`, the same).

    The weights of each layer are computed once for both.

    report : called with the number of layers done, after each one; may raise to stop
    """
    square = run.tokens == run.key_tokens
    made, small = [], []
    for layer in run.layers:
        weights = layer.weights
        made.append(layer_figures(weights, run.special, square=square))
        small.append(tiles(weights, most))
        if report is not None:
            report(len(small))
    columns = ("places", "entropy", "most", "distance")
    stacked = (np.stack([getattr(each, name) for each in made]) for name in columns)
    return Figures(*stacked), np.stack(small)


@dataclass(frozen=True)
class Pair:
    """A query and a key, counted from 0, and the weight between them."""

    query: int
    key: int
    weight: float


def strongest_pairs(
    weights: Array, count: int = 7, leave_out: Sequence[bool] | None = None
) -> tuple[Pair, ...]:
    """Return the largest weights of a head, the largest first.

    weights : (T, S)
    leave_out : of S keys, and of the queries of the same number, those that do not count
    """
    shown = weights
    if leave_out is not None:
        marks = np.asarray(leave_out, bool)
        shown = np.where(marks[None, :], -1.0, weights)
        if len(marks) == len(weights):
            shown = np.where(marks[:, None], -1.0, shown)
    flat = shown.reshape(-1)
    count = min(count, int((flat >= 0).sum()))
    if count < 1:
        return ()
    # Equal weights in reading order.
    found = np.argsort(-flat, kind="stable")[:count]
    places = (divmod(int(i), weights.shape[1]) for i in found)
    return tuple(Pair(i, j, float(weights[i, j])) for i, j in places)


def pair_weights(run: Run, query: int, key: int) -> Array:
    """Return the weight of one pair, counted from 0, in every head of a run, (L, H)."""
    return np.stack([layer.row(query)[:, key] for layer in run.layers])


def rank(values: Array, place: tuple[int, ...]) -> int:
    """Return the rank of one of the values, from 1: one more than how many are larger."""
    return int((values > values[place]).sum()) + 1


def tiles(weights: Array, most: int) -> Array:
    """Return weights with at most `most` rows and columns, each the MAXIMUM of a block.

    A mean, or a nearest cell, would hide a line that is one token wide.

    weights : (..., T, S)
    """
    return max_pooled(weights, most, most)
