"""The runs of this session as cards: which one is A, which one B, and what came of each."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.context_menu import offer_actions
from explorer.kit.focus_ring import is_ringed
from explorer.kit.fold import INSET
from explorer.kit.labels import ElidedLabel
from explorer.kit.layouts import fill, put, set_spacing
from explorer.kit.run_badge import SIDE, draw_badge
from explorer.kit.table.painting import LEFT, RIGHT, draw_box, draw_text, elided, text_width
from explorer.kit.theme import Theme
from explorer.rooms.train.parameter_rows import Emit
from explorer.rooms.train.this_run import value_text
from explorer.session.train import RunCard, TrainFrame
from explorer.session.train.intents import (
    CompareRun,
    DeleteRun,
    ForkHere,
    RenameRun,
    ShowRun,
    UseParameters,
)
from explorer.session.train.runs import all_right_from, differing_values
from explorer.text import Problem, _, display_number, displayable, joined, plain_tip
from explorer.traces import LABELS
from explorer.traces.marks import LONGEST_NAME
from explorer.training.forks import can_fork

HEIGHT, GAP = 50, 4  # px at 100 %
_INDENT = 8  # of what stands in a card


@dataclass(frozen=True)
class Said:
    """What a card says of its run."""

    name: str
    came: str  # "all right from 28"
    loss: str
    letter: str
    indent: int  # how many parents there are above it
    chosen: bool = False  # A, or compared with it

    @property
    def is_b(self) -> bool:
        """Whether it is what A is compared with."""
        return self.chosen and self.letter == "B"


class CardButton(QAbstractButton):
    """One card: a click shows its run as A, with Shift as B; F2 or a double click names it."""

    def __init__(self, theme: Theme, emit: Emit, key: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key = key
        self.said = Said("", "", "", "", 0)
        self._emit = emit
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.field = QLineEdit(self)
        self.field.setAccessibleName(_("Name of the run"))
        self.field.setMaxLength(LONGEST_NAME)
        self.field.hide()
        self.field.editingFinished.connect(self._named)
        self._compare, self._rename, self._delete = (
            QAction(text, self) for text in (_("Compare as B"), _("Rename…"), _("Delete"))
        )
        self._compare.triggered.connect(lambda: self._ask(True))
        self._rename.triggered.connect(self.rename)
        self._delete.triggered.connect(lambda: emit(DeleteRun(key)))
        self.addActions([self._compare, self._rename, self._delete])
        offer_actions(self)
        self.clicked.connect(lambda: self._ask(False))
        self.retheme(theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.setFixedHeight(theme.px(HEIGHT))
        self.field.setFont(theme.font(14))
        self.update()

    def show_said(self, said: Said, *, alone: bool) -> None:
        """Show what there is to say."""
        if said != self.said:
            self.said = said
            self.setAccessibleName(joined((said.letter, said.name)))
            self.setAccessibleDescription(joined((said.came, f"{_('loss')} {said.loss}")))
            tip = _("Click: as A. Shift and click: as B. F2: another name")
            self.setToolTip(plain_tip(f"{said.name}\n{tip}"))
            self.update()
        self._compare.setText(_("Stop comparing") if said.is_b else _("Compare as B"))
        self._compare.setEnabled(said.letter != "A")
        self._delete.setEnabled(not alone)

    def rename(self) -> None:
        """Let the name be typed."""
        px = self._theme.px
        left = px(_INDENT + SIDE)
        self.field.setGeometry(left, px(3), self.width() - left - px(4), px(26))
        self.field.setText(self.said.name)
        self.field.selectAll()
        self.field.show()
        self.field.setFocus()

    def _named(self) -> None:
        if self.field.isVisible():
            self.field.hide()
            if self.field.text() != self.said.name:
                self._emit(RenameRun(self.key, self.field.text()))

    def _ask(self, as_b: bool) -> None:
        if not as_b:
            self._emit(ShowRun(self.key))
        elif self.said.letter != "A":
            self._emit(CompareRun(None if self.said.is_b else self.key))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """With Shift, ask for B; a click alone asks for A."""
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if shift and event.button() == Qt.MouseButton.LeftButton:
            self.setDown(False)
            self._ask(True)
        else:
            super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Let the name be typed."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.rename()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Rename with F2, delete with Del, compare with Shift and Enter."""
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        match event.key():
            case Qt.Key.Key_F2:
                self.rename()
            case Qt.Key.Key_Escape if self.field.isVisible():
                self.field.hide()
            case Qt.Key.Key_Delete if self._delete.isEnabled():
                self._emit(DeleteRun(self.key))
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._ask(bool(shift))
            case _:
                super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint badge, name, loss and what came of it."""
        theme, said = self._theme, self.said
        px = theme.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            chosen = said.chosen
            box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            if chosen or self.underMouse() or is_ringed(self):
                ink = "ink1" if said.letter == "A" else "run_b" if chosen else "ctl"
                fill, width = "raised" if chosen else "hover", 2 if is_ringed(self) else 1.25
                draw_box(painter, box, px(6), theme.color(fill), theme.color(ink), width)
            left, top, height = px(_INDENT), px(5), px(20)
            if said.indent:
                painter.setPen(QPen(theme.color("ctl"), 1.5))
                painter.drawLine(left + px(SIDE) // 2, 0, left + px(SIDE) // 2, top)
            badge = QRectF(left, top, px(SIDE), px(SIDE))
            draw_badge(painter, theme, badge, said.letter, chosen=chosen)
            right = self.width() - px(_INDENT)
            beside = left + px(SIDE + 8)
            number = text_width(theme, said.loss, 14)
            room = right - number - px(8) - beside
            weight = 600 if chosen else 400
            name = elided(theme, said.name, 14, weight, int(room), middle=True)
            ink1, ink3 = theme.color("ink1"), theme.color("ink3")
            upper = QRectF(beside, top, right - beside, height)
            draw_text(painter, theme, name, upper, ink1, 14, weight, LEFT)
            draw_text(painter, theme, said.loss, upper, ink1, 14, 400, RIGHT)
            lower = upper.translated(0, height)
            loss = _("loss") if said.loss else ""
            came = elided(theme, said.came, 12.5, 400, int(lower.width()) - px(40))
            draw_text(painter, theme, came, lower, ink3, 12.5, 400, LEFT)
            draw_text(painter, theme, loss, lower, ink3, 12.5, 400, RIGHT)


class RunList(QWidget):
    """The cards of the runs, and the buttons for a fork and for another run.

    The buttons stand below the choice between this run and the next, which must not move when it
    brings them.
    """

    def __init__(self, theme: Theme, emit: Emit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._emit = emit
        self._frame = TrainFrame()
        self.title, self.note = QLabel(_("Runs")), ElidedLabel(text=_("at most two are shown"))
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.cards: dict[int, CardButton] = {}
        self.fork, self.add = QPushButton(_("Fork here")), QPushButton(_("Add run"))
        self.fork.clicked.connect(lambda: emit(ForkHere()))
        self.add.clicked.connect(self._add)
        self.add.setToolTip(plain_tip(_("Train another run with these parameters and changes")))
        self.title.hide()
        self.note.hide()
        self.buttons = QWidget()
        self._head, self._column = QHBoxLayout(), QVBoxLayout()
        put(self._head, self.title, (self.note, 1))
        self._row = put(QHBoxLayout(self.buttons), (self.fork, 1), (self.add, 1))
        fill(QVBoxLayout(self), self._head, self._column)
        self.retheme(theme)

    def _add(self) -> None:
        self._emit(UseParameters())

    def draw(self, frame: TrainFrame) -> None:
        """Show the frame's runs."""
        self._frame = frame
        runs = frame.runs
        several = len(runs) > 1
        self._head_shown(several)
        self._take(runs if several else ())
        for card, said in zip(runs, letters(frame), strict=True) if several else ():
            self.cards[card.key].show_said(said, alone=not several)
        known = frame.trace is not None and can_fork(frame.trace)
        self.fork.setEnabled(known)
        tip = _("Continue from epoch {epoch} with something changed").format(epoch=frame.epoch)
        if not known:
            tip = _("This run keeps no state at its steps, so it cannot be forked.")
        if self.fork.toolTip() != plain_tip(tip):
            self.fork.setToolTip(plain_tip(tip))
        self.add.setEnabled(frame.trace is not None and frame.trace.run.config is not None)

    def _head_shown(self, shown: bool) -> None:
        for label in (self.title, self.note):
            if label.isHidden() == shown:
                label.setVisible(shown)

    def _take(self, runs: tuple[RunCard, ...]) -> None:
        """Have a card for each run, in their order."""
        keys = [card.key for card in runs]
        if keys == list(self.cards):
            return
        for key in [key for key in self.cards if key not in keys]:
            card = self.cards.pop(key)
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        for place, key in enumerate(keys):
            if key not in self.cards:
                self.cards[key] = CardButton(self._theme, self._emit, key, self)
            self._column.insertWidget(place, self.cards[key])
        self.cards = {key: self.cards[key] for key in keys}

    def retheme(self, theme: Theme, compact: bool = False) -> None:
        """Take another theme, text scale or height."""
        self._theme = theme
        px = theme.px
        inset = px(INSET)
        self._head.setContentsMargins(inset, 0, inset, px(4))
        self._column.setSpacing(px(GAP))
        between = px(3 if compact else 8)
        set_spacing(self._row, 0, 0, 0, between, gap=px(8))
        self.title.setFont(theme.font(14, 600))
        self.note.setFont(theme.font(12.5))
        for button in (self.fork, self.add):
            button.setFont(theme.font(13, 500))
            button.setFixedHeight(px(26 if compact else 30))
            button.setMinimumWidth(1)
        for card in self.cards.values():
            card.retheme(theme)


