"""The spool: a run's recorded steps go to disk while it runs, so that none is lost.

A run's folder holds `begin.safetensors` (the run and its samples), then `00000.safetensors`,
`00001.safetensors`, ...: each the steps and scalars that follow those of the one before. The last
is replaced by a longer one until it is full, which its metadata says; then it never changes.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from explorer.text import N_, Problem, why_refused
from explorer.traces.checks import check_entries, check_indices
from explorer.traces.container import Chunk, Entry, write_contents
from explorer.traces.files import FolderLock, replacing
from explorer.traces.row import StepRow
from explorer.traces.schema import array_spec, scalar_dtype
from explorer.traces.spec import FORMAT, VERSION, Run
from explorer.traces.trace import Array, stored

BEGIN = "begin.safetensors"
FULL = "full"  # in the metadata of a segment that never changes again
FULL_BYTES = 2**20  # of steps in a segment, after which the next begins; it may hold more
FULL_EPOCHS = 4096  # of scalars, likewise
MOST_WAITING = 32 * 2**20  # bytes of steps in memory before whoever records has to wait
PRESSING = MOST_WAITING // 4  # bytes that are written before it is time: each file has its price
WRITE_EVERY = 0.1  # seconds

_Steps = Sequence[tuple[int, Array]]
_Scalars = Sequence[tuple[int, Mapping[str, float]]]


def segment_name(number: int) -> str:
    """Return the file name of a segment."""
    return f"{number:05}.safetensors"


class SpoolWriter:
    """Records a run into a folder of its own; a thread writes, ten times a second.

    Parameters
    ----------
    folder : Path
        Created here, with its parents; must not exist. Locked until `close`.
    run : Run
    tokens : (N, T), lengths : (N,), targets : (N,), samples : (N,)
        The recorded samples, as `Corpus.encoded` returns them, and their lines, counted from 0;
        without the last two where there is nothing to predict, or no corpus.

    Raises Problem where the folder cannot be made or written.
    """

    def __init__(
        self,
        folder: Path,
        run: Run,
        *,
        tokens: ArrayLike,
        lengths: ArrayLike,
        targets: ArrayLike | None = None,
        samples: ArrayLike | None = None,
    ) -> None:
        self._folder = folder
        self._run = run
        self._fixed = {
            name: np.array(values, dtype="<i4", order="C")
            for name, values in (
                ("tokens", tokens),
                ("lengths", lengths),
                ("targets", targets),
                ("samples", samples),
            )
            if values is not None
        }
        check_indices(self._fixed, run)
        lock = None
        try:
            folder.mkdir(parents=True, mode=0o700)
            lock = FolderLock.take(folder, alone=False)
            if lock is None:
                raise OSError(None, "it cannot be locked")
            self._write_file(
                BEGIN,
                {name: Entry("I32", array.shape) for name, array in self._fixed.items()},
                {
                    "format": FORMAT,
                    "version": VERSION,
                    "run": msgspec.json.encode(run).decode(),
                },
                self._fixed,
            )
        except OSError as error:
            if lock is not None:
                lock.release()
            raise Problem(
                N_("The run cannot be recorded in {folder}: {reason}."),
                folder=str(folder),
                reason=why_refused(error),
            ) from None
        self._lock = lock
        self._row: StepRow | None = None  # how a step lies in a row, known from the first
        self._steps: list[tuple[int, Array]] = []  # epochs and rows of the segment not yet full
        self._scalars: list[tuple[int, dict[str, float]]] = []
        # Memory that is used again: new pages cost more than what is copied into them.
        self._spare: list[Array] = []  # rows that are on disk
        self._stacked = np.empty((0, 0), "<f4")
        self._ordered = np.empty(0, "<f4")
        self._last = -1
        self._last_scalar = -1
        self._waiting = 0  # bytes of those steps
        self._taken = self._written = 0  # steps and scalars so far
        self._kept: int | None = None  # the last epoch on disk
        self._hurry = self._closing = False
        self._problem: Problem | None = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="spool", daemon=True)
        self._thread.start()

    @property
    def problem(self) -> Problem | None:
        """Why recording has stopped (the disk is full); None while it goes on.

        What was recorded before is kept; `record` and `scalar` do nothing from then on.
        """
        return self._problem

    def record(
        self, epoch: int, arrays: Mapping[str, ArrayLike], buffer: Array | None = None
    ) -> None:
        """Take a step, copied; epochs ascend.

        arrays : by name (`weights`, `x`, ..., `param.embedding`), without the axis E. The first
        step says which there are; every later one must be like it, or ValueError is raised.
        buffer : what all arrays are views of, (size,) float32. Where both are the same objects at
        every step, with other numbers in them, a step costs one copy.
        Waits only where the disk is much slower than the recording, so that memory stays bounded.
        """
        if self._row is None:
            row = StepRow(arrays, buffer)
            self._check_step(row.entries)
            self._row = row
        if epoch <= self._last:
            raise ValueError(f"step {epoch} comes after a later one")
        step = self._row.pack(arrays, buffer, self._spare.pop() if self._spare else None)
        self._last = epoch
        with self._changed:
            if self._waiting >= MOST_WAITING:
                self._changed.wait_for(lambda: self._waiting < MOST_WAITING or self._problem)
            if self._problem is None:
                self._steps.append((epoch, step))
                self._waiting += step.nbytes
                self._tell(self._waiting >= PRESSING)

    def scalar(self, epoch: int, **values: float) -> None:
        """Take the loss, the accuracy and others of an epoch, recorded or not; epochs ascend."""
        if epoch <= self._last_scalar:
            raise ValueError(f"the scalars of epoch {epoch} come after those of a later one")
        self._last_scalar = epoch
        with self._changed:
            if self._problem is None:
                self._scalars.append((epoch, values))
                self._tell(len(self._scalars) >= FULL_EPOCHS)

    def flush(self) -> None:
        """Return when all that was taken is on disk, or recording has stopped."""
        with self._changed:
            wanted = self._taken
            self._hurry = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._written >= wanted or self._problem)

    def close(self) -> None:
        """Write what is left, end the thread and unlock the folder; twice is once."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()
        self._lock.release()

    def __enter__(self) -> SpoolWriter:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()

    def _check_step(self, entries: Mapping[str, Entry]) -> None:
        """Raise ValueError where the arrays of a step are no trace's."""
        for name in entries:
            spec = array_spec(name)
            if spec is None or not spec.per_step or name == "epochs":
                raise ValueError(f"a step has no array {name}")
        fixed = {name: Entry("I32", array.shape) for name, array in self._fixed.items()}
        steps = {name: Entry(each.dtype, (1, *each.shape)) for name, each in entries.items()}
        try:
            check_entries(fixed | steps | {"epochs": Entry("I64", (1,))}, self._run)
        except Problem as problem:
            raise ValueError(str(problem)) from None

    def _tell(self, at_once: bool) -> None:
        """Count something taken, and wake the thread if it sleeps or has enough to do."""
        self._taken += 1
        if at_once or self._taken == self._written + 1:
            self._changed.notify_all()

    def _work(self) -> None:
        number, due = 0, 0.0
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._taken > self._written or self._closing)
                if self._taken == self._written:
                    return
                self._changed.wait_for(self._pressing, timeout=max(0.0, due - time.monotonic()))
                self._hurry = False
                steps, scalars, taken = tuple(self._steps), tuple(self._scalars), self._taken
                size = self._waiting
            due = time.monotonic() + WRITE_EVERY
            full = size >= FULL_BYTES or len(scalars) >= FULL_EPOCHS
            try:
                self._write_segment(number, steps, scalars, full)
            except Exception as error:
                self._stop(error)
                if isinstance(error, OSError):
                    return
                raise
            with self._changed:
                if full:
                    number += 1
                    self._spare.extend(row for _epoch, row in steps)
                    del self._steps[: len(steps)], self._scalars[: len(scalars)]
                    self._waiting -= size
                if steps:
                    self._kept = steps[-1][0]
                self._written = taken
                self._changed.notify_all()

    def _pressing(self) -> bool:
        return (
            self._closing
            or self._hurry
            or self._waiting >= PRESSING
            or len(self._scalars) >= FULL_EPOCHS
        )

    def _stop(self, error: Exception) -> None:
        why = why_refused(error) if isinstance(error, OSError) else str(error)
        template = N_("Recording stopped: {reason}. Nothing was recorded.")
        if self._kept is not None:
            template = N_("Recording stopped: {reason}. The run is kept up to epoch {epoch}.")
        with self._changed:
            self._problem = Problem(template, reason=why, epoch=self._kept)
            self._steps.clear()
            self._scalars.clear()
            self._waiting = 0
            self._changed.notify_all()

    def _write_segment(self, number: int, steps: _Steps, scalars: _Scalars, full: bool) -> None:
        entries: dict[str, Entry] = {}
        parts: dict[str, Array] = {}
        if steps:
            entries["epochs"] = Entry("I64", (len(steps),))
            parts["epochs"] = np.array([epoch for epoch, _row in steps], dtype="<i8")
            assert self._row is not None
            for name, array in self._row.views(self._stack(steps)).items():
                entries[name] = Entry("F32", array.shape)
                parts[name] = array
        if scalars:
            names = dict.fromkeys(name for _epoch, values in scalars for name in values)
            columns = {"epoch": [float(epoch) for epoch, _values in scalars]}
            for name in names:
                columns[name] = [values.get(name, math.nan) for _epoch, values in scalars]
            for name, column in columns.items():
                dtype = scalar_dtype(name)
                entries[f"scalar.{name}"] = Entry(dtype, (len(column),))
                parts[f"scalar.{name}"] = stored(np.array(column), dtype)
        self._write_file(segment_name(number), entries, {FULL: "yes"} if full else {}, parts)

    def _stack(self, steps: _Steps) -> Array:
        """Return the rows of some steps, (E, size), in memory that the next call writes over."""
        if len(steps) > len(self._stacked):
            self._stacked = np.empty((len(steps), len(steps[0][1])), "<f4")
        return np.stack([row for _epoch, row in steps], out=self._stacked[: len(steps)])

    def _in_order(self, part: Array) -> Array:
        """Return an array in one piece, in memory that the next call may write over."""
        if part.flags.c_contiguous:
            return part
        if part.size > self._ordered.size:
            self._ordered = np.empty(part.size, part.dtype)
        ordered = self._ordered[: part.size].reshape(part.shape)
        ordered[...] = part
        return ordered

    def _write_file(
        self,
        name: str,
        entries: Mapping[str, Entry],
        metadata: Mapping[str, str],
        parts: Mapping[str, Array],
    ) -> None:
        def chunks(array: str) -> Iterator[Chunk]:
            yield self._in_order(parts[array]).reshape(-1).data.cast("B")

        with replacing(self._folder / name) as file:
            write_contents(file, entries, metadata, chunks)
