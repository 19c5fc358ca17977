"""What is read and what is asked, one above the other."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from explorer.kit.scrolling import ColumnArea


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
    """What is read above what is asked, in one scroll.

    While nothing of the question is visible, as it may be with large text, a button leads to it.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._area = ColumnArea(self)
        self._area.setWidgetResizable(False)
        self._ground = QWidget(self._area)
        self._line = self._inset = 0
        self.above, self.below = _Column(self._ground), _Column(self._ground)
        self._ground.setProperty("panel", True)
        for part in (self.above, self.below):
            part.asked.connect(self.share_out)
        self._area.setWidget(self._ground)
        self.way = QPushButton(self)
        self.way.hide()
        self.way.clicked.connect(self.show_asked)
        self._area.verticalScrollBar().valueChanged.connect(self._show_way)

    def take_line(self, height: int, inset: int) -> None:
        """Take the height of a line of text and what is free beside it, in px."""
        self._line, self._inset = height, inset

    def show_top(self) -> None:
        """Show where the text begins."""
        self._area.verticalScrollBar().setValue(0)

    def show_asked(self) -> None:
        """Show what is asked, and what is said to an answer below it."""
        bar = self._area.verticalScrollBar()
        bar.setValue(bar.maximum())

    @property
    def fits(self) -> bool:
        """Whether nothing has to be scrolled."""
        return self.wanted <= self.height()

    @property
    def wanted(self) -> int:
        """The height in which nothing has to be scrolled, px."""
        return sum(self._heights(self.width()))

    def share_out(self) -> None:
        """Give text and question the heights that they need."""
        width, height = self.width(), self.height()
        read, asked = self._heights(width)
        bar = read + asked > height
        # A bar that came by itself would make text narrower and so higher: it would stay.
        policy = Qt.ScrollBarPolicy
        self._area.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOn if bar else policy.ScrollBarAlwaysOff
        )
        if bar:
            width -= self._area.verticalScrollBar().sizeHint().width()
            read, asked = self._heights(width)
        self.above.setGeometry(0, 0, width, read)
        self.below.setGeometry(0, read, width, asked)
        self._ground.resize(width, max(read + asked, height))
        self._show_way()
        self._settle()

    def _show_way(self) -> None:
        """Lead to the question while nothing of it is seen."""
        width, height = self.width(), self.height()
        bar, tall = self._area.verticalScrollBar(), self.way.sizeHint().height()
        out = self.below.height() > 0 and self.below.y() + self._line > bar.value() + height
        self.way.setVisible(out)
        self.way.setGeometry(self._inset, height - tall, width - 2 * self._inset, tall)
        self._area.setGeometry(0, 0, width, height - tall if out else height)

    def _heights(self, width: int) -> tuple[int, int]:
        """Return the heights of what is read and of what is asked, in a width."""
        return _height_of(self.above, width), _height_of(self.below, width)

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
    # What changed within parts is told to those around them later: from the innermost on.
    for each in reversed(part.findChildren(QWidget)):
        within = each.layout()
        if within is not None:
            within.activate()
    layout.invalidate()
    return layout.totalHeightForWidth(width)
