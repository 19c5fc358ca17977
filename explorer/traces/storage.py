"""Trace files: one safetensors file per run, of which only what is shown is read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np

from explorer.attention import Projection
from explorer.attention.arrays import read_only
from explorer.text import N_, Problem
from explorer.traces.checks import BASIS, check_basis, check_entries, check_indices, check_metadata
from explorer.traces.container import Chunk, Entry, block, read_contents
from explorer.traces.files import ReadFile
from explorer.traces.marks import read_said
from explorer.traces.trace import Array, Trace, cast, from_bytes, widened

_WHOLE = ("epochs", "tokens", "lengths", "targets", "samples", "scalar.epoch")


class TraceFile(Trace):
    """The trace in a file, checked; it stays readable when the file is renamed or removed.

    Raises
    ------
    Problem
        One sentence naming the file, the array and the reason.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__()
        self.path = Path(path)
        self._file = ReadFile(self.path)
        self.title = self._file.name
        try:
            self._open()
        except Problem as problem:
            self._file.close()
            raise Problem(N_("{file}: {reason}"), file=self.title, reason=problem.message) from None
        except BaseException:
            self._file.close()
            raise

    def _open(self) -> None:
        contents = read_contents(self._file.read, self._file.size)
        self.metadata, self._entries = contents.metadata, contents.entries
        self.run = check_metadata(self.metadata)
        read_said(self.metadata)
        self._sizes = check_entries(self._entries, self.run)
        whole = {name: self._whole(name) for name in _WHOLE if name in self._entries}
        check_indices(whole, self.run)
        self._epochs = whole["epochs"]
        self.tokens, self.lengths = whole["tokens"], whole["lengths"]
        self.targets, self.samples = whole.get("targets"), whole.get("samples")
        self.basis = read_basis(self._entries, self._whole)
        self._scalars: dict[str, Array] = {}

    @property
    def epochs(self) -> Array:
        """The recorded epochs, (E,) int64, ascending."""
        return self._epochs

    @property
    def sizes(self) -> Mapping[str, int]:
        """The letters of the shapes: "N", "L", "H", "T", ..."""
        return self._sizes

    @property
    def entries(self) -> Mapping[str, Entry]:
        """Every array of the file, also those that a trace does not know."""
        return self._entries

    def scalars(self, name: str) -> Array:
        """Return `scalar.<name>` for each epoch, (C,) float64. Raises KeyError, Problem."""
        if name not in self._scalars:
            if f"scalar.{name}" not in self._entries:
                raise KeyError(name)
            self._scalars[name] = read_only(cast(self._whole(f"scalar.{name}"), "<f8"))
        return self._scalars[name]

    def chunks(self, name: str) -> Iterator[Chunk]:
        """Yield the bytes of an array in order, a few MiB at a time. Raises Problem."""
        entry = self._entries[name]
        return self._file.chunks(entry.start, entry.nbytes)

    def snapshot(self) -> Trace:
        """Return this trace: a file does not grow."""
        return self

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _block(self, name: str, lead: tuple[int, ...]) -> Array:
        entry = self._entries[name]
        start, part = block(entry, lead)
        return from_bytes(self._file.read(start, part.nbytes), part.dtype, part.shape)

    def _whole(self, name: str) -> Array:
        return read_only(widened(self._block(name, ())))


def read_basis(entries: Mapping[str, Entry], whole: Callable[[str], Array]) -> Projection | None:
    """Return the basis kept in a file; None where it is not there in full. Raises Problem."""

    if not all(name in entries for name in BASIS):
        return None
    arrays = [whole(name) for name in BASIS]
    check_basis(arrays)
    mean, components, explained = (read_only(array.astype(np.float64)) for array in arrays)
    return Projection(mean, components, explained, exact=len(mean) <= len(components))
