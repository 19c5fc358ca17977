"""The histogram of dot products, with the normal curve of variance d over it."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QRectF

from explorer.attention import histogram
from explorer.kit.canvas.drawing import Rect
from explorer.kit.plot import Curve, Plot, Ticks
from explorer.rooms.explore.sqrt_d.paper import CAPTION, TICK, Paper
from explorer.rooms.explore.sqrt_d.shown import Shown
from explorer.session import Array
from explorer.text import _, decimal_places, display_number

TICKS = 20  # px at 100 % below the bars
_ROUND = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
_NARROWEST = 2  # px of a bar
_OWN_BARS = 40  # across the whole width
_CURVE = 160  # points


def draw_spread(paper: Paper, shown: Shown, where: Rect) -> None:
    """Draw bars, curve and axis into a rectangle."""
    px, ink = paper.theme.px, paper.theme.color
    left, top, right, bottom = where
    base = bottom - px(TICKS)
    limit = rounded_up(shown.spread)
    d = shown.trial.d
    least = limit * 2 * _NARROWEST / (right - left)
    width = limit * 2 / _OWN_BARS if shown.own else max(math.sqrt(d) / 4, least)
    bars = histogram(shown.trial.products, width)
    peak = 1 / math.sqrt(2 * math.pi * d)
    tall = (base - top) / max(peak, float(bars.density.max()))
    middle, stretch = (left + right) / 2, (right - left) / 2

    def at(value: Array, density: Array) -> Array:
        """Return places in px, (n, 2)."""
        return np.column_stack([middle + value / limit * stretch, base - density * tall])

    sigma = math.sqrt(d)
    x = np.linspace(-min(limit, 4 * sigma), min(limit, 4 * sigma), _CURVE)
    y = peak * np.exp(-(x**2) / (2 * d))
    rim = ink("ctl") if shown.own else None
    paper.plots.append(
        Plot(
            paper.size,
            # The curve's top is seen in its whole width.
            QRectF(left, top - px(2), right - left, base - top + px(2)),
            QRectF(-1, 0, 2, base - top + px(2)),
            bottom=_ticks(paper, right - left, limit),
            curves=(
                Curve(
                    bars.edges / limit, bars.density * tall, rim, fill=ink("line2"), columns=True
                ),
                Curve(x / limit, y * tall, ink("ink1"), 1.5),
            ),
            below=px(12),
            based=True,
        )
    )
    columns = at(np.repeat(bars.edges, 2)[1:-1], np.repeat(bars.density, 2))
    _legend(paper, left, right, top, np.concatenate([columns, at(x, y)]))


def rounded_up(value: float) -> float:
    """Return the next round number: one of few leading digits and a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(digits * power for digits in _ROUND if digits * power >= value * (1 - 1e-12))


def _ticks(paper: Paper, width: float, limit: float) -> Ticks:
    labels = {share: _tick(share * limit) for share in (-1.0, -0.5, 0.0, 0.5, 1.0)}
    # The outer ones stand wholly inside, so that they are half their width nearer to the next.
    widest = max(paper.word(label, TICK).width for label in labels.values())
    every = 1.5 * widest + paper.theme.px(8) <= width / 4
    return [(share, label) for share, label in labels.items() if every or share % 1 == 0]


def _tick(value: float) -> str:
    return display_number(value, decimal_places(value, 3, 0))


def _legend(paper: Paper, left: float, right: float, top: float, drawn: Array) -> None:
    """Say what the curve is, on the left or on the right, where nothing is drawn."""
    px, ink = paper.theme.px, paper.theme.color
    label = paper.word(_("normal curve of variance d"), CAPTION)
    dash = px(18)
    width, baseline = dash + px(8) + label.width, top + px(16)
    for x in (left, right - width):
        inside = (at for at in drawn if x - px(8) < at[0] < x + width + px(8))
        if all(y > baseline + px(8) for _x, y in inside):
            middle = baseline - px(4)
            paper.line(((x, middle), (x + dash, middle)), ink("ink1"), 1.5)
            paper.write(label, x + dash + px(8), baseline, ink("ink3"))
            return
