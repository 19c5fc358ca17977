"""The forward pass: attention from X to the output, every intermediate named.

Row convention throughout: Q = X Wq. Letters of shapes: B sequences, T queries, S keys, H heads.
"""

import math
import sys
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from explorer.attention.arrays import Bools, Floats, all_finite, floats, kept, read_only
from explorer.attention.entering import QKNorm, Rotary, rms_norm
from explorer.attention.result import Attention, HeadTables, LargeAttention
from explorer.attention.variants import Division, Variant, division, mixed_heads

# Where every key is masked the row's maximum is -inf; this stands in, so that no inf - inf arises.
_LOWEST = -sys.float_info.max
_HIGHEST = sys.float_info.max
_LARGE = 1 << 15  # numbers in a table of scores
_MANY = 1 << 17  # in those of all heads
_FAR_INSIDE = 1e300  # of float64


def attend(
    X: ArrayLike,
    Wq: ArrayLike | None = None,
    Wk: ArrayLike | None = None,
    Wv: ArrayLike | None = None,
    *,
    bq: ArrayLike | None = None,
    bk: ArrayLike | None = None,
    bv: ArrayLike | None = None,
    Wo: ArrayLike | None = None,
    bo: ArrayLike | None = None,
    context: ArrayLike | None = None,
    mask: str | ArrayLike = "none",
    scale: str | float = "sqrt_dk",
    temperature: float = 1.0,
    variant: str = "none",
    rotary: Rotary | None = None,
    qk_norm: QKNorm | None = None,
    V: ArrayLike | None = None,
) -> Attention:
    """The attention of the rows of `X`: softmax(Q Kᵀ / divisor) V in each head.

    Scaled dot-product and multi-head attention as in Vaswani et al. 2017, sections 3.2.1, 3.2.2.

    X : (T, d) or (B, T, d)
    Wq, Wk, Wv : (d, d_k) for one head or (H, d, d_k), where d_v may differ from d_k and the rows of
        Wk and Wv match `context`; all three or none (then Q = X and K = V = context, one head)
    bq, bk, bv : (d_k,), the same for every head, or (H, d_k); each only together with the W
    Wo : (H·d_v, d_out); without it the heads are concatenated
    bo : (d_out,); only together with Wo
    context : (S, d_context) or (B, S, d_context); the rows K and V come from, by default X.
        One (S, d_context) serves every sequence of a batch.
    mask : "none", "causal" (key j is visible to query i if and only if j ≤ i) or a bool array
        (T, S) or (B, T, S), True = may attend
    scale : "sqrt_dk", "none", or a positive number to divide by
    temperature : a positive number that the scaled scores are divided by: below 1 the largest
        weight of a row grows, above 1 the row comes closer to its plain average
    variant : "none", "average" (all scores 0, so each row is the mean of the values it may attend
        to) or one of the mistakes in `explorer.attention.variants`

    rotary, qk_norm : by which Q and K are normalised and then turned before the product; positions
        count from 0 in X and in the context
    V : (S, d_v) or (B, S, d_v); values of their own where there is no Wq, Wk and Wv: X then holds
        the queries and `context` the keys

    Inputs are left as they are; `X`, `context` and a mask array are kept uncopied if read-only.
    Raises ValueError with one sentence naming the argument: no finite numbers, shapes that do not
    multiply, a wrong mask, scale, temperature or variant, or a result beyond float64.
    """
    X = kept(floats("X", X, 2, 3))
    rows = X if context is None else _context(context, X)
    # One axis more, for the heads: (T, d) is repeated for each of (H, d, d_k) by broadcasting.
    x = X[..., None, :, :]
    c = x if rows is X else rows[..., None, :, :]

    with np.errstate(all="ignore"):  # overflow is reported below, as a ValueError
        if Wq is None and Wk is None and Wv is None:
            _refuse_biases(bq, bk, bv)
            if X.shape[-1] != rows.shape[-1]:
                raise ValueError(
                    f"context {rows.shape} must have as many columns as X {X.shape}, "
                    "because there is no Wq, Wk and Wv."
                )
            Q, K, values = x, c, c if V is None else _values(V, rows)
        elif V is not None:
            raise ValueError("V is given, so there can be no Wq, Wk and Wv.")
        elif Wq is None or Wk is None or Wv is None:
            raise ValueError("Wq, Wk and Wv must be given all three or not at all.")
        else:
            source = "X" if rows is X else "context"
            wq = _projection("Wq", Wq, "X", X)
            wk = _projection("Wk", Wk, source, rows)
            wv = _projection("Wv", Wv, source, rows)
            _check_together(wq, wk, wv)
            Q = _projected(x, wq, "bq", bq)
            K = _projected(c, wk, "bk", bk)
            values = _projected(c, wv, "bv", bv)

        kind = _variant(variant)
        if kind is Variant.HEADS_MIXED:
            Q, K, values = mixed_heads(Q), mixed_heads(K), mixed_heads(values)
        projected = None
        if rotary is not None or qk_norm is not None:
            projected = read_only(Q), read_only(K)
            Q, K = (
                entering(rows, which, rotary, qk_norm)
                for rows, which in zip(projected, "qk", strict=True)
            )
        divided = division(
            kind, _divisor(scale, Q.shape[-1]), _temperature(temperature), Q.shape[-1]
        )
        visible = _visible(mask, X.shape[:-1], rows.shape[-2])
        mixing = _mixing(Wo, bo, values.shape[-3], values.shape[-1])
        many = Q.ndim == 3 and len(Q) > 1 and len(Q) * Q.shape[1] * K.shape[1] >= _MANY
        bounded = many and _bounded(Q, K, values, divided, *mixing)
        tables = partial(_tables, visible=visible, divided=divided, bounded=bounded)
        known: dict[str, Any] = {
            "X": X,
            "context": rows,
            "Q": read_only(Q),
            "K": read_only(K),
            "V": read_only(values),
            "mask": visible,
            "divisor": divided.divisor,
            "temperature": float(temperature),
            "variant": kind,
            "weight_divisor": divided.weight_divisor,
            "output_factor": divided.output_factor,
            "rotary": rotary,
            "qk_norm": qk_norm,
            "projected": projected,
        }
        if bounded:
            return LargeAttention(
                lambda head: tables(Q[head], K[head], values[head]),
                lambda head_output: _combined(head_output, *mixing),
                **known,
            )
        made = tables(Q, K, values)
        output = read_only(_combined(made.head_output, *mixing))
        if not all_finite(output):
            raise ValueError("The numbers are too large: an output is beyond float64.")
        return Attention(**known, **made._asdict(), output=output)


