"""What the cells of a table are: texts, colours and names, of weights, of outputs and of others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage

from explorer.kit.base import why_hidden
from explorer.kit.table.model import Cells
from explorer.kit.table.painting import CENTRE, RIGHT, Pair
from explorer.kit.theme import Colormap, Theme, TokenColour, TokenColours
from explorer.session import Array, Frame, Role, Selection, Space, Stage
from explorer.text import (
    _,
    decimal_places,
    display_number,
    display_weight,
    displayable,
    full_number,
)
from explorer.text.numbers import MINUS

# A row and a column; None for all of them.
Place = tuple[int | None, int | None]


def marked(frame: Frame, selection: Selection | None) -> Place:
    """Return the query and the key that a selection marks in every table."""
    if selection is None or selection.in_weights:
        return None, None
    query, key = selection.query, selection.key
    result = frame.attention
    return (
        query if query is not None and query < result.queries else None,
        key if key is not None and key < result.keys else None,
    )


class Source(Cells):
    """A table of texts for one frame.

    Subclasses say what stands in a cell and what a click on it means.

    Parameters
    ----------
    colours : pair of lists of TokenColour, optional
        Of the tokens; the theme's for the frame where left out.
    """

    align: ClassVar[Qt.AlignmentFlag] = CENTRE
    pad: ClassVar[int] = 8  # beside a cell's text, px at 100 %
    heated: ClassVar[bool] = True  # whether cells have fills of their own

    def __init__(self, frame: Frame, theme: Theme, colours: TokenColours | None = None) -> None:
        self.frame = frame
        self.theme = theme
        self._colours = colours

    @property
    def row_names(self) -> tuple[str, ...]:
        """The rows' tokens."""
        return self.frame.scene.tokens

    @property
    def row_colours(self) -> list[TokenColour]:
        """The rows' colours."""
        return self.colours[0]

    def column_colour(self, column: int) -> TokenColour | None:
        """Return a column's dot, where it belongs to a token."""
        return None

    def row_tip(self, row: int) -> str:
        """Return the plain text that says which token a row is of."""
        return self._whose(self.row_names[row], self.row_colours[row])

    def column_tip(self, column: int) -> str:
        """Return the plain text that says what a column is."""
        colour = self.column_colour(column)
        name = self.column_name(column)
        return name if colour is None else self._whose(name, colour)

    def _whose(self, name: str, colour: TokenColour) -> str:
        if self.frame.scene.context is None:
            return name
        if colour.square:
            return _("{token}, a token of the context").format(token=displayable(name))
        return _("{token}, a token that looks at the context").format(token=displayable(name))

    @property
    def spans(self) -> tuple[tuple[int, int, str, str], ...]:
        """Captions over several columns in place of their names.

        Each is a first and a last column, a caption, and a shorter one for where it has no room.
        """
        return ()

    def empty_row(self, row: int) -> bool:
        """Return whether every key is masked for a row's query, so that no number stands in it."""
        return False

    @cached_property
    def colours(self) -> TokenColours:
        """The colours of the queries' and of the keys' tokens."""
        queries, keys = self._colours or self.theme.token_colours(self.frame)
        if self.frame.scene.context is None:
            return queries, keys
        return queries, [replace(colour, square=True) for colour in keys]

    def vector_parts(self, row: int, column: int) -> tuple[str, ...]:
        """Return the texts of a vector's numbers; none where the cell holds no vector."""
        return ()

    def paired(self, row: int, column: int) -> Pair | None:
        """Return query and key, their names and colours, where these are what the cell shows."""
        return None

    def fill(self, row: int, column: int) -> QColor | None:
        """Return a cell's fill, or None for none."""
        return None

    def ink(self, row: int, column: int) -> QColor:
        """Return a cell's text colour."""
        return self.theme.color("ink1")

    def selection(self, row: int | None, column: int | None) -> Selection:
        """Return what a cell, a whole row or a whole column selects."""
        raise NotImplementedError

    def place(self, selection: Selection | None) -> Place:
        """Return the cell, row or column that a selection marks here."""
        return marked(self.frame, selection)

    def copied(self) -> tuple[str, Array]:
        """Return the block that is copied: its name in code and its numbers."""
        raise NotImplementedError

    def image(self, most: tuple[int, int]) -> QImage:
        """Return a picture of the cells' colours, transparent where masked.

        most : rows and columns that have room; of more cells each block's largest is shown
        """
        raise NotImplementedError

    @property
    def pictured(self) -> object:
        """What the picture depends on besides the theme."""
        look = self.frame.look
        return self.frame.attention, look.head, look.scaled, self.frame.averaged


def any_veil(frame: Frame, role: Role) -> bool:
    """Return whether anything of a table is hidden until it has been asked."""
    return any(veil.table.value == role.value for veil in frame.look.veils)


