"""The trainer and its process: real processes, killed for real."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from explorer.traces import Config, Corpus, SpoolTrace, recorded_epochs
from explorer.training import (
    CPU,
    Batch,
    DevicesFound,
    Ended,
    Event,
    Mailbox,
    Scalar,
    Started,
    Trainer,
)
from explorer.training import supervisor as supervisor_module
from explorer.training.loop import devices, train
from tests.waiting import until

SHORT = Config(epochs=40, watch_every=5, device="cpu")
LONG = Config(epochs=100_000, watch_every=100, device="cpu")


class Window:
    """Polls a mailbox as the window does, and keeps what it finds."""

    def __init__(self) -> None:
        self.mailbox = Mailbox()
        self.trainer = Trainer(self.mailbox)
        self.batches: list[Batch] = []
        self.trainer.set_pace(None)
        self._others = set(multiprocessing.active_children())

    @property
    def events(self) -> list[Event]:
        return [event for batch in self.batches for event in batch.events]

    @property
    def scalars(self) -> list[Scalar]:
        return [scalar for batch in self.batches for scalar in batch.scalars]

    def ended(self, run: int) -> list[Ended]:
        return [e for e in self.events if isinstance(e, Ended) and e.run == run]

    def poll_until(self, seen: Callable[[], object]) -> None:
        def polled() -> object:
            self.batches.append(self.mailbox.take())
            return seen()

        if not seen():
            until(polled)

    def worker_pid(self) -> int:
        (process,) = set(multiprocessing.active_children()) - self._others
        assert process.pid is not None
        return process.pid

    def end_of(self, run: int) -> Ended:
        self.poll_until(lambda: self.ended(run))
        (ended,) = self.ended(run)
        return ended


@pytest.fixture(scope="module")
def warm() -> Iterator[Window]:
    """One trainer for all tests that leave its process alive: torch takes long to import."""
    window = Window()
    window.trainer.warm()
    window.poll_until(lambda: window.events)
    assert window.events == [DevicesFound(devices())]
    yield window
    window.trainer.close()
    assert not multiprocessing.active_children()


@pytest.fixture
def window(warm: Window) -> Window:
    warm.batches.clear()
    warm.trainer.set_pace(None)
    return warm


@pytest.fixture
def own() -> Iterator[Window]:
    window = Window()
    yield window
    window.trainer.close()


def alive(pid: int) -> bool:
    """Return whether a process runs; one that has ended and that nobody asked after does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] not in "ZX"


def test_a_run_arrives_whole(window: Window, tmp_path: Path, corpus: Corpus) -> None:
    run = window.trainer.start(SHORT, corpus, tmp_path / "run")
    assert window.end_of(run) == Ended(run, "finished", 40)
    started, _ended = window.events
    assert started == Started(run, CPU)
    # The process trains as this one would, to the last bit.
    here = [(epoch.number, epoch.loss, epoch.accuracy) for epoch in train(SHORT, corpus)]
    assert window.scalars == here
    trace = SpoolTrace(tmp_path / "run")
    assert trace.epochs.tolist() == list(recorded_epochs(SHORT))
    trace.close()


def test_it_pauses_steps_goes_on_and_stops(window: Window, tmp_path: Path, corpus: Corpus) -> None:
    run = window.trainer.start(LONG, corpus, tmp_path / "run", paused=True)
    window.poll_until(lambda: window.scalars)
    for done in range(3):
        assert [scalar.epoch for scalar in window.scalars] == list(range(done + 1))
        window.trainer.step()
        window.poll_until(lambda done=done: len(window.scalars) > done + 1)
    window.trainer.resume()
    window.poll_until(lambda: window.scalars[-1].epoch > 50)
    window.trainer.set_pace(1)
    window.trainer.stop()
    ended = window.end_of(run)
    assert ended.why == "stopped"
    assert [scalar.epoch for scalar in window.scalars] == list(range(ended.epoch + 1))


def test_the_next_run_ends_the_one_before_and_hides_what_is_left_of_it(
    window: Window, tmp_path: Path, corpus: Corpus
) -> None:
    first = window.trainer.start(LONG, corpus, tmp_path / "first")
    window.poll_until(lambda: window.scalars)
    window.batches.clear()
    second = window.trainer.start(SHORT, corpus, tmp_path / "second")
    assert window.end_of(second).why == "finished"
    assert window.end_of(first).why == "stopped"
    assert {batch.run for batch in window.batches} == {second}
    assert [scalar.epoch for scalar in window.scalars] == list(range(41))


def test_a_killed_worker_is_a_message_and_the_next_run_has_another(
    own: Window, tmp_path: Path, corpus: Corpus
) -> None:
    run = own.trainer.start(LONG, corpus, tmp_path / "run")
    own.poll_until(lambda: own.scalars and own.scalars[-1].epoch > 400)
    killed = own.worker_pid()
    os.kill(killed, signal.SIGKILL)
    ended = own.end_of(run)
    assert ended.why == "failed"
    assert f"ended unexpectedly at epoch {ended.epoch} (status −9)" in str(ended.message)
    trace = SpoolTrace(tmp_path / "run")
    assert trace.recorded > 0
    trace.close()
    again = own.trainer.start(SHORT, corpus, tmp_path / "again")
    assert own.end_of(again).why == "finished"
    assert own.worker_pid() != killed


