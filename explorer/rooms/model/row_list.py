"""The keys that the selected query gives most, as rows."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from explorer.kit.row_list import Key, ListedRow, RowList
from explorer.kit.theme import Theme
from explorer.rooms.model.row import STRONGEST, selected_row, token_colours, token_name
from explorer.session.model.frame import ModelFrame
from explorer.session.model.intents import HoverPair, SelectPair, StepPair
from explorer.text import _


class StrongestKeys(RowList):
    """The selected query's row of the chosen head."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._frame = ModelFrame()
        self.picked.connect(lambda key: self.intent.emit(SelectPair(self._query, key)))
        self.pointed.connect(self._hover)
        self.stepped.connect(lambda step: self.intent.emit(StepPair(step)))

    def draw(self, frame: ModelFrame) -> None:
        """Show the selected query's row."""
        self._frame = frame
        waiting = _("Click a token: it asks.") if frame.run is not None else ""
        self.show_row(self._listed(), STRONGEST, waiting)

    def _listed(self) -> ListedRow | None:
        frame, row = self._frame, selected_row(self._frame)
        if row is None:
            return None
        colours = token_colours(self.theme, frame)
        keys = tuple(
            Key(key, token_name(frame, key), float(row.weights[key]), colours.get(key))
            for key in row.strongest
        )
        name = token_name(frame, row.query, key=False)
        chosen, hovered = frame.cursor.key, frame.hover[1]
        at = row.query, name, colours[row.query]
        return ListedRow(*at, keys, row.others, row.domain, chosen, hovered)

    @property
    def _query(self) -> int | None:
        return self._frame.cursor.query

    def _hover(self, key: int | None) -> None:
        self.intent.emit(HoverPair() if key is None else HoverPair(self._query, key))
