"""The functions that layers apply to their numbers: normalisation, activation, softmax.

Each keeps the type it is given (float32 or float64). Long arrays are gone through in blocks that
stay in the processor's cache, because NumPy walks through memory once for each operation.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]

_BLOCK = 2**14  # numbers worked on at a time

# erfc(z) = t · exp(−z² + T(2 t − 1)), t = 2 / (2 + z), z ≥ 0, where T is this Chebyshev series. The
# form is that of Press et al., Numerical Recipes, 3rd edition, section 6.2.2; the coefficients were
# computed with 40 digits.
_ERFC = (
    -1.3026537197817094,
    0.64196979235649026,
    0.019476473204185836,
    -0.0095615147868086316,
    -0.00094659534448203687,
    0.00036683949785276145,
    4.2523324806907772e-5,
    -2.0278578112534243e-5,
    -1.6242900046470255e-6,
    1.3036558355805232e-6,
    1.5626441722066143e-8,
    -8.5238095914926543e-8,
    6.5290544390988515e-9,
    5.0593434955514689e-9,
    -9.9136415649303309e-10,
    -2.2736512229318359e-10,
    9.6467911020155268e-11,
    2.3940380830391147e-12,
    -6.8860275264975534e-12,
    8.9448792730907257e-13,
    3.1309213993429581e-13,
    -1.1270822361367252e-13,
    3.8109052551892321e-16,
    7.106097613609237e-15,
    -1.5230282014571043e-15,
    -9.457494571291234e-17,
    1.210237189224279e-16,
    -2.816663087747177e-17,
)
# erf(x) = x P(x²) / Q(x²) for |x| ≤ 4, to 5e-7: the rational approximation that the Eigen library
# uses for float32.
_P = tuple(
    np.float32(c)
    for c in (
        -2.72614225801306e-10,
        2.77068142495902e-08,
        -2.10102402082508e-06,
        -5.69250639462346e-05,
        -7.34990630326855e-04,
        -2.95459980854025e-03,
        -1.60960333262415e-02,
    )
)
_Q = tuple(
    np.float32(c)
    for c in (
        -1.45660718464996e-05,
        -2.13374055278905e-04,
        -1.68282697438203e-03,
        -7.37332916720468e-03,
        -1.42647390514189e-02,
    )
)


def erf(x: Array) -> Array:
    """Return the error function of each number, to 1e-15 in float64 and 5e-7 in float32."""
    flat = np.ascontiguousarray(x).reshape(-1)
    made = np.empty_like(flat)
    exact = flat.dtype != np.float32
    for start in range(0, flat.size, _BLOCK):
        part = slice(start, start + _BLOCK)
        made[part] = _erf_double(flat[part]) if exact else _erf_single(flat[part])
    return made.reshape(x.shape)


def _erf_double(x: Array) -> Array:
    z = np.abs(x)
    t = 2.0 / (2.0 + z)
    y = 4.0 * t - 2.0
    b1, b2 = np.zeros_like(y), np.zeros_like(y)
    for c in _ERFC[:0:-1]:  # Clenshaw's recurrence
        b1, b2 = y * b1 - b2 + c, b1
    series = 0.5 * (_ERFC[0] + y * b1) - b2
    return np.copysign(1.0 - t * np.exp(series - z * z), x)


def _erf_single(x: Array) -> Array:
    x = np.clip(x, np.float32(-4), np.float32(4))
    square = x * x
    p = square * _P[0]
    for c in _P[1:-1]:
        p += c
        p *= square
    p += _P[-1]
    p *= x
    q = square * _Q[0]
    for c in _Q[1:-1]:
        q += c
        q *= square
    q += _Q[-1]
    p /= q
    return p


def _gelu(x: Array) -> None:
    y = _erf_double(x * math.sqrt(0.5)) if x.dtype != np.float32 else _erf_single(x * _HALF_ROOT)
    y += 1
    y *= 0.5
    x *= y


_HALF_ROOT = np.float32(math.sqrt(0.5))


def _gelu_tanh(x: Array) -> None:
    # x/2 (1 + tanh u) = x / (1 + exp(−2u)), u = √(2/π) (x + 0.044715 x³)
    c = -2.0 * math.sqrt(2.0 / math.pi)
    y = x * x
    y *= 0.044715 * c
    y += c
    y *= x
    np.exp(y, out=y)
    y += 1
    x /= y


def _silu(x: Array) -> None:
    y = np.negative(x)
    np.exp(y, out=y)
    y += 1
    x /= y


def _relu(x: Array) -> None:
    np.maximum(x, 0, out=x)


# By the name in a configuration: "gelu" is the exact one, "gelu_new" its tanh approximation
# (Hendrycks and Gimpel 2016, https://arxiv.org/abs/1606.08415).
ACTIVATIONS: dict[str, Callable[[Array], None]] = {
    "gelu": _gelu,
    "gelu_python": _gelu,
    "gelu_new": _gelu_tanh,
    "gelu_fast": _gelu_tanh,
    "gelu_pytorch_tanh": _gelu_tanh,
    "relu": _relu,
    "silu": _silu,
    "swish": _silu,
}


def activate(x: Array, name: str) -> Array:
    """Apply an activation in place to a C-contiguous array, and return it."""
    flat = x.reshape(-1)
    function = ACTIVATIONS[name]
    with np.errstate(over="ignore"):  # exp(−x) of a large negative x is inf, and x / inf is 0
        for start in range(0, flat.size, _BLOCK):
            function(flat[start : start + _BLOCK])
    return x


def layer_norm(x: Array, gain: Array, bias: Array | None, epsilon: float) -> Array:
    """Return (x − mean) / √(variance + ε) · gain + bias, over the last axis.

    Ba, Kiros and Hinton 2016, https://arxiv.org/abs/1607.06450.
    """
    y = x - x.mean(axis=-1, keepdims=True)
    variance = np.einsum("...i,...i->...", y, y)[..., None] / x.dtype.type(x.shape[-1])
    y /= np.sqrt(variance + x.dtype.type(epsilon))
    y *= gain
    if bias is not None:
        y += bias
    return y


def softmax(scores: Array) -> Array:
    """Return the softmax of each row (the last axis); a row that is −∞ throughout becomes zeros."""
    largest = scores.max(axis=-1, keepdims=True)
    largest[np.isneginf(largest)] = 0
    weights = scores - largest
    np.exp(weights, out=weights)
    total = weights.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    weights /= total
    return weights
