"""A measure of a run or of two over their epochs, under the loss and on the same axis of time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from explorer.kit.loss_curves import EpochAxis, nearest
from explorer.kit.numbers import Columns
from explorer.kit.plot import Curve, Plot, paint_plot
from explorer.kit.run_badge import run_ink
from explorer.kit.table.painting import LEFT, draw_text, elided, text_width
from explorer.kit.theme import Theme
from explorer.session.train import TrainFrame
from explorer.session.train.measures import MEASURES, Series, measured
from explorer.text import Problem, _, display_number, labelled, plain_tip

HEIGHT = 104  # px at 100 %
_TOP, _BELOW = 24, 8
_MOST_NAMED = 8  # lines that the legend names
_ASIDE = 0.4  # opacity of two runs' lines that are not the chosen one


class OverTimeChart(QWidget):
    """Plots the chosen measure; a press or a drag goes to the epoch.

    Parameters
    ----------
    axis : callable
        Returns where the loss's epochs stand now.
    """

    reached = Signal(float, bool)  # an epoch; whether the button is still down

    def __init__(
        self, theme: Theme, axis: Callable[[], EpochAxis], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._axis = theme, axis
        self._frame = TrainFrame()
        self._of: tuple[object, ...] = ()
        self.series = Series()
        self.beside: Series | None = None  # of B
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.retheme(theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.setFixedHeight(theme.px(HEIGHT))
        self.update()

    def draw(self, frame: TrainFrame) -> None:
        """Show the measure of A, and of B; they are read anew where something of them changed."""
        self._frame = frame
        key, cursor, other = frame.look.measure, frame.cursor, frame.other
        of = (
            key,
            _length(frame),
            None if other is None else _length(other, growing=frame.progress.active),
            cursor.sample,
            cursor.layer,
            cursor.head,
            frame.selection,
            frame.look.stage,
            frame.epoch if frame.look.veiled else None,
        )
        if of != self._of:
            self._of = of
            self.series = self._measured(frame, key)
            self.beside = None if other is None else self._measured(other, key)
            self.setAccessibleName("" if key is None else _(MEASURES[key][0]))
        self.update()

    def _measured(self, frame: TrainFrame, key: str | None) -> Series:
        if key is None or frame.trace is None or not len(frame.recorded):
            return Series()
        try:
            series = measured(frame, key)
            if not frame.look.veiled:
                return series
            past = series.epochs <= frame.epoch
            lines = {name: line[past] for name, line in series.lines.items()}
            return replace(series, epochs=series.epochs[past], lines=lines)
        except Problem as problem:
            return Series(missing=problem.message)

    def columns(self) -> Columns:
        """Return the numbers of the lines, by name; B's after A's."""
        found = {"epoch": self.series.epochs, **self.series.lines}
        if self.beside is not None and self.beside.lines:
            found["B epoch"] = self.beside.epochs
            found |= {f"B {name}": line for name, line in self.beside.lines.items()}
        return found

    def _runs(self) -> list[tuple[str, Series]]:
        """Return what there is to plot of A, and of B above it, by the runs' letters."""
        both = ("A", self.series), ("B", self.beside)
        return [(letter, series) for letter, series in both if series is not None and series.lines]

    def _colours(self, letter: str, series: Series) -> dict[str, QColor]:
        names = list(series.lines)
        theme = self._theme
        if self.beside is not None:
            ink, rest = run_ink(theme, letter), QColor(run_ink(theme, letter))
            rest.setAlphaF(_ASIDE)
            return {n: ink if series.chosen in (None, n) else rest for n in names}
        if series.chosen is not None and len(names) > 1:
            rest = theme.color("ctl")
            return {n: theme.color("ink1") if n == series.chosen else rest for n in names}
        shares = np.linspace(0.95, 0.42, max(len(names), 1))
        if theme.dark:
            shares = np.linspace(0.95, 0.6, max(len(names), 1))
        return {
            n: theme.weights_map.fill(float(s), 1.0) for n, s in zip(names, shares, strict=True)
        }

    def _place(self) -> QRectF:
        axis, px = self._axis(), self._theme.px
        return QRectF(
            axis.left, px(_TOP), axis.right - axis.left, self.height() - px(_TOP + _BELOW)
        )

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the lines, their names and the playhead."""
        with QPainter(self) as painter:
            theme, px, axis = self._theme, self._theme.px, self._axis()
            painter.fillRect(self.rect(), theme.color("win"))
            place, runs = self._place(), self._runs()
            title = (
                "" if self._frame.look.measure is None else _(MEASURES[self._frame.look.measure][0])
            )
            head = QRectF(place.left(), 0, place.width(), px(_TOP))
            draw_text(painter, theme, title, head, theme.color("ink1"), 13, 600, LEFT)
            if not runs:
                said = str(self.series.missing or "")
                draw_text(painter, theme, said, place, theme.color("ink3"), 13)
                return
            values = np.concatenate([line for _run, each in runs for line in each.lines.values()])
            fine = values[np.isfinite(values)]
            low, high = (float(fine.min()), float(fine.max())) if len(fine) else (0.0, 1.0)
            low = min(low, 0.0) if low > 0 and low < 0.5 * high else low
            high = high if high > low else low + 1
            pad = 0.06 * (high - low)
            lines = []
            for letter, series in runs:
                colours = self._colours(letter, series)
                for name, line in series.lines.items():
                    known, meant = np.isfinite(line), name == series.chosen
                    width = 2.25 if meant else 1.5
                    curve = Curve(series.epochs[known], line[known], colours[name], width)
                    lines.append((meant, curve))
            # Those that are meant most lie above the others.
            lines.sort(key=lambda each: each[0])
            # Three digits: the library leaves out a label that is wider than its room.
            largest = max(abs(low), abs(high))
            places = 2 if largest < 9.995 else 1 if largest < 99.95 else 0
            ticks = [(value, display_number(value, places)) for value in (low, high)]
            span = max(axis.last - axis.first, 1)
            paint_plot(
                painter,
                theme,
                Plot(
                    (self.width(), self.height()),
                    place,
                    QRectF(axis.first, low - pad, span, high - low + 2 * pad),
                    ticks,
                    (),
                    tuple(curve for _meant, curve in lines),
                    rules=True,
                ),
            )
            self._paint_names(painter, head, px(16) + text_width(theme, title, 13, 600))
            epoch = self._frame.epoch
            if axis.holds(epoch):
                x = axis.x(epoch)
                painter.setPen(QPen(theme.color("ink1"), px(2)))
                painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()))

    def _legend(self) -> list[tuple[str, QColor]]:
        """Return the names of lines, or of the two runs, with their colours."""
        if self.beside is None:
            names, colours = list(self.series.lines), self._colours("A", self.series)
            if self.series.chosen is not None and len(names) > 2:  # the others look alike
                names = [self.series.chosen]
            return [(name, colours[name]) for name in names[:_MOST_NAMED]]
        found = []
        for letter, series in (("A", self.series), ("B", self.beside)):
            only = next(iter(series.lines), "") if len(series.lines) == 1 else ""
            name = str(series.missing or series.chosen or only)
            found.append((f"{letter}  {name}".strip(), run_ink(self._theme, letter)))
        return found

    def _paint_names(self, painter: QPainter, head: QRectF, left: float) -> None:
        theme, px = self._theme, self._theme.px
        for name, colour in self._legend():
            text = elided(theme, name, 12.5, 400, px(220))
            width = text_width(theme, text, 12.5)
            if left + width + px(20) > head.width():
                return
            at = head.left() + left
            painter.fillRect(QRectF(at, head.center().y() - px(1), px(12), px(3)), colour)
            where = head.adjusted(left + px(16), 0, 0, 0)
            draw_text(painter, theme, text, where, theme.color("ink2"), 12.5, 400, LEFT)
            left += width + px(30)

    # --- the mouse -------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the epoch."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.reached.emit(self._axis().epoch(event.position().x()), True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the mouse with the button down."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.reached.emit(self._axis().epoch(event.position().x()), True)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Stay where the button was released."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.reached.emit(self._axis().epoch(event.position().x()), False)

    def event(self, event: QEvent) -> bool:
        """Say the values at the mouse."""
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tip(self._said(event.pos().x())), self)
            return True
        return super().event(event)

    def _said(self, x: float) -> str:
        lines: list[str] = []
        for letter, series in self._runs():
            at = nearest(series.epochs, self._axis().epoch(x))
            epoch = _("epoch {epoch}").format(epoch=round(float(series.epochs[at])))
            lines.append(epoch if self.beside is None else f"{letter}  {epoch}")
            for name, values in list(series.lines.items())[: 2 * _MOST_NAMED]:
                lines.append(labelled(name, display_number(float(values[at]), 3)))
        return "\n".join(lines)


def _length(frame: TrainFrame, *, growing: bool = False) -> tuple[int, int]:
    """Return which run it is and how long; one that goes on is longer at every tenth more."""
    steps = len(frame.recorded)
    if frame.progress.active or growing:
        steps = int(np.log(max(steps, 1)) * 10)
    return id(frame.trace), steps
