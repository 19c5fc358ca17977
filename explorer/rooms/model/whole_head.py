"""The right panel beside a long text: one row in numbers, the whole head, and a window upon it."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.kit.labels import plain_label
from explorer.kit.layouts import as_panel, fill, put, set_spacing
from explorer.kit.row_list import PAD, Key, ListedRow, RowList
from explorer.kit.scrolling import ColumnArea
from explorer.kit.segments import Segment, Tabs
from explorer.kit.theme import Theme
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.head_map import HeadMap, WindowInset, window_of
from explorer.rooms.model.row import STRONGEST, selected_row, token_colours, token_name
from explorer.session.model.frame import ModelCentre, ModelChange, ModelFrame
from explorer.session.model.intents import ChangeModelLook, HoverPair, SelectPair, StepPair
from explorer.text import _, plain_tip

_KEYS, _MAP = "keys", "map"


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


class WholeHead(ModelView):
    """The selected query's strongest keys; all weights of the head; a window, larger.

    In compact form either the keys or the head are shown, by a choice on top.
    """

    concerns: ClassVar[ModelChange] = (
        ModelChange.NUMBERS | ModelChange.PAIR | ModelChange.HOVER | ModelChange.LOOK
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        as_panel(self)
        self.setMinimumSize(332, 220)
        self._windowed = False
        parts = [Segment(_KEYS, _("Strongest keys")), Segment(_MAP, _("Whole head"))]
        self.tabs = Tabs(parts, _("Right panel"), theme, self)
        self.tabs.turned.connect(self._show_parts)
        self.rows, self.map, self.inset = StrongestKeys(theme), HeadMap(theme), WindowInset(theme)
        for part in (self.rows, self.map, self.inset):
            part.intent.connect(self.intent)
        self.title, self.place = plain_label("ink1"), plain_label("ink2")
        self.hint = plain_label(
            "ink3", text=_("Drag it; a corner makes it larger. Arrows move it.")
        )
        self.button = QPushButton(_("Open as matrix"))
        self.button.setToolTip(plain_tip(_("Show the window's weights as numbers (Enter)")))
        self.button.clicked.connect(
            lambda: self.intent.emit(ChangeModelLook({"centre": ModelCentre.MATRIX}))
        )
        self._texts = QVBoxLayout()
        put(self._texts, self.title, self.place, self.hint, None)
        self._texts.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.below = QWidget()
        self._row = QHBoxLayout(self.below)
        self._row.addWidget(self.inset, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addLayout(self._texts, 1)
        inner = QWidget()
        inner.setProperty("panel", True)
        column = fill(QVBoxLayout(inner))
        put(column, self.rows, self.map, self.below, None)
        self.area = ColumnArea()
        self.area.setWidget(inner)
        outer = fill(QVBoxLayout(self))
        self._choice = QHBoxLayout()
        put(self._choice, self.tabs, None)
        put(outer, self._choice, (self.area, 1))
        self.retheme(theme)
        self._show_parts()

    def viewport(self) -> QWidget:
        """Return the map, which takes the focus."""
        return self.map

    def draw(self, frame: ModelFrame) -> None:
        """Show the row at the cursor, the head and the window."""
        self.rows.draw(frame)
        self.map.draw(frame)
        self.inset.draw(frame)
        window = window_of(frame)
        self._windowed = window is not None
        self.below.setVisible(self._windowed and not self.map.isHidden())
        if window is not None:
            size = window.size
            self.title.setText(_("The window, {size} × {size}").format(size=size))
            self.place.setText(
                _("queries {queries}  keys {keys}").format(
                    queries=f"{window.query + 1}–{window.query + size}",
                    keys=f"{window.key + 1}–{window.key + size}",
                )
            )

    def _show_parts(self) -> None:
        whole = self.tabs.shows(_MAP)
        self.rows.setVisible(self.tabs.shows(_KEYS))
        self.map.setVisible(whole)
        self.below.setVisible(whole and self._windowed)
        above = self.theme.px(10) if self.tabs.by_turns else 0
        self._choice.setContentsMargins(self.theme.px(PAD), above, self.theme.px(PAD), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.map.set_room(self.width())

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        px = theme.px
        for part in (self.rows, self.map, self.inset, self.tabs):
            part.retheme(theme)
        self.title.setFont(theme.font(14, 600))
        for label in (self.place, self.hint):
            label.setFont(theme.font(13))
        self.button.setFont(theme.font(13, 500))
        self._texts.setSpacing(px(4))
        set_spacing(self._row, px(PAD) - 3, px(4), px(PAD), 0, gap=px(10))