def test_a_worker_that_does_not_stop_is_stopped(
    own: Window, tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor_module, "STOPS_WITHIN", 0.2)
    first = own.trainer.start(LONG, corpus, tmp_path / "first")
    own.poll_until(lambda: own.scalars)
    recorded = SpoolTrace(tmp_path / "first")
    own.poll_until(lambda: recorded.refresh() and recorded.recorded)
    recorded.close()
    stuck = own.worker_pid()
    os.kill(stuck, signal.SIGSTOP)
    second = own.trainer.start(SHORT, corpus, tmp_path / "second")
    assert own.end_of(first).why == "stopped"
    assert own.end_of(second).why == "finished"
    assert not alive(stuck)
    trace = SpoolTrace(tmp_path / "first")
    assert trace.recorded > 0
    trace.close()


def test_where_no_process_can_start_a_sentence_says_so(
    own: Window, tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_trainer: Trainer) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(supervisor_module.Trainer, "_start_process", refused)
    own.trainer.warm()
    run = own.trainer.start(SHORT, corpus, tmp_path / "run")
    ended = own.end_of(run)
    assert (ended.why, ended.epoch) == ("failed", -1)
    assert str(ended.message) == (
        "No training process can be started on this computer: Resource temporarily unavailable."
    )


def test_closed_in_the_middle_of_a_run_it_is_gone_within_two_seconds(
    tmp_path: Path, corpus: Corpus
) -> None:
    threads = threading.active_count()
    window = Window()
    window.trainer.start(LONG, corpus, tmp_path / "run")
    window.poll_until(lambda: window.scalars)
    pid = window.worker_pid()
    begun = time.monotonic()
    window.trainer.close()
    assert time.monotonic() - begun < 2
    assert not alive(pid)
    assert threading.active_count() == threads
    # It ended by itself, its spool closed: nothing that was taken is missing.
    window.batches.append(window.mailbox.take())
    trace = SpoolTrace(tmp_path / "run")
    assert trace.scalars("epoch")[-1] >= window.scalars[-1].epoch
    trace.close()


def test_a_trainer_never_used_closes(corpus: Corpus) -> None:
    Trainer(Mailbox()).close()


_WINDOW_TO_KILL = """
import multiprocessing, sys, time
from pathlib import Path
from explorer.traces import Config, DEFAULT_CORPUS, parse_corpus
from explorer.training import Mailbox, Trainer

if __name__ == "__main__":
    mailbox = Mailbox()
    trainer = Trainer(mailbox)
    trainer.set_pace(None)
    config = Config(epochs=100_000, watch_every=100, device="cpu")
    trainer.start(config, parse_corpus(DEFAULT_CORPUS), Path(sys.argv[1]))
    while not mailbox.take().scalars:
        time.sleep(0.01)
    print(multiprocessing.active_children()[0].pid, flush=True)
    time.sleep(600)
"""


def test_a_killed_window_takes_its_worker_along(tmp_path: Path) -> None:
    script = tmp_path / "window.py"
    script.write_text(_WINDOW_TO_KILL)
    window = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "run")],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    with window:
        assert window.stdout is not None
        pid = int(window.stdout.readline())
        assert alive(pid)
        window.kill()
    until(lambda: not alive(pid))
    trace = SpoolTrace(tmp_path / "run")
    assert trace.recorded > 0
    trace.close()


def resident(pid: int) -> int:
    """Return the bytes of a process's memory that are its own."""
    fields = Path(f"/proc/{pid}/statm").read_text().split()
    return (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE")


def test_fifty_runs_leave_no_thread_no_process_and_no_memory(
    window: Window, tmp_path: Path, corpus: Corpus
) -> None:
    def cycle(number: int) -> None:
        run = window.trainer.start(LONG, corpus, tmp_path / f"run{number}")
        window.poll_until(lambda: any(b.run == run and b.scalars for b in window.batches))
        window.trainer.stop()
        assert window.end_of(run).why == "stopped"
        window.batches.clear()

    for number in range(10):
        cycle(number)
    pid, threads = window.worker_pid(), threading.active_count()
    files = len(os.listdir("/proc/self/fd"))
    gc.collect()
    here, there = resident(os.getpid()), resident(pid)
    for number in range(10, 50):
        cycle(number)
    assert window.worker_pid() == pid
    assert threading.active_count() == threads
    assert len(os.listdir("/proc/self/fd")) <= files
    assert len(os.listdir(f"/proc/{pid}/task")) <= 3  # trains, listens; a spool may be closing
    gc.collect()
    assert resident(os.getpid()) - here < 4 * 2**20
    assert resident(pid) - there < 8 * 2**20


def test_the_window_gets_no_torch() -> None:
    code = (
        "import sys, explorer.training;"
        "print(sorted({'torch', 'sklearn', 'scipy', 'PySide6'} & sys.modules.keys()))"
    )
    root = Path(__file__).parents[2]
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root
    )
    assert found.stdout.strip() == "[]"
