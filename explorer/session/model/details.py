"""What the window keeps of a run, made where the run is: in the worker."""

from __future__ import annotations

import math
from collections.abc import Callable

from explorer.models.array_run import ArrayLayer
from explorer.models.figures import atlas, pair_weights, strongest_pairs
from explorer.models.model_run import ModelRun
from explorer.models.run import Layer, Run
from explorer.models.tokenizer import Piece
from explorer.session.model.frame import HeadDetail, PairDetail, RunSummary
from explorer.session.model.switching import ALL_ON, Switches
from explorer.session.scene import Array

TILE = 84  # cells of a tile's side at most: its 28 px at the largest scale, or on a fine screen
PAIRS = 7


def summary(
    run: Run,
    number: int,
    report: Callable[[int], None] | None = None,
    switches: Switches = ALL_ON,
) -> RunSummary:
    """Return what is small of a run.

    number : counts the runs of a session from 1
    switches : what it was made with
    report : called with the number of layers done, after each one; may raise to stop
    """
    figures, tiles = atlas(run, TILE, report)
    pieces, key_pieces = _pieces(run)
    text, total = " ".join(run.tokens), len(run.tokens)
    if isinstance(run, ModelRun):
        text, total = run.text or text, total + run.left_out
    return RunSummary(
        number, text, pieces, key_pieces, total, run.remarks, figures, tiles, switches
    )


def detail(run: Run, number: int, layer: int, head: int) -> HeadDetail:
    """Return one head, whole; layer and head count from 0. Raises IndexError."""
    of = run.layers[layer]
    arrays = of.head(head)
    pairs = strongest_pairs(arrays.weights, PAIRS, run.special)
    return HeadDetail(number, layer, head, arrays, pairs, _scale(run, of, arrays.q))


def pair(run: Run, number: int, query: int, key: int) -> PairDetail:
    """Return the weight of one pair, counted from 0, in every head."""
    return PairDetail(number, query, key, pair_weights(run, query, key))


def _pieces(run: Run) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Return queries and keys; of arrays, whose text is not known, in one line."""
    if isinstance(run, ModelRun):
        return run.pieces, run.pieces

    def named(tokens: tuple[str, ...], special: tuple[bool, ...]) -> tuple[Piece, ...]:
        made, start = [], 0
        for i, token in enumerate(tokens):
            mark = i < len(special) and special[i]
            made.append(Piece(token, token, start, start + len(token), mark))
            start += len(token) + 1
        return tuple(made)

    keys = named(run.key_tokens, run.special)
    return (keys if run.tokens == run.key_tokens else named(run.tokens, ())), keys


def _scale(run: Run, layer: Layer, q: Array | None) -> float:
    if isinstance(run, ModelRun):
        return run.model.plan.scale
    if isinstance(layer, ArrayLayer) and "scale" in layer.given:
        return float(layer.given["scale"].reshape(-1)[0])
    return 1.0 if q is None else 1 / math.sqrt(q.shape[-1])
