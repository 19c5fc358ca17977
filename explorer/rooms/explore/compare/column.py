"""One side: its title, its plane, its weights and outputs, and what is said of it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.table.painting import PADDING
from explorer.kit.theme import Theme
from explorer.rooms.explore.compare.facts import FactsTable
from explorer.rooms.explore.compare.plane import SidePlane
from explorer.rooms.explore.compare.tables import SideTables
from explorer.session import Frame
from explorer.session.comparison import Side, facts
from explorer.text import _, displayable

_LONGEST = 80  # letters of a title


class SideColumn(QObject):
    """The parts of one side, on a widget that has both.

    Parameters
    ----------
    which : str
        "left" or "right", as it is spoken of.
    copy_as : CopyFormats
    parent : QWidget
    """

    intent = Signal(object)

    def __init__(self, which: str, theme: Theme, copy_as: CopyFormats, parent: QWidget) -> None:
        super().__init__(parent)
        self.title = QLabel(parent)
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setWordWrap(True)
        self.plane = SidePlane(_("Plane, {side} side").format(side=which), theme, parent)
        self.tables = SideTables(which, theme, copy_as, parent)
        self.facts = FactsTable(theme, parent)
        self.plane.intent.connect(self.intent)
        self.tables.intent.connect(self.intent)
        self.retheme(theme)

    def put_into(self, grid: QGridLayout, column: int) -> None:
        """Put the parts into a column, each in the row of the other side's."""
        for row, part in enumerate((self.title, self.plane, self.tables, self.facts)):
            grid.addWidget(part, row, column)
        grid.setRowStretch(1, 1)

    def draw(self, side: Side, frame: Frame, other: Frame, table: Frame) -> None:
        """Show one side of a comparison; its plane is shown by `SidePlane.show_frame`."""
        title = displayable(str(side.title), _LONGEST)
        if title != self.title.text():
            self.title.setText(title)
        self.tables.draw(frame, other, table)
        if frame.drag is None:
            self.facts.draw(facts(frame.scene), facts(other.scene))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        px, pad = theme.px, theme.px(PADDING)
        self.title.setFont(theme.font(15, 600))
        self.title.setContentsMargins(pad, px(2), pad, px(6))
        for part in (self.plane, self.tables, self.facts):
            part.retheme(theme)
