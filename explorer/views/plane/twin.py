"""The plane's points as a list: not seen, but found by screen readers."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QWidget

from explorer.session import Frame
from explorer.text import _
from explorer.views.plane.words import point_names


class PointList(QListWidget):
    """One item a point, in the order of `point_names`; outside the visible area of its parent."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Points of the plane"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setGeometry(-4000, 0, 200, 200)
        self._shown: tuple[object, ...] = ()

    def show_points(self, frame: Frame) -> None:
        """Name the points of a frame; items that stay the same are left alone."""
        shown = (frame.attention, frame.projection, frame.scene, frame.look.shown)
        if _same(shown, self._shown):
            return
        self._shown = shown
        names = point_names(frame)
        while self.count() > len(names):
            self.takeItem(self.count() - 1)
        for row, name in enumerate(names):
            item = self.item(row)
            if item is None:
                self.addItem(name)
            elif item.text() != name:
                item.setText(name)


def _same(a: tuple[object, ...], b: tuple[object, ...]) -> bool:
    return len(a) == len(b) and all(x is y for x, y in zip(a, b, strict=True))
