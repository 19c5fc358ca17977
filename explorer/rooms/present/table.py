"""The active stage's table, as large as there is room for."""

from __future__ import annotations

from itertools import product

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from explorer.kit.copying import NO_FORMATS
from explorer.kit.table.fitted import HeatTable
from explorer.kit.table.outputs import OutputsTable
from explorer.kit.table.painting import PADDING
from explorer.kit.table.sources import HeatSource, OutputSource, Source
from explorer.kit.table.stage_sources import RowsSource, StageSource
from explorer.kit.table.titles import Title, output_words, scores_words, weights_words
from explorer.kit.theme import Theme
from explorer.rooms.present.sizes import LEAST
from explorer.session import Frame, Role, Space, Stage
from explorer.text import N_, _

_LARGER = (2.0, 1.75, 1.5, 1.25, 1.1, 1.0)  # times the picture's sizes; the first that fits
_CLOSER = (0.9, 0.8, 0.7, 0.6)  # cells closer about numbers as large, for which there is no room
_CELL = 110  # px at 100 %: columns grow no wider
_TITLE = 34
_NAMES = {
    Stage.X: N_("tokens"),
    Stage.P: N_("input with its position"),
    Stage.R: N_("angle of each pair of columns, in radians"),
    Stage.Q: N_("query"),
    Stage.K: N_("key"),
    Stage.V: N_("value"),
    Stage.C: N_("heads side by side"),
    Stage.Y: N_("output after Wo"),
}


class LargeTable(QWidget):
    """Shows the numbers of the stage that is looked at: X, Q, K, V, S, A, O and what else is."""

    intent = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._frame: Frame | None = None
        self.title = Title("", "", parent=self)
        name = _("Table of the active stage")
        self.heat = HeatTable(name, theme, NO_FORMATS, self)
        self.outputs = OutputsTable(name, theme, NO_FORMATS, self)
        for table in (self.heat, self.outputs):
            table.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the page takes all keys
            table.intent.connect(self.intent)

    @property
    def table(self) -> HeatTable:
        """The table in view."""
        return self.outputs if self.heat.isHidden() else self.heat

    def draw(self, frame: Frame) -> None:
        """Show the frame."""
        self._frame = frame
        stage = frame.look.stage
        self.title.show_letter(stage.value)
        self.title.show_words(_words(frame))
        self.title.show_held(frame.held)
        self._fit()

    def retheme(self, theme: Theme) -> None:
        """Take other sizes and colours."""
        self._theme = theme
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the table to the new size."""
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme.color("win"))

    def _fit(self) -> None:
        """Take the largest sizes at which all has room; the outputs without bars if need be."""
        frame = self._frame
        if frame is None or not self.height():
            return
        self.title.show_words(_words(frame))
        barred = frame.look.stage is Stage.O and not frame.look.hides(Stage.O)
        tables = (self.outputs, self.heat) if barred else (self.heat,)
        for table, larger in product(tables, _LARGER):
            percent = round(self._theme.percent * larger)
            theme = Theme(self._theme.dark, percent, self._theme.least)
            if self._has_room(table, frame, theme):
                break
        else:
            theme = self._closer(table, frame, theme)
        for each in (self.outputs, self.heat):
            each.setVisible(each is table)
        self.title.retheme(theme)
        head = theme.px(_TITLE)
        left, top = (self.width() - table.width()) // 2, self.height() - head - table.height()
        self.title.setGeometry(left, max(0, top // 2), table.width(), head)
        table.move(left, self.title.geometry().bottom() + 1)

    def _closer(self, table: HeatTable, frame: Frame, theme: Theme) -> Theme:
        """Lay a table out closer where that is what brings its numbers back; return its theme."""
        for closer in _CLOSER:
            if not table.is_picture:
                break
            percent = round(self._theme.percent * closer)
            made = Theme(theme.dark, percent, theme.least)
            self._has_room(table, frame, made)
            if not table.is_picture:
                theme = made
        else:
            self._has_room(table, frame, theme)
        return self._smaller(table, frame, theme)

    def _smaller(self, table: HeatTable, frame: Frame, theme: Theme) -> Theme:
        """Take smaller type where numbers would lose decimals, and say so; return the theme.

        Where that is enough, names stand there whole too.
        """
        if table.is_picture or not table.shortens:
            return theme
        most, whole, found = 0, False, theme
        for smaller, full in product((*_CLOSER, 0.5), (self._theme.percent, theme.percent)):
            least = max(LEAST, round(theme.least * smaller))
            made = Theme(theme.dark, round(full * smaller), least)
            self._has_room(table, frame, made)
            if table.is_picture:
                continue
            digits = sum(len(text) for row in table.number_texts()[1] for text in row)
            if (digits, table.names_whole) > (most, whole):
                most, whole, found = digits, table.names_whole, made
            if whole and not table.shortens:
                break
        self._has_room(table, frame, found)
        if found is not theme:
            self.title.show_words(_("in smaller type"))
        return found

    def _has_room(self, table: HeatTable, frame: Frame, theme: Theme) -> bool:
        """Lay a table out at some size; return whether all of it has room."""
        source = _source(frame, theme, barred=table is self.outputs)
        names = max(len(name) for name in source.row_names)
        widest = theme.px(2 * PADDING + 10 * (names + 3) + _CELL * source.shape[1])
        width = self.width() if table is self.outputs else min(self.width(), widest)
        table.resize(width, table.height())
        table.show_source(source)
        height = theme.px(_TITLE) + table.height()
        return table.is_easy and height <= self.height() - 2 * theme.px(PADDING)


def _words(frame: Frame) -> str:
    match frame.look.stage:
        case Stage.S:
            return scores_words(frame)
        case Stage.A:
            return weights_words(frame)
        case Stage.O:
            return output_words(frame)
        case stage:
            return _(_NAMES[stage])


def _source(frame: Frame, theme: Theme, *, barred: bool) -> Source:
    stage = frame.look.stage
    match stage:
        case Stage.S | Stage.A:
            return HeatSource(frame, theme, Role(stage.value))
        case Stage.O:
            return OutputSource(frame, theme) if barred else RowsSource(frame, theme, Space.O)
        case Stage.P | Stage.R | Stage.C | Stage.Y:
            return StageSource(frame, theme, stage)
        case _:
            return RowsSource(frame, theme, Space(stage.value))
