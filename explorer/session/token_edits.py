"""Edits of tokens: one added, removed, renamed or moved, in the sequence or in its context.

The rows of X, a mask of one's own and values that are given go with the tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from explorer.attention.arrays import read_only
from explorer.session.checks import check_sizes
from explorer.session.edits import fit_position
from explorer.session.scene import Array, Context, Scene
from explorer.text import N_, Message, Problem
from explorer.text.plain import LONGEST_NAME, is_token

_LEAST_SPREAD = 0.5  # so that two decimals tell places apart
_APART = 0.1  # of the rows' spread: how far a new token stays from the others


def add_token(scene: Scene, after: int | None = None, *, context: bool = False) -> Scene:
    """Return the scene with one token more, after token `after` or at the end.

    It is called "token 5" by the first free number, stands in the middle of the others (the mean
    of their rows, to two decimals) or, where one stands there, beside it, and may attend and be
    attended to.

    Parameters
    ----------
    context : bool
        Whether the tokens of the context are meant; so for all edits of tokens.
    """
    tokens = _tokens(scene, context)[0]
    place = len(tokens) if after is None else after + 1
    return _with_added(scene, place, (_free_name(tokens),), context)


def put_tokens(
    scene: Scene, first: int, names: Sequence[str], count: int = 0, *, context: bool = False
) -> Scene:
    """Return the scene with other names from token `first` on; tokens that it lacks are added.

    A token that is added by a name that one before it has gets that one's row: the same word has
    the same embedding.

    Parameters
    ----------
    count : int
        How many tokens there are to be from `first` on, at least.
    """
    before = _tokens(scene, context)[0]
    added: list[str] = []
    for place in range(len(before), first + max(count, len(names))):
        named = first <= place < first + len(names)
        added.append(names[place - first] if named else _free_name((*before, *added)))
    made = _with_added(scene, len(before), added, context) if added else scene
    for token, name in enumerate(names, start=first):
        made = rename_token(made, token, name, context=context)
    tokens, X = _tokens(made, context)
    rows = [tokens.index(name) if i >= len(before) else i for i, name in enumerate(tokens)]
    if rows == list(range(len(tokens))):
        return made
    return _with_tokens(made, tokens, X[rows], lambda mask, axis: mask, context)


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


def _with_added(scene: Scene, place: int, names: Sequence[str], context: bool) -> Scene:
    """Return the scene with further tokens before token `place`."""
    tokens, X = _tokens(scene, context)
    places = [place] * len(names)
    added = _with_tokens(
        scene,
        (*tokens[:place], *names, *tokens[place:]),
        np.insert(X, places, _free_rows(X, len(names)), axis=0),
        lambda mask, axis: np.insert(mask, places, True, axis=axis),
        context,
        lambda V: np.insert(V, places, np.round(V.mean(axis=0), 2), axis=0),
    )
    check_sizes(added)
    return added


def _free_name(tokens: Sequence[str]) -> str:
    number = len(tokens) + 1
    while (name := str(Message(N_("token {number}"), {"number": number}))) in tokens:
        number += 1
    return name


def _free_rows(X: Array, count: int) -> Array:
    """Return the mean of rows to two decimals and places around it, without those near a row.

    The places lie on a spiral of equal areas (Vogel 1979) in the first two columns.
    """
    middle = np.round(X.mean(axis=0), 2)
    apart = _APART * max(float(X[:, :2].std()), _LEAST_SPREAD)
    rows: list[Array] = []
    turn = 0
    while len(rows) < count:
        angle = turn * np.pi * (3 - np.sqrt(5))
        away = 2 * apart * np.sqrt(turn) * np.array([np.cos(angle), np.sin(angle)])
        row = middle.copy()
        row[:2] = np.round(row[:2] + away[: len(row)], 2)
        if np.linalg.norm(X - row, axis=1).min() >= apart:
            rows.append(row)
        turn += 1
    return np.array(rows)


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
