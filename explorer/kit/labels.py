"""Labels for plain text: names and sentences of a scene are never read as HTML."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget


def plain_label(ink: str, parent: QWidget | None = None) -> QLabel:
    """Return an empty label for plain text, which wraps, in a colour of the palette."""
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setProperty("ink", ink)
    return label
