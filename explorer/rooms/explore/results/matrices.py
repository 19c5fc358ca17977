"""The matrices page: scores, weights and outputs below each other, or one of them at a time."""

from __future__ import annotations

import itertools
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from explorer.kit.base import why_hidden
from explorer.kit.copying import CopyFormats
from explorer.kit.labels import plain_label, plain_line
from explorer.kit.plane.relations import ALL_UP_TO
from explorer.kit.segments import Segment, Segments
from explorer.kit.table.outputs import OutputsTable
from explorer.kit.table.painting import PADDING
from explorer.kit.table.part import HeatPart, TablePart
from explorer.kit.table.sources import HeatSource, OutputNumbers, OutputSource, Place
from explorer.kit.table.stage_sources import StageSource
from explorer.kit.table.titles import (
    output_words,
    scaling_label,
    scores_words,
    weights_words,
)
from explorer.kit.table.view import CellTable
from explorer.kit.theme import Theme
from explorer.rooms.explore.results.fill import FillPart, MarkOf, filled_source, unmarked
from explorer.rooms.explore.results.row import WeightList
from explorer.session import Blank, Frame, Role, Selection, Space, Stage
from explorer.session.intents import BlankOut, ChangeLook
from explorer.text import N_, _, joined

_TABLES = frozenset(stage.value for stage in Stage) - {Stage.X.value}


def offer_blanks(table: CellTable) -> None:
    """Let a table's context menu hide the table that a cell belongs to."""
    table.offering.connect(partial(_offer, table))


def _offer(table: CellTable, menu: QMenu, place: Place | None) -> None:
    source = table.source
    if source is None or place is None:
        return
    thing: Selection = source.selection(*place)
    if thing.role.value not in _TABLES:
        return
    stage = Stage(thing.role.value)
    of_key = thing.query is None or stage in (Stage.K, Stage.V)
    row = thing.key if of_key else thing.query
    column = thing.key if stage in (Stage.S, Stage.A) else thing.column
    offers = [(_("Fill in {table} by hand"), BlankOut(stage))]
    if row is not None and (stage not in (Stage.S, Stage.A) or thing.query is not None):
        offers.append((_("Fill in this row of {table} by hand"), BlankOut(stage, row)))
        if column is not None:
            offers.append((_("Predict this number of {table}"), BlankOut(stage, row, column)))
    before = menu.actions()[0] if menu.actions() else None
    for text, intent in offers:
        action = QAction(text.format(table=stage.value), menu)
        action.triggered.connect(partial(_emit, table, intent))
        if before is None:
            menu.addAction(action)
        else:
            menu.insertAction(before, action)


def _emit(table: CellTable, intent: BlankOut, _checked: bool = False) -> None:
    table.intent.emit(intent)


_SCALING_PAD = 2  # px at 100 %: buttons beside a title are narrower than those of the picture's bar
_PARTS = (Stage.S, Stage.A, Stage.O)
_INSTEAD = {  # whose table takes the place of O, and what it is
    Stage.P: N_("input with its position"),
    Stage.R: N_("angle of each pair of columns, in radians"),
    Stage.C: N_("heads side by side"),
    Stage.Y: N_("output after Wo"),
}
_TITLES = {Stage.S: 28, Stage.A: 24, Stage.O: 24}  # heights, px at 100 %
_MARKERS = {
    stage: Space(stage.value) for stage in (Stage.Q, Stage.K, Stage.V, Stage.O, Stage.P, Stage.Y)
}


def _slot(stage: Stage) -> Stage:
    """Return where a stage's table stands: S, A, or O for all others."""
    return stage if stage in (Stage.S, Stage.A) else Stage.O


