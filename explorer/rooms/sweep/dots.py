"""A dot a run where all sentences became right, a row for each setting; logarithmic."""

from __future__ import annotations

import math
from bisect import bisect, insort
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from explorer.kit.numbers import Columns
from explorer.kit.table.painting import (
    LEFT,
    RIGHT,
    draw_box,
    draw_ring,
    draw_text,
    elided,
    text_width,
)
from explorer.kit.theme import Theme
from explorer.rooms.sweep.picture import Picture
from explorer.rooms.sweep.shown import SelectedRun, Shown
from explorer.rooms.sweep.words import run_name, setting_words
from explorer.sweeps.plan import Setting, Value, setting_text, value_text
from explorer.text import _, joined_long, labelled, plain_tip

_DOT, _APART, _CHOSEN = 3.4, 6.4, 6.5  # px at 100 %: radius, distance, radius of the selected
_ROW = 14  # px at 100 %, of the lowest row
MOST_ROWS = 400  # the first ones
_BAR = 4  # px at 100 % wide, beside the rows of a value
_NEVER = 78  # px at 100 %, of the column of runs that are never right


@dataclass(frozen=True)
class Dot:
    """A run, and its place in px."""

    run: int
    at: QPointF
    value: Value


class Dots(Picture):
    """A row of dots for each setting: from which epoch on every sentence is right.

    The rows of one value of the first field stand together. A run that never becomes all right
    stands in a column at the right, one that diverged as a cross.
    """

    picked = Signal(int)  # a run

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("All sentences correct from epoch …"), parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._found: tuple[object, list[Dot]] = (None, [])

    def draw(self, shown: Shown | None, selected: SelectedRun | None) -> None:
        """Show a sweep, and the run of it that is looked at."""
        rows = 0 if shown is None else min(len(shown.rows), MOST_ROWS)
        height = self.theme.px(max(140, rows * _ROW + 32))
        if self.minimumHeight() != height:
            self.setMinimumHeight(height)
        super().draw(shown, selected)

    @property
    def said(self) -> str:
        """The medians, in words."""
        if self.shown is None:
            return ""
        return joined_long(
            labelled(setting_words(row.setting), "–" if row.median is None else f"{row.median:g}")
            for row in self.shown.rows[:MOST_ROWS]
        )

    def sizeHint(self) -> QSize:
        """Return a size at which nine rows can be read."""
        return QSize(self.theme.px(520), self.theme.px(300))

    def plotted(self) -> Columns:
        """Return of each run its number, setting and seed, and from which epoch on all is right."""
        if self.shown is None:
            return {}
        plan, results = self.shown.plan, self.shown.results
        return {
            "run": [run + 1 for run in results],
            "setting": [plan.place(run) + 1 for run in results],
            "seed": [plan.seed(run) for run in results],
            "all right from epoch": [
                math.nan if each.all_right_from is None else each.all_right_from
                for each in results.values()
            ],
        }

    # --- where things are ------------------------------------------------------------------------

    def _names(self, shown: Shown) -> tuple[float, float]:
        """Return the widths of the names of values, and of the rows beside them."""
        shared = len(shown.plan.varied) > 0
        values = (text_width(self.theme, value_text(each), 15, 600) for each in shown.bands)
        rows = shown.rows[:MOST_ROWS]
        names = (text_width(self.theme, _rest(shown, row.setting), 13) for row in rows)
        first, rest = max(values, default=0.0), max(names, default=0.0)
        most = self.width() * 0.4
        return (min(first, most / 2) if shared else 0.0), min(rest, most)

    def _place(self, shown: Shown) -> QRectF:
        px = self.theme.px
        first, rest = self._names(shown)
        left = px(_BAR) + px(12) * (first > 0) + first + px(16) * (rest > 0) + rest + px(14)
        right = px(_NEVER if any(row.never_right for row in shown.rows) else 14)
        return QRectF(left, px(4), max(self.width() - left - right, 1), self.height() - px(30))

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

    def _high(self, place: QRectF, shown: Shown) -> float:
        return place.height() / max(min(len(shown.rows), MOST_ROWS), 1)

    def dots(self) -> list[Dot]:
        """Return the runs with their places."""
        shown = self.shown
        if shown is None or not shown.rows:
            return []
        at = shown, self.size(), self.theme
        if self._found[0] != at:
            self._found = at, list(self._made(shown))
        return self._found[1]

    def _made(self, shown: Shown) -> Iterator[Dot]:
        place, px = self._place(shown), self.theme.px
        first = self._first(shown)
        high = self._high(place, shown)
        apart = self._apart(high)
        taken: dict[int, dict[int, list[float]]] = {}
        for run in sorted(shown.losses):
            result, row = shown.results[run], shown.plan.place(run)
            if row >= MOST_ROWS:
                continue
            start = result.all_right_from
            x = place.right() + px(38) if start is None else self._x(place, shown, start, first)
            y = place.top() + (row + 0.5) * high
            # A place in the column at the right means nothing: what is too much stands beside.
            aside = int(px(_NEVER - 16) / 2 / apart) if start is None else 0
            at = _free(QPointF(x, y), taken.setdefault(row, {}), apart, high, aside)
            yield Dot(run, at, shown.value(shown.rows[row].setting))

    # --- painting --------------------------------------------------------------------------------

    def paint(self, painter: QPainter, shown: Shown) -> None:
        """Paint rows, dots, medians and the runs that never became all right."""
        px, theme, place = self.theme.px, self.theme, self._place(shown)
        high, first = self._high(place, shown), self._first(shown)
        self._paint_axis(painter, shown, place, first)
        self._paint_rows(painter, shown, place, high)
        chosen = None if self.selected is None else self.selected.run
        radius = self._apart(high) * _DOT / _APART
        for dot in self.dots():
            if shown.results[dot.run].status == "diverged":
                self._paint_cross(painter, dot.at, radius)
            elif dot.run != chosen:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self.colour(dot.value))
                painter.drawEllipse(dot.at, radius, radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("ink1"), px(2)))
        for number, row in enumerate(shown.rows[:MOST_ROWS]):
            if row.median is not None:
                x = self._x(place, shown, row.median, first)
                y = place.top() + (number + 0.5) * high
                half = min(high * 0.42, px(16))
                painter.drawLine(QPointF(x, y - half), QPointF(x, y + half))
        for dot in self.dots():  # over the lines of the medians
            if dot.run == chosen:
                diverged = shown.results[dot.run].status == "diverged"
                painter.setPen(QPen(theme.color("ink1"), px(2)))
                painter.setBrush(theme.color("canvas") if diverged else self.colour(dot.value))
                size = px(10) * _CHOSEN / 10
                painter.drawEllipse(dot.at, size, size)
                if diverged:
                    self._paint_cross(painter, dot.at, radius)
        draw_ring(painter, theme, self)

    def _paint_cross(self, painter: QPainter, at: QPointF, radius: float) -> None:
        painter.setPen(QPen(self.theme.color("err"), 1.6))
        for side in (-radius, radius):
            painter.drawLine(at + QPointF(-radius, side), at + QPointF(radius, -side))

    def _paint_axis(self, painter: QPainter, shown: Shown, place: QRectF, first: float) -> None:
        px, theme = self.theme.px, self.theme
        last_name = -math.inf
        for epoch in _marks(first, shown.epochs):
            x = self._x(place, shown, epoch, first)
            painter.setPen(QPen(theme.color("line"), 1))
            painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()))
            if x - last_name >= px(34):
                last_name = x
                box = QRectF(x - px(30), place.bottom() + px(6), px(60), px(18))
                draw_text(painter, theme, str(epoch), box, theme.color("ink3"), 13)
        never = sum(row.never_right for row in shown.rows)
        if never:
            box = QRectF(place.right() + px(2), place.bottom() + px(6), px(_NEVER - 2), px(18))
            said = _("never: {count}").format(count=never)
            # At the right of its column: the last epoch's number reaches into it from the left.
            draw_text(painter, theme, said, box, theme.color("ink3"), 13, align=RIGHT)

    def _paint_rows(self, painter: QPainter, shown: Shown, place: QRectF, high: float) -> None:
        px, theme = self.theme.px, self.theme
        first, rest = self._names(shown)
        start = 0
        rows = shown.rows[:MOST_ROWS]
        for number, row in enumerate(rows):
            y = place.top() + (number + 0.5) * high
            painter.setPen(QPen(theme.color("grid"), 1))
            painter.drawLine(QPointF(place.left(), y), QPointF(place.right(), y))
            text = elided(theme, _rest(shown, row.setting), 13, 400, math.ceil(rest))
            box = QRectF(place.left() - px(14) - rest, y - high / 2, rest, high)
            draw_text(painter, theme, text, box, theme.color("ink2"), 13, align=RIGHT)
            value = shown.value(row.setting)
            if number + 1 < len(rows) and shown.value(rows[number + 1].setting) == value:
                continue
            top, bottom = place.top() + start * high, place.top() + (number + 1) * high
            start = number + 1
            bar = QRectF(0, top + px(4), px(_BAR), max(bottom - top - px(8), 2))
            draw_box(painter, bar, px(2), self.colour(value))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if start < len(rows):
                painter.setPen(QPen(theme.color("line"), 1))
                painter.drawLine(QPointF(0, bottom), QPointF(self.width(), bottom))
            if value is not None or first:
                size, name = 15 if high > px(20) else 13, value_text(value)
                box = QRectF(px(_BAR + 12), top, first + px(2), bottom - top)
                draw_text(painter, theme, name, box, self.ink(value), size, 600, LEFT)

    # --- mouse and keys --------------------------------------------------------------------------

    def _near(self, at: QPointF) -> Dot | None:
        near = min(self.dots(), key=lambda dot: _distance(dot.at, at), default=None)
        return near if near and _distance(near.at, at) <= self.theme.px(10) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pick the run whose dot is pressed."""
        near = self._near(event.position())
        if near is not None:
            self.picked.emit(near.run)

    def event(self, event: QEvent) -> bool:
        """Say which run a dot is."""
        if isinstance(event, QHelpEvent) and self.shown is not None:
            near = self._near(QPointF(event.pos()))
            said = "" if near is None else run_name(self.shown.plan, near.run)
            QToolTip.showText(event.globalPos(), plain_tip(said), self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from dot to dot and from row to row with the arrow keys."""
        shown = self.shown
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        rows = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if shown is None or not shown.rows or (step is None and rows is None):
            super().keyPressEvent(event)
            return
        chosen = None if self.selected is None else self.selected.run
        here = min(shown.losses, default=0) if chosen is None else chosen
        row = shown.plan.place(here)
        wanted = (
            row if rows is None else min(max(row + rows, 0), min(len(shown.rows), MOST_ROWS) - 1)
        )
        places = [
            dot.run
            for dot in sorted(self.dots(), key=lambda dot: dot.at.x())
            if shown.plan.place(dot.run) == wanted
        ]
        if not places:
            return
        if here in places:
            at = places.index(here) + (step or 0)
            self.picked.emit(places[min(max(at, 0), len(places) - 1)])
        else:
            self.picked.emit(places[0])


