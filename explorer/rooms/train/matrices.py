"""The Matrices page: everything that one head computes for a sample, as numbers."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.exporters import FORMATS
from explorer.kit.copying import CopyFormats
from explorer.kit.layouts import as_panel, fill, set_direction, set_spacing
from explorer.kit.scrolling import ColumnArea
from explorer.kit.table.heat_grid import LEAST_CELL
from explorer.kit.table.painting import PADDING
from explorer.kit.table.part import TablePart
from explorer.kit.table.sources import HeatSource
from explorer.kit.table.stage_sources import RowsSource
from explorer.kit.theme import Theme
from explorer.rooms.train.base import TrainView
from explorer.rooms.train.head import Head, HeadHeading, shown_numbers
from explorer.session import Role, Space, Stage
from explorer.session.train import TrainChange, TrainFrame
from explorer.text import _, joined

_SPACES = {Stage.Q: Space.Q, Stage.K: Space.K, Stage.V: Space.V, Stage.O: Space.O}
_TWO_COLUMNS = 640  # px at 100 %
_GAP = 14  # px at 100 %, between two tables
_NAMES = 34  # px at 100 % that names take at least


class HeadTables(QWidget):
    """The numbers of one head."""

    intent = Signal(object)

    def __init__(self, formats: CopyFormats, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._head: Head | None = None
        words = {
            Stage.Q: _("queries"),
            Stage.K: _("keys"),
            Stage.V: _("values"),
            Stage.S: _("scores"),
            Stage.A: _("attention, each row sums to 1"),
            Stage.O: _("output"),
        }
        self.parts: dict[Stage, TablePart] = {}
        for stage, said in words.items():
            name = joined((stage.value, said))
            marker = _SPACES.get(stage)
            part = TablePart(stage.value, said, name, theme, formats, marker=marker, parent=self)
            part.intent.connect(self.intent)
            self.parts[stage] = part
        parts = list(self.parts.values())
        self._columns = [fill(QVBoxLayout(), *some, None) for some in (parts[:3], parts[3:])]
        self._row = fill(QHBoxLayout(self), *self._columns)
        self.retheme(theme)

    def draw(self, head: Head) -> None:
        """Show a head's numbers."""
        theme, frame, colours = self._theme, head.frame, head.colours
        self._head = head
        self._arrange()
        for stage, part in self.parts.items():
            part.setVisible(stage is Stage.A or not head.only_weights)
            if head.only_weights and stage is not Stage.A:
                continue
            space = _SPACES.get(stage)
            if space is not None:
                source: HeatSource = RowsSource(frame, theme, space, colours)
            else:
                source = HeatSource(frame, theme, Role(stage.value), colours)
            part.draw(source, source)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        self._theme = theme
        for part in self.parts.values():
            part.retheme(theme)
            part.title.setFixedHeight(theme.px(26))
        for column in self._columns:
            column.setSpacing(theme.px(_GAP))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _is_wide(self) -> bool:
        """Return whether there are two columns: not where that would cost the numbers."""
        px, width = self._theme.px, self.width()
        if self._head is None or self._head.only_weights or width < px(_TWO_COLUMNS):
            return False
        widest = max(len(self._head.frame.weights), self._head.frame.attention.d_k)
        needed = widest * px(LEAST_CELL[0]) + px(2 * PADDING + _NAMES)
        return width / 2 >= needed or width < needed

    def _arrange(self) -> None:
        """Let the two columns stand beside or below one another.

        No table changes its column: this is called in the midst of layouts, and one that is placing
        its parts must not lose them.
        """
        wide, px = self._is_wide(), self._theme.px
        set_direction(self._row, beside=wide)
        set_spacing(self._row, 0, px(8), 0, px(12), gap=0 if wide else px(_GAP))
        self._row.setStretch(0, int(wide))
        self._row.setStretch(1, 1)


class MatricesView(TrainView):
    """Q, K, V, S, A and O of the chosen head."""

    concerns: ClassVar[TrainChange] = (
        TrainChange.NUMBERS | TrainChange.SELECTION | TrainChange.HOVER
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        as_panel(self)
        self.heading = HeadHeading(theme)
        self.tables: HeadTables | None = None  # made when numbers are first shown
        self.area = ColumnArea()
        column = fill(QVBoxLayout(self))
        column.addWidget(self.area, 1)  # first, so that keys reach the numbers first
        column.insertWidget(0, self.heading)
        column.addStretch()
        self.heading.intent.connect(self.intent)

    def draw(self, frame: TrainFrame) -> None:
        """Show the head at the cursor."""
        head = shown_numbers(self.theme, frame)
        self.heading.draw(frame, head)
        self.area.setVisible(not isinstance(head, str))
        if not isinstance(head, str):
            self._made().draw(head)

    def _made(self) -> HeadTables:
        if self.tables is None:
            self.tables = HeadTables(FORMATS, self.theme, self.area.viewport())
            self.tables.setProperty("panel", True)
            self.tables.intent.connect(self.intent)
            self.tables.setMinimumWidth(self.width())
            self.area.setWidget(self.tables)
        return self.tables

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        self.heading.retheme(theme)
        if self.tables is not None:
            self.tables.retheme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # A scroll bar lies over the padding, so that it takes no width from the tables.
        if self.tables is not None:
            self.tables.setMinimumWidth(self.width())
