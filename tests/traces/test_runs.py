"""Runs that nobody has open: offered once, never a living one's, and only a few kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from explorer.text import Problem
from explorer.traces import (
    SpoolTrace,
    abandoned_runs,
    new_run_folder,
    prune,
    remove_run,
)
from explorer.traces.spool import BEGIN, segment_name
from tests.traces.made import run_of, spooled, step_of, writer

ROOT = Path(__file__).parents[2]

OWNER = """
import sys
from pathlib import Path
from tests.traces.made import step_of, writer
spool = writer(Path(sys.argv[1]))
spool.record(0, step_of())
spool.flush()
print("recorded", flush=True)
sys.stdin.read()
"""


def names(runs: Path) -> list[str]:
    found, problems = abandoned_runs(runs)
    assert problems == ()
    return [each.folder.name for each in found]


def past_run(folder: Path, hours: float) -> None:
    """Make a run that was last written to some hours ago."""
    spooled(folder, {0: step_of()}).close()
    for path in folder.iterdir():
        when = path.stat().st_mtime - 3600 * hours
        os.utime(path, (when, when))


def test_no_folder_of_runs_is_no_runs(tmp_path: Path) -> None:
    assert abandoned_runs(tmp_path / "none") == ((), ())
    prune(tmp_path / "none")


def test_a_living_run_is_nobody_else_s(tmp_path: Path) -> None:
    spool = writer(tmp_path / "run")
    spool.record(0, step_of())
    spool.flush()
    assert names(tmp_path) == []
    live = SpoolTrace(tmp_path / "run")
    spool.close()
    assert names(tmp_path) == []  # its window still shows it
    with pytest.raises(Problem, match="open in another window"):
        remove_run(tmp_path / "run")
    live.close()
    assert names(tmp_path) == ["run"]


def test_a_killed_owner_s_run_is_offered(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(tmp_path / "runs" / "a")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == "recorded\n"
    assert names(tmp_path / "runs") == []
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()
    (found,), problems = abandoned_runs(tmp_path / "runs")
    assert problems == ()
    assert found.run == run_of()
    assert not found.kept
    assert found.nbytes > 1000
    trace = found.open()
    np.testing.assert_array_equal(trace.array("x", 0), step_of()["x"])
    # From now on it is this window's.
    assert names(tmp_path / "runs") == []
    with pytest.raises(Problem, match="open in another window"):
        found.open()
    with pytest.raises(Problem, match="open in another window"):
        found.discard()
    trace.keep()
    trace.close()
    (found,), _problems = abandoned_runs(tmp_path / "runs")
    assert found.kept
    found.discard()
    assert list((tmp_path / "runs").iterdir()) == []
    with pytest.raises(Problem, match="removed there"):
        found.open()


def test_two_views_of_one_run_share_it(tmp_path: Path) -> None:
    spooled(tmp_path / "run", {0: step_of()}).close()
    first, second = SpoolTrace(tmp_path / "run"), SpoolTrace(tmp_path / "run")
    first.close()
    assert names(tmp_path) == []
    second.close()
    assert names(tmp_path) == ["run"]


def test_the_newest_comes_first(tmp_path: Path) -> None:
    for hours, name in ((3, "c"), (1, "a"), (2, "b")):
        past_run(tmp_path / name, hours)
    assert names(tmp_path) == ["a", "b", "c"]


def test_the_last_five_stay(tmp_path: Path) -> None:
    for hours in range(7):
        past_run(tmp_path / f"run{hours}", hours)
    prune(tmp_path)
    assert names(tmp_path) == [f"run{hours}" for hours in range(5)]


def test_as_many_as_fit_stay_and_the_newest_always(tmp_path: Path) -> None:
    for hours in range(4):
        past_run(tmp_path / f"run{hours}", hours)
    (size, *_rest) = {each.nbytes for each in abandoned_runs(tmp_path)[0]}
    prune(tmp_path, most_bytes=2 * size)
    assert names(tmp_path) == ["run0", "run1"]
    prune(tmp_path, most_bytes=0)
    assert names(tmp_path) == ["run0"]


def test_an_open_run_is_not_pruned(tmp_path: Path) -> None:
    for hours in range(7):
        past_run(tmp_path / f"run{hours}", hours)
    trace = SpoolTrace(tmp_path / "run6")
    prune(tmp_path, most=1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run0", "run6"]
    np.testing.assert_array_equal(trace.array("x", 0), step_of()["x"])


def test_a_run_without_a_step_is_swept_away_but_not_one_just_begun(tmp_path: Path) -> None:
    for name in ("old", "new"):
        writer(tmp_path / name).close()
    os.utime(tmp_path / "old", (0, 0))
    assert names(tmp_path) == []
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_what_cannot_be_read_is_said_and_the_others_are_found(tmp_path: Path) -> None:
    for name in ("good", "bad"):
        spooled(tmp_path / name, {0: step_of()}).close()
    (tmp_path / "bad" / "begin.safetensors").write_bytes(b"12345678")
    found, (problem,) = abandoned_runs(tmp_path)
    assert [each.folder.name for each in found] == ["good"]
    assert "bad" in str(problem)


def test_new_folders_are_never_the_same(tmp_path: Path) -> None:
    assert len({new_run_folder(tmp_path) for _ in range(100)}) == 100


def _replace(path: Path, make: Callable[[Path], None]) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    make(path)


def _link_to_itself(path: Path) -> None:
    path.symlink_to(path)


def _link_to_nothing(path: Path) -> None:
    path.symlink_to(path.with_name("gone"))


@pytest.mark.parametrize("thing", ["", "lock", "begin.safetensors", "segment", "other.safetensors"])
@pytest.mark.parametrize(
    "make", [_link_to_itself, _link_to_nothing, Path.mkdir, Path.touch, lambda path: None]
)
def test_what_lies_about_among_the_runs_does_no_harm(
    tmp_path: Path, thing: str, make: Callable[[Path], None]
) -> None:
    runs = tmp_path / "runs"
    for hours, name in ((1, "good"), (2, "damaged"), (3, "old")):
        past_run(runs / name, hours)
    file = {"begin.safetensors": BEGIN, "segment": segment_name(0)}.get(thing, thing)
    _replace(runs / "damaged" / file if thing else runs / "damaged", make)

    found, _problems = abandoned_runs(runs)
    assert {"good", "old"} <= {each.folder.name for each in found}
    prune(runs, most=2)
    assert (runs / "good").is_dir()
    prune(runs, most=0)
    assert "good" not in names(runs)


def test_a_link_to_a_run_is_left_alone(tmp_path: Path) -> None:
    past_run(tmp_path / "mine", 1)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "link").symlink_to(tmp_path / "mine")
    assert abandoned_runs(tmp_path / "runs") == ((), ())
    prune(tmp_path / "runs", most=0)
    assert names(tmp_path) == ["mine"]


@pytest.mark.parametrize("make", [_link_to_itself, _link_to_nothing, Path.touch])
def test_where_there_is_no_folder_of_runs_there_are_none(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "runs")
    assert abandoned_runs(tmp_path / "runs") == ((), ())
    prune(tmp_path / "runs")


def test_a_run_that_vanishes_while_it_is_looked_at_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    past_run(tmp_path / "run", 1)

    def vanished(path: Path, *_args: object) -> None:
        raise FileNotFoundError(2, "gone", str(path))

    monkeypatch.setattr(Path, "exists", vanished)
    assert abandoned_runs(tmp_path) == ((), ())
