"""The plane's points as a list: not seen, but found by screen readers."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from explorer.kit.canvas.name_list import NameList
from explorer.kit.plane.words import point_names
from explorer.session import Frame
from explorer.text import _


class PointList(NameList):
    """One item a point, in the order of `point_names`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(_("Points of the plane"), parent)
        self._shown: tuple[object, ...] = ()

    def show_points(self, frame: Frame) -> None:
        """Name the points of a frame; items that stay the same are left alone."""
        shown = (frame.attention, frame.projection, frame.scene, frame.look.shown)
        if _same(shown, self._shown):
            return
        self._shown = shown
        self.show_names(point_names(frame))


def _same(a: tuple[object, ...], b: tuple[object, ...]) -> bool:
    return len(a) == len(b) and all(x is y for x, y in zip(a, b, strict=True))