def _tables(
    Q: Floats, K: Floats, V: Floats, *, visible: Bools | None, divided: Division, bounded: bool
) -> HeadTables:
    """The tables of one head, or of all where Q, K and V are all heads'.

    bounded : whether the scores are known to be within float64
    """
    with np.errstate(all="ignore"):
        raw = Q @ K.swapaxes(-1, -2)
        # + 0.0 turns the −0.0 of a negative score divided by infinity into 0.0.
        scores = raw
        if divided.divisor != 1.0:
            scores = raw / divided.divisor
            scores += 0.0
        if not (bounded or (all_finite(scores) and all_finite(V))):
            raise ValueError("The numbers are too large: a score or value is beyond float64.")
        if visible is not None:
            head_visible = visible if visible.ndim == 2 else visible[:, None]
            scores = np.where(head_visible, scores, -np.inf)
        weights = _softmax(scores)
        if divided.weight_divisor != 1.0:
            weights /= divided.weight_divisor
        head_output = weights @ V
        if divided.output_factor != 1.0:
            head_output *= divided.output_factor
    return HeadTables(*map(read_only, (raw, scores, weights, head_output)))


def _bounded(
    Q: Floats, K: Floats, V: Floats, divided: Division, Wo: Floats | None, bo: Floats | None
) -> bool:
    """Whether no score and no output can be beyond float64, wherever the vectors point."""
    q, k, v = (float(np.abs(each).max()) for each in (Q, K, V))
    score = q * k * Q.shape[-1] / min(divided.divisor, 1.0)
    output = v * divided.output_factor / min(divided.weight_divisor, 1.0)
    if Wo is not None:
        output *= len(Wo) * float(np.abs(Wo).max())
    if bo is not None:
        output += float(np.abs(bo).max())
    return score < _FAR_INSIDE and output < _FAR_INSIDE


