"""Beside next tokens: which heads are switched, the chosen one, and what is put in its place."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from explorer.kit.icons import icon
from explorer.kit.labels import ElidedLabel, plain_label, plain_line, show_text
from explorer.kit.layouts import as_panel, hairline, set_spacing
from explorer.kit.scrolling import ColumnArea
from explorer.kit.small_inputs import AskingCheck, CalmCombo, StepField, give_font
from explorer.kit.theme import Theme
from explorer.models.switches import Put
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.followed import (
    change_of,
    followed_name,
    step_name,
    three_decimals,
    with_sign,
)
from explorer.rooms.model.switch_cards import LastRow, SwitchCard
from explorer.session.model.frame import ModelChange, ModelFrame
from explorer.session.model.intents import EditSecond, RestoreHeads, SwitchHead, UndoStep
from explorer.text import N_, _, plain_tip

_PUTS = {
    Put.ZEROS: N_("zeros"),
    Put.MEAN: N_("its mean"),
    Put.OTHER: N_("from a second text"),
    Put.UNIFORM: N_("all tokens alike"),
    Put.SELF: N_("only the token itself"),
    Put.PREVIOUS: N_("only the token before"),
}
_PATTERNS = (Put.UNIFORM, Put.SELF, Put.PREVIOUS)
_APART = 0.05  # of the sum: as much as together and one by one may differ to be called equal


class SwitchedPanel(ModelView):
    """Cards of the heads that are switched, what they do together, and the chosen head's switch."""

    concerns: ClassVar[ModelChange] = (
        ModelChange.NUMBERS
        | ModelChange.PAIR
        | ModelChange.LOOK
        | ModelChange.SWITCHES
        | ModelChange.EFFECTS
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        as_panel(self)
        self.setAccessibleName(_("Switched off"))
        self._frame = ModelFrame()
        self.title, self.count = plain_line(text=_("Switched off")), ElidedLabel()
        self.none = plain_label(
            "ink3",
            text=_(
                "All heads are on. Under Heads, Effect shows what each one does; the switch below,"
                " or Del, takes the chosen one out."
            ),
        )
        self.cards: list[SwitchCard] = []
        self.undo, self.restore = QToolButton(), QToolButton()
        self.undo.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.restore.setText(_("Restore all"))
        for button, intent in ((self.undo, UndoStep()), (self.restore, RestoreHeads())):
            button.setProperty("kind", "link")
            button.clicked.connect(lambda _checked=False, asked=intent: self.intent.emit(asked))
        self.together = plain_label("ink1")
        self.last = LastRow(theme)
        self.last.intent.connect(self.intent)
        self.off = AskingCheck(_("Switch head off"), _("Switch head off"))
        self.off.setToolTip(plain_tip(_("Del switches the chosen head off, or on again")))
        self.off.asked.connect(self._switch)
        self.means = plain_label("ink3", text=_("its outputs count as 0 in every later layer"))
        self.counts_as = plain_line("ink2", text=_("its output counts as"))
        self.put = CalmCombo(_("What is put in place of the head"))
        for put, name in _PUTS.items():
            self.put.addItem(_(name), put)
        self.put.activated.connect(self._put)
        self.second = StepField(_("Second text"), arrows=False)
        self.second.lineEdit().setPlaceholderText(_("Second text, of as many tokens"))
        self.second.committed.connect(lambda text: self.intent.emit(EditSecond(text)))
        self.note = plain_label("ink3")
        self._build()
        self._apply_theme()

    def _build(self) -> None:
        self._lines = [hairline() for _part in range(2)]
        self._head, self._undoing, self._choice = (QHBoxLayout() for _row in range(3))
        self._head.addWidget(self.title)
        self._head.addWidget(self.count, 1)
        self._undoing.addWidget(self.undo)
        self._undoing.addStretch(1)
        self._undoing.addWidget(self.restore)
        self._choice.addWidget(self.means, 1)
        self._choice.addWidget(self.counts_as)
        self._choice.addWidget(self.put, 1)
        self._parts, self._area = QWidget(), ColumnArea()
        self._parts.setProperty("panel", True)
        self._area.setWidget(self._parts)
        self._cards, self._inner = QVBoxLayout(), QVBoxLayout(self._parts)
        self._inner.addLayout(self._head)
        self._inner.addWidget(self.none)
        self._inner.addLayout(self._cards)
        self._inner.addLayout(self._undoing)
        self._inner.addWidget(self.together)
        self._inner.addWidget(self._lines[0])
        self._inner.addWidget(self.last)
        self._inner.addStretch(1)
        self._foot = QVBoxLayout()
        for part in (self._lines[1], self.off):
            self._foot.addWidget(part)
        self._foot.addLayout(self._choice)
        self._foot.addWidget(self.second)
        self._foot.addWidget(self.note)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._area, 1)
        self._column.addLayout(self._foot)

    def draw(self, frame: ModelFrame) -> None:
        """Show the switches that are asked for, and the head at the cursor."""
        self._frame = frame
        info, switches, cursor = frame.info, frame.switches, frame.cursor
        heads = 0 if info is None else info.layers * info.heads
        count = len(switches.puts)
        self.count.setText(_("{count} of {heads} heads").format(count=count, heads=heads))
        self.none.setVisible(not count)
        self._show_cards(frame)
        self.restore.setVisible(count > 0)
        undone = _step_name(frame)
        self.undo.setVisible(bool(undone))
        self.undo.setText(undone)
        show_text(self.together, _together(frame))
        self.last.draw(frame)
        put = switches.put(cursor.layer, cursor.head)
        runs = frame.run is not None and info is not None and info.runs
        self.off.setEnabled(runs)
        self.off.show_checked(put is not None)
        # As high as the choice that comes in its place, so that the switch stays under the mouse.
        self.means.setMinimumHeight(self.put.sizeHint().height())
        self.means.setVisible(put is None)
        self.counts_as.setVisible(put is not None)
        pattern = put in _PATTERNS
        self.counts_as.setText(_("its pattern is") if pattern else _("its output counts as"))
        self.put.setVisible(put is not None)
        self.put.setCurrentIndex(self.put.findData(put) if put is not None else 0)
        self.second.setVisible(put is Put.OTHER)
        self.second.show_text(frame.second)
        show_text(self.note, self._noted(frame, put))
        self._inner.activate()  # at once, or the first picture would be of the heights before

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        self._apply_theme()

    def set_compact(self, compact: bool) -> None:
        """Leave the chosen head's last row out, for a low window, or not."""
        self.last.setVisible(not compact)
        self._lines[0].setVisible(not compact)

    def sizeHint(self) -> QSize:
        """Return the design's size."""
        return QSize(self.theme.px(372), self.theme.px(684))

    # --- inside ----------------------------------------------------------------------------------

    def _show_cards(self, frame: ModelFrame) -> None:
        places = sorted(frame.switches.off)
        while len(self.cards) < len(places):
            card = SwitchCard(self.theme)
            card.intent.connect(self.intent)
            self.cards.append(card)
            self._cards.addWidget(card)
        for at, card in enumerate(self.cards):
            card.setVisible(at < len(places))
            if at < len(places):
                card.show_head(frame, *places[at])

    def _noted(self, frame: ModelFrame, put: Put | None) -> str:
        if put is Put.OTHER and not frame.second.strip():
            return _("Type a second text: the output of these heads is taken from it.")
        return ""

    def _switch(self, off: bool) -> None:
        cursor = self._frame.cursor
        put = Put.ZEROS if off else None
        self.intent.emit(SwitchHead(cursor.layer, cursor.head, put))

    def _put(self) -> None:
        cursor, put = self._frame.cursor, self.put.currentData()
        shown = self._frame.switches.put(cursor.layer, cursor.head)
        self.put.setCurrentIndex(self.put.findData(shown))  # the frame alone says what is chosen
        if put != shown:
            self.intent.emit(SwitchHead(cursor.layer, cursor.head, Put(put)))

    def _apply_theme(self) -> None:
        theme, px = self.theme, self.theme.px
        self.title.setFont(theme.font(14, 600))
        for widget in (
            self.count,
            self.none,
            self.means,
            self.note,
            self.undo,
            self.restore,
            self.together,
        ):
            widget.setFont(theme.font(13))
        for choice in (self.off, self.counts_as, self.put):
            choice.setFont(theme.font(14))
        give_font(self.second, theme.font(14))
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.undo.setIcon(icon("undo", theme, "ink2"))
        self.undo.setIconSize(QSize(px(16), px(16)))
        colour = theme.palette
        self.together.setStyleSheet(
            f"color: {colour.ink1}; background: {colour.hover}; padding: {px(8)}px {px(12)}px;"
            f" border-radius: {px(6)}px;"
        )
        for card in self.cards:
            card.retheme(theme)
        self.last.retheme(theme)
        self._head.setContentsMargins(px(8), 0, px(8), 0)
        self._undoing.setContentsMargins(px(4), 0, px(4), 0)
        self.none.setContentsMargins(px(8), 0, px(8), 0)
        self._cards.setSpacing(px(6))
        set_spacing(self._inner, px(8), px(12), px(8), px(8), gap=px(8))
        set_spacing(self._foot, px(16), 0, px(16), px(12), gap=px(8))
        set_spacing(self._column, 0, 0, 0, 0, gap=px(8))


