"""The thread in the window's process that supervises one warm training process."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Sequence
from multiprocessing.connection import wait
from pathlib import Path
from queue import SimpleQueue
from typing import Literal

from explorer.processes import WarmProcess
from explorer.text import N_, Message, why_refused
from explorer.traces import Config, Corpus
from explorer.training.control import USUAL_PACE
from explorer.training.forks import ForkPoint
from explorer.training.libraries import missing
from explorer.training.mailbox import Ended, Mailbox, Progress, Started
from explorer.training.worker import PATIENCE, Command, SetPace, Start, main

# Seconds in which a run must have ended once it is stopped; what it recorded is on disk.
STOPS_WITHIN = 3.0
NO_PROCESS = N_("No training process can be started on this computer: {reason}.")
PROCESS_DIED = N_(
    "The training process ended unexpectedly at epoch {epoch} (status {status}); "
    "what was recorded until then is kept."
)

_Order = Command | Literal["warm", "close"]


class Trainer:
    """Trains in a process of its own, which is started once and kept; reports to a mailbox.

    No method waits for the process, except `close`. A run begins in the folder given to `start`,
    and its end comes to the mailbox as an `Ended`, whatever happens.
    """

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        self._runs = 0
        self._pace: float | None = USUAL_PACE
        self._orders: SimpleQueue[_Order] = SimpleQueue()
        self._woken, self._waker = multiprocessing.Pipe(duplex=False)
        self._thread: threading.Thread | None = None
        # The thread's own:
        self._process: WarmProcess | None = None
        self._starts: dict[int, Start] = {}  # the runs that have not ended
        self._epoch = -1  # the last told of
        self._stopping: set[int] = set()
        self._deadline = 0.0  # for these to have ended

    def warm(self) -> None:
        """Start the process, if there is none, so that a run can begin at once."""
        self._order("warm")

    def start(
        self,
        config: Config,
        corpus: Corpus,
        folder: Path,
        *,
        samples: Sequence[int] | None = None,
        paused: bool = False,
        start: ForkPoint | None = None,
    ) -> int:
        """Begin a run, ending the one in progress, and return its number (1, 2, ...).

        Parameters
        ----------
        folder : Path
            Where it is recorded; made by the run, so must not exist.
        samples : sequence of int or None
            The recorded lines of the corpus, counted from 0; None for the usual ones.
        paused : bool
            Whether the run waits after its first epoch.
        start : ForkPoint or None
            What a fork goes on from.
        """
        self._runs += 1
        self._mailbox.begin(self._runs)
        self._order(Start(self._runs, config, corpus, folder, samples, self._pace, paused, start))
        return self._runs

    def pause(self) -> None:
        """Wait, within the epoch in progress where that takes long, or else after it."""
        self._order("pause")

    def resume(self) -> None:
        """Go on."""
        self._order("resume")

    def step(self) -> None:
        """Do one epoch, and wait after it."""
        self._order("step")

    def stop(self) -> None:
        """End the run after the pass in progress."""
        self._order("stop")

    def set_pace(self, pace: float | None) -> None:
        """Train at so many epochs a second, or at full speed (None): this run and later ones."""
        self._pace = pace
        self._order(SetPace(pace))

    def close(self) -> None:
        """End the run, the process and the thread; returns within two seconds."""
        if self._thread is not None:
            self._order("close")
            self._thread.join()
            self._thread = None
        self._woken.close()
        self._waker.close()

    def _order(self, order: _Order) -> None:
        self._orders.put(order)
        if self._thread is None:
            self._thread = threading.Thread(target=self._supervise, name="trainer", daemon=True)
            self._thread.start()
        self._waker.send_bytes(b".")

    # From here on in the thread alone.

    def _supervise(self) -> None:
        while True:
            theirs = None if self._process is None else self._process.pipe
            pipes = [self._woken] if theirs is None else [self._woken, theirs]
            left = max(0.0, self._deadline - time.monotonic()) if self._stopping else None
            ready = wait(pipes, left)
            if theirs in ready:
                self._receive()
            if self._woken in ready:
                self._woken.recv_bytes()
                order = self._orders.get()
                if order == "close":
                    break
                self._carry_out(order)
            if not ready:
                self._stop_by_force()
        self._end_process()

    def _carry_out(self, order: Command | Literal["warm"]) -> None:
        start = order if isinstance(order, Start) else None
        if self._process is None and (start or order == "warm"):
            if lacking := missing("torch"):
                if start:
                    self._mailbox.put(Ended(start.run, "failed", -1, lacking))
                return
            try:
                self._start_process()
            except OSError as error:
                if start:
                    reason = why_refused(error)
                    message = Message(NO_PROCESS, {"reason": reason})
                    self._mailbox.put(Ended(start.run, "failed", -1, message))
        if self._process is None or order == "warm":
            return
        if start or order == "stop":
            if not self._stopping:
                self._deadline = time.monotonic() + STOPS_WITHIN
            self._stopping.update(self._starts)
        if start:
            self._starts[start.run] = start
        try:
            self._process.pipe.send(order)
        except OSError:
            self._lose_process()

    def _receive(self) -> None:
        assert self._process is not None
        try:
            item = self._process.pipe.recv()
        except (EOFError, OSError):
            self._lose_process()
            return
        if isinstance(item, Started):
            self._epoch = -1
        elif isinstance(item, Progress):
            self._epoch = item.scalars[-1].epoch if item.scalars else self._epoch
        elif isinstance(item, Ended):
            del self._starts[item.run]
            self._stopping.discard(item.run)
        self._mailbox.put(item)

    def _stop_by_force(self) -> None:
        """End the process in the middle of an epoch that takes too long."""
        self._end_process(patience=0)
        for run in self._stopping:
            del self._starts[run]
            self._mailbox.put(Ended(run, "stopped", self._epoch))
        self._stopping.clear()
        waiting = list(self._starts.values())
        self._starts.clear()
        for start in waiting:
            self._carry_out(start)

    def _start_process(self) -> None:
        self._process = WarmProcess(main, "training")

    def _lose_process(self) -> None:
        """Say of every run that it is over, because the process is."""
        status = str(self._end_process()).replace("-", "\u2212")
        for run in self._starts:
            message = Message(PROCESS_DIED, {"epoch": max(self._epoch, 0), "status": status})
            self._mailbox.put(Ended(run, "failed", self._epoch, message))
        self._starts.clear()
        self._stopping.clear()

    def _end_process(self, patience: float = PATIENCE + 0.5) -> int | None:
        """Close the pipe, upon which the process ends by itself, and return its exit status."""
        process, self._process = self._process, None
        return None if process is None else process.end(patience)
