"""Where the caption of a line stands: close to it, and off the other lines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from explorer.session import Array

_STEP = 8.0  # px between the places that are tried


def caption_place(
    line: Sequence[QPointF],
    others: Sequence[Sequence[QPointF]],
    size: tuple[float, float],
    place: QRectF,
    gap: float,
) -> tuple[QRectF, int]:
    """Return a caption's box above or below its line, and how many other lines go through it.

    Of the boxes that the fewest go through, and of these that the fewest keep apart from its line,
    the one that is nearest to a third of the way.

    line, others : points whose x ascends, in px
    size : width and height of the caption
    place : what all lie in; the caption may be higher
    gap : between the caption and its line
    """
    wide, high = size
    at = line[len(line) // 3].x()
    last = max(place.right() - wide, place.left())
    own, crossing = _along(line), [_along(other) for other in others if other]
    best: tuple[int, int, float, float, float] | None = None
    for left in {min(at, last), *np.arange(place.left(), last, _STEP).tolist()}:
        ys = _within(own, left, left + wide)
        for top in (ys.min() - gap - high, ys.max() + gap) if len(ys) else ():
            if 0 <= top <= place.bottom() - high:
                met = sum(_meets(other, left, wide, top, high) for other in crossing)
                upper, lower = min(top, ys.min()), max(top + high, ys.max())
                between = sum(_meets(other, left, wide, upper, lower - upper) for other in crossing)
                found = met, between, abs(left - at), top, left
                best = found if best is None else min(best, found)
    met, _between, _away, top, left = best or (len(others), 0, 0.0, 0.0, min(at, last))
    return QRectF(left, top, wide, high), met


def _along(line: Sequence[QPointF]) -> tuple[Array, Array]:
    return np.array([each.x() for each in line]), np.array([each.y() for each in line])


def _within(line: tuple[Array, Array], left: float, right: float) -> Array:
    """Return the heights of a line between two places, at both ends of what lies there too."""
    xs, ys = line
    start, end = max(left, xs[0]), min(right, xs[-1])
    if start > end:
        return np.zeros(0)
    inside = ys[(xs > start) & (xs < end)]
    found: Array = np.concatenate([np.interp([start, end], xs, ys), inside])
    return found


def _meets(line: tuple[Array, Array], left: float, wide: float, top: float, high: float) -> bool:
    """Return whether a line goes through a box: one that does not is above all of it, or below."""
    ys = _within(line, left, left + wide)
    return bool(len(ys)) and not ((ys < top).all() or (ys > top + high).all())
