"""The plots of a sweep: losses as bands, and a dot a run where all became right."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.kit.epoch_axis import label_epochs
from explorer.kit.numbers import Columns
from explorer.kit.plot import Curve, Plot, paint_plot
from explorer.kit.theme import Theme
from explorer.rooms.sweep.shown import Shown
from explorer.session import Array
from explorer.sweeps.plan import Setting, Value, value_text
from explorer.text import _, display_number
from explorer.traces import LABELS

_DOT, _APART, _CHOSEN = 3.4, 6.4, 6.5  # px at 100 %: radius, distance, radius of the selected
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 92, 10, 26  # px at 100 % around the losses
_BAND = 0.22  # opacity


class _Picture(QWidget):
    """A painted picture of a sweep."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.shown: Shown | None = None
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def draw(self, shown: Shown | None) -> None:
        """Show a sweep."""
        self.shown = shown
        self.setAccessibleDescription(self.said)
        self.update()

    @property
    def said(self) -> str:
        """What is shown, in words."""
        if self.shown is None:
            return ""
        first = self.shown.first_field
        name = "" if first is None else f"{_(LABELS[first])} "
        return "; ".join(
            f"{name}{value_text(value)}: {display_number(float(band[1][-1]), 3)}"
            for value, band in self.shown.bands.items()
        )

    def colour(self, value: Value) -> QColor:
        """Return the shade of a value of the first field."""
        assert self.shown is not None
        return self.theme.weights_map.fill(self.shown.shade(value), 1.0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what there is."""
        if self.shown is not None and self.shown.results:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.paint(painter, self.shown)

    def paint(self, painter: QPainter, shown: Shown) -> None:
        """Paint a sweep."""
        raise NotImplementedError


class LossBands(_Picture):
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
            self.width() - px(_LEFT + _RIGHT),
            self.height() - px(_TOP + _BOTTOM),
        )
        logs = {value: _log(band) for value, band in shown.bands.items()}
        chosen = None if shown.selected is None else _log(shown.losses[shown.selected])
        every = [
            part[np.isfinite(part)]
            for part in (*logs.values(), *([] if chosen is None else [chosen]))
        ]
        numbers = np.concatenate(every) if every else np.zeros(0)
        if not len(numbers):
            return
        low, high = float(numbers.min()), max(float(numbers.max()), float(numbers.min()) + 0.1)
        ticks = [(float(k), f"{10.0**k:g}") for k in range(math.ceil(low), math.floor(high) + 1)]
        seen = QRectF(0, low, shown.epochs, high - low)
        epochs = np.arange(shown.epochs + 1.0)
        curves = [
            Curve(epochs[: band.shape[1]], band[1], self.colour(value), 2.25)
            for value, band in logs.items()
        ]
        bottom = [(float(each), str(each)) for each in label_epochs(shown.epochs, 6)]
        for value, band in logs.items():
            self._paint_band(painter, place, seen, band, self.colour(value))
        paint_plot(
            painter,
            self.theme,
            Plot((self.width(), self.height()), place, seen, ticks, bottom, curves, rules=True),
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen is not None:
            pen = QPen(self.theme.color("ink1"), px(1.5), Qt.PenStyle.DashLine)
            painter.setPen(pen)
            fine = np.isfinite(chosen)
            line = _points(place, seen, epochs[: len(chosen)][fine], chosen[fine])
            painter.drawPolyline(QPolygonF(line))
        self._paint_ends(painter, place, seen, logs)

    def _paint_band(
        self, painter: QPainter, place: QRectF, seen: QRectF, band: Array, colour: QColor
    ) -> None:
        fine = np.isfinite(band).all(axis=0)
        epochs = np.arange(float(band.shape[1]))[fine]
        if not len(epochs):
            return
        there = _points(place, seen, epochs, band[0][fine])
        back = _points(place, seen, epochs[::-1], band[2][fine][::-1])
        fill = QColor(colour)
        fill.setAlphaF(_BAND)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawPolygon(QPolygonF([*there, *back]))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_ends(
        self, painter: QPainter, place: QRectF, seen: QRectF, logs: dict[Value, Array]
    ) -> None:
        """Name each value at the end of its median, none over another."""
        px, theme = self.theme.px, self.theme
        height = px(18)
        ends = []
        for value, band in logs.items():
            fine = np.flatnonzero(np.isfinite(band[1]))
            if len(fine):
                [at] = _points(place, seen, np.array([float(fine[-1])]), band[1][fine[-1:]])
                ends.append((at.y(), value, 10.0 ** float(band[1][fine[-1]])))
        below = float(self.height())
        for y, value, loss in sorted(ends, key=lambda each: each[0], reverse=True):
            y = min(y, below - height)
            below = y
            box = QRectF(place.right() + px(8), y - height / 2, px(_RIGHT - 8), height)
            painter.setFont(theme.font(12.5, 600))
            painter.setPen(theme.color("ink1"))
            text = value_text(value) if value is not None else _("median")
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
            painter.setFont(theme.font(12))
            painter.setPen(theme.color("ink3"))
            painter.drawText(
                box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"{loss:.2g}"
            )


@dataclass(frozen=True)
class _Dot:
    """A run's place, px; `epoch` is None where it never became all right."""

    run: int
    at: QPointF
    value: Value


class Dots(_Picture):
    """A row of dots for each setting: from which epoch on every sentence is right; logarithmic."""

    picked = Signal(int)  # a run

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("All sentences right from epoch …"), parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @property
    def said(self) -> str:
        """The medians, in words."""
        if self.shown is None:
            return ""
        return "; ".join(
            f"{_named(row.setting)}: {'–' if row.median is None else f'{row.median:g}'}"
            for row in self.shown.rows
        )

    def sizeHint(self) -> QSize:
        """Return a size at which nine rows can be read."""
        return QSize(self.theme.px(520), self.theme.px(300))

    def minimumSizeHint(self) -> QSize:
        """Return a size at which they can be seen."""
        return QSize(self.theme.px(240), self.theme.px(140))

    def plotted(self) -> Columns:
        """Return of each run its number, setting and seed, and from which epoch on all is right."""
        if self.shown is None:
            return {}
        plan, results = self.shown.plan, self.shown.results
        return {
            "run": [run + 1 for run in results],
            "setting": [run % len(plan.settings) + 1 for run in results],
            "seed": [plan.seed(run) for run in results],
            "all right from epoch": [
                math.nan if each.all_right_from is None else each.all_right_from
                for each in results.values()
            ],
        }

    def _place(self) -> QRectF:
        px = self.theme.px
        metrics = QFontMetricsF(self.theme.font(12))
        rows = () if self.shown is None else self.shown.rows
        widest = max((metrics.horizontalAdvance(_short(row.setting)) for row in rows), default=0.0)
        left = min(widest, self.width() * 0.35) + px(14)
        return QRectF(left, px(4), self.width() - left - px(_RIGHT), self.height() - px(28))

    def _first(self, shown: Shown) -> float:
        """Return the epoch at the left end of the axis."""
        found = [each.all_right_from for each in shown.results.values()]
        return 0.7 * max(1, min((each for each in found if each is not None), default=1))

    def _x(self, place: QRectF, shown: Shown, epoch: float, first: float) -> float:
        share = math.log(max(epoch, 1) / first) / math.log(max(shown.epochs, 2) / first)
        return place.left() + place.width() * share

    def _apart(self, high: float) -> float:
        """Return how far the dots of a row of some height are apart, px: five fill a low one."""
        return min(self.theme.px(10) * _APART / 10, high / 5)

    def dots(self) -> Iterator[_Dot]:
        """Yield the runs with their places."""
        shown = self.shown
        if shown is None or not shown.rows:
            return
        place, px = self._place(), self.theme.px
        high = place.height() / len(shown.rows)
        count, first = len(shown.rows), self._first(shown)
        apart = self._apart(high)
        taken: dict[int, list[QPointF]] = {}
        for run in sorted(shown.losses):
            result = shown.results[run]
            row = run % count
            start = result.all_right_from
            x = place.right() + px(40) if start is None else self._x(place, shown, start, first)
            y = place.top() + (row + 0.5) * high
            at = _free(QPointF(x, y), taken.setdefault(row, []), apart, high)
            taken[row].append(at)
            yield _Dot(run, at, shown.value(shown.rows[row].setting))

    def paint(self, painter: QPainter, shown: Shown) -> None:
        """Paint rows, dots, medians and the runs that never became all right."""
        px, theme, place = self.theme.px, self.theme, self._place()
        high = place.height() / len(shown.rows)
        painter.setFont(theme.font(12))
        metrics = QFontMetricsF(theme.font(12))
        first = self._first(shown)
        last_name = -math.inf
        for epoch in _marks(first, shown.epochs):
            x = self._x(place, shown, epoch, first)
            painter.setPen(QPen(theme.color("line"), 1))
            painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()))
            if x - last_name < px(30):
                continue
            last_name = x
            painter.setPen(theme.color("ink3"))
            painter.drawText(
                QRectF(x - px(30), place.bottom() + px(4), px(60), px(18)),
                Qt.AlignmentFlag.AlignCenter,
                str(epoch),
            )
        never = sum(row.never_right for row in shown.rows)
        if never:
            painter.setPen(theme.color("ink3"))
            painter.drawText(
                QRectF(place.right() + px(6), place.bottom() + px(4), px(64), px(18)),
                Qt.AlignmentFlag.AlignCenter,
                _("never: {count}").format(count=never),
            )
        for place_of, row in enumerate(shown.rows):
            y = place.top() + (place_of + 0.5) * high
            painter.setPen(theme.color("ink1"))
            painter.drawText(
                QRectF(0, y - high / 2, place.left() - px(10), high),
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                metrics.elidedText(
                    _short(row.setting), Qt.TextElideMode.ElideRight, place.left() - px(10)
                ),
            )
        radius = self._apart(high) * _DOT / _APART
        for dot in self.dots():
            colour = self.colour(dot.value)
            if shown.results[dot.run].status == "diverged":
                painter.setPen(QPen(theme.color("err"), px(10) * 0.16))
                for side in (-radius, radius):
                    painter.drawLine(
                        dot.at + QPointF(-radius, side), dot.at + QPointF(radius, -side)
                    )
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            size = px(10) * _CHOSEN / 10 if dot.run == shown.selected else radius
            if dot.run == shown.selected:
                painter.setPen(QPen(theme.color("ink1"), px(2)))
            painter.drawEllipse(dot.at, size, size)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("ink1"), px(2)))
        for place_of, row in enumerate(shown.rows):
            if row.median is not None:
                x, y = (
                    self._x(place, shown, row.median, first),
                    place.top() + (place_of + 0.5) * high,
                )
                half = min(high * 0.42, px(15))
                painter.drawLine(QPointF(x, y - half), QPointF(x, y + half))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pick the run whose dot is pressed."""
        at = event.position()
        near = min(self.dots(), key=lambda dot: _distance(dot.at, at), default=None)
        if near is not None and _distance(near.at, at) <= self.theme.px(10):
            self.picked.emit(near.run)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk the dots of a row with the arrow keys, and the rows."""
        shown = self.shown
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        rows = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if shown is None or not shown.rows or (step is None and rows is None):
            super().keyPressEvent(event)
            return
        count = len(shown.rows)
        here = min(shown.losses, default=0) if shown.selected is None else shown.selected
        row = here % count
        wanted = row if rows is None else min(max(row + rows, 0), count - 1)
        dots = sorted(
            (dot for dot in self.dots() if dot.run % count == wanted), key=lambda dot: dot.at.x()
        )
        if not dots:
            return
        places = [dot.run for dot in dots]
        if here in places:
            places_at = places.index(here) + (step or 0)
            self.picked.emit(places[min(max(places_at, 0), len(places) - 1)])
        else:
            self.picked.emit(places[0])


