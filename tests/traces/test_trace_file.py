"""Opening lazily, and a file that changes while it is open."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from explorer.text import Problem
from explorer.traces import SpoolTrace, TraceFile, save_trace
from explorer.traces.files import ReadFile
from tests.traces.made import saved, spooled, step_of

BIG = 2**30  # bytes


def sparse_file(path: Path, nbytes: int = BIG) -> None:
    """Make a trace of about so many bytes whose steps are holes in the file: all zeros."""
    n, layers, heads, t, d = 8, 4, 8, 32, 64
    per_step = 4 * n * layers * (heads * t * t * 2 + t * d)
    steps = nbytes // per_step
    arrays = {
        "epochs": ("I64", [steps]),
        "lengths": ("I64", [n]),
        "tokens": ("I64", [n, t]),
        "weights": ("F32", [steps, n, layers, heads, t, t]),
        "scores": ("F32", [steps, n, layers, heads, t, t]),
        "x": ("F32", [steps, n, layers, t, d]),
    }
    header: dict[str, object] = {
        "__metadata__": {
            "format": "attention-explorer/trace",
            "version": "1",
            "run": '{"vocabulary":["a","b"]}',
        }
    }
    place = 0
    for name, (dtype, shape) in arrays.items():
        end = place + int(np.prod(shape)) * int(dtype[1:]) // 8
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [place, end]}
        place = end
    text = json.dumps(header).encode()
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        np.arange(steps, dtype="<i8").tofile(file)
        np.full(n, t, dtype="<i8").tofile(file)
        file.truncate(8 + len(text) + place)


# Opens a file, shows some steps of it and says how its memory grew, in bytes.
READER = """
import sys
from pathlib import Path
from explorer.traces import TraceFile

def anonymous():
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) * 1024

before = anonymous()
trace = TraceFile(sys.argv[1])
for step in range(0, trace.recorded, max(1, trace.recorded // 20)):
    for name in ("weights", "scores", "x"):
        trace.array(name, step)
print(anonymous() - before)
"""


def test_a_file_of_a_gigabyte_opens_at_once_and_takes_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "big.safetensors"
    sparse_file(path)
    assert path.stat().st_size > 0.9 * BIG
    tracemalloc.start()
    start = time.perf_counter()
    trace = TraceFile(path)
    opening = time.perf_counter() - start
    step = trace.array("weights", trace.recorded // 2, 3, 2, 1)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert step.shape == (32, 32)
    assert peak < 4 * 2**20
    assert opening < 3  # reading it all would take longer than this on most disks


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_the_memory_of_a_process_that_shows_steps_of_a_gigabyte(tmp_path: Path) -> None:
    sparse_file(tmp_path / "big.safetensors")
    command = [sys.executable, "-c", READER, str(tmp_path / "big.safetensors")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 100 * 2**20


def test_only_the_shown_slice_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "big.safetensors"
    sparse_file(path)
    read: list[int] = []
    original = ReadFile._read

    def counting(self: ReadFile, start: int, count: int) -> bytes:
        read.append(count)
        return original(self, start, count)

    monkeypatch.setattr(ReadFile, "_read", counting)
    trace = TraceFile(path)
    small = 8 * (trace.recorded + 8 + 8 * 32)
    assert sum(read) < small + 4096
    read.clear()
    trace.array("weights", 5, 3, 2, 1)
    assert read == [4 * 32 * 32]
    read.clear()
    trace.array("x", 5, 3, 2)
    assert read == [4 * 32 * 64]


@pytest.mark.parametrize("kept", [0, 4, 100, 5000, 20_000])
def test_a_file_shortened_while_it_is_open_is_a_sentence(tmp_path: Path, kept: int) -> None:
    file = saved(tmp_path / "a.safetensors")
    os.truncate(file.path, kept)
    name = max(file.entries, key=lambda each: file.entries[each].start)  # the last in the file
    with pytest.raises(Problem) as caught:
        file.array(name, 2)
    assert str(caught.value) == (
        "a.safetensors was shortened while it was open: open it again, or another copy."
    )
    with pytest.raises(Problem, match="shortened"):
        save_trace(file, tmp_path / "b.safetensors")
    assert not (tmp_path / "b.safetensors").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be removed there")
def test_a_file_removed_or_replaced_while_it_is_open_stays_readable(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors")
    before = file.array("weights", 1)
    other = saved(tmp_path / "b.safetensors", steps=1)
    os.replace(other.path, file.path)
    np.testing.assert_array_equal(file.array("weights", 1), before)
    file.path.unlink()
    np.testing.assert_array_equal(file.array("weights", 1), before)


def test_reading_a_closed_file_is_a_sentence(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors")
    file.close()
    file.close()
    with pytest.raises(Problem, match=r"a\.safetensors cannot be read: it is closed"):
        file.array("weights", 0)


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_trace_that_nobody_holds_holds_no_file(tmp_path: Path) -> None:
    saved(tmp_path / "a.safetensors")
    spooled(tmp_path / "run", {0: step_of()})
    gc.collect()
    before = open_files()
    for _ in range(20):
        TraceFile(tmp_path / "a.safetensors").array("weights", 0)
        SpoolTrace(tmp_path / "run").array("weights", 0)
        with pytest.raises(Problem):
            TraceFile(tmp_path / "run" / "begin.safetensors")
    assert open_files() == before
