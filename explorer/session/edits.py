"""Edits: pure functions from a scene to the scene it becomes. Untouched arrays are shared.

An edit that changes nothing returns the very scene it was given. What cannot be is a Problem.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.attention import QKNorm, Rotary, Variant, sinusoidal
from explorer.attention.arrays import read_only
from explorer.session.checks import (
    MOST_COLUMNS,
    MOST_NUMBERS,
    SMALLEST_DIVISOR,
    SMALLEST_TEMPERATURE,
    BeyondLimits,
    check_numbers,
    check_scene,
    check_sizes,
)
from explorer.session.frame import Cell
from explorer.session.scene import PROJECTIONS, Array, Context, Matrix, Scene, frozen_array
from explorer.text import N_, Problem
from explorer.text.numbers import LARGEST

# Of these each head has its own block.
PER_HEAD = frozenset((*PROJECTIONS, Matrix.BQ, Matrix.BK, Matrix.BV))

# --- numbers -------------------------------------------------------------------------------------


def head_matrix(scene: Scene, matrix: Matrix, head: int = 0) -> Array:
    """Return the numbers of one grid: a head's block of a W, (d, d_k), a head's bias, (1, d_k).

    What has no heads is returned whole: X, (T, d), Wo, its bias bo, (1, d_out), the context's X,
    and position rows of one's own. KeyError where the scene has none.
    """
    whole = scene.matrix(matrix)
    if matrix in PER_HEAD:
        blocks = scene.per_head(matrix)
        assert blocks is not None
        whole = blocks[head]
    return np.atleast_2d(whole)


def set_cells(scene: Scene, cell: Cell, values: ArrayLike) -> Scene:
    """Return the scene with a block of numbers, shape (rows, columns), from `cell` on.

    Raises a Problem where the block does not fit or a number is beyond ±1e50.
    """
    block = np.asarray(values, np.float64)
    old = head_matrix(scene, cell.matrix, cell.head)
    rows, columns = old.shape[0] - cell.row, old.shape[1] - cell.column
    if rows < 1 or columns < 1:
        raise Problem(
            N_("{value} has {rows} rows and {columns} columns, so none at row {row}, {column}."),
            value=str(cell.matrix),
            rows=old.shape[0],
            columns=old.shape[1],
            row=cell.row + 1,
            column=cell.column + 1,
        )
    if block.shape[0] > rows or block.shape[1] > columns:
        fits = block.shape[0] <= old.shape[0] and block.shape[1] <= old.shape[1]
        raise Problem(
            N_(
                "The block of {rows} × {columns} does not fit there: "
                "{matrix} has room for {free_rows} × {free_columns} from that cell on. "
                "Select the first cell of {matrix} and paste again."
            )
            if fits
            else N_(
                "The block of {rows} × {columns} does not fit there: "
                "{matrix} has room for {free_rows} × {free_columns} from that cell on. "
                "The plus beside X adds tokens; Options has the numbers of columns."
            ),
            rows=block.shape[0],
            columns=block.shape[1],
            matrix=str(cell.matrix),
            free_rows=rows,
            free_columns=columns,
        )
    new = old.copy()
    new[cell.row : cell.row + block.shape[0], cell.column : cell.column + block.shape[1]] = block
    return set_head_matrix(scene, cell.matrix, cell.head, read_only(new))


def set_matrix(scene: Scene, matrix: Matrix, values: ArrayLike) -> Scene:
    """Return the scene with all numbers of an array replaced, in the form it has."""
    new, old = frozen_array(values), scene.matrix(matrix)
    _check_shape(matrix, old, new)
    if np.array_equal(new, old):
        return scene
    check_numbers(str(matrix), new)
    return scene.with_array(matrix, new)


def _check_shape(matrix: Matrix, old: Array, new: Array) -> None:
    if new.shape != old.shape:
        raise Problem(
            N_("{matrix} is {wanted}, so a block of {found} does not fill it."),
            matrix=str(matrix),
            wanted=" × ".join(map(str, old.shape)),
            found=" × ".join(map(str, new.shape)),
        )


def move_token(scene: Scene, token: int, row: ArrayLike) -> Scene:
    """Return the scene with another row of X, shape (d,), for a token."""
    return set_cells(scene, Cell(Matrix.X, token, 0), np.atleast_2d(np.asarray(row, np.float64)))


def set_head_matrix(scene: Scene, matrix: Matrix, head: int, values: Array) -> Scene:
    """Return the scene with other numbers in one grid.

    Raises a Problem where they have another shape than `head_matrix` gives, or are beyond ±1e50.
    """
    old = scene.matrix(matrix)
    _check_shape(matrix, head_matrix(scene, matrix, head), values)
    if matrix not in PER_HEAD or scene.heads == 1:
        return set_matrix(scene, matrix, values.reshape(old.shape))
    new = old.copy()
    if matrix not in PROJECTIONS:
        new.reshape(scene.heads, -1)[head] = values[0]
    elif old.ndim == 3:
        new[head] = values
    else:
        width = values.shape[1]
        new[:, head * width : (head + 1) * width] = values
    return set_matrix(scene, matrix, read_only(new))


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
                N_("A dimension must be a whole number from 1 to {most}, not {found}."),
                most=MOST_COLUMNS,
                found=width,
            )
    if not scene.projected and (d_k or d_v):
        raise Problem(N_("d_k and d_v are those of X here: add Wq, Wk and Wv to change them."))
    _check_room(scene, d_model, d_k, d_v)
    made = scene
    if d_model is not None and d_model != scene.X.shape[1]:
        made = _resize_model(made, d_model)
    if d_k is not None:
        for name in (Matrix.WQ, Matrix.WK):
            made = _resize_heads(made, name, d_k)
    if d_v is not None:
        made = _resize_heads(made, Matrix.WV, d_v)
    made = fit_entering(made)
    check_sizes(made)
    if made.others:
        check_scene(made)
    return made


def fit_entering(scene: Scene) -> Scene:
    """Return the scene with rotary positions and norms that fit the width of its queries.

    No more columns turn than there are; gains are cut off at the end, new ones are 1.
    """
    rotary, norm, width = scene.options.rotary, scene.options.qk_norm, scene.d_k
    changes: dict[str, Any] = {}
    if rotary is not None and rotary.dims > width:
        dims = width - width % 2
        changes["rotary"] = replace(rotary, dims=dims) if dims else None
    if norm is not None and len(norm.query) != width:
        query, key = (np.append(gain, np.ones(width))[:width] for gain in (norm.query, norm.key))
        changes["qk_norm"] = QKNorm(query, key, norm.epsilon)
    return scene.replace(options=replace(scene.options, **changes)) if changes else scene


def fit_position(scene: Scene) -> Scene:
    """Return the scene with as many position rows of its own, and columns, as it needs.

    What is too much is cut off at the end; what is added is zero.
    """
    position = scene.array(Matrix.POSITION)
    longest = max(len(sequence.tokens) for sequence in scene.sequences)
    if position is None or position.shape == (longest, scene.d_model):
        return scene
    fitted = _fitted(_fitted(position, 0, longest), 1, scene.d_model)
    return scene.with_array(Matrix.POSITION, fitted)


def _check_room(scene: Scene, d_model: int | None, d_k: int | None, d_v: int | None) -> None:
    """Raise a Problem where Wq, Wk and Wv would be too large, before they are made."""
    if scene.projected:
        columns = 2 * (d_k or scene.d_k) + (d_v or scene.d_v)
        numbers = (d_model or scene.d_model) * scene.heads * columns
        if numbers > MOST_NUMBERS:
            raise BeyondLimits(
                N_("A scene may hold {most} numbers in all, but this would be {found}."),
                most=MOST_NUMBERS,
                found=numbers,
            )


def add_projections(scene: Scene) -> Scene:
    """Return the scene with identity Wq, Wk and Wv where it has none: no result changes."""
    if scene.projected:
        return scene
    if scene.given:
        raise Problem(N_("Q, K and V are given here: there is no X that a W could multiply."))
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


def set_temperature(scene: Scene, temperature: float) -> Scene:
    """Return the scene with another temperature, which scores are divided by after the scale."""
    if not SMALLEST_TEMPERATURE <= temperature <= LARGEST:
        raise Problem(N_("The temperature must be a number from 1e−20 to 1e50."))
    if temperature == scene.options.temperature:
        return scene
    return scene.replace(options=replace(scene.options, temperature=float(temperature)))


def set_variant(scene: Scene, variant: str) -> Scene:
    """Return the scene with a variant: "none", "average", or a mistake; ValueError for others."""
    if variant == scene.options.variant:
        return scene
    return scene.replace(options=replace(scene.options, variant=Variant(variant)))


def set_rotary(scene: Scene, rotary: Rotary | None) -> Scene:
    """Return the scene with other rotary positions, or none; a Problem where they do not fit."""
    if rotary == scene.options.rotary:
        return scene
    made = scene.replace(options=replace(scene.options, rotary=rotary))
    check_scene(made)
    return made


def set_qk_norm(scene: Scene, norm: QKNorm | None) -> Scene:
    """Return the scene with another norm of Q and K, or none; a Problem where it does not fit."""
    if norm is scene.options.qk_norm:
        return scene
    made = scene.replace(options=replace(scene.options, qk_norm=norm))
    check_scene(made)
    return made


def set_position(scene: Scene, position: str | ArrayLike) -> Scene:
    """Return the scene with another position: "none", "sinusoidal" or rows (T, d) of one's own.

    Rows are as many as the longest sequence has tokens; a Problem where they have another shape.
    """
    made: Any = position
    if isinstance(position, str):
        if position not in ("none", "sinusoidal"):
            raise ValueError(position)
        if isinstance(scene.options.position, str) and position == scene.options.position:
            return scene
    else:
        made = frozen_array(position)
    changed = scene.replace(options=replace(scene.options, position=made))
    check_scene(changed)
    return changed


def position_for(scene: Scene, rows: int) -> Array:
    """Return what is added to the first `rows` places, shape (rows, d_model): 0s for "none"."""
    if scene.options.position == "sinusoidal":
        return sinusoidal(rows, scene.d_model)
    return np.zeros((rows, scene.d_model))


def _resize_model(scene: Scene, width: int) -> Scene:
    """Return the scene with `width` columns of X in every sequence, and what goes with them."""

    def fitted(context: Context | None) -> Context | None:
        if scene.projected or context is None:
            return context
        return replace(context, X=_fitted(context.X, 1, width))

    changes: dict[str, Any] = {
        "X": _fitted(scene.X, 1, width),
        "context": fitted(scene.context),
        "others": tuple(
            replace(one, X=_fitted(one.X, 1, width), context=fitted(one.context))
            for one in scene.others
        ),
    }
    if scene.projected:
        names = PROJECTIONS if scene.context is None else (Matrix.WQ,)
        for name in names:
            changes[name] = _continued(scene, name, rows=width)
    elif scene.Wo is not None and not scene.given:
        changes["Wo"] = _fitted(scene.Wo, 0, width)
    return fit_position(scene.replace(**changes))


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
