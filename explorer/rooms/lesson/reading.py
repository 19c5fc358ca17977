"""What is read and what is asked, one above the other."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from explorer.kit.scrolling import ColumnArea

_LINES = 8.5  # of title and text that are seen in any case while a question stays in sight
_POLICY = Qt.ScrollBarPolicy


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
    """What is read above what is asked.

    Each scrolls for itself where there is room for both, so that a question stays in sight however
    long the text is. Where there is not, as with large text, both scroll as one, and while the
    question is out of sight a button leads to it.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._whole = ColumnArea(self)
        self._whole.setWidgetResizable(False)
        ground = QWidget(self._whole)
        self._areas = ColumnArea(ground), ColumnArea(ground)
        self._line = self._inset = 0
        self.above, self.below = (_Column(area) for area in self._areas)
        for part in (ground, self.above, self.below):
            part.setProperty("panel", True)
        for area, part in zip(self._areas, (self.above, self.below), strict=True):
            area.setWidget(part)
            part.asked.connect(self.share_out)
        self._ground = ground
        self._whole.setWidget(ground)
        self.way = QPushButton(self)
        self.way.hide()
        self.way.clicked.connect(self.show_asked)
        self._whole.verticalScrollBar().valueChanged.connect(self._show_way)

    def take_line(self, height: int, inset: int) -> None:
        """Take the height of a line of text and what is free beside it, in px."""
        self._line, self._inset = height, inset

    def show_top(self) -> None:
        """Show where the text begins."""
        for area in (self._whole, *self._areas):
            area.verticalScrollBar().setValue(0)

    def show_asked(self) -> None:
        """Show what is asked, and what is said to an answer below it."""
        for area in (self._whole, self._areas[1]):
            area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())

    @property
    def fits(self) -> bool:
        """Whether nothing has to be scrolled."""
        return self.wanted <= self.height()

    @property
    def wanted(self) -> int:
        """The height in which nothing has to be scrolled, px."""
        return sum(self._heights(self.width()))

    def share_out(self) -> None:
        """Give the question what it needs and the text the rest, or let both scroll as one."""
        width, height = self.width(), self.height()
        read, asked = self._heights(width)
        as_one = asked > 0 and height < asked + min(read, round(_LINES * self._line))
        self._whole.setVerticalScrollBarPolicy(
            _POLICY.ScrollBarAlwaysOn if as_one else _POLICY.ScrollBarAlwaysOff
        )
        if as_one:
            width -= self._whole.verticalScrollBar().sizeHint().width()
            wanted = read, asked = self._heights(width)
        else:
            wanted, read = (read, asked), min(read, height - asked)
        for area, top, tall, needed in zip(
            self._areas, (0, read), (read, asked), wanted, strict=True
        ):
            # A bar that is there makes text narrower and so higher: it would stay.
            area.setVerticalScrollBarPolicy(
                _POLICY.ScrollBarAlwaysOff if tall >= needed else _POLICY.ScrollBarAsNeeded
            )
            area.setGeometry(0, top, width, max(tall, 0))
            area.setVisible(tall > 0)
        self._ground.resize(width, read + asked if as_one else height)
        self._show_way()
        self._settle()

    def _show_way(self) -> None:
        """Lead to the question while nothing of it is seen."""
        width, height = self.width(), self.height()
        bar, tall = self._whole.verticalScrollBar(), self.way.sizeHint().height()
        out = self._ground.height() > height and (
            self._areas[1].y() + self._line > bar.value() + height
        )
        self.way.setVisible(out)
        self.way.setGeometry(self._inset, height - tall, width - 2 * self._inset, tall)
        self._whole.setGeometry(0, 0, width, height - tall if out else height)

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
    for each in reversed(
        part.findChildren(QWidget)
    ):  # what changed within them is told to those around them later
        within = each.layout()
        if within is not None:
            within.activate()
    layout.invalidate()
    return layout.totalHeightForWidth(width)
