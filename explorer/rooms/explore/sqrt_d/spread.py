"""The histogram of dot products, with the normal curve of variance d over it."""

from __future__ import annotations

import math

import numpy as np

from explorer.attention import histogram
from explorer.kit.canvas.drawing import Point, Rect
from explorer.kit.canvas.text import Word
from explorer.rooms.explore.sqrt_d.paper import CAPTION, TICK, Paper
from explorer.rooms.explore.sqrt_d.shown import Shown
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

    def at(value: float, density: float) -> Point:
        return middle + value / limit * stretch, base - density * tall

    outline = [at(float(bars.edges[0]), 0.0)]
    for n, density in enumerate(bars.density.tolist()):
        outline += [at(float(bars.edges[n]), density), at(float(bars.edges[n + 1]), density)]
    outline.append(at(float(bars.edges[-1]), 0.0))
    paper.area(tuple(outline), ink("line2"), ink("ctl") if shown.own else None)
    sigma = math.sqrt(d)
    x = np.linspace(-min(limit, 4 * sigma), min(limit, 4 * sigma), _CURVE)
    y = peak * np.exp(-(x**2) / (2 * d))
    curve = tuple(at(*place) for place in zip(x.tolist(), y.tolist(), strict=True))
    paper.line(curve, ink("ink1"), 1.5)
    _axis(paper, left, right, base, limit)
    _legend(paper, left, right, top, (*outline, *curve))


def rounded_up(value: float) -> float:
    """Return the next round number: one of few leading digits and a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(digits * power for digits in _ROUND if digits * power >= value * (1 - 1e-12))


def _axis(paper: Paper, left: float, right: float, base: float, limit: float) -> None:
    px = paper.theme.px
    paper.rule(left, base, right, base, "axis")
    labels = {share: _tick(paper, share * limit) for share in (-1.0, -0.5, 0.0, 0.5, 1.0)}
    # The outer ones stand wholly inside, so that they are half their width nearer to the next.
    if 1.5 * max(label.width for label in labels.values()) + px(8) > (right - left) / 4:
        labels = {share: label for share, label in labels.items() if abs(share) != 0.5}
    for share, label in labels.items():
        x = left + (right - left) * (share + 1) / 2
        paper.rule(x, base, x, base + px(4), "axis")
        start = min(max(x - label.width / 2, left), right - label.width)
        paper.write(label, start, base + px(16), paper.theme.color("ink3"))


def _tick(paper: Paper, value: float) -> Word:
    return paper.word(display_number(value, decimal_places(value, 3, 0)), TICK)


def _legend(paper: Paper, left: float, right: float, top: float, drawn: tuple[Point, ...]) -> None:
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
