"""A table that is filled in by hand, as a spreadsheet is, and what is said to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.labels import plain_label, show_ink
from explorer.kit.layouts import put, set_spacing
from explorer.kit.table.delegate import ENTER, step_of
from explorer.kit.table.editors import Pair, SourceEditor
from explorer.kit.table.model import Index
from explorer.kit.table.painting import PADDING
from explorer.kit.table.part import TablePart
from explorer.kit.table.sources import HeatSource, Place
from explorer.kit.table.stage_sources import RowsSource, StageSource
from explorer.kit.table.titles import fill_words
from explorer.kit.table.view import CellTable
from explorer.kit.theme import Theme
from explorer.session import Array, Frame, Role, Space, Stage
from explorer.session.blanks import blank_cells
from explorer.session.intents import BlankOut, CheckBlank, FillCells, Select
from explorer.session.lesson import Marking, Verdict
from explorer.text import NotANumber, _, displayable, joined, parse_number
from explorer.text.blocks import split_block

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

    def editable(self, row: int, column: int) -> bool:
        return (row, column) in self._open

    def edit_text(self, row: int, column: int) -> str:
        return self.typed(row, column)

    def typed(self, row: int, column: int) -> str:
        """Return what was typed into a cell; nothing where it is empty."""
        return self._texts.get((row, column), "")

    def text(self, row: int, column: int) -> str:
        if (row, column) not in self._open:
            return super().text(row, column)
        verdict = self._verdicts.get((row, column))
        sign = "" if verdict is None else _SIGNS[verdict]
        return f"{sign} {displayable(self.typed(row, column), _LONGEST)}".strip()

    def counts(self, row: int, column: int) -> bool:
        return (row, column) not in self._open and super().counts(row, column)

    def row_texts(self, row: int, fits: Callable[[str], bool]) -> list[str]:
        texts = super().row_texts(row, fits)
        for column, text in enumerate(texts):
            if (row, column) in self._open and not fits(text):
                short = text.replace(" ", "")
                if not fits(short):
                    while len(short) > 1 and not fits(f"{short}…"):
                        short = short[:-1]
                    short += "…"
                texts[column] = short
        return texts

    def tip(self, row: int, column: int) -> str:
        if (row, column) not in self._open:
            return super().tip(row, column)
        return f"{self.pair(row, column)}\n{self._said(row, column)}"

    def spoken(self, row: int, column: int) -> str:
        if (row, column) not in self._open:
            return super().spoken(row, column)
        table = self.role.value
        return joined((table, self.pair(row, column), self._said(row, column)))

    def _said(self, row: int, column: int) -> str:
        typed = self.typed(row, column)
        said = displayable(typed) if typed else _("empty, to be filled in")
        words = {Verdict.RIGHT: _("correct"), Verdict.WRONG: _("wrong")}
        verdict = words.get(self._verdicts.get((row, column), Verdict.OPEN), "")
        return joined((said, verdict))

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
        case Stage.P | Stage.R | Stage.C | Stage.Y:
            return FilledStage(frame, theme, marking, blank.table)
        case _:
            return FilledRows(frame, theme, marking, Space(blank.table.value))


_CLEARING = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class FillEditor(SourceEditor):
    """Types into cells: Enter goes down, Tab to the next, arrows up and down; a block is pasted.

    Where a single row is to be filled in, Enter goes along it.
    """

    _gone_to: Pair | None = None  # before the table shows that it is selected

    def __init__(self, table: CellTable) -> None:
        super().__init__(table)
        self.stepped.connect(lambda *step: self._go(self.pair, step))

    def name_of(self, index: Index) -> str:
        source = self.source
        assert source is not None
        return _("Your number for {table}, {pair}").format(
            table=source.role.value, pair=source.pair(index.row(), index.column())
        )

    def setModelData(self, editor: QWidget, _model: object, _index: Index) -> None:
        """Keep what was typed."""
        assert isinstance(editor, QLineEdit)
        self.table.intent.emit(FillCells(*self.pair, ((editor.text(),),)))

    def key_pressed(self, event: QKeyEvent) -> bool:
        if event.matches(QKeySequence.StandardKey.Paste):
            return self._paste(self.pair, least=2)
        return super().key_pressed(event)

    @property
    def _at(self) -> Pair | None:
        """The cell that was gone to, or else the selected one, or else the first; None without."""
        source = self.source
        if not isinstance(source, FilledSource) or not source.cells:
            return None
        chosen = (self._gone_to, source.place(source.frame.selection))
        return next((cell for at in chosen for cell in source.cells if cell == at), source.cells[0])

    def here(self, source: HeatSource) -> Place:
        return self._at or (None, None)

    def follow(self) -> None:
        self._gone_to = None  # the source that is shown now knows
        super().follow()

    def table_key(self, event: QKeyEvent) -> bool:
        at = self._at
        if at is None:
            return False
        if event.matches(QKeySequence.StandardKey.Paste):
            return self._paste(at)
        if event.key() in _CLEARING:
            self.table.intent.emit(FillCells(*at, (("",),)))
            return True
        step = step_of(event)
        return self._go(at, step) if event.key() in ENTER and step else super().table_key(event)

    def tabbed(self, forward: bool) -> bool:
        at = self._at
        return at is not None and self._go(at, (0, 1 if forward else -1))

    def _paste(self, pair: Pair, least: int = 1) -> bool:
        """Put the clipboard's block from a cell on; return whether it has so many numbers."""
        texts = split_block(QGuiApplication.clipboard().text())
        if sum(map(len, texts)) < least:
            return False
        self.close()
        self.table.intent.emit(FillCells(*pair, tuple(map(tuple, texts))))
        return True

    def _go(self, pair: Pair, step: tuple[int, int]) -> bool:
        """Select the cell that a step leads to; return False beyond the last by Tab."""
        source = self.source
        if not isinstance(source, FilledSource):
            return False
        rows, columns = step
        along = columns or (rows if len({row for row, _column in source.cells}) == 1 else 0)
        if along:
            place = source.cells.index(pair) + along if pair in source.cells else 0
            following = source.cells[place : place + 1] if place >= 0 else []
        else:
            ahead = [(r, c) for r, c in source.cells if c == pair[1] and (r - pair[0]) * rows > 0]
            following = sorted(ahead, reverse=rows < 0)[:1]
        for cell in following:
            self._gone_to = cell
            self.table.intent.emit(Select(source.selection(*cell)))
        return bool(following) or not columns