def letters(frame: TrainFrame) -> tuple[Said, ...]:
    """Return what the cards say, in their order: A, B where one is compared, and the letters after
    these for the others."""
    others = iter("BCDEFGHIJKLMNOPQRSTUVWXYZ"[frame.other is not None :])
    other = None if frame.other is None else frame.other.shown
    names = names_of(frame)
    found = []
    for card in frame.runs:
        chosen = card.key in (frame.shown, other)
        letter = "A" if card.key == frame.shown else "B" if chosen else next(others)
        name = names[card.key]
        came, loss = came_to(card, frame.card(card.parent) if card.parent else None)
        found.append(Said(name, came, loss, letter, 0 if card.parent is None else 1, chosen))
    return tuple(found)


def names_of(frame: TrainFrame) -> dict[int, str]:
    """Return what the runs are called, by key; those called alike with what differs among them."""
    names = {card.key: displayable(frame.name_of(card), LONGEST_NAME) for card in frame.runs}
    alike: dict[str, list[RunCard]] = {}
    for card in frame.runs:
        alike.setdefault(names[card.key], []).append(card)
    for cards in alike.values():
        for card, differing in zip(cards, differing_values(cards), strict=True):
            told = (f"{_(LABELS[field])} {value_text(value)}" for field, value in differing.items())
            names[card.key] = joined((names[card.key], *told))
    return names


