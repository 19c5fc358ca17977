"""Paints what the timeline shows beside its plot, and gives the lines that are plotted."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.kit.canvas.text import Word, draw_word, word
from explorer.kit.loss_curves import (
    Curves,
    EpochAxis,
    accuracy_text,
    label_epochs,
    nearest,
    thinned,
)
from explorer.kit.plot import Curve, Ticks
from explorer.kit.table.painting import draw_box
from explorer.kit.theme import Theme
from explorer.session import Array
from explorer.text import _, display_number

TRACK, TICK, TICK_GAP = 6, 14, 4  # px at 100 %
DOT, CROSS = 4.5, 6
_POWERS = 3  # steps of a logarithmic axis
_LABEL_ROOM = 64  # between the labels of the epochs
_LONG = 1e5  # numbers from here on have no room beside the axis in full


@dataclass(frozen=True)
class ChartLayout:
    """Where things are in the chart, in px of the screen.

    axis : EpochAxis
    track : height of the middle of the track
    labels : height of the middle of the epoch labels
    compact : whether there is room for the curves alone, without words
    """

    axis: EpochAxis
    track: float
    labels: float
    compact: bool


@dataclass(frozen=True)
class Names:
    """Where the names of curves stand, and whether one says the loss at the playhead."""

    boxes: tuple[QRectF, ...] = ()
    say_loss: bool = False


def indigo(theme: Theme) -> QColor:
    """Return the accuracy's colour: the attention ramp where it reads well on the window."""
    return QColor(theme.weights_map.fill(0.62 if theme.dark else 0.60, 1.0))


def loss_and_accuracy(curves: Curves, theme: Theme, ink: str = "ink1") -> tuple[Curve, ...]:
    """Return accuracy and loss as lines of heights from 0 to 1."""
    if curves.end is None:
        return ()
    loss, accuracy = curves.heights(curves.loss), np.clip(curves.accuracy, 0.0, 1.0)
    return (
        Curve(curves.epochs[: len(accuracy)], accuracy, indigo(theme), 1.75),
        Curve(curves.epochs[: len(loss)], loss, theme.color(ink), 2.25),
    )


def paint_word(painter: QPainter, words: Word, x: float, middle: float, colour: QColor) -> None:
    """Paint a word from `x` on, its middle at a height."""
    draw_word(painter, words, round(x), round(middle - words.height / 2), colour)


def paint_ground(
    painter: QPainter, theme: Theme, laid: ChartLayout, curves: Curves, recorded: Array
) -> None:
    """Paint what lies below the plot: what is not yet run, the track and its ticks."""
    axis = laid.axis
    end = run_until(axis, curves)
    if end is not None and end < axis.right - 0.5:
        rest = QRectF(end, axis.top, axis.right - end, axis.bottom - axis.top)
        painter.fillRect(rest, theme.color("hover"))
    paint_track(painter, theme, laid, end, recorded)


def run_until(axis: EpochAxis, curves: Curves) -> float | None:
    """Return the place up to which there are epochs; None where there are none."""
    return None if curves.end is None else min(max(axis.x(curves.end), axis.left), axis.right)


def axis_ticks(theme: Theme, laid: ChartLayout, curves: Curves) -> tuple[Ticks, Ticks]:
    """Return the labels of the loss, on the left, and of the epochs, below."""
    axis, px = laid.axis, theme.px
    labels: list[tuple[float, str]] = []
    if axis.last > 0:
        most = int((axis.right - axis.left) / px(_LABEL_ROOM)) + 1
        epochs = label_epochs(int(axis.last), min(most, 6), axis.first)
        labels = [(epoch, str(epoch)) for epoch in epochs]
    heights: list[tuple[float, str]] = []
    if curves.end is not None and not laid.compact:
        values = [curves.low, curves.high]
        if curves.log:
            powers = np.log10(values).round().astype(int)
            step = max(math.ceil((powers[1] - powers[0]) / _POWERS), 1)
            values = [10.0 ** int(power) for power in range(powers[0], powers[1] + 1, step)]
        known = len(curves.loss) > 0
        heights = [
            (float(curves.heights(v)), _tick(v, curves.log) if known else "") for v in values
        ]
    return heights, labels


def paint_ends(
    painter: QPainter,
    theme: Theme,
    laid: ChartLayout,
    curves: Curves,
    recorded: Array,
    bad: Collection[int] = (),
    playhead: float | None = None,
) -> Names:
    """Paint what lies above the plot: where curves end, and their names.

    A name that the playhead's line would cross stands beside it, and says the value there.

    bad : the steps that cannot be shown, as far as that is known
    playhead : an epoch
    """
    axis = laid.axis
    line = None if playhead is None or not axis.holds(playhead) else axis.x(playhead)
    for step in bad:
        if axis.holds(recorded[step]):
            _paint_cross(painter, theme, QPointF(axis.x(float(recorded[step])), laid.track))
    ends = []
    if len(curves.accuracy):
        last = float(curves.accuracy[-1])
        epoch = float(curves.epochs[len(curves.accuracy) - 1])
        there = None if playhead is None else curves.accuracy_at(playhead)
        beside = accuracy_text(last if there is None else there)
        height = min(max(last, 0.0), 1.0)
        ends.append(_End(accuracy_text(last), beside, indigo(theme), epoch, height))
    if curves.broken is not None:
        text, height = _("loss is not a number"), _broken(curves)
        ends.append(_End(text, text, theme.color("err"), curves.broken, height, dot=False))
    elif len(curves.loss):
        last = float(curves.loss[-1])
        there = None if playhead is None else curves.loss_at(playhead)
        beside = _loss_text(last if there is None else there)
        height = float(curves.heights(last))
        epoch = float(curves.epochs[len(curves.loss) - 1])
        ink = theme.color("ink1")
        ends.append(_End(_loss_text(last), beside, ink, epoch, height, is_loss=True))
    radius = DOT * theme.percent / 100
    painter.setPen(Qt.PenStyle.NoPen)
    ends = [end for end in ends if axis.holds(end.epoch)]
    for end in ends:
        if end.dot:
            painter.setBrush(end.colour)
            painter.drawEllipse(end.at(axis), radius, radius)
    return Names() if laid.compact else _paint_ends(painter, theme, axis, ends, line)


