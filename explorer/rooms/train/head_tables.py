"""Q, K, V, S, A and O of one head as tables, in one column or two."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.heat.grid import LEAST_CELL, PADDING
from explorer.kit.heat.heat import HeatTable
from explorer.kit.heat.listing import ListTable
from explorer.kit.heat.part import Part
from explorer.kit.heat.rows import RowsSource
from explorer.kit.heat.sources import HeatSource
from explorer.kit.heat.titles import Title
from explorer.kit.theme import Theme
from explorer.rooms.train.head import Head
from explorer.session import Role, Space, Stage
from explorer.text import _

_SPACES = {Stage.Q: Space.Q, Stage.K: Space.K, Stage.V: Space.V, Stage.O: Space.O}
_TWO_COLUMNS = 640  # px at 100 %
_NAMES = 34  # px at 100 % that names take at least


class HeadTables(QWidget):
    """The numbers of one head."""

    intent = Signal(object)

    def __init__(self, formats: CopyFormats, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._head: Head | None = None
        self._wide: bool | None = None
        words = {
            Stage.Q: _("queries"),
            Stage.K: _("keys"),
            Stage.V: _("values"),
            Stage.S: _("scores"),
            Stage.A: _("attention, each row sums to 1"),
            Stage.O: _("output"),
        }
        self.parts: dict[Stage, Part] = {}
        for stage, said in words.items():
            name = f"{stage.value}, {said}"
            title = Title(stage.value, said, _SPACES.get(stage))
            full = ListTable(_("{table} at full size").format(table=name), theme, formats)
            self.parts[stage] = Part(title, HeatTable(name, theme, formats), full)
            self.parts[stage].intent.connect(self.intent)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._columns = [QVBoxLayout(), QVBoxLayout()]
        for column in self._columns:
            self._row.addLayout(column)
        self._arrange(False)
        self.retheme(theme)

    def draw(self, head: Head) -> None:
        """Show a head's numbers."""
        theme, frame, colours = self._theme, head.frame, head.colours
        self._head = head
        self._arrange(self._is_wide())
        for stage, part in self.parts.items():
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
            part.title.retheme(theme)
            part.title.setFixedHeight(theme.px(26))
            for table in (part.fitted, part.full):
                table.theme = theme
        for column in self._columns:
            column.setContentsMargins(0, theme.px(8), 0, theme.px(12))
            column.setSpacing(theme.px(14))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(self._is_wide())

    def _is_wide(self) -> bool:
        """Return whether there are two columns: not where that would cost the numbers."""
        px, width = self._theme.px, self.width()
        if self._head is None or width < px(_TWO_COLUMNS):
            return False
        widest = max(len(self._head.frame.weights), self._head.frame.attention.d_k)
        needed = widest * px(LEAST_CELL[0]) + px(2 * PADDING + _NAMES)
        return width / 2 >= needed or width < needed

    def _arrange(self, wide: bool) -> None:
        if wide == self._wide:
            return
        self._wide = wide
        for column in self._columns:
            while column.count():
                column.takeAt(0)
        for number, part in enumerate(self.parts.values()):
            self._columns[number // 3 if wide else 0].addWidget(part)
        for place, column in enumerate(self._columns):
            column.addStretch(1)
            self._row.setStretch(place, 1 if wide or not place else 0)
