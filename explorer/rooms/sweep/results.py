"""The right of Sweep: the settings, and the selected run; where it is low, one of them."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.kit.layouts import as_panel, hairline, put, set_spacing
from explorer.kit.segments import Segment, Segments
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
        self._tabbed, self._tab = False, "settings"
        self._selected: int | None = None
        self.tabs = Segments(
            [Segment("settings", _("Settings")), Segment("run", _("Selected run"))],
            _("What of the results is shown"),
            theme,
            exclusive=True,
            own=True,
            parent=self,
        )
        self.tabs.picked.connect(self._turn)
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
            self._turn("settings" if run is None else "run")

    def set_tabbed(self, tabbed: bool) -> None:
        """Show the two by turns, or one above the other."""
        self._tabbed = tabbed
        self._show_tab()

    def _turn(self, tab: object) -> None:
        self._tab = str(tab)
        self._show_tab()

    def _show_tab(self) -> None:
        self.tabs.setVisible(self._tabbed)
        self.tabs.show_checked({self._tab})
        self._upper.setVisible(not self._tabbed or self._tab == "settings")
        self._lower.setVisible(not self._tabbed or self._tab == "run")
        self._line.setVisible(not self._tabbed)
        for heading in (self._of_table, self._of_run):
            heading.title.setVisible(not self._tabbed)
        # One above the other, the run takes what it needs and the table the rest.
        self._column.setStretch(3, 1 if self._tabbed else 0)
        self._fit()

    def _fit(self) -> None:
        px = self.theme.px
        whole = not self._tabbed and self._selected is not None
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
