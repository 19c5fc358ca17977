"""The weights and outputs of one side."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.table.fitted import LEAST_CELL, HeatTable
from explorer.kit.table.painting import PADDING
from explorer.kit.table.sources import Source
from explorer.kit.table.titles import Title
from explorer.kit.theme import Theme
from explorer.rooms.explore.compare.sources import BesideSource, OutputBeside, output_role
from explorer.session import Frame
from explorer.text import _

_WEIGHT_CELL, _OUTPUT_CELL = LEAST_CELL[0] + 8, 50  # px at 100 %, for three decimals and a sign


class SideTable(HeatTable):
    """A table of one side, with or without its rows' names."""

    def __init__(
        self, name: str, theme: Theme, formats: CopyFormats, parent: QWidget | None = None
    ) -> None:
        super().__init__(name, theme, formats, parent)
        self.named = True

    def prepare(self, source: Source) -> None:
        self._pictured = None  # it depends on the other side too
        super().prepare(source)

    def layout_key(self) -> object:
        return self.named, super().layout_key()

    def name_width(self) -> float:
        return super().name_width() if self.named else 0.0


class TitledTable(QWidget):
    """A table under its title.

    Parameters
    ----------
    letter, words : str
        The title's.
    name : str
        Accessible name.
    """

    def __init__(
        self,
        letter: str,
        words: str,
        name: str,
        theme: Theme,
        formats: CopyFormats,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.title = Title(letter, words, parent=self)
        self.table = SideTable(name, theme, formats, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addWidget(self.table)
        column.addStretch(1)

    def draw(self, source: Source) -> None:
        """Show a side's numbers."""
        self.title.show_held(source.frame.held)
        self.table.show_source(source)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self.title.retheme(theme)
        self.table.theme = theme


class SideTables(QWidget):
    """A and the layer's output, beside each other where numbers of both have room."""

    intent = Signal(object)

    def __init__(self, which: str, theme: Theme, copy_as: CopyFormats, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shape: tuple[int, int] | None = None
        self.weights, self.outputs = (
            TitledTable(letter, words, name.format(side=which), theme, copy_as, self)
            for letter, words, name in (
                ("A", _("attention"), _("A, attention, {side} side")),
                ("O", _("output"), _("Output, {side} side")),
            )
        )
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        for titled in (self.weights, self.outputs):
            self._row.addWidget(titled)
            titled.table.intent.connect(self.intent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.retheme(theme)

    def draw(self, frame: Frame, other: Frame, table: Frame) -> None:
        """Show a side's numbers, tinted by what the other side has."""
        weights = BesideSource(frame, other, self._theme)
        outputs = OutputBeside(frame, other, table, self._theme)
        self.weights.title.show_words(weights_words(frame))
        self.outputs.title.show_letter(output_role(frame).value)
        self._shape = weights.shape[1], outputs.shape[1]
        self._arrange()
        self.weights.draw(weights)
        self.outputs.draw(outputs)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        self._theme = theme
        self._row.setSpacing(theme.px(4))
        for titled in (self.weights, self.outputs):
            titled.retheme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the tables beside or below each other."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        if self._shape is None:
            return
        px = self._theme.px
        keys, columns = self._shape
        names = self.weights.table.name_width()
        weights = 2 * px(PADDING) + round(names) + keys * px(_WEIGHT_CELL)
        outputs = 2 * px(PADDING) + columns * px(_OUTPUT_CELL)
        beside = weights + outputs + self._row.spacing() <= self.width()
        way = QBoxLayout.Direction
        self._row.setDirection(way.LeftToRight if beside else way.TopToBottom)
        self.outputs.table.named = not beside
        self.outputs.setFixedWidth(outputs if beside else max(self.width(), 1))


def weights_words(frame: Frame) -> str:
    """Return whose weights a side shows."""
    if frame.averaged:
        return _("attention, mean over heads")
    if frame.attention.heads > 1:
        return _("attention of head {head}").format(head=frame.look.head + 1)
    return _("attention")
