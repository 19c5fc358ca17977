"""Edits backwards: a point of Q, K or V, a score or a weight is given, and X or a W follows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from explorer.attention import (
    Aim,
    Attention,
    Finding,
    Moves,
    Projection,
    Pull,
    Variant,
    aim_score,
    aim_weight,
    field,
    pull,
    source_of_row,
    unmask,
)
from explorer.session.edits import head_matrix, set_head_matrix
from explorer.session.frame import Shuffled
from explorer.session.look import Space
from explorer.session.scene import Array, Matrix, Scene, compute, position_rows
from explorer.session.token_edits import permute_tokens
from explorer.text import N_, Problem

_W_OF_SPACE = {Space.Q: "Wq", Space.K: "Wk", Space.V: "Wv"}
# Sine of the angle under which a direction is seen; one seen more nearly end-on would throw the
# point twenty times as far as the hand goes.
_END_ON = 0.05
_DIFFERS = 1e-9  # of the largest output; less is rounding


@dataclass(frozen=True, eq=False)
class Proposal:
    """A change that gives a score or a weight the wanted value, to be accepted or not.

    Parameters
    ----------
    scene : Scene
        As it would be.
    matrix : Matrix
        What changes: X, Wq or Wk.
    old, new, difference : ndarray
        The query's row of X, shape (1, d), or one head's W.
    value : float
        What the score or the weight then is.
    """

    scene: Scene
    matrix: Matrix
    old: Array
    new: Array
    difference: Array
    value: float


def pull_point(
    scene: Scene,
    attention: Attention,
    space: Space,
    row: int,
    target: ArrayLike,
    head: int = 0,
    *,
    turned: bool = True,
    like: Pull | None = None,
) -> tuple[Scene, Pull]:
    """Return the scene with X changed so that a point of Q, K or V lands at `target`, or closest.

    In a scene with a context it is the context's X that moves for K and V. The Pull tells where the
    point lands, along which directions it can move, and whether it gets there.

    Where Q, K and V are given, the point itself moves. Raises a Problem where it cannot be dragged.

    Parameters
    ----------
    attention : Attention
        Of the scene.
    turned : bool
        Whether a point of Q or K is meant as it enters the product, after rotary positions.
    like : Pull, optional
        Of the same point in a scene with the same W, before: then less is computed.
    """
    points = {Space.Q: attention.Q, Space.K: attention.K, Space.V: attention.V}[space]
    entering = space is not Space.V and (turned or scene.options.rotary is None)
    if not entering and attention.projected is not None and space is not Space.V:
        points = attention.projected[0 if space is Space.Q else 1]
    _, token, block = source_of_row(attention.variant, head, row, attention.heads, points.shape[1])
    if (reason := why_not_pulled(scene, space, turned=turned)) is not None:
        raise Problem(reason)
    W = scene.per_head(_W_OF_SPACE[space])
    map_ = None if W is None else W[block]
    rotary = scene.options.rotary
    if rotary is not None and entering and like is None:
        # (x W + b) R = x (W R) + b R: the point is turned back by its place, and then followed.
        map_ = rotary.at(np.eye(scene.d_k) if map_ is None else map_, row)
    found = pull(map_, points[head, row], target, like)
    matrix = Matrix.X
    if scene.context is not None and space is not Space.Q:
        matrix = Matrix.V if scene.given and space is Space.V else Matrix.CONTEXT
    rows = scene.matrix(matrix).copy()
    rows[token] += found.change
    return set_head_matrix(scene, matrix, 0, rows), found


def why_not_pulled(scene: Scene, space: Space, *, turned: bool = True) -> str | None:
    """Return why points of Q, K or V cannot be dragged in a scene; None where they can.

    turned : as of `pull_point`
    """
    options = scene.options
    if options.qk_norm is None or space not in (Space.Q, Space.K):
        return None
    if options.rotary is not None and not turned:
        return None
    return N_(
        "Q and K are normalised here, so no row of X brings them to every place: drag X instead."
    )


def ways(pull: Pull, projection: Projection) -> Array:
    """Return the orthonormal directions in which a pulled point moves in the plane, (n ≤ 2, 2)."""
    _, sizes, right = np.linalg.svd(pull.directions @ projection.components.T, full_matrices=False)
    seen: Array = right[sizes > _END_ON]
    return seen


def follow(pull: Pull, projection: Projection, start: ArrayLike, move: ArrayLike) -> Array:
    """Return the reachable point seen closest to where `move` in the plane leads from `start`.

    Of several points seen there it is the one closest to `start`, (d_k,).
    """
    left, sizes, right = np.linalg.svd(
        pull.directions @ projection.components.T, full_matrices=False
    )
    kept = sizes > _END_ON
    along = ((right[kept] @ np.asarray(move)) / sizes[kept]) @ left.T[kept]
    landing: Array = np.asarray(start) + along @ pull.directions
    return landing


def aim_cell(
    scene: Scene,
    attention: Attention,
    query: int,
    key: int,
    target: float,
    moves: str,
    *,
    weight: bool,
    head: int = 0,
) -> Proposal:
    """Return the least change of the query's row of X, of Wq or Wk that makes a cell `target`.

    Parameters
    ----------
    attention : Attention
        Of the scene.
    moves : "X", "Wq" or "Wk"
    weight : bool
        Whether a cell of A is meant, not a raw score.

    Raises
    ------
    Unreachable
        A Problem with the reason why the cell cannot be that.
    """
    W = [None if (one := scene.per_head(name)) is None else one[head] for name in ("Wq", "Wk")]
    found: Aim = (aim_weight if weight else aim_score)(
        attention, W[0], W[1], query, key, target, moves, head
    )
    matrix = Matrix(moves)
    if Moves(moves) is Moves.X:
        old = scene.X[[query]]
        rows = scene.X.copy()
        rows[query] += found.change
        made = set_head_matrix(scene, matrix, 0, rows)
        new = made.X[[query]]
    else:
        old = head_matrix(scene, matrix, head)
        made = set_head_matrix(scene, matrix, head, old + found.change)
        new = head_matrix(made, matrix, head)
    return Proposal(made, matrix, old, new, new - old, found.value)


def attention_field(
    scene: Scene,
    attention: Attention,
    token: int,
    query: int,
    key: int,
    points: ArrayLike,
    head: int = 0,
) -> Array:
    """Return the weight of a pair with row `token` of X at each of `points` (N, d), shape (N,)."""
    position = position_rows(scene)
    places = np.asarray(points, np.float64)
    return field(
        attention,
        scene.per_head("Wq"),
        scene.per_head("Wk"),
        token,
        query,
        key,
        places if position is None else places + position[token],
        head,
        scene.per_head("bq"),
        scene.per_head("bk"),
    )


def check_variant(scene: Scene, attention: Attention, variant: Variant) -> Finding:
    """Return what the check of a mistake finds in the scene's attention."""
    position = position_rows(scene)

    def run(X: Array) -> Attention:
        return compute(scene.replace(X=X if position is None else X - position))

    return unmask(variant, attention, run, scene.tokens)


