"""One row of softmax as bars, twice: without ÷ √d and with it."""

from __future__ import annotations

import math
from itertools import pairwise

from PySide6.QtGui import QColor

from explorer.kit.canvas.drawing import Rect
from explorer.kit.table.painting import elided
from explorer.rooms.explore.sqrt_d.paper import CAPTION, Paper, hue
from explorer.rooms.explore.sqrt_d.shown import Shown, measures, plain_name, scaled_name
from explorer.text import display_number

NAMES = 22  # px at 100 % below the bars, for the keys
LINE, NUMBER = 24, 18  # above them: what the row is, and the weights
_SWATCH = 18
_NUMBERS = (15, 13)  # sizes of the weights; smaller ones are left out
_BARS = 5  # px of a key's room below which bars are drawn as one shape
_WIDEST = 48
_HATCH = 6


def draw_rows(paper: Paper, shown: Shown, where: Rect) -> None:
    """Draw both rows, one above the other, and the keys' names below."""
    left, top, right, bottom = where
    px = paper.theme.px
    names = px(NAMES) if _named(paper, shown, right - left) else px(6)
    each = (bottom - top - names) / 2
    for number, scaled in enumerate((False, True)):
        above = top + number * each
        _head(paper, shown, scaled, left, right, above + px(17))
        _bars(paper, shown, scaled, (left, above + px(LINE), right, above + each - px(4)))
    if names == px(NAMES):
        _names(paper, shown, left, right, bottom - px(8))


def _room(shown: Shown, width: float) -> float:
    return width / len(shown.keys)


def _named(paper: Paper, shown: Shown, width: float) -> bool:
    return _room(shown, width) >= paper.theme.px(26)


def _head(
    paper: Paper, shown: Shown, scaled: bool, left: float, right: float, baseline: float
) -> None:
    """Write what the row is on the left, and its measures on the right, as long as fits."""
    px, ink = paper.theme.px, paper.theme.color
    swatch = baseline - px(5)
    paper.line(((left, swatch), (left + px(_SWATCH), swatch)), hue(paper.theme, scaled), 3)
    name = paper.word(scaled_name() if scaled else plain_name(), 14, 600)
    start = left + px(_SWATCH + 8)
    paper.write(name, start, baseline, ink("ink1"))
    room = right - start - name.width - px(12)
    texts = [paper.word(text, 14) for text in measures(shown, scaled)]
    told = next((text for text in texts if text.width <= room), None)
    if told is not None:
        paper.write(told, right - told.width, baseline, ink("ink1"))


def _bars(paper: Paper, shown: Shown, scaled: bool, where: Rect) -> None:
    left, top, right, bottom = where
    theme, px = paper.theme, paper.theme.px
    row = shown.trial.scaled if scaled else shown.trial.plain
    room = _room(shown, right - left)
    size = _number_size(paper, shown, room)
    tall = bottom - top - (px(NUMBER) if size else 0)
    weights = row.weights.tolist()
    paper.rule(left, bottom, right, bottom, "axis")
    if room < px(_BARS):
        outline = [(left, bottom)]
        for n, weight in enumerate(weights):
            y = bottom - weight * tall
            outline += [(left + n * room, y), (left + (n + 1) * room, y)]
        paper.area((*outline, (right, bottom)), hue(theme, scaled))
        return
    half = min(room * 0.36, px(_WIDEST) / 2)
    for n, weight in enumerate(weights):
        middle = left + (n + 0.5) * room
        bar = (round(middle - half) + 0.5, round(middle + half) + 0.5)
        if math.isinf(shown.trial.scores[n]):
            _hatch(paper, (bar[0], bottom - min(tall, px(16)), bar[1], bottom))
            continue
        fill, rim = hue(theme, scaled), None
        if shown.colours:
            fill, rim = QColor(shown.colours[n].fill), QColor(shown.colours[n].ink)
        paper.box((bar[0], bottom - max(weight * tall, 1.0), bar[1], bottom), fill, rim)
        if size:
            number = paper.word(display_number(weight, 3), size)
            baseline = bottom - weight * tall - px(4)
            paper.write(number, middle - number.width / 2, baseline, theme.color("ink1"))


def _number_size(paper: Paper, shown: Shown, room: float) -> int | None:
    """Return the size at which all weights of both rows have room, None where there is none."""
    trial = shown.trial
    if room < paper.theme.px(34):
        return None
    texts = {display_number(w, 3) for row in (trial.plain, trial.scaled) for w in row.weights}
    for size in _NUMBERS:
        if all(paper.word(text, size).width <= room - paper.theme.px(6) for text in texts):
            return size
    return None


def _hatch(paper: Paper, rect: Rect) -> None:
    """Draw slanting lines: a masked key, which has no weight."""
    left, top, right, bottom = rect
    tall, step = bottom - top, paper.theme.px(_HATCH)
    for start in range(round(left - tall), round(right), step):
        # From (start, bottom) upwards to the right, as far as it is inside.
        x = [max(start, left), min(start + tall, right)]
        if x[0] < x[1]:
            ends = [(at, bottom - (at - start)) for at in x]
            paper.line(tuple(ends), paper.theme.color("axis"), 1)
    corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    for one, other in pairwise(corners):
        paper.line((one, other), paper.theme.color("axis"), 1)


def _names(paper: Paper, shown: Shown, left: float, right: float, baseline: float) -> None:
    theme = paper.theme
    room = _room(shown, right - left)
    for n, key in enumerate(shown.keys):
        colour = QColor(shown.colours[n].ink) if shown.colours else theme.color("ink2")
        text = elided(theme, key, CAPTION, 400, int(room) - theme.px(4))
        name = paper.word(text, CAPTION)
        paper.write(name, left + (n + 0.5) * room - name.width / 2, baseline, colour)
