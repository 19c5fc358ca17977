"""A run from beginning to end in this process: what is told, what is in the folder, how it ends."""

from __future__ import annotations

import math
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import torch

from explorer.text import Problem
from explorer.traces import (
    Config,
    Corpus,
    SpoolTrace,
    SpoolWriter,
    parse_corpus,
    recorded_epochs,
)
from explorer.training import Ended, Progress, Scalar, Started, loop
from explorer.training.control import Control
from explorer.training.record import Telling, record
from tests.train_frames import sentences

SHORT = Config(epochs=23, watch_every=5, device="cpu")


class Told(list[Any]):
    """What a run told, in order."""

    @property
    def scalars(self) -> list[Scalar]:
        return [s for item in self if isinstance(item, Progress) for s in item.scalars]


def run(
    folder: Path,
    corpus: Corpus,
    config: Config = SHORT,
    control: Control | None = None,
    **more: Any,
) -> tuple[Ended, Told]:
    told = Told()
    ended = record(
        config, corpus, folder, run=3, control=control or Control(), tell=told.append, **more
    )
    return ended, told


def test_a_run_is_told_of_and_recorded(tmp_path: Path, corpus: Corpus) -> None:
    ended, told = run(tmp_path / "run", corpus)
    assert ended == Ended(3, "finished", 23)
    assert told[0] == Started(3, loop.CPU)
    assert [scalar.epoch for scalar in told.scalars] == list(range(24))
    trace = SpoolTrace(tmp_path / "run")
    assert trace.epochs.tolist() == list(recorded_epochs(SHORT))
    for name in ("loss", "accuracy"):
        wanted = np.array([getattr(scalar, name) for scalar in told.scalars], dtype=np.float32)
        np.testing.assert_array_equal(trace.scalars(name), wanted)
    assert trace.run.config == SHORT
    assert trace.run.corpus == corpus.sentences
    assert trace.run.device == "CPU"
    assert trace.run.versions["torch"] == torch.__version__
    trace.close()


def test_the_trace_is_the_loop_as_it_was(tmp_path: Path, ragged: Corpus) -> None:
    run(tmp_path / "run", ragged)
    trace = SpoolTrace(tmp_path / "run")
    step = 0
    for epoch in loop.train(SHORT, ragged):
        if epoch.arrays is None:
            continue
        for name, array in epoch.arrays.items():
            assert trace.array(name, step).tobytes() == array.tobytes(), name
        step += 1
    assert step == trace.recorded
    trace.close()


@pytest.mark.parametrize("pace", [100.0, None])
def test_the_pace_makes_no_difference_to_the_numbers(
    pace: float | None, tmp_path: Path, corpus: Corpus
) -> None:
    _ended, told = run(tmp_path / "run", corpus, control=Control(pace))
    wanted = [(epoch.number, epoch.loss, epoch.accuracy) for epoch in loop.train(SHORT, corpus)]
    assert told.scalars == wanted


def test_paused_in_a_thread_it_tells_all_it_has_and_goes_on_by_steps(
    tmp_path: Path, corpus: Corpus
) -> None:
    control = Control(paused=True)
    told = Told()
    came = threading.Semaphore(0)

    def tell(item: Any) -> None:
        told.append(item)
        came.release()

    thread = threading.Thread(
        target=record,
        args=(SHORT, corpus, tmp_path / "run"),
        kwargs={"run": 1, "control": control, "tell": tell},
    )
    thread.start()
    assert came.acquire(timeout=20)  # Started
    assert came.acquire(timeout=20)
    for epoch in range(3):
        assert [scalar.epoch for scalar in told.scalars] == list(range(epoch + 1))
        control.step()
        assert came.acquire(timeout=20)
    control.stop()
    thread.join(timeout=20)
    assert not thread.is_alive()
    trace = SpoolTrace(tmp_path / "run")
    assert trace.scalars("epoch").tolist() == [0, 1, 2, 3]
    trace.close()


def test_stopped_it_ends_after_the_epoch_and_keeps_what_there_is(
    tmp_path: Path, corpus: Corpus
) -> None:
    control = Control()
    config = msgspec.structs.replace(SHORT, epochs=100_000)
    told = Told()

    def tell(item: Any) -> None:
        told.append(item)
        if told.scalars:
            control.stop()

    ended = record(config, corpus, tmp_path / "run", run=1, control=control, tell=tell)
    assert ended.why == "stopped"
    assert ended.epoch == told.scalars[-1].epoch < 100_000
    trace = SpoolTrace(tmp_path / "run")
    assert trace.scalars("epoch")[-1] == ended.epoch
    trace.close()


