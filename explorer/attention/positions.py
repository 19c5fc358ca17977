"""Position: what is added to X so that the order of the tokens can be told."""

import numpy as np

from explorer.attention.arrays import Floats, read_only

_BASE = 10000.0


def sinusoidal(T: int, d: int) -> Floats:
    """The sinusoidal positions of `T` tokens, shape (T, d).

    P[t, 2i] = sin(t / 10000^(2i / d)) and P[t, 2i + 1] = cos(t / 10000^(2i / d)), t from 0; an odd
    d ends in a sine. Vaswani et al. 2017, section 3.5.
    """
    columns = np.arange(d)
    angles = np.arange(T)[:, None] / _BASE ** ((columns - columns % 2) / d)
    return read_only(np.where(columns % 2 == 0, np.sin(angles), np.cos(angles)))
