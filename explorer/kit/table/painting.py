"""What the panel's tables are painted with: cached texts, token names, hatching and outlines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetricsF,
    QLinearGradient,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import QWidget

from explorer.kit.canvas.text import draw_word, word
from explorer.kit.drawing_cache import drawing_cache
from explorer.kit.focus_ring import is_ringed
from explorer.kit.theme import Colormap, Theme, TokenColour
from explorer.text import _, displayable

PADDING = 16  # px at 100 %, as all below; the panel's own, which the tables include
SELECTED = 2.25
HOVERED = 1.25
RADIUS = 4
DOT, COLUMN_DOT = 9, 8
COLUMN_SIZES = (13, 12, 11)  # of a column's name; the largest that fits is taken
_SQUARE = 0.89  # as large to the eye as a dot
LINE = 17  # the height of one of several lines
MARGIN = 8  # before a row's name, and before a pair
DOT_GAP = 8  # between a row's dot and its name
NAME_SIZE = 14  # of a row's name

_ARROW = " → "

Pair = tuple[tuple[str, TokenColour], tuple[str, TokenColour]]  # names and colours

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
CENTRE = Qt.AlignmentFlag.AlignHCenter


def text_width(theme: Theme, text: str, size: float, weight: int = 400) -> float:
    """Return how wide a text is drawn, in px; `size` in px at 100 %."""
    return word(theme, text, size, weight).width


@drawing_cache(64)
def widest_name(theme: Theme, names: tuple[str, ...], size: float) -> float:
    """Return how wide the widest of some tokens is drawn in half-bold type, in px."""
    metrics = QFontMetricsF(theme.font(size, 600))  # most of them are never drawn
    return max((metrics.horizontalAdvance(displayable(name)) for name in names), default=0.0)


def draw_text(
    painter: QPainter,
    theme: Theme,
    text: str,
    rect: QRectF,
    colour: QColor,
    size: float = 14,
    weight: int = 400,
    align: Qt.AlignmentFlag = CENTRE,
) -> None:
    """Draw one line of plain text in the middle of `rect`'s height."""
    words = word(theme, text, size, weight)
    x = rect.left()
    if align == CENTRE:
        x += (rect.width() - words.width) / 2
    elif align == RIGHT:
        x += rect.width() - words.width
    y = rect.top() + (rect.height() - words.whole) / 2
    draw_word(painter, words, round(x), round(y), colour)  # glyphs between two pixels are blurred


@lru_cache(maxsize=4096)
def elided(
    theme: Theme, name: str, size: float, weight: int, width: int, *, middle: bool = False
) -> str:
    """Return a token as it fits `width` px: whole, with an ellipsis, or its first letters.

    middle : whether the ellipsis stands in the middle, for names that differ at their ends
    """
    shown = displayable(name)
    metrics = QFontMetricsF(theme.font(size, weight))
    if metrics.horizontalAdvance(shown) <= width:
        return shown
    if width >= theme.px(22):
        modes = Qt.TextElideMode
        return metrics.elidedText(shown, modes.ElideMiddle if middle else modes.ElideRight, width)
    # An ellipsis would leave no room for letters.
    while shown and metrics.horizontalAdvance(shown) > width:
        shown = shown[:-1]
    return shown


def draw_dot(
    painter: QPainter, theme: Theme, centre: QPointF, colour: TokenColour, size: float = DOT
) -> None:
    """Draw a token's dot, or the square of one of the context; `size` in px at 100 %."""
    radius = size * theme.percent / 200
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colour.ink), 1))
    painter.setBrush(QColor(colour.fill))
    if colour.square:
        radius *= _SQUARE
        painter.drawRect(QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius))
    else:
        painter.drawEllipse(centre, radius, radius)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def draw_row_name(
    painter: QPainter,
    theme: Theme,
    rect: QRectF,
    name: str,
    colour: TokenColour,
    bold: bool,
    whole: bool = False,
    bare: bool = False,
) -> None:
    """Draw dot and name of a row's token, from the left of `rect` to 3 px before its right.

    Parameters
    ----------
    whole : bool
        Whether all rows' names have room, so that the name need not move nearer to its dot.
    bare : bool
        Whether names take the room of their dots: each stands in its colour, as large as fits.
    """
    if rect.height() < theme.px(18):  # one of many: without a dot, in the token's colour
        neutral = theme.is_neutral(colour)
        weight = 600 if bold or not neutral else 400
        text = elided(theme, name, 12, weight, int(rect.width() - theme.px(6)))
        ink = theme.color("ink1") if bold else QColor(colour.ink)
        draw_text(
            painter, theme, text, rect.adjusted(0, 0, -theme.px(6), 0), ink, 12, weight, RIGHT
        )
        return
    weight = 600 if bold else 400
    if bare:
        room = int(rect.width() - theme.px(3))
        size = _fitting(theme, displayable(name), (NAME_SIZE, 13, 12, 11), room)
        text = elided(theme, name, size, weight, room)
        draw_text(painter, theme, text, rect, QColor(colour.ink), size, weight, LEFT)
        return
    draw_dot(painter, theme, QPointF(rect.left() + theme.px(6), rect.center().y()), colour)
    indent = theme.px(11 + (DOT_GAP if whole or rect.width() >= theme.px(50) else 3))
    text = elided(theme, name, NAME_SIZE, weight, int(rect.width() - indent - theme.px(3)))
    ink = theme.color("ink1" if bold else "ink2")
    draw_text(painter, theme, text, rect.adjusted(indent, 0, 0, 0), ink, NAME_SIZE, weight, LEFT)


