"""The laboratory's page as a drawing: dot products, softmax, gradient, one below the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from explorer.kit.canvas.drawing import Drawing, Rect
from explorer.kit.plot import Plot
from explorer.kit.theme import Theme
from explorer.rooms.explore.sqrt_d.gradients import draw_gradients
from explorer.rooms.explore.sqrt_d.paper import Paper
from explorer.rooms.explore.sqrt_d.rows import draw_rows
from explorer.rooms.explore.sqrt_d.shown import (
    Shown,
    gradient_texts,
    products_text,
    row_text,
    variance_text,
)
from explorer.rooms.explore.sqrt_d.spread import draw_spread
from explorer.text import _

MARGIN = 16  # px at 100 %, as all below
_BETWEEN = 8
_HEADING = 26


class PlotPart(NamedTuple):
    """A part of the page.

    Parameters
    ----------
    told : callable
        Returns its title, its captions from the longest on, and a measure or "".
    draw : callable
    least : int
        Its height without the heading, px at 100 %.
    share : float
        Of the height that is left over.
    """

    told: Callable[[Shown], tuple[str, tuple[str, ...], str]]
    draw: Callable[[Paper, Shown, Rect], None]
    least: int
    share: float


class Composed(NamedTuple):
    """The page: a drawing, the plots below it, and where each of its parts stands."""

    drawing: Drawing
    plots: tuple[Plot, ...]
    places: tuple[Rect, ...]


PARTS = (
    PlotPart(
        lambda shown: (
            _("Dot products q · k"),
            (products_text(shown),),
            variance_text(shown),
        ),
        draw_spread,
        70,
        0.2,
    ),
    PlotPart(lambda shown: (_("Softmax of one row"), (row_text(shown),), ""), draw_rows, 150, 0.55),
    PlotPart(
        lambda shown: (_("Gradient size through the softmax"), gradient_texts(shown), ""),
        draw_gradients,
        90,
        0.25,
    ),
)
GRADIENT = PARTS[2]


def least_height(theme: Theme, parts: tuple[PlotPart, ...] = PARTS) -> int:
    """Return the height from which on everything can be read."""
    between = (len(parts) - 1) * _BETWEEN
    return theme.px(sum(part.least + _HEADING for part in parts) + between + MARGIN)


def compose(
    shown: Shown, theme: Theme, width: int, height: int, parts: tuple[PlotPart, ...] = PARTS
) -> Composed:
    """Return the page for a canvas of this size."""
    paper, px = Paper(theme, (width, height)), theme.px
    left, right = px(MARGIN), width - px(MARGIN)
    extra = max(height - least_height(theme, parts), 0)
    shares = sum(part.share for part in parts)
    top, places = 0.0, []
    for part in parts:
        bottom = top + px(_HEADING) + px(part.least) + extra * part.share / shares
        places.append((0, top, width, bottom))
        below = paper.heading(left, right, top, *part.told(shown))
        part.draw(paper, shown, (left, below, right, bottom))
        top = bottom + px(_BETWEEN)
    return Composed(paper.drawing, tuple(paper.plots), tuple(places))
