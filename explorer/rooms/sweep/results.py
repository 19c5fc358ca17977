"""The right of Sweep: the settings, and the selected run; where it is low, one of them."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.kit.layouts import as_panel, hairline, put, set_spacing
from explorer.kit.segments import Segment, Tabs
from explorer.kit.theme import Theme
from explorer.rooms.sweep.base import SweepView
from explorer.rooms.sweep.heading import Heading
from explorer.rooms.sweep.intents import SelectSetting
from explorer.rooms.sweep.run_panel import RunPanel
from explorer.rooms.sweep.settings_table import SettingsTable
from explorer.rooms.sweep.shown import SweepChange, SweepFrame
from explorer.text import _


class ResultsView(SweepView):
    """Settings above the selected run, or by turns."""

    concerns: ClassVar[SweepChange] = SweepChange.RESULTS | SweepChange.SELECTION

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        as_panel(self)
        self.setAccessibleName(_("Results"))
        self._selected: int | None = None
        parts = [Segment("settings", _("Settings")), Segment("run", _("Selected run"))]
        self.tabs = Tabs(parts, _("What of the results is shown"), theme, self)
        self.tabs.turned.connect(self._show_tab)
        self._of_table = Heading(_("Settings"), _("a click on a heading sorts"))
        self._of_run = Heading(_("Selected run"))
        self._upper = QWidget(self)
        self.table = SettingsTable(theme, self._upper)
        self.table.chosen.connect(lambda place: self.intent.emit(SelectSetting(place)))
        upper = QVBoxLayout(self._upper)
        upper.setContentsMargins(0, 0, 0, 0)
        put(upper, self._of_table, (self.table, 1))
        self._line = hairline(self)
        self._lower = QWidget(self)
        lower = QVBoxLayout(self._lower)
        lower.setContentsMargins(0, 0, 0, 0)
        lower.addLayout(self._of_run)
        self.run = RunPanel(theme, self._lower)
        self.run.ask_through(self.intent.emit)
        lower.addWidget(self.run, 1)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.tabs, 0, Qt.AlignmentFlag.AlignLeft)
        put(self._column, (self._upper, 1), self._line, self._lower)
        self._show_tab()
        self.retheme(theme)

    def draw(self, frame: SweepFrame) -> None:
        """Show the settings and the selected run."""
        shown, selected = frame.shown, frame.selected
        self.table.draw(shown, selected)
        self.run.draw(shown, selected)
        last = False
        if shown is not None and selected is not None:
            last = shown.slowest(shown.plan.place(selected.run)) == selected.run
        self._of_run.note.setText(_("the last of its setting") if last else "")
        run = None if selected is None else selected.run
        if run != self._selected:
            self._selected = run
            self.tabs.turn_to("settings" if run is None else "run")

    def _show_tab(self) -> None:
        by_turns = self.tabs.by_turns
        self._upper.setVisible(self.tabs.shows("settings"))
        self._lower.setVisible(self.tabs.shows("run"))
        self._line.setVisible(not by_turns)
        for heading in (self._of_table, self._of_run):
            heading.title.setVisible(not by_turns)
        # One above the other, the run takes what it needs and the table the rest.
        self._column.setStretch(3, 1 if by_turns else 0)
        self._fit()

    def _fit(self) -> None:
        px = self.theme.px
        whole = not self.tabs.by_turns and self._selected is not None
        self._lower.setMinimumHeight(px(448) if whole else 0)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        px = theme.px
        set_spacing(self._column, px(16), px(14), px(16), px(16), gap=px(10))
        self.tabs.retheme(theme)
        for heading in (self._of_table, self._of_run):
            heading.retheme(theme)
        self.table.retheme(theme)
        self.run.retheme(theme)
        self._fit()
