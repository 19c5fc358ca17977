"""The rows of Q, K, V or O, and of other stages, as numbers on colours."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QImage

from explorer.kit.base import why_hidden
from explorer.kit.table.sources import OF_KEYS, OfColumns, Place, Source, any_veil, marked
from explorer.kit.theme import Theme, TokenColour, TokenColours
from explorer.session import Array, Frame, Role, Selection, Space, Stage
from explorer.text import _, display_number, displayable, full_number, joined


class RowsSource(OfColumns):
    """The chosen head's rows of one space; colours as of scores, full at the largest magnitude."""

    def __init__(
        self, frame: Frame, theme: Theme, space: Space, colours: TokenColours | None = None
    ) -> None:
        Source.__init__(self, frame, theme, colours)
        self.role = Role(space.value)
        self._veiled = any_veil(frame, self.role)
        self.values: Array = frame.table(Stage(space.value))
        self.domain = float(np.abs(self.values).max(initial=0.0)) or 1.0
        self.colormap = theme.scores_map
        self._keyed = space in OF_KEYS

    @property
    def row_names(self) -> tuple[str, ...]:
        return self.frame.scene.key_tokens if self._keyed else self.frame.scene.tokens

    @property
    def row_colours(self) -> list[TokenColour]:
        return self.colours[1 if self._keyed else 0]

    def text(self, row: int, column: int) -> str:
        return "?" if self.veils(row, column) else self._number(row, column)

    def _number(self, row: int, column: int) -> str:
        return display_number(float(self.values[row, column]), 2)

    def pair(self, row: int, column: int) -> str:
        return _("{token}, column {number}").format(
            token=displayable(self.row_names[row]), number=column + 1
        )

    def tip(self, row: int, column: int) -> str:
        if self.veils(row, column):
            return f"{self.pair(row, column)}\n{why_hidden(self.frame.look)}"
        return f"{self.pair(row, column)}\n{full_number(self.values[row, column])}"

    def spoken(self, row: int, column: int) -> str:
        return joined((self.role.value, self.pair(row, column), self.text(row, column)))

    def selection(self, row: int | None, column: int | None) -> Selection:
        if self._keyed:
            return Selection(self.role, key=row, column=column)
        return Selection(self.role, query=row, column=column)

    def place(self, selection: Selection | None) -> Place:
        query, key = marked(self.frame, selection)
        row = key if self._keyed else query
        column = selection.column if selection is not None else None
        if selection is None or selection.role is not self.role or column is None:
            return row, None
        return row, column if column < self.values.shape[1] else None

    def image(self, most: tuple[int, int]) -> QImage:
        return self.colormap.picture(self.values, self.domain, most=most)


class StageSource(RowsSource):
    """The rows of X + P, all heads' outputs side by side, the output after Wo, or angles."""

    def __init__(self, frame: Frame, theme: Theme, stage: Stage) -> None:
        Source.__init__(self, frame, theme)
        self.role = Role(stage.value)
        self._veiled = any_veil(frame, self.role)
        self.values = frame.table(stage)
        self.domain = float(np.abs(self.values).max(initial=0.0)) or 1.0
        self.colormap = theme.scores_map
        self._keyed = False
        self._block = frame.attention.d_v if stage is Stage.C else 0

    @property
    def spans(self) -> tuple[tuple[int, int, str, str], ...]:
        if not self._block:
            return ()
        return tuple(
            (start, start + self._block - 1, self._head(start), str(start // self._block + 1))
            for start in range(0, self.values.shape[1], self._block)
        )

    def _head(self, column: int) -> str:
        return _("head {head}").format(head=column // self._block + 1)

    def column_name(self, column: int) -> str:
        if not self._block:
            return super().column_name(column)
        return f"{self._head(column)}\n{column % self._block + 1}"

    def _number(self, row: int, column: int) -> str:
        return display_number(float(self.values[row, column]), 3)

    def pair(self, row: int, column: int) -> str:
        if not self._block:
            return super().pair(row, column)
        return _("{token}, {head}, column {number}").format(
            token=displayable(self.row_names[row]),
            head=self._head(column),
            number=column % self._block + 1,
        )
