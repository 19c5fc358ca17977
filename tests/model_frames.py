"""Frames of Model made of random arrays, for tests of its views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from explorer.models import ArrayRun, run_of
from explorer.models.functions import softmax
from explorer.models.tokenizer import Piece
from explorer.session.model.details import detail, pair, summary
from explorer.session.model.frame import ModelCursor, ModelFrame, ModelInfo, ModelLook, RunSummary

TOKENS = ("[CLS]", "the", "animal", "did", "not", "cross", "the", "street", "[SEP]")
WORDS = ("the", "cat", "that", "sat", "on", "the", "mat", "saw", "a", "cat", "on", "it")


def array_run(
    tokens: Sequence[str] = TOKENS,
    *,
    layers: int = 2,
    heads: int = 3,
    seed: int = 0,
    key_tokens: Sequence[str] | None = None,
    only_weights: bool = False,
) -> ArrayRun:
    """Return a run of random queries, keys and values; names in brackets are special tokens."""
    random = np.random.default_rng(seed)
    keys = tuple(tokens if key_tokens is None else key_tokens)
    shapes = {"q": len(tokens), "k": len(keys), "v": len(keys)}
    given: dict[str, Any] = {
        name: (random.normal(size=(layers, heads, rows, 4)) * 2).astype(np.float32)
        for name, rows in shapes.items()
    }
    if only_weights:
        given = {"weights": softmax(given["q"] @ given["k"].swapaxes(-1, -2))}
    run = run_of(given, tokens=list(tokens), key_tokens=None if key_tokens is None else list(keys))
    return replace(run, special=tuple(name.startswith("[") for name in keys))


def model_frame(
    run: ArrayRun | None = None,
    cursor: ModelCursor | None = None,
    look: ModelLook | None = None,
    **fields: Any,
) -> ModelFrame:
    """Return a frame of a run with all numbers of the head and the pair at the cursor."""
    run = array_run() if run is None else run
    cursor = ModelCursor(1, 2, 2, 7) if cursor is None else cursor
    made = summary(run, 1)
    layers, heads = made.tiles.shape[:2]
    chosen = None
    if cursor.query is not None and cursor.key is not None:
        chosen = pair(run, 1, cursor.query, cursor.key)
    info = ModelInfo("model", Path("/model"), layers, heads, 8, 4, 1000, 512, vocabulary=40)
    whole: dict[str, Any] = {
        "info": info,
        "text": made.text,
        "run": made,
        "head": detail(run, 1, cursor.layer, cursor.head),
        "pair": chosen,
        "cursor": cursor,
        "look": ModelLook(pinned=(2, 7)) if look is None else look,
        "count": made.total,
        **fields,
    }
    return ModelFrame(**whole)


def weights(rows: int, columns: int | None = None, seed: int = 3, heads: int = 2) -> np.ndarray:
    """Return random weights, (2, heads, rows, columns), each row of which sums to 1."""
    columns = rows if columns is None else columns
    made = np.random.default_rng(seed).exponential(size=(2, heads, rows, columns)) ** 3
    return made / made.sum(axis=-1, keepdims=True)


def file_frame(
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
    layers, heads = arrays["weights"].shape[:2]
    fields: dict[str, Any] = {
        "info": ModelInfo("a file", Path("a file"), layers, heads, runs=False),
        "look": ModelLook(),
        **others,
    }
    run = run_of(arrays, tokens=words, key_tokens=key_words)
    return model_frame(run, cursor or ModelCursor(), **fields)


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
    return file_frame(
        words, ModelCursor(query=query), given={"weights": made}, look=ModelLook(**look)
    )
