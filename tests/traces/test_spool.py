"""The spool: nothing recorded is lost, whatever happens to whoever records it."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.text import Problem
from explorer.traces import Config, Mark, Said, SpoolTrace, TraceFile, read_said, save_trace
from explorer.traces import spool as spool_module
from explorer.traces.basis import as_kept, fit_basis
from tests.traces.made import CONFIG, CORPUS, spooled, step_of, writer
from tests.waiting import until

ROOT = Path(__file__).parents[2]

# Records as fast as it can and says when each step was handed over.
RECORDER = """
import sys, time
from pathlib import Path
from tests.traces.made import CONFIG, CORPUS, step_of, writer

steps = [step_of(seed=i) for i in range(4)]
spool = writer(Path(sys.argv[1]))
pause = float(sys.argv[2])
for epoch in range(10**9):
    spool.record(epoch, steps[epoch % 4])
    spool.scalar(epoch, loss=float(epoch))
    print(epoch, time.monotonic(), flush=True)
    time.sleep(pause)
"""


def test_a_run_is_seen_while_it_is_recorded(tmp_path: Path) -> None:
    spool = writer(tmp_path / "run")
    live = SpoolTrace(tmp_path / "run")
    assert live.recorded == 0
    assert live.names == {"tokens", "lengths", "targets", "samples"}
    assert not live.refresh()
    for epoch in range(5):
        spool.scalar(epoch, loss=1 / (epoch + 1))
        if epoch % 2 == 0:
            spool.record(epoch, step_of(seed=epoch))
        spool.flush()
        assert live.refresh()
        assert not live.refresh()
        assert len(live.scalars("epoch")) == epoch + 1
        np.testing.assert_array_equal(
            live.array("weights", epoch // 2), step_of(seed=epoch - epoch % 2)["weights"]
        )
    assert live.epochs.tolist() == [0, 2, 4]
    assert live.scalars("epoch").tolist() == [0, 1, 2, 3, 4]
    spool.close()


def test_what_was_taken_is_on_disk_soon_without_being_asked(tmp_path: Path) -> None:
    with writer(tmp_path / "run") as spool:
        live = SpoolTrace(tmp_path / "run")
        for epoch in range(3):
            spool.record(epoch, step_of(seed=epoch))
            until(lambda wanted=epoch + 1: live.refresh() and live.recorded == wanted, 1.0)


def test_a_snapshot_stays_as_it_was(tmp_path: Path) -> None:
    with writer(tmp_path / "run") as spool:
        spool.record(0, step_of())
        spool.flush()
        live = SpoolTrace(tmp_path / "run")
        before = live.snapshot()
        spool.record(1, step_of(seed=1))
        spool.flush()
        live.refresh()
        assert (before.recorded, live.recorded) == (1, 2)
        np.testing.assert_array_equal(before.array("x", 0), step_of()["x"])


def test_a_run_recorded_anew_under_the_same_name_shows_its_own_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool_module, "FULL_BYTES", 1)  # each step is a full segment
    monkeypatch.setattr(spool_module, "WRITE_EVERY", 0.0)
    for seed in (0, 7):
        with writer(tmp_path / "run") as spool:
            for epoch in range(3):
                spool.record(epoch, step_of(seed=seed + epoch))
                spool.flush()
        live = SpoolTrace(tmp_path / "run")
        for epoch in range(3):
            for name in ("weights", "x"):
                np.testing.assert_array_equal(
                    live.array(name, epoch), step_of(seed=seed + epoch)[name]
                )
        live.close()
        shutil.rmtree(tmp_path / "run")


def test_many_segments_are_one_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool_module, "FULL_BYTES", 100_000)
    monkeypatch.setattr(spool_module, "WRITE_EVERY", 0.0)
    steps = {epoch: step_of(seed=epoch) for epoch in range(60)}
    with writer(tmp_path / "run") as spool:
        live = SpoolTrace(tmp_path / "run")
        for epoch, arrays in steps.items():
            spool.scalar(epoch, loss=float(epoch), **({"gradient": 1.0} if epoch > 30 else {}))
            spool.record(epoch, arrays)
            if epoch % 7 == 0:
                spool.flush()
                live.refresh()
    live.refresh()
    assert live.problem is None
    assert len(list((tmp_path / "run").glob("0*.safetensors"))) > 5
    file = save_trace(live, tmp_path / "a.safetensors")
    for trace in (live, SpoolTrace(tmp_path / "run"), file):
        assert trace.epochs.tolist() == list(range(60))
        assert trace.scalars("loss").tolist() == list(range(60))
        np.testing.assert_array_equal(trace.scalars("gradient"), [np.nan] * 31 + [1.0] * 29)
        for epoch in (0, 1, 17, 18, 30, 58, 59):
            for name, array in steps[epoch].items():
                np.testing.assert_array_equal(trace.array(name, epoch), array)


def test_many_steps_at_once_are_one_segment_unless_they_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = sum(array.nbytes for array in step_of().values())
    monkeypatch.setattr(spool_module, "FULL_BYTES", size)
    monkeypatch.setattr(spool_module, "PRESSING", 40 * size)
    monkeypatch.setattr(spool_module, "WRITE_EVERY", 1e6)
    with writer(tmp_path / "run") as spool:
        live = SpoolTrace(tmp_path / "run")
        spool.record(0, step_of())
        until(live.refresh)  # the next is not due for days
        for epoch in range(1, 40):
            spool.record(epoch, step_of())
        spool.flush()
        assert len(list((tmp_path / "run").glob("0*.safetensors"))) == 2
        for epoch in range(40, 80):
            spool.record(epoch, step_of())
        until(lambda: live.refresh() and live.recorded == 80)
    assert live.epochs.tolist() == list(range(80))


def test_scalars_alone_fill_segments_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool_module, "FULL_EPOCHS", 50)
    with writer(tmp_path / "run") as spool:
        spool.record(0, step_of())
        for epoch in range(500):
            spool.scalar(epoch, loss=1.0)
            if epoch % 60 == 0:
                spool.flush()
        spool.record(500, step_of(seed=1))
    trace = SpoolTrace(tmp_path / "run")
    assert trace.epochs.tolist() == [0, 500]
    assert trace.scalars("epoch").tolist() == list(range(500))
    file = save_trace(trace, tmp_path / "a.safetensors")
    np.testing.assert_array_equal(file.array("x", 1), step_of(seed=1)["x"])


SOUND = step_of()


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"weights": SOUND["weights"], "unknown": SOUND["x"]}, "no array unknown"),
        ({"x": SOUND["x"]}, "weights is missing"),
        (SOUND | {"weights": SOUND["weights"][..., :1]}, "weights has 1 tokens"),
        (SOUND | {"epochs": np.array(1)}, "no array epochs"),
        (SOUND | {"scalar.loss": np.array([1.0])}, r"no array scalar\.loss"),
    ],
)
def test_a_step_that_is_no_trace_s(
    tmp_path: Path, wrong: dict[str, NDArray[Any]], reason: str
) -> None:
    with writer(tmp_path / "run") as spool:
        with pytest.raises(ValueError, match=reason):
            spool.record(0, wrong)
        spool.record(0, SOUND)
    assert SpoolTrace(tmp_path / "run").recorded == 1


def test_a_step_unlike_the_first_or_out_of_order(tmp_path: Path) -> None:
    with writer(tmp_path / "run") as spool:
        spool.record(3, SOUND)
        for epoch, wrong, reason in (
            (3, SOUND, "later"),
            (4, {"weights": SOUND["weights"]}, "other arrays"),
            (4, SOUND | {"x": SOUND["x"][:, :, :1]}, "x has another shape"),
        ):
            with pytest.raises(ValueError, match=reason):
                spool.record(epoch, wrong)
        spool.scalar(3, loss=1.0)
        with pytest.raises(ValueError, match="later"):
            spool.scalar(3, loss=1.0)
        spool.record(4, SOUND)
    assert SpoolTrace(tmp_path / "run").epochs.tolist() == [3, 4]


def test_a_step_in_one_buffer_is_recorded_as_its_arrays_are(tmp_path: Path) -> None:
    # As the training loop hands it over: views of one row, some of them turned.
    row = np.zeros(sum(array.size for array in SOUND.values()) + 2, np.float32)
    views, start = {}, 0
    for name, array in SOUND.items():
        shape = array.shape if array.ndim < 2 else (*array.shape[:-2], *array.shape[:-3:-1])
        part = row[start : start + array.size].reshape(shape)
        views[name] = part if array.ndim < 2 else part.swapaxes(-1, -2)
        start += array.size
    with writer(tmp_path / "run") as spool:
        for epoch in range(4):
            for name, array in step_of(seed=epoch).items():
                views[name][...] = array
            # One of them in arrays of its own: it lies elsewhere, but is as good.
            spool.record(epoch, *((views, row) if epoch != 2 else (step_of(seed=2),)))
    trace = SpoolTrace(tmp_path / "run")
    for epoch in range(4):
        for name, array in step_of(seed=epoch).items():
            np.testing.assert_array_equal(trace.array(name, epoch), array)


def test_what_is_recorded_may_change_right_after(tmp_path: Path) -> None:
    arrays = step_of()
    with writer(tmp_path / "run") as spool:
        spool.record(0, arrays)
        for array in arrays.values():
            array[...] = 7
    np.testing.assert_array_equal(SpoolTrace(tmp_path / "run").array("x", 0), step_of()["x"])


def test_double_precision_too_large_for_single_is_an_infinity(tmp_path: Path) -> None:
    with writer(tmp_path / "run") as spool:
        spool.record(0, step_of() | {"logits": np.full((6, 8), 1e300)})
        spool.scalar(0, loss=1e300)
    trace = SpoolTrace(tmp_path / "run")
    assert trace.scalars("loss").tolist() == [np.inf]
    with pytest.raises(Problem, match="logits of epoch 0"):
        trace.array("logits", 0)


# --- death ---------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="no kill -9 there")
@pytest.mark.parametrize("pause", [0.0, 0.05])
def test_kill_9_loses_the_last_second_at_most(tmp_path: Path, pause: float) -> None:
    folder = tmp_path / "run"
    process = subprocess.Popen(
        [sys.executable, "-c", RECORDER, str(folder), str(pause)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if float(line.split()[1]) - float(said[0].split()[1]) > 1.5:
            break
    killed = time.monotonic()
    process.send_signal(signal.SIGKILL)
    said += [line for line in process.stdout.read().splitlines(keepends=True) if line[-1] == "\n"]
    process.wait()
    process.stdout.close()
    taken = {int(epoch): float(when) for epoch, when in map(str.split, said)}
    trace = SpoolTrace(folder)
    assert trace.problem is None
    assert trace.recorded > 10
    assert trace.epochs.tolist() == list(range(trace.recorded))
    lost = [when for epoch, when in taken.items() if epoch >= trace.recorded]
    assert all(killed - when < 1.0 for when in lost)
    for step in (0, trace.recorded // 2, trace.recorded - 1):
        np.testing.assert_array_equal(trace.array("x", step), step_of(seed=step % 4)["x"])
    file = save_trace(trace, tmp_path / "a.safetensors")
    assert file.recorded == trace.recorded


@pytest.mark.parametrize("after", [0, 1, 4])
def test_a_full_disk_stops_the_recording_and_keeps_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    with writer(tmp_path / "run") as spool:
        for epoch in range(after):
            spool.record(epoch, step_of(seed=epoch))
            spool.scalar(epoch, loss=1.0)
        spool.flush()

        def full(_file: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(os, "fsync", full)
        spool.record(after, step_of(seed=after))
        spool.flush()
        assert spool.problem is not None
        sentence = "Nothing was recorded."
        if after:
            sentence = f"The run is kept up to epoch {after - 1}."
        assert str(spool.problem) == (f"Recording stopped: No space left on device. {sentence}")
        monkeypatch.undo()
        # Nothing more is taken, and nobody waits for the disk.
        for epoch in range(after + 1, after + 50):
            spool.record(epoch, step_of())
            spool.scalar(epoch, loss=2.0)
        spool.flush()
    trace = SpoolTrace(tmp_path / "run")
    assert trace.epochs.tolist() == list(range(after))
    assert not list((tmp_path / "run").glob(".*"))
    if after:
        np.testing.assert_array_equal(trace.array("x", 0), step_of()["x"])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a limit of files' sizes")
def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    code = """
import resource, signal, sys
from pathlib import Path
from tests.traces.made import step_of, writer
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
spool = writer(Path(sys.argv[1]))
spool.record(0, step_of())
spool.flush()
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
for epoch in range(1, 200):
    spool.record(epoch, step_of())
