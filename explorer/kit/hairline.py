"""A line that parts two things."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QWidget


def hairline(parent: QWidget | None = None, *, vertical: bool = False) -> QFrame:
    """Return a line a pixel wide, from left to right or from top to bottom."""
    line = QFrame(parent)
    line.setProperty("hairline", True)
    if vertical:
        line.setFixedWidth(1)
    else:
        line.setFixedHeight(1)
    return line
