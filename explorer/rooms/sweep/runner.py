"""The sweep that is shown: its process asked and heard, its parts read as they come."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from explorer.rooms.sweep.session import SweepSession
from explorer.rooms.sweep.shown import (
    MOST_DRAWN,
    MOST_NUMBERS,
    SelectedRun,
    SweepChange,
    SweepState,
    shown_results,
)
from explorer.session import Array
from explorer.sweeps.conduct import Progress
from explorer.sweeps.folder import Result, SweepFolder, is_sweep_folder
from explorer.sweeps.heads import TellingMap, telling_maps
from explorer.sweeps.process import (
    Begin,
    Ended,
    Estimate,
    Estimated,
    Order,
    Question,
    Reach,
    Reached,
    SweepProcess,
)
from explorer.sweeps.statistics import plateau
from explorer.text import N_, Problem, displayable, why_refused

_TICK = 50  # ms between two looks at what has come
_READ_FOR = 0.03  # seconds of reading at a tick
_SETTLED = 400  # ms without a change of the draft, after which it is estimated
_CALM = 8  # a picture of many runs is made anew after so many times what it took


class SweepRunner(QObject):
    """Estimates drafts, carries sweeps out in a process beside this one, and reads their parts.

    Parameters
    ----------
    session : SweepSession
    sweeps : Path
        Where sweeps are kept, a folder each.
    tell : callable
        Shows a problem.
    """

    def __init__(
        self,
        session: SweepSession,
        sweeps: Path,
        tell: Callable[[Problem], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._sweeps, self._tell = session, sweeps, tell
        self._process: SweepProcess | None = None
        self._estimating = self._reaching = False
        self.folder: SweepFolder | None = None
        self._path: Path | None = None  # of the sweep that goes on
        self._results: dict[int, Result] = {}
        self._losses: dict[int, Array] = {}
        self._drawn = 0  # numbers of the losses that are kept for drawing
        self._unread: deque[int] = deque()  # chunks
        self._due = 0.0
        self._timer = QTimer(self, interval=_TICK)
        self._timer.timeout.connect(self._take)
        self._settled = QTimer(self, interval=_SETTLED, singleShot=True)
        self._settled.timeout.connect(self._estimate)
        session.changed.connect(self._on_change)

    def warm(self) -> None:
        """Estimate the draft, now that it is looked at."""
        self._settled.start()

    # --- asking ----------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin the sweep that is planned, or go on with the one that is shown."""
        frame = self._session.frame
        if not frame.idle:
            return
        draft = frame.draft
        address = draft.address.strip()
        if draft.cluster and not address:
            raise Problem(N_("Type the address of the scheduler, such as tcp://scheduler:8786."))
        plan = None
        if frame.shown is None:
            if frame.plan is None:
                return
            plan = frame.plan
            # Two windows may begin in the same second.
            path = self._sweeps / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
            try:
                self._sweeps.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise Problem(
                    N_("{folder} cannot be made: {reason}."),
                    folder=displayable(str(self._sweeps)),
                    reason=why_refused(error),
                ) from None
            self._forget(path)
        elif self.folder is not None:
            self._path = self.folder.path
        if self._path is None:
            return
        self._settled.stop()
        if self._estimating:  # a trial of a large model is not waited for
            self._end_process()
        self._session.change(state=SweepState.STARTING, progress=None)
        self._ask(Begin(self._path, plan, draft.workers, address if draft.cluster else ""))

    def pause(self, pause: bool) -> None:
        """Pause after the chunks in progress, or go on."""
        if self._session.frame.state in (SweepState.GOING, SweepState.PAUSED):
            self._order("pause" if pause else "resume")
            self._session.change(state=SweepState.PAUSED if pause else SweepState.GOING)

    def stop(self) -> None:
        """End the sweep; what is done is kept."""
        if not self._session.frame.idle:
            self._order("stop")
            self._session.change(state=SweepState.STOPPING)

    def reach(self) -> None:
        """Count the workers of the cluster that the draft names."""
        address = self._session.frame.draft.address.strip()
        if address and self._session.frame.idle:
            self._reaching = True
            self._ask(Reach(address))

    def open(self, path: Path) -> None:
        """Show a sweep that is on disk; its parts are read by and by. Raises Problem."""
        folder = SweepFolder(path)
        self._forget(path)
        self.folder = folder
        self._unread.extend(folder.parts())
        self._show()
        self._timer.start()
        self._take()

    def leave(self) -> None:
        """Show no sweep, but the draft."""
        self._forget(None)
        self._session.show(None, "")
        self._settled.start()

    def select(self, run: int) -> None:
        """Look at a run."""
        folder = self.folder
        if folder is None or run not in self._results:
            return
        chunk = next(n for n, runs in enumerate(folder.plan.chunks) if run in runs)
        part = folder.part(chunk)
        row = part.runs.index(run)
        maps: tuple[TellingMap, ...] = ()
        if part.weights is not None and self._results[run].status == "finished":
            maps = telling_maps(folder.plan, run, part.weights[row])
        self._session.change(
            selected=SelectedRun(
                run,
                self._results[run],
                part.loss[row],
                part.accuracy[row],
                plateau(part.loss[row]),
                maps,
            )
        )

    def table(self) -> str:
        """Return the table of the runs that are done, as CSV."""
        return "" if self.folder is None else self.folder.table(self._results.values())

    def close(self) -> None:
        """End the sweep after the epoch in progress, and the process."""
        self._timer.stop()
        self._settled.stop()
        self._end_process()

    # --- the process -----------------------------------------------------------------------------

    def _ask(self, asked: Question) -> None:
        try:
            if self._process is None:
                self._process = SweepProcess()
        except OSError as error:
            self._session.change(state=SweepState.IDLE)
            raise Problem(
                N_("The process of the sweep cannot be started: {reason}."),
                reason=why_refused(error),
            ) from None
        self._process.ask(asked)
        self._timer.start()

    def _order(self, order: Order) -> None:
        if self._process is not None:
            self._process.ask(order)

    def _end_process(self) -> None:
        if self._process is not None:
            self._process.close()
        self._process, self._estimating, self._reaching = None, False, False

    def _estimate(self) -> None:
        frame = self._session.frame
        if frame.idle and frame.shown is None and frame.plan is not None and frame.seconds is None:
            self._estimating = True
            try:
                self._ask(Estimate(frame.plan))
            except Problem:
                self._estimating = False  # the start will say so

    def _take(self) -> None:
        for each in () if self._process is None else self._process.take():
            if isinstance(each, Progress):
                self._take_progress(each)
            elif isinstance(each, Estimated):
                if each.plan == self._session.frame.plan:
                    self._estimating = False
                    self._session.change(seconds=each.seconds)
            elif isinstance(each, Reached):
                self._reaching = False
                self._session.change(reached=each)
            else:
                self._take_end(each)
        if self._process is not None and self._process.closed:
            self._end_process()
        self._read_some()
        waits = self._estimating or self._reaching or not self._session.frame.idle
        if not waits and not self._unread:
            self._timer.stop()

    def _take_progress(self, progress: Progress) -> None:
        for message in progress.said:
            self._tell(Problem.of(message))
        if self.folder is None and self._path is not None and is_sweep_folder(self._path):
            try:
                self.folder = SweepFolder(self._path)
            except Problem as problem:
                self._tell(problem)
            self._show()
        self._unread.extend(progress.new)
        frame = self._session.frame
        state = frame.state
        if state is SweepState.STARTING:
            state = SweepState.GOING
        self._session.change(state=state, progress=replace(progress, new=[], said=[]))

    def _take_end(self, ended: Ended) -> None:
        if ended.message is not None:
            self._tell(Problem.of(ended.message))
        self._due = 0.0
        self._session.change(state=SweepState.IDLE)

    # --- reading ---------------------------------------------------------------------------------

    def _forget(self, path: Path | None) -> None:
        self._path, self.folder = path, None
        self._results.clear()
        self._losses.clear()
        self._unread.clear()
        self._drawn, self._due = 0, 0.0

    def _read_some(self) -> None:
        folder = self.folder
        if folder is None or not (self._unread or self._due == 0.0):
            return
        end = time.monotonic() + _READ_FOR
        while self._unread and time.monotonic() < end:
            self._read(folder, self._unread.popleft())
        now = time.monotonic()
        if now >= self._due or (not self._unread and self._session.frame.idle):
            self._show()
            took = time.monotonic() - now
            self._due = now + took * _CALM + 1e-9

    def _read(self, folder: SweepFolder, chunk: int) -> None:
        if not folder.has(chunk):
            # It was given up: the folder has nothing of such a chunk.
            self._results.update((run, Result(run, "failed")) for run in folder.plan.chunks[chunk])
            return
        try:
            part = folder.part(chunk)
        except Problem as problem:
            self._tell(problem)
            return
        self._results.update((each.run, each) for each in part.results())
        for row, run in enumerate(part.runs):
            if run < MOST_DRAWN and self._drawn < MOST_NUMBERS and run not in self._losses:
                self._losses[run] = part.loss[row]
                self._drawn += len(part.loss[row])

    def _show(self) -> None:
        folder = self.folder
        if folder is None:
            return
        shown = shown_results(folder.plan, self._results, self._losses)
        if self._session.frame.shown is None or self._session.frame.title != folder.name:
            self._session.show(shown, folder.name)
        else:
            self._session.change(shown=shown)

    def _on_change(self, change: SweepChange) -> None:
        if SweepChange.DRAFT in change and self._session.frame.seconds is None:
            self._settled.start()
