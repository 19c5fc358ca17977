"""Frames of Model made of random arrays, for tests of its views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from explorer.models import ArrayRun, run_of
from explorer.models.functions import softmax
from explorer.session.model.details import detail, pair, summary
from explorer.session.model.frame import ModelCursor, ModelFrame, ModelInfo, ModelLook

WORDS = ("[CLS]", "the", "animal", "did", "not", "cross", "the", "street", "[SEP]")


def array_run(
    tokens: Sequence[str] = WORDS,
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
