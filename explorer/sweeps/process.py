"""A sweep in a process of its own, and who asks it from a window; neither waits for the other."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Literal, NoReturn

from explorer.processes import WarmProcess
from explorer.sweeps.conduct import Progress, Steering, conduct
from explorer.sweeps.executors import DaskWorkers, LocalWorkers, Workers
from explorer.sweeps.folder import create, resume
from explorer.sweeps.plan import Plan
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
class Ended:
    """A sweep is over; `message` tells why it could not go on."""

    message: Message | None = None


class SweepProcess:
    """Carries out one sweep; its process ends with it, or when this is closed."""

    def __init__(self, begin: Begin) -> None:
        # Not a daemon: it has processes of its own.
        self._process: WarmProcess | None = WarmProcess(main, "sweep", daemon=False)
        self._process.pipe.send(begin)

    def order(self, order: Order) -> None:
        """Pause after the chunks in progress, go on, or end after the epoch in progress."""
        with suppress(OSError):
            if self._process is not None:
                self._process.pipe.send(order)

    def take(self) -> list[Progress | Ended]:
        """Return what has come since the last call."""
        found: list[Progress | Ended] = []
        try:
            while self._process is not None and self._process.pipe.poll():
                found.append(self._process.pipe.recv())
                if isinstance(found[-1], Ended):
                    break
        except (EOFError, OSError):
            found.append(Ended(Message(DIED)))
        if any(isinstance(each, Ended) for each in found):
            self.close()
        return found

    def close(self) -> None:
        """Have the sweep end after the epoch in progress; what is done is kept.

        This does not wait for it; the program does before it ends.
        """
        if self._process is not None:
            threading.Thread(target=self._process.end, args=(PATIENCE,), name="sweep ends").start()
            self._process = None


def main(pipe: Connection) -> NoReturn:
    """Carry out the sweep that comes through `pipe`, and tell of it, until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    steering = Steering()
    with suppress(EOFError, OSError):
        begin: Begin = pipe.recv()
        threading.Thread(target=_listen, args=(pipe, steering), daemon=True).start()
        pipe.send(_carried_out(begin, pipe, steering))
    os._exit(0)


def _carried_out(begin: Begin, pipe: Connection, steering: Steering) -> Ended:
    due, said, new = 0.0, list[Message](), list[int]()

    def tell(progress: Progress) -> None:
        nonlocal due
        said.extend(progress.said)
        new.extend(progress.new)
        if time.monotonic() >= due or progress.done == progress.runs:
            with suppress(OSError):  # the window is gone: the end is near
                pipe.send(replace(progress, said=list(said), new=list(new)))
            said.clear()
            new.clear()
            due = time.monotonic() + TELL_EVERY

    try:
        workers: Workers = DaskWorkers(begin.dask) if begin.dask else LocalWorkers(begin.workers)
        try:
            plan = begin.plan
            written = resume(begin.folder) if plan is None else create(begin.folder, plan)
            try:
                tell(conduct(written, workers, steering, tell))
            finally:
                written.close()
        finally:
            workers.close()
    except Problem as problem:
        return Ended(problem.message)
    return Ended()


def _listen(pipe: Connection, steering: Steering) -> None:
    with suppress(EOFError, OSError):
        while True:
            order: Order = pipe.recv()
            steering.paused = order == "pause"
            steering.stopped = steering.stopped or order == "stop"
    steering.stopped = True
