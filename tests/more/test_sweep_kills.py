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
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import count, islice
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from explorer.app.window import MainWindow
from explorer.rooms.sweep.intents import SetWhere, Start
from explorer.sweeps.folder import create
from explorer.sweeps.plan import made_plan
from explorer.traces import DEFAULT_CORPUS, Config, parse_corpus
from tests.more import prepared
from tests.waiting import until

ROOT = Path(__file__).parents[2]
SEEDS, EPOCHS = 200, 100
MANY = 800  # seeds, where several workers go on while one is killed
TIMES = 20
SWEEP = (
    *(sys.executable, "-m", "explorer", "sweep", "--vary", "learning_rate=0.0015,0.006"),
    *("--epochs", str(EPOCHS), "--device", "cpu", "--seeds", f"1-{SEEDS}"),
)


def parts(folder: Path) -> list[Path]:
    return sorted((folder / "parts").glob("*.safetensors"))


def in_progress(folder: Path, workers: int) -> set[Path]:
    """Return the parts that are worked on: they are begun in order, and lost ones come first."""
    done = set(parts(folder))
    numbered = (folder / "parts" / f"{number:06}.safetensors" for number in count())
    return set(islice((path for path in numbered if path not in done), workers))


def check_whole(folder: Path, seeds: int = SEEDS) -> None:
    with (folder / "summary.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["status"] for row in rows] == ["finished"] * 2 * seeds
    assert len({(row["learning_rate"], row["seed"]) for row in rows}) == 2 * seeds


def check_kept(folder: Path, kept: dict[str, int]) -> None:
    """Fail where a part was written again; put the new ones with their times to those known."""
    for path in parts(folder):
        written = path.stat().st_mtime_ns
        assert kept.setdefault(path.name, written) == written


def check_the_rest(folder: Path, kept: dict[str, int]) -> None:
    """Let the sweep be gone on with to its end; no part that was kept is trained again."""
    subprocess.run([*SWEEP[:4], "--resume", "--workers", "1", "-o", folder], cwd=ROOT, check=True)
    check_kept(folder, kept)
    check_whole(folder)


def children(pid: int) -> list[psutil.Process]:
    """Return the workers that a sweep has started."""
    with suppress(psutil.NoSuchProcess):
        return [
            each
            for each in psutil.Process(pid).children(recursive=True)
            if "spawn_main" in " ".join(each.cmdline())
        ]
    return []


def has_ended(process: psutil.Process) -> bool:
    """Return whether a process is over, waited for or not."""
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def kill_after_a_part(process: psutil.Process, folder: Path, wait: float) -> None:
    """Kill a sweep some time after its next part is there; its workers do not outlive it."""
    before = len(parts(folder))
    until(lambda: len(parts(folder)) > before or has_ended(process))
    time.sleep(wait)
    workers = [] if has_ended(process) else process.children(recursive=True)
    process.kill()
    process.wait()
    _gone, alive = psutil.wait_procs(workers, timeout=30)
    assert not alive


@pytest.mark.timeout(3600)
def test_a_killed_sweep_goes_on_where_it_was(tmp_path: Path) -> None:
    folder, chance = tmp_path / "sweep", random.Random(4711)
    kept: dict[str, int] = {}
    for _time in range(TIMES):
        more = ("--resume",) if folder.exists() else ()
        words = SWEEP[:4] if more else SWEEP
        process = psutil.Popen([*words, "--workers", "1", *more, "-o", str(folder)], cwd=ROOT)
        kill_after_a_part(process, folder, chance.random() / 10)
        check_kept(folder, kept)
    check_the_rest(folder, kept)


def go_on(window: MainWindow, folder: Path) -> None:
    """Go on with a sweep, and end the window with it."""
    room = window.rooms.show_sweep()
    room.presenter.open(folder)
    room.handle(SetWhere(False, 1, ""))
    room.handle(Start())
    ended = QTimer(window, interval=50)
    ended.timeout.connect(lambda: room.session.frame.idle and QApplication.quit())
    ended.start()


@pytest.mark.timeout(3600)
def test_a_sweep_outlives_its_killed_window(tmp_path: Path) -> None:
    """The window goes on with a sweep, is killed at a random time, and another goes on."""
    folder, chance = tmp_path / "sweep", random.Random(4711)
    plan = made_plan(
        Config(epochs=EPOCHS, device="cpu"),
        {"learning_rate": (0.0015, 0.006)},
        range(1, SEEDS + 1),
        parse_corpus(DEFAULT_CORPUS),
    )
    create(folder, plan).close()
    kept: dict[str, int] = {}
    for _time in range(TIMES):
        window = prepared.window(tmp_path, go_on, folder)
        kill_after_a_part(psutil.Process(window.pid), folder, chance.random() / 10)
        check_kept(folder, kept)
    check_the_rest(folder, kept)


@pytest.mark.timeout(3600)
def test_killed_workers_are_replaced(tmp_path: Path) -> None:
    folder, chance = tmp_path / "sweep", random.Random(4711)
    process = subprocess.Popen(
        [*SWEEP[:-1], f"1-{MANY}", "--workers", "2", "-o", folder],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
    until(lambda: parts(folder))
    killed, hits = 0, Counter[Path]()

    def may_be_hit() -> bool:
        """Return whether no part has lost two workers: after three it is rightly left out."""
        return all(hits[part] < 2 for part in in_progress(folder, workers=2))

    while process.poll() is None and killed < TIMES:
        time.sleep(chance.random() / 5)
        until(lambda: may_be_hit() or process.poll() is not None)
        before = len(parts(folder))
        for each in children(process.pid)[:1]:
            hits.update(in_progress(folder, workers=2))
            each.kill()
            killed += 1
        until(lambda at=before: len(parts(folder)) > at or process.poll() is not None)  # type: ignore[misc]
    _out, said = process.communicate()
    assert process.returncode == 0, said
    assert killed == TIMES
    check_whole(folder, MANY)


class Cluster:
    """A scheduler, and workers that are started again when they are killed."""

    def __init__(self, folder: Path) -> None:
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._folder = folder
        self.address = f"tcp://127.0.0.1:{port}"
        at = ("-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port))
        self._processes = [self._started(*at, "--no-dashboard")]
        self.workers = [self.worker() for _worker in range(2)]

    def _started(self, *words: str) -> subprocess.Popen[bytes]:
        # A chunk may lose many workers: it is these that die, not the chunk that kills.
        where = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "OMP_NUM_THREADS": "1",
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(TIMES),
        }
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen([sys.executable, *words], cwd=self._folder, env=where, **quiet)

    def worker(self) -> subprocess.Popen[bytes]:
        """Start a worker."""
        one = ("-m", "distributed.cli.dask_worker", self.address, "--nthreads", "1")
        made = self._started(*one, "--no-dashboard", "--no-nanny")
        self._processes.append(made)
        return made

    def wait(self, count: int) -> None:
        """Return as soon as there are so many workers."""
        ask = [sys.executable, "-c", _COUNT, self.address, str(count)]
        until(lambda: subprocess.run(ask, capture_output=True, check=False).returncode == 0)

    def close(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with closing(Cluster(tmp_path)) as made:
        made.wait(2)
        yield made


@pytest.mark.timeout(3600)
def test_a_cluster_that_loses_workers_does_the_rest(tmp_path: Path, cluster: Cluster) -> None:
    folder, chance = tmp_path / "sweep", random.Random(4711)
    process = subprocess.Popen(
        [*SWEEP[:-1], f"1-{MANY}", "--dask", cluster.address, "-o", str(folder)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until(lambda: parts(folder) or process.poll() is not None)
    killed = 0
    while process.poll() is None and killed < TIMES:
        time.sleep(chance.random() / 5)
        place = chance.randrange(2)
        cluster.workers[place].kill()
        cluster.workers[place].wait()
        killed += 1
        cluster.workers[place] = cluster.worker()
        before = len(parts(folder))
        until(lambda at=before: len(parts(folder)) > at or process.poll() is not None)  # type: ignore[misc]
    out, said = process.communicate()
    assert process.returncode == 0, said
    assert "with 2 workers" in out
    assert killed == TIMES
    check_whole(folder, MANY)
    written = [path.stat().st_mtime_ns for path in parts(folder)]
    assert len(written) == 2 * MANY // 16

    # One that is begun here goes on there: the same parts, the same folder.
    done = subprocess.run(
        [*SWEEP[:4], "--resume", "--dask", cluster.address, "-o", str(folder)],
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0
    assert [path.stat().st_mtime_ns for path in parts(folder)] == written


_COUNT = """
import sys
from distributed import Client
with Client(sys.argv[1], timeout=20) as client:
    client.wait_for_workers(int(sys.argv[2]), timeout=60)
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


def test_a_worker_with_another_version_is_named(tmp_path: Path, cluster: Cluster) -> None:
    address = cluster.address
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
