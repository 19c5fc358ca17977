"""Positions added to X; and queries and keys before they are multiplied: RMS norm, then rotary.

Of a model's own float32 rows and of a scene's float64 rows alike: there is no second formula.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.attention.arrays import Floats, read_only

Array = NDArray[Any]
ROPE_TYPES = ("default", "linear", "llama3")
PAIRINGS = ("halves", "neighbours")


@dataclass(frozen=True)
class Rotary:
    """Rotary positions: the first `dims` columns of each head of Q and K turn by their position.

    Su et al. 2021, https://arxiv.org/abs/2104.09864.

    scaling : "default", "linear" (positions divided by `factor`) or "llama3"
    low, high, original : of "llama3" alone
    pairing : "halves", column i turns together with column i + dims/2 (as in GPT-NeoX and Llama),
        or "neighbours", columns 2i and 2i + 1 (as in the paper)
    """

    dims: int
    base: float = 10000.0
    scaling: str = "default"
    factor: float = 1.0
    low: float = 1.0
    high: float = 4.0
    original: float = 8192.0
    pairing: str = "halves"

    def frequencies(self, dtype: type[np.floating] = np.float64) -> Array:
        """Return how far each pair of columns turns from one position to the next, (dims/2,).

        In radians. Rounded at the same places as the published float32 implementations.
        """
        exponent = np.arange(0, self.dims, 2, dtype=dtype) / dtype(self.dims)
        turn = dtype(1) / np.power(self.base, exponent.astype(np.float64)).astype(dtype)
        if self.scaling == "linear":
            turn /= dtype(self.factor)
        if self.scaling == "llama3":
            # Long waves are stretched, short ones kept, those between blended.
            wave = 2 * math.pi / turn
            low, high = self.original / self.low, self.original / self.high
            blend = (self.original / wave - self.low) / (self.high - self.low)
            blended = (1 - blend) * turn / self.factor + blend * turn
            slow = np.where(wave > low, turn / self.factor, turn)
            turn = np.where((wave <= low) & (wave >= high), blended, slow).astype(dtype)
        return turn

    def angles(self, positions: int, dtype: type[np.floating] = np.float64) -> Array:
        """Return by how much each pair of columns turns at positions from 0 on, in radians.

        (positions, dims/2).
        """
        turned: Array = np.arange(positions, dtype=dtype)[:, None] * self.frequencies(dtype)
        return turned

    def turn(self, rows: Array, cos: Array, sin: Array) -> None:
        """Turn the first columns of (..., d_k) in place; cos and sin are (..., dims/2)."""
        half = self.dims // 2
        if self.pairing == "halves":
            a, b = rows[..., :half], rows[..., half : 2 * half]
        else:
            a, b = rows[..., 0 : 2 * half : 2], rows[..., 1 : 2 * half : 2]
        turned = a * cos - b * sin
        b *= cos
        b += a * sin
        a[...] = turned

    def turned(self, rows: Floats) -> Floats:
        """Return rows (..., T, d_k), each turned by its place among the T."""
        made: Floats = rows.copy()
        angles = self.angles(rows.shape[-2])
        self.turn(made, np.cos(angles), np.sin(angles))
        return made

    def at(self, rows: Floats, position: int, *, back: bool = False) -> Floats:
        """Return rows (..., d_k), all turned by one position, or turned back by it."""
        return self.by(rows, (-position if back else position) * self.frequencies())

    def by(self, rows: Floats, angles: Floats) -> Floats:
        """Return rows (..., d_k), all turned by the same angles (dims/2,), in radians."""
        made: Floats = rows.copy()
        self.turn(made, np.cos(angles), np.sin(angles))
        return made


@dataclass(frozen=True, eq=False)
class QKNorm:
    """The RMS norm of each row of Q and of K, before it turns: the same for every head.

    query, key : (d_k,); the gains
    epsilon : is added to the mean of the squares
    """

    query: Floats
    key: Floats
    epsilon: float = 1e-6

    def __post_init__(self) -> None:
        for name in ("query", "key"):
            gain = np.asarray(getattr(self, name), np.float64)
            object.__setattr__(self, name, read_only(gain.copy() if gain.flags.writeable else gain))


def rms_norm(x: Array, gain: Array, epsilon: float) -> Array:
    """Return x / √(mean of x² + ε) · gain, over the last axis.

    Zhang and Sennrich 2019, https://arxiv.org/abs/1910.07467.
    """
    square = np.einsum("...i,...i->...", x, x)[..., None] / x.dtype.type(x.shape[-1])
    y = x / np.sqrt(square + x.dtype.type(epsilon))
    y *= gain
    return y


_BASE = 10000.0


def sinusoidal(T: int, d: int) -> Floats:
    """The sinusoidal positions of `T` tokens, shape (T, d).

    P[t, 2i] = sin(t / 10000^(2i / d)) and P[t, 2i + 1] = cos(t / 10000^(2i / d)), t from 0; an odd
    d ends in a sine. Vaswani et al. 2017, section 3.5.
    """
    columns = np.arange(d)
    angles = np.arange(T)[:, None] / _BASE ** ((columns - columns % 2) / d)
    return read_only(np.where(columns % 2 == 0, np.sin(angles), np.cos(angles)))
