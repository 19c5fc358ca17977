"""The bar over the centre that says what is wrong with a run or a step, and what to do."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.icons import SIDE, icon
from explorer.kit.labels import plain_label
from explorer.kit.layouts import fill, put, set_spacing
from explorer.kit.theme import Theme
from explorer.rooms.train.base import TrainView
from explorer.session.train import RunState, TrainChange, TrainFrame
from explorer.session.train.intents import GoToEpoch, SetParameter
from explorer.text import _

_LESS = 0.1  # of the learning rate that diverged
_LEAST = 1e-5


class NoticeBar(TrainView):
    """Says that a run diverged, with a smaller learning rate to use; or that a step is broken."""

    concerns: ClassVar[TrainChange] = (
        TrainChange.PROGRESS | TrainChange.CURSOR | TrainChange.RECORDED | TrainChange.TRACE
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        # What is hidden is not drawn, so the view itself stays: without height while all is well.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._bar = QWidget(self)
        self._bar.setObjectName("notice-bar")
        self._bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        fill(QVBoxLayout(self), self._bar)
        self._mark, self._text = QLabel(), plain_label()
        self.smaller = QPushButton()
        self.smaller.clicked.connect(self._use_smaller)
        self.back = QPushButton()
        self.back.clicked.connect(self._go_back)
        self.close_button = QToolButton()
        self.close_button.setAccessibleName(_("Close this message"))
        self.close_button.clicked.connect(self._put_away)
        self._row = put(
            QHBoxLayout(self._bar),
            self._mark,
            (self._text, 1),
            self.smaller,
            self.back,
            self.close_button,
        )
        self._rate = ""
        self._epoch = 0
        self._told: object = None
        self._closed: object = None
        self._bar.hide()
        self.retheme(theme)

    @property
    def sentence(self) -> str:
        """What is said now; empty where the bar is put away."""
        return "" if self._bar.isHidden() else self._text.text()

    def draw(self, frame: TrainFrame) -> None:
        """Show what is wrong now, if anything is."""
        diverged = frame.progress.state is RunState.DIVERGED and frame.modified
        message = frame.progress.message if diverged else frame.bad
        self._told = message
        self._bar.setVisible(message is not None and message is not self._closed)
        if message is None:
            return
        sentence = str(message)
        if not diverged and frame.values is not None:
            shown = _("The numbers are those of epoch {epoch}.").format(epoch=frame.values.epoch)
            sentence = f"{sentence} {shown}"
        self._text.setText(sentence)
        self.setAccessibleName(sentence)
        for button in (self.smaller, self.back):
            button.setVisible(diverged)
        if diverged:
            run = frame.trace.run.config if frame.trace is not None else None
            rate = (run or frame.config).learning_rate
            self._rate = f"{max(rate * _LESS, _LEAST):.1g}"
            self.smaller.setText(_("Use {rate}").format(rate=self._rate))
            self._epoch = int(frame.recorded[-1]) if len(frame.recorded) else 0
            self.back.setText(_("Show epoch {epoch}").format(epoch=self._epoch))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        side, margin = theme.px(SIDE), theme.px(8)
        self._mark.setPixmap(icon("warning", theme, "err").pixmap(QSize(side, side)))
        self.close_button.setIcon(icon("close", theme))
        self.close_button.setIconSize(QSize(side, side))
        for part in (self._text, self.smaller, self.back):
            part.setFont(theme.font(14, 500))
        set_spacing(self._row, theme.px(16), margin, margin, margin, gap=theme.px(12))
        colour = theme.palette
        self.setStyleSheet(
            f"#notice-bar {{ background: {colour.raised}; border-bottom: 2px solid {colour.err}; }}"
        )

    def _use_smaller(self) -> None:
        self.intent.emit(SetParameter("learning_rate", self._rate))
        self._put_away()

    def _go_back(self) -> None:
        self.intent.emit(GoToEpoch(self._epoch))

    def take_over(self, before: NoticeBar) -> None:
        """Say nothing of what was put away in another bar."""
        if self._told is before._closed and self._told is not None:
            self._put_away()

    def _put_away(self) -> None:
        self._closed = self._told
        self._bar.hide()
