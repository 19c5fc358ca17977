"""Edits: pure functions from a scene to the scene it becomes. Untouched arrays are shared.

An edit that changes nothing returns the very scene it was given. What cannot be is a Problem.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.attention.arrays import read_only
from explorer.session.checks import (
    MOST_COLUMNS,
    SMALLEST_DIVISOR,
    check_numbers,
    check_sizes,
)
from explorer.session.frame import Cell
from explorer.session.scene import PROJECTIONS, Array, Matrix, Scene, frozen_array
from explorer.text import N_, Message, Problem
from explorer.text.numbers import LARGEST
from explorer.text.plain import LONGEST_NAME, is_token

# --- numbers -------------------------------------------------------------------------------------


def head_matrix(scene: Scene, matrix: Matrix, head: int = 0) -> Array:
    """Return one head's block of a W, shape (d, d_k), or X itself, shape (T, d)."""
    if matrix is Matrix.X:
        return scene.X
    blocks = scene.per_head(matrix)
    if blocks is None:
        raise KeyError(matrix)
    return blocks[head]


def set_cells(scene: Scene, cell: Cell, values: ArrayLike) -> Scene:
    """Return the scene with a block of numbers, shape (rows, columns), from `cell` on.

    Raises a Problem where the block does not fit or a number is beyond ±1e50.
    """
    block = np.asarray(values, np.float64)
    old = head_matrix(scene, cell.matrix, cell.head)
    rows, columns = old.shape[0] - cell.row, old.shape[1] - cell.column
    if block.shape[0] > rows or block.shape[1] > columns:
        raise Problem(
            N_(
                "The block of {rows} × {columns} does not fit there: "
                "{matrix} has room for {free_rows} × {free_columns} from that cell on."
            ),
            rows=block.shape[0],
            columns=block.shape[1],
            matrix=str(cell.matrix),
            free_rows=rows,
            free_columns=columns,
        )
    new = old.copy()
    new[cell.row : cell.row + block.shape[0], cell.column : cell.column + block.shape[1]] = block
    return _with_head_matrix(scene, cell.matrix, cell.head, read_only(new))


def set_matrix(scene: Scene, matrix: Matrix, values: ArrayLike) -> Scene:
    """Return the scene with all numbers of X or of a W replaced, in the form it has."""
    new, old = frozen_array(values), scene.matrix(matrix)
    if new.shape != old.shape:
        raise Problem(
            N_("{matrix} is {wanted}, so numbers of {found} do not fill it."),
            matrix=str(matrix),
            wanted=" × ".join(map(str, old.shape)),
            found=" × ".join(map(str, new.shape)),
        )
    if np.array_equal(new, old):
        return scene
    check_numbers(str(matrix), new)
    return scene.replace(**{matrix: new})


def move_token(scene: Scene, token: int, row: ArrayLike) -> Scene:
    """Return the scene with another row of X, shape (d,), for a token."""
    return set_cells(scene, Cell(Matrix.X, token, 0), np.atleast_2d(np.asarray(row, np.float64)))


def _with_head_matrix(scene: Scene, matrix: Matrix, head: int, values: Array) -> Scene:
    old = scene.matrix(matrix)
    if matrix is Matrix.X or (old.ndim == 2 and scene.heads == 1):
        return set_matrix(scene, matrix, values)
    new = old.copy()
    if old.ndim == 3:
        new[head] = values
    else:
        width = values.shape[1]
        new[:, head * width : (head + 1) * width] = values
    return set_matrix(scene, matrix, read_only(new))


# --- tokens --------------------------------------------------------------------------------------


