"""Sweeps in a process of their own, and who asks it from a window; neither waits for the other."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Literal, NoReturn

from explorer.processes import WarmProcess
from explorer.sweeps.conduct import Progress, Steering, conduct, estimate
from explorer.sweeps.executors import DaskWorkers, LocalWorkers, Workers
from explorer.sweeps.folder import create, resume
from explorer.sweeps.plan import Plan, on_device
from explorer.sweeps.work import seconds_an_epoch
from explorer.text import N_, Message, Problem

TELL_EVERY = 0.1  # seconds
PATIENCE = 10.0  # seconds in which what is in progress must have been kept
DIED = N_("The process of the sweep ended unexpectedly; what was done is kept and can be opened.")

Order = Literal["pause", "resume", "stop"]


@dataclass(frozen=True)
class Begin:
    """A sweep to be carried out.

    plan : None goes on with the sweep in the folder
    workers : processes of this computer
    dask : a scheduler's address in place of them; empty for none
    """

    folder: Path
    plan: Plan | None
    workers: int
    dask: str = ""


@dataclass(frozen=True)
class Estimate:
    """Asks how long a plan takes; of several that wait, the last alone is answered."""

    plan: Plan


@dataclass(frozen=True)
class Estimated:
    """About how many seconds one worker takes for a plan; None where it cannot be tried."""

    plan: Plan
    seconds: float | None


@dataclass(frozen=True)
class Reach:
    """Asks for a cluster's workers."""

    address: str


@dataclass(frozen=True)
class Reached:
    """How many workers a cluster has, or why it cannot be used."""

    address: str
    workers: int
    message: Message | None = None


@dataclass(frozen=True)
class Ended:
    """A sweep is over; `message` tells why it could not go on."""

    message: Message | None = None


Question = Begin | Estimate | Reach
Answer = Progress | Estimated | Reached | Ended


class SweepProcess:
    """Estimates plans, counts a cluster's workers and carries out a sweep, one after another.

    Its process is kept until this is closed. Raises OSError where none can be started.
    """

    def __init__(self) -> None:
        # Not a daemon: it has processes of its own. One thread: trials are those of a worker.
        self._process: WarmProcess | None = WarmProcess(
            main, "sweep", {"OMP_NUM_THREADS": "1"}, daemon=False
        )

    def ask(self, asked: Question | Order) -> None:
        """Ask something, or have the sweep pause after the chunks in progress, go on, or end."""
        with suppress(OSError):
            if self._process is not None:
                self._process.pipe.send(asked)

    def take(self) -> list[Answer]:
        """Return what has come since the last call."""
        found: list[Answer] = []
        try:
            while self._process is not None and self._process.pipe.poll():
                found.append(self._process.pipe.recv())
        except (EOFError, OSError):
            found.append(Ended(Message(DIED)))
            self.close()
        return found

    @property
    def closed(self) -> bool:
        """Whether the process is gone."""
        return self._process is None

    def close(self) -> None:
        """Have the sweep end after the epoch in progress; what is done is kept.

        This does not wait for it; the program does before it ends.
        """
        if self._process is not None:
            threading.Thread(target=self._process.end, args=(PATIENCE,), name="sweep ends").start()
            self._process = None


def main(pipe: Connection) -> NoReturn:
    """Answer what comes through `pipe`, one after another, until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    steering = Steering()
    waiting: SimpleQueue[Question | None] = SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, steering, waiting), daemon=True).start()
    while (asked := waiting.get()) is not None:
        answer: Answer | None
        if isinstance(asked, Begin):
            answer = _carried_out(asked, pipe, steering)
        elif isinstance(asked, Reach):
            answer = _reached(asked.address)
        else:
            # What is asked next makes this one of no use.
            answer = _estimated(asked.plan) if waiting.empty() else None
        if answer is not None:
            with suppress(OSError):
                pipe.send(answer)
    os._exit(0)


def _estimated(plan: Plan) -> Estimated:
    try:
        return Estimated(plan, estimate(plan, (), seconds_an_epoch))
    except ImportError:
        return Estimated(plan, None)


def _reached(address: str) -> Reached:
    try:
        workers = DaskWorkers(address)
    except Problem as problem:
        return Reached(address, 0, problem.message)
    count = workers.count
    workers.close()
    return Reached(address, count)


def _carried_out(begin: Begin, pipe: Connection, steering: Steering) -> Ended:
    due, said, new = 0.0, list[Message](), list[int]()

    def tell(progress: Progress, last: bool = False) -> None:
        nonlocal due
        said.extend(progress.said)
        new.extend(progress.new)
        if last or time.monotonic() >= due:
            with suppress(OSError):  # the window is gone: `_listen` ends this too
                pipe.send(replace(progress, said=list(said), new=list(new)))
            said.clear()
            new.clear()
            due = time.monotonic() + TELL_EVERY

    try:
        workers: Workers = DaskWorkers(begin.dask) if begin.dask else LocalWorkers(begin.workers)
        try:
            plan = begin.plan
            if plan is None:
                written = resume(begin.folder)
            else:
                written = create(begin.folder, plan if begin.dask else on_device(plan))
            try:
                tell(conduct(written, workers, steering, tell), last=True)
            finally:
                written.close()
        finally:
            workers.close()
    except Problem as problem:
        return Ended(problem.message)
    return Ended()


def _listen(pipe: Connection, steering: Steering, waiting: SimpleQueue[Question | None]) -> None:
    with suppress(EOFError, OSError):
        while True:
            asked: Question | Order = pipe.recv()
            if not isinstance(asked, str):
                if isinstance(asked, Begin):
                    steering.paused = steering.stopped = False
                waiting.put(asked)
                continue
            steering.paused = asked == "pause"
            steering.stopped = steering.stopped or asked == "stop"
    steering.stopped = True
    waiting.put(None)
