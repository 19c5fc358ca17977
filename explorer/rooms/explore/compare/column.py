"""One side of a comparison: its title, its plane, its weights and outputs, and facts about it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.labels import plain_label
from explorer.kit.table.painting import PADDING
from explorer.kit.theme import Theme
from explorer.rooms.explore.compare.plane import SidePlane
from explorer.rooms.explore.compare.tables import SideTables
from explorer.session import Frame
from explorer.session.comparison import Facts, Side, facts
from explorer.text import _, displayable

_ROWS = 4


class FactsTable(QWidget):
    """Names and values; what differs from the other side is set bold."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[Facts, Facts] | None = None
        self._grid = QGridLayout(self)
        self._labels = [
            (plain_label("ink3", self), plain_label("ink1", self)) for _row in range(_ROWS)
        ]
        for row, (what, value) in enumerate(self._labels):
            self._grid.addWidget(what, row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(value, row, 1, Qt.AlignmentFlag.AlignTop)
        self._grid.setColumnStretch(0, 5)
        self._grid.setColumnStretch(1, 6)
        self._grid.setRowStretch(_ROWS, 1)
        self.retheme(theme)

    @property
    def rows(self) -> list[tuple[str, str]]:
        """What is said: names and values."""
        return [(what.text(), value.text()) for what, value in self._labels]

    def draw(self, own: Facts, other: Facts) -> None:
        """Show the facts of a side, beside those of the other."""
        if self._shown == (own, other):
            return
        self._shown = own, other
        for (what, value), (name, text), (_name, its) in zip(
            self._labels, said(own), said(other), strict=True
        ):
            what.setText(name)
            value.setText(text)
            value.setFont(self._theme.font(13, 600 if text != its else 400))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        self._theme, self._shown = theme, None
        px, pad = theme.px, theme.px(PADDING)
        self._grid.setContentsMargins(pad, px(6), pad, px(6))
        self._grid.setHorizontalSpacing(px(12))
        self._grid.setVerticalSpacing(px(3))
        for what, value in self._labels:
            what.setFont(theme.font(13))
            value.setFont(theme.font(13))


def said(shown: Facts) -> list[tuple[str, str]]:
    """Return the facts of a side as names and values."""
    by = _("{width}, chosen by {matrix}") if shown.output_from else _("{width}, that of X")
    return [
        (_("Projections"), _("Wq, Wk, Wv") if shown.projections else _("none")),
        (_("Learnable parameters"), str(shown.parameters)),
        (_("Scaling"), str(shown.scaling)),
        (
            _("Output width d_out"),
            by.format(width=shown.output_width, matrix=shown.output_from),
        ),
    ]


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
        self.title = plain_label(parent=parent)
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

    def draw(
        self, side: Side, frame: Frame, other: Frame, table: Frame, *, output_known: bool
    ) -> None:
        """Show one side of a comparison; its plane is shown by `SidePlane.show_frame`."""
        title = displayable(str(side.title), _LONGEST)
        if title != self.title.text():
            self.title.setText(title)
        self.tables.draw(frame, other, table, output_known=output_known)
        if frame.drag is None:
            self.facts.draw(facts(frame.scene), facts(other.scene))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        px, pad = theme.px, theme.px(PADDING)
        self.title.setFont(theme.font(15, 600))
        self.title.setContentsMargins(pad, px(2), pad, px(6))
        for part in (self.plane, self.tables, self.facts):
            part.retheme(theme)
