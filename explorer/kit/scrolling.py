"""The area that every panel scrolls in."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget

from explorer.kit.table.view import CellTable

_PAGES = (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)
_MOST_RESIZED = 4  # times that fitting the column may resize it anew


class ColumnArea(QScrollArea):
    """Scrolls a column of parts up and down alone: it is as wide as the area, which has no frame.

    The parts take the focus, never the area itself.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._resized = 0
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalScrollBar().rangeChanged.connect(self._stay)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the column, but not for ever.

        A text that is a line higher beside the scroll bar turns it on and off: Qt follows without
        an end, and the program ends.
        """
        if event.type() != QEvent.Type.Resize or watched is not self.widget():
            return super().eventFilter(watched, event)
        if self._resized == _MOST_RESIZED:
            return False
        self._resized += 1
        try:
            return super().eventFilter(watched, event)
        finally:
            self._resized -= 1

    def bring_into_sight(self, part: QWidget) -> None:
        """Scroll until a part is seen, from its top on where it is higher than the area."""
        column = self.widget()
        assert column is not None
        column.adjustSize()  # what was shown just now counts
        self.see(part)

    def see(self, part: QWidget, air: int = 0) -> None:
        """Scroll likewise to a part that has its place already, with some px above and below.

        Where it is higher than the area, its selected cell is seen all the same.
        """
        column, bar = self.widget(), self.verticalScrollBar()
        assert column is not None
        self.ensureWidgetVisible(part, 0, air)
        bar.setValue(min(bar.value(), part.mapTo(column, QPoint(0, -air)).y()))
        for table in part.findChildren(CellTable):
            cell, inside = table.selected_rect(), table.viewport()
            if table.isVisibleTo(part) and inside.rect().contains(cell):
                centre = inside.mapTo(column, cell.center())
                self.ensureVisible(centre.x(), centre.y(), 0, cell.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll; but a page only where the window has none to turn."""
        if event.key() in _PAGES:
            QApplication.sendEvent(self.window(), event)
            if event.isAccepted():
                return
        super().keyPressEvent(event)

    @Slot()
    def _stay(self) -> None:
        """Leave nothing to scroll to sideways: what is scrolled to would come into the middle."""
        self.horizontalScrollBar().setRange(0, 0)
