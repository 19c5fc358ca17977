"""The text itself, each token coloured by the weight that one of them gives it."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.kit.labels import ElidedLabel
from explorer.kit.layouts import fill
from explorer.kit.scrolling import ColumnArea
from explorer.kit.theme import Theme
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.text_layout import (
    LINE,
)
from explorer.rooms.model.text_page import FOOTER, SIDE, TextPage
from explorer.session.model.frame import ModelChange, ModelFrame
from explorer.text import _


class TextView(ModelView):
    """A text that scrolls, and a line that tells what can be done, or what is pointed at."""

    concerns: ClassVar[ModelChange] = (
        ModelChange.NUMBERS | ModelChange.PAIR | ModelChange.HOVER | ModelChange.LOOK
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setMinimumSize(360, 220)
        self.page = TextPage(theme)
        self.page.intent.connect(self.intent)
        self.area = ColumnArea()
        self.area.setWidget(self.page)
        self.footer = ElidedLabel()
        column = fill(QVBoxLayout(self), (self.area, 1))
        self._below = QHBoxLayout()
        self._below.addWidget(self.footer, 1)
        column.addLayout(self._below)
        self._asked: tuple[object, int | None] = (None, None)
        self.retheme(theme)

    def viewport(self) -> QWidget:
        """Return the lines, which take the mouse and the keys."""
        return self.page

    def be_presented(self) -> None:
        """Leave out what is said of the mouse."""
        self.footer.hide()

    def draw(self, frame: ModelFrame) -> None:
        """Show the text of a run, and scroll to the query where that is another token."""
        self._fill()
        self.page.draw(frame)
        self.footer.setText(self.page.readout or self._hint(frame))
        asked = (frame.run, frame.cursor.query)
        if asked != self._asked:
            self._asked = asked
            self._bring_in_sight(frame)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        self.page.retheme(theme)
        self.footer.setFont(theme.font(13))
        self.footer.setFixedHeight(theme.px(FOOTER))
        self._below.setContentsMargins(theme.px(SIDE), 0, theme.px(SIDE), 0)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fill()

    def _fill(self) -> None:
        footer = 0 if self.footer.isHidden() else self.theme.px(FOOTER)
        self.page.fill(self.height() - footer)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), self.theme.color("canvas"))

    def _hint(self, frame: ModelFrame) -> str:
        if frame.run is None:
            return ""
        return _(
            "Click a token: it asks. Hover: its place and weight. "
            "[ and ] go to the next larger and smaller weight."
        )

    def _bring_in_sight(self, frame: ModelFrame) -> None:
        query = frame.cursor.query
        if query is None:
            return
        where = self.page.token_rect(query, key=False)
        if not where.isEmpty():
            middle = where.center().toPoint()
            self.area.ensureVisible(middle.x(), middle.y(), 0, self.theme.px(2 * LINE))
