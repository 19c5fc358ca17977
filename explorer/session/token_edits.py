"""Edits of tokens: one added, removed, renamed or moved, in the sequence or in its context.

The rows of X, a mask of one's own and values that are given go with the tokens.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from explorer.attention.arrays import read_only
from explorer.session.checks import check_sizes
from explorer.session.edits import fit_position
from explorer.session.scene import Array, Context, Scene
from explorer.text import N_, Message, Problem
from explorer.text.plain import LONGEST_NAME, is_token


def add_token(scene: Scene, after: int | None = None, *, context: bool = False) -> Scene:
    """Return the scene with one token more, after token `after` or at the end.

    It is called "token 5" by the first free number, stands in the middle of the others (the mean
    of their rows, to two decimals), and may attend and be attended to.

    Parameters
    ----------
    context : bool
        Whether the tokens of the context are meant; so for all edits of tokens.
    """
    tokens, X = _tokens(scene, context)
    place = len(tokens) if after is None else after + 1
    number = len(tokens) + 1
    while (name := str(Message(N_("token {number}"), {"number": number}))) in tokens:
        number += 1
    added = _with_tokens(
        scene,
        (*tokens[:place], name, *tokens[place:]),
        np.insert(X, place, np.round(X.mean(axis=0), 2), axis=0),
        lambda mask, axis: np.insert(mask, place, True, axis=axis),
        context,
        lambda V: np.insert(V, place, np.round(V.mean(axis=0), 2), axis=0),
    )
    check_sizes(added)
    return added


def remove_token(scene: Scene, token: int, *, context: bool = False) -> Scene:
    """Return the scene without a token; a Problem where it is the last."""
    tokens, X = _tokens(scene, context)
    if len(tokens) == 1:
        raise Problem(N_("The last token cannot be removed: a scene has at least one."))
    return _with_tokens(
        scene,
        tokens[:token] + tokens[token + 1 :],
        np.delete(X, token, axis=0),
        lambda mask, axis: np.delete(mask, token, axis=axis),
        context,
    )


def rename_token(scene: Scene, token: int, name: str, *, context: bool = False) -> Scene:
    """Return the scene with another name for a token; a Problem where it cannot be one."""
    if not is_token(name):
        raise Problem(
            N_("A token's name has 1 to {most} characters and no control characters."),
            most=LONGEST_NAME,
        )
    tokens = _tokens(scene, context)[0]
    if name == tokens[token]:
        return scene
    renamed = (*tokens[:token], name, *tokens[token + 1 :])
    if context and scene.context is not None:
        return scene.replace(context=replace(scene.context, tokens=renamed))
    return scene.replace(tokens=renamed)


def reorder_token(scene: Scene, token: int, place: int, *, context: bool = False) -> Scene:
    """Return the scene with a token moved so that it stands at `place`."""
    if token == place:
        return scene
    order = [i for i in range(len(_tokens(scene, context)[0])) if i != token]
    order.insert(place, token)
    return permute_tokens(scene, order, context=context)


def permute_tokens(scene: Scene, order: Iterable[int], *, context: bool = False) -> Scene:
    """Return the scene with its tokens in another order, those of old at the places of `order`.

    Their rows of X and a mask of one's own go with them; position belongs to the places and stays.
    """
    places = list(order)
    tokens, X = _tokens(scene, context)
    if places == list(range(len(tokens))):
        return scene
    return _with_tokens(
        scene,
        tuple(tokens[i] for i in places),
        X[places],
        lambda mask, axis: np.take(mask, places, axis=axis),
        context,
    )


def shuffle_order(count: int, seed: int) -> tuple[int, ...]:
    """Return a seeded order of `count` tokens, another than theirs where there is one."""
    generator = np.random.default_rng(seed)
    order = tuple(range(count))
    while count > 1 and order == tuple(range(count)):
        order = tuple(generator.permutation(count).tolist())
    return order


def _tokens(scene: Scene, context: bool) -> tuple[tuple[str, ...], Array]:
    if not context:
        return scene.tokens, scene.X
    if scene.context is None:
        raise KeyError("context")
    return scene.context.tokens, scene.context.X


def _with_tokens(
    scene: Scene,
    tokens: tuple[str, ...],
    X: Array,
    follow: Any,
    context: bool,
    follow_values: Any = None,
) -> Scene:
    """Return the scene with other tokens.

    `follow(mask, axis)` does the same to a mask matrix, `follow_values(V)` to values of their own.
    """
    options, mask = scene.options, scene.options.mask
    if isinstance(mask, np.ndarray):
        if not context:
            mask = follow(mask, 0)
        if context or scene.context is None:
            mask = follow(mask, 1)
        options = replace(options, mask=read_only(mask))
    if context:
        V = scene.V
        if V is not None:
            V = read_only(follow(V, 0) if follow_values is None else follow_values(V))
        return scene.replace(context=Context(tokens, read_only(X)), options=options, V=V)
    return fit_position(scene.replace(tokens=tokens, X=read_only(X), options=options))
