"""The right panel beside a long text: one row in numbers, the whole head, and a window upon it."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.kit.labels import plain_label
from explorer.kit.scrolling import ColumnArea
from explorer.kit.theme import Theme
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.head_map import HeadMap, WindowInset, window_of
from explorer.rooms.model.row_list import PAD, RowList
from explorer.session.model.frame import ModelCentre, ModelChange, ModelFrame
from explorer.session.model.intents import ShowModelCentre
from explorer.text import _, plain_tip


class WholeHead(ModelView):
    """The selected query's strongest keys; all weights of the head; a window, larger."""

    concerns: ClassVar[ModelChange] = (
        ModelChange.NUMBERS | ModelChange.PAIR | ModelChange.HOVER | ModelChange.LOOK
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumSize(332, 220)
        self.rows, self.map, self.inset = RowList(theme), HeadMap(theme), WindowInset(theme)
        for part in (self.rows, self.map, self.inset):
            part.intent.connect(self.intent)
        self.title, self.place = plain_label("ink1"), plain_label("ink2")
        self.hint = plain_label("ink3")
        self.hint.setText(_("Drag it; a corner makes it larger. Arrows move it."))
        self.button = QPushButton(_("Open as matrix"))
        self.button.setToolTip(plain_tip(_("Show the window's weights as numbers (Enter)")))
        self.button.clicked.connect(lambda: self.intent.emit(ShowModelCentre(ModelCentre.MATRIX)))
        self._texts = QVBoxLayout()
        for label in (self.title, self.place, self.hint):
            self._texts.addWidget(label)
        self._texts.addStretch(1)
        self._texts.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.below = QWidget()
        self._row = QHBoxLayout(self.below)
        self._row.addWidget(self.inset, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addLayout(self._texts, 1)
        inner = QWidget()
        inner.setProperty("panel", True)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.rows, self.map, self.below):
            column.addWidget(widget)
        column.addStretch(1)
        self.area = ColumnArea()
        self.area.setWidget(inner)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.area)
        self.retheme(theme)

    def viewport(self) -> QWidget:
        """Return the map, which takes the keys."""
        return self.map

    def draw(self, frame: ModelFrame) -> None:
        """Show the row at the cursor, the head and the window."""
        self.rows.draw(frame)
        self.map.draw(frame)
        self.inset.draw(frame)
        window = window_of(frame)
        self.below.setVisible(window is not None)
        if window is not None:
            size = window.size
            self.title.setText(_("The window, {size} × {size}").format(size=size))
            self.place.setText(
                _("asks {queries}  asked {keys}").format(
                    queries=f"{window.query + 1}–{window.query + size}",
                    keys=f"{window.key + 1}–{window.key + size}",
                )
            )

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        px = theme.px
        for part in (self.rows, self.map, self.inset):
            part.retheme(theme)
        self.title.setFont(theme.font(14, 600))
        for label in (self.place, self.hint):
            label.setFont(theme.font(13))
        self.button.setFont(theme.font(13, 500))
        self._texts.setSpacing(px(4))
        self._row.setSpacing(px(10))
        self._row.setContentsMargins(px(PAD) - 3, px(4), px(PAD), 0)
