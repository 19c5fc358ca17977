"""The plane's grid: round steps, labelled inside its left and lower edge."""

from __future__ import annotations

import math

from explorer.kit.canvas.drawing import Line, Text
from explorer.kit.canvas.text import Word, word
from explorer.kit.drawing_cache import drawing_cache
from explorer.kit.plane.camera import Camera
from explorer.kit.theme import Theme
from explorer.text import display_number

_CLOSEST = 90.0  # px between lines at 100 %


def grid_step(scale: float, closest: float) -> float:
    """Return the smallest of 1, 2, 5 × 10ⁿ whose lines are at least `closest` px apart."""
    wanted = closest / scale
    power = 10.0 ** math.floor(math.log10(wanted))
    for digit in (1.0, 2.0, 5.0):
        if digit * power >= wanted * (1 - 1e-9):
            return digit * power
    return 10.0 * power


def step_of(camera: Camera, theme: Theme) -> float:
    """Return how far apart the plane's grid lines are."""
    return grid_step(camera.scale, _CLOSEST * theme.percent / 100)


def tick_text(value: float, step: float) -> str:
    """Return a tick's number with no more decimals than it needs."""
    decimals = min(max(0, -math.floor(math.log10(step) + 1e-9)), 12)
    text = display_number(value, decimals)
    if "." in text and "e" not in text:
        text = text.rstrip("0").rstrip(".")
    return text


@drawing_cache(16)
def grid(camera: Camera, theme: Theme, top: float) -> tuple[tuple[Line, ...], tuple[Text, ...]]:
    """Return the grid's lines and tick labels.

    Parameters
    ----------
    top : float
        Pixels at the upper edge that are covered by controls: no label goes there.
    """
    step = step_of(camera, theme)
    low_x, high_y = camera.to_plane(0, 0)
    high_x, low_y = camera.to_plane(camera.width, camera.height)
    colour, axis, ink = theme.color("grid"), theme.color("axis"), theme.color("ink3")
    canvas = theme.color("canvas")
    lines: list[Line] = []
    axes: list[Line] = []
    texts: list[Text] = []
    bottom = camera.height - theme.px(15)
    left = theme.px(16)

    def tick(label: Word, x: float, y: float) -> Text:
        return Text(label, x - label.width / 2, y - label.height / 2, ink, background=canvas)

    for value in _multiples(low_x, high_x, step):
        x = camera.width / 2 + (value - camera.x) * camera.scale
        line = Line(((x, 0.0), (x, camera.height)), axis if value == 0 else colour, 1.25)
        (axes if value == 0 else lines).append(line)
        label = word(theme, tick_text(value, step), 13)
        if theme.px(48) < x < camera.width - label.width / 2 - 4:
            texts.append(tick(label, x, bottom))
    for value in _multiples(low_y, high_y, step):
        y = camera.height / 2 - (value - camera.y) * camera.scale
        line = Line(((0.0, y), (camera.width, y)), axis if value == 0 else colour, 1.25)
        (axes if value == 0 else lines).append(line)
        label = word(theme, tick_text(value, step), 13)
        if top + label.height < y < camera.height - theme.px(36):
            texts.append(tick(label, max(left, 6 + label.width / 2), y))
    return (*lines, *axes), tuple(texts)


def _multiples(low: float, high: float, step: float) -> list[float]:
    """Return the multiples of `step` from low to high; zero exactly, and never very many."""
    first, last = math.ceil(low / step), math.floor(high / step)
    if last - first > 200:
        return []
    return [i * step for i in range(first, last + 1)]