class HeatSource(Source):
    """The chosen head's scores or weights, a cell for each query and key.

    Raw scores are before the mask: where it will hide them, they stand on the hatching. Scaled
    scores and weights that are masked are empty.
    """

    def __init__(
        self, frame: Frame, theme: Theme, role: Role, colours: TokenColours | None = None
    ) -> None:
        super().__init__(frame, theme, colours)
        self.role = role
        self.values: Array = frame.weights if role is Role.A else frame.shown_scores
        self.domain = frame.weight_domain if role is Role.A else frame.score_domain
        self.colormap: Colormap = theme.weights_map if role is Role.A else theme.scores_map
        self._before_mask = role is Role.S and not frame.look.scaled
        self._known_decimals: dict[int, int] = {}
        self._veiled = any_veil(frame, role)

    def editable(self, row: int, column: int) -> bool:
        return True  # a value can be wanted; a table that takes none opens no editor

    def veils(self, row: int, column: int) -> bool:
        """Return whether a cell is hidden until it has been asked."""
        return self._veiled and self.frame.look.hides(Stage(self.role.value), row, column)

    ground: ClassVar[str] = "canvas"  # the colour between the cells

    @property
    def low(self) -> float:
        """The lowest value of the colours, whose highest is `domain`."""
        return 0.0 if self.role is Role.A else -self.domain

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.values.shape
        return rows, columns

    def column_name(self, column: int) -> str:
        return displayable(self.frame.scene.key_tokens[column])

    def column_colour(self, column: int) -> TokenColour | None:
        return self.colours[1][column]

    def hatched(self, row: int, column: int) -> bool:
        """Return whether a cell is hatched: masked."""
        mask = self._mask
        return mask is not None and not mask[row, column]

    @cached_property
    def _mask(self) -> NDArray[np.bool_] | None:
        return self.frame.attention.mask

    def empty_row(self, row: int) -> bool:
        mask = self._mask
        return not self._before_mask and mask is not None and not bool(mask[row].any())

    def text(self, row: int, column: int) -> str:
        if self.hatched(row, column) and not self._before_mask:
            return ""
        if self._veiled and self.veils(row, column):
            return "?"
        value = float(self.values[row, column])
        return display_weight(value, 3 if self.role is Role.A else self._decimals(row))

    def _decimals(self, row: int) -> int:
        """Return the decimals of a row's scores: as many as one of them needs."""
        if row not in self._known_decimals:
            numbers = self.values[row][np.isfinite(self.values[row])].tolist()
            places = (decimal_places(value, most=3, least=2) for value in numbers)
            self._known_decimals[row] = max(places, default=2)
        return self._known_decimals[row]

    def row_texts(self, row: int, fits: Callable[[str], bool]) -> list[str]:
        """Return what stands in a row of narrow cells.

        Where a number of it has no room, all have fewer decimals, so that they keep their order;
        where one decimal is too many, each is the longest form of it that fits.
        """
        texts = [self.text(row, column) for column in range(self.shape[1])]
        shown = [column for column in range(len(texts)) if self.counts(row, column)]
        if all(fits(texts[column]) for column in shown):
            return texts
        numbers = [float(self.values[row, column]) for column in shown]
        for decimals in (2, 1):
            cut = [display_weight(value, decimals) for value in numbers]
            if all(map(fits, cut)):
                break
        else:
            cut = [shortened(value, fits) for value in numbers]
        for column, text in zip(shown, cut, strict=True):
            texts[column] = text
        return texts

    def counts(self, row: int, column: int) -> bool:
        """Return whether a cell shows its number."""
        return self.text(row, column) not in ("", "?")

    def fill(self, row: int, column: int) -> QColor | None:
        if self.hatched(row, column) or (self._veiled and self.veils(row, column)):
            return None
        return self.colormap.fill(float(self.values[row, column]), self.domain)

    def ink(self, row: int, column: int) -> QColor:
        if self.hatched(row, column) or (self._veiled and self.veils(row, column)):
            return self.theme.color("ink3")
        return self.colormap.text(float(self.values[row, column]), self.domain)

    def pair(self, row: int, column: int) -> str:
        """Return "cat → cloud"."""
        query, key = self.frame.scene.tokens[row], self.frame.scene.key_tokens[column]
        return f"{displayable(query)} → {displayable(key)}"

    def tip(self, row: int, column: int) -> str:
        if self.veils(row, column):
            return f"{self.pair(row, column)}\n{why_hidden(self.frame.look)}"
        if not self.hatched(row, column):
            return f"{self.pair(row, column)}\n{full_number(self.values[row, column])}"
        if not self._before_mask:
            return f"{self.pair(row, column)}\n" + _("masked: the query may not attend to the key")
        value = full_number(self.values[row, column])
        return f"{self.pair(row, column)}\n" + _("{value}, masked after scaling").format(
            value=value
        )

    def spoken(self, row: int, column: int) -> str:
        return _("{table}, {query} to {key}, {value}").format(
            table=self.role.value,
            query=displayable(self.frame.scene.tokens[row]),
            key=displayable(self.frame.scene.key_tokens[column]),
            value=self.text(row, column) or _("masked"),
        )

    def selection(self, row: int | None, column: int | None) -> Selection:
        return Selection(self.role, query=row, key=column)

    def copied(self) -> tuple[str, Array]:
        if not self._veiled:
            return self.role.value, self.values
        values = np.array(self.values)
        for place in np.ndindex(*values.shape):
            if self.veils(*place):
                values[place] = np.nan
        return self.role.value, values

    @property
    def pictured(self) -> object:
        return super().pictured, self.role, self.domain

    def image(self, most: tuple[int, int]) -> QImage:
        mask = self.frame.attention.mask
        return self.colormap.picture(
            self.values, self.domain, None if mask is None else ~mask, most
        )


