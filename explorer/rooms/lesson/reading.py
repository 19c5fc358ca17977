"""What is read and what is asked, one above the other."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from explorer.kit.scrolling import ColumnArea

_ASKING = 0.65  # of the height, which a question has at most while there is more to read
_LINES = 3.2  # of text that are seen in any case


class _Column(QWidget):
    """Parts below one another."""

    asked = Signal()  # for another height, perhaps

    def event(self, event: QEvent) -> bool:
        """Tell when a part came, went or wants another size."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.asked.emit()
        return done


class Reading(QWidget):
    """What is read above what is asked. Each scrolls for itself, so that a question stays in sight
    however long the text is."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._areas = ColumnArea(self), ColumnArea(self)
        self._line = 0
        self.above, self.below = (_Column(area) for area in self._areas)
        for area, part in zip(self._areas, (self.above, self.below), strict=True):
            part.setProperty("panel", True)
            area.setWidget(part)
            part.asked.connect(self.share_out)

    def take_line(self, height: int) -> None:
        """Take the height of a line of text, in px."""
        self._line = height

    def show_top(self) -> None:
        """Show where the text begins."""
        for area in self._areas:
            area.verticalScrollBar().setValue(0)

    @property
    def fits(self) -> bool:
        """Whether nothing has to be scrolled."""
        return self.wanted <= self.height()

    @property
    def wanted(self) -> int:
        """The height in which nothing has to be scrolled, px."""
        return sum(_height_of(part, self.width()) for part in (self.above, self.below))

    def share_out(self) -> None:
        """Give the question what it needs and the text the rest."""
        width, height = self.width(), self.height()
        wanted = [_height_of(part, width) for part in (self.above, self.below)]
        most = min(round(_ASKING * height), height - round(_LINES * self._line))
        asked = min(wanted[1], max(most, height - wanted[0], 0))
        read = min(wanted[0], height - asked)
        for area, top, tall, whole in zip(
            self._areas, (0, read), (read, asked), wanted, strict=True
        ):
            # A bar that is there makes text narrower and so higher: it would stay.
            policy = Qt.ScrollBarPolicy
            area.setVerticalScrollBarPolicy(
                policy.ScrollBarAlwaysOff if tall >= whole else policy.ScrollBarAsNeeded
            )
            area.setGeometry(0, top, width, max(tall, 0))
            area.setVisible(tall > 0)
        self._settle()

    def _settle(self) -> None:
        """Let no column ask because it was measured: that would go on as long as it is shown."""
        for part in (self.above, self.below):
            if (layout := part.layout()) is not None:
                layout.activate()
            QCoreApplication.removePostedEvents(part, QEvent.Type.LayoutRequest.value)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the height out anew."""
        super().resizeEvent(event)
        self.share_out()


def _height_of(part: QWidget, width: int) -> int:
    """Return the height of a column's parts in a width; 0 where all of them are hidden."""
    layout = part.layout()
    if layout is None or layout.isEmpty():
        return 0
    for each in reversed(
        part.findChildren(QWidget)
    ):  # what changed within them is told to those around them later
        within = each.layout()
        if within is not None:
            within.activate()
    layout.invalidate()
    return layout.totalHeightForWidth(width)
