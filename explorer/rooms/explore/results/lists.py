"""The pages of pairs and of points."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QWidget

from explorer.attention import angle, distance
from explorer.kit.base import why_hidden
from explorer.kit.copying import CopyFormats
from explorer.kit.table.listing import ListTable
from explorer.kit.table.painting import LEFT, RIGHT, Pair
from explorer.kit.table.sources import Place, Source, marked
from explorer.kit.theme import Theme, TokenColour
from explorer.session import Array, Frame, Role, Selection, Space, Stage, space_exists, stages_of
from explorer.text import (
    N_,
    _,
    decimal_places,
    display_number,
    display_weight,
    displayable,
    full_number,
    joined,
    labelled,
)

SPACES = (Space.X, Space.P, Space.Q, Space.K, Space.V, Space.O, Space.Y)
_OF_KEYS = (Space.K, Space.V)
SHOWN = 4  # numbers of a vector; the tooltip has them all


def vector_text(vector: Array) -> str:
    """Return a vector as "(1.0, −0.62)", its numbers with up to three decimals, shortened."""
    return "(" + ", ".join(_parts(vector)) + ")"


def _parts(vector: Array) -> list[str]:
    parts = [
        display_number(float(value), decimal_places(float(value), most=3))
        for value in vector[:SHOWN]
    ]
    return parts + ["…"] * (len(vector) > SHOWN)


class PointSource(Source):
    """The vectors of each token; in cross-attention the context's tokens follow with K and V."""

    align = LEFT
    heated = False

    def __init__(self, frame: Frame, theme: Theme) -> None:
        super().__init__(frame, theme)
        self.spaces = tuple(space for space in SPACES if space_exists(frame.scene, space))
        self._points = {space: frame.points(space) for space in self.spaces}
        self._crossed = frame.scene.context is not None
        self._queries = len(frame.scene.tokens)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.row_names), len(self.spaces)

    @property
    def row_names(self) -> tuple[str, ...]:
        scene = self.frame.scene
        return scene.tokens + (scene.key_tokens if self._crossed else ())

    @property
    def row_colours(self) -> list[TokenColour]:
        queries, keys = self.colours
        return queries + keys if self._crossed else queries

    def column_name(self, column: int) -> str:
        return self.spaces[column].value

    def vector(self, row: int, column: int) -> Array | None:
        """Return a token's vector; None where the token has none in that space."""
        space = self.spaces[column]
        if not self._crossed:
            return self._points[space][row]
        from_context = row >= self._queries
        if from_context and space is Space.X and self.frame.scene.context is not None:
            return self.frame.scene.context.X[row - self._queries]
        if from_context != (space in _OF_KEYS):
            return None
        return self._points[space][row - self._queries if from_context else row]

    def _hidden(self, column: int) -> bool:
        return Stage(self.spaces[column].value) in self.frame.look.hidden

    def text(self, row: int, column: int) -> str:
        vector = self.vector(row, column)
        if vector is not None and self._hidden(column):
            return "…"
        return "–" if vector is None else vector_text(vector)

    def vector_parts(self, row: int, column: int) -> tuple[str, ...]:
        vector = self.vector(row, column)
        return () if vector is None or self._hidden(column) else (*_parts(vector),)

    def tip(self, row: int, column: int) -> str:
        vector = self.vector(row, column)
        name = joined((displayable(self.row_names[row]), self.spaces[column].value))
        if vector is None:
            return name
        if self._hidden(column):
            return f"{name}\n{why_hidden(self.frame.look)}"
        return f"{name}\n({', '.join(full_number(value) for value in vector)})"

    def spoken(self, row: int, column: int) -> str:
        return _("{token}, {space}, {vector}").format(
            token=displayable(self.row_names[row]),
            space=self.spaces[column].value,
            vector=self.text(row, column),
        )

    def selection(self, row: int | None, column: int | None) -> Selection:
        role = Role.X if column is None else Role(self.spaces[column].value)
        if row is None:
            return Selection(role)
        of_context = self._crossed and row >= self._queries
        token = row - self._queries if of_context else row
        if of_context:
            # A token of the context is a key, whichever of its vectors is meant.
            return Selection(role if role in (Role.K, Role.V) else Role.CONTEXT, key=token)
        if role in (Role.K, Role.V):
            return Selection(role, key=token)
        return Selection(role, query=token)

    def place(self, selection: Selection | None) -> Place:
        query, key = marked(self.frame, selection)
        if selection is None or selection.in_weights or (query is None and key is None):
            return None, None
        role = Role.X if selection.role is Role.CONTEXT else selection.role
        roles = [Role(space.value) for space in self.spaces]
        column = roles.index(role) if role in roles else None
        if query is not None:
            return query, column
        assert key is not None
        return key + (self._queries if self._crossed else 0), column

    def copied(self) -> tuple[str, Array]:
        frame = self.frame
        selection, context = frame.selection, frame.scene.context
        if context is not None and selection is not None and selection.role is Role.CONTEXT:
            return "context", context.X
        selected = self.place(selection)[1]
        space = self.spaces[0 if selected is None or self._hidden(selected) else selected]
        return space.value, self._points[space]


