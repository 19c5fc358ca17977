"""The tab key goes through what is laid out in the order of reading, whenever it was made."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QWidget


def lead_tab_key(layout: QLayout) -> None:
    """Lead the tab key through everything within a layout that takes it, from its start on."""
    for before, after in pairwise(stops(layout)):
        QWidget.setTabOrder(before, after)


def stops(layout: QLayout) -> Iterator[QWidget]:
    """Yield the widgets within a layout that take the tab key, in the order of the layouts."""
    for place in range(layout.count()):
        item = layout.itemAt(place)
        widget, inner = (None, None) if item is None else (item.widget(), item.layout())
        if widget is not None:
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None:
                yield widget
            inner = widget.layout()
        if inner is not None:
            yield from stops(inner)
