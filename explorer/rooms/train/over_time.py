"""A measure of the run over its epochs, under the loss and on the same axis of time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from explorer.kit.epoch_axis import nearest
from explorer.kit.loss_curves import EpochAxis
from explorer.kit.plot import Columns, Curve, Plot, offer_csv, paint_plot
from explorer.kit.table.painting import LEFT, draw_text, elided, text_width
from explorer.kit.theme import Theme
from explorer.session.train import TrainFrame
from explorer.session.train.measures import MEASURES, Series, measured
from explorer.text import Problem, _, display_number, plain_tip

HEIGHT = 104  # px at 100 %
_TOP, _BELOW = 24, 8
_MOST_NAMED = 8  # lines that the legend names


class OverTimeChart(QWidget):
    """Plots the chosen measure; a press or a drag goes to the epoch.

    Parameters
    ----------
    axis : callable
        Returns where the loss's epochs stand now.
    """

    reached = Signal(float)  # an epoch

    def __init__(
        self, theme: Theme, axis: Callable[[], EpochAxis], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._axis = theme, axis
        self._frame = TrainFrame()
        self._of: tuple[object, ...] = ()
        self.series = Series()
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        offer_csv(self, self.columns)
        self.retheme(theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.setFixedHeight(theme.px(HEIGHT))
        self.update()

    def draw(self, frame: TrainFrame) -> None:
        """Show the frame's measure; it is read anew where something of it changed."""
        self._frame = frame
        key = frame.look.measure
        cursor = frame.cursor
        of = (
            key,
            id(frame.trace),
            # A run that goes on is read again at every tenth more.
            int(np.log(max(len(frame.recorded), 1)) * 10)
            if frame.progress.active
            else len(frame.recorded),
            cursor.sample,
            cursor.layer,
            cursor.head,
            frame.selection,
        )
        if of != self._of:
            self._of = of
            self.series = self._measured(frame, key)
            self.setAccessibleName("" if key is None else _(MEASURES[key][0]))
        self.update()

    def _measured(self, frame: TrainFrame, key: str | None) -> Series:
        if key is None or frame.trace is None or not len(frame.recorded):
            return Series()
        try:
            return measured(frame, key)
        except Problem as problem:
            return Series(missing=problem.message)

    def columns(self) -> Columns:
        """Return the numbers of the lines, by name."""
        return {"epoch": self.series.epochs, **self.series.lines}

    def _colours(self) -> dict[str, QColor]:
        names = list(self.series.lines)
        theme = self._theme
        if self.series.chosen is not None and len(names) > 1:
            rest = theme.color("ctl")
            return {n: theme.color("ink1") if n == self.series.chosen else rest for n in names}
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
        painter = QPainter(self)
        theme, px, axis = self._theme, self._theme.px, self._axis()
        painter.fillRect(self.rect(), theme.color("win"))
        place, series = self._place(), self.series
        title = "" if self._frame.look.measure is None else _(MEASURES[self._frame.look.measure][0])
        head = QRectF(place.left(), 0, place.width(), px(_TOP))
        draw_text(painter, theme, title, head, theme.color("ink1"), 13, 600, LEFT)
        if series.missing is not None or not series.lines:
            said = str(series.missing or "")
            draw_text(painter, theme, said, place, theme.color("ink3"), 13)
            painter.end()
            return
        values = np.concatenate(list(series.lines.values()))
        fine = values[np.isfinite(values)]
        low, high = (float(fine.min()), float(fine.max())) if len(fine) else (0.0, 1.0)
        low = min(low, 0.0) if low > 0 and low < 0.5 * high else low
        high = high if high > low else low + 1
        pad = 0.06 * (high - low)
        colours = self._colours()
        # The one that is meant most lies above the others.
        order = sorted(series.lines, key=lambda name: name == series.chosen)
        lines = tuple(
            Curve(
                series.epochs,
                series.lines[name],
                colours[name],
                2.25 if name == series.chosen else 1.5,
            )
            for name in order
        )
        ticks = [(value, display_number(value, 2)) for value in (low, high)]
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
                lines,
                rules=True,
            ),
        )
        self._paint_names(painter, head, px(16) + text_width(theme, title, 13, 600), colours)
        epoch = self._frame.epoch
        if axis.holds(epoch):
            x = axis.x(epoch)
            painter.setPen(QPen(theme.color("ink1"), px(2)))
            painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()))
        painter.end()

    def _paint_names(
        self, painter: QPainter, head: QRectF, left: float, colours: dict[str, QColor]
    ) -> None:
        theme, px = self._theme, self._theme.px
        names = list(self.series.lines)
        if self.series.chosen is not None and len(names) > 2:  # the others look alike
            names = [self.series.chosen]
        for name in names[:_MOST_NAMED]:
            text = elided(theme, name, 12.5, 400, px(220))
            width = text_width(theme, text, 12.5)
            if left + width + px(20) > head.width():
                return
            at = head.left() + left
            painter.fillRect(QRectF(at, head.center().y() - px(1), px(12), px(3)), colours[name])
            where = head.adjusted(left + px(16), 0, 0, 0)
            draw_text(painter, theme, text, where, theme.color("ink2"), 12.5, 400, LEFT)
            left += width + px(30)

    # --- the hand --------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the epoch."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.reached.emit(self._axis().epoch(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the mouse with the button down."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.reached.emit(self._axis().epoch(event.position().x()))

    def event(self, event: QEvent) -> bool:
        """Say the values at the mouse."""
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tip(self._said(event.pos().x())), self)
            return True
        return super().event(event)

    def _said(self, x: float) -> str:
        series = self.series
        if not len(series.epochs):
            return ""
        at = nearest(series.epochs, self._axis().epoch(x))
        lines = [_("epoch {epoch}").format(epoch=round(float(series.epochs[at])))]
        for name, values in list(series.lines.items())[: 2 * _MOST_NAMED]:
            lines.append(f"{name}: {display_number(float(values[at]), 3)}")
        return "\n".join(lines)
