"""What the chosen head does in this text, its selected pair and its strongest pairs."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.labels import ElidedLabel, plain_line
from explorer.kit.layouts import as_panel, hairline, put, set_spacing
from explorer.kit.scrolling import ColumnArea
from explorer.kit.segments import Segment, Tabs
from explorer.kit.small_inputs import AskingCheck
from explorer.kit.theme import Theme
from explorer.models.switches import Put
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.head_parts import FiguresBox, PairBox, PairList
from explorer.rooms.model.words import kind_name, rule_of, special_names
from explorer.session.model.frame import ModelCentre, ModelChange, ModelFrame
from explorer.session.model.intents import ChangeModelLook, EditHeadCopy, SwitchHead
from explorer.text import _, plain_tip

_HEAD, _PAIRS = "head", "pairs"


class HeadPanel(ModelView):
    """Kind, entropy, distance and where the weight lies; the selected pair; the strongest ones.

    In compact form either the head or its pairs are shown, by a choice on top.
    """

    concerns: ClassVar[ModelChange] = (
        ModelChange.NUMBERS
        | ModelChange.PAIR
        | ModelChange.HOVER
        | ModelChange.LOOK
        | ModelChange.TEXT
        | ModelChange.SWITCHES
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        as_panel(self)
        self.setAccessibleName(_("The chosen head"))
        parts = [Segment(_HEAD, _("Head")), Segment(_PAIRS, _("Pairs"))]
        self.tabs = Tabs(parts, _("Right panel"), theme, self)
        self.tabs.turned.connect(self._show_parts)
        self._does, self.pill = plain_line(text=_("What this head does")), plain_line()
        self._pair_title = plain_line(text=_("Selected pair"))
        self._pairs_title = plain_line(text=_("Strongest pairs"))
        self.rank, self._without = ElidedLabel(), ElidedLabel()
        self.figures = FiguresBox(theme)
        self.pair = PairBox(theme)
        self.pairs = PairList(theme)
        self.copy = QPushButton(_("Edit a copy in Explore"))
        self.copy.clicked.connect(lambda: self.intent.emit(EditHeadCopy()))
        self.off = AskingCheck(_("Switch head off"), _("Switch head off"))
        self.off.setToolTip(plain_tip(_("Del switches the chosen head off, or on again")))
        self.off.asked.connect(self._ask_off)
        self._means = ElidedLabel(text=_("its outputs count as 0 in every later layer"))
        self._place = 0, 0
        self.restore = QToolButton()
        self.restore.setProperty("kind", "link")
        self.restore.setToolTip(plain_tip(_("Show which heads are off, and what that does")))
        self.restore.clicked.connect(
            lambda: self.intent.emit(ChangeModelLook({"centre": ModelCentre.NEXT}))
        )
        self._lines = [_line() for _part in range(2)]
        self._rows = [QHBoxLayout() for _part in range(3)]
        for row, title, beside in zip(
            self._rows,
            (self._does, self._pair_title, self._pairs_title),
            (self.pill, self.rank, self._without),
            strict=True,
        ):
            row.addWidget(title)
            if beside is self.pill:
                row.addStretch(1)
            row.addWidget(beside, 0 if beside is self.pill else 1)
        self._column = QVBoxLayout(self)
        self._parts, self._area = QWidget(), ColumnArea()
        self._parts.setProperty("panel", True)
        self._area.setWidget(self._parts)
        self._about, self._strongest = QWidget(), QWidget()
        self._above, self._below = QVBoxLayout(self._about), QVBoxLayout(self._strongest)
        put(self._above, self._rows[0], self.figures, self._lines[0], self._rows[1], self.pair)
        put(self._below, self._rows[2], self.pairs)
        self._choice = QHBoxLayout()
        put(self._choice, self.tabs, None)
        self._column.addLayout(self._choice)
        self._inner = QVBoxLayout(self._parts)
        put(self._inner, self._about, self._lines[1], self._strongest, None)
        self._column.addWidget(self._area, 1)
        self._foot = QVBoxLayout()
        switches = QHBoxLayout()
        put(switches, (self.off, 1), self.restore)
        put(self._foot, switches, self._means, self.copy)
        self._column.addLayout(self._foot)
        for part in (self.figures, self.pair, self.pairs):
            part.intent.connect(self.intent)
        self._apply_theme()

    def draw(self, frame: ModelFrame) -> None:
        """Show the head at the cursor; nothing before its numbers have come."""
        run, cursor = frame.run, frame.cursor
        self.copy.setEnabled(frame.head is not None)
        self._place = place = cursor.layer, cursor.head
        self.off.setEnabled(run is not None and frame.info is not None and frame.info.runs)
        self.off.show_checked(place in frame.switches.off)
        count = len(frame.switches.off)
        self.restore.setVisible(count > 0)
        self.restore.setText(_("{count} off").format(count=count))
        self.pill.setVisible(run is not None)
        if run is not None:
            kind = run.kinds[cursor.layer][cursor.head]
            self.pill.setText(kind_name(frame, kind))
            self.pill.setToolTip(plain_tip(rule_of(kind)))
        self.rank.setText(_rank(frame))
        special = _(" and ").join(special_names(frame))
        self._without.setText(_("without {tokens}").format(tokens=special) if special else "")
        for part in (self.figures, self.pair, self.pairs):
            part.draw(frame)
        for layout in (self._above, self._below, self._inner):
            layout.activate()  # at once, or the first picture would be of the heights before

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        for part in (self.figures, self.pair, self.pairs, self.tabs):
            part.retheme(theme)
        self._apply_theme()

    def sizeHint(self) -> QSize:
        """Return the design's size."""
        return QSize(self.theme.px(372), self.theme.px(684))

    def _ask_off(self, off: bool) -> None:
        self.intent.emit(SwitchHead(*self._place, Put.ZEROS if off else None))

    def _show_parts(self) -> None:
        self._about.setVisible(self.tabs.shows(_HEAD))
        self._strongest.setVisible(self.tabs.shows(_PAIRS))
        for part in (self._lines[1], self._means):
            part.setVisible(not self.tabs.by_turns)

    def _apply_theme(self) -> None:
        theme, px = self.theme, self.theme.px
        for label in (self._does, self._pair_title, self._pairs_title):
            label.setFont(theme.font(14, 600))
        for label in (self.rank, self._without):
            label.setFont(theme.font(13))
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.pill.setFont(theme.font(13))
        self.off.setFont(theme.font(14))
        self._means.setFont(theme.font(12))
        self.restore.setFont(theme.font(13))
        colour = theme.palette
        self.pill.setStyleSheet(
            f"color: {colour.ink1}; background: {colour.raised}; padding: {px(2)}px {px(10)}px;"
            f" border: 1px solid {colour.line2}; border-radius: {px(10)}px;"
        )
        for row in self._rows:
            set_spacing(row, px(16), 0, px(16), 0, gap=px(8))
        for layout in (self._above, self._below):
            set_spacing(layout, 0, 0, 0, 0, gap=px(6))
        set_spacing(self._column, 0, px(12), 0, px(12), gap=px(10))
        set_spacing(self._inner, 0, 0, 0, 0, gap=px(10))
        set_spacing(self._foot, px(16), 0, px(16), 0, gap=px(6))
        self._choice.setContentsMargins(px(16), 0, px(16), 0)
        for line in self._lines:
            line.setContentsMargins(px(16), 0, px(16), 0)


def _rank(frame: ModelFrame) -> str:
    """Return the rank of the selected pair's weight among all heads."""
    if frame.pair is None:
        return ""
    rank = frame.pair.rank(frame.cursor.layer, frame.cursor.head)
    template = (
        _("largest of the {count} heads") if rank == 1 else _("rank {rank} of the {count} heads")
    )
    return template.format(rank=rank, count=frame.pair.weights.size)


def _line() -> QWidget:
    """Return a hairline within the panel's margins."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(hairline(holder))
    return holder