PAIR, DISTANCE, PRODUCT, COSINE, ANGLE, WEIGHT = range(6)
_HEADINGS = (
    N_("from → to"),
    N_("X\ndist."),
    N_("q·k"),
    N_("|q| |k|\ncos θ"),
    N_("angle"),
    N_("weight"),
)
_LARGEST_FIRST = (PRODUCT, COSINE, WEIGHT)  # what a first click on the heading asks for

_RIGHT_ANGLE = 1e-15  # a cosine that is no more than what rounding leaves of 90°

Order = NDArray[np.intp]


class PairSource(Source):
    """All pairs in some order.

    Parameters
    ----------
    order : ndarray of int, shape (T·S,), or None
        The pair query · S + key in each row; None for the pairs as they are counted.
    sorting : (column, ascending) or None
        What the order came from, for the headings.
    """

    align = RIGHT
    pad = 4  # all columns are in view at the panel's usual width
    heated = False

    def __init__(
        self,
        frame: Frame,
        theme: Theme,
        order: Order | None = None,
        sorting: tuple[int, bool] | None = None,
    ) -> None:
        super().__init__(frame, theme)
        self._order = order
        self._sorting = sorting
        self._keys = frame.attention.keys

    @property
    def shape(self) -> tuple[int, int]:
        return self.frame.attention.queries * self._keys, len(_HEADINGS)

    @property
    def row_names(self) -> tuple[str, ...]:
        return ()

    def column_name(self, column: int) -> str:
        name = self.heading(column)
        if self._sorting is None or self._sorting[0] != column:
            return name
        return name + (" ▴" if self._sorting[1] else " ▾")

    def heading(self, column: int) -> str:
        """Return what a column's numbers are, in one line or two."""
        if column == WEIGHT and self.frame.averaged:
            return _("mean\nweight")
        if column == DISTANCE and Stage.P in stages_of(self.frame.scene):
            return _("X + P\ndist.")
        return _(_HEADINGS[column])

    def pair(self, row: int) -> tuple[int, int]:
        """Return the query and the key of a row."""
        number = row if self._order is None else int(self._order[row])
        return divmod(number, self._keys)

    def paired(self, row: int, column: int) -> Pair | None:
        if column != PAIR:
            return None
        query, key = self.pair(row)
        scene, colours = self.frame.scene, self.colours
        return (scene.tokens[query], colours[0][query]), (scene.key_tokens[key], colours[1][key])

    def value(self, row: int, column: int) -> float | None:
        """Return a number of a row; None where it does not exist or is masked."""
        query, key = self.pair(row)
        result, head = self.frame.attention, self.frame.look.head
        if column == DISTANCE:
            if result.X.shape[-1] != result.context.shape[-1]:
                return None
            return distance(result.X[query], result.context[key])
        if column == PRODUCT:
            return float(result.of_head(head).raw[query, key])
        if column == WEIGHT:
            return None if self.frame.masked(query, key) else float(self.frame.weights[query, key])
        q, k = result.Q[head, query], result.K[head, key]
        between = angle(q, k)
        if column == ANGLE:
            return between
        if between is None:
            return 0.0
        cosine = math.cos(math.radians(between))
        if abs(cosine) < _RIGHT_ANGLE:
            return 0.0
        return math.hypot(*q) * math.hypot(*k) * cosine

    def text(self, row: int, column: int) -> str:
        if column == PAIR:
            query, key = self.pair(row)
            scene = self.frame.scene
            return f"{displayable(scene.tokens[query])} → {displayable(scene.key_tokens[key])}"
        value = self.value(row, column)
        if value is None:
            return _("masked") if column == WEIGHT else "–"
        if column == ANGLE:
            return f"{value:.0f}°"
        exact = column in (PRODUCT, COSINE)
        return display_weight(value, decimal_places(value, most=3, least=2) if exact else 3)

    def tip(self, row: int, column: int) -> str:
        pair = self.text(row, PAIR)
        if column == PAIR:
            return pair
        value = self.value(row, column)
        shown = self.text(row, column) if value is None else full_number(value)
        heading = self.heading(column).replace("\n", " ")
        said = f"{pair}\n{labelled(heading, shown)}"
        return said + (self._factors(row) if column == COSINE else "")

    def _factors(self, row: int) -> str:
        """Return the line "1.000 × 0.965 × cos 130°"; nothing where there is no angle."""
        query, key = self.pair(row)
        result, head = self.frame.attention, self.frame.look.head
        between = self.value(row, ANGLE)
        if between is None:
            return ""
        q, k = (
            display_number(math.hypot(*v), 3) for v in (result.Q[head, query], result.K[head, key])
        )
        return f"\n{q} × {k} × cos {between:.0f}°"

    def spoken(self, row: int, column: int) -> str:
        if column == PAIR:
            return self.text(row, PAIR)
        heading = self.heading(column).replace("\n", " ")
        return joined((self.text(row, PAIR), heading, self.text(row, column)))

    def selection(self, row: int | None, column: int | None) -> Selection:
        query, key = self.pair(row or 0)
        return Selection(Role.A if column == WEIGHT else Role.S, query=query, key=key)

    def place(self, selection: Selection | None) -> Place:
        query, key = marked(self.frame, selection)
        if query is None or key is None:
            return None, None
        number = query * self._keys + key
        if self._order is None:
            return number, None
        return int(np.flatnonzero(self._order == number)[0]), None

    def copied(self) -> tuple[str, Array]:
        result, head = self.frame.attention, self.frame.look.head
        products = result.of_head(head).raw
        angles = np.degrees(np.arccos(np.clip(-_sort_keys(self.frame, ANGLE), -1.0, 1.0)))
        parts = [
            _sort_keys(self.frame, DISTANCE),
            products,
            products,
            angles,
            _sort_keys(self.frame, WEIGHT),
        ]
        block = np.stack([part.ravel() for part in parts], axis=1)
        return "pairs", block if self._order is None else block[self._order]


