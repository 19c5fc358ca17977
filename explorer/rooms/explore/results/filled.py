"""A table with cells that are filled in by hand: what stands in them is what was typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from PySide6.QtGui import QColor

from explorer.kit.heat.rows import RowsSource, StageSource
from explorer.kit.heat.sources import HeatSource
from explorer.kit.theme import Theme
from explorer.session import Array, Frame, Role, Space, Stage
from explorer.session.blanks import blank_cells
from explorer.session.lesson import Marking, Verdict
from explorer.text import NotANumber, _, displayable, parse_number

_SIGNS = {Verdict.RIGHT: "✓", Verdict.WRONG: "✗", Verdict.OPEN: "?"}
_INKS = {Verdict.RIGHT: "ok", Verdict.WRONG: "err", Verdict.OPEN: "err"}
_LONGEST = 16  # letters


class FilledSource(HeatSource):
    """Scores or weights with cells to be filled in; the others show their numbers.

    Parameters
    ----------
    frame, theme
    marking : Marking
    what : Role, Space or Stage
        What the table is of, as the table without blank cells has it.
    """

    ground = "line2"

    def __init__(
        self, frame: Frame, theme: Theme, marking: Marking, what: Role | Space | Stage
    ) -> None:
        super().__init__(frame, theme, what)  # type: ignore[arg-type]  # each kind has its own
        blank = frame.look.blank
        assert blank is not None
        self.cells = blank_cells(frame)
        self._open = frozenset(self.cells)
        self._texts: Mapping[tuple[int, int], str] = blank.texts(frame.look.version(blank.table))
        self._verdicts = marking.verdicts

    def typed(self, row: int, column: int) -> str:
        """Return what was typed into a cell; nothing where it is empty."""
        return self._texts.get((row, column), "")

    def text(self, row: int, column: int) -> str:
        if (row, column) not in self._open:
            return super().text(row, column)
        verdict = self._verdicts.get((row, column))
        sign = "" if verdict is None else _SIGNS[verdict]
        return f"{sign} {displayable(self.typed(row, column), _LONGEST)}".strip()

    def shortened(self, row: int, column: int, fits: Callable[[str], bool]) -> str:
        if (row, column) not in self._open:
            return super().shortened(row, column, fits)
        text = self.text(row, column).replace(" ", "")
        if fits(text):
            return text
        while len(text) > 1 and not fits(f"{text}…"):
            text = text[:-1]
        return f"{text}…"

    def tip(self, row: int, column: int) -> str:
        if (row, column) not in self._open:
            return super().tip(row, column)
        return f"{self.pair(row, column)}\n{self._said(row, column)}"

    def spoken(self, row: int, column: int) -> str:
        if (row, column) not in self._open:
            return super().spoken(row, column)
        table = self.role.value
        return f"{table}, {self.pair(row, column)}, {self._said(row, column)}"

    def _said(self, row: int, column: int) -> str:
        typed = self.typed(row, column)
        said = displayable(typed) if typed else _("empty, to be filled in")
        words = {Verdict.RIGHT: _("correct"), Verdict.WRONG: _("wrong")}
        verdict = words.get(self._verdicts.get((row, column), Verdict.OPEN))
        return f"{said}, {verdict}" if verdict else said

    def fill(self, row: int, column: int) -> QColor | None:
        if (row, column) not in self._open:
            return super().fill(row, column)
        return self.theme.color("raised")

    def ink(self, row: int, column: int) -> QColor:
        if (row, column) not in self._open:
            return super().ink(row, column)
        verdict = self._verdicts.get((row, column))
        return self.theme.color("ink1" if verdict is None else _INKS[verdict])

    def copied(self) -> tuple[str, Array]:
        """Return what was typed; not a number where nothing was."""
        values = np.array(self.values)
        for row, column in self.cells:
            try:
                values[row, column] = parse_number(self.typed(row, column))
            except NotANumber:
                values[row, column] = np.nan
        return super().copied()[0], values


class FilledRows(FilledSource, RowsSource):
    """Rows of Q, K, V or O with cells to be filled in."""


class FilledStage(FilledSource, StageSource):
    """Rows of X + P, C or Y with cells to be filled in."""


def filled_source(frame: Frame, theme: Theme, marking: Marking) -> FilledSource:
    """Return the table that is filled in, of a frame in which one is."""
    blank = frame.look.blank
    assert blank is not None
    match blank.table:
        case Stage.S | Stage.A:
            return FilledSource(frame, theme, marking, Role(blank.table.value))
        case Stage.P | Stage.C | Stage.Y:
            return FilledStage(frame, theme, marking, blank.table)
        case _:
            return FilledRows(frame, theme, marking, Space(blank.table.value))
