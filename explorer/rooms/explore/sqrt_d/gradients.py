"""The gradient size through the softmax against d, without ÷ √d and with it."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np
from PySide6.QtCore import QRectF

from explorer.attention import WIDEST
from explorer.kit.canvas.drawing import Point, Rect
from explorer.kit.canvas.text import Word
from explorer.kit.plot import Curve, Plot, Ticks
from explorer.rooms.explore.sqrt_d.paper import Paper, hue
from explorer.rooms.explore.sqrt_d.shown import Shown, gradient_at, plain_name, scaled_name
from explorer.session import Array
from explorer.text import display_number

AXIS, TICKS = 32, 22  # px at 100 % left of the curves and below them
HIGHEST = 0.5  # no row's gradient size is larger: it is that of two keys with equal weights
_POINTS = 160
_DOT = 4.5
_LABEL = 15
_HEADROOM = 6  # above the curves, where words may reach
_ALONG = (0.0, 0.2, 0.4, 0.6, 0.8)


def draw_gradients(paper: Paper, shown: Shown, where: Rect) -> None:
    """Draw both curves, and their values at the present d."""
    px = paper.theme.px
    left, top, right, bottom = where
    plot = (left + px(AXIS), top + px(_HEADROOM), right - px(6), bottom - px(TICKS))
    drawn = {scaled: _curve(shown, scaled) for scaled in (False, True)}
    paper.plots.append(
        Plot(
            paper.size,
            QRectF(plot[0], plot[1], plot[2] - plot[0], plot[3] - plot[1]),
            QRectF(0, 0, math.log(WIDEST), HIGHEST),
            [(size, display_number(size, 2) if size else "0") for size in (0.0, 0.25, 0.5)],
            _ticks(px, plot),
            [Curve(*points, hue(paper.theme, scaled), 2.25) for scaled, points in drawn.items()],
            rules=True,
            below=px(12),
            based=True,
        )
    )
    x = _place(shown.trial.d, 0.0, plot)[0]
    paper.line(((x, plot[1]), (x, plot[3])), paper.theme.color("ink1"), 1.25)
    _values(paper, shown, plot, np.concatenate([_dense(points, plot) for points in drawn.values()]))


def _place(d: float, size: float, plot: Rect) -> Point:
    left, top, right, bottom = plot
    share = math.log(d) / math.log(WIDEST)
    return left + share * (right - left), bottom - size / HIGHEST * (bottom - top)


def _curve(shown: Shown, scaled: bool) -> tuple[Array, Array]:
    """Return the logarithms of widths, and the sizes there."""
    curves = shown.trial.curves
    sizes = curves.scaled if scaled else curves.plain
    last = len(curves.widths)
    # Towards the right there would be many points to a pixel.
    chosen = np.unique(np.round(last ** np.linspace(0, 1, _POINTS)).astype(int)) - 1
    return np.log(curves.widths[chosen]), sizes[chosen]


def _dense(points: tuple[Array, Array], plot: Rect) -> Array:
    """Return places all along a curve, (n, 2): it may fall steeply between two of its own."""
    left, top, right, bottom = plot
    x = left + points[0] / math.log(WIDEST) * (right - left)
    at = np.column_stack([x, bottom - points[1] / HIGHEST * (bottom - top)])
    return np.concatenate([at[:-1] + share * np.diff(at, axis=0) for share in _ALONG] + [at])


def _ticks(px: Callable[[float], int], plot: Rect) -> Ticks:
    """Return as many powers of two as there is room for, the last one among them."""
    wide = plot[2] - plot[0]
    step = next((step for step in (1, 3) if wide * step / 9 >= px(40)), 9)
    powers = range(0, 10, step)
    return [(math.log(2**n), str(2**n) if n else "d = 1") for n in powers]


def _values(paper: Paper, shown: Shown, plot: Rect, curves: Array) -> None:
    """Write both values beside their dots, where they cover least.

    curves : (n, 2), the points of both curves
    """
    theme = paper.theme
    values = []
    for scaled in (False, True):
        size = gradient_at(shown, scaled)
        name = scaled_name() if scaled else plain_name()
        words = paper.word(f"{name} {display_number(size, 3)}", _LABEL, 600)
        at = _place(shown.trial.d, size, plot)
        rects = _beside(at, words, theme.px(9))
        costs = [order + _cost(rect, plot, curves) for order, rect in enumerate(rects)]
        values.append((scaled, at, words, tuple(zip(rects, costs, strict=True))))
    (_plain, plain_at, *_), (_scaled, scaled_at, *_) = values
    best = min(
        product(values[0][3], values[1][3]),
        key=lambda pair: (
            pair[0][1] + pair[1][1] + _clash(pair[0][0], pair[1][0], plain_at[1] < scaled_at[1])
        ),
    )
    for (scaled, at, words, _places), (rect, _) in zip(values, best, strict=True):
        ground = theme.color("canvas")
        paper.write(words, rect[0], rect[1] + words.ascent, hue(theme, scaled), ground)
        paper.dot(at, _DOT, hue(theme, scaled))


def _beside(at: Point, words: Word, gap: float) -> list[Rect]:
    """Return where a dot's words may stand: near or farther, above or below, right or left."""
    x, y = at
    return [
        (left, top, left + words.width, top + words.height)
        for far in (gap / 4, gap / 4 + words.height / 2, gap / 4 + words.height)
        for top in (y - far - words.height, y + far)
        for left in (x + gap, x - gap - words.width)
    ]


def _cost(rect: Rect, plot: Rect, curves: Array) -> float:
    """Return how bad a place for words is: outside of the plot, or upon a curve."""
    left, top, right, bottom = rect
    outside = max(plot[0] - left, 0) + max(right - plot[2], 0)
    outside += max(plot[1] - _HEADROOM - top, 0) + max(bottom - plot[3], 0)
    x, y = curves.T
    crossed = (x > left) & (x < right) & (y > top) & (y < bottom)
    return 100.0 * outside + 2.0 * int(crossed.sum())


def _clash(one: Rect, other: Rect, above: bool) -> float:
    """Return how bad two places for words are together.

    above : whether the dot of the one lies above that of the other
    """
    left, top, right, bottom = one
    apart = other[2] <= left or right <= other[0] or other[3] <= top or bottom <= other[1]
    crossed = top > other[1] if above else top < other[1]
    return (0.0 if apart else 1000.0) + 4.0 * crossed
