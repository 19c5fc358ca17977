"""Arrays in and out: checked float64 going in, read-only coming out."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
A = TypeVar("A", bound=NDArray[Any])

_DIMENSIONS = {1: "one dimension", 2: "two dimensions", 3: "three dimensions"}


def floats(name: str, value: ArrayLike, *dimensions: int) -> Floats:
    """`value` as a float64 array, uncopied where it is one already.

    Raises ValueError, naming `name`, if it is no array of finite numbers, is empty, or has
    another number of dimensions than those given.
    """
    if type(value) is np.ndarray and value.dtype == np.float64:
        array = value
    else:
        array = _converted(name, value)
    if array.ndim not in dimensions:
        wanted = " or ".join(_DIMENSIONS[count] for count in dimensions)
        raise ValueError(f"{name} must have {wanted}, but its shape is {array.shape}.")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, but its shape is {array.shape}.")
    if not all_finite(array):
        cell = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        place = "".join(f"[{i}]" for i in cell)
        raise ValueError(f"{name}{place} is {array[cell]}, but it must be a finite number.")
    return array


def _converted(name: str, value: ArrayLike) -> Floats:
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must be a table with rows of equal length.") from None
    if array.dtype.kind not in "iuf":
        raise ValueError(f"{name} must hold real numbers, but its type is {array.dtype}.")
    with np.errstate(over="ignore"):  # what overflows is found by the finiteness check
        return array.astype(np.float64)


def all_finite(array: Floats) -> bool:
    """Whether `array` holds neither NaN nor an infinity."""
    return bool(np.isfinite(array).all())


def kept(array: A) -> A:
    """`array` itself if it is read-only already, else a read-only copy of it."""
    return read_only(array.copy()) if array.flags.writeable else array


def read_only(array: A) -> A:
    """`array` itself, from now on read-only."""
    array.setflags(write=False)
    return array
