"""A sweep's folder: its plan, its results in parts, and the table of them.

    sweep.json                    the plan
    parts/000012.safetensors      the results of chunk 12, complete or not there
    summary.csv                   a row for each run that is done, written anew from the parts

One process at a time writes, and holds the folder's lock; anybody reads.
"""

from __future__ import annotations

import csv
import io
import math
import os
import secrets
import shutil
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from explorer.sweeps.plan import FORMAT, MOST_RUNS, VERSION, Plan, Setting
from explorer.sweeps.work import Done, versions
from explorer.text import N_, Problem, displayable, why_refused
from explorer.traces import check, parse_corpus
from explorer.traces.container import Entry, read_contents, write_contents
from explorer.traces.files import FolderLock, open_file, replacing
from explorer.traces.trace import Array, from_bytes

PLAN, TABLE, PARTS = "sweep.json", "summary.csv", "parts"
LARGEST_PLAN = 64 * 2**20  # bytes
COLUMNS = ("seed", "status", "last_loss", "last_accuracy", "all_right_from")

Status = Literal["finished", "diverged", "failed"]


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What `sweep.json` holds.

    versions : of what the numbers depend on, where the sweep was begun
    created : in ISO 8601 with its offset from UTC
    """

    format: str
    version: str
    plan: Plan
    versions: dict[str, str]
    created: str


@dataclass(frozen=True)
class Result:
    """How a run ended.

    run : its number in the plan, from 0
    last_loss, last_accuracy : of the last epoch that has numbers; nan of a run that failed
    all_right_from : the epoch from which on every sentence is right; None where there is none
    """

    run: int
    status: Status
    last_loss: float = math.nan
    last_accuracy: float = math.nan
    all_right_from: int | None = None


@dataclass(frozen=True, eq=False)
class Part:
    """The results of a chunk.

    runs : their numbers in the plan
    loss, accuracy : (R, E + 1) float32
    weights : (R, P) float32; None where they were taken out of the file
    """

    runs: tuple[int, ...]
    loss: Array
    accuracy: Array
    weights: Array | None

    def results(self) -> Iterator[Result]:
        """Yield how each run ended."""
        for run, loss, accuracy in zip(self.runs, self.loss, self.accuracy, strict=True):
            wrong = np.flatnonzero(accuracy != 1)
            fine = np.flatnonzero(np.isfinite(loss))
            last = int(fine[-1]) if len(fine) else 0
            start = int(wrong[-1]) + 1 if len(wrong) else 0
            yield Result(
                run,
                "finished" if len(fine) == len(loss) else "diverged",
                # The few digits that tell a number of this precision from all others.
                float(str(loss[last])),
                float(str(accuracy[last])),
                start if start < len(accuracy) else None,
            )


class SweepFolder:
    """A sweep on disk, for reading; `write` gives the right to write.

    Raises Problem where the folder holds no sweep that can be read.
    """

    def __init__(self, path: Path) -> None:
        check_sweep_folder(path)
        self.path = path
        self.name = displayable(path.name or str(path))
        with open_file(path / PLAN) as file:
            try:
                if file.size > LARGEST_PLAN:
                    raise ValueError
                self.about = msgspec.json.decode(file.read(0, file.size), type=About)
            except (ValueError, msgspec.MsgspecError, RecursionError) as error:
                raise Problem(
                    N_("{file} is not a plan of a sweep: {reason}."),
                    file=f"{self.name}/{PLAN}",
                    reason=displayable(str(error), 80),
                ) from None
        self.plan = self.about.plan
        self._check()

    def _check(self) -> None:
        about, plan = self.about, self.plan
        if about.format != FORMAT or about.version != VERSION:
            raise Problem(
                N_("{file}: format “{format}”, version {version}, cannot be read."),
                file=f"{self.name}/{PLAN}",
                format=displayable(about.format, 40),
                version=displayable(about.version, 10),
            )
        try:
            check(msgspec.structs.replace(plan.config, seed=0))
            unknown = [field for field in plan.varied if not hasattr(plan.config, field)]
            count = math.prod(map(len, plan.varied.values())) * len(plan.seeds)
            if unknown or not 1 <= count <= MOST_RUNS or plan.together < 1 or not plan.settings:
                raise Problem(N_("its runs are not valid"))
            for each in plan.seeds:
                check(msgspec.structs.replace(plan.config, seed=each))
            if parse_corpus("\n".join(plan.corpus)).sentences != plan.corpus:
                raise Problem(N_("its corpus is not valid"))
        except Problem as problem:
            raise Problem(
                N_("{file}: {reason}"), file=f"{self.name}/{PLAN}", reason=problem.message
            ) from None

    def parts(self) -> Iterator[int]:
        """Yield the chunks that have a file, in order."""
        try:
            names = sorted(path.name for path in (self.path / PARTS).iterdir())
        except OSError:
            return
        for name in names:
            stem, _dot, suffix = name.partition(".")
            if suffix == "safetensors" and stem.isascii() and stem.isdigit():
                chunk = int(stem)
                if name == _part_name(chunk) and chunk < len(self.plan.chunks):
                    yield chunk

    def has(self, chunk: int) -> bool:
        """Return whether a chunk has a file."""
        return (self.path / PARTS / _part_name(chunk)).exists()

    def done(self) -> Iterator[int]:
        """Yield the chunks whose parts are there and complete, in order."""
        for chunk in self.parts():
            with suppress(Problem):
                self._read(chunk, headers=True)
                yield chunk

    def part(self, chunk: int) -> Part:
        """Return the results of a chunk. Raises Problem naming the file."""
        part = self._read(chunk)
        assert part is not None
        return part

    def results(self) -> Iterator[Result]:
        """Yield how every run ended that is done."""
        for chunk in self.done():
            yield from self.part(chunk).results()

    def _read(self, chunk: int, *, headers: bool = False) -> Part | None:
        runs = self.plan.chunks[chunk]
        with open_file(self.path / PARTS / _part_name(chunk)) as file:
            try:
                entries = read_contents(file.read, file.size).entries
                epochs = self.plan.run_config(runs[0]).epochs
                count = len(runs)
                expected = {
                    "run": ("I64", (count,)),
                    "loss": ("F32", (count, epochs + 1)),
                    "accuracy": ("F32", (count, epochs + 1)),
                }
                for name, (dtype, shape) in expected.items():
                    entry = entries.get(name)
                    if entry is None or (entry.dtype, entry.shape) != (dtype, shape):
                        raise Problem(N_("{array} is not as the plan says"), array=name)
                if "weights" in entries and len(entries["weights"].shape) != 2:
                    raise Problem(N_("{array} is not as the plan says"), array="weights")
                arrays = {
                    name: from_bytes(file.read(entry.start, entry.nbytes), entry.dtype, entry.shape)
                    for name, entry in entries.items()
                    if name == "run" or (not headers and name in ("loss", "accuracy", "weights"))
                }
                if tuple(arrays["run"].tolist()) != runs:
                    raise Problem(N_("{array} is not as the plan says"), array="run")
            except Problem as problem:
                raise Problem(
                    N_("{file}: {reason}"), file=file.name, reason=problem.message
                ) from None
        if headers:
            return None
        return Part(runs, arrays["loss"], arrays["accuracy"], arrays.get("weights"))

    def rows(self, results: Iterable[Result]) -> Iterator[dict[str, object]]:
        """Yield the rows of the table, by the names of its columns."""
        for each in sorted(results, key=lambda each: each.run):
            setting: Setting = self.plan.setting(each.run)
            lost = each.status == "failed"
            yield {
                **setting,
                "seed": self.plan.seed(each.run),
                "status": each.status,
                "last_loss": None if lost else each.last_loss,
                "last_accuracy": None if lost else each.last_accuracy,
                "all_right_from": each.all_right_from,
            }

    def table(self, results: Iterable[Result]) -> str:
        """Return the table as CSV."""
        text = io.StringIO()
        writer = csv.DictWriter(text, (*self.plan.varied, *COLUMNS), lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows(results))
        return text.getvalue()

    def copied(self, target: Path) -> Generator[None, None, None]:
        """Copy plan, results and their table into a folder, part by part between two yields.

        The folder, new or empty, is there when all is in it; nothing is left of what is broken off.
        Parts that cannot be read are left out. Raises Problem.
        """
        making = target.with_name(f".{secrets.token_hex(8)}.tmp")
        with _saving(target):
            if target.exists() and any(target.iterdir()):
                raise Problem(
                    N_("{folder} is not empty: name another folder."),
                    folder=displayable(target.name),
                )
            try:
                (making / PARTS).mkdir(parents=True)
                shutil.copyfile(self.path / PLAN, making / PLAN)
                results: list[Result] = []
                for chunk in self.done():
                    results += self.part(chunk).results()
                    name = _part_name(chunk)
                    shutil.copyfile(self.path / PARTS / name, making / PARTS / name)
                    yield
                (making / TABLE).write_bytes(self.table(results).encode())
                if target.exists():
                    target.rmdir()
                os.replace(making, target)
            finally:
                shutil.rmtree(making, ignore_errors=True)


class WrittenSweep(SweepFolder):
    """A sweep's folder that this process alone writes, until it is closed."""

    def __init__(self, path: Path, lock: FolderLock) -> None:
        self._lock = lock
        try:
            super().__init__(path)
        except BaseException:
            lock.release()
            raise
        # What a killed process was in the middle of.
        for folder in (path, path / PARTS):
            for left in folder.glob(".*.tmp"):
                with suppress(OSError):
                    left.unlink()

    def write_part(self, chunk: int, done: Done) -> None:
        """Keep the results of a chunk: wholly or not at all. Raises Problem."""
        runs = self.plan.chunks[chunk]
        arrays = {
            "run": np.array(runs, "<i8"),
            "seed": np.array([self.plan.seed(run) for run in runs], "<i8"),
            "loss": np.ascontiguousarray(done.loss, "<f4"),
            "accuracy": np.ascontiguousarray(done.accuracy, "<f4"),
            "weights": np.ascontiguousarray(done.weights, "<f4"),
        }
        types = {"<i8": "I64", "<f4": "F32"}
        entries = {name: Entry(types[a.dtype.str], a.shape) for name, a in arrays.items()}
        path = self.path / PARTS / _part_name(chunk)
        about = {"format": f"{FORMAT}-part", "version": VERSION}
        with _saving(path), replacing(path) as file:
            write_contents(file, entries, about, lambda name: (arrays[name].tobytes(),))

    def write_table(self, results: Iterable[Result]) -> None:
        """Write the table anew. Raises Problem."""
        with _saving(self.path / TABLE), replacing(self.path / TABLE) as file:
            file.write(self.table(results).encode())

    def close(self) -> None:
        """Let others write."""
        self._lock.release()


