"""A table that is filled in by hand, with what is said to it: check, and show the numbers."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from explorer.kit.heat.grid import PADDING
from explorer.kit.heat.heat import HeatTable
from explorer.kit.heat.listing import ListTable
from explorer.kit.heat.part import Part
from explorer.kit.heat.titles import Title
from explorer.kit.heat.wording import fill_words
from explorer.kit.theme import Theme
from explorer.rooms.explore.results.filled import FilledSource
from explorer.rooms.explore.results.filling import FillEditor
from explorer.session import Frame
from explorer.session.intents import BlankOut, CheckBlank
from explorer.session.lesson import Marking, Verdict
from explorer.text import _

MarkOf = Callable[[Frame], Marking]


def unmarked(_frame: Frame) -> Marking:
    """Return no marks at all."""
    return Marking()


class FillPart(Part):
    """A title, a table to type into, and below it what became of it."""

    always_full = True  # a picture's cells are too small to be typed into

    def __init__(
        self,
        title: Title,
        fitted: HeatTable,
        full: ListTable,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, fitted, full, parent)
        self.said = QLabel(self)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setWordWrap(True)
        self.said.hide()
        self.check = QPushButton(_("Check"), self)
        self.reveal = QPushButton(_("Show the numbers"), self)
        self.check.clicked.connect(lambda: self.intent.emit(CheckBlank()))
        self.reveal.clicked.connect(lambda: self.intent.emit(BlankOut(None)))
        self._buttons = QHBoxLayout()
        self._buttons.addWidget(self.check)
        self._buttons.addWidget(self.reveal)
        self._buttons.addStretch(1)
        self.column.addWidget(self.said)
        self.column.addLayout(self._buttons)
        self.editors = [FillEditor(table) for table in (fitted, full)]
        for editor in self.editors:
            editor.intent.connect(self.intent)
        self.retheme(theme)

    def show_filled(self, source: FilledSource, marking: Marking) -> None:
        """Show what stands in the cells, and what was said to it."""
        self.say(fill_words(source.frame))
        self.draw(source, source)
        for editor in self.editors:
            editor.follow()
        self.said.setText(marking.said)
        self.said.setVisible(bool(marking.said))
        right = all(each is Verdict.RIGHT for each in marking.verdicts.values())
        ink = "ok" if right else "err"
        if self.said.property("ink") != ink:
            self.said.setProperty("ink", ink)
            self.said.style().polish(self.said)

    def stops(self) -> list[QWidget]:
        return [self.fitted, self.full, self.check, self.reveal]

    def retheme(self, theme: Theme) -> None:
        super().retheme(theme)
        pad, gap = theme.px(PADDING), theme.px(8)
        self.said.setFont(theme.font(14))
        self.said.setContentsMargins(pad, gap, pad, 0)
        for button in (self.check, self.reveal):
            button.setFont(theme.font(14))
        self._buttons.setContentsMargins(pad, gap, pad, 0)
        self._buttons.setSpacing(gap)