def entering(
    rows: Floats,
    which: str,
    rotary: Rotary | None,
    qk_norm: QKNorm | None,
    place: int | None = None,
) -> Floats:
    """Queries ("q") or keys ("k") as they enter the product: normalised, then turned.

    rows : (..., T, d_k), turned by their places; or (..., d_k) of the one `place`

    The very rows where nothing is done to them. Raises ValueError where the options do not fit d_k.
    """
    if qk_norm is not None:
        gain = qk_norm.query if which == "q" else qk_norm.key
        if gain.shape != rows.shape[-1:]:
            raise ValueError(f"The gains of qk_norm {gain.shape} must be d_k, {rows.shape[-1]}.")
        rows = rms_norm(rows, gain, qk_norm.epsilon)
    if rotary is not None:
        if not 2 <= rotary.dims <= rows.shape[-1] or rotary.dims % 2:
            raise ValueError(
                f"rotary must turn an even number of the {rows.shape[-1]} columns, "
                f"not {rotary.dims}."
            )
        rows = rotary.turned(rows) if place is None else rotary.at(rows, place)
    return rows


def _values(V: ArrayLike, rows: Floats) -> Floats:
    """Values that are given, with an axis more for the one head."""
    values = kept(floats("V", V, 2, 3))
    if values.shape[:-1] != rows.shape[:-1]:
        raise ValueError(f"V {values.shape} must have a row for each key, {rows.shape[:-1]}.")
    return values[..., None, :, :]


def softmax(scores: ArrayLike) -> Floats:
    """The softmax of each row (last axis) of `scores`; a row of nothing but -inf gives zeros.

    Stable: the row's maximum is subtracted first. scores : (..., S), finite or -inf.
    """
    with np.errstate(over="ignore", under="ignore"):
        return read_only(_softmax(np.asarray(scores, dtype=np.float64)))


def _softmax(scores: Floats) -> Floats:
    weights = np.empty(scores.shape)
    if math.prod(scores.shape[-2:]) < _LARGE:
        _softmax_into(weights, scores)
    else:  # head by head, each table stays in the processor's cache from first step to last
        for place in np.ndindex(scores.shape[:-2]):
            _softmax_into(weights[place], scores[place])
    return weights


def _softmax_into(weights: Floats, scores: Floats) -> None:
    largest = np.maximum.reduce(scores, axis=-1, keepdims=True, initial=_LOWEST)
    np.subtract(scores, largest, out=weights)
    np.exp(weights, out=weights)
    total = np.add.reduce(weights, axis=-1, keepdims=True)
    # The maximum itself adds exp(0) = 1, so only a fully masked row sums to less: 0 / 1 = 0.
    weights /= np.maximum(total, 1.0)


def _context(context: ArrayLike, X: Floats) -> Floats:
    """`context` with the batch axis of X: (S, d_context) or (B, S, d_context)."""
    rows = kept(floats("context", context, 2, 3))
    if rows.ndim == X.ndim - 1:
        return np.broadcast_to(rows, (X.shape[0], *rows.shape))
    if rows.ndim > X.ndim or rows.shape[:-2] != X.shape[:-2]:
        raise ValueError(
            f"context {rows.shape} and X {X.shape} must have the same number of sequences."
        )
    return rows


def _projection(name: str, W: ArrayLike, rows_name: str, rows: Floats) -> Floats:
    """The matrix `W`, (d, width) or (H, d, width), checked to multiply `rows`."""
    matrix = floats(name, W, 2, 3)
    if matrix.shape[-2] != rows.shape[-1]:
        raise ValueError(
            f"{name} {matrix.shape} must have as many rows as {rows_name} {rows.shape} has "
            f"columns, {rows.shape[-1]}."
        )
    return matrix


def _check_together(wq: Floats, wk: Floats, wv: Floats) -> None:
    for name, other in (("Wk", wk), ("Wv", wv)):
        if _heads(other) != _heads(wq):
            raise ValueError(
                f"Wq {wq.shape} and {name} {other.shape} must have the same number of heads."
            )
    if wq.shape[-1] != wk.shape[-1]:
        raise ValueError(
            f"Wq {wq.shape} and Wk {wk.shape} must have the same number of columns, d_k."
        )


