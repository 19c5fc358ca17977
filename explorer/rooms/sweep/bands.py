"""The losses of a sweep as bands: median and 10 to 90 %, on a logarithmic axis."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF
from PySide6.QtWidgets import QWidget

from explorer.kit.loss_curves import label_epochs
from explorer.kit.numbers import Columns
from explorer.kit.plot import Curve, Plot, paint_plot
from explorer.kit.table.painting import LEFT, draw_text, text_width
from explorer.kit.table.painting import RIGHT as AT_RIGHT
from explorer.kit.theme import Theme
from explorer.rooms.sweep.picture import RIGHT, Picture, points
from explorer.rooms.sweep.shown import Shown
from explorer.rooms.sweep.words import run_name, seed_name
from explorer.session import Array
from explorer.sweeps.plan import Value, value_text
from explorer.text import _

_STEP = 8.0  # px between the places that are tried
_LEFT, _TOP, _BOTTOM = 48, 22, 26  # px at 100 % around the losses
_BAND = 0.22  # opacity
_GROUND = 0.85  # opacity, below a caption that a median goes through
_LONGEST = 0.6  # of the width, that a caption takes
_SHARE_BELOW = 0.3  # of a power of ten, shown below the least loss


def caption_place(
    line: Sequence[QPointF],
    others: Sequence[Sequence[QPointF]],
    size: tuple[float, float],
    place: QRectF,
    gap: float,
) -> tuple[QRectF, int]:
    """Return a caption's box above or below its line, and how many other lines go through it.

    Of the boxes that the fewest go through, and of these that the fewest keep apart from its line,
    the one that is nearest to a third of the way.

    line, others : points whose x ascends, in px
    size : width and height of the caption
    place : what all lie in; the caption may be higher
    gap : between the caption and its line
    """
    wide, high = size
    at = line[len(line) // 3].x()
    last = max(place.right() - wide, place.left())
    own, crossing = _along(line), [_along(other) for other in others if other]
    best: tuple[int, int, float, float, float] | None = None
    for left in {min(at, last), *np.arange(place.left(), last, _STEP).tolist()}:
        ys = _within(own, left, left + wide)
        for top in (ys.min() - gap - high, ys.max() + gap) if len(ys) else ():
            if 0 <= top <= place.bottom() - high:
                met = sum(_meets(other, left, wide, top, high) for other in crossing)
                upper, lower = min(top, ys.min()), max(top + high, ys.max())
                between = sum(_meets(other, left, wide, upper, lower - upper) for other in crossing)
                found = met, between, abs(left - at), top, left
                best = found if best is None else min(best, found)
    met, _between, _away, top, left = best or (len(others), 0, 0.0, 0.0, min(at, last))
    return QRectF(left, top, wide, high), met


def _along(line: Sequence[QPointF]) -> tuple[Array, Array]:
    return np.array([each.x() for each in line]), np.array([each.y() for each in line])


def _within(line: tuple[Array, Array], left: float, right: float) -> Array:
    """Return the heights of a line between two places, at both ends of what lies there too."""
    xs, ys = line
    start, end = max(left, xs[0]), min(right, xs[-1])
    if start > end:
        return np.zeros(0)
    inside = ys[(xs > start) & (xs < end)]
    found: Array = np.concatenate([np.interp([start, end], xs, ys), inside])
    return found


def _meets(line: tuple[Array, Array], left: float, wide: float, top: float, high: float) -> bool:
    """Return whether a line goes through a box: one that does not is above all of it, or below."""
    ys = _within(line, left, left + wide)
    return bool(len(ys)) and not ((ys < top).all() or (ys > top + high).all())


class LossBands(Picture):
    """The median loss at each epoch and the band of 10 to 90 %, for each value; logarithmic."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Loss over the epochs"), parent)

    def sizeHint(self) -> QSize:
        """Return a size at which bands can be told apart."""
        return QSize(self.theme.px(520), self.theme.px(230))

    def minimumSizeHint(self) -> QSize:
        """Return a size at which they can be seen."""
        return QSize(self.theme.px(240), self.theme.px(120))

    def plotted(self) -> Columns:
        """Return the numbers of the bands, by name."""
        if self.shown is None:
            return {}
        found: dict[str, Array] = {"epoch": np.arange(self.shown.epochs + 1.0)}
        for value, band in self.shown.bands.items():
            for name, row in zip(("10 %", "median", "90 %"), band, strict=True):
                found[f"{value_text(value)} {name}"] = row
        return found

    def paint(self, painter: QPainter, shown: Shown) -> None:
        """Paint bands, medians, the selected run and the ends of the medians."""
        px = self.theme.px
        place = QRectF(
            px(_LEFT),
            px(_TOP),
            self.width() - px(_LEFT + RIGHT),
            self.height() - px(_TOP + _BOTTOM),
        )
        logs = {value: _log(band) for value, band in shown.bands.items()}
        chosen = None if self.selected is None else _log(self.selected.loss)
        every = [
            part[np.isfinite(part)]
            for part in (*logs.values(), *([] if chosen is None else [chosen]))
        ]
        numbers = np.concatenate(every) if every else np.zeros(0)
        if not len(numbers):
            return
        low, high = float(numbers.min()), max(float(numbers.max()), float(numbers.min()) + 0.1)
        if low - math.floor(low) < _SHARE_BELOW:
            low = float(math.floor(low))  # a power of ten that is near is shown
        seen = QRectF(0, low, shown.epochs, high - low)
        epochs = np.arange(shown.epochs + 1.0)
        curves = [
            Curve(epochs[: band.shape[1]], band[1], self.colour(value), 2.25)
            for value, band in logs.items()
        ]
        run = []
        if chosen is not None:
            ink = self.theme.color("ink1")
            run = [Curve(epochs[: len(chosen)], chosen, ink, 2.0, dashed=True)]
        bottom = [(float(each), str(each)) for each in label_epochs(shown.epochs, 6)]
        for value, band in logs.items():
            self._paint_band(painter, place, seen, band, self.colour(value))
        paint_plot(
            painter,
            self.theme,
            Plot(
                (self.width(), self.height()),
                place,
                seen,
                _ticks(low, high),
                bottom,
                [*curves, *run],
                rules=True,
            ),
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen is not None:
            fine = np.isfinite(chosen)
            line = points(place, seen, epochs[: len(chosen)][fine], chosen[fine])
            medians = [
                [at for at in points(place, seen, each.x, each.y) if math.isfinite(at.y())]
                for each in curves
            ]
            self._name_chosen(painter, shown, place, line, medians)
        after = px(8) + text_width(self.theme, str(shown.epochs), 13) / 2
        box = QRectF(place.right() + after, place.bottom() + px(4), px(RIGHT), px(16))
        draw_text(painter, self.theme, _("epoch"), box, self.theme.color("ink3"), 13, align=LEFT)
        self._paint_ends(painter, place, seen, logs)

    def _paint_band(
        self, painter: QPainter, place: QRectF, seen: QRectF, band: Array, colour: QColor
    ) -> None:
        fine = np.isfinite(band).all(axis=0)
        epochs = np.arange(float(band.shape[1]))[fine]
        if not len(epochs):
            return
        there = points(place, seen, epochs, band[0][fine])
        back = points(place, seen, epochs[::-1], band[2][fine][::-1])
        fill = QColor(colour)
        fill.setAlphaF(_BAND)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawPolygon(QPolygonF([*there, *back]))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _name_chosen(
        self,
        painter: QPainter,
        shown: Shown,
        place: QRectF,
        line: list[QPointF],
        medians: list[list[QPointF]],
    ) -> None:
        """Name the selected run beside its line, off the medians where there is room."""
        if self.selected is None or not line:
            return
        theme, px = self.theme, self.theme.px
        text = run_name(shown.plan, self.selected.run)
        if text_width(theme, text, 13) > place.width() * _LONGEST:
            text = seed_name(shown.plan, self.selected.run)  # the panel has the setting
        size = text_width(theme, text, 13) + 2, float(px(16))
        box, met = caption_place(line, medians, size, place, px(4))
        if met:
            painter.fillRect(box, theme.color("canvas", _GROUND))
        draw_text(painter, theme, text, box, theme.color("ink1"), 13, align=LEFT)

    def _paint_ends(
        self, painter: QPainter, place: QRectF, seen: QRectF, logs: dict[Value, Array]
    ) -> None:
        """Name each value at the end of its median, with the loss below; none over another."""
        px, theme = self.theme.px, self.theme
        height, least = float(px(34)), float(px(17))
        ends = []
        for value, band in logs.items():
            fine = np.flatnonzero(np.isfinite(band[1]))
            if len(fine):
                [at] = points(place, seen, np.array([float(fine[-1])]), band[1][fine[-1:]])
                ends.append((at.y(), value, 10.0 ** float(band[1][fine[-1]])))
        room = (place.bottom() + px(12)) / max(len(ends), 1)
        single = room < height  # no room for two lines each
        height = min(height, max(room, least))
        below = place.bottom() + px(9)
        for y, value, loss in sorted(ends, key=lambda each: each[0], reverse=True):
            top = min(y - (height / 2 if single else px(9)), below - height)
            below = top
            box = QRectF(place.right() + px(8), top, px(RIGHT - 8), px(17))
            text = value_text(value) if value is not None else _("median")
            draw_text(painter, theme, text, box, self.ink(value), 13.5, 600, LEFT)
            if not single:
                box.translate(0, px(16))
            where = AT_RIGHT if single else LEFT
            draw_text(painter, theme, f"{loss:.2g}", box, theme.color("ink3"), 13, align=where)


def _ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Return the labels between two powers of ten: these, or what is between where they are few."""
    found: list[tuple[float, str]] = []
    for parts in ((1.0,), (1.0, 2.0, 5.0), np.arange(1, 10), np.arange(1, 10, 0.2)):
        found = [
            (at, f"{part * 10.0**k:.3g}" if k > -4 else f"{part:g}e\u2212{-k}")
            for k in range(math.floor(low), math.ceil(high) + 1)
            for part in parts
            if low <= (at := k + math.log10(part)) <= high
        ]
        if len(found) > 1:
            break
    return found


def _log(values: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Array = np.log10(values)
    return np.where(np.isfinite(found), found, np.nan)