def _named(setting: Setting) -> str:
    return ", ".join(f"{_(LABELS[field])} {value_text(value)}" for field, value in setting.items())


def _log(values: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Array = np.log10(values)
    return np.where(np.isfinite(found), found, np.nan)


def _points(place: QRectF, seen: QRectF, xs: Array, ys: Array) -> list[QPointF]:
    """Return places in px; y grows upwards."""
    across = place.left() + (xs - seen.left()) / seen.width() * place.width()
    down = place.bottom() - (ys - seen.top()) / seen.height() * place.height()
    return [QPointF(x, y) for x, y in zip(across.tolist(), down.tolist(), strict=True)]


def _free(at: QPointF, taken: Sequence[QPointF], apart: float, high: float) -> QPointF:
    """Return the nearest place above or below that no other dot has, within the row."""
    near = [each for each in taken if abs(each.x() - at.x()) < apart]
    steps = max(1, int(high / 2 / apart))
    for step in (sign * k for k in range(steps + 1) for sign in ((1, -1) if k else (1,))):
        tried = QPointF(at.x(), at.y() + step * apart)
        if all(_distance(tried, each) >= apart - 0.01 for each in near):
            return tried
    return at


def _distance(one: QPointF, other: QPointF) -> float:
    return math.hypot(one.x() - other.x(), one.y() - other.y())


def _short(setting: Setting) -> str:
    """Return a setting's values, in the order of its fields."""
    return ", ".join(value_text(each) for each in setting.values()) or _("all seeds")


def _marks(first: float, last: int) -> list[int]:
    """Return the epochs that stand below: 1, 2, 5, 10, …"""
    found = [k * 10**power for power in range(6) for k in (1, 2, 5)]
    return [each for each in found if first <= each <= last]
