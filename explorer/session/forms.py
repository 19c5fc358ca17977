"""Edits of what a scene is made of: heads, biases, Wo, a context, several sequences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from explorer.attention import Variant
from explorer.attention.arrays import read_only
from explorer.session.checks import check_scene
from explorer.session.edits import fit_entering, fit_position
from explorer.session.scene import (
    PARAMETERS,
    PROJECTIONS,
    Array,
    Context,
    Matrix,
    Scene,
    Sequence,
    at_sequence,
)
from explorer.text import N_, Problem

MOST_HEADS_BY_HAND = 8
_W_OF_BIAS = {"bq": "Wq", "bk": "Wk", "bv": "Wv", "bo": "Wo"}

# --- heads, biases, Wo ---------------------------------------------------------------------------


def set_heads(scene: Scene, heads: int, *, split: bool) -> Scene:
    """Return the scene with `heads` heads, from 1 to 8.

    Parameters
    ----------
    split : bool
        One W for all heads, its columns divided among them: W keeps its columns, and a Problem says
        where they do not divide. Else each head has a W of its own: what is too much is lost, new
        heads begin as the identity with biases 0, and with rows of 0 in Wo, so that no new head
        changes the output before Wo is edited.
    """
    if not 1 <= heads <= MOST_HEADS_BY_HAND:
        raise Problem(
            N_("The number of heads must be from 1 to {most}, not {found}."),
            most=MOST_HEADS_BY_HAND,
            found=heads,
        )
    if not scene.projected:
        if heads == 1:
            return scene
        raise Problem(N_("Heads split Wq, Wk and Wv: add these first."))
    if heads == scene.heads and split == (scene.matrix(Matrix.WQ).ndim == 2):
        return scene
    changes = _side_by_side(scene) if split else _with_heads(scene, heads)
    made = fit_entering(scene.replace(**changes, options=replace(scene.options, heads=heads)))
    check_scene(made)
    return made


def _side_by_side(scene: Scene) -> dict[str, Array]:
    changes = {}
    for name in (*PROJECTIONS, "bq", "bk", "bv"):
        blocks = scene.per_head(name)
        if blocks is not None:
            wide = blocks.reshape(-1) if blocks.ndim == 2 else np.concatenate(list(blocks), axis=1)
            changes[str(name)] = read_only(wide)
    return changes


def _with_heads(scene: Scene, heads: int) -> dict[str, Array]:
    kept = min(heads, scene.heads)
    changes = {}
    for name in (*PROJECTIONS, "bq", "bk", "bv"):
        blocks = scene.per_head(name)
        if blocks is not None:
            new = np.eye(*blocks.shape[1:]) if blocks.ndim == 3 else np.zeros(blocks.shape[1:])
            made = np.array([*blocks[:kept], *[new] * (heads - kept)])
            changes[str(name)] = read_only(made)
    if scene.Wo is not None:
        rows = np.zeros((heads * scene.d_v, scene.Wo.shape[1]))
        rows[: kept * scene.d_v] = scene.Wo[: kept * scene.d_v]
        changes["Wo"] = read_only(rows)
    return changes


def set_bias(scene: Scene, name: str, on: bool) -> Scene:
    """Return the scene with bias bq, bk, bv or bo, at first all 0, or without it."""
    if (getattr(scene, name) is not None) == on:
        return scene
    if not on:
        return scene.replace(**{name: None})
    W: Array | None = getattr(scene, _W_OF_BIAS[name])
    if W is None:
        raise Problem(
            N_("{bias} is added to what {matrix} gives: add {matrix} first."),
            bias=name,
            matrix=_W_OF_BIAS[name],
        )
    shape = (W.shape[0], W.shape[2]) if W.ndim == 3 else (W.shape[1],)
    return scene.replace(**{name: read_only(np.zeros(shape))})


def set_output(scene: Scene, on: bool) -> Scene:
    """Return the scene with Wo, at first the identity, or without Wo and bo."""
    if (scene.Wo is not None) == on:
        return scene
    if not on:
        return scene.replace(Wo=None, bo=None)
    return scene.replace(Wo=read_only(np.eye(scene.heads * scene.d_v)))


def without_projections(scene: Scene) -> Scene:
    """Return the scene as softmax(X Xᵀ) X: no W, no bias, one head, no scale, no variant."""
    options = replace(
        scene.options,
        heads=1,
        scale="none",
        temperature=1.0,
        variant=Variant.NONE,
        rotary=None,
        qk_norm=None,
    )
    nothing: dict[str, Any] = dict.fromkeys(PARAMETERS)
    made = scene.replace(**nothing, options=options)
    check_scene(made)
    return made


# --- context -------------------------------------------------------------------------------------


def set_context(scene: Scene, context: Context | None) -> Scene:
    """Return the scene with other tokens for K and V, or with its own again.

    A mask of one's own that has another number of columns becomes "none". A Problem says where Wk
    and Wv, or X, do not fit the context's width.
    """
    if context is scene.context:
        return scene
    if scene.given:
        raise Problem(N_("Q, K and V are given here: keys and values have tokens of their own."))
    made = scene.replace(context=context)
    mask = scene.options.mask
    if isinstance(mask, np.ndarray) and mask.shape[1] != len(made.key_tokens):
        made = made.replace(options=replace(scene.options, mask="none"))
    check_scene(made)
    return made


# --- sequences -----------------------------------------------------------------------------------


def add_sequence(scene: Scene) -> Scene:
    """Return the scene with a copy of the shown sequence after it, which is then shown."""
    if scene.given:
        raise Problem(N_("Q, K and V are given here: there is one sequence."))
    shown = Sequence(scene.tokens, scene.X, scene.context, scene.options.mask)
    place = scene.shown
    made = scene.replace(
        others=(*scene.others[:place], shown, *scene.others[place:]), shown=place + 1
    )
    check_scene(made)
    return made


def remove_sequence(scene: Scene) -> Scene:
    """Return the scene without the shown sequence; the one before it is then shown."""
    if not scene.others:
        raise Problem(N_("The last sequence cannot be removed: a scene has at least one."))
    place = scene.shown
    other = at_sequence(scene, place - 1 if place else 1)
    others = list(other.others)
    del others[place if place < other.shown else place - 1]
    return fit_position(other.replace(others=tuple(others), shown=max(place - 1, 0)))