@dataclass(frozen=True)
class _End:
    """The end of a curve: its name there, and beside the playhead; colour and place."""

    text: str
    beside: str
    colour: QColor
    epoch: float
    height: float
    dot: bool = True
    is_loss: bool = False

    def at(self, axis: EpochAxis) -> QPointF:
        return QPointF(axis.x(self.epoch), axis.y(self.height))


def _loss_text(loss: float) -> str:
    return _("loss {loss}").format(loss=display_number(loss, 2))


def paint_broken(painter: QPainter, theme: Theme, axis: EpochAxis, curves: Curves) -> None:
    """Mark where the loss is no number any more."""
    if curves.broken is not None and axis.holds(curves.broken):
        at = QPointF(axis.x(curves.broken), axis.y(_broken(curves)))
        _paint_cross(painter, theme, at)


def _broken(curves: Curves) -> float:
    return float(curves.heights(curves.loss[-1])) if len(curves.loss) else 0.5


def paint_no_curves(painter: QPainter, theme: Theme, plot: EpochAxis) -> None:
    """Say in the middle that there are no curves, and why."""
    label = word(theme, _("This trace holds no loss and no accuracy."), 14)
    x = (plot.left + plot.right - label.width) / 2
    paint_word(painter, label, x, (plot.top + plot.bottom) / 2, theme.color("ink3"))


def paint_readout(
    painter: QPainter, theme: Theme, plot: EpochAxis, curves: Curves, x: float
) -> None:
    """Paint a line at the epoch next to `x`, and its values; nothing beyond the curves' end."""
    end, width = curves.end, painter.window().width()
    epoch = plot.epoch(x)
    if end is None or epoch > end + 0.5:
        return
    epoch = float(curves.epochs[nearest(curves.epochs, epoch)])
    x = plot.x(epoch)
    painter.setPen(QPen(theme.color("ctl"), 1, Qt.PenStyle.DashLine))
    painter.drawLine(QPointF(x, plot.top), QPointF(x, plot.bottom))
    label = word(theme, curves.said(epoch), 13)
    pad = theme.px(8)
    wide, high = label.width + 2 * pad, label.height + theme.px(4)
    left = x + pad if x + pad + wide <= width else x - pad - wide
    box = QRectF(max(left, 1.0), 1.0, wide, high)
    draw_box(painter, box, theme.px(5), theme.color("raised"), theme.color("line2"))
    paint_word(painter, label, box.x() + pad, box.center().y(), theme.color("ink1"))


def paint_track(
    painter: QPainter,
    theme: Theme,
    laid: ChartLayout,
    end: float | None,
    recorded: Array,
    since: float = 0.0,
) -> None:
    """Paint the track, dark up to the last recorded epoch, and a tick for each of these.

    since : the place up to which there are ticks already
    """
    axis, height = laid.axis, theme.px(TRACK)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    top, half = laid.track - height / 2, height / 2
    done = end
    if len(recorded):
        done = max(end or 0.0, min(axis.x(float(recorded[-1])), axis.right))
    for right, colour in ((axis.right, "line2"), (done, "ctl")):
        if right is not None and right > axis.left:
            painter.setBrush(theme.color(colour))
            painter.drawRoundedRect(QRectF(axis.left, top, right - axis.left, height), half, half)
    first, behind = np.searchsorted(recorded, (axis.first, axis.last + 1e-9))
    if first < behind:
        ticks = thinned(axis.xs(recorded[first:behind]), theme.px(TICK_GAP))
        ticks = ticks[ticks > since - TICK_GAP]
        reach = theme.px(TICK) / 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(theme.color("ctl"), theme.px(1.25)))
        painter.drawLines(
            [QLineF(round(x), laid.track - reach, round(x), laid.track + reach) for x in ticks]
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def _tick(value: float, log: bool) -> str:
    """Return a number beside the axis: a power of ten whole, any other in few characters."""
    return f"{value:g}".replace("-", "\u2212") if log else _short(value)


def _short(value: float) -> str:
    """Return a round number in few characters, such as 3.5, 2000 or 4e11."""
    text = display_number(value, 2)
    if abs(value) >= _LONG and "e" not in text:
        power = math.floor(math.log10(abs(value)))
        text = f"{display_number(value / 10**power, 1)}e{power}"
    digits, mark, rest = text.partition("e")
    return (digits.rstrip("0").rstrip(".") if "." in digits else digits) + mark + rest


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
    plot: EpochAxis,
    ends: list[_End],
    line: float | None,
) -> Names:
    """Name the curves where they end: to the right in what is not yet run, else to the left.

    line : the place of the playhead
    """
    gap = theme.px(12)
    boxes: list[QRectF] = []
    say_loss = False
    heights = [end.at(plot).y() for end in ends]
    for end in ends:
        at, label = end.at(plot), word(theme, end.text, 15, 600)
        right = at.x() + gap + label.width <= plot.right
        x = at.x() + gap if right else at.x() - gap - label.width
        if line is not None and x - gap < line < x + label.width + gap / 2:
            label = word(theme, end.beside, 15, 600)
            say_loss |= end.is_loss
            x = max(line - gap - label.width, plot.left)
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
        paint_word(painter, label, box.x(), box.center().y(), end.colour)
    return Names(tuple(boxes), say_loss)