def draw_column_name(
    painter: QPainter, theme: Theme, rect: QRectF, name: str, colour: TokenColour, bold: bool
) -> None:
    """Draw dot and name of a column's token; where both have no room, the name in its colour.

    A name that is too wide is drawn smaller, then elided; names side by side are 4 px apart.
    """
    weight = 600 if bold else 400
    indent = theme.px(COLUMN_DOT + 5)
    room, shown = int(rect.width()) - theme.px(4), displayable(name)
    # The bold name decides, so that selecting a column takes no dot away.
    if rect.width() < theme.px(44) or text_width(theme, shown, 13, 600) > room - indent:
        size = _fitting(theme, shown, COLUMN_SIZES, room)
        text = elided(theme, name, size, weight, room)
        draw_text(painter, theme, text, rect, QColor(colour.ink), size, weight)
        return
    width = text_width(theme, shown, 13, weight) + indent
    left = rect.left() + (rect.width() - width) / 2
    middle = QPointF(left + theme.px(COLUMN_DOT) / 2, rect.center().y() + 0.5)
    draw_dot(painter, theme, middle, colour, COLUMN_DOT)
    ink = theme.color("ink1" if bold else "ink2")
    beside = QRectF(left + indent, rect.top(), width - indent, rect.height())
    draw_text(painter, theme, shown, beside, ink, 13, weight, LEFT)


def draw_lines(
    painter: QPainter,
    theme: Theme,
    text: str,
    rect: QRectF,
    ink: QColor,
    size: float,
    weight: int,
) -> None:
    """Draw lines one below the other, right-aligned, in the middle of a rectangle's height."""
    lines, height = text.split("\n"), theme.px(LINE)
    top = rect.center().y() - height * len(lines) / 2
    for n, line in enumerate(lines):
        where = QRectF(rect.left(), top + n * height, rect.width(), height)
        draw_text(painter, theme, line, where, ink, size, weight, RIGHT)


def draw_pair(
    painter: QPainter,
    theme: Theme,
    rect: QRectF,
    pair: Pair,
    size: float,
    weight: int,
) -> None:
    """Draw "cat → cloud", each name in its colour; the shorter one keeps what it needs.

    In a row that is high enough the names stand below each other.
    """
    if rect.height() >= theme.px(2 * LINE):
        _draw_pair_upright(painter, theme, rect, pair, size, weight)
        return
    arrow = text_width(theme, _ARROW, size)
    wanted = [text_width(theme, displayable(name), size, weight) for name, _colour in pair]
    room = rect.width() - arrow
    first = wanted[0]
    if sum(wanted) > room:  # up to half of the room
        first = max(min(wanted[0], room / 2), room - wanted[1])
    left = rect.left()
    for (name, colour), width in zip(pair, (first, room - first), strict=True):
        if left > rect.left():
            where = QRectF(left, rect.top(), arrow, rect.height())
            draw_text(painter, theme, _ARROW, where, theme.color("ink3"), size, 400, LEFT)
            left += arrow
        text = elided(theme, name, size, weight, max(math.ceil(width), 1))
        where = QRectF(left, rect.top(), width, rect.height())
        draw_text(painter, theme, text, where, QColor(colour.ink), size, weight, LEFT)
        left += text_width(theme, text, size, weight)


def _draw_pair_upright(
    painter: QPainter, theme: Theme, rect: QRectF, pair: Pair, size: float, weight: int
) -> None:
    """Draw the names of a pair below each other, the arrow behind the first."""
    height, middle = theme.px(LINE), rect.center().y()
    arrow = text_width(theme, _ARROW, size)
    for (name, colour), top in zip(pair, (middle - height, middle), strict=True):
        line = QRectF(rect.left(), top, rect.width(), height)
        text = elided(theme, name, size, weight, max(int(rect.width() - arrow), 1))
        draw_text(painter, theme, text, line, QColor(colour.ink), size, weight, LEFT)
        if top < middle:
            line.setLeft(line.left() + text_width(theme, text, size, weight))
            draw_text(painter, theme, _ARROW, line, theme.color("ink3"), size, 400, LEFT)


def pair_width(
    theme: Theme, pairs: Sequence[Sequence[str]], size: float, *, upright: bool
) -> float:
    """Return the width of any name of the first list, an arrow and any of the second, in px.

    upright : whether the second stands below the first
    """
    first, second = (
        max((text_width(theme, displayable(name), size, 600) for name in set(names)), default=0.0)
        for names in pairs
    )
    arrow = text_width(theme, _ARROW, size)
    return arrow + (max(first, second) if upright else first + second)