def _heads(W: Floats) -> int:
    return 1 if W.ndim == 2 else W.shape[0]


def _projected(rows: Floats, W: Floats, bias_name: str, bias: ArrayLike | None) -> Floats:
    """rows W + bias, (..., H, T, width), from rows (..., 1, T, d)."""
    result: Floats = rows @ W
    if bias is not None:
        b = floats(bias_name, bias, 1, 2)
        heads, width = _heads(W), W.shape[-1]
        if b.shape not in ((width,), (heads, width)):
            raise ValueError(
                f"{bias_name} {b.shape} must have shape ({width},) or ({heads}, {width}), "
                f"to be added to the rows of W{bias_name[1]} {W.shape}."
            )
        result += b if b.ndim == 1 else b[:, None, :]
    return result


def _refuse_biases(bq: ArrayLike | None, bk: ArrayLike | None, bv: ArrayLike | None) -> None:
    for letter, bias in (("q", bq), ("k", bk), ("v", bv)):
        if bias is not None:
            raise ValueError(f"b{letter} needs a W{letter} to be added to, but there is none.")


def _divisor(scale: str | float, d_k: int) -> float:
    if scale == "sqrt_dk":
        return math.sqrt(d_k)
    if scale == "none":
        return 1.0
    if _is_positive(scale):
        return float(scale)
    raise ValueError(f'scale must be "sqrt_dk", "none" or a positive number, not {scale!r}.')


def _temperature(temperature: float) -> float:
    if _is_positive(temperature):
        return float(temperature)
    raise ValueError(f"temperature must be a positive number, not {temperature!r}.")


def _is_positive(value: Any) -> bool:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    return is_number and 0 < value <= _HIGHEST


def _variant(variant: str) -> Variant:
    try:
        return Variant(variant)
    except ValueError:
        known = ", ".join(f'"{name}"' for name in Variant)
        raise ValueError(f"variant must be one of {known}, not {variant!r}.") from None


def _visible(mask: str | ArrayLike, queries: tuple[int, ...], keys: int) -> Bools | None:
    """The mask as a read-only bool array, or None where every key is visible.

    queries : (T,) or (B, T); keys : S
    """
    if isinstance(mask, str):
        if mask == "none":
            return None
        if mask != "causal":
            raise ValueError(f'mask must be "none", "causal" or a bool array, not {mask!r}.')
        visible: Bools = read_only(np.tri(queries[-1], keys, dtype=np.bool_))
    else:
        try:
            visible = np.asarray(mask)
        except ValueError:
            raise ValueError("mask must be a table with rows of equal length.") from None
        if visible.dtype != np.bool_:
            raise ValueError(f"mask must hold true and false only, not {visible.dtype}.")
        if visible.shape not in ((queries[-1], keys), (*queries, keys)):
            raise ValueError(
                f"mask {visible.shape} must have one row per query and one column per key, "
                f"{(*queries, keys)}."
            )
        visible = kept(visible)
    return None if visible.all() else visible


def _mixing(
    Wo: ArrayLike | None, bo: ArrayLike | None, heads: int, d_v: int
) -> tuple[Floats | None, Floats | None]:
    """Wo and bo, checked to fit the heads' columns side by side."""
    if Wo is None:
        if bo is not None:
            raise ValueError("bo needs a Wo to be added to, but there is none.")
        return None, None
    matrix = floats("Wo", Wo, 2)
    if matrix.shape[0] != heads * d_v:
        raise ValueError(
            f"Wo {matrix.shape} must have as many rows as the {heads} heads have columns "
            f"together, {heads * d_v}."
        )
    if bo is None:
        return matrix, None
    bias = floats("bo", bo, 1)
    if bias.shape != matrix.shape[1:]:
        raise ValueError(f"bo {bias.shape} must have one number per column of Wo {matrix.shape}.")
    return matrix, bias


def _combined(head_output: Floats, Wo: Floats | None, bo: Floats | None) -> Floats:
    """The heads side by side, (..., T, H·d_v), times Wo plus bo where these are given."""
    *sequences, heads, queries, d_v = head_output.shape
    together = head_output.swapaxes(-3, -2).reshape(*sequences, queries, heads * d_v)
    if Wo is None:
        return together
    result: Floats = together @ Wo
    if bo is not None:
        result += bo
    return result
