"""A run's folder seen as a trace: while it is recorded, and after whoever recorded it died."""

from __future__ import annotations

import copy
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np

from explorer.attention import Projection
from explorer.attention.arrays import read_only
from explorer.text import N_, Problem, why_refused
from explorer.traces.basis import written_basis
from explorer.traces.checks import (
    MOST_AT_ONCE,
    check_ascending,
    check_entries,
    check_indices,
    check_metadata,
)
from explorer.traces.container import Chunk, Contents, Entry, block, read_contents, write_contents
from explorer.traces.files import FolderLock, open_file, replacing
from explorer.traces.marks import Said, read_said, with_said
from explorer.traces.schema import scalar_dtype
from explorer.traces.spool import BEGIN, FULL, segment_name
from explorer.traces.storage import read_basis
from explorer.traces.trace import Array, Trace, cast, from_bytes, stored, widened

KEPT = "kept"  # a file that says so
_BASIS = "basis.safetensors"
_SAID = "said.json"  # a file of what somebody said of the run
_MOST_SAID = 2**16  # bytes of it
_SMALL, _KEPT_PARTS = 2**12, 2**11  # bytes of a part that is kept once read, and how many are
_KEPT_CONTENTS = 512  # headers of full segments, likewise: some 10 kB each
_NO_EPOCHS = read_only(np.zeros(0, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class _Opened:
    """A folder as it was opened: a run recorded anew under its name is another."""

    folder: Path


@dataclass(frozen=True, eq=False)
class _Tail:
    """The last segment while it may still be replaced: a whole file, in memory."""

    data: bytes
    contents: Contents
    signature: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _Found:
    """What a segment adds, or several together.

    epochs : (E,) int64; scalars : (C,) float64 by name, "epoch" among them
    """

    epochs: Array = field(default_factory=lambda: _NO_EPOCHS)
    scalars: Mapping[str, Array] = field(default_factory=dict)

    def then(self, later: _Found) -> _Found:
        """Return this with what follows it; a scalar missing on one side is NaN there."""
        counts = [len(each.scalars.get("epoch", ())) for each in (self, later)]
        names = dict.fromkeys((*self.scalars, *later.scalars))
        return _Found(
            read_only(np.concatenate([self.epochs, later.epochs])),
            {
                name: read_only(
                    np.concatenate(
                        [
                            each.scalars.get(name, np.full(count, np.nan))
                            for each, count in zip((self, later), counts, strict=True)
                        ]
                    )
                )
                for name in names
            },
        )


@dataclass(frozen=True, eq=False)
class _State:
    """How far the segments have been read.

    firsts : the step that each full segment begins with
    full : what the full segments hold; all : they and the tail
    step : the arrays of a step, without the axis E
    sizes : the letters of the shapes
    entries : every array of the trace
    """

    sizes: dict[str, int]
    entries: Mapping[str, Entry]
    firsts: tuple[int, ...] = ()
    full: _Found = field(default_factory=_Found)
    all: _Found = field(default_factory=_Found)
    tail: _Tail | None = None
    step: Mapping[str, Entry] = field(default_factory=dict)


class SpoolTrace(Trace):
    """The trace in a run's folder; `refresh` finds what was recorded since.

    The folder is kept from being taken or removed until `close`, or until nobody holds the trace.

    Attributes
    ----------
    folder : Path
    problem : Problem or None
        Why what comes after the last step cannot be read, should that be so.

    Raises
    ------
    Problem
        Where there is no run in the folder, or it is just being removed.
    """

    def __init__(self, folder: Path, *, lock: FolderLock | None = None) -> None:
        super().__init__()
        self.folder = folder
        self._opened = _Opened(folder)
        self.title = folder.name
        self.problem: Problem | None = None
        self._lock = lock or _shared(folder)
        try:
            begin = read_begin(folder)
            self.metadata = {**begin.contents.metadata, **_said_in(folder)}
            self._fixed = begin.contents.entries
            self.run = check_metadata(self.metadata)
            sizes = check_entries(self._fixed, self.run, ("tokens", "lengths"))
            self._begin = begin
            width = None if self.run.config is None else self.run.config.d_model
            self.basis = _basis_in(folder, width)
            whole = {name: read_only(widened(self._fixed_array(name))) for name in self._fixed}
            check_indices(whole, self.run)
        except Problem as problem:
            self.close()
            raise Problem(N_("{file}: {reason}"), file=self.title, reason=problem.message) from None
        self.tokens, self.lengths = whole["tokens"], whole["lengths"]
        self.targets, self.samples = whole.get("targets"), whole.get("samples")
        self._state = _State(sizes, self._fixed)
        self.refresh()

    def refresh(self) -> bool:
        """Find what was recorded since; return whether there was more."""
        before = state = self._state
        self.problem = None
        try:
            while True:
                path = self.folder / segment_name(len(state.firsts))
                found = path.stat()
                signature = (found.st_mtime_ns, found.st_size, found.st_ino)
                if state.tail is not None and state.tail.signature == signature:
                    break
                state = self._read_on(state, path, signature)
                if state.tail is not None:
                    break
        except FileNotFoundError:
            pass  # the next segment has not begun
        except OSError as error:
            self.problem = Problem(
                N_("{file} cannot be read: {reason}."), file=self.title, reason=why_refused(error)
            )
        except Problem as problem:
            self.problem = problem
        self._state = state
        return state is not before

    @property
    def epochs(self) -> Array:
        """The epochs recorded so far, (E,) int64, ascending."""
        return self._state.all.epochs

    @property
    def sizes(self) -> Mapping[str, int]:
        """The letters of the shapes; those of a step are known after the first."""
        return self._state.sizes

    @property
    def entries(self) -> Mapping[str, Entry]:
        """Every array there is so far."""
        return self._state.entries

    def scalars(self, name: str) -> Array:
        """Return `scalar.<name>` for each epoch so far, (C,) float64. Raises KeyError."""
        return self._state.all.scalars[name]

    def chunks(self, name: str) -> Iterator[Chunk]:
        """Yield the bytes of an array in order, a few MiB at a time. Raises Problem."""
        state = self._state
        if name in self._fixed:
            yield self._fixed_array(name).tobytes()
        elif name == "epochs":
            yield state.all.epochs.astype("<i8").tobytes()
        elif name.startswith("scalar."):
            scalar = name.removeprefix("scalar.")
            yield stored(state.all.scalars[scalar], scalar_dtype(scalar)).tobytes()
        else:
            for number in range(len(state.firsts)):
                entry = _full_contents(self._opened, number).entries.get(name)
                if entry is not None:  # a segment may hold scalars alone
                    yield from _file_chunks(self.folder / segment_name(number), entry)
            if state.tail is not None and name in state.tail.contents.entries:
                entry = state.tail.contents.entries[name]
                yield state.tail.data[entry.start : entry.start + entry.nbytes]

    def snapshot(self) -> SpoolTrace:
        """Return a trace of what there is now, which does not grow unless it is refreshed."""
        copied = copy.copy(self)
        copied.bad_steps = dict(self.bad_steps)
        return copied

    def keep(self) -> None:
        """Note that the run is kept on purpose, so that it is not offered as one that was lost.

        Raises Problem.
        """
        with self._keeping():
            (self.folder / KEPT).touch()

    def say(self, said: Said) -> None:
        """Keep a name and marks beside what is recorded. Raises Problem."""
        self.metadata = with_said(self.metadata, said)
        with self._keeping(), replacing(self.folder / _SAID) as file:
            file.write(msgspec.json.encode(with_said({}, said)))

    def keep_basis(self, basis: Projection) -> None:
        """Keep the word graph's axes beside what is recorded: it looks alike when opened again.

        Raises Problem.
        """
        parts = written_basis(basis)
        entries = {name: entry for name, (entry, _data) in parts.items()}
        with self._keeping(), replacing(self.folder / _BASIS) as file:
            write_contents(file, entries, {}, lambda name: (parts[name][1],))
        self.basis = basis

    @contextmanager
    def _keeping(self) -> Iterator[None]:
        """Raise a Problem where something cannot be written into the folder."""
        try:
            yield
        except OSError as error:
            raise Problem(
                N_("{file} cannot be kept: {reason}."), file=self.title, reason=why_refused(error)
            ) from None

    def close(self) -> None:
        """Unlock the folder."""
        self._lock.release()

    def _block(self, name: str, lead: tuple[int, ...]) -> Array:
        state = self._state
        step, *inner = lead
        tail_first = len(state.full.epochs)
        if step >= tail_first:
            assert state.tail is not None
            entry = state.tail.contents.entries[name]
            start, part = block(entry, (step - tail_first, *inner))
            data = state.tail.data[start : start + part.nbytes]
        else:
            number = bisect_right(state.firsts, step) - 1
            entry = _full_contents(self._opened, number).entries[name]
            start, part = block(entry, (step - state.firsts[number], *inner))
            if part.nbytes <= _SMALL:
                data = _small_part(self._opened, number, start, part.nbytes)
            else:
                data = _part_of(self._opened, number, start, part.nbytes)
        return from_bytes(data, part.dtype, part.shape)

    def _fixed_array(self, name: str) -> Array:
        entry = self._fixed[name]
        data = self._begin.data[entry.start : entry.start + entry.nbytes]
        return from_bytes(data, entry.dtype, entry.shape)

    def _read_on(self, state: _State, path: Path, signature: tuple[int, ...]) -> _State:
        """Return the state with the next segment, or with a longer tail. Raises Problem."""
        with open_file(path) as file:
            contents = read_contents(file.read, file.size)
            full = FULL in contents.metadata
            tail = None if full else _Tail(file.read(0, file.size), contents, signature)
            found = _found(contents, file.read)
        first = len(state.full.epochs)
        step = state.step
        if len(found.epochs):
            step = {
                name: Entry(entry.dtype, entry.shape[1:])
                for name, entry in contents.entries.items()
                if name != "epochs" and not name.startswith("scalar.")
            }
            if any(
                contents.entries[name].shape[:1] != found.epochs.shape for name in step
            ) or step != (state.step or step):
                raise Problem(N_("{file} is not like the recording before it."), file=path.name)
        everything = state.full.then(found)
        check_ascending("epochs", everything.epochs)
        check_ascending("scalar.epoch", everything.scalars.get("epoch", _NO_EPOCHS))
        entries = dict(self._fixed)
        if len(everything.epochs):
            entries["epochs"] = Entry("I64", everything.epochs.shape)
        for name, entry in step.items():
            entries[name] = Entry(entry.dtype, (len(everything.epochs), *entry.shape))
        for name, values in everything.scalars.items():
            entries[f"scalar.{name}"] = Entry(scalar_dtype(name), values.shape)
        sizes, known = state.sizes, len(everything.scalars.get("epoch", ()))
        most = max(len(everything.epochs), known)
        if step == state.step and entries.keys() == state.entries.keys() and most <= MOST_AT_ONCE:
            # Of what is checked, only how many epochs there are has changed.
            counts = {"E": len(everything.epochs), "C": known}
            sizes = sizes | {letter: count for letter, count in counts.items() if letter in sizes}
        elif step:
            sizes = check_entries(entries, self.run)
        return _State(
            sizes=sizes,
            entries=entries,
            firsts=(*state.firsts, first) if full else state.firsts,
            full=everything if full else state.full,
            all=everything,
            tail=tail,
            step=step,
        )


def read_begin(folder: Path) -> _Tail:
    """Return the beginning of a run in a folder. Raises Problem."""
    with open_file(folder / BEGIN) as file:
        contents = read_contents(file.read, file.size)
        return _Tail(file.read(0, file.size), contents, ())


def _basis_in(folder: Path, width: int | None) -> Projection | None:
    """Return the axes kept with a run of that width; None where none can be read."""
    try:
        with open_file(folder / _BASIS) as file:
            contents = read_contents(file.read, file.size)

            def whole(name: str) -> Array:
                entry = contents.entries[name]
                data = file.read(entry.start, entry.nbytes)
                return widened(from_bytes(data, entry.dtype, entry.shape))

            basis = read_basis(contents.entries, whole)
    except (Problem, OSError, ValueError):
        return None
    return basis if basis is not None and len(basis.mean) == width else None


def _said_in(folder: Path) -> dict[str, str]:
    """Return what somebody said of a run as metadata; nothing where that cannot be read."""
    try:
        with open_file(folder / _SAID) as file:
            text = file.read(0, min(file.size, _MOST_SAID))
        found = msgspec.json.decode(text, type=dict[str, str])
        return with_said({}, read_said(found))
    except (Problem, msgspec.MsgspecError, RecursionError, UnicodeError):
        return {}


def _shared(folder: Path) -> FolderLock:
    try:
        lock = FolderLock.take(folder, alone=False)
    except OSError as error:
        raise Problem(
            N_("{file} cannot be opened: {reason}."), file=folder.name, reason=why_refused(error)
        ) from None
    if lock is None:
        raise Problem(N_("{file} is in use by another window."), file=folder.name)
    return lock


# For all runs together: a session may show a hundred of them.
@lru_cache(_KEPT_CONTENTS)
def _full_contents(opened: _Opened, number: int) -> Contents:
    with open_file(opened.folder / segment_name(number)) as file:
        return read_contents(file.read, file.size)


def _part_of(opened: _Opened, number: int, start: int, count: int) -> bytes:
    """Return some bytes of a full segment, which nobody writes to any more. Raises Problem."""
    with open_file(opened.folder / segment_name(number)) as file:
        return file.read(start, count)


_small_part = lru_cache(_KEPT_PARTS)(_part_of)


def _file_chunks(path: Path, entry: Entry) -> Iterator[Chunk]:
    with open_file(path) as file:
        yield from file.chunks(entry.start, entry.nbytes)


def _found(contents: Contents, read: Callable[[int, int], bytes]) -> _Found:
    """Return the epochs and scalars of a segment. Raises Problem."""

    def column(name: str, dtype: str) -> Array:
        entry = contents.entries[name]
        if entry.dtype != dtype or len(entry.shape) != 1:
            raise Problem(N_("{array} is not as this program writes it."), array=name)
        return from_bytes(read(entry.start, entry.nbytes), dtype, entry.shape)

    names = [name for name in contents.entries if name.startswith("scalar.")]
    scalars = {
        name: cast(column(f"scalar.{name}", scalar_dtype(name)), "<f8")
        for name in (each.removeprefix("scalar.") for each in names)
    }
    if len({len(values) for values in scalars.values()}) > 1 or (
        scalars and "epoch" not in scalars
    ):
        raise Problem(N_("{array} is not as this program writes it."), array="scalar.epoch")
    epochs = column("epochs", "I64") if "epochs" in contents.entries else _NO_EPOCHS
    return _Found(epochs, scalars)
