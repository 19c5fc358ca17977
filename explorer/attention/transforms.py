"""W as a transformation of the plane. Rows are points: x goes to x W, a row of W is an image.

The rows of W are the images of the basis vectors; R(θ) = [[cos θ, sin θ], [−sin θ, cos θ]] turns
counter-clockwise by θ.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from explorer.attention.arrays import Floats, floats, read_only

# A direction that is stretched less than this part of the longest is taken for flattened.
FLAT = 1e-6
_SAME = 1e-12


@dataclass(frozen=True)
class Movement:
    """W = stretch · shear · rotation, as four sliders.

    W = [[stretch_x, 0], [0, stretch_y]] · [[1, 0], [shear, 1]] · R(rotation).

    rotation : degrees, above −180 and up to 180
    stretch_x, stretch_y : a negative one flips, below 1 it compresses
    shear : how far y leans towards x
    exact : whether they give W; not where W is flattened onto a line and neither basis vector
        goes to 0, which no shear does. The sliders then show W without the image of y.
    """

    rotation: float
    stretch_x: float
    stretch_y: float
    shear: float
    exact: bool = True


@dataclass(frozen=True)
class Turns:
    """W = rotation · stretch · rotation, the singular value decomposition.

    first, second : degrees; the turns before and after. The first is above −90 and up to 90.
    along, across : the stretches of the turned axes, along ≥ |across|; across is negative where W
        flips
    """

    first: float
    along: float
    across: float
    second: float


class Effect(StrEnum):
    """What W does to areas and turning senses."""

    KEPT = "kept"  # counter-clockwise stays counter-clockwise
    FLIPPED = "flipped"
    FLATTENED = "flattened"


@dataclass(frozen=True)
class Area:
    """The determinant: `factor` times the area, with a minus where W flips."""

    factor: float
    effect: Effect


def compose(movement: Movement) -> Floats:
    """The matrix (2, 2) that four sliders make."""
    sx, sy = movement.stretch_x, movement.stretch_y
    return read_only(np.array([[sx, 0.0], [sy * movement.shear, sy]]) @ rotation(movement.rotation))


def rotation(degrees: float) -> Floats:
    """R, (2, 2), which turns rows counter-clockwise."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    if degrees % 90 == 0:  # exact quarters
        c, s = round(c), round(s)
    return np.array([[c, s], [-s, c]], dtype=np.float64)


def decompose(W: ArrayLike, previous: Movement | None = None) -> Movement:
    """The four sliders of `W`, (2, 2), those closest to `previous` where several give it.

    Every W that is not flattened has two: turned by half a turn, with both stretches of the other
    sign. Without `previous` stretch_x is not negative. What W leaves open, the rotation where x
    goes to 0 and the shear where y does, stays as it was; so no slider jumps while W is edited.
    """
    matrix = _square(W)
    if previous is not None and previous.exact:
        size = max(float(np.abs(matrix).max()), 1e-300)
        if np.abs(compose(previous) - matrix).max() <= _SAME * size:
            return previous
    x, y = matrix
    length = math.hypot(*x)
    if length == 0.0:
        return _without_x(y, previous)
    ux = x / length
    up = np.array([-ux[1], ux[0]])
    stretch_y, lean = float(y @ up), float(y @ ux)
    across = math.hypot(*y)
    # What rounding leaves of an image of y that lies along that of x is no stretch, and of one that
    # stands upright on it no shear.
    flat = abs(stretch_y) <= 1e-15 * across
    lean = 0.0 if abs(lean) <= 1e-15 * across else lean
    if flat:
        shear = previous.shear if previous is not None else 0.0
        found = Movement(_degrees(*ux), length, 0.0, shear, exact=across == 0.0)
    else:
        found = Movement(_degrees(*ux), length, stretch_y, lean / stretch_y)
    if previous is None:
        return found
    other = Movement(
        _wrapped(found.rotation + 180), -found.stretch_x, -found.stretch_y + 0.0, found.shear,
        found.exact,
    )  # fmt: skip
    return min((found, other), key=lambda one: abs(_wrapped(one.rotation - previous.rotation)))


def turns(W: ArrayLike) -> Turns:
    """The singular value decomposition of `W`, (2, 2), as turns and stretches.

    Where both stretches are equal the first turn is 0.
    """
    left, (along, across), right = np.linalg.svd(_square(W))
    # Reflections are moved into the sign of the shorter stretch.
    sign = np.sign(np.linalg.det(left) * np.linalg.det(right))
    if np.linalg.det(left) < 0:
        left = left * [1, -1]
    if np.linalg.det(right) < 0:
        right = right * [[1], [-1]]
    first, second = _degrees(left[0, 0], left[0, 1]), _degrees(right[0, 0], right[0, 1])
    across = float(across * sign)
    if along - abs(across) <= _SAME * along:
        # R(a) · diag(s, ±s) · R(b) = diag(s, ±s) · R(b ± a).
        return Turns(0.0, float(along), across, _wrapped(second + math.copysign(1, across) * first))
    if not -90 < first <= 90:
        first, second = _wrapped(first + 180), _wrapped(second + 180)
    return Turns(first, float(along), across, second)


def area(W: ArrayLike) -> Area:
    """What `W`, (2, 2), does to areas, and whether it flips or flattens."""
    matrix = _square(W)
    factor = float(np.linalg.det(matrix))
    along, across = singular_values(matrix)
    if across <= FLAT * along:
        return Area(factor, Effect.FLATTENED)
    return Area(factor, Effect.FLIPPED if factor < 0 else Effect.KEPT)


def singular_values(W: ArrayLike) -> Floats:
    """The singular values of `W`, (d, d_k), largest first, shape (min(d, d_k),)."""
    sizes = np.linalg.svd(floats("W", W, 2), compute_uv=False)
    return read_only(sizes.astype(np.float64))


def _without_x(y: Floats, previous: Movement | None) -> Movement:
    """The movement of a W that takes x to 0 and y to `y`."""
    if previous is not None:
        ux = rotation(previous.rotation)[0]
        stretch_y = float(y @ [-ux[1], ux[0]])
        if abs(stretch_y) > 1e-9 * math.hypot(*y):
            return Movement(previous.rotation, 0.0, stretch_y, float(y @ ux) / stretch_y)
        if not y.any():
            return Movement(previous.rotation, 0.0, 0.0, previous.shear)
    # The image of y is a quarter turn ahead of that of x.
    return Movement(_wrapped(_degrees(*y) - 90) if y.any() else 0.0, 0.0, math.hypot(*y), 0.0)


def _square(W: ArrayLike) -> Floats:
    matrix = floats("W", W, 2)
    if matrix.shape != (2, 2):
        raise ValueError(f"W must be 2 × 2 to move the plane, but its shape is {matrix.shape}.")
    return matrix


def _degrees(x: float, y: float) -> float:
    return _wrapped(math.degrees(math.atan2(y, x)))


def _wrapped(degrees: float) -> float:
    """The same direction, above −180 and up to 180 degrees."""
    return 180.0 - (180.0 - degrees) % 360.0
