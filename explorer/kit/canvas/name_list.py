"""Names of what a canvas paints: not seen, but found by screen readers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QWidget


class NameList(QListWidget):
    """One item a name; outside the visible area of its parent."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setGeometry(-4000, 0, 200, 200)

    def show_names(self, names: Sequence[str]) -> None:
        """Show these names; items that stay the same are left alone."""
        while self.count() > len(names):
            self.takeItem(self.count() - 1)
        for row, name in enumerate(names):
            item = self.item(row)
            if item is None:
                self.addItem(name)
            elif item.text() != name:
                item.setText(name)
