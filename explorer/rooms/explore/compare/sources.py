"""What the tables of one side show: its weights or outputs, tinted by what the other side has."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QColor, QImage

from explorer.kit.table.sources import HeatSource, OfColumns, Place
from explorer.kit.theme import Theme
from explorer.session import Array, Frame, Role, Selection
from explorer.session.comparison import tint_domain
from explorer.session.resolve import stations
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
        self._tint(frame.weights, other.weights)

    def _tint(self, own: Array, other: Array) -> None:
        self.values = own
        self.more = own - other if own.shape == other.shape else np.zeros_like(own)
        self.domain = tint_domain(own, other)
        self.colormap = self.theme.scores_map

    @property
    def low(self) -> float:
        return -self.domain

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

    def image(self) -> QImage:
        mask = self.frame.attention.mask
        return self.colormap.picture(self.more, self.domain, None if mask is None else ~mask)


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

    def image(self) -> QImage:
        return self.colormap.picture(self.more, self.domain)


def output_role(frame: Frame) -> Role:
    """Return whose table the layer's output is: Y after Wo, C of several heads, else O."""
    return Role(stations(frame.scene)[-1].value)
