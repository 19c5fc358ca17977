"""Sweeps whose processes are killed in the middle: nothing is lost, nothing is counted twice."""

from __future__ import annotations

import csv
import json
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).parents[2]
SEEDS, EPOCHS = 200, 200
TIMES = 20
SWEEP = (
    *(sys.executable, "-m", "explorer", "sweep", "--vary", "learning_rate=0.0015,0.006"),
    *("--seeds", f"1-{SEEDS}", "--epochs", str(EPOCHS), "--device", "cpu"),
)


def until(what: Callable[[], object], seconds: float = 120) -> None:
    """Return as soon as something is so."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def parts(folder: Path) -> list[Path]:
    return sorted((folder / "parts").glob("*.safetensors"))


def check_whole(folder: Path) -> None:
    with (folder / "summary.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["status"] for row in rows] == ["finished"] * 2 * SEEDS
    assert len({(row["learning_rate"], row["seed"]) for row in rows}) == 2 * SEEDS


def children(pid: int) -> list[psutil.Process]:
    """Return the workers that a sweep has started."""
    with suppress(psutil.NoSuchProcess):
        return [
            each
            for each in psutil.Process(pid).children()
            if "spawn_main" in " ".join(each.cmdline())
        ]
    return []


def kill_after_a_part(process: subprocess.Popen[bytes], folder: Path, wait: float) -> None:
    """Kill a sweep some time after its next part is there; its workers do not outlive it."""
    before = len(parts(folder))
    until(lambda: len(parts(folder)) > before or process.poll() is not None)
    time.sleep(wait)
    workers = children(process.pid)
    process.kill()
    process.wait()
    _gone, alive = psutil.wait_procs(workers, timeout=30)
    assert not alive


@pytest.mark.timeout(1200)
def test_a_killed_sweep_goes_on_where_it_was(tmp_path: Path) -> None:
    folder, chance = tmp_path / "sweep", random.Random(4711)
    kept: dict[str, int] = {}
    for _time in range(TIMES):
        more = ("--resume",) if folder.exists() else ()
        words = SWEEP[:4] if more else SWEEP
        process = subprocess.Popen([*words, "--workers", "1", *more, "-o", str(folder)], cwd=ROOT)
        kill_after_a_part(process, folder, chance.random() / 10)
        for path in parts(folder):
            assert kept.setdefault(path.name, path.stat().st_mtime_ns) == path.stat().st_mtime_ns
    subprocess.run([*SWEEP[:4], "--resume", "--workers", "1", "-o", folder], cwd=ROOT, check=True)
    for path in parts(folder):
        assert kept.setdefault(path.name, path.stat().st_mtime_ns) == path.stat().st_mtime_ns
    check_whole(folder)


@pytest.mark.timeout(1200)
def test_killed_workers_are_replaced(tmp_path: Path) -> None:
    folder, chance = tmp_path / "sweep", random.Random(4711)
    process = subprocess.Popen(
        [*SWEEP, "--workers", "2", "-o", folder], cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    until(lambda: parts(folder))
    killed = 0
    while process.poll() is None and killed < TIMES:
        time.sleep(chance.random())
        before = len(parts(folder))
        for each in children(process.pid)[:1]:
            each.kill()
            killed += 1
        until(lambda at=before: len(parts(folder)) > at or process.poll() is not None)  # type: ignore[misc]
    _out, said = process.communicate()
    assert process.returncode == 0, said
    assert killed
    check_whole(folder)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and its two workers."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    at = ("-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port))
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = subprocess.Popen([sys.executable, *at, "--no-dashboard"], cwd=tmp_path, **quiet)
    one = ("-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard")
    where = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    workers = [
        subprocess.Popen([sys.executable, *one, "--no-nanny"], cwd=tmp_path, env=where, **quiet)
        for _worker in range(2)
    ]
    yield address, workers
    for process in (*workers, scheduler):
        process.kill()
        process.wait()


def test_a_cluster_that_loses_a_worker_does_the_rest(
    tmp_path: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]]
) -> None:
    address, workers = cluster
    folder = tmp_path / "sweep"
    ask = [sys.executable, "-c", _COUNT, address]
    until(lambda: subprocess.run(ask, capture_output=True, check=False).stdout.strip() == b"2")
    process = subprocess.Popen(
        [*SWEEP, "--dask", address, "-o", str(folder)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until(lambda: len(parts(folder)) > 2 or process.poll() is not None)
    workers[0].kill()
    out, said = process.communicate()
    assert process.returncode == 0, said
    assert "with 2 workers" in out
    check_whole(folder)
    written = [path.stat().st_mtime_ns for path in parts(folder)]
    assert len(written) == 2 * SEEDS // 16

    # One that is begun here goes on there: the same parts, the same folder.
    done = subprocess.run(
        [*SWEEP[:4], "--resume", "--dask", address, "-o", str(folder)], cwd=ROOT, check=False
    )
    assert done.returncode == 0
    assert [path.stat().st_mtime_ns for path in parts(folder)] == written


_COUNT = """
import sys
from distributed import Client
with Client(sys.argv[1], timeout=2) as client:
    print(len(client.scheduler_info(n_workers=-1)["workers"]))
"""


def test_an_unreachable_scheduler_is_said_in_five_seconds(tmp_path: Path) -> None:
    start = time.monotonic()
    done = subprocess.run(
        [*SWEEP, "--dask", "tcp://127.0.0.1:1", "-o", tmp_path / "sweep"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "The scheduler tcp://127.0.0.1:1 does not answer" in done.stderr
    assert done.stderr.count("\n") == 1
    assert time.monotonic() - start < 30  # with the start of Python
    assert not (tmp_path / "sweep").exists()


def test_a_worker_with_another_version_is_named(
    tmp_path: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]]
) -> None:
    address, _workers = cluster
    ask = [sys.executable, "-c", _COUNT, address]
    until(lambda: subprocess.run(ask, capture_output=True, check=False).stdout.strip() == b"2")
    other = (
        f"import explorer, sys; explorer.__version__ = '9.9.9'; sys.argv = {['x', *SWEEP[3:]]!r}"
    )
    other += f" + ['--dask', {address!r}, '-o', {str(tmp_path / 'sweep')!r}]"
    done = subprocess.run(
        [sys.executable, "-c", f"{other}\nfrom explorer.cli import main; sys.exit(main())"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "has attention-explorer " in done.stderr
    assert "but here it is 9.9.9" in done.stderr
    assert json.dumps(address)[1:10] in done.stderr
