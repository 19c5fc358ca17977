"""The laboratory's page as a drawing: dot products, softmax, gradient, one below the other."""

from __future__ import annotations

from explorer.text import _
from explorer.views.canvas.drawing import Drawing
from explorer.views.sqrt_d.gradients import draw_gradients
from explorer.views.sqrt_d.paper import Paper
from explorer.views.sqrt_d.rows import draw_rows
from explorer.views.sqrt_d.shown import (
    Shown,
    gradient_texts,
    products_text,
    row_text,
    variance_text,
)
from explorer.views.sqrt_d.spread import draw_spread
from explorer.views.theme import Theme

MARGIN = 16  # px at 100 %, as all below
_BETWEEN = 14
_HEADING = 26
_LEAST = (76, 164, 94)  # heights of the three parts without their headings
_SHARES = (0.2, 0.55, 0.25)  # of the height beyond that


def least_height(theme: Theme) -> int:
    """Return the height from which on everything can be read."""
    return theme.px(sum(_LEAST) + 3 * _HEADING + 2 * _BETWEEN + MARGIN)


def compose(shown: Shown, theme: Theme, width: int, height: int) -> Drawing:
    """Return the page for a canvas of this size."""
    paper, px = Paper(theme), theme.px
    left, right = px(MARGIN), width - px(MARGIN)
    extra = max(height - least_height(theme), 0)
    parts = (
        (_("Dot products q · k"), (products_text(shown),), variance_text(shown), draw_spread),
        (_("Softmax of one row"), (row_text(shown),), "", draw_rows),
        (_("Gradient size through the softmax"), gradient_texts(shown), "", draw_gradients),
    )
    top = 0.0
    for (title, captions, measure, draw), least, share in zip(parts, _LEAST, _SHARES, strict=True):
        bottom = top + px(_HEADING) + px(least) + extra * share
        below = paper.heading(left, right, top, title, captions, measure)
        draw(paper, shown, (left, below, right, bottom))
        top = bottom + px(_BETWEEN)
    return paper.drawing
