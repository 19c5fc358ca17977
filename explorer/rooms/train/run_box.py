"""Train, stop, pause, step, start over: the buttons of the run and how far it is."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.icons import SIDE, icon
from explorer.kit.labels import plain_label, plain_line, show_text
from explorer.kit.layouts import put
from explorer.kit.progress_line import ProgressLine
from explorer.kit.small_inputs import CalmCombo, SingleClickButton
from explorer.kit.theme import Theme
from explorer.rooms.train.parameter_rows import Emit
from explorer.session.train import Progress, RunState, TrainFrame
from explorer.session.train.intents import Pause, SetPace, StartOver, StepOnce, Stop, Train
from explorer.text import _, displayable, plain_tip
from explorer.traces import LABELS, SAMPLES_LABEL, SPLITTING_LABELS

PACES = (1, 2, 5, 10, 20, 50, 100, None)
_LONGEST = 400  # of a sentence, in characters


class RunBox(QWidget):
    """The buttons of the run.

    Parameters
    ----------
    emit : callable
        Takes the intent.
    """

    def __init__(self, theme: Theme, emit: Emit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._emit = emit
        self._frame = TrainFrame()
        self._corpus_waits = False  # a text that was typed is taken before the run begins
        self.main = SingleClickButton()
        self.main.setProperty("kind", "primary")
        self.main.clicked.connect(self._train_or_stop)
        self.count = plain_line("ink2")
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.line = ProgressLine(theme)
        policy = self.line.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # a run that starts or ends moves nothing
        self.line.setSizePolicy(policy)
        self.line.hide()
        self.error = plain_label("err")
        self.pause, self.step, self.again = QToolButton(), QToolButton(), QToolButton()
        self.pause.clicked.connect(self._pause_or_go_on)
        self.step.clicked.connect(lambda: emit(StepOnce()))
        self.again.clicked.connect(lambda: emit(StartOver()))
        self.pace = CalmCombo(_("Pace"))
        self.pace.setToolTip(plain_tip(_("How fast to train; the numbers stay the same")))
        for pace in PACES:
            self.pace.addItem(_pace_name(pace), pace)
        self.pace.activated.connect(self._choose_pace)
        self._build()
        self._show_buttons()
        self.retheme(theme)

    def _build(self) -> None:
        self._top = put(QHBoxLayout(), (self.main, 1), self.count)
        self._tools = put(QHBoxLayout(), self.pause, self.step, self.again, None, self.pace)
        self.main.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        put(self._column, self.error, self._top, self.line, self._tools)

    # --- asking ----------------------------------------------------------------------------------

    def _train_or_stop(self) -> None:
        self._emit(Stop() if self._frame.progress.active else Train())

    def _pause_or_go_on(self) -> None:
        paused = self._frame.progress.state is RunState.PAUSED
        self._emit(Train() if paused else Pause())

    def _choose_pace(self, index: int) -> None:
        wanted = self.pace.itemData(index)
        self._show_pace()
        self._emit(SetPace(wanted))

    # --- showing ---------------------------------------------------------------------------------

    def show_corpus_waits(self, waits: bool) -> None:
        """Let a run be begun with a text that is not taken yet, whatever the one before is."""
        if waits != self._corpus_waits:
            self._corpus_waits = waits
            self._show_possible(self._frame)

    def draw(self, frame: TrainFrame) -> None:
        """Show how far the run is and what can be done."""
        before, self._frame = self._frame, frame
        progress = frame.progress
        if progress.state is not before.progress.state:
            self._show_buttons()
        self.line.show_share((progress.epoch + progress.share) / max(progress.epochs, 1))
        self._show_words(progress)
        self._show_pace()
        self._show_possible(frame)

    def _show_words(self, progress: Progress) -> None:
        numbers = {"epoch": progress.epoch, "epochs": progress.epochs}
        template = last = ""
        room = self.width() - self.main.sizeHint().width() - self._top.spacing()
        # As wide as at the run's end, so that the button beside it keeps its width.
        for template in (_("{epoch} of {epochs}"), "{epoch}/{epochs}"):
            last = template.format(epoch=progress.epochs, epochs=progress.epochs)
            if self.count.fontMetrics().horizontalAdvance(last) <= room:
                break
        count = ""
        match progress.state:
            case RunState.STARTING:
                count = _("Starting…")
            case RunState.RUNNING:
                count = template.format(**numbers)
                if progress.share:
                    count = f"{count} · {progress.share:.0%}".replace("%", "\u2009%")
            case RunState.PAUSED:
                count = _("Paused at {epoch}").format(**numbers)
            case RunState.FINISHED:
                count = _("Finished")
            case RunState.STOPPED:
                count = _("Stopped at {epoch}").format(**numbers)
        message = "" if progress.message is None else displayable(str(progress.message), _LONGEST)
        self.count.setMinimumWidth(
            self.count.fontMetrics().horizontalAdvance(last) if progress.active else 0
        )
        show_text(self.count, count)
        show_text(self.error, message)
        tip = ""
        if count and progress.state is not RunState.STARTING:
            tip = plain_tip(_("Epoch {epoch} of {epochs}").format(**numbers))
        if self.count.toolTip() != tip:
            self.count.setToolTip(tip)
        shown = progress.active
        if self.line.isHidden() == shown:
            self.line.setVisible(shown)

    def _show_possible(self, frame: TrainFrame) -> None:
        """Say why a run cannot start where a value cannot be."""
        wrong = next(iter(frame.problems), None)
        why = ""
        if wrong is not None:
            why = _("{parameter} is not valid: change it first.").format(
                parameter=_((LABELS | SPLITTING_LABELS).get(wrong, SAMPLES_LABEL))
            )
        elif not self._corpus_waits and (frame.corpus_problem is not None or frame.corpus is None):
            why = _("The corpus is not valid: change it first.")
        state = frame.progress.state
        for button, own, tip in (
            (self.main, frame.progress.active, ""),
            (self.step, frame.progress.active, _("Train one epoch")),
            (self.again, False, _("Start over with the same seed")),
        ):
            button.setEnabled(own or not why)
            text = plain_tip(tip if own or not why else why)
            if button.toolTip() != text:
                button.setToolTip(text)
        if state is RunState.STARTING:
            self.step.setEnabled(False)
        if state is RunState.NONE:
            self.again.setEnabled(False)
        self.pause.setEnabled(state in (RunState.RUNNING, RunState.PAUSED))

    def _show_buttons(self) -> None:
        theme, progress = self._theme, self._frame.progress
        self.main.setText("\u2009" + (_("Stop") if progress.active else _("Train")))
        self.main.setAccessibleName(_("Stop") if progress.active else _("Train"))
        self.main.setIcon(icon("stop" if progress.active else "play", theme, "on_sel"))
        paused = progress.state is RunState.PAUSED
        for button, name, text in (
            (self.pause, "play" if paused else "pause", _("Continue") if paused else _("Pause")),
            (self.step, "step-forward", _("Train one epoch")),
            (self.again, "start-over", _("Start over with the same seed")),
        ):
            button.setIcon(icon(name, theme))
            button.setAccessibleName(text)
            button.setToolTip(plain_tip(text))

    def _show_pace(self) -> None:
        pace = self._frame.pace
        index = self.pace.findData(pace) if pace is not None else self.pace.count() - 1
        if index < 0:
            self.pace.insertItem(0, _pace_name(pace), pace)
            index = 0
        if index != self.pace.currentIndex():
            self.pace.setCurrentIndex(index)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        px = theme.px
        side = QSize(px(SIDE), px(SIDE))
        self._column.setSpacing(px(6))
        self._top.setSpacing(px(12))
        self._tools.setSpacing(px(2))
        self.main.setFont(theme.font(15, 600))
        self.main.setFixedHeight(px(32))
        self.main.setIconSize(side)
        self.count.setFont(theme.font(15))
        self.error.setFont(theme.font(13))
        for button in (self.pause, self.step, self.again):
            button.setIconSize(side)
            button.setFixedSize(px(30), px(28))
        self.pace.setFont(theme.font(13))
        self.pace.setFixedHeight(px(28))
        self.line.retheme(theme)
        self._show_buttons()
        self._show_words(self._frame.progress)
        self._show_possible(self._frame)


def _pace_name(pace: int | None) -> str:
    return _("full speed") if pace is None else _("{pace} epochs/s").format(pace=pace)