def _fitting(theme: Theme, text: str, sizes: Sequence[int], room: float) -> int:
    """Return the first of some type sizes at which a bold text has room, else the last."""
    return next((n for n in sizes if text_width(theme, text, n, 600) <= room), sizes[-1])


def column_name_width(theme: Theme, name: str) -> float:
    """Return the room that a column's name and dot need to be drawn at their usual size."""
    return text_width(theme, displayable(name), 13, 600) + theme.px(COLUMN_DOT + 5 + 4)


def pixels(widget: QWidget, area: QRectF) -> tuple[int, int]:
    """Return how many rows and columns of pixels an area of a widget has on its screen."""
    ratio = widget.devicePixelRatioF()
    return max(int(area.height() * ratio), 1), max(int(area.width() * ratio), 1)


def draw_box(
    painter: QPainter,
    box: QRectF,
    radius: float,
    fill: QColor | None = None,
    edge: QColor | None = None,
    width: float = 1.0,
) -> None:
    """Draw a rounded rectangle; half of its edge, `width` px wide, lies outside of `box`."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(Qt.PenStyle.NoPen) if edge is None else QPen(edge, width))
    painter.setBrush(QBrush() if fill is None else fill)
    painter.drawRoundedRect(box, radius, radius)


def draw_frame(painter: QPainter, rect: QRectF, ink: QColor) -> None:
    """Draw a line, 1 px wide, around a picture."""
    painter.setPen(ink)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rect)


def draw_band(painter: QPainter, theme: Theme, rect: QRectF) -> None:
    """Draw the ground of a row that is pointed at."""
    draw_box(painter, rect, theme.px(6), theme.color("hover"))


def draw_ramp(painter: QPainter, rect: QRectF, colours: Colormap) -> None:
    """Draw all colours of a map side by side, the lowest first; a vector on paper too."""
    low, high = colours.ends(1.0)
    gradient = QLinearGradient(rect.topLeft(), rect.topRight())
    for share in np.linspace(0, 1, 25):  # a map is straight between these
        gradient.setColorAt(share, colours.fill(low + share * (high - low), 1.0))
    painter.fillRect(rect, gradient)


def hatch(theme: Theme) -> QBrush:
    """Return the brush of masked cells, to be laid on the canvas colour."""
    return QBrush(theme.color("axis"), Qt.BrushStyle.BDiagPattern)


def draw_cell(
    painter: QPainter,
    theme: Theme,
    rect: QRectF,
    fill: QColor | None,
    text: str,
    ink: QColor,
    size: float,
    weight: int = 400,
    *,
    gap: float = 1.0,
) -> None:
    """Draw a number on its colour; hatched where there is no `fill`. Cells are 2 `gap` px apart."""
    inside = rect.adjusted(gap, gap, -gap, -gap)
    painter.fillRect(inside, theme.color("canvas") if fill is None else fill)
    if fill is None:
        painter.fillRect(inside, hatch(theme))
    if text:
        draw_text(painter, theme, text, rect, ink, size, weight)


def draw_blind(
    painter: QPainter,
    theme: Theme,
    row: QRectF,
    text: str = "",
    size: int = 13,
    pad: int = 16,
    height: int = 20,
) -> None:
    """Say on a hatched row, as far as it has room, that every key is masked."""
    room = max(int(row.width()) - 4, 1)
    text = elided(theme, text or _("every key is masked"), size, 400, room)
    width = text_width(theme, text, size) + theme.px(pad)
    beneath = QRectF(0, 0, min(width, row.width() - 2), min(theme.px(height), row.height() - 2))
    beneath.moveCenter(row.center())
    painter.fillRect(beneath, theme.color("canvas"))
    draw_text(painter, theme, text, row, theme.color("ink3"), size)


def draw_mark(
    painter: QPainter, theme: Theme, rect: QRectF, width: float, least: int | None = None
) -> None:
    """Draw the outline of a cell; of a picture's, which can be smaller, at `least` so large."""
    if least is not None:
        across, down = (max(0.0, (theme.px(least) - s) / 2) for s in (rect.width(), rect.height()))
        rect = rect.adjusted(-across, -down, across, down)
    draw_outline(painter, theme, rect, width, halo=least is not None)


def draw_ring(
    painter: QPainter, theme: Theme, widget: QWidget, within: QRectF | None = None
) -> None:
    """Draw the ring of the keyboard's focus within a widget, or a part of it, if it is to show."""
    if is_ringed(widget):
        whole = QRectF(widget.rect()) if within is None else within
        draw_outline(painter, theme, whole.adjusted(1, 1, -1, -1), 2)


def draw_outline(
    painter: QPainter, theme: Theme, rect: QRectF, width: float, halo: bool = False
) -> None:
    """Draw the outline of a selected or hovered thing.

    Parameters
    ----------
    width : float
        `SELECTED` or `HOVERED`.
    halo : bool
        Whether a thin rim of the canvas colour parts it from what lies beneath.
    """
    scale, radius = theme.percent / 100, theme.px(RADIUS)
    if halo:
        edge = theme.color("canvas")
        draw_box(painter, rect, radius, edge=edge, width=(width + 2) * scale)
    draw_box(painter, rect, radius, edge=theme.color("ink1"), width=width * scale)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
