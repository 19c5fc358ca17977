"""The points page: every token's row of X, Q, K, V and O, and of X + P and Y where they are."""

from __future__ import annotations

from explorer.kit.heat.painting import LEFT
from explorer.kit.heat.sources import Place, Source, marked
from explorer.kit.hidden import why_hidden
from explorer.kit.theme import Theme, TokenColour
from explorer.session import Array, Frame, Role, Selection, Space, Stage, space_exists
from explorer.text import _, decimal_places, display_number, displayable, full_number

SPACES = (Space.X, Space.P, Space.Q, Space.K, Space.V, Space.O, Space.Y)
_OF_KEYS = (Space.K, Space.V)
SHOWN = 4  # numbers of a vector; the tooltip has them all


def vector_text(vector: Array, shown: int = SHOWN) -> str:
    """Return a vector as "(1.0, −0.62)", its numbers with up to three decimals, shortened."""
    parts = [
        display_number(float(value), decimal_places(float(value), most=3))
        for value in vector[:shown]
    ]
    return "(" + ", ".join(parts + ["…"] * (len(vector) > shown)) + ")"


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

    def tip(self, row: int, column: int) -> str:
        vector = self.vector(row, column)
        name = f"{displayable(self.row_names[row])}, {self.spaces[column].value}"
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