def create(path: Path, plan: Plan) -> WrittenSweep:
    """Make a sweep's folder. Raises Problem where there is one, or it cannot be made."""
    with _saving(path):
        path.mkdir(exist_ok=True)
        lock = _locked(path)
        try:
            if any(each.name != "lock" for each in path.iterdir()):
                template = N_("{folder} is not empty: name another folder.")
                if (path / PLAN).exists():
                    template = N_(
                        "{folder} holds a sweep: continue it with --resume, or name another."
                    )
                raise Problem(template, folder=displayable(path.name))
            (path / PARTS).mkdir()
            about = About(
                format=FORMAT,
                version=VERSION,
                plan=plan,
                versions=versions(),
                created=datetime.now().astimezone().isoformat(timespec="seconds"),
            )
            with replacing(path / PLAN) as file:
                file.write(msgspec.json.format(msgspec.json.encode(about), indent=1))
        except BaseException:
            lock.release()
            raise
    return WrittenSweep(path, lock)


def resume(path: Path) -> WrittenSweep:
    """Return a sweep's folder to go on with.

    Raises Problem where there is none, or another process writes it.
    """
    check_sweep_folder(path)  # before anything is made in it
    with _saving(path):
        lock = _locked(path)
        (path / PARTS).mkdir(exist_ok=True)
    return WrittenSweep(path, lock)


def is_sweep_folder(path: Path) -> bool:
    """Return whether a folder holds a sweep."""
    return (path / PLAN).is_file()


def check_sweep_folder(path: Path) -> None:
    """Raise Problem where a folder holds no sweep."""
    if not is_sweep_folder(path):
        raise Problem(N_("There is no sweep in {folder}."), folder=displayable(str(path)))


def _locked(path: Path) -> FolderLock:
    lock = FolderLock.take(path, alone=True)
    if lock is None:
        raise Problem(
            N_("{folder} is being written by another process: stop that, or name another folder."),
            folder=displayable(path.name),
        )
    return lock


def _part_name(chunk: int) -> str:
    return f"{chunk:06}.safetensors"


class _saving:
    """Tells why something cannot be saved, in one sentence."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, OSError):
            raise Problem(
                N_("{file} cannot be saved: {reason}."),
                file=displayable(self._path.name or str(self._path), 64),
                reason=why_refused(error),
            ) from None
