"""What an array in NumPy's own format says of itself, before any of its numbers is read."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from tokenize import TokenError
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

_LONGEST = 10_000  # characters of a header
_READ: dict[tuple[int, int], Callable[..., Any]] = {
    (1, 0): npy.read_array_header_1_0,
    (2, 0): npy.read_array_header_2_0,
}


def read_header(file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Return an array's shape, whether it goes column by column, and its type.

    The file is left where the numbers begin. Raises ValueError for whatever is no such header.
    """
    try:
        read = _READ[npy.read_magic(file)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that Python 2 wrote it
            shape, by_column, dtype = read(file, max_header_size=_LONGEST)
    except (KeyError, TypeError, SyntaxError, TokenError, EOFError, OverflowError) as error:
        raise ValueError(str(error)) from None
    if min(shape, default=0) < 0:
        raise ValueError(f"shape {shape}")
    return shape, by_column, dtype
