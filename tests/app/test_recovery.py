"""Recovery files: kept through a kill, claimed by one window, never a living one's."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from explorer.app.recovery import Abandoned, Recovery, Unsaved
from explorer.app.settings import data_folder
from explorer.session import Context, Options, Scene, dump_scene
from explorer.text import Problem

# A window's life as far as its recovery file is concerned; it says when it is written, and waits.
KEEPER = """
import sys
from pathlib import Path
from explorer.app.recovery import Recovery, Unsaved
from explorer.session import read_scene

recovery = Recovery()
scene = read_scene(sys.argv[1])
recovery.save(Unsaved(scene, "cat", Path(sys.argv[1]), "abc")).result()
print("kept", flush=True)
sys.stdin.read()
recovery.close()
"""


def awkward_scene() -> Scene:
    """Return a scene whose numbers and texts are easily changed on the way."""
    rng = np.random.default_rng(5)
    X = np.array([[0.1 + 0.2, -0.0], [5e-324, 1e50], [-1 / 3, 1e-17]])
    return Scene(
        tokens=("早", 'a "b"\\', "‮x"),
        X=X,
        **{name: rng.normal(size=(2, 2, 4)) for name in ("Wq", "Wk", "Wv")},
        bq=rng.normal(size=(2, 4)),
        Wo=rng.normal(size=(8, 3)),
        bo=rng.normal(size=3),
        context=None,
        options=Options(scale=1.7, mask=np.tri(3, dtype=bool)),
        title="Zǎo\n<b>",
        note="\u2028 two\tlines",
    )


def small_scene(value: float = 1.0) -> Scene:
    return Scene(tokens=("cat", "fish"), X=np.array([[value, 0.0], [0.0, 1.0]]))


def assert_same_scene(a: Scene, b: Scene) -> None:
    assert (a.tokens, a.title, a.note) == (b.tokens, b.title, b.note)
    assert (a.options.scale, a.heads) == (b.options.scale, b.heads)
    for name in ("X", "Wq", "Wk", "Wv", "bq", "bk", "bv", "Wo", "bo"):
        left, right = getattr(a, name), getattr(b, name)
        assert (left is None) == (right is None)
        if left is not None:
            assert (left.shape, left.tobytes()) == (right.shape, right.tobytes())
    assert np.array_equal(np.asarray(a.options.mask), np.asarray(b.options.mask))


def files(folder: Path) -> list[str]:
    return sorted(path.suffix for path in folder.iterdir())


@pytest.fixture
def folder() -> Path:
    return data_folder() / "recovery"


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another window, alive, that has unsaved changes."""
    path = tmp_path / "cat.json"
    path.write_bytes(dump_scene(awkward_scene()))
    with subprocess.Popen(
        [sys.executable, "-c", KEEPER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "kept\n"
        yield process
        process.kill()


def only_abandoned(recovery: Recovery) -> Abandoned:
    (abandoned,), problems = recovery.abandoned()
    assert problems == ()
    return abandoned


def leave_behind(scene: Scene, title: str = "cat") -> None:
    """Leave a recovery file as a dying window does: the system lets go of its lock."""
    recovery = Recovery()
    recovery.save(Unsaved(scene, title)).result()
    claim = recovery._claim
    assert claim is not None
    claim._lock.release()


def test_a_killed_window_leaves_its_scene_bit_for_bit(
    keeper: subprocess.Popen[str], tmp_path: Path, folder: Path
) -> None:
    keeper.kill()
    keeper.wait()
    recovery = Recovery()
    abandoned = only_abandoned(recovery)
    assert (abandoned.title, abandoned.path) == ("cat", tmp_path / "cat.json")
    unsaved = abandoned.take()
    assert_same_scene(unsaved.scene, awkward_scene())
    assert (unsaved.title, unsaved.path, unsaved.digest) == ("cat", tmp_path / "cat.json", "abc")
    # It is this window's now: nobody else is offered it, and it goes when nothing is unsaved.
    assert Recovery().abandoned() == ((), ())
    recovery.clear()
    assert files(folder) == []


def test_a_living_windows_file_is_never_offered(
    keeper: subprocess.Popen[str], folder: Path
) -> None:
    assert Recovery().abandoned() == ((), ())
    assert files(folder) == [".json", ".lock"]
    keeper.communicate("")  # it closes as it should
    assert files(folder) == []
    assert Recovery().abandoned() == ((), ())


def test_of_two_windows_one_takes_it() -> None:
    leave_behind(small_scene())
    one, other = Recovery(), Recovery()
    for_one, for_other = only_abandoned(one), only_abandoned(other)
    for_one.take()
    with pytest.raises(Problem, match="another window"):
        for_other.take()
    with pytest.raises(Problem, match="another window"):
        for_other.discard()
    one.close()
    with pytest.raises(Problem, match="another window"):
        for_other.take()
    assert other.abandoned() == ((), ())


def test_a_lock_that_goes_while_it_is_taken_is_no_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")  # elsewhere an open file cannot be removed
    leave_behind(small_scene())
    abandoned = only_abandoned(Recovery())
    lock = fcntl.flock

    def lock_too_late(descriptor: int, operation: int) -> None:
        (path,) = (data_folder() / "recovery").glob("*.lock")
        path.unlink()
        lock(descriptor, operation)

    with monkeypatch.context() as patch:
        patch.setattr(fcntl, "flock", lock_too_late)
        with pytest.raises(Problem, match="another window"):
            abandoned.take()
    assert abandoned.take().scene.tokens == ("cat", "fish")


def test_many_windows_at_once_never_take_one_file_twice() -> None:
    for i in range(8):
        leave_behind(small_scene(i), title=str(i))

    def take_all(_window: int) -> list[str]:
        taken = []
        for _attempt in range(8):
            recovery = Recovery()  # a window of its own, for each holds one file
            for abandoned in recovery.abandoned()[0]:
                try:
                    taken.append(abandoned.take().title)
                except Problem:
                    continue
                windows.append(recovery)
                break
        return taken

    windows: list[Recovery] = []
    with ThreadPoolExecutor(4) as threads:
        taken = [title for titles in threads.map(take_all, range(4)) for title in titles]
    taken += take_all(0)
    assert sorted(taken) == [str(i) for i in range(8)]
    for window in windows:
        window.close()


def test_the_taken_file_is_not_lost_by_a_second_crash(folder: Path) -> None:
    leave_behind(small_scene(3.0))
    recovery = Recovery()
    only_abandoned(recovery).take()
    assert recovery._claim is not None
    recovery._claim._lock.release()
    assert only_abandoned(Recovery()).take().scene.X[0, 0] == 3.0


def test_discarded_files_are_gone(folder: Path) -> None:
    leave_behind(small_scene())
    only_abandoned(Recovery()).discard()
    assert files(folder) == []


def test_the_newest_is_offered_first() -> None:
    for title in ("first", "second", "third"):
        leave_behind(small_scene(), title)
    abandoned, _problems = Recovery().abandoned()
    assert [each.title for each in abandoned] == ["third", "second", "first"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\xff",
        b"[" * 100_000,
        b'{"format": "attention-explorer/scene"}',
        b'{"format":"attention-explorer/recovery","version":2,"title":"","time":0,"path":"",'
        b'"digest":"","scene":{}}',
        b'{"format":"attention-explorer/recovery","version":1,"title":"","time":1e300,"path":"",'
        b'"digest":"","scene":{}}',
    ],
)
def test_a_corrupt_file_is_told_and_kept_aside(folder: Path, content: bytes) -> None:
    leave_behind(small_scene())
    (folder / "corrupt.json").write_bytes(content)
    recovery = Recovery()
    (abandoned,), (problem,) = recovery.abandoned()
    aside = folder / "corrupt.json.broken"
    assert str(aside) in str(problem)
    assert aside.read_bytes() == content
    assert Recovery().abandoned()[1] == ()
    abandoned.discard()


def test_a_file_without_a_proper_scene_is_told_when_taken_and_kept_aside(folder: Path) -> None:
    leave_behind(small_scene())
    (path,) = folder.glob("*.json")
    path.write_bytes(path.read_bytes().replace(b'"fish"', b'"fish", "cat"'))
    recovery = Recovery()
    abandoned = only_abandoned(recovery)
    with pytest.raises(Problem) as caught:
        abandoned.take()
    aside = path.with_name(path.name + ".broken")
    assert str(aside) in str(caught.value)
    assert "tokens" in str(caught.value)
    assert aside.exists()
    assert recovery.abandoned() == ((), ())


def test_a_lock_that_was_left_alone_is_tidied_away(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "0123.lock").touch()
    assert Recovery().abandoned() == ((), ())
    assert files(folder) == []


def test_files_are_the_users_alone(folder: Path) -> None:
    recovery = Recovery()
    assert not data_folder().exists()
    recovery.save(Unsaved(small_scene(), "cat")).result()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    recovery.close()


def test_a_failed_write_keeps_the_file_before(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    recovery = Recovery()
    recovery.save(Unsaved(small_scene(1.0), "cat")).result()

    def full(source: object, target: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(Problem, match="No space left on device"):
            recovery.save(Unsaved(small_scene(2.0), "cat")).result()
    assert files(folder) == [".json", ".lock"]
    assert recovery._claim is not None
    recovery._claim._lock.release()
    assert only_abandoned(Recovery()).take().scene.X[0, 0] == 1.0


def test_clearing_waits_for_a_write_under_way(folder: Path) -> None:
    recovery = Recovery()
    for value in range(20):
        recovery.save(Unsaved(small_scene(value), "cat"))
        recovery.clear()
        assert files(folder) == []
    recovery.close()


def test_a_folder_that_cannot_be_made_is_told(folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_text("in the way")
    recovery = Recovery()
    with pytest.raises(Problem, match="recovery"):
        recovery.save(Unsaved(small_scene(), "cat")).result()
    assert recovery.abandoned() == ((), ())
    recovery.close()


def test_cross_attention_survives(folder: Path) -> None:
    context = Context(("k",), np.array([[1.0, 2.0, 3.0]]))
    scene = Scene(
        tokens=("q",),
        X=np.ones((1, 2)),
        Wq=np.ones((2, 2)),
        Wk=np.ones((3, 2)),
        Wv=np.ones((3, 2)),
        context=context,
    )
    leave_behind(scene)
    found = only_abandoned(Recovery()).take().scene.context
    assert found is not None
    assert found.tokens == ("k",)
    assert found.X.tobytes() == context.X.tobytes()
