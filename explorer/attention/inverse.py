"""Backwards: what has to change so that a point, a score or a weight becomes what is wanted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from explorer.attention.arrays import Floats, floats, read_only
from explorer.attention.nearest import Row, nearest
from explorer.attention.result import Attention
from explorer.attention.transforms import FLAT
from explorer.attention.variants import Variant
from explorer.text import N_, Problem, decimal_places, display_number

# A W of nothing but such numbers moves no point that far that anyone would see it.
_NOTHING = 1e-100
_REACHED = 1e-9


class Reason(StrEnum):
    """Why a score or a weight cannot be what is wanted."""

    MASKED = "masked"
    ONE_KEY = "one key"
    PARALLEL = "parallel keys"
    BEYOND = "beyond"
    NO_EFFECT = "no effect"
    VARIANT = "variant"
    NORM = "norm"


class Unreachable(Problem):
    """A target that no change can meet, with the reason as a value and as a sentence."""

    def __init__(self, reason: Reason, template: str, /, **args: object) -> None:
        super().__init__(template, **args)
        self.reason = reason


class Moves(StrEnum):
    """What may change so that a score or a weight becomes what is wanted."""

    X = "X"  # the query's row
    WQ = "Wq"
    WK = "Wk"


@dataclass(frozen=True, eq=False)
class Pull:
    """The least change of a row of X by which a point of Q, K or V comes closest to a target.

    change : (d,); to be added to the row
    landing : (d_k,); where the point then lies: the target, or the reachable point closest to it
    directions : (r, d_k); orthonormal rows, along which the point can move at all
    reached : whether the landing is the target
    sizes, sources : (r,), (r, d); by how much a row moves the point along each direction, and the
        orthonormal rows that do
    """

    change: Floats
    landing: Floats
    directions: Floats
    reached: bool
    sizes: Floats
    sources: Floats


@dataclass(frozen=True, eq=False)
class Aim:
    """The least change by which a score or a weight meets a target.

    change : (d,) for the query's row of X, or the shape of one head's W; to be added to it
    value : the score or the weight that it gives
    """

    change: Floats
    value: float


def pull(
    W: ArrayLike | None, point: ArrayLike, target: ArrayLike, like: Pull | None = None
) -> Pull:
    """The least change of x by which `point` = (x + p) W + b lands at `target`, or closest to it.

    It is (target − point) W⁺, the pseudoinverse; position p and bias b stay as they are. Directions
    whose singular value is below 1e-6 of the largest count as unreachable.

    W : (d, d_k), one head's; None where there is none, so that the point is the row itself
    point, target : (d_k,)
    like : of the same W, whose directions are then known
    """
    start, end = floats("point", point, 1), floats("target", target, 1)
    if like is not None:
        sources, sizes, directions = like.sources, like.sizes, like.directions
    else:
        matrix = np.eye(len(start)) if W is None else floats("W", W, 2)
        left, every, right = np.linalg.svd(matrix, full_matrices=False)
        kept = every > max(FLAT * float(every[0]), _NOTHING)
        sources, sizes, directions = left.T[kept], every[kept], read_only(right[kept])
    move = end - start
    along = directions @ move
    change = (along / sizes) @ sources
    reachable = along @ directions
    missing = float(np.linalg.norm(move - reachable))
    reached = missing <= _REACHED * float(np.linalg.norm(move))
    return Pull(
        read_only(change),
        read_only(end.copy() if reached else start + reachable),
        directions,
        reached,
        sizes,
        sources,
    )


def aim_score(
    attention: Attention,
    Wq: ArrayLike | None,
    Wk: ArrayLike | None,
    query: int,
    key: int,
    target: float,
    moves: str,
    head: int = 0,
) -> Aim:
    """The least change that makes the raw score q · k of a pair `target`.

    attention : of one sequence; Wq, Wk : (d, d_k), those of the head, or None for both
    moves : of `Moves`

    Via Wq and Wk, and via X where the key is another token's, the score is linear in what moves,
    so the least change is (target − score) · gradient / ‖gradient‖². Where the row's own key moves
    with it, `nearest` finds it. Raises Unreachable.
    """
    _check_movable(attention, Wq, moves)
    lever = _lever(attention, Wq, Wk, query, Moves(moves), head)
    raw = attention.of_head(head).raw
    score = float(raw[query, key])
    if target == score:
        return Aim(lever.change(np.zeros(lever.slopes.shape[1])), score)
    if lever.own != key:
        slope = lever.slopes[key]
        steepness = float(slope @ slope)
        if steepness == 0.0:
            raise _no_effect(moves)
        z = (target - score) / steepness * slope
        return Aim(lever.change(z), target)
    row = Row(
        raw[query, [key]],
        lever.slopes[[key]],
        0,
        float(target),
        own=0,
        bend=lever.bend,
        alone=True,
    )
    found, excess = nearest(row)
    if found is None:
        raise Unreachable(
            Reason.BEYOND,
            N_("q and k both move with this row of X: their score cannot be {target}."),
            target=display_number(target, 3),
        )
    return Aim(lever.change(found), target + excess)


def aim_weight(
    attention: Attention,
    Wq: ArrayLike | None,
    Wk: ArrayLike | None,
    query: int,
    key: int,
    target: float,
    moves: str,
    head: int = 0,
) -> Aim:
    """The least change that makes the weight of a pair `target`; arguments as of `aim_score`.

    The log-odds of a weight are the score minus the log-sum-exp of the others, concave in what
    moves unless the row's own key moves along. Found numerically, see `nearest`. Raises
    Unreachable where the pair is masked, only one key may be seen, the keys do not differ enough,
    or the target is beyond what a softmax row can do.
    """
    _check_movable(attention, Wq, moves)
    tables = attention.of_head(head)
    weight = float(tables.weights[query, key])
    visible = np.flatnonzero(np.isfinite(tables.scores[query]))
    if key not in visible:
        raise Unreachable(
            Reason.MASKED, N_("The query may not attend to this key: its weight stays 0.")
        )
    if len(visible) == 1:
        raise Unreachable(
            Reason.ONE_KEY, N_("The query may attend to this key alone: its weight stays the same.")
        )
    share = target * attention.weight_divisor
    if not 0.0 < share < 1.0:
        most = 1 / attention.weight_divisor
        raise Unreachable(
            Reason.BEYOND,
            N_("A softmax over several keys only gives weights between 0 and {most}."),
            most=display_number(most, decimal_places(most, most=3, least=0)),
        )
    lever = _lever(attention, Wq, Wk, query, Moves(moves), head)
    if target == weight:
        return Aim(lever.change(np.zeros(lever.slopes.shape[1])), weight)
    if lever.bend is None and not lever.slopes[visible].any():
        raise _no_effect(moves)
    own = None if lever.own is None else np.flatnonzero(visible == lever.own)
    with_own = own is not None and own.size > 0
    row = Row(
        tables.scores[query, visible],
        lever.slopes[visible] / attention.divisor,
        int(np.flatnonzero(visible == key)[0]),
        math.log(share) - math.log1p(-share),
        own=int(own[0]) if own is not None and with_own else None,
        bend=lever.bend / attention.divisor if lever.bend is not None and with_own else None,
    )
    found, excess = nearest(row)
    if found is None:
        raise _bounded(row, excess, attention.weight_divisor)
    value = _share(row.level + excess) / attention.weight_divisor
    return Aim(lever.change(found), value)


@dataclass(frozen=True, eq=False)
class _Lever:
    """How a change z of what may move acts on the raw scores of one query's row.

    slopes : (S, n), own and bend as in `Row`
    left, right : the change of a W is the outer product of z with one of them; none for X
    shape : of the W that z is the change of, number by number
    """

    slopes: Floats
    own: int | None = None
    bend: Floats | None = None
    left: Floats | None = None
    right: Floats | None = None
    shape: tuple[int, int] | None = None

    def change(self, z: Floats) -> Floats:
        if self.shape is not None:
            return read_only(z.reshape(self.shape).copy())
        if self.left is not None:
            return read_only(np.outer(self.left, z))
        return read_only(z.copy() if self.right is None else np.outer(z, self.right))


def _lever(
    attention: Attention,
    Wq: ArrayLike | None,
    Wk: ArrayLike | None,
    query: int,
    moves: Moves,
    head: int,
) -> _Lever:
    q, K, x = attention.Q[head, query], attention.K[head], attention.X[query]
    rotary = attention.rotary
    if rotary is not None:
        if moves is Moves.WK:
            # Key j is turned by its own place, so q is turned back by each: the change of a score
            # is no longer of rank 1 for all keys alike.
            back = np.stack([rotary.at(q, j, back=True) for j in range(len(K))])
            slopes = np.einsum("jd,jk->jdk", attention.context, back).reshape(len(K), -1)
            return _Lever(slopes, shape=(attention.context.shape[1], len(q)))
        # Both are turned back by the query's place, which leaves their products as they are.
        q, K = rotary.at(q, query, back=True), rotary.at(K, query, back=True)
    if moves is Moves.WQ:
        # q changes by z where Wq changes by x ⊗ z / ‖x‖², and by no smaller change.
        return _Lever(K * bool(x.any()), left=_over_square(x))
    if moves is Moves.WK:
        # Scores are c · (Wk q) + bias, and Wk q changes by z where Wk changes by z ⊗ q / ‖q‖².
        return _Lever(attention.context * bool(q.any()), right=_over_square(q))
    wq = np.eye(len(x)) if Wq is None else floats("Wq", Wq, 2)
    slopes = K @ wq.T
    if attention.context is not attention.X:
        return _Lever(slopes)
    wk = np.eye(len(x)) if Wk is None else floats("Wk", Wk, 2)
    slopes[query] += wk @ q
    return _Lever(slopes, own=query, bend=wq @ wk.T)


def _over_square(vector: Floats) -> Floats:
    square = float(vector @ vector)
    return vector / square if square > 0.0 else vector


def _check_movable(attention: Attention, Wq: ArrayLike | None, moves: str) -> None:
    if attention.variant is Variant.AVERAGE:
        raise Unreachable(
            Reason.VARIANT, N_("In a plain average all scores are 0, whatever X and W are.")
        )
    if attention.variant is Variant.HEADS_MIXED:
        raise Unreachable(
            Reason.VARIANT,
            N_("Rows belong to other tokens here: split the heads correctly to set a target."),
        )
    if attention.qk_norm is not None:
        raise Unreachable(
            Reason.NORM,
            N_("Q and K are normalised here, so no score is linear in X, Wq or Wk: edit a number."),
        )
    if Wq is None and Moves(moves) is not Moves.X:
        raise Unreachable(Reason.NO_EFFECT, N_("There is no {matrix} here."), matrix=moves)


def _no_effect(moves: str) -> Unreachable:
    return Unreachable(
        Reason.NO_EFFECT,
        N_("Changing {matrix} changes nothing here: what it is multiplied by is zero."),
        matrix=moves,
    )


def _bounded(row: Row, excess: float, weight_divisor: float) -> Unreachable:
    """Why the weight of a row stays on its side of the target; `excess` is the closest found."""
    closest = display_number(_share(row.level + excess) / weight_divisor, 3)
    if row.bend is not None:
        return Unreachable(
            Reason.BEYOND,
            N_(
                "The query's own key moves along with its row of X, so the weight gets no closer "
                "than {closest}: let Wq or Wk move instead."
            ),
            closest=closest,
        )
    differences = row.slopes - row.slopes[row.key]
    sizes = np.linalg.svd(differences, compute_uv=False)
    if sizes[0] <= 1e-13 * max(float(np.abs(row.slopes).max()), 1e-300):
        return Unreachable(
            Reason.PARALLEL,
            N_("All keys move this query's scores equally: the weight stays {closest}."),
            closest=closest,
        )
    same = int((np.abs(differences).max(axis=1) <= 1e-13 * np.abs(row.slopes).max()).sum())
    on_a_line = len(sizes) < 2 or sizes[1] <= 1e-9 * sizes[0]
    if same > 1 or on_a_line:
        return Unreachable(
            Reason.PARALLEL,
            N_("Keys are parallel here, so the weight gets no closer than {closest}."),
            closest=closest,
        )
    return Unreachable(
        Reason.BEYOND,
        N_("Other keys lie around this one, so the weight gets no closer than {closest}."),
        closest=closest,
    )


def _share(log_odds: float) -> float:
    """The weight of these log-odds."""
    return 1.0 / (1.0 + math.exp(-log_odds)) if log_odds > -700 else math.exp(log_odds)
