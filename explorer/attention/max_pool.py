"""Fewer numbers for a picture than there are: the largest of each block."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def max_pooled(values: Array, height: int, width: int, *, signed: bool = False) -> Array:
    """Return values with at most `height` rows and `width` columns, each the MAXIMUM of a block.

    A mean, or a nearest cell, would hide a line that is one token wide. Blocks hold whole cells and
    differ in size by at most one; what is small enough stays as it is. A nan makes its block nan.

    Parameters
    ----------
    values : ndarray, shape (..., rows, columns)
    height, width : int
        Positive.
    signed : bool
        Whether a block is the value farthest from 0 instead; −inf is what is hidden.
    """
    if signed:
        high = max_pooled(values, height, width)
        low = max_pooled(np.where(np.isneginf(values), values, -values), height, width)
        return np.where(low > high, -low, high)
    for axis, most in ((-2, height), (-1, width)):
        size = values.shape[axis]
        if size > most:
            edges = np.arange(most + 1) * size // most
            starts, ends = edges[:-1], edges[1:] - 1
            pooled = np.take(values, starts, axis=axis)
            # Whole rows of each block's next cells at once: some ten times as fast as `reduceat`.
            for step in range(1, -(-size // most)):
                following = np.take(values, np.minimum(starts + step, ends), axis=axis)
                np.maximum(pooled, following, out=pooled)
            values = pooled
    return values