class OutputSource(Source):
    """The chosen head's outputs, and after them the weights that each is made of."""

    align, pad, heated = RIGHT, 0, False

    def __init__(self, frame: Frame, theme: Theme) -> None:
        super().__init__(frame, theme)
        self.values: Array = frame.attention.of_head(frame.look.head).head_output
        # Of the head whose outputs these are, whatever A is shown.
        self.weights: Array = frame.attention.of_head(frame.look.head).weights

    @property
    def width(self) -> int:
        """Number of output columns, d_v."""
        return self.values.shape[1]

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape[0], self.width + self.weights.shape[1]

    @cached_property
    def ends(self) -> Array:
        """Where each key's part of a row's bar ends, from 0 to 1, shape (T, S)."""
        return np.cumsum(self.weights, axis=1)

    @cached_property
    def domain(self) -> float:
        """The largest magnitude: full strength of the colours where outputs fit as a picture."""
        return float(np.abs(self.values).max()) or 1.0

    def column_name(self, column: int) -> str:
        if column < self.width:
            return str(column + 1)
        return displayable(self.frame.scene.key_tokens[column - self.width])

    def number(self, row: int, column: int, decimals: int) -> str:
        """Return an output with so many decimals."""
        return display_number(float(self.values[row, column]), decimals)

    def text(self, row: int, column: int) -> str:
        if column < self.width:
            return self.number(row, column, 3)
        if self.frame.masked(row, column - self.width):
            return ""
        return display_weight(float(self.weights[row, column - self.width]))

    def tip(self, row: int, column: int) -> str:
        query = displayable(self.frame.scene.tokens[row])
        if column < self.width:
            value = full_number(self.values[row, column])
            return (
                _("{token}, column {number}").format(token=query, number=column + 1) + f"\n{value}"
            )
        value = full_number(self.weights[row, column - self.width])
        key = displayable(self.frame.scene.key_tokens[column - self.width])
        return f"{query} → {key}\n{value}"

    def spoken(self, row: int, column: int) -> str:
        query = displayable(self.frame.scene.tokens[row])
        if column < self.width:
            return _("O, {token}, column {number}, {value}").format(
                token=query, number=column + 1, value=self.text(row, column)
            )
        return _("O, {query} made of {key}, {value}").format(
            query=query,
            key=displayable(self.frame.scene.key_tokens[column - self.width]),
            value=self.text(row, column) or _("masked"),
        )

    def selection(self, row: int | None, column: int | None) -> Selection:
        if column is not None and column >= self.width:
            return Selection(Role.A, query=row, key=column - self.width)
        return Selection(Role.O, query=row, column=column)

    def place(self, selection: Selection | None) -> Place:
        query, key = marked(self.frame, selection)
        if key is not None:
            return query, self.width + key
        column = selection.column if selection is not None and selection.role is Role.O else None
        return query, column if column is not None and column < self.width else None

    def copied(self) -> tuple[str, Array]:
        return "O", self.values

    def image(self, most: tuple[int, int]) -> QImage:
        return self.theme.scores_map.picture(self.values, self.domain, most=most)


class OutputNumbers(OutputSource):
    """The outputs alone, without what they are made of."""

    align, pad, heated = Source.align, Source.pad, True

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.values.shape
        return rows, columns

    def fill(self, row: int, column: int) -> QColor | None:
        return self.theme.scores_map.fill(float(self.values[row, column]), self.domain)

    def ink(self, row: int, column: int) -> QColor:
        return self.theme.scores_map.text(float(self.values[row, column]), self.domain)

    def place(self, selection: Selection | None) -> Place:
        row, column = super().place(selection)
        return row, column if column is not None and column < self.width else None


def shortened(value: float, fits: Callable[[str], bool]) -> str:
    """Return a number with two decimals or fewer, or as "5e−7": the longest form that fits."""
    for decimals in (2, 1, 0):
        text = display_number(value, decimals)
        if fits(text):
            return text
    mantissa, _e, exponent = f"{value:.0e}".partition("e")
    return f"{mantissa}e{int(exponent)}".replace("-", MINUS)


OF_KEYS = (Space.K, Space.V)


class OfColumns(HeatSource):
    """A table whose columns are counted, not tokens: nothing in it can be masked."""

    def column_name(self, column: int) -> str:
        return str(column + 1)

    def column_colour(self, column: int) -> TokenColour | None:
        return None

    def hatched(self, row: int, column: int) -> bool:
        return False

    def empty_row(self, row: int) -> bool:
        return False
