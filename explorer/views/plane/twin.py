"""The plane's points as a list: not seen, but found by screen readers."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QWidget

from explorer.session import Frame, Space
from explorer.text import _, decimal_places, display_number, displayable


def point_names(frame: Frame) -> list[str]:
    """Return a name for every shown point, such as "k cloud at −0.62, 0.74"."""
    names: list[str] = []
    for space in Space:
        if space not in frame.look.spaces:
            continue
        exact = frame.projection.exact
        rows = frame.points(space) if exact else frame.projection.project(frame.points(space))
        template = (
            _("{letter} {token} at {place}")
            if exact
            else _("{letter} {token} at {place} in the plane")
        )
        for token, row in zip(frame.names(space), rows.tolist(), strict=True):
            place = ", ".join(display_number(v, decimal_places(v, most=3)) for v in row)
            letter = space.value if space is Space.X else space.value.lower()
            names.append(template.format(letter=letter, token=displayable(token), place=place))
    return names


def summary(frame: Frame) -> str:
    """Return in one sentence what the plane shows."""
    spaces = ", ".join(space.value for space in Space if space in frame.look.spaces)
    text = _("Points of {spaces}").format(spaces=spaces)
    edges = {
        "none": _("no edges"),
        "scores": _("edges show scores"),
        "attention": _("edges show attention"),
    }[frame.look.edges]
    return f"{text}, {edges}"


class PointList(QListWidget):
    """One item a point, in the order of `point_names`; outside the visible area of its parent."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Points of the plane"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setGeometry(-4000, 0, 200, 200)

    def show_points(self, frame: Frame) -> None:
        """Name the points of a frame; items that stay the same are left alone."""
        names = point_names(frame)
        while self.count() > len(names):
            self.takeItem(self.count() - 1)
        for row, name in enumerate(names):
            item = self.item(row)
            if item is None:
                self.addItem(name)
            elif item.text() != name:
                item.setText(name)