def add_token(scene: Scene, after: int | None = None) -> Scene:
    """Return the scene with one token more, after token `after` or at the end.

    It is called "token 5" by the first free number, stands in the middle of the others (the mean
    of their rows, to two decimals), and may attend and be attended to.
    """
    place = len(scene.tokens) if after is None else after + 1
    number = len(scene.tokens) + 1
    while (name := str(Message(N_("token {number}"), {"number": number}))) in scene.tokens:
        number += 1
    added = _with_tokens(
        scene,
        (*scene.tokens[:place], name, *scene.tokens[place:]),
        np.insert(scene.X, place, np.round(scene.X.mean(axis=0), 2), axis=0),
        lambda mask, axis: np.insert(mask, place, True, axis=axis),
    )
    check_sizes(added)
    return added


def remove_token(scene: Scene, token: int) -> Scene:
    """Return the scene without a token; a Problem where it is the last."""
    if len(scene.tokens) == 1:
        raise Problem(N_("The last token cannot be removed: a scene has at least one."))
    return _with_tokens(
        scene,
        scene.tokens[:token] + scene.tokens[token + 1 :],
        np.delete(scene.X, token, axis=0),
        lambda mask, axis: np.delete(mask, token, axis=axis),
    )


def rename_token(scene: Scene, token: int, name: str) -> Scene:
    """Return the scene with another name for a token; a Problem where it cannot be one."""
    if not is_token(name):
        raise Problem(
            N_("A token's name has 1 to {most} characters and no control characters."),
            most=LONGEST_NAME,
        )
    if name == scene.tokens[token]:
        return scene
    return scene.replace(tokens=(*scene.tokens[:token], name, *scene.tokens[token + 1 :]))


def reorder_token(scene: Scene, token: int, place: int) -> Scene:
    """Return the scene with a token moved so that it stands at `place`."""
    if token == place:
        return scene
    order = [i for i in range(len(scene.tokens)) if i != token]
    order.insert(place, token)
    return _with_tokens(
        scene,
        tuple(scene.tokens[i] for i in order),
        scene.X[order],
        lambda mask, axis: np.take(mask, order, axis=axis),
    )


def _with_tokens(scene: Scene, tokens: tuple[str, ...], X: Array, follow: Any) -> Scene:
    """Return the scene with other tokens; `follow(mask, axis)` does the same to a mask matrix."""
    options, mask = scene.options, scene.options.mask
    if isinstance(mask, np.ndarray):
        mask = follow(mask, 0)
        if scene.context is None:
            mask = follow(mask, 1)
        options = replace(options, mask=read_only(mask))
    return scene.replace(tokens=tokens, X=read_only(X), options=options)


# --- shapes and options --------------------------------------------------------------------------


def resize(
    scene: Scene, d_model: int | None = None, d_k: int | None = None, d_v: int | None = None
) -> Scene:
    """Return the scene with other widths: of X, of each head's queries and keys, of its values.

    What is cut off is lost. New columns of X, new biases and new rows of Wo are zero; new entries
    of Wq, Wk and Wv continue the identity (1 on each head's diagonal, else 0), so that a wider X
    changes no result by itself. The context keeps its width beside Wk and Wv, else it follows X.
    """
    for width in (d_model, d_k, d_v):
        if width is not None and not 1 <= width <= MOST_COLUMNS:
            raise Problem(
                N_("A dimension is a whole number from 1 to {most}, not {found}."),
                most=MOST_COLUMNS,
                found=width,
            )
    if not scene.projected and (d_k or d_v):
        raise Problem(N_("d_k and d_v are those of X here: add Wq, Wk and Wv to change them."))
    made = scene
    if d_model is not None and d_model != scene.X.shape[1]:
        made = _resize_model(made, d_model)
    if d_k is not None:
        for name in (Matrix.WQ, Matrix.WK):
            made = _resize_heads(made, name, d_k)
    if d_v is not None:
        made = _resize_heads(made, Matrix.WV, d_v)
    check_sizes(made)
    return made


def add_projections(scene: Scene) -> Scene:
    """Return the scene with identity Wq, Wk and Wv where it has none: no result changes."""
    if scene.projected:
        return scene
    identity = read_only(np.eye(scene.X.shape[1]))
    return scene.replace(Wq=identity, Wk=identity, Wv=identity)


