"""The controls over Model's middle: its views, the legend of weights, special tokens."""

from __future__ import annotations

import math
from typing import ClassVar

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSizePolicy, QWidget

from explorer.kit.labels import plain_line, show_ink, show_text
from explorer.kit.pieces import name_of
from explorer.kit.segments import Segment, SegmentList, Segments
from explorer.kit.small_inputs import AskingCheck
from explorer.kit.table.painting import draw_frame, draw_ramp
from explorer.kit.theme import Theme
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.text_panel import note_of
from explorer.session.model.frame import ModelCentre, ModelChange, ModelFrame, ModelInfo
from explorer.session.model.intents import ChangeModelLook
from explorer.text import _, decimal_places, display_number, displayable, plain_tip

_SHARES = (1.0, 0.9, 0.8, 0.7)  # of the text's size, where all has no room
_NAME = 16  # characters of a token's name


class Ramp(QWidget):
    """The colours of weights, from 0 to the domain."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.setFixedSize(theme.px(92), theme.px(12))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the colours side by side."""
        with QPainter(self) as painter:
            draw_ramp(painter, QRectF(self.rect()), self._theme.weights_map)
            around = QRectF(0.5, 0.5, self.width() - 1, self.height() - 1)
            draw_frame(painter, around, self._theme.color("line2"))


