"""Runs of a model as the session's frames show them, for tests of Model's views."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from explorer.models.arrays import run_of
from explorer.models.tokenizer import Piece
from explorer.session.model.details import detail, pair, summary
from explorer.session.model.frame import ModelCursor, ModelFrame, ModelInfo, ModelLook, RunSummary

WORDS = ("the", "cat", "that", "sat", "on", "the", "mat", "saw", "a", "cat", "on", "it")


def weights(rows: int, columns: int | None = None, seed: int = 3, heads: int = 2) -> np.ndarray:
    """Return random weights, (2, heads, rows, columns), each row of which sums to 1."""
    columns = rows if columns is None else columns
    made = np.random.default_rng(seed).exponential(size=(2, heads, rows, columns)) ** 3
    return made / made.sum(axis=-1, keepdims=True)


def model_frame(
    words: tuple[str, ...] = WORDS,
    cursor: ModelCursor | None = None,
    *,
    given: dict[str, np.ndarray] | None = None,
    key_words: tuple[str, ...] | None = None,
    vectors: bool = True,
    **others: Any,
) -> ModelFrame:
    """Return a frame of a file of arrays: random weights, and vectors of 6 numbers, or `given`."""
    count, keys = len(words), len(key_words or words)
    arrays = {"weights": weights(count, keys)} if given is None else given
    if vectors and given is None:
        rng = np.random.default_rng(5)
        sizes = (("q", count), ("k", keys), ("v", keys))
        arrays |= {name: rng.normal(size=(2, 2, rows, 6)) for name, rows in sizes}
    run = run_of(arrays, tokens=words, key_tokens=key_words)
    cursor = cursor or ModelCursor()
    shown = summary(run, 1)
    layers, heads = arrays["weights"].shape[:2]
    made = ModelFrame(
        info=ModelInfo("a file", Path("a file"), layers, heads, runs=False),
        text=shown.text,
        run=shown,
        head=detail(run, 1, cursor.layer, cursor.head),
        pair=None
        if cursor.query is None or cursor.key is None
        else pair(run, 1, cursor.query, cursor.key),
        cursor=cursor,
    )
    return replace(made, **others)


def of_pieces(frame: ModelFrame, text: str, pieces: tuple[Piece, ...]) -> ModelFrame:
    """Return a frame whose run is that of a text with these tokens, as many as it has."""
    assert frame.run is not None
    assert len(pieces) == len(frame.run.pieces)
    run: RunSummary = replace(frame.run, text=text, pieces=pieces, key_pieces=pieces, total=1)
    return replace(frame, run=run, text=text)


def row_frame(row: list[float], words: tuple[str, ...], query: int, **look: Any) -> ModelFrame:
    """Return a frame in which one query of the first head gives these weights."""
    made = np.full((1, 1, len(words), len(words)), 1 / len(words))
    made[0, 0, query] = row
    return model_frame(
        words, ModelCursor(query=query), given={"weights": made}, look=ModelLook(**look)
    )
