"""Paints what stands still in the timeline while the playhead moves."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from explorer.kit.canvas.text import Word, word
from explorer.kit.epoch_axis import columns, label_epochs, thinned
from explorer.kit.loss_curves import Curves, Plot, accuracy_text
from explorer.kit.theme import Theme
from explorer.session import Array
from explorer.text import _, display_number

TRACK, TICK, TICK_GAP = 6, 14, 4  # px at 100 %
DOT, CROSS = 4.5, 6
# A wide line of many points that crosses itself often takes 20 times as long whole as in pieces.
_WHOLE, _PIECE = 250, 8
_LABEL_ROOM = 64  # between the labels of the epochs
_LONG = 1e5  # numbers from here on have no room beside the axis in full


@dataclass(frozen=True)
class Setting:
    """Where things are in the chart, in px of the screen.

    plot : Plot
    track : height of the middle of the track
    labels : height of the middle of the epoch labels
    compact : whether there is room for the curves alone, without words
    """

    plot: Plot
    track: float
    labels: float
    compact: bool


def indigo(theme: Theme) -> QColor:
    """Return the accuracy's colour: the attention ramp where it reads well on the window."""
    return QColor(theme.weights_map.fill(0.62 if theme.dark else 0.60, 1.0))


def paint_word(painter: QPainter, words: Word, x: float, middle: float, colour: QColor) -> None:
    """Paint a word from `x` on, its middle at a height."""
    painter.setFont(words.font)
    painter.setPen(colour)
    painter.drawStaticText(QPointF(round(x), round(middle - words.height / 2)), words.static)


