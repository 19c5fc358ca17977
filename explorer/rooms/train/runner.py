"""The run of this session: started and steered here, its news taken in thirty times a second."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QObject, QTimer

from explorer.session.train import Progress, RunState, TrainChange, TrainSession
from explorer.text import N_, Message, Problem, _
from explorer.traces import Config, Corpus, SpoolTrace, new_run_folder, prune
from explorer.traces.spool import segment_name
from explorer.training.forks import ForkPoint
from explorer.training.mailbox import DevicesFound, Ended, Mailbox, Started
from explorer.training.supervisor import Trainer

POLL = 33  # milliseconds
_FRAME = 16
_ENDS = {
    "finished": RunState.FINISHED,
    "stopped": RunState.STOPPED,
    "diverged": RunState.DIVERGED,
    "failed": RunState.FAILED,
}


class Runner(QObject):
    """Trains in the background and shows the run as it is recorded; plays what is recorded.

    Parameters
    ----------
    session : TrainSession
    runs : Path
        Where runs are recorded, a folder each.
    tell : callable
        Shows a problem.
    motion : callable
        Whether positions may move between steps.
    """

    def __init__(
        self,
        session: TrainSession,
        runs: Path,
        tell: Callable[[Problem], None],
        motion: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._runs, self._tell, self._motion = session, runs, tell, motion
        self._mailbox = Mailbox()
        self._trainer = Trainer(self._mailbox)
        self._run = 0
        self._folder: Path | None = None
        self._trace: SpoolTrace | None = None  # of the run, once something of it is recorded
        self._parent: int | None = None
        self._number, self._called = 0, Message("")
        self._paused = False  # whether the run was begun to do single epochs
        self._poll = QTimer(self, interval=POLL)
        self._poll.timeout.connect(self._take)
        self._play = QTimer(self, interval=_FRAME)
        self._play.timeout.connect(self._advance)
        self._since = QElapsedTimer()
        session.changed.connect(self._on_change)

    @property
    def folder(self) -> Path | None:
        """Where the run of this session is recorded."""
        return self._folder

    @property
    def trace(self) -> SpoolTrace | None:
        """The run of this session; None before anything of it is recorded."""
        return self._trace

    def warm(self) -> None:
        """Start the training process, so that the first run begins at once."""
        self._trainer.warm()
        self._poll.start()

    def start(
        self,
        config: Config,
        corpus: Corpus,
        *,
        samples: Sequence[int] | None = None,
        paused: bool = False,
        start: ForkPoint | None = None,
        parent: int | None = None,
        called: Message | None = None,
    ) -> None:
        """Begin a run, ending the one in progress; `samples` and `start` as the Trainer has them.

        parent : the card of the run that a fork goes on from
        called : what the run's own card is called; "run 1" and so on by default
        """
        self._folder = new_run_folder(self._runs)
        self._trace = None
        self._parent = parent
        self._number += 1
        self._called = called or Message(N_("run {number}"), {"number": self._number})
        first = 0 if start is None else start.fork.epoch
        self._session.set_progress(Progress(RunState.STARTING, first, config.epochs))
        self._trainer.set_pace(self._session.frame.pace)
        self._run = self._trainer.start(
            config, corpus, self._folder, samples=samples, paused=paused, start=start
        )
        self._paused = paused
        self._poll.start()

    def pause(self) -> None:
        """Wait after the epoch in progress."""
        self._trainer.pause()
        self._set(RunState.PAUSED)

    def resume(self) -> None:
        """Go on."""
        self._trainer.resume()
        self._set(RunState.RUNNING)

    def step(self) -> None:
        """Do one epoch, and wait after it."""
        self._trainer.step()
        self._set(RunState.PAUSED)

    def stop(self) -> None:
        """End the run; what is recorded stays."""
        self._trainer.stop()

    def set_pace(self, pace: int | None) -> None:
        """Change epochs a second; None is full speed."""
        self._trainer.set_pace(pace)

    def show(self) -> None:
        """Show the run that is going on, where something else is shown."""
        frame = self._session.frame
        trace = self._trace
        shown = [frame.trace] if frame.other is None else [frame.trace, frame.other.trace]
        if trace is not None and trace not in shown and frame.progress.active:
            self._session.show(trace, _("unsaved run"), modified=True, called=self._called)

    def close(self) -> None:
        """End the run and the training process, within two seconds."""
        self._poll.stop()
        self._play.stop()
        self._trainer.close()
        self._take()
        self._set(RunState.STOPPED)

    # --- taking in -------------------------------------------------------------------------------

    def _set(self, state: RunState) -> None:
        progress = self._session.frame.progress
        if progress.active:
            self._session.set_progress(
                Progress(state, progress.epoch, progress.epochs, progress.device)
            )

    def _take(self) -> None:
        batch = self._mailbox.take()
        ended: Ended | None = None
        for event in batch.events:
            match event:
                case DevicesFound(devices):
                    self._session.set_devices(tuple(device.kind for device in devices))
                case Started(run, device) if run == self._run:
                    progress = self._session.frame.progress
                    state = RunState.PAUSED if self._paused else RunState.RUNNING
                    self._session.set_progress(
                        Progress(state, progress.epoch, progress.epochs, device.name)
                    )
                case Ended(run) if run == self._run:
                    ended = event
                case _:
                    pass  # of an earlier run
        progress = self._session.frame.progress
        if batch.scalars or (progress.active and batch.share != progress.share):
            epoch = batch.scalars[-1].epoch if batch.scalars else progress.epoch
            self._session.set_progress(replace(progress, epoch=epoch, share=batch.share))
        self._show(ended is not None)
        if ended is not None:
            self._end(ended)
        if not self._session.frame.progress.active and self._session.frame.devices:
            self._poll.stop()

    def _show(self, ended: bool) -> None:
        """Show the run as soon as something is recorded, and what has come since."""
        if self._trace is not None:
            frame = self._session.frame
            if frame.trace is self._trace:
                self._session.refresh(ended=ended)
            elif frame.other is not None and frame.other.trace is self._trace:
                self._session.refresh_other(ended=ended)
        elif self._folder is not None and (ended or self._session.frame.progress.active):
            # Not before something is recorded: the words of a large corpus take long to be read.
            if not (self._folder / segment_name(0)).exists():
                return
            try:
                trace = SpoolTrace(self._folder)
            except Problem:
                return
            if trace.recorded:
                self._trace = trace
                try:
                    if self._parent is None:
                        self.show()
                    else:
                        self._session.add_fork(trace, self._called, self._parent)
                        self._session.follow()
                except Problem as problem:
                    self._tell(problem)

    def _end(self, ended: Ended) -> None:
        progress = self._session.frame.progress
        epoch = max(ended.epoch, 0)
        self._session.set_progress(
            Progress(_ENDS[ended.why], epoch, progress.epochs, progress.device, ended.message)
        )
        if ended.message is not None and ended.why == "failed":
            self._tell(Problem.of(ended.message))
        self._leave()
        with suppress(OSError):  # old runs stay a while longer
            prune(self._runs)

    def _leave(self) -> None:
        """Have a run that is over in use no more once something else is shown."""
        frame = self._session.frame
        if not frame.progress.active and frame.trace is not self._trace:
            self._trace = None

    # --- playing ---------------------------------------------------------------------------------

    def _on_change(self, change: TrainChange) -> None:
        if TrainChange.TRACE in change:
            self._leave()
        playing = self._session.frame.playback.playing
        if playing and not self._play.isActive():
            self._since.start()
            self._play.start()
        elif not playing:
            self._play.stop()

    def _advance(self) -> None:
        self._session.advance(self._since.restart() / 1000, motion=self._motion())