class CentreBar(ModelView):
    """Views on the left, the legend in the middle, special tokens on the right."""

    concerns: ClassVar[ModelChange] = (
        ModelChange.NUMBERS
        | ModelChange.PAIR
        | ModelChange.LOOK
        | ModelChange.TEXT
        | ModelChange.SWITCHES
        | ModelChange.PROGRESS
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("model-bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.pages = Segments(
            [Segment(centre, _(centre.spec.title)) for centre in ModelCentre],
            _("View"),
            theme,
            exclusive=True,
            parent=self,
        )
        self.choice = SegmentList(self.pages, self)
        self.said, self.most = plain_line("ink2", self), plain_line("ink2", self)
        self.least = plain_line("ink2", self, "0")
        self.ramp = Ramp(theme, self)
        self.special = QCheckBox(self)
        self.special.setToolTip(
            plain_tip(_("Tokens that are not words of the text; what is shown is not rescaled"))
        )
        self.both = AskingCheck(_("before and after"), _("before and after"))
        self.both.setToolTip(plain_tip(_("Beside what the model expects with all heads")))
        self.both.asked.connect(
            lambda compared: self.intent.emit(ChangeModelLook({"compare": compared}))
        )
        self.pages.picked.connect(
            lambda centre: self.intent.emit(ChangeModelLook({"centre": centre}))
        )
        self.special.clicked.connect(self._ask_special)
        self._shown, self._legend, self._names, self._said = True, False, "", ""
        self._must_say, self._railed, self._frame = False, False, ModelFrame()
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.pages)
        self._row.addWidget(self.choice)
        self._row.addStretch(1)
        for widget in (self.said, self.least, self.ramp, self.most):
            self._row.addWidget(widget)
        self._row.addStretch(1)
        self._row.addWidget(self.special)
        self._row.addWidget(self.both)
        self.retheme(theme)

    def draw(self, frame: ModelFrame) -> None:
        """Show what stands in the middle, and its domain."""
        self._frame = frame
        look, run, info = frame.look, frame.run, frame.info
        self.pages.show_checked({look.centre})
        self.pages.set_shown(ModelCentre.NEXT, info is not None and info.runs)
        if info is not None:
            self.pages.set_text(ModelCentre.NEXT, _next_title(info))
        self.choice.follow()
        self._shown = look.special
        names = [] if run is None else [piece.token for piece in run.key_pieces if piece.special]
        compared = look.centre is ModelCentre.NEXT and frame.next is not None
        compared = compared and run is not None and bool(run.off)
        self.both.setVisible(compared)
        self.both.show_checked(look.compare)
        self.special.setVisible(bool(names) and not compared)
        self._names = displayable(" ".join(list(dict.fromkeys(names))[:2]), 20)
        self.special.setChecked(look.special)
        domain, said = _domain(frame)
        self._legend = domain is not None and look.centre in (ModelCentre.MATRIX, ModelCentre.TEXT)
        # What stands below is another text's where this one could not be run.
        old = frame.stale and frame.progress.problem is not None
        note = note_of(frame) if self._railed else ""
        self._said = _("of the text before") if old else note or said
        self._must_say = old or bool(note)  # even where the legend has no room then
        show_ink(self.said, "err" if note and frame.cut is not None else "ink2")
        self.most.setText(
            "" if domain is None else display_number(domain, decimal_places(domain, most=6))
        )
        self._fit()

    def set_railed(self, railed: bool) -> None:
        """Say what is to be said of the text here, where its box is not visible, or not."""
        if railed != self._railed:
            self._railed = railed
            self.draw(self._frame)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Shorten the tokens' names, then leave the legend out, where the views need the room."""
        names, air = self.pages.sizeHint().width(), self.theme.px(16)
        self.special.setText(_("special"))  # the shortest that it can say
        boxes = [box for box in (self.special, self.both) if not box.isHidden()]
        for box in boxes:
            box.setFont(self.theme.font(14))
        beside = sum(box.sizeHint().width() + air for box in boxes)
        narrow = self.width() < names + beside + 2 * air
        self.pages.setVisible(not narrow)
        self.choice.setVisible(narrow)
        legend = (self.least, self.ramp, self.most)
        wide = sum(
            max(widget.sizeHint().width(), widget.minimumWidth()) + self._row.spacing()
            for widget in legend
        )
        for share in _SHARES if narrow else _SHARES[:1]:
            font = self.theme.smaller(self.theme.percent * share).font(14)
            for part in (self.special, self.both, self.choice):
                part.setFont(font)
            if (
                self.choice.sizeHint().width() + self.both.sizeHint().width()
                <= self.width() - 3 * air
            ):
                break
        room = self.width() - 4 * air - (self.choice.sizeHint().width() if narrow else names)
        if self._must_say:
            room -= self.said.fontMetrics().horizontalAdvance(self._said)
        for text in (self._names, _("special")):
            self.special.setText(text.replace("&", "&&"))
            special = 0 if self.special.isHidden() else self.special.sizeHint().width()
            if special + wide * self._legend <= room:
                break
        shown = self._legend and special + wide <= room
        for widget in legend:
            widget.setVisible(shown)
        said = self.said.fontMetrics().horizontalAdvance(self._said) + self._row.spacing()
        wide_enough = shown and special + wide + said <= room
        show_text(self.said, self._said if wide_enough or self._must_say else "")

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        px, colour = theme.px, theme.palette
        self.pages.retheme(theme)
        self.ramp.retheme(theme)
        for widget in (self.said, self.least, self.most):
            widget.setFont(theme.font(13))
        for part in (self.special, self.both, self.choice):
            part.setFont(theme.font(14))
        self._row.setContentsMargins(px(16), px(12), px(16), px(4))
        self._row.setSpacing(px(7))
        self.setStyleSheet(f"#model-bar {{ background: {colour.canvas}; }}")

    def minimumSizeHint(self) -> QSize:
        """Return as little as the choice of a view needs."""
        return QSize(self.choice.sizeHint().width(), super().minimumSizeHint().height())

    def _ask_special(self) -> None:
        self.special.setChecked(self._shown)  # what is checked is said by the frame alone
        self.intent.emit(ChangeModelLook({"special": not self._shown}))


def _next_title(info: ModelInfo) -> str:
    """Return what is followed in a model, as a view's title."""
    if info.predicts:
        return _(ModelCentre.NEXT.spec.title)
    return _("Masked token") if info.fills else _("Text's vector")


def _domain(frame: ModelFrame) -> tuple[float | None, str]:
    """Return the weight that the darkest colour stands for, and whose weights are coloured."""
    if frame.head is None or frame.run is None or not frame.head.arrays.weights.size:
        return None, ""
    weights, query = frame.head.arrays.weights, frame.cursor.query
    said = ""
    if frame.look.centre is ModelCentre.TEXT and query is not None:
        weights = weights[query]
        name = displayable(name_of(frame.run.pieces[query]), _NAME)
        said = _("weight that “{token}” gives").format(token=name)
    # A little less than the maximum rounded up, so that .4000001 is .4.
    return max(math.ceil(float(weights.max()) * 10 - 1e-4) / 10, 0.1), said
