"""Workers that are processes of this computer, ended at the worst moments."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator

import pytest

from explorer.sweeps.executors import LocalWorkers, WorkerDied

PATIENCE = 120  # seconds


@pytest.fixture
def workers() -> Iterator[LocalWorkers]:
    made = LocalWorkers(1)
    yield made
    made.close()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_while_sending() -> bytes:
    """Return more than a pipe holds, and be gone when the first of it is in there."""
    sender = threading.get_ident()

    def watch() -> None:
        while True:
            frame = sys._current_frames()[sender]
            while frame is not None:
                if frame.f_code.co_name == "_send_bytes":
                    die()
                frame = frame.f_back

    threading.Thread(target=watch, daemon=True).start()
    return bytes(2**26)


def die_when_idle() -> int:
    threading.Timer(0.05, die).start()
    return os.getpid()


@pytest.mark.parametrize("end", [die, die_while_sending])
def test_a_worker_that_dies_is_heard_of_and_replaced(workers: LocalWorkers, end) -> None:
    with pytest.raises(WorkerDied):
        workers.submit(end).result(PATIENCE)
    assert workers.submit(divmod, 7, 2).result(PATIENCE) == (3, 1)


def test_a_worker_that_died_while_it_was_idle_is_replaced(workers: LocalWorkers) -> None:
    pid = workers.submit(die_when_idle).result(PATIENCE)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert workers.submit(os.getpid).result(PATIENCE) != pid


def test_what_a_function_raises_is_raised_here(workers: LocalWorkers) -> None:
    pid = workers.submit(os.getpid).result(PATIENCE)
    with pytest.raises(ZeroDivisionError):
        workers.submit(divmod, 1, 0).result(PATIENCE)
    assert workers.submit(os.getpid).result(PATIENCE) == pid
