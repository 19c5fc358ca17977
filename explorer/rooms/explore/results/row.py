"""The selected token's row of A as a list, below the matrix of many tokens."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from explorer.kit.row_list import Key, ListedRow, RowList, others_of, strongest
from explorer.kit.table.sources import marked
from explorer.kit.theme import Theme
from explorer.session import Frame, Role, Selection, Stage
from explorer.session.intents import Hover, Select
from explorer.session.resolve import domain_of
from explorer.text import _, displayable


class WeightList(RowList):
    """The keys that the selected query gives most: as many as it has edges on the plane."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._listed: ListedRow | None = None
        self.picked.connect(self._pick)
        self.pointed.connect(self._point)
        self.stepped.connect(self._step)

    def draw(self, frame: Frame) -> None:
        """Show the selected query's row."""
        most = min(frame.look.strongest, frame.attention.keys)
        self._listed = listed_row(frame, self.theme)
        self.show_row(self._listed, most, _("Click a token: it asks."))

    def _pick(self, key: int) -> None:
        if self._listed is not None:
            self.intent.emit(Select(Selection(Role.A, self._listed.place, key)))

    def _point(self, key: int | None) -> None:
        if self._listed is not None:
            at = None if key is None else Selection(Role.A, self._listed.place, key)
            self.intent.emit(Hover(at))

    def _step(self, step: int) -> None:
        """Select the next larger weight, or the next smaller one; at first the largest."""
        keys = self.keys
        if self._listed is None or not keys:
            return
        chosen = self._listed.chosen
        at = keys.index(chosen) - step if chosen in keys else 0
        if 0 <= at < len(keys):
            self._pick(keys[at])


def listed_row(frame: Frame, theme: Theme) -> ListedRow | None:
    """Return the row of the selected query; None where there is none, or it is hidden."""
    query, chosen = marked(frame, frame.selection)
    if query is None or frame.look.hides(Stage.A, query):
        return None
    weights = frame.weights[query]
    found = strongest(weights, frame.look.strongest)
    queries, colours = theme.token_colours(frame)
    scene = frame.scene
    keys = tuple(
        Key(
            place,
            displayable(scene.key_tokens[place], 24),
            float(weights[place]),
            None if theme.is_neutral(colours[place]) else colours[place],
        )
        for place in found
    )
    over, under = marked(frame, frame.hover)
    return ListedRow(
        query,
        displayable(scene.tokens[query], 24),
        queries[query],
        keys,
        others_of(weights, found),
        domain_of(keys[0].weight if keys else 0.0),
        chosen,
        under if over in (None, query) else None,
    )
