"""The right panel of Train: the chosen sample, every head's attention, and the next word."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.copying import NO_FORMATS, CopyFormats
from explorer.kit.fold import Fold
from explorer.kit.grids import Grids, GridsView
from explorer.kit.heads import HeadMaps
from explorer.kit.icons import SIDE, icon
from explorer.kit.labels import plain_label, plain_line, show_text
from explorer.kit.layouts import as_panel, fill, put, set_spacing
from explorer.kit.motion import unfold
from explorer.kit.run_words import SampleWords, SentenceTitle, sample_words
from explorer.kit.scrolling import ColumnArea
from explorer.kit.small_inputs import CalmCombo
from explorer.kit.table.painting import PADDING
from explorer.kit.table.titles import Title
from explorer.kit.theme import Theme
from explorer.rooms.train.base import TrainView
from explorer.rooms.train.difference import largest_change, pair_grids
from explorer.rooms.train.head import Head, head_tiles, nothing_yet, shown_numbers
from explorer.rooms.train.matrices import HeadTables
from explorer.rooms.train.next_word import OUTSET, NextWord
from explorer.session.train import Compared, TrainChange, TrainFrame
from explorer.session.train.intents import ChangeTrainLook, GoToHead, GoToLayer, GoToSample
from explorer.text import Problem, _, plain_tip

WIDTH = 340  # px at 100 %
_PAIR_CELL = 38


class SampleView(TrainView):
    """The right panel.

    Parameters
    ----------
    copy_as : CopyFormats
        The formats of the numbers' copy menus.
    """

    concerns: ClassVar[TrainChange] = (
        TrainChange.NUMBERS
        | TrainChange.LOOK
        | TrainChange.SELECTION
        | TrainChange.HOVER
        | TrainChange.RUNS
        | TrainChange.RECORDED
    )

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, copy_as: CopyFormats = NO_FORMATS
    ) -> None:
        super().__init__(theme, parent)
        as_panel(self)
        self._frame: TrainFrame | None = None
        self.sentence = SentenceTitle(theme)
        self.previous = self._turner("chevron-left", _("Previous sentence"), -1)
        self.next = self._turner("chevron-right", _("Next sentence"), 1)
        self.layers = CalmCombo(_("Layer"))
        self.layers.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.layers.activated.connect(lambda layer: self.intent.emit(GoToLayer(layer)))
        self._attention = Title("A", _("attention"))
        self._attention.row.addWidget(self.layers)
        self.heads = HeadMaps(theme, _("Attention of each head"))
        self.pair = GridsView(theme, _("Attention of each head in A and B"), _PAIR_CELL)
        self.largest = plain_label("ink1")
        self.pair.hide()
        self.largest.hide()
        self.heads.picked.connect(lambda head: self.intent.emit(GoToHead(head)))
        self._mapped: object = None  # the numbers that the maps show
        self._next = Title(_("Next word"), "")
        self._target_word, self._target = plain_line("ink3", text=_("target")), plain_line()
        put(self._next.row, self._target_word, self._target)
        self.next_word = NextWord(theme)
        self._absent, self._note = plain_label("ink3"), plain_label("ink3")
        self.fold = Fold(_("Numbers"), PADDING, theme)
        self.fold.show_summary("Q · K · V · S · A")
        self.fold.header.clicked.connect(self._fold)
        self._copy_as = copy_as
        self.numbers: HeadTables | None = None  # made when first unfolded
        self._lay_out()
        for part in (self.heads, self.next_word, self.pair):
            part.intent.connect(self.intent)
        self._apply_theme()

    def _turner(self, drawn: str, name: str, by: int) -> QToolButton:
        button = QToolButton()
        button.setObjectName(drawn)
        button.setAccessibleName(name)
        button.setToolTip(plain_tip(name))
        button.clicked.connect(lambda: self._turn(by))
        return button

    def _lay_out(self) -> None:
        self._top = put(QHBoxLayout(), (self.sentence, 1), self.previous, self.next)
        self._body = QWidget()
        self._body.setProperty("panel", True)
        self._column = QVBoxLayout(self._body)
        self._column.setSpacing(0)
        self._inset = [QHBoxLayout() for _part in range(4)]
        parts = (self.heads, self.next_word, self._absent, self._note)
        for row, part in zip(self._inset, parts, strict=True):
            row.addWidget(part)
        maps, words, absent, note = self._inset
        put(self._column, self._attention, maps)
        self._paired = put(QVBoxLayout(), self.pair, self.largest)
        put(self._column, self._paired, self._next, words, absent, None, self.fold, note)
        self.area = ColumnArea()
        self.area.setWidget(self._body)
        fill(QVBoxLayout(self), self._top, (self.area, 1))

    def sizeHint(self) -> QSize:
        """Return the design's size."""
        return QSize(self.theme.px(WIDTH), self.theme.px(648))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # A scroll bar lies over the padding, so that it takes no width from the tables.
        self._body.setMinimumWidth(self.width())

    # --- as a view -----------------------------------------------------------------------------

    def draw(self, frame: TrainFrame) -> None:
        """Show the sample at the cursor."""
        old, self._frame = self._frame, frame
        words = sample_words(self.theme, frame)
        self._show_sample(frame, words)
        self._show_layers(frame)
        absent = self._show_numbers(frame, words)
        self._absent.setText(absent)
        self._absent.setVisible(bool(absent))
        unfolded = frame.look.numbers_open and frame.trace is not None
        self.fold.show_open(unfolded)
        self.fold.setVisible(frame.trace is not None)
        self._show_head(frame, unfolded)
        if unfolded and old is not None and not old.look.numbers_open:
            body = self.numbers or self._note
            self.area.bring_into_sight(body)
            unfold(body)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        for part in (self.sentence, self.heads, self.next_word, self.pair, self.fold):
            part.retheme(theme)
        if self.numbers is not None:
            self.numbers.retheme(theme)
        self._apply_theme()

    def _show_sample(self, frame: TrainFrame, words: SampleWords) -> None:
        self.sentence.show_words(words)
        count = 0 if frame.trace is None else len(frame.trace.lengths)
        for button, possible in (
            (self.previous, frame.cursor.sample > 0),
            (self.next, frame.cursor.sample < count - 1),
        ):
            button.setEnabled(possible)
            button.setVisible(count > 0)
        told = words.target is not None
        self._target_word.setVisible(told)
        self._target.setVisible(told)
        if words.target is not None:
            room = self.width() // 2
            self._target.setText(
                self._target.fontMetrics().elidedText(
                    words.target, Qt.TextElideMode.ElideRight, room
                )
            )
            self._target.setToolTip(plain_tip(words.target))

    def _show_layers(self, frame: TrainFrame) -> None:
        count = 0 if frame.trace is None else frame.trace.sizes.get("L", 1)
        if self.layers.count() != count:
            self.layers.clear()
            self.layers.addItems(
                [
                    _("Layer {layer} of {layers}").format(layer=layer + 1, layers=count)
                    for layer in range(count)
                ]
            )
        if self.layers.currentIndex() != frame.cursor.layer:
            self.layers.setCurrentIndex(frame.cursor.layer)
        self.layers.setVisible(count > 1)

    def _show_numbers(self, frame: TrainFrame, words: SampleWords) -> str:
        """Show maps and bars; return what there is to say instead."""
        shown = frame.trace is not None and frame.values is not None
        pair = shown and frame.other is not None and frame.look.compared is not Compared.ONE
        for part in (self._attention, self._next, self.next_word):
            part.setVisible(shown)
        self.heads.setVisible(shown and not pair)
        self._show_pair(frame, words, pair)
        if not shown:
            return nothing_yet(frame)
        try:
            numbers = frame.values, frame.cursor.sample
            if numbers != self._mapped:
                self.heads.show_tiles(head_tiles(frame))
                self._mapped = numbers
            pointed = frame.selection, frame.hover
            self.heads.show_chosen(frame.cursor.head, words.words, words.colours, *pointed)
            self.next_word.draw(frame)
        except Problem as problem:
            self.next_word.hide()
            return str(problem.message)
        if frame.bad is not None:
            return str(frame.bad)
        if self.next_word.bars:
            return ""
        self.next_word.hide()
        return _("This trace holds no logits, so the next word is not known.")

    def _show_pair(self, frame: TrainFrame, words: SampleWords, shown: bool) -> None:
        """Show every head of A and B and the change, and the largest of the changes in words."""
        said, grids = "", Grids()
        if shown:
            try:
                said, grids = largest_change(frame), pair_grids(frame, words)
            except Problem as problem:
                said = str(problem.message)
        if grids.rows:
            self.pair.show_grids(grids, frame.selection, frame.hover)
        self.pair.setVisible(bool(grids.rows))
        show_text(self.largest, said)

    def _show_head(self, frame: TrainFrame, unfolded: bool) -> None:
        note, head = "", shown_numbers(self.theme, frame) if unfolded else None
        if isinstance(head, str):
            note = head
        elif head is not None:
            if head.note:
                note = _("{title}. {note}").format(title=head.title, note=head.note)
            self._tables().draw(head)
        if self.numbers is not None:
            self.numbers.setVisible(isinstance(head, Head))
        self._note.setText(note)
        self._note.setVisible(bool(note))

    def _tables(self) -> HeadTables:
        if self.numbers is None:
            self.numbers = HeadTables(self._copy_as, self.theme)
            self.numbers.intent.connect(self.intent)
            self._column.addWidget(self.numbers)
        return self.numbers

    # --- events ----------------------------------------------------------------------------------

    def _turn(self, by: int) -> None:
        if self._frame is not None:
            self.intent.emit(GoToSample(self._frame.cursor.sample + by))

    def _fold(self) -> None:
        if self._frame is not None:
            self.intent.emit(ChangeTrainLook({"numbers_open": not self._frame.look.numbers_open}))

    def _apply_theme(self) -> None:
        theme, px = self.theme, self.theme.px
        pad, side = px(PADDING), px(SIDE)
        set_spacing(self._top, pad, px(12), px(14), px(10), gap=px(4))
        for button in (self.previous, self.next):
            button.setIcon(icon(button.objectName(), theme))
            button.setIconSize(QSize(side, side))
            button.setFixedSize(px(32), px(32))
        for title in (self._attention, self._next):
            title.retheme(theme)
            title.setFixedHeight(px(34))
        self.layers.setFont(theme.font(13))
        self._paired.setContentsMargins(pad, 0, pad, px(6 if self.pair.isVisible() else 0))
        self.largest.setFont(theme.font(14))
        self._target_word.setFont(theme.font(13))
        self._target.setFont(theme.font(13, 600))
        for label in (self._absent, self._note):
            label.setFont(theme.font(14))
        maps, words, absent, note = self._inset
        maps.setContentsMargins(pad, 0, pad - px(3), px(10))
        words.setContentsMargins(pad - px(OUTSET), 0, pad - px(OUTSET), 0)
        absent.setContentsMargins(pad, px(8), pad, 0)
        note.setContentsMargins(pad, 0, pad, 0)
        self._note.setContentsMargins(0, px(8), 0, px(16))
        self._column.setContentsMargins(0, 0, 0, 0)
