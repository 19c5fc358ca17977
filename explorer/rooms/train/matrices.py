"""The Matrices page: everything that one head computes for a sample, as numbers."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.kit.copying import NO_FORMATS, CopyFormats
from explorer.kit.scrolling import ColumnArea
from explorer.kit.theme import Theme
from explorer.rooms.train.base import TrainView
from explorer.rooms.train.head import HeadHeading, shown_head
from explorer.rooms.train.head_tables import HeadTables
from explorer.session.train import TrainChange, TrainFrame


class MatricesView(TrainView):
    """Q, K, V, S, A and O of the chosen head.

    Parameters
    ----------
    copy_as : CopyFormats
        The formats of the tables' copy menus.
    """

    concerns: ClassVar[TrainChange] = (
        TrainChange.NUMBERS | TrainChange.SELECTION | TrainChange.HOVER
    )

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, copy_as: CopyFormats = NO_FORMATS
    ) -> None:
        super().__init__(theme, parent)
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.heading = HeadHeading(theme)
        self.tables = HeadTables(copy_as, theme)
        self.tables.setProperty("panel", True)
        self.area = ColumnArea()
        self.area.setWidget(self.tables)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.area, 1)  # first, so that keys reach the numbers first
        column.insertWidget(0, self.heading)
        for part in (self.heading, self.tables):
            part.intent.connect(self.intent)

    def draw(self, frame: TrainFrame) -> None:
        """Show the head at the cursor."""
        head = shown_head(self.theme, frame)
        self.heading.draw(frame, head)
        self.tables.setVisible(not isinstance(head, str))
        if not isinstance(head, str):
            self.tables.draw(head)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        self.heading.retheme(theme)
        self.tables.retheme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # A scroll bar lies over the padding, so that it takes no width from the tables.
        self.tables.setMinimumWidth(self.width())


if __name__ == "__main__":
    from explorer.rooms.train.preview import preview

    preview(MatricesView)
