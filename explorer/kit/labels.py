"""Labels for plain text, read never as HTML: one that wraps, one that does not, one that is cut."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from explorer.text import titled


def plain_line(ink: str = "ink1", parent: QWidget | None = None, text: str = "") -> QLabel:
    """Return a label for one line of plain text in a colour of the palette."""
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("ink", ink)
    return label


def plain_label(ink: str = "ink1", parent: QWidget | None = None, text: str = "") -> QLabel:
    """Return a label likewise, which wraps."""
    label = plain_line(ink, parent, text)
    label.setWordWrap(True)
    return label


def show_title(label: QLabel, title: str) -> None:
    """Show a title whose last words are kept together, and which is read aloud as it is."""
    label.setText(titled(title))
    label.setAccessibleName(title)


_END = re.compile(r", |，|(?<=\.) |(?<=。)")  # of a clause or a sentence


def show_text(label: QLabel, text: str) -> None:
    """Show a text, or leave its line out where it is empty."""
    if label.text() != text:
        label.setText(text)
    if label.isHidden() == bool(text):
        label.setVisible(bool(text))


def show_ink(label: QLabel, ink: str) -> None:
    """Show a text in another colour of the palette."""
    if label.property("ink") != ink:
        label.setProperty("ink", ink)
        label.style().polish(label)


class ElidedLabel(QLabel):
    """A line that asks for no width at all and shows what has room; its tip has all of it."""

    def __init__(self, ink: str = "ink3", parent: QWidget | None = None, text: str = "") -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("ink", ink)

    def minimumSizeHint(self) -> QSize:
        """Return no width at all."""
        return QSize(0, super().minimumSizeHint().height())

    @property
    def shown_text(self) -> str:
        """What is seen of the text: as many clauses as have room, or the start of the first."""
        text, metrics = self.text(), self.fontMetrics()
        ends = [len(text), *(end.start() for end in reversed([*_END.finditer(text)]))]
        for end in ends:
            if metrics.horizontalAdvance(text[:end]) <= self.width():
                return text[:end]
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, self.width())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw what has room."""
        with QPainter(self) as painter:
            self.style().drawItemText(
                painter,
                self.rect(),
                self.alignment(),
                self.palette(),
                self.isEnabled(),
                self.shown_text,
                self.foregroundRole(),
            )
