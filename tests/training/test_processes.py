"""A process that waits for work is ended, whoever was told of its end."""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.connection import Connection

from explorer.processes import WarmProcess


def wait(pipe: Connection) -> None:
    """Do nothing until the other end is closed."""
    try:
        pipe.recv()
    except EOFError:
        os._exit(3)


def test_it_ends_when_its_pipe_is_closed_and_says_how() -> None:
    assert WarmProcess(wait, "waiting").end(30.0) == 3


def test_one_whose_end_was_told_to_somebody_else_has_no_status() -> None:
    process = WarmProcess(wait, "waiting")
    [child] = [each for each in multiprocessing.active_children() if each.name == "waiting"]
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    os.waitpid(child.pid, 0)
    assert process.end(30.0) is None
    # Python takes it for alive as long as it knows of it; later tests count who is.
    multiprocessing.process._children.discard(child)  # type: ignore[attr-defined]