MarkOf = Callable[[Frame], Marking]


def unmarked(_frame: Frame) -> Marking:
    """Return no marks at all."""
    return Marking()


class FillPart(TablePart):
    """A title, a table to type into, and below it what became of it."""

    always_full = True  # a picture's cells are too small to be typed into

    def __init__(
        self,
        letter: str,
        name: str,
        theme: Theme,
        formats: CopyFormats,
        marker: Space | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(letter, "", name, theme, formats, marker=marker, parent=parent)
        self.said = plain_label(parent=self)
        self.said.hide()
        self.check = QPushButton(_("Check"), self)
        self.reveal = QPushButton(_("Show the numbers"), self)
        self.check.clicked.connect(lambda: self.intent.emit(CheckBlank()))
        self.reveal.clicked.connect(lambda: self.intent.emit(BlankOut(None)))
        self._buttons = QHBoxLayout()
        put(self._buttons, self.check, self.reveal, None)
        put(self.column, self.said, self._buttons)
        self.editors = [FillEditor(table) for table in (self.fitted, self.full)]
        for editor in self.editors:
            editor.table.edit_with(editor)
        self.retheme(theme)

    def show_filled(self, source: FilledSource, marking: Marking) -> None:
        """Show what stands in the cells, and what was said to it."""
        self.say(fill_words(source.frame))
        self.draw(source, source)
        self.said.setText(marking.said)
        self.said.setVisible(bool(marking.said))
        right = all(each is Verdict.RIGHT for each in marking.verdicts.values())
        show_ink(self.said, "ok" if right else "err")

    def stops(self) -> list[QWidget]:
        return [self.fitted, self.full, self.check, self.reveal]

    def retheme(self, theme: Theme) -> None:
        super().retheme(theme)
        pad, gap = theme.px(PADDING), theme.px(8)
        self.said.setFont(theme.font(14))
        self.said.setContentsMargins(pad, gap, pad, 0)
        for button in (self.check, self.reveal):
            button.setFont(theme.font(14))
        set_spacing(self._buttons, pad, gap, pad, 0, gap=gap)
