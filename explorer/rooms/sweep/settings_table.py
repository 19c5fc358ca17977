"""The table of settings: medians and bands of their runs; a click on a heading sorts."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from explorer.kit.theme import Theme
from explorer.rooms.sweep.picture import SWATCH, swatch
from explorer.rooms.sweep.shown import SelectedRun, Shown
from explorer.sweeps.plan import value_text
from explorer.sweeps.statistics import SettingRow
from explorer.text import _
from explorer.traces import LABELS

_ROW = 26  # px at 100 %
_TWO_LINES = 40  # px at 100 %
_MARGINS = 6  # px that Qt keeps free beside the text of a cell
_MEASURED = 200  # rows
_NONE = "–"
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class _Cell:
    text: str
    key: float


class _Model(QAbstractTableModel):
    """The rows of the settings, sorted."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self._shown: Shown | None = None
        self._chosen: int | None = None
        self._heads: list[str] = []
        self.drawn: list[str] = []  # the headings as there is room for them
        self._cells: list[list[_Cell]] = []
        self.order: list[int] = []  # settings
        self._by: tuple[int, Qt.SortOrder] | None = None

    def show(self, shown: Shown | None, chosen: int | None) -> None:
        before = self._heads
        heads: list[str] = []
        if shown is not None:
            heads = [*(_(LABELS[field]) for field in shown.plan.varied), _("median"), _("10–90 %")]
            heads.append(_("last loss"))
        if shown is self._shown and chosen == self._chosen and heads == before:
            return
        self.beginResetModel()
        self._chosen = chosen
        if shown is not self._shown or heads != before:
            self._shown, self._heads, self.drawn = shown, heads, heads
            self._cells = [] if shown is None else [_cells(shown, row) for row in shown.rows]
        self._sort()
        self.endResetModel()

    def _sort(self) -> None:
        self.order = list(range(len(self._cells)))
        if self._by is not None and self._by[0] < len(self._heads):
            column, order = self._by
            descending = order == Qt.SortOrder.DescendingOrder
            self.order.sort(key=lambda row: self._cells[row][column].key, reverse=descending)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column's numbers."""
        self.beginResetModel()
        self._by = (column, order) if column >= 0 else None
        self._sort()
        self.endResetModel()

    def texts(self, column: int) -> list[str]:
        """Return the texts of a column that decide on its width: of the first rows."""
        return [row[column].text for row in self._cells[:_MEASURED]]

    def lines(self, column: int, *, two: bool) -> list[str]:
        """Return a heading, in two lines where it is one of several words and that is asked for."""
        head = self._heads[column]
        return re.split(r" (?=\w+$)", head) if two else [head]

    def rowCount(self, _parent: Index | None = None) -> int:
        """Return how many settings there are."""
        return len(self.order)

    def columnCount(self, _parent: Index | None = None) -> int:
        """Return how many columns there are."""
        return len(self._heads)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's text, or how it is drawn."""
        roles = Qt.ItemDataRole
        setting, column = self.order[index.row()], index.column()
        median = len(self._heads) - 3
        chosen = setting == self._chosen
        if role == roles.DisplayRole:
            return self._cells[setting][column].text
        if role == roles.TextAlignmentRole:
            return _LEFT if column == 0 and median > 0 else _RIGHT
        if role == roles.FontRole:
            return self.theme.font(14, 600 if chosen or column == median else 400)
        if role == roles.ForegroundRole:
            return self.theme.color("ink1" if chosen or column <= median else "ink2")
        if role == roles.BackgroundRole and chosen:
            return self.theme.color("hover")
        if role == roles.DecorationRole and column == 0 and median > 0 and self._shown:
            value = self._shown.value(self._shown.rows[setting].setting)
            return swatch(self.theme, self._shown.shade(value))
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        """Return a heading."""
        roles = Qt.ItemDataRole
        if orientation != Qt.Orientation.Horizontal or section >= len(self._heads):
            return None
        if role == roles.DisplayRole:
            return self.drawn[section]
        if role in (roles.ToolTipRole, roles.AccessibleTextRole):
            return self._heads[section]
        if role == roles.TextAlignmentRole:
            return _LEFT if section == 0 and len(self._heads) > 3 else _RIGHT
        return None


