"""Typing into the cells of a table that is filled in by hand, as into a spreadsheet."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence

from explorer.kit.heat.editor import CellEditor, Pair
from explorer.kit.heat.sources import HeatSource, Place
from explorer.kit.table.cells import step_of
from explorer.rooms.explore.results.filled import FilledSource
from explorer.session.intents import FillCells, Select
from explorer.text import _
from explorer.text.blocks import split_block

_CLEARING = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class FillEditor(CellEditor):
    """Types into cells: Enter goes down, Tab to the next, arrows up and down; a block is pasted."""

    _gone_to: Pair | None = None  # before the table shows that it is selected

    def may_open(self, source: HeatSource, pair: Pair) -> bool:
        return isinstance(source, FilledSource) and pair in source.cells

    def begins_with(self, source: HeatSource, pair: Pair) -> str:
        return source.typed(*pair) if isinstance(source, FilledSource) else ""

    def name_of(self, source: HeatSource, pair: Pair) -> str:
        return _("Your number for {table}, {pair}").format(
            table=source.role.value, pair=source.pair(*pair)
        )

    def left(self) -> None:
        """Keep what was typed."""
        line, pair = self.line, self._pair
        self.close()
        if line is not None and pair is not None:
            self.intent.emit(FillCells(*pair, ((line.text(),),)))

    def key_pressed(self, event: QKeyEvent) -> bool:
        if event.matches(QKeySequence.StandardKey.Paste):
            return self._paste(self._pair, least=2)
        pair, step = self._pair, step_of(event)
        if pair is None or step is None:
            return False
        self.left()
        self._go(pair, step)
        return True

    def here(self, source: HeatSource) -> Place:
        """Return the cell that was gone to, or else the selected one, or else the first."""
        cells = source.cells if isinstance(source, FilledSource) else []
        chosen = (self._gone_to, source.place(source.frame.selection))
        return next((cell for cell in chosen if cell in cells), cells[0])

    def follow(self) -> None:
        self._gone_to = None  # the source that is shown now knows
        super().follow()

    def table_key(self, event: QKeyEvent) -> bool:
        source = self.source
        if not isinstance(source, FilledSource) or not source.cells:
            return False
        row, column = self.here(source)
        assert row is not None
        assert column is not None
        if event.matches(QKeySequence.StandardKey.Paste):
            return self._paste((row, column))
        if event.key() in _CLEARING:
            self.intent.emit(FillCells(row, column, (("",),)))
            return True
        step = step_of(event)
        arrow = event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down)  # in every table alike
        return super().table_key(event) if step is None or arrow else self._go((row, column), step)

    def _paste(self, pair: Pair | None, least: int = 1) -> bool:
        """Put the clipboard's block from a cell on; return whether it has so many numbers."""
        texts = split_block(QGuiApplication.clipboard().text())
        if pair is None or sum(map(len, texts)) < least:
            return False
        self.close()
        self.intent.emit(FillCells(*pair, tuple(map(tuple, texts))))
        return True

    def _go(self, pair: Pair, step: tuple[int, int]) -> bool:
        """Select the cell that a step leads to; return False beyond the last by Tab."""
        source = self.source
        if not isinstance(source, FilledSource):
            return False
        rows, columns = step
        if columns:
            place = source.cells.index(pair) + columns if pair in source.cells else 0
            following = source.cells[place : place + 1] if place >= 0 else []
        else:
            ahead = [(r, c) for r, c in source.cells if c == pair[1] and (r - pair[0]) * rows > 0]
            following = sorted(ahead, reverse=rows < 0)[:1]
        for cell in following:
            self._gone_to = cell
            self.intent.emit(Select(source.selection(*cell)))
        return bool(following) or not columns
