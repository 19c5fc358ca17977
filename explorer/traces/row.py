"""A recorded step in one row of numbers, so that a segment's steps are stacked in one go."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.traces.container import Entry
from explorer.traces.trace import Array

_DTYPE = np.dtype("<f4")


class StepRow:
    """Where each array of a step lies in a row of F32 numbers, and its strides there.

    Parameters
    ----------
    arrays : mapping of str to array
        A step, which says what every later one is like.
    buffer : (size,) float32, or None
        What all the arrays are views of, which is how they lie in the row; None to lay them out
        end to end.

    Attributes
    ----------
    entries : mapping of str to Entry
    """

    def __init__(self, arrays: Mapping[str, ArrayLike], buffer: Array | None = None) -> None:
        self._arrays = arrays
        self._buffer = buffer
        self._places: dict[str, tuple[int, tuple[int, ...], tuple[int, ...]]] = {}
        self._size = 0
        for name, values in arrays.items():
            array = np.asarray(values)
            if buffer is None:
                strides = np.empty(array.shape, _DTYPE).strides
                self._places[name] = self._size * _DTYPE.itemsize, array.shape, strides
                self._size += math.prod(array.shape)
            else:
                start = array.ctypes.data - buffer.ctypes.data
                self._places[name] = start, array.shape, array.strides
        if buffer is not None:
            self._size = buffer.size
        self.entries = {
            name: Entry("F32", shape) for name, (_at, shape, _by) in self._places.items()
        }

    def pack(
        self,
        arrays: Mapping[str, ArrayLike],
        buffer: Array | None = None,
        spare: Array | None = None,
    ) -> Array:
        """Return a step as a row. Raises ValueError where it is not like the first one.

        The very arrays and buffer of the first step, with other numbers in them, cost one copy,
        into the row `spare` where one of no more use is given.
        """
        if buffer is not None and buffer is self._buffer and arrays is self._arrays:
            if spare is None:
                return buffer.astype(_DTYPE)
            spare[:] = buffer
            return spare
        row = np.zeros(self._size, _DTYPE)
        views = self.views(row[None])
        if views.keys() != arrays.keys():
            raise ValueError("the step has other arrays than the first one")
        with np.errstate(over="ignore"):  # an infinity is recorded as one
            for name, view in views.items():
                values = np.asarray(arrays[name])
                if values.shape != view.shape[1:]:
                    raise ValueError(f"{name} has another shape than in the first step")
                view[0] = values
        return row

    def views(self, rows: NDArray[Any]) -> dict[str, Array]:
        """Return the arrays of several steps, (E, …), as views of their rows (E, size)."""
        by = rows.strides[0]
        return {
            name: np.ndarray((len(rows), *shape), _DTYPE, rows, start, (by, *strides))
            for name, (start, shape, strides) in self._places.items()
        }