class SettingsTable(QTableView):
    """A row for each setting; a click on one asks for its run that tells most."""

    chosen = Signal(int)  # a setting

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Settings"))
        self._model = _Model(theme)
        self.setModel(self._model)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setTextElideMode(Qt.TextElideMode.ElideNone)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setMinimumSectionSize(8)
        head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        head.setSortIndicatorClearable(True)
        self.setSortingEnabled(True)
        self.clicked.connect(lambda index: self.chosen.emit(self._model.order[index.row()]))
        self.activated.connect(lambda index: self.chosen.emit(self._model.order[index.row()]))
        self.retheme(theme)

    def draw(self, shown: Shown | None, selected: SelectedRun | None) -> None:
        """Show the settings of a sweep."""
        chosen = None
        if shown is not None and selected is not None:
            chosen = shown.plan.place(selected.run)
        self._model.show(shown, chosen)
        self._share()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width out anew."""
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Give each column what its cells need, and of the rest what its heading needs.

        Headings of several words stand on two lines where one line is too narrow for all.
        """
        model, px = self._model, self._model.theme.px
        count = model.columnCount()
        if not count:
            return
        bold, small = (
            QFontMetricsF(self._model.theme.font(*font)) for font in ((14, 600), (13, 400))
        )
        numbers = [
            max((bold.horizontalAdvance(text) for text in model.texts(column)), default=0.0)
            + (px(SWATCH + 6) if column == 0 and count > 3 else 0)
            for column in range(count)
        ]
        room = self.viewport().width() - 1
        for two, gap in ((False, px(9)), (True, max(px(4), _MARGINS))):
            heads = [model.lines(column, two=two) for column in range(count)]
            wide = [max(map(small.horizontalAdvance, lines)) for lines in heads]
            cells = [number + gap for number in numbers]
            wanted = [gap + max(pair) for pair in zip(numbers, wide, strict=True)]
            if sum(wanted) <= room:
                break
        if sum(wanted) > room:
            slack = [max(0.0, want - cell) for want, cell in zip(wanted, cells, strict=True)]
            share = min(1.0, (sum(wanted) - room) / max(sum(slack), 1.0))
            wanted = [want - own * share for want, own in zip(wanted, slack, strict=True)]
        rest = (room - sum(wanted)) / count
        for column, want in enumerate(wanted):
            self.setColumnWidth(column, max(int(want + rest), px(24)))
        head, right = self.horizontalHeader(), Qt.TextElideMode.ElideRight
        # Qt would shorten the lines of a heading as if they were one.
        model.drawn = [
            "\n".join(
                small.elidedText(line, right, head.sectionSize(column) - gap + 2) for line in lines
            )
            for column, lines in enumerate(heads)
        ]
        head.setFixedHeight(px(_ROW if max(map(len, heads)) == 1 else _TWO_LINES))
        head.viewport().update()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._model.theme = theme
        self.verticalHeader().setDefaultSectionSize(theme.px(_ROW))
        self.setFont(theme.font(14))
        head = self.horizontalHeader()
        head.setFont(theme.font(13))
        colour = theme.palette
        head.setStyleSheet(
            f"QHeaderView {{ background: {colour.win}; border: none; }}"
            f" QHeaderView::section {{ background: {colour.win}; color: {colour.ink3};"
            f" border: none; border-bottom: 1px solid {colour.line}; }}"
        )
        self._share()

    def cells(self, row: int) -> list[str]:
        """Return the texts of a row as it stands."""
        return [
            str(self._model.data(self._model.index(row, column)))
            for column in range(self._model.columnCount())
        ]

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self._model.rowCount()


def _cells(shown: Shown, row: SettingRow) -> list[_Cell]:
    cells = [
        _Cell(value_text(value), float(every.index(value)))
        for every, value in zip(shown.plan.varied.values(), row.setting.values(), strict=True)
    ]
    band = f"{_epoch(row.low, 0)}–{_epoch(row.high, 0)}"
    if row.high is None:  # more than a tenth of the runs are never right
        band = _NONE if row.low is None else f"\u2265 {_epoch(row.low, 0)}"
    return [
        *cells,
        _Cell(_epoch(row.median), math.inf if row.median is None else row.median),
        _Cell(band, math.inf if row.high is None else row.high),
        _Cell(
            _NONE if row.last_loss is None else f"{row.last_loss:.2g}",
            math.inf if row.last_loss is None else row.last_loss,
        ),
    ]


def _epoch(value: float | None, decimals: int = 1) -> str:
    """Return an epoch, which may lie between two; a dash where there is none."""
    return _NONE if value is None else f"{round(value, decimals):g}"