def _free(
    at: QPointF, taken: dict[int, list[float]], apart: float, high: float, aside: int
) -> QPointF:
    """Return the nearest place above or below that no other dot has, within the row, and take it.

    taken : the dots of each lane of the row, from left to right: dots of two lanes never touch
    aside : how many columns beside it may be taken too, where there is none
    """
    steps = int((high - apart) / 2 / apart) if aside else max(1, int(high / 2 / apart))
    for column in _outwards(aside):
        x = at.x() + column * apart
        for lane in _outwards(steps):
            others = taken.setdefault(lane, [])
            place = bisect(others, x)
            if all(abs(each - x) >= apart - 0.01 for each in others[max(place - 1, 0) : place + 1]):
                insort(others, x)
                return QPointF(x, at.y() + lane * apart)
    insort(taken[0], at.x())
    return at


def _outwards(most: int) -> Iterator[int]:
    """Yield 0, 1, −1, 2, −2 and so on."""
    yield 0
    for k in range(1, most + 1):
        yield from (k, -k)


def _distance(one: QPointF, other: QPointF) -> float:
    return math.hypot(one.x() - other.x(), one.y() - other.y())


def _rest(shown: Shown, setting: Setting) -> str:
    """Return a setting in words, without the value that its rows stand beside."""
    rest = {name: value for name, value in setting.items() if name != shown.first_field}
    return setting_text(rest)


def _marks(first: float, last: int) -> list[int]:
    """Return the epochs that stand below: 1, 2, 5, 10, …"""
    found = [k * 10**power for power in range(6) for k in (1, 2, 5)]
    return [each for each in found if first <= each <= last]