class MatricesPage(QWidget):
    """S, A and O of one head; of many tokens, below A, the selected one's row as a list."""

    intent = Signal(object)
    card_moved = Signal(object)  # the card of a wanted value that has the focus
    arranged = Signal()  # other tables are seen, or one in another's place

    def __init__(
        self,
        formats: CopyFormats,
        theme: Theme,
        mark: MarkOf = unmarked,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._mark = mark
        self._theme = theme
        self._frame: Frame | None = None
        self._crowded = False
        self._tabbed = self._compact = self._painting = False
        self._part = Stage.S  # the tab that is open where one is shown at a time
        self._last = Stage.O  # whose table stands last
        self._formats = formats
        self.scores, self.weights = (
            HeatPart(stage.value, name, theme, formats, painted=stage is Stage.A)
            for stage, name in ((Stage.S, _("S, scores")), (Stage.A, _("A, attention")))
        )
        self.outputs = TablePart(
            "O", "", _("O, output"), theme, formats, marker=Space.O, kind=OutputsTable
        )
        self.parts: dict[Stage, TablePart] = {
            Stage.S: self.scores,
            Stage.A: self.weights,
            Stage.O: self.outputs,
        }
        self.others: dict[Stage, TablePart] = {}  # of `_INSTEAD`, each made when it is first shown
        self.fills: dict[Stage, FillPart] = {}  # to be filled in, likewise
        self._blank: Blank | None = None
        self._hidden: frozenset[Stage] = frozenset()
        self.row = WeightList(theme, self)
        self.row.intent.connect(self.intent)
        self._veil = plain_label("ink3", self)
        self.scaling = Segments(
            [
                Segment(False, "QKᵀ", _("Scores before scaling")),
                Segment(True, "÷ √d"),
            ],
            _("Scores"),
            theme,
            exclusive=True,
            pad=_SCALING_PAD,
        )
        self.scaling.picked.connect(
            lambda scaled: self.intent.emit(ChangeLook({"scaled": bool(scaled)}))
        )
        self.scores.title.row.addWidget(self.scaling)
        self._made_of = plain_line("ink3", self.outputs.title, _("made of"))
        self.tabs = Segments(
            [
                Segment(stage, stage.value, part.fitted.accessibleName())
                for stage, part in self.parts.items()
            ],
            _("Table"),
            theme,
            exclusive=True,
            own=True,
        )
        self.tabs.picked.connect(self._picked)
        self._tab_row = QHBoxLayout()
        self._tab_row.addWidget(self.tabs)
        self._tab_row.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.addLayout(self._tab_row)
        for stage, part in self.parts.items():
            self._column.addWidget(part)
            self._join(stage, part)
        self._column.insertWidget(self._column.indexOf(self.weights) + 1, self.row)
        self._column.addWidget(self._veil)
        for part in (self.scores, self.weights):
            part.card_moved.connect(self.card_moved)
        self._column.addStretch(1)
        self._order_focus()
        self.retheme(theme)

    def _join(self, stage: Stage, part: TablePart) -> None:
        """Interaction on what a part asks for, and offer to fill it in by hand."""
        part.intent.connect(self.intent)

        def blank_out() -> None:
            part.title.fill.setFocus()  # the focus goes on to the table
            self.intent.emit(BlankOut(stage))

        part.title.fill.clicked.connect(blank_out)
        for table in (part.fitted, part.full):
            offer_blanks(table)

    def _fill(self, stage: Stage) -> FillPart:
        """Return the part in which a stage's table is filled in."""
        if stage not in self.fills:
            slot = self.parts[_slot(stage)]
            name = _("{table}, filled in by hand").format(table=stage.value)
            part = FillPart(
                stage.value, name, self._theme, self._formats, _MARKERS.get(stage), self
            )
            part.intent.connect(self.intent)
            part.set_compact(self._compact)
            self._column.insertWidget(self._column.indexOf(slot) + 1, part)
            for before, after in itertools.pairwise([slot.full, *part.stops()]):
                QWidget.setTabOrder(before, after)
            self.fills[stage] = part
            self._space()
        return self.fills[stage]

    def _other(self, stage: Stage) -> TablePart:
        """Return the part of a stage that takes the place of O."""
        if stage not in self.others:
            words, marker = _(_INSTEAD[stage]), _MARKERS.get(stage)
            at = stage.value, words, joined((stage.value, words)), self._theme, self._formats
            part = TablePart(*at, marker=marker, parent=self)
            self._join(stage, part)
            part.set_compact(self._compact)
            part.retheme(self._theme)
            self._column.insertWidget(self._column.indexOf(self.outputs) + 1, part)
            for before, after in itertools.pairwise([self.outputs.full, *part.stops()]):
                QWidget.setTabOrder(before, after)
            self.others[stage] = part
            self._space()
        return self.others[stage]

    @property
    def _all(self) -> tuple[TablePart, ...]:
        return (*self._by_stage.values(), *self.fills.values())

    @property
    def _by_stage(self) -> dict[Stage, TablePart]:
        return self.parts | self.others

    @property
    def last(self) -> TablePart:
        """The outputs, or what takes their place."""
        return self.shown(self._last)

    def shown(self, stage: Stage) -> TablePart:
        """Return the table of a stage, or the one in its place while it is filled in."""
        filled = self._blank is not None and self._blank.table is stage
        return self.fills[stage] if filled else self._by_stage[stage]

    def _order_focus(self) -> None:
        """Lead the tab key from top to bottom, a title's buttons before its table."""
        stops: list[QWidget] = [self.tabs.button(stage) for stage in _PARTS]
        for part in self.parts.values():
            if part is self.scores:
                stops += [self.scaling.button(scaled) for scaled in (False, True)]
            stops += part.stops()
            stops += [self.row] if part is self.weights else []
        for before, after in itertools.pairwise(stops):
            QWidget.setTabOrder(before, after)

    # --- looks -----------------------------------------------------------------------------------

    def set_compact(self, compact: bool) -> None:
        """Use lower rows or not."""
        self._compact = compact
        for part in self._all:
            part.set_compact(compact)
        self._space()

    def set_tabbed(self, tabbed: bool) -> None:
        """Show one table at a time or all."""
        self._tabbed = tabbed
        self._space()
        self._show_parts()

    @property
    def _alone(self) -> bool:
        """Whether one table is shown at a time: for want of room, or of many tokens."""
        return self._tabbed or self._crowded

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        for part in self._all:
            part.retheme(theme)
        self.scaling.retheme(theme)
        self.tabs.retheme(theme)
        self.row.retheme(theme)
        self._made_of.setFont(theme.font(13))
        self._space()
        self._show_parts()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(0, px(6 if self._compact else 14), 0, px(4))
        # Where one table is shown at a time, its list below is to be seen too.
        self._column.setSpacing(px(5 if self._compact else 8 if self._alone else 18))
        self._tab_row.setContentsMargins(px(PADDING), 0, px(PADDING), 0)
        for stage, part in (*self._by_stage.items(), *self.fills.items()):
            high = _TITLES.get(stage, _TITLES[Stage.O])
            part.title.setFixedHeight(px(high - 4 * self._compact))
        self._veil.setFont(self._theme.font(14))
        self._veil.setContentsMargins(px(PADDING), 0, px(PADDING), 0)

    def _picked(self, stage: Stage) -> None:
        self._part = stage
        self._show_parts()

    def _show_parts(self) -> None:
        self.tabs.setVisible(self._alone)
        self.tabs.show_checked({self._part})
        hidden = frozenset() if self._frame is None else self._frame.look.hidden
        blank = None if self._blank is None else self._blank.table
        wanted = {
            stage
            for stage in (Stage.S, Stage.A, self._last)
            if not self._alone or _slot(stage) is self._part
        }
        for stage, part in self._by_stage.items():
            part.setVisible(stage in wanted - hidden)
            part.title.fill.setVisible(blank is None)  # what is filled in now is not lost by it
        for stage, part in self.fills.items():
            part.setVisible(stage is blank and stage in wanted)
        listed = self._crowded and Stage.A in wanted - hidden and blank is not Stage.A
        self.row.setVisible(listed)
        if self._frame is not None and hidden:
            self._veil.setText(str(why_hidden(self._frame.look)))
        self._veil.setVisible(bool(wanted & hidden - {blank}))
        last = self.tabs.button(Stage.O)
        last.setText(self._last.value)
        named = self.fills if self._last is blank else self._by_stage
        last.setAccessibleName(named[self._last].fitted.accessibleName())
        self.arranged.emit()

    # --- drawing ---------------------------------------------------------------------------------

    def draw(self, frame: Frame) -> None:
        """Show the frame's chosen head."""
        theme, old, self._frame = self._theme, self._frame, frame
        keys = self._show_stage(frame, old is None or old.look.stage != frame.look.stage)
        self._show_scaling(frame)
        for part, role, words in (
            (self.scores, Role.S, scores_words(frame)),
            (self.weights, Role.A, weights_words(frame)),
        ):
            source = HeatSource(frame, theme, role)
            part.say(words)
            part.draw(source, source)
            part.show_frame(frame, role is Role.A)
        if self._crowded:
            self.row.draw(frame)
        if frame.look.blank is not None:
            fill = self._fill(frame.look.blank.table)
            marking = self._mark(frame)
            fill.show_filled(filled_source(frame, theme, marking), marking)
        if self._last is Stage.O:
            self._draw_outputs(frame)
        elif self._last in self.others:
            rows = StageSource(frame, theme, self._last)
            self.others[self._last].draw(rows, rows)
        if keys:
            self._take_focus()

    @property
    def active(self) -> TablePart | None:
        """The table of the active stage, where it has one here; A while its mask is painted."""
        if self._frame is None:
            return None
        look = self._frame.look
        if look.blank is not None:
            return self.fills.get(look.blank.table)
        return self._by_stage.get(Stage.A if look.painting else look.stage)

    def _show_stage(self, frame: Frame, changed: bool) -> bool:
        """Show the active stage's table: that of X + P, C or Y takes the place of O.

        Return whether another table is to be filled in, or none any more, and takes the focus.
        """
        stage, blank = frame.look.stage, frame.look.blank
        crowded = max(frame.weights.shape) > ALL_UP_TO
        changed, self._crowded = changed or crowded != self._crowded, crowded
        last = stage if stage in _INSTEAD else Stage.O
        if blank is not None and blank.table not in _PARTS:
            last = blank.table
        if last in _INSTEAD:
            self._other(last)
        if changed and (stage in _PARTS or stage in _INSTEAD):
            self._part = Stage.O if stage in _INSTEAD else stage
        if frame.look.painting and not self._painting:  # what is painted has to be seen
            self._part, changed = Stage.A, True
        self._painting = frame.look.painting
        if another := self._is_another(blank):
            changed = True
        hidden, self._hidden = self._hidden, frame.look.hidden
        if changed or last is not self._last or hidden != self._hidden:
            keys = QApplication.focusWidget()
            focused = keys is not None and self.isAncestorOf(keys)
            self._last = last
            self._space()
            self._show_parts()
            return another and focused
        return False

    def _take_focus(self) -> None:
        """Give the focus to the table that is to be filled in; without one, to the one that was."""
        if self._blank is not None:
            self.fills[self._blank.table].table.setFocus()
        else:
            part = self._by_stage.get(self._last if self._part is Stage.O else self._part)
            if part is not None:
                part.table.setFocus()

    def _is_another(self, blank: Blank | None) -> bool:
        """Take over what is filled in; return whether it is another table than before."""
        before, self._blank = self._blank, blank
        if blank is not None:
            self._fill(blank.table)
            if before is None or before.table is not blank.table:
                self._part = _slot(blank.table)
        return (before and before.table) is not (blank and blank.table)

    def _draw_outputs(self, frame: Frame) -> None:
        theme = self._theme
        self.outputs.say(output_words(frame))
        self.outputs.draw(OutputSource(frame, theme), OutputNumbers(frame, theme))
        outputs = self.outputs.fitted
        assert isinstance(outputs, OutputsTable)
        at = outputs.layout_
        self._made_of.adjustSize()
        title = self.outputs.title
        title.row.activate()
        ends = [each.x() for each in (title.full, title.fill) if each.isVisibleTo(title)]
        rightmost = min([*ends, outputs.width()]) - theme.px(PADDING) - self._made_of.width()
        left = min(max(round(at.bar_left), title.words_end + theme.px(8)), rightmost)
        self._made_of.move(left, (title.height() - self._made_of.height()) // 2)
        room = left > title.words_end and at.bar_width > 0
        self._made_of.setVisible(room and self.outputs.table is outputs)

    def _show_scaling(self, frame: Frame) -> None:
        label = scaling_label(frame)
        filled = frame.look.blank is not None and frame.look.blank.table is Stage.S
        title = (self.fills[Stage.S] if filled else self.scores).title
        if self.scaling.parentWidget() is not title:
            title.row.addWidget(self.scaling)
        button = self.scaling.button(True)
        if label is not None and label != button.text():
            button.setText(label)
            button.setAccessibleName(
                _("Scores after scaling and mask, {label}").format(label=label)
            )
        self.scaling.setVisible(label is not None)
        self.scaling.show_checked({frame.look.scaled})
