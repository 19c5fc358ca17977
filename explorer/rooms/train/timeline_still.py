"""The timeline's curves as a cached picture, onto which a followed run is painted as it grows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPixmap

from explorer.kit.loss_curves import Curves
from explorer.kit.plot import Curve, Plot, paint_more, paint_plot
from explorer.kit.theme import Theme
from explorer.rooms.train.timeline_paint import (
    ChartLayout,
    axis_ticks,
    loss_and_accuracy,
    paint_ground,
    paint_track,
    run_until,
)
from explorer.session.train import RunState, TrainFrame

_OVERLAP = 6.0  # px that lines are painted beyond what came


@dataclass(frozen=True, eq=False)
class Shown:
    """What the picture shows, and where.

    size, ratio : of the chart, and how many pixels a px has
    curves : of A
    second : of B, or None
    """

    theme: Theme
    size: QSize
    ratio: float
    laid: ChartLayout
    frame: TrainFrame
    curves: Curves
    second: Curves | None

    @property
    def grows(self) -> bool:
        """Whether the next picture follows at once, with more epochs in it."""
        frame = self.frame
        running = frame.progress.state is RunState.RUNNING and frame.playback.following
        return running and self.second is None

    @property
    def key(self) -> tuple[object, ...]:
        """What the picture is painted anew for."""
        curves, frame = self.curves, self.frame
        scale: tuple[object, ...] = (curves, len(frame.recorded))
        if self.grows:
            scale = (curves.low, curves.high, curves.log, bool(len(curves.loss)))
        return (self.size, self.ratio, self.theme, self.laid, frame.trace, self.grows, *scale)

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many accuracies, losses and recorded epochs there are."""
        return len(self.curves.accuracy), len(self.curves.loss), len(self.frame.recorded)


class Still:
    """Paints the curves, and keeps the picture that was painted last."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._picture = QPixmap()
        self._empty: QPixmap | None = None  # the same without a run, once that is needed
        self._counts = 0, 0, 0  # that the picture shows
        self._until: float | None = None  # its place up to which there are epochs
        self._lines: tuple[tuple[object, ...], tuple[Curve, ...]] = ((), ())

    def picture(self, shown: Shown) -> QPixmap:
        """Return the picture; while a run is followed, what came since is painted onto the last."""
        key, counts = shown.key, shown.counts
        until = run_until(shown.laid.axis, shown.curves)
        if key != self._key:
            self._key, self._empty = key, None
            self._picture = _pixmap(shown)
            with QPainter(self._picture) as painter:
                self.paint(painter, shown)
        elif counts != self._counts or until != self._until:
            with QPainter(self._picture) as painter:
                self._paint_more(painter, shown, until)
        self._counts, self._until = counts, until
        return self._picture

    def paint(self, painter: QPainter, shown: Shown) -> None:
        """Paint the track, and the plot over it."""
        paint_ground(painter, shown.theme, shown.laid, shown.curves, shown.frame.recorded)
        paint_plot(painter, shown.theme, _plot(shown, self._drawn(shown)))

    def _drawn(self, shown: Shown) -> tuple[Curve, ...]:
        of = shown.curves, shown.second, shown.theme
        if self._lines[0] != of:
            lines = loss_and_accuracy(shown.curves, shown.theme)
            if shown.second is not None:
                lines = (*loss_and_accuracy(shown.second, shown.theme, "run_b"), *lines)
            self._lines = of, lines
        return self._lines[1]

    def _paint_more(self, painter: QPainter, shown: Shown, until: float | None) -> None:
        axis, theme = shown.laid.axis, shown.theme
        if until is None:
            return
        if self._empty is None:
            self._empty = _pixmap(shown)
            with QPainter(self._empty) as under:
                paint_plot(under, theme, _plot(shown, ()))
        since = axis.left if self._until is None else self._until
        paint_track(painter, theme, shown.laid, until, shown.frame.recorded, since)
        # In whole px, and from before where the lines ended: they go on without a seam.
        left = max(math.floor(since) - 1.0, axis.left)
        strip = QRectF(left, axis.top, max(round(until) - left, 0.0), axis.bottom - axis.top)
        source = QRectF(strip.topLeft() * shown.ratio, strip.size() * shown.ratio)
        painter.drawPixmap(strip, self._empty, source)
        lines = self._drawn(shown)
        first = axis.epoch(left - _OVERLAP)
        more = [
            replace(line, x=line.x[at:], y=line.y[at:])
            for line in lines
            for at in [max(int(np.searchsorted(line.x, first)) - 1, 0)]
        ]
        painter.setClipRect(strip.adjusted(0, -_OVERLAP, _OVERLAP, _OVERLAP))
        paint_more(painter, theme, _plot(shown, lines), more)


def _plot(shown: Shown, lines: Sequence[Curve]) -> Plot:
    theme, laid, axis = shown.theme, shown.laid, shown.laid.axis
    left, bottom = axis_ticks(theme, laid, shown.curves)
    # Lines at the ends of the axis are seen in their whole width.
    apart, high = theme.px(4), axis.bottom - axis.top
    return Plot(
        (shown.size.width(), shown.size.height()),
        QRectF(axis.left, axis.top - apart, axis.right - axis.left, high + 2 * apart),
        QRectF(axis.first, -apart / high, max(axis.last - axis.first, 1), 1 + 2 * apart / high),
        left,
        bottom,
        lines,
        rules=True,
        below=laid.labels - axis.bottom - apart,
    )


def _pixmap(shown: Shown) -> QPixmap:
    pixmap = QPixmap(shown.size * shown.ratio)
    pixmap.setDevicePixelRatio(shown.ratio)
    pixmap.fill(shown.theme.color("win"))
    return pixmap
