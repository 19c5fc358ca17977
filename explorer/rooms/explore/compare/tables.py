"""The tables of one side: its weights and outputs, tinted by how they differ from the other's."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QImage, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.layouts import fill, set_direction
from explorer.kit.table.fitted import HeatTable
from explorer.kit.table.heat_grid import LEAST_CELL
from explorer.kit.table.painting import PADDING
from explorer.kit.table.sources import HeatSource, OfColumns, Place, Source
from explorer.kit.table.titles import Title
from explorer.kit.theme import Theme
from explorer.session import Array, Frame, Role, Selection
from explorer.session.comparison import tint_domain
from explorer.session.resolve import stages_of, table_shape
from explorer.text import _, decimal_places, display_number, displayable, full_number


class BesideSource(HeatSource):
    """The weights of one side; cells are tinted by how much more they are than the other side's.

    Parameters
    ----------
    other : Frame
        Of the other side.
    """

    def __init__(self, frame: Frame, other: Frame, theme: Theme) -> None:
        super().__init__(frame, theme, Role.A)
        self._other = other
        self._tint(frame.weights, other.weights)

    def _tint(self, own: Array, other: Array) -> None:
        self.values = own
        self.more = own - other if own.shape == other.shape else np.zeros_like(own)
        self.domain = tint_domain(own, other)
        self.colormap = self.theme.scores_map

    @property
    def low(self) -> float:
        return -self.domain

    @property
    def pictured(self) -> object:
        return super().pictured, self._other.attention, self._other.look

    def fill(self, row: int, column: int) -> QColor | None:
        if self.hatched(row, column):
            return None
        return self.colormap.fill(float(self.more[row, column]), self.domain)

    def ink(self, row: int, column: int) -> QColor:
        if self.hatched(row, column):
            return super().ink(row, column)
        return self.colormap.text(float(self.more[row, column]), self.domain)

    def tip(self, row: int, column: int) -> str:
        more = float(self.more[row, column])
        if not more:
            return super().tip(row, column)
        words = _("{difference} more than on the other side")
        if more < 0:
            words = _("{difference} less than on the other side")
        said = words.format(difference=full_number(abs(more)))
        return f"{super().tip(row, column)}\n{said}"

    def image(self, most: tuple[int, int]) -> QImage:
        mask = self.frame.attention.mask
        return self.colormap.picture(self.more, self.domain, None if mask is None else ~mask, most)


class OutputBeside(OfColumns, BesideSource):
    """The layer's output on one side: of all heads side by side, after Wo where there is one.

    Parameters
    ----------
    table : Frame
        Of the scene on the table, whose rows a click selects.
    """

    def __init__(self, frame: Frame, other: Frame, table: Frame, theme: Theme) -> None:
        super().__init__(frame, other, theme)
        self._table = table
        self._tint(frame.attention.output, other.attention.output)
        self.role = output_role(table)

    def text(self, row: int, column: int) -> str:
        value = float(self.values[row, column])
        return display_number(value, decimal_places(value, most=3, least=3))

    def pair(self, row: int, column: int) -> str:
        token = displayable(self.frame.scene.tokens[row])
        return _("{token}, column {number}").format(token=token, number=column + 1)

    def spoken(self, row: int, column: int) -> str:
        return _("output, {token}, column {number}, {value}").format(
            token=displayable(self.frame.scene.tokens[row]),
            number=column + 1,
            value=self.text(row, column),
        )

    def selection(self, row: int | None, column: int | None) -> Selection:
        fits = column is not None and column < self._table.attention.output.shape[-1]
        return Selection(self.role, query=row, column=column if fits else None)

    def place(self, selection: Selection | None) -> Place:
        row, _key = super().place(selection)
        column = selection.column if selection is not None and selection.role is self.role else None
        return row, column if column is not None and column < self.shape[1] else None

    def copied(self) -> tuple[str, Array]:
        return "output", self.values

    def image(self, most: tuple[int, int]) -> QImage:
        return self.colormap.picture(self.more, self.domain, most=most)


def output_role(frame: Frame) -> Role:
    """Return whose table the layer's output is: Y after Wo, C of several heads, else O."""
    return Role(stages_of(frame.scene)[-1].value)


_WEIGHT_CELL, _OUTPUT_CELL = LEAST_CELL[0] + 8, 50  # px at 100 %, for three decimals and a sign


class SideTable(HeatTable):
    """A table of one side, with or without its rows' names."""

    def __init__(
        self, name: str, theme: Theme, formats: CopyFormats, parent: QWidget | None = None
    ) -> None:
        super().__init__(name, theme, formats, parent)
        self.named = True

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
        column = fill(QVBoxLayout(self), self.title, self.table)
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
        kept = self.outputs.table.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.outputs.table.setSizePolicy(kept)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        for titled in (self.weights, self.outputs):
            self._row.addWidget(titled)
            titled.table.intent.connect(self.intent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.retheme(theme)

    def draw(self, frame: Frame, other: Frame, table: Frame, *, output_known: bool) -> None:
        """Show a side's numbers, tinted by what the other side has.

        output_known : whether all heads are computed; until then the output's place stays empty
        """
        weights = BesideSource(frame, other, self._theme)
        last = stages_of(frame.scene)[-1]
        self.weights.title.show_words(weights_words(frame))
        self.outputs.title.show_letter(last.value)
        self._shape = weights.shape[1], table_shape(frame.scene, last)[1]
        self._arrange()
        self.weights.draw(weights)
        if output_known:
            self.outputs.draw(OutputBeside(frame, other, table, self._theme))
        self.outputs.table.setVisible(output_known)

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
        set_direction(self._row, beside=beside)
        self.outputs.table.named = not beside
        self.outputs.setFixedWidth(outputs if beside else max(self.width(), 1))


def weights_words(frame: Frame) -> str:
    """Return whose weights a side shows."""
    if frame.averaged:
        return _("attention, mean over heads")
    if frame.attention.heads > 1:
        return _("attention of head {head}").format(head=frame.look.head + 1)
    return _("attention")