class OrderCause(StrEnum):
    """Why the order of the tokens may matter to the outputs."""

    POSITION = "position"  # belongs to the places, not to the tokens
    ROTARY = "rotary"  # turns by the places
    CAUSAL = "causal"  # a mask that asks for places; one of one's own goes with the tokens
    HEADS_MIXED = "heads mixed"  # rows of a head come from whatever tokens stand in those places


@dataclass(frozen=True, eq=False)
class Shuffling:
    """The result of another order of the tokens.

    Parameters
    ----------
    scene, attention : Scene, Attention
        In the new order.
    shuffled : Shuffled
        What that did to the outputs.
    """

    scene: Scene
    attention: Attention
    shuffled: Shuffled


def shuffling(scene: Scene, attention: Attention, order: tuple[int, ...]) -> Shuffling:
    """Return the result of putting a scene's tokens into an order, the old place of each.

    attention : of the scene
    """
    made = permute_tokens(scene, order)
    after = compute(made)
    shuffled = Shuffled(
        order,
        shuffle_difference(attention, after, order),
        order_causes(made),
        causes_of_shuffle(scene, order),
    )
    return Shuffling(made, after, shuffled)


def shuffle_difference(before: Attention, after: Attention, order: ArrayLike) -> float:
    """Return how far the outputs are from the same rows in a new order: the largest difference."""
    return float(np.abs(after.output - before.output[np.asarray(order)]).max())


def order_causes(scene: Scene) -> tuple[OrderCause, ...]:
    """Return what there is in a scene by which the order of its tokens could matter."""
    there = {
        OrderCause.POSITION: position_rows(scene) is not None,
        OrderCause.ROTARY: scene.options.rotary is not None,
        OrderCause.CAUSAL: isinstance(scene.options.mask, str) and scene.options.mask == "causal",
        OrderCause.HEADS_MIXED: scene.options.variant is Variant.HEADS_MIXED and scene.heads > 1,
    }
    return tuple(cause for cause, is_there in there.items() if is_there)


def causes_of_shuffle(scene: Scene, order: tuple[int, ...]) -> tuple[OrderCause, ...]:
    """Return which of `order_causes` make a difference when a scene's tokens are put in `order`.

    Each is tried without the others; where none does anything alone, but all do together, all.
    """
    causes = order_causes(scene)
    if not causes:
        return ()
    found = tuple(c for c in causes if _differs(_with_only(scene, c, causes), order))
    return found or (causes if _differs(scene, order) else ())


def _differs(scene: Scene, order: tuple[int, ...]) -> bool:
    before, after = compute(scene), compute(permute_tokens(scene, order))
    largest = float(np.abs(before.output).max())
    return shuffle_difference(before, after, order) > _DIFFERS * largest


_WITHOUT: dict[OrderCause, dict[str, Any]] = {
    OrderCause.POSITION: {"position": "none"},
    OrderCause.ROTARY: {"rotary": None},
    OrderCause.CAUSAL: {"mask": "none"},
    OrderCause.HEADS_MIXED: {"variant": Variant.NONE},
}


def _with_only(scene: Scene, cause: OrderCause, causes: tuple[OrderCause, ...]) -> Scene:
    changes = {k: v for other in causes if other is not cause for k, v in _WITHOUT[other].items()}
    return scene.replace(options=replace(scene.options, **changes)) if changes else scene
