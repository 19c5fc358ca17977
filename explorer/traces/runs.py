"""The folders of runs that nobody has open: kept for a while, taken back, removed."""

from __future__ import annotations

import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from explorer.text import N_, Problem
from explorer.traces.checks import check_metadata
from explorer.traces.files import FolderLock
from explorer.traces.spec import Run
from explorer.traces.spool import BEGIN, segment_name
from explorer.traces.spool_trace import KEPT, SpoolTrace, read_begin

MOST_RUNS = 5
MOST_BYTES = 4 * 10**9
_UNFINISHED = 60.0  # seconds after which a folder without a run in it is nobody's beginning


def new_run_folder(runs: Path) -> Path:
    """Return the path of a folder for a new run; the folders sort by their time of making."""
    return runs / f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}"


@dataclass(frozen=True)
class AbandonedRun:
    """A run that nobody has open.

    Parameters
    ----------
    folder : Path
    run : Run
    time : float
        When it was last written to, in seconds since 1970.
    nbytes : int
        What it takes on disk.
    kept : bool
        Whether it was kept on purpose (`SpoolTrace.keep`); else its window or worker died.
    """

    folder: Path
    run: Run
    time: float
    nbytes: int
    kept: bool

    def open(self) -> SpoolTrace:
        """Return its trace, from now on in use. Raises Problem where somebody was quicker."""
        lock = _alone(self.folder)
        lock.share()
        try:
            return SpoolTrace(self.folder, lock=lock)
        except BaseException:
            lock.release()
            raise

    def discard(self) -> None:
        """Remove it. Raises Problem where somebody has it open."""
        remove_run(self.folder)


def abandoned_runs(runs: Path) -> tuple[tuple[AbandonedRun, ...], tuple[Problem, ...]]:
    """Return the runs nobody has open, newest first, and a problem for each unreadable one.

    Folders in which nothing was recorded are removed.
    """
    found: list[AbandonedRun] = []
    problems: list[Problem] = []
    for folder, lock in _unused(runs):
        try:
            if not (folder / segment_name(0)).exists():
                _remove_empty(folder, lock)
                continue
            nbytes, changed = _measured(folder)
            run = check_metadata(read_begin(folder).contents.metadata)
            found.append(AbandonedRun(folder, run, changed, nbytes, (folder / KEPT).exists()))
        except Problem as problem:
            problems.append(
                Problem(N_("{file}: {reason}"), file=folder.name, reason=problem.message)
            )
        except OSError:
            continue  # it is being removed
        finally:
            lock.release()
    found.sort(key=lambda each: each.time, reverse=True)
    return tuple(found), tuple(problems)


def prune(runs: Path, *, most: int = MOST_RUNS, most_bytes: int = MOST_BYTES) -> None:
    """Remove the oldest runs that nobody has open, so that few and small enough ones stay.

    The newest stays whatever its size.
    """
    sizes = {}
    for folder, lock in _unused(runs):
        sizes[folder] = _measured(folder)
        lock.release()
    total = 0
    for kept, folder in enumerate(sorted(sizes, key=lambda each: sizes[each][1], reverse=True)):
        total += sizes[folder][0]
        if kept >= most or (kept > 0 and total > most_bytes):
            try:
                remove_run(folder)
            except Problem:
                continue  # somebody has opened it meanwhile


def remove_run(folder: Path) -> None:
    """Remove a run's folder. Raises Problem where somebody has it open."""
    lock = _alone(folder)
    _remove(folder, lock)


def _unused(runs: Path) -> Iterator[tuple[Path, FolderLock]]:
    """Yield the folders that nobody has open, each locked for oneself alone."""
    try:
        folders = sorted(runs.iterdir())
    except OSError:
        return  # none was made yet, or it cannot be read
    for folder in folders:
        try:
            # One behind a link is somebody's own, and a link may lead back to itself.
            if folder.is_symlink() or not folder.is_dir():
                continue
            lock = FolderLock.take(folder, alone=True)
        except OSError:
            continue
        if lock is not None:
            yield folder, lock


def _alone(folder: Path) -> FolderLock:
    try:
        lock = FolderLock.take(folder, alone=True)
    except OSError:
        lock = None
    if lock is None:
        raise Problem(N_("{run} is open in another window, or was removed there."), run=folder.name)
    return lock


def _measured(folder: Path) -> tuple[int, float]:
    """Return the bytes of a folder's files, and when the newest was written."""
    stats = []
    with suppress(OSError):  # the folder is gone meanwhile
        for path in folder.glob("*.safetensors"):
            with suppress(OSError):  # the file is, or it is a link that leads nowhere
                stats.append(path.stat())
    return sum(each.st_size for each in stats), max((each.st_mtime for each in stats), default=0.0)


def _remove_empty(folder: Path, lock: FolderLock) -> None:
    """Remove a folder without a recording, unless somebody may be just making it."""
    if time.time() - folder.stat().st_mtime > _UNFINISHED:
        _remove(folder, lock)


def _remove(folder: Path, lock: FolderLock) -> None:
    # Without its beginning it is no run, should the removing be cut short.
    with suppress(OSError):
        (folder / BEGIN).unlink()
    shutil.rmtree(folder, ignore_errors=True)
    lock.release()
    shutil.rmtree(folder, ignore_errors=True)  # the lock itself, where open files cannot go