spool.close()
print(spool.problem)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "run")],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert "Recording stopped: File too large. The run is kept up to epoch " in done.stdout
    assert SpoolTrace(tmp_path / "run").recorded >= 1


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Problem, match="cannot be recorded"):
        writer(tmp_path / "file" / "run")
    writer(tmp_path / "run").close()
    with pytest.raises(Problem, match="cannot be recorded"):
        writer(tmp_path / "run")


def test_a_slow_disk_bounds_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool_module, "MOST_WAITING", 200_000)
    monkeypatch.setattr(spool_module, "FULL_BYTES", 50_000)
    go = threading.Event()
    original = spool_module.write_contents

    def slow(*args: Any) -> None:
        go.wait()
        original(*args)

    spool = writer(tmp_path / "run")
    monkeypatch.setattr(spool_module, "write_contents", slow)
    size = sum(array.nbytes for array in step_of().values())
    waited = threading.Event()
    handed = []

    def record() -> None:
        for epoch in range(100):
            spool.record(epoch, step_of())
            handed.append(epoch)
        waited.set()

    thread = threading.Thread(target=record)
    thread.start()
    until(lambda: len(handed) >= 200_000 // size)
    assert not waited.wait(0.2)  # it holds no more than it may, and waits
    assert len(handed) * size <= 200_000 + 2 * size
    go.set()
    thread.join()
    spool.close()
    assert SpoolTrace(tmp_path / "run").recorded == 100


@pytest.mark.parametrize("number", [0, 1])
def test_a_broken_segment_ends_the_trace_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(spool_module, "FULL_BYTES", 1)
    with writer(tmp_path / "run") as spool:
        for epoch in range(3):
            spool.record(epoch, step_of(seed=epoch))
            spool.flush()
    path = tmp_path / "run" / f"0000{number}.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    trace = SpoolTrace(tmp_path / "run")
    assert trace.recorded == number
    assert "cut off" in str(trace.problem)


def test_a_folder_without_a_run(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    for folder in ("run", "none"):
        with pytest.raises(Problem, match="cannot be opened"):
            SpoolTrace(tmp_path / folder)


def test_recording_a_larger_model(tmp_path: Path) -> None:
    config = Config(layers=3, heads=4, d_model=32)
    with writer(tmp_path / "run", config, CORPUS) as spool:
        for epoch in range(3):
            spool.record(epoch, step_of(config, seed=epoch))
    trace = SpoolTrace(tmp_path / "run")
    assert trace.run.config == config != CONFIG
    assert isinstance(save_trace(trace, tmp_path / "a.safetensors"), TraceFile)


def test_what_is_said_of_an_unsaved_run_comes_back(tmp_path: Path) -> None:
    spooled(tmp_path / "run", {0: step_of(), 1: step_of()}).close()
    trace = SpoolTrace(tmp_path / "run")
    trace.say(Said("fast", (Mark(1, "here"),)))
    trace.close()
    again = SpoolTrace(tmp_path / "run")
    assert read_said(again.metadata) == Said("fast", (Mark(1, "here"),))
    file = save_trace(again, tmp_path / "a.safetensors")
    assert read_said(file.metadata) == Said("fast", (Mark(1, "here"),))
    again.close()
    basis = as_kept(fit_basis(again))
    again.keep_basis(basis)
    kept = SpoolTrace(tmp_path / "run").basis
    assert kept is not None
    for name in ("mean", "components", "explained"):
        np.testing.assert_array_equal(getattr(kept, name), getattr(basis, name))
    (tmp_path / "run" / "basis.safetensors").write_bytes(b"nothing")
    assert SpoolTrace(tmp_path / "run").basis is None
    # What cannot be read is nothing that was said; the run opens.
    (tmp_path / "run" / "said.json").write_text('{"name": 3}')
    assert read_said(SpoolTrace(tmp_path / "run").metadata) == Said()
