"""The strip over Sweep: Run or Sweep, how far it is and how long it takes, and its buttons."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from explorer.kit.icons import icon
from explorer.kit.labels import ElidedLabel, plain_line, show_text
from explorer.kit.layouts import put, set_spacing
from explorer.kit.progress_line import ProgressLine
from explorer.kit.segments import run_or_sweep
from explorer.kit.small_inputs import SingleClickButton
from explorer.kit.theme import Theme
from explorer.rooms.sweep.base import SweepView
from explorer.rooms.sweep.intents import NewSweep, Pause, ShowRuns, Start, Stop
from explorer.rooms.sweep.shown import SweepChange, SweepFrame, SweepState
from explorer.rooms.sweep.words import plan_text, runs_text
from explorer.text import _, plain_tip, time_text

HEIGHT = 56  # px at 100 %, as all below
_LINE = 480
_SIGN = 14


class StripView(SweepView):
    """Says what is planned, or how far the sweep is; starts, pauses and stops it."""

    concerns: ClassVar[SweepChange] = SweepChange.DRAFT | SweepChange.STATE | SweepChange.RESULTS

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setProperty("panel", True)
        self.setAccessibleName(_("Progress of the sweep"))
        self._compact = False
        self._state = SweepState.IDLE
        self.choice = run_or_sweep("sweep", theme, self)
        self.choice.picked.connect(lambda _key: self.intent.emit(ShowRuns()))
        self.count, self.more = plain_line("ink1", self), ElidedLabel("ink3", self)
        self.line = ProgressLine(theme, self)
        self.time = plain_line("ink2", self)
        self.line.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        # One takes the place of another that was pressed.
        self.pause, self.stop = SingleClickButton(self), SingleClickButton(_("Stop"), self)
        self.new, self.start = (
            SingleClickButton(_("New sweep"), self),
            SingleClickButton(_("Start"), self),
        )
        self.start.setProperty("kind", "primary")
        self.pause.clicked.connect(
            lambda: self.intent.emit(Pause(self._state is not SweepState.PAUSED))
        )
        self.stop.clicked.connect(lambda: self.intent.emit(Stop()))
        self.new.clicked.connect(lambda: self.intent.emit(NewSweep()))
        self.start.clicked.connect(lambda: self.intent.emit(Start()))
        self._row = QHBoxLayout(self)
        self._before = QHBoxLayout()
        self._before.addWidget(self.choice, 0, Qt.AlignmentFlag.AlignVCenter)
        self._row.addLayout(self._before)
        put(
            self._row,
            self.count,
            self.more,
            (self.line, 100),
            self.time,
            None,
            self.pause,
            self.stop,
            self.new,
            self.start,
        )
        self.retheme(theme)

    def draw(self, frame: SweepFrame) -> None:
        """Show what is planned, or how far it is."""
        self._state = frame.state
        going = not frame.idle
        shown, progress = frame.shown, frame.progress
        done = 0 if shown is None else len(shown.results)
        if going and progress is not None:
            done = progress.done
        plan = frame.plan if shown is None else shown.plan
        runs = 0 if plan is None else plan.runs
        if frame.state is SweepState.STARTING:
            count = _("starting…")
        elif shown is None:
            count = runs_text(runs) if plan is not None else ""
        else:
            count = _("{done} of {runs} runs").format(done=done, runs=runs)
        show_text(self.count, count)
        parts = []
        if shown is not None:
            parts.append(
                _("{done} of {seeds} seeds").format(
                    done=shown.seeds_done, seeds=len(shown.plan.seeds)
                )
            )
            parts += _bad(frame)
        elif plan is not None and not going:
            parts.append(plan_text(plan, frame.seconds, frame.workers))
        show_text(self.more, "" if self._compact and going else " · ".join(parts))
        self.more.setToolTip(plain_tip(self.more.text()))
        self.line.show_share(done / max(runs, 1))
        self.line.setVisible(going or frame.unfinished)
        show_text(self.time, _time_left(frame) if going else "")
        paused = frame.state is SweepState.PAUSED
        self.pause.setText(_("Continue") if paused else _("Pause"))
        self.pause.setIcon(icon("play" if paused else "pause", self.theme, "ink1"))
        for button in (self.pause, self.stop):
            button.setVisible(going)
        self.pause.setEnabled(frame.state in (SweepState.GOING, SweepState.PAUSED))
        self.stop.setEnabled(frame.state is not SweepState.STOPPING)
        self.new.setVisible(not going and shown is not None)
        self.start.setVisible(not going and (shown is None or frame.unfinished))
        self.start.setText(_("Start") if shown is None else _("Continue"))
        self.start.setEnabled(shown is not None or plan is not None)
        self._row.activate()  # what was shown or hidden has its place at once

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        px = theme.px
        self.setFixedHeight(px(HEIGHT))
        set_spacing(self._row, px(16), 0, px(16), 0, gap=px(10))
        self._before.setContentsMargins(0, 0, px(14), 0)
        self.choice.retheme(theme)
        self.count.setFont(theme.font(15, 600))
        for label in (self.more, self.time):
            label.setFont(theme.font(13.5))
        self.line.retheme(theme)
        self.line.setFixedHeight(px(5))
        self.line.setMinimumWidth(px(60))
        self.line.setMaximumWidth(px(_LINE))
        self.stop.setIcon(icon("stop", theme, "ink1"))
        for button in (self.pause, self.stop, self.new, self.start):
            button.setFont(theme.font(14, 500))
            button.setIconSize(QSize(px(_SIGN), px(_SIGN)))

    def set_compact(self, compact: bool) -> None:
        """Say less, for a narrow window."""
        self._compact = compact


def _bad(frame: SweepFrame) -> list[str]:
    """Return how many runs diverged or failed."""
    assert frame.shown is not None
    rows = frame.shown.rows
    counts = (
        (_("{count} diverged"), sum(row.diverged for row in rows)),
        (_("{count} failed"), sum(row.failed for row in rows)),
    )
    return [text.format(count=count) for text, count in counts if count]


def _time_left(frame: SweepFrame) -> str:
    progress = frame.progress
    if frame.state is SweepState.STOPPING:
        return _("stopping…")
    if frame.state is SweepState.PAUSED:
        return _("paused")
    if progress is None or progress.left is None:
        return ""
    each = progress.seconds / progress.here
    return _("about {time} left, {each} s a run").format(
        time=time_text(progress.left), each=f"{each:.2g}"
    )
