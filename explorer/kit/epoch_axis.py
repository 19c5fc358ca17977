"""The timeline's arithmetic: round numbers for its axes."""

from __future__ import annotations

import math
import sys

import numpy as np

from explorer.session import Array

_ROUND = (1, 2, 5, 10)
_LEAST = 1e-300  # below, powers of ten lose their digits


def rounded_up(value: float) -> float:
    """Return the least half of a power of ten, times a whole number, that is not below `value`.

    3.4 gives 3.5, 12 gives 15. `value` is positive and finite.
    """
    half = 10.0 ** math.floor(math.log10(max(value, _LEAST))) / 2
    return min(float(f"{math.ceil(value / half * (1 - 1e-12)) * half:.6g}"), sys.float_info.max)


def label_epochs(last: int, most: int, first: float = 0.0) -> list[int]:
    """Return at most `most` (2 at the least) round epochs from the first to the last.

    Both ends are among them where the first is 0.
    """
    if last <= 0:
        return [0]
    step = 1
    while (last - first) / step > max(most - 1, 1):
        power = 10 ** (len(str(step)) - 1)
        step = next(r * power for r in _ROUND if r * power > step)
    epochs = list(range(math.ceil(first / step) * step, last + (first > 0), step))
    if first > 0:
        return epochs
    if last - epochs[-1] < 0.6 * step and len(epochs) > 1:
        epochs.pop()  # its label would run into the last one's
    return [*epochs, last]


def thinned(places: Array, gap: float) -> Array:
    """Return every n-th place, n the least that keeps them `gap` apart. Places ascend evenly."""
    if len(places) < 2:
        return places
    apart = (places[-1] - places[0]) / (len(places) - 1)
    return places if apart >= gap else places[:: math.ceil(gap / max(apart, 1e-9))]


def nearest(sorted_values: Array, value: float) -> int:
    """Return the index of the entry nearest to `value`; there is one at the least."""
    after = int(np.searchsorted(sorted_values, value))
    if after == 0:
        return 0
    if after == len(sorted_values):
        return after - 1
    before, behind = sorted_values[after - 1], sorted_values[after]
    return after - 1 if value - before <= behind - value else after
