"""Why the scores are divided by √d: what width does to dot products, softmax and its gradient.

The argument is that of Vaswani et al. 2017, section 3.2.1, footnote 4: if the components of q and k
are independent with mean 0 and variance 1, q · k has mean 0 and variance d.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from explorer.attention.arrays import Floats, read_only
from explorer.attention.forward import softmax
from explorer.attention.result import Attention

WIDEST = 512  # the largest d of the random q and k
PAIRS = 2048  # whose dot products are looked at
ROWS, KEYS = 256, 8  # rows of scores, of so many keys each
_AT_ONCE = 32  # widths whose rows fit into the processor's cache together
# With this seed the first row is decided steadily as d grows, as rows are on average.
_SEED = 33


@dataclass(frozen=True, eq=False)
class ScaledRow:
    """The softmax of one row, and how much of it is decided.

    weights : (S,)
    entropy : in nats; at most ln of the number of keys that the row may attend to
    largest : the largest weight
    gradient : see `gradient_size`
    """

    weights: Floats
    entropy: float
    largest: float
    gradient: float


@dataclass(frozen=True, eq=False)
class GradientCurves:
    """The gradient size at each of some widths, without ÷ √d and with it; all (n,)."""

    widths: Floats
    plain: Floats
    scaled: Floats


@dataclass(frozen=True, eq=False)
class ScalingDemo:
    """Dot products of queries and keys of width d, and one row without ÷ √d and with it.

    d : int
    products : (N,), the dot products looked at
    variance : of the products, about their mean; inf where it is beyond float64
    scores : (S,), the row's raw scores, -inf where masked
    plain, scaled : the softmax of the scores, and of the scores ÷ √d
    curves : the gradient size against d
    """

    d: int
    products: Floats
    variance: float
    scores: Floats
    plain: ScaledRow
    scaled: ScaledRow
    curves: GradientCurves

    @property
    def keys(self) -> int:
        """How many keys the row may attend to."""
        return int(np.isfinite(self.scores).sum())


@dataclass(frozen=True, eq=False)
class Histogram:
    """How densely numbers lie: n bars side by side whose areas sum to 1.

    edges : (n + 1,)
    density : (n,)
    """

    edges: Floats
    density: Floats


def histogram(values: ArrayLike, width: float) -> Histogram:
    """The histogram of numbers (N,) with bars of one width, the middle of one of them at 0."""
    places = np.rint(np.asarray(values, np.float64) / width).astype(np.int64)
    first = int(places.min())
    counts = np.bincount(places - first)
    edges = (np.arange(first, first + len(counts) + 1, dtype=np.float64) - 0.5) * width
    density: Floats = counts / (counts.sum() * width)
    return Histogram(read_only(edges), read_only(density))


def random_trial(d: int) -> ScalingDemo:
    """The trial of seeded standard-normal q and k of width `d`, 1 to 512.

    They are the first d components of the same 512, so a step of d changes little. The curves are
    means over 256 rows of 8 keys, of which `scores` is the first.

    Raises ValueError for another width.
    """
    if not 1 <= d <= WIDEST:
        raise ValueError(f"d must be from 1 to {WIDEST}, not {d}.")
    sample = _sample()
    return _trial(d, sample.products[d - 1], sample.scores[d - 1], sample.curves)


def scene_trial(attention: Attention, query: int, head: int = 0) -> ScalingDemo:
    """The trial of the raw scores of one head and of one of its rows, whatever they were scaled by.

    attention : of one sequence; its mask holds, its divisor, temperature and variant do not

    The curves are those of this row made of the first 1, 2, … d_k components of q and k.
    """
    visible = np.ones(attention.keys, bool) if attention.mask is None else attention.mask[query]
    with np.errstate(over="ignore", invalid="ignore"):
        partial = np.cumsum(attention.Q[head, query] * attention.K[head], axis=-1).T
    widths = np.arange(1.0, attention.d_k + 1)
    curves = _curves(widths, np.where(visible, partial, -np.inf)[:, None])
    raw = attention.of_head(head).raw
    scores = np.where(visible, raw[query], -np.inf)
    return _trial(attention.d_k, raw.reshape(-1), read_only(scores), curves)


def entropy(weights: ArrayLike) -> Floats:
    """The entropy of rows of weights in nats, −Σ p ln p, shape (...); 0 ln 0 is 0.

    weights : (..., S)
    """
    p = np.asarray(weights, np.float64)
    terms = p * np.log(p, out=np.zeros_like(p), where=p > 0)
    return read_only(np.asarray(0.0 - terms.sum(axis=-1)))


def gradient_size(weights: ArrayLike) -> Floats:
    """The Frobenius norm of the Jacobian of softmax at rows of weights, shape (...).

    weights : (..., S)

    The Jacobian of the weights p by the scores that softmax is handed is diag(p) − p pᵀ (Bridle
    1990, "Probabilistic interpretation of feedforward classification network outputs"), so the
    squared norm is Σ pᵢ² (1 − pᵢ)² plus pᵢ² pⱼ² for every i ≠ j.
    """
    p = np.asarray(weights, np.float64)
    # A weight near 1 is parted from the others, whose sum is 1 minus it with every digit.
    at = np.argmax(p, axis=-1, keepdims=True)
    top = np.take_along_axis(p, at, axis=-1)[..., 0] ** 2
    rest = p.copy()
    np.put_along_axis(rest, at, 0.0, axis=-1)
    square = rest * rest
    squares = square.sum(axis=-1)
    on = top * rest.sum(axis=-1) ** 2 + (square * (1.0 - rest) ** 2).sum(axis=-1)
    off = 2.0 * top * squares + np.maximum(squares**2 - (square * square).sum(axis=-1), 0.0)
    return read_only(np.asarray(np.sqrt(on + off)))


@dataclass(frozen=True, eq=False)
class _Sample:
    """Of every width from 1 to 512: dot products, the scores of the first row, mean gradients."""

    products: Floats
    scores: Floats
    curves: GradientCurves


@lru_cache(maxsize=1)
def _sample() -> _Sample:
    rng = np.random.default_rng(_SEED)
    products = rng.standard_normal((WIDEST, PAIRS))
    products *= rng.standard_normal((WIDEST, PAIRS))
    scores = rng.standard_normal((WIDEST, ROWS, 1)) * rng.standard_normal((WIDEST, ROWS, KEYS))
    for terms in (products, scores):
        for before, row in pairwise(terms):  # a fifth of the time of np.cumsum
            row += before
    first = read_only(scores[:, 0].copy())
    return _Sample(read_only(products), first, _curves(np.arange(1.0, WIDEST + 1), scores))


def _curves(widths: Floats, scores: Floats) -> GradientCurves:
    """The mean gradient size over rows of raw scores, (n, rows, S), at each width."""
    plain, scaled = np.empty_like(widths), np.empty_like(widths)
    for begin in range(0, len(widths), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        divided = scores[part] / np.sqrt(widths[part])[:, None, None]
        plain[part] = gradient_size(softmax(scores[part])).mean(axis=-1)
        scaled[part] = gradient_size(softmax(divided)).mean(axis=-1)
    return GradientCurves(read_only(widths), read_only(plain), read_only(scaled))


def _trial(d: int, products: Floats, scores: Floats, curves: GradientCurves) -> ScalingDemo:
    plain, scaled = (_row(divided) for divided in (scores, scores / math.sqrt(d)))
    return ScalingDemo(d, products, _variance(products), scores, plain, scaled, curves)


def _row(scores: Floats) -> ScaledRow:
    weights = softmax(scores)
    size = float(gradient_size(weights))
    return ScaledRow(weights, float(entropy(weights)), float(weights.max()), size)


def _variance(values: Floats) -> float:
    """The variance of numbers whose squares may be beyond float64."""
    largest = float(np.abs(values).max()) or 1.0
    with np.errstate(over="ignore"):
        return float(np.var(values / largest) * np.float64(largest) ** 2)
