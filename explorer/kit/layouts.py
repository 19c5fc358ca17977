"""Rows and columns of parts, and the lines between them."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QBoxLayout, QFrame, QLayout, QWidget

Part = QWidget | QLayout | None
L = TypeVar("L", bound=QBoxLayout)
_PASSES = 8  # tables ask for their height, a scroll bar takes its width, texts are broken anew
NO_LIMIT = (1 << 24) - 1  # Qt's QWIDGETSIZE_MAX


def put(layout: L, *parts: Part | tuple[Part, int]) -> L:
    """Return a row or column after these parts were put at its end.

    Parameters
    ----------
    parts : QWidget, QLayout, None, or a pair
        Of a pair the number says how much of the room that is left it takes; None is such room.
    """
    for each in parts:
        part, stretch = each if isinstance(each, tuple) else (each, int(each is None))
        if part is None:
            layout.addStretch(stretch)
        elif isinstance(part, QLayout):
            layout.addLayout(part, stretch)
        else:
            layout.addWidget(part, stretch)
    return layout


def lay_out() -> None:
    """Give every part that waits for its place one; with each pass a request climbs one level."""
    for _pass in range(_PASSES):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)


def set_direction(layout: QBoxLayout, *, beside: bool) -> None:
    """Let the parts of a row or column stand beside one another, or below one another."""
    direction = QBoxLayout.Direction
    layout.setDirection(direction.LeftToRight if beside else direction.TopToBottom)


def fix_height(widget: QWidget, height: int | None) -> None:
    """Let a widget have a height, px, or any there is."""
    widget.setMinimumHeight(height or 0)
    widget.setMaximumHeight(NO_LIMIT if height is None else height)


def fill(layout: L, *parts: Part | tuple[Part, int], gap: int = 0) -> L:
    """Return a row or column of these parts alone, without margins, `gap` px apart."""
    set_spacing(layout, 0, 0, 0, 0, gap=gap)
    return put(layout, *parts)


def as_panel(widget: QWidget) -> None:
    """Give a widget of any class the ground of a panel."""
    widget.setProperty("panel", True)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


def set_spacing(layout: QLayout, left: int, top: int, right: int, bottom: int, *, gap: int) -> None:
    """Set the margins of a row, a column or a grid, and the gap between its parts, in px."""
    layout.setContentsMargins(left, top, right, bottom)
    layout.setSpacing(gap)


def hairline(parent: QWidget | None = None, *, vertical: bool = False) -> QFrame:
    """Return a line a pixel wide, from left to right or from top to bottom."""
    line = QFrame(parent)
    line.setProperty("hairline", True)
    if vertical:
        line.setFixedWidth(1)
    else:
        line.setFixedHeight(1)
    return line