def _step_name(frame: ModelFrame) -> str:
    """Return the step that undo takes back, as the strip of steps calls it; "" for none."""
    if frame.step == 0:
        return ""
    before, after = frame.steps[frame.step - 1], frame.steps[frame.step]
    return _("Undo {step}").format(step=step_name(before, after))


def _together(frame: ModelFrame) -> str:
    """Return what the switched heads do one by one and together; "" for fewer than two."""
    switches = frame.switches
    alone = [change_of(frame, switches.alone(*place)) for place in sorted(switches.off)]
    together = change_of(frame, switches)
    known = [each for each in alone if each is not None]
    if len(known) < 2 or len(known) != len(alone) or together is None:
        return ""
    one_by_one, name = sum(known), followed_name(frame)
    told = {"name": name, "alone": with_sign(one_by_one), "together": with_sign(together)}
    if all(each <= 0 for each in (*known, together)) and one_by_one < 0:
        told["alone"] = three_decimals(-one_by_one)
        told["together"] = three_decimals(-together)
        if together < one_by_one * (1 + _APART):
            return _(
                "One by one they take {alone}, together {together}: each partly stands in for the"
                " others."
            ).format(**told)
        if together > one_by_one * (1 - _APART):
            return _(
                "One by one they take {alone}, together {together}: they partly do the same work."
            ).format(**told)
        return _("One by one they take {alone}, together {together}: each works by itself.").format(
            **told
        )
    return _("One by one they change {name} by {alone}, together by {together}.").format(**told)