def test_a_diverged_run_marks_the_epoch_and_says_what_to_do(tmp_path: Path, corpus: Corpus) -> None:
    config = Config(d_model=128, learning_rate=1, optimizer="sgd", watch_every=1, device="cpu")
    ended, told = run(tmp_path / "run", corpus, config)
    assert ended.why == "diverged"
    assert str(ended.message) == (
        f"The loss is no longer a number at epoch {ended.epoch}: try a smaller learning rate."
    )
    assert not math.isfinite(told.scalars[-1].loss)
    trace = SpoolTrace(tmp_path / "run")
    assert trace.scalars("epoch")[-1] == ended.epoch
    assert not math.isfinite(trace.scalars("loss")[-1])
    assert trace.epochs[-1] == ended.epoch - 1
    trace.close()


def test_memory_that_runs_out_keeps_the_run_so_far(
    tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn = loop._Run.learn
    left = iter(range(7))

    def full(each: loop._Run) -> None:
        if next(left, None) is None:
            raise torch.OutOfMemoryError("CUDA out of memory")
        learn(each)

    monkeypatch.setattr(loop._Run, "learn", full)
    ended, told = run(tmp_path / "run", corpus)
    assert (ended.why, ended.epoch) == ("failed", 7)
    assert "The memory of CPU does not suffice" in str(ended.message)
    assert [scalar.epoch for scalar in told.scalars] == list(range(8))
    trace = SpoolTrace(tmp_path / "run")
    assert trace.epochs.tolist() == [0, 5]
    trace.close()


def test_a_missing_device_is_told_before_a_folder_is_made(
    tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    config = msgspec.structs.replace(SHORT, device="cuda")
    ended, _told = run(tmp_path / "run", corpus, config)
    assert (ended.why, ended.epoch) == ("failed", -1)
    assert "There is no cuda device here" in str(ended.message)
    assert not (tmp_path / "run").exists()


def test_a_recording_that_stops_ends_the_run_with_its_sentence(
    tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = Problem("Recording stopped: the disk is full.")
    taken = SpoolWriter.record

    def record_some(spool: SpoolWriter, epoch: int, *rest: Any) -> None:
        taken(spool, epoch, *rest)
        if epoch == 10:
            spool.flush()
            spool._problem = full

    monkeypatch.setattr(SpoolWriter, "record", record_some)
    ended, _told = run(tmp_path / "run", corpus)
    assert (ended.why, ended.epoch) == ("failed", 10)
    assert ended.message == full.message
    trace = SpoolTrace(tmp_path / "run")
    assert trace.epochs.tolist() == [0, 5, 10]
    trace.close()


def test_at_most_thirty_times_a_second_is_told_and_nothing_is_left_out() -> None:
    told: list[Progress] = []
    telling = Telling(1, told.append)
    for epoch in range(1000):
        telling.add(Scalar(epoch, 1.0, 0.0))
    telling.flush()
    assert len(told) < 100
    assert [s.epoch for each in told for s in each.scalars] == list(range(1000))
    telling.flush()
    assert len(told) < 100


GROWTH = """
import os, sys
from pathlib import Path
from explorer.traces import Config, parse_corpus
from explorer.training import Progress
from explorer.training.control import Control
from explorer.training.record import record

sizes = {}

def tell(item):
    if isinstance(item, Progress):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        sizes[item.scalars[-1].epoch] = pages * os.sysconf("SC_PAGE_SIZE")

config = Config(d_model=2, heads=1, epochs=int(sys.argv[2]), watch_every=2, device="cpu")
folder = Path(sys.argv[1])
ended = record(config, parse_corpus("a b\\n"), folder, run=1, control=Control(), tell=tell)
early = max(size for epoch, size in sizes.items() if epoch < config.epochs / 5)
print(ended.why, max(sizes.values()) - early)
"""


def assert_bounded(folder: Path, epochs: int) -> None:
    """Fail where a run of so many epochs holds more and more."""
    # In a process of its own, as in the program: what other tests left behind may come and go.
    child = subprocess.run(
        [sys.executable, "-c", GROWTH, str(folder / "run"), str(epochs)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    why, growth = child.stdout.split()
    assert why == "finished"
    assert int(growth) < 32 * 2**20 * epochs / 20_000


@pytest.mark.more
def test_a_long_run_stays_within_its_memory(tmp_path: Path) -> None:
    assert_bounded(tmp_path, 8000)


def test_stop_is_heeded_within_half_a_second_of_arithmetic(tmp_path: Path) -> None:
    """5,000 words, d 128, 4 layers: no more than that lies between two looks at the flag."""
    corpus = parse_corpus(sentences(5000, 1000, 6))
    config = Config(d_model=128, heads=4, layers=4, watch_every=1, epochs=9, device="cpu")
    looks: list[float] = []

    class Looking(Control):
        """Notes the processor time of each look, and ends the run in the third epoch."""

        def within(self) -> bool:
            looks.append(time.thread_time())
            if len(looks) == 20:
                self.stop()
            return super().within()

    ended = record(
        config, corpus, tmp_path / "run", run=1, control=Looking(), tell=lambda _item: None
    )
    assert (ended.why, ended.epoch) == ("stopped", 1)
    assert len(looks) == 20, "it ended at that very look"
    assert np.diff(looks).max() < 0.5
