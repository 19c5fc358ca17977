"""The training process: does what it is told through a pipe, and ends when that closes."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Literal, NoReturn

from explorer.traces import Config, Corpus
from explorer.training.control import Control
from explorer.training.forks import ForkPoint
from explorer.training.mailbox import DevicesFound
from explorer.training.record import record

# Seconds in which a run that nobody listens to must have closed its spool.
PATIENCE = 1.0


@dataclass(frozen=True)
class Start:
    """Stop what is running and begin this run; see `explorer.training.record.record`."""

    run: int
    config: Config
    corpus: Corpus
    folder: Path
    samples: Sequence[int] | None
    pace: float | None
    paused: bool
    start: ForkPoint | None = None


@dataclass(frozen=True)
class SetPace:
    """Go on at this many epochs a second, or at full speed (None)."""

    pace: float | None


Command = Start | SetPace | Literal["pause", "resume", "step", "stop"]


def main(pipe: Connection) -> NoReturn:
    """Train what the commands from `pipe` say, and send events and progress back, until it closes.

    The process tells where it can train as soon as torch is imported. Does not return.
    """
    # Ctrl-C in the terminal reaches every process; what it means is the window's to say.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    starts: SimpleQueue[tuple[Start, Control] | None] = SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, starts), daemon=True).start()

    from explorer.training.loop import devices

    with suppress(OSError):  # nobody listens any more: the end is near
        pipe.send(DevicesFound(devices()))
        while (told := starts.get()) is not None:
            start, control = told
            ended = record(
                start.config,
                start.corpus,
                start.folder,
                run=start.run,
                control=control,
                tell=pipe.send,
                samples=start.samples,
                start=start.start,
            )
            pipe.send(ended)
    # Every spool is closed; torch would take its time to be unloaded.
    os._exit(0)


def _listen(pipe: Connection, starts: SimpleQueue[tuple[Start, Control] | None]) -> None:
    """Pass the commands on as they come; see to it that the process ends when no more can come."""
    control = Control()
    while True:
        try:
            command: Command = pipe.recv()
        except (EOFError, OSError):
            break
        if isinstance(command, Start):
            control.stop()
            control = Control(command.pace, paused=command.paused)
            starts.put((command, control))
        elif isinstance(command, SetPace):
            control.set_pace(command.pace)
        else:
            getattr(control, command)()
    control.stop()
    starts.put(None)
    threading.Event().wait(PATIENCE)
    os._exit(1)