def came_to(card: RunCard, parent: RunCard | None = None) -> tuple[str, str]:
    """Return from where on everything was right, and the last loss; empty where not recorded.

    A fork of which all was right began to be so in its parent.
    """
    trace = card.trace
    if not {"scalar.epoch", "scalar.loss"} <= trace.names:
        return "", ""
    try:
        epochs, loss = trace.scalars("epoch"), trace.scalars("loss")
        right = None
        if "scalar.accuracy" in trace.names:
            right = all_right_from(epochs, trace.scalars("accuracy"))
    except Problem:
        return "", ""
    if right is not None and parent is not None and right == int(epochs[0]):
        right = _right_before(parent, right)
    if right is not None:
        came = _("all correct from {epoch}").format(epoch=right)
    else:  # a run that is going on may get there
        came = _("not all correct by {epoch}").format(epoch=int(epochs[-1])) if len(epochs) else ""
    return came, display_number(float(loss[-1]), 3) if len(loss) else ""


def _right_before(parent: RunCard, epoch: int) -> int:
    """Return from where on everything was right in the parent, up to the epoch of the fork."""
    try:
        epochs, accuracy = (parent.trace.scalars(name) for name in ("epoch", "accuracy"))
    except (KeyError, Problem):
        return epoch
    past = epochs <= epoch
    found = all_right_from(epochs[past], accuracy[past])
    return epoch if found is None else found