def sort_order(frame: Frame, column: int, ascending: bool) -> Order:
    """Return the pairs (query · S + key) in the order of a column, those without a value last."""
    keys = _sort_keys(frame, column).ravel()
    return np.argsort(keys if ascending else -keys, kind="stable")


def _sort_keys(frame: Frame, column: int) -> Array:
    result, head = frame.attention, frame.look.head
    shape = result.queries, result.keys
    if column == PAIR:
        return np.arange(float(shape[0] * shape[1])).reshape(shape)
    if column == DISTANCE:
        if result.X.shape[-1] != result.context.shape[-1]:
            return np.zeros(shape)
        # Row by row: all differences at once would take T·S·d numbers.
        return np.stack([np.linalg.norm(result.context - row, axis=1) for row in result.X])
    if column == ANGLE:
        q, k = (_units(vectors[head]) for vectors in (result.Q, result.K))
        return -(q @ k.T)
    if column == WEIGHT:
        mask = result.mask
        return frame.weights if mask is None else np.where(mask, frame.weights, np.nan)
    return result.of_head(head).raw


def _units(vectors: Array) -> Array:
    """Return the rows at length 1; not a number where a row is zero."""
    peaks = np.abs(vectors).max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        scaled = vectors / peaks
        return scaled / np.linalg.norm(scaled, axis=1, keepdims=True)


class PairsTable(ListTable):
    """The pairs, sorted by a click on a heading; rows stand still while a token is dragged."""

    def __init__(
        self, name: str, theme: Theme, formats: CopyFormats, parent: QWidget | None = None
    ) -> None:
        super().__init__(name, theme, formats, parent, named=False)
        self._sorting: tuple[int, bool] | None = None
        self._order: Order | None = None
        self._ordered: object = None
        self._frame: Frame | None = None
        self.horizontalHeader().sectionPressed.connect(self.sort_by)

    def show_frame(self, frame: Frame, theme: Theme) -> None:
        """Show the pairs of another frame."""
        self._frame = frame
        wanted = (frame.attention, frame.look.head, self._sorting)
        count = frame.attention.queries * frame.attention.keys
        other = self._order is None or len(self._order) != count
        if self._sorting is None:
            self._order = None
        elif wanted != self._ordered and (frame.drag is None or other):
            self._order = sort_order(frame, *self._sorting)
            self._ordered = wanted
        self.show_source(PairSource(frame, theme, self._order, self._sorting))

    def sort_by(self, column: int) -> None:
        """Sort by a column; the same column again turns the order round, and then drops it."""
        first = column not in _LARGEST_FIRST
        steps = {None: (column, first), (column, first): (column, not first)}
        mine = self._sorting if self._sorting is not None and self._sorting[0] == column else None
        self._sorting = steps.get(mine)
        if self._frame is not None:
            self.show_frame(self._frame, self.theme)
