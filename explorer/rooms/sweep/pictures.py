"""The middle of Sweep: losses as bands, dots of all right; before a sweep, what is planned."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.labels import plain_label
from explorer.kit.layouts import fill, hairline, put, set_spacing
from explorer.kit.scrolling import ColumnArea
from explorer.kit.theme import Theme
from explorer.rooms.sweep.bands import LossBands
from explorer.rooms.sweep.base import SweepView
from explorer.rooms.sweep.dots import MOST_ROWS, Dots
from explorer.rooms.sweep.heading import Heading
from explorer.rooms.sweep.intents import OpenExample, SelectSweepRun, Start
from explorer.rooms.sweep.shown import MOST_DRAWN, Shown, SweepFrame
from explorer.rooms.sweep.words import plan_text, runs_text
from explorer.text import _


class PicturesView(SweepView):
    """Bands and dots of the sweep that is shown, or what the plan comes to."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._stack = QStackedWidget(self)
        self.bands, self.dots = LossBands(theme), Dots(theme)
        self.dots.picked.connect(lambda run: self.intent.emit(SelectSweepRun(run)))
        pictures = QWidget(self._stack)
        self._column = QVBoxLayout(pictures)
        note = _("median, and the band of 10 to 90 % of the runs; a logarithmic axis")
        self._losses = Heading(_("Loss over the epochs"), note, apart=False)
        put(self._column, self._losses, (self.bands, 3))
        self._line = hairline(pictures)
        self._column.addWidget(self._line)
        self._starts = Heading(_("All sentences correct from epoch …"), apart=False)
        self.row_note = self._starts.note
        self._column.addLayout(self._starts)
        scrolled = ColumnArea(pictures)
        scrolled.setWidget(self.dots)
        scrolled.setStyleSheet("background: transparent;")
        scrolled.viewport().setAutoFillBackground(False)
        self.dots.setAutoFillBackground(False)
        self._column.addWidget(scrolled, 5)
        self._stack.addWidget(pictures)
        self._stack.addWidget(self._made_empty())
        fill(QVBoxLayout(self), self._stack)
        self.retheme(theme)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground of the pictures."""
        QPainter(self).fillRect(event.rect(), self.theme.color("canvas"))

    def _made_empty(self) -> QWidget:
        empty = QWidget(self._stack)
        column = QVBoxLayout(empty)
        self.said, self.plan = plain_label("ink1"), plain_label("ink2")
        for label in (self.said, self.plan):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.start, self.example = QPushButton(_("Start")), QPushButton(_("Look at the example"))
        self.start.setProperty("kind", "primary")
        self.start.clicked.connect(lambda: self.intent.emit(Start()))
        self.example.clicked.connect(lambda: self.intent.emit(OpenExample()))
        row = put(QHBoxLayout(), None, self.start, self.example, None)
        put(column, None, self.said, self.plan, row, None)
        self._empty = column
        return empty

    def draw(self, frame: SweepFrame) -> None:
        """Show the sweep, or what is planned."""
        shown = frame.shown
        self._stack.setCurrentIndex(0 if shown is not None and shown.results else 1)
        if shown is None or not shown.results:
            self._draw_empty(frame)
        self.bands.draw(shown, frame.selected)
        self.dots.draw(shown, frame.selected)
        self.row_note.setText("" if shown is None else _row_note(shown))
        self.row_note.setToolTip(self.row_note.text())

    def _draw_empty(self, frame: SweepFrame) -> None:
        planned = frame.idle and frame.shown is None
        if not planned:
            going, stopped = _("The first runs are training."), _("Stopped before a run was done.")
            said, plan = stopped if frame.idle else going, ""
        elif frame.plan is None:
            said, plan = str(frame.wrong or ""), ""
        else:
            runs = runs_text(frame.plan.runs)
            said = _("{runs} are planned; nothing is trained yet.").format(runs=runs)
            plan = plan_text(frame.plan, frame.seconds, frame.workers)
        self.said.setText(said)
        self.plan.setText(plan)
        self.start.setVisible(planned)
        self.example.setVisible(planned)
        self.start.setEnabled(frame.plan is not None)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        px = theme.px
        set_spacing(self._column, px(24), px(14), px(24), px(8), gap=px(8))
        set_spacing(self._empty, px(24), px(24), px(24), px(24), gap=px(12))
        for heading in (self._losses, self._starts):
            heading.retheme(theme)
        self.said.setFont(theme.font(15, 600))
        self.plan.setFont(theme.font(13))
        for button in (self.start, self.example):
            button.setFont(theme.font(14, 500))
        self.bands.retheme(theme)
        self.dots.retheme(theme)


def _row_note(shown: Shown) -> str:
    if all(row.runs == shown.seeds_done for row in shown.rows):
        note = _("one dot a run, {count} in a row; the line is the median").format(
            count=shown.seeds_done
        )
    else:  # while they come in
        note = _("one dot a run; the line is the median")
    if shown.plan.runs > MOST_DRAWN or len(shown.rows) > MOST_ROWS:
        note += " · " + _("of {runs} runs the first are drawn").format(runs=shown.plan.runs)
    return note
