"""The curves of the timeline: loss and accuracy, the measure under them, and their menu."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from explorer.kit.layouts import as_panel, put
from explorer.kit.numbers import Columns
from explorer.kit.theme import Theme
from explorer.rooms.train.over_time import OverTimeChart
from explorer.rooms.train.timeline_chart import TimelineChart
from explorer.session.train import TrainFrame
from explorer.session.train.intents import ChangeTrainLook, FollowLive, GoToEpoch, GoToStep
from explorer.session.train.measures import MEASURES
from explorer.text import N_, _


class TimelineCurves(QWidget):
    """The loss over the track and a measure under it: what a picture of the timeline shows."""

    intent = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        as_panel(self)
        self.chart = TimelineChart(theme)
        self.over_time = OverTimeChart(theme, lambda: self.chart.plot)
        self.over_time.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        put(column, (self.chart, 1), self.over_time)
        self.chart.ranged.connect(self.over_time.update)
        for plot in (self.over_time, self.chart):
            plot.reached.connect(lambda *reached: self.intent.emit(GoToEpoch(*reached)))
        self.chart.stepped.connect(lambda step: self.intent.emit(GoToStep(step)))
        self.chart.followed.connect(lambda: self.intent.emit(FollowLive()))
        self._offer()

    def _offer(self) -> None:
        """Fill the context menu."""
        self._log = log = QAction(_("Logarithmic loss"), self)
        log.setCheckable(True)
        log.toggled.connect(self.chart.set_log)
        whole = QAction(_("Show all epochs"), self)
        whole.triggered.connect(self.chart.show_all)
        menu = QMenu(_("Plot under the loss"), self)
        for key, title in ((None, N_("Loss")), *((k, m[0]) for k, m in MEASURES.items())):
            action = menu.addAction(_(title))
            action.triggered.connect(
                lambda _on=False, key=key: self.intent.emit(ChangeTrainLook({"measure": key}))
            )
        self.addActions([log, whole, menu.menuAction()])

    def draw(self, frame: TrainFrame) -> None:
        """Show the frame's curves, and its measure where one is chosen."""
        self._show_log()
        self.chart.draw(frame)
        plotted = frame.look.measure is not None
        if self.over_time.isHidden() == plotted:
            self.over_time.setVisible(plotted)
        if plotted:
            self.over_time.draw(frame)

    def look_as(self, before: TimelineCurves) -> None:
        """Show what other curves show."""
        self.chart.look_as(before.chart)
        self._show_log()

    def _show_log(self) -> None:
        self._log.blockSignals(True)
        self._log.setChecked(self.chart.log)
        self._log.blockSignals(False)

    def plotted(self) -> Columns:
        """Return the numbers of the curves, by name, and of the measure under them."""
        measured = {} if self.over_time.isHidden() else self.over_time.columns()
        # The measure has its own epochs: those that are recorded.
        named = {n.replace("epoch", "recorded epoch"): part for n, part in measured.items()}
        return {**self.chart.columns(), **named}

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self.over_time.retheme(theme)
        self.chart.retheme(theme)
