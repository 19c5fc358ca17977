"""Edits of the mask of the shown sequence: painted cells, and padding."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.attention.arrays import read_only
from explorer.session.scene import Scene


def visible(scene: Scene) -> NDArray[np.bool_]:
    """Return the mask as a matrix, shape (T, S); True = may attend."""
    mask = scene.options.mask
    if isinstance(mask, np.ndarray):
        return mask
    shape = len(scene.tokens), len(scene.key_tokens)
    return np.ones(shape, np.bool_) if mask == "none" else np.tri(*shape, dtype=np.bool_)


def set_mask_cells(scene: Scene, cells: Iterable[tuple[int, int]], may_attend: bool) -> Scene:
    """Return the scene with (query, key) cells of the mask painted.

    A mask that hides nothing any more is "none" again.
    """
    painted = visible(scene).copy()
    for query, key in cells:
        painted[query, key] = may_attend
    return _with_mask(scene, painted, ())


def padded_keys(scene: Scene) -> tuple[int, ...]:
    """Return the keys that no query may attend to."""
    return tuple(np.flatnonzero(~visible(scene).any(axis=0)).tolist())


def set_padding(scene: Scene, keys: Collection[int]) -> Scene:
    """Return the scene with just these keys hidden from every query.

    The rest of the mask stays. What was hidden as padding before is seen again: by all queries, or,
    where the rest is causal, by those that come no earlier.
    """
    old = visible(scene)
    causal = np.tri(*old.shape, dtype=np.bool_)
    padded = ~old.any(axis=0)
    is_causal = not old.all() and old.any() and np.array_equal(old, causal & ~padded)
    base = causal if is_causal else old | padded
    hidden = np.isin(np.arange(old.shape[1]), list(keys))
    return _with_mask(scene, base & ~hidden, ("causal",) if is_causal else ())


class MaskKind(StrEnum):
    """What a mask is made for."""

    CAUSAL = "causal"
    PADDING = "padding"  # keys that no query may attend to
    OTHER = "other"


def mask_kinds(scene: Scene) -> tuple[MaskKind, ...]:
    """Return what hides keys: causal, padding, both; or something else; nothing where none is."""
    mask = scene.options.mask
    if isinstance(mask, str):
        return () if mask == "none" else (MaskKind.CAUSAL,)
    if mask.all():
        return ()
    seen, causal = mask.any(axis=0), np.tri(*mask.shape, dtype=np.bool_)
    if np.array_equal(mask, np.broadcast_to(seen, mask.shape)):
        return (MaskKind.PADDING,)
    if np.array_equal(mask, causal):
        return (MaskKind.CAUSAL,)
    if np.array_equal(mask, causal & seen):
        return MaskKind.CAUSAL, MaskKind.PADDING
    return (MaskKind.OTHER,)


def _with_mask(scene: Scene, mask: NDArray[np.bool_], names: tuple[str, ...]) -> Scene:
    """Return the scene with a mask; by a name of `names`, or "none", where it has one."""
    if np.array_equal(mask, visible(scene)):
        return scene
    made: Any = read_only(mask)
    if mask.all():
        made = "none"
    elif "causal" in names and np.array_equal(mask, np.tri(*mask.shape, dtype=np.bool_)):
        made = "causal"
    return scene.replace(options=replace(scene.options, mask=made))