def paint_ground(
    painter: QPainter,
    theme: Theme,
    setting: Setting,
    curves: Curves,
    recorded: Array,
    bad: Collection[int] = (),
) -> list[QRectF]:
    """Paint the axes, the curves, the track and its ticks; return where the end labels stand.

    bad : the steps that cannot be shown, as far as that is known
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    plot = setting.plot
    end = None if curves.end is None else min(plot.x(curves.end), plot.right)
    if end is not None and end < plot.right - 0.5:
        rest = QRectF(end, plot.top, plot.right - end, plot.bottom - plot.top)
        painter.fillRect(rest, theme.color("hover"))
    _paint_track(painter, theme, setting, end, recorded)
    for step in bad:
        _paint_cross(painter, theme, QPointF(plot.x(float(recorded[step])), setting.track))
    if end is None:
        return []
    if not setting.compact:
        _paint_axis(painter, theme, plot, curves)
    px = theme.px
    _paint_line(painter, curves.accuracy_line(plot), indigo(theme), 1.75 * theme.percent / 100)
    loss = curves.loss_line(plot)
    _paint_line(painter, loss, theme.color("ink1"), 2.25 * theme.percent / 100)
    ends = []
    radius = DOT * theme.percent / 100
    painter.setPen(Qt.PenStyle.NoPen)
    if len(curves.accuracy):
        at = QPointF(
            plot.x(float(curves.epochs[len(curves.accuracy) - 1])),
            curves.accuracy_y(plot, float(curves.accuracy[-1])),
        )
        painter.setBrush(indigo(theme))
        painter.drawEllipse(at, radius, radius)
        ends.append((accuracy_text(float(curves.accuracy[-1])), indigo(theme), at))
    if curves.broken is not None:
        ends.append((_("loss is not a number"), theme.color("err"), _broken(plot, curves)))
    elif len(curves.loss):
        at = QPointF(end, float(loss[1][-1]))
        painter.setBrush(theme.color("ink1"))
        painter.drawEllipse(at, radius, radius)
        text = _("loss {loss}").format(loss=display_number(float(curves.loss[-1]), 2))
        ends.append((text, theme.color("ink1"), at))
    if setting.compact:
        return []
    return _paint_ends(painter, theme, plot, ends, px(12))


def paint_broken(painter: QPainter, theme: Theme, plot: Plot, curves: Curves) -> None:
    """Mark where the loss is no number any more."""
    if curves.broken is not None:
        _paint_cross(painter, theme, _broken(plot, curves))


def _broken(plot: Plot, curves: Curves) -> QPointF:
    assert curves.broken is not None
    _x, heights = curves.loss_line(plot)
    height = heights[-1] if len(heights) else (plot.top + plot.bottom) / 2
    return QPointF(plot.x(curves.broken), float(height))


def paint_no_curves(painter: QPainter, theme: Theme, plot: Plot) -> None:
    """Say in the middle that there are no curves, and why."""
    label = word(theme, _("This trace holds no loss and no accuracy."), 14)
    x = (plot.left + plot.right - label.width) / 2
    paint_word(painter, label, x, (plot.top + plot.bottom) / 2, theme.color("ink3"))


def _paint_track(
    painter: QPainter, theme: Theme, setting: Setting, end: float | None, recorded: Array
) -> None:
    plot, height = setting.plot, theme.px(TRACK)
    painter.setPen(Qt.PenStyle.NoPen)
    top, half = setting.track - height / 2, height / 2
    done = end
    if len(recorded):
        done = max(end or 0.0, plot.x(float(recorded[-1])))
    for right, colour in ((plot.right, "line2"), (done, "ctl")):
        if right is not None:
            painter.setBrush(theme.color(colour))
            painter.drawRoundedRect(QRectF(plot.left, top, right - plot.left, height), half, half)
    if len(recorded):
        ticks = thinned(plot.xs(recorded), theme.px(TICK_GAP))
        reach = theme.px(TICK) / 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(theme.color("ctl"), theme.px(1.25)))
        painter.drawLines(
            [
                QLineF(round(x), setting.track - reach, round(x), setting.track + reach)
                for x in ticks
            ]
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if plot.last_epoch > 0:
        most = int((plot.right - plot.left) / theme.px(_LABEL_ROOM)) + 1
        for epoch in label_epochs(plot.last_epoch, min(most, 6)):
            label = word(theme, str(epoch), 13)
            x = min(plot.x(epoch) - label.width / 2, painter.window().right() - label.width)
            paint_word(painter, label, x, setting.labels, theme.color("ink3"))


def _paint_axis(painter: QPainter, theme: Theme, plot: Plot, curves: Curves) -> None:
    for value, y in ((curves.high, plot.top), (curves.low, plot.bottom)):
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(QLineF(plot.left, round(y) + 0.5, plot.right, round(y) + 0.5))
        if len(curves.loss):
            label = word(theme, _short(value), 12)
            x = max(plot.left - theme.px(8) - label.width, 0.0)
            paint_word(painter, label, x, y, theme.color("ink3"))


def _short(value: float) -> str:
    """Return a round number in few characters, such as 3.5, 2000 or 4e11."""
    text = display_number(value, 2)
    if abs(value) >= _LONG and "e" not in text:
        power = math.floor(math.log10(abs(value)))
        text = f"{display_number(value / 10**power, 1)}e{power}"
    digits, mark, rest = text.partition("e")
    return (digits.rstrip("0").rstrip(".") if "." in digits else digits) + mark + rest


def _paint_line(painter: QPainter, line: tuple[Array, Array], colour: QColor, width: float) -> None:
    x, y = line
    if not len(x):
        return
    if len(x) > x[-1] - x[0] + 2:
        # More points than pixels: an antialiased line through all of them would take its time.
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        half = width / 2
        painter.drawRects(
            [
                QRectF(at, top - half, 1, bottom - top + width)
                for at, top, bottom in zip(*(part.tolist() for part in columns(x, y)), strict=True)
            ]
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        return
    pen = QPen(colour, width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    points = [QPointF(*point) for point in zip(x.tolist(), y.tolist(), strict=True)]
    piece = _PIECE if len(points) > _WHOLE else max(len(points), 2)
    for first in range(0, len(points) - 1, piece - 1):
        painter.drawPolyline(QPolygonF(points[first : first + piece]))


def _paint_cross(painter: QPainter, theme: Theme, at: QPointF) -> None:
    reach = theme.px(CROSS)
    painter.setPen(QPen(theme.color("err"), theme.px(2.5)))
    for up in (-1, 1):
        painter.drawLine(
            QPointF(at.x() - reach, at.y() - up * reach),
            QPointF(at.x() + reach, at.y() + up * reach),
        )


def _paint_ends(
    painter: QPainter,
    theme: Theme,
    plot: Plot,
    ends: list[tuple[str, QColor, QPointF]],
    gap: float,
) -> list[QRectF]:
    """Name the curves where they end: to the right in what is not yet run, else to the left."""
    boxes: list[QRectF] = []
    heights = [at.y() for _text, _colour, at in ends]
    for text, colour, at in ends:
        label = word(theme, text, 15, 600)
        right = at.x() + gap + label.width <= plot.right
        x = at.x() + gap if right else at.x() - gap - label.width
        # Within the plot, below a curve that ends high and above one that ends low; of two that
        # end close together, above the upper one and below the lower one.
        below = at.y() < (plot.top + plot.bottom) / 2
        if max(heights) - min(heights) < 2 * label.height:
            apart = below if len(set(heights)) == 1 else at.y() == max(heights)
            clear = at.y() + (1.1 if apart else -1.1) * label.height
            below = apart if plot.top <= clear <= plot.bottom else below
        middle = at.y() + (label.height * 0.6 if below else -label.height * 0.6)
        box = QRectF(x, middle - label.height / 2, label.width, label.height)
        for other in boxes:
            if box.intersects(other):
                free = other.bottom() if other.bottom() + box.height() <= plot.bottom else None
                box.moveTop(other.top() - box.height() if free is None else free)
        boxes.append(box)
        if not right:
            painter.fillRect(box.adjusted(-4, 0, 4, 0), theme.color("win", 0.85))
        paint_word(painter, label, box.x(), box.center().y(), colour)
    return boxes