def set_scale(scene: Scene, scale: str | float) -> Scene:
    """Return the scene with another scale: "sqrt_dk", "none" or a number to divide by."""
    if isinstance(scale, str):
        if scale not in ("sqrt_dk", "none"):
            raise ValueError(scale)
    elif not SMALLEST_DIVISOR <= scale <= LARGEST:
        raise Problem(N_("Scores are divided by a number from 1e−50 to 1e50."))
    if scale == scene.options.scale:
        return scene
    return scene.replace(options=replace(scene.options, scale=cast(Any, scale)))


def set_mask(scene: Scene, mask: str | NDArray[np.bool_]) -> Scene:
    """Return the scene with another mask: "none", "causal" or bools (T, S), True = may attend."""
    if isinstance(mask, str):
        if mask not in ("none", "causal"):
            raise ValueError(mask)
        if isinstance(scene.options.mask, str) and mask == scene.options.mask:
            return scene
    elif mask.shape != (len(scene.tokens), len(scene.key_tokens)):
        raise ValueError(f"a mask of shape {mask.shape}")
    return scene.replace(options=replace(scene.options, mask=cast(Any, mask)))


def _resize_model(scene: Scene, width: int) -> Scene:
    changes: dict[str, Any] = {"X": _fitted(scene.X, 1, width)}
    if scene.projected:
        names = PROJECTIONS if scene.context is None else (Matrix.WQ,)
        for name in names:
            changes[name] = _continued(scene, name, rows=width)
    else:
        if scene.context is not None:
            changes["context"] = replace(scene.context, X=_fitted(scene.context.X, 1, width))
        if scene.Wo is not None:
            changes["Wo"] = _fitted(scene.Wo, 0, width)
    return scene.replace(**changes)


def _resize_heads(scene: Scene, name: Matrix, width: int) -> Scene:
    """Return the scene with `width` columns for each head of a W, and what goes with them."""
    heads, old = scene.heads, head_matrix(scene, name).shape[1]
    if width == old:
        return scene
    changes: dict[str, Any] = {name: _continued(scene, name, columns=width)}
    bias_name = "b" + name[1]
    bias: Array | None = getattr(scene, bias_name)
    if bias is not None:
        fitted = _fitted(bias.reshape(heads, old), 1, width)
        changes[bias_name] = read_only(fitted.reshape(*bias.shape[:-1], -1))
    if name is Matrix.WV and scene.Wo is not None:
        blocks = scene.Wo.reshape(heads, old, -1)
        changes["Wo"] = read_only(_fitted(blocks, 1, width).reshape(heads * width, -1))
    return scene.replace(**changes)


def _continued(
    scene: Scene, name: Matrix, rows: int | None = None, columns: int | None = None
) -> Array:
    """Return a W with other rows or columns a head, in its own form, continuing the identity."""
    blocks = scene.per_head(name)
    assert blocks is not None
    heads, old_rows, old_columns = blocks.shape
    rows, columns = rows or old_rows, columns or old_columns
    new = np.tile(np.eye(rows, columns), (heads, 1, 1))
    kept = np.s_[:, : min(rows, old_rows), : min(columns, old_columns)]
    new[kept] = blocks[kept]
    return read_only(in_form(new, scene.matrix(name)))


def in_form(blocks: Array, like: Array) -> Array:
    """Return blocks (H, d, d_k) in the form of a W: as they are, or side by side as (d, H·d_k)."""
    if like.ndim == 3:
        return blocks
    return blocks.transpose(1, 0, 2).reshape(blocks.shape[1], -1)


def _fitted(array: Array, axis: int, size: int) -> Array:
    """Return `array` cut or filled up with zeros to `size` along an axis."""
    kept = np.take(array, range(min(size, array.shape[axis])), axis=axis)
    widths = [(0, 0)] * array.ndim
    widths[axis] = (0, size - kept.shape[axis])
    return read_only(np.pad(kept, widths))
