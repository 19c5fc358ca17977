"""A trace as whoever looks at it sees it, whether it is a file or still being recorded."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.attention import Projection
from explorer.attention.arrays import read_only
from explorer.text import N_, Problem
from explorer.traces.container import Chunk, Entry
from explorer.traces.schema import array_spec
from explorer.traces.spec import Run

Array = NDArray[Any]

_TYPES = {"F16": "<f2", "F32": "<f4", "F64": "<f8", "I32": "<i4", "I64": "<i8"}


class BadStep(Problem):
    """A recorded step that cannot be shown because one of its arrays holds no numbers.

    Attributes
    ----------
    name : str
        The array.
    step : int
    """

    def __init__(self, template: str, /, *, step: int, name: str, **args: object) -> None:
        super().__init__(template, name=name, **args)
        self.step, self.name = step, name


class Trace(ABC):
    """Recorded steps of a model. Arrays handed out are read-only.

    Attributes
    ----------
    title : str
        What sentences call it: the file's or the folder's name.
    run : Run
    metadata : mapping of str to str
        As it stands in the file; `run` is one of its texts.
    tokens : (N, T), lengths : (N,)
        int64; padding beyond a sample's length is 0.
    targets, samples : (N,) int64 or None
        The words to be predicted; lines of `run.corpus`, counted from 0.
    basis : Projection or None
        The basis of the word graph, where it is kept in the file.
    bad_steps : mapping of int to BadStep
        The steps found so far that cannot be shown.
    """

    title: str
    run: Run
    metadata: Mapping[str, str]
    tokens: Array
    lengths: Array
    targets: Array | None
    samples: Array | None
    basis: Projection | None

    def __init__(self) -> None:
        self.bad_steps: dict[int, BadStep] = {}
        # The entries that were looked at last, and the `names` among them.
        self._named: tuple[object, frozenset[str]] = None, frozenset()

    @property
    @abstractmethod
    def epochs(self) -> Array:
        """The recorded epochs, (E,) int64, ascending; more of them while a run is recorded."""

    @property
    @abstractmethod
    def sizes(self) -> Mapping[str, int]:
        """The letters of the shapes, those that are known: "N", "L", "H", "T", "d", "V", ..."""

    @property
    @abstractmethod
    def entries(self) -> Mapping[str, Entry]:
        """Every array there is, also those that a trace does not know."""

    @abstractmethod
    def scalars(self, name: str) -> Array:
        """Return `scalar.<name>` for each epoch, (C,) float64; NaN and infinities are data.

        "epoch" holds the epochs themselves. Raises KeyError, Problem.
        """

    @abstractmethod
    def chunks(self, name: str) -> Iterator[Chunk]:
        """Yield the bytes of an array in order, a few MiB at a time. Raises Problem."""

    @abstractmethod
    def snapshot(self) -> Trace:
        """Return a trace of what there is now, which does not grow."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the files."""

    @abstractmethod
    def _block(self, name: str, lead: tuple[int, ...]) -> Array:
        """Return the numbers below the leading indices of a stored array, as they are stored."""

    @property
    def names(self) -> frozenset[str]:
        """The arrays that there are and a trace knows; views say what is not there."""
        entries = self.entries
        if self._named[0] is not entries:
            known = frozenset(name for name in entries if array_spec(name) is not None)
            self._named = entries, known
        return self._named[1]

    @property
    def recorded(self) -> int:
        """How many steps there are, E."""
        return len(self.epochs)

    def array(
        self,
        name: str,
        step: int,
        sample: int | None = None,
        layer: int | None = None,
        head: int | None = None,
    ) -> Array:
        """Return one step of an array, or the part of it that the indices pick; only that is read.

        Each index given takes its axis away; one for an axis that the array does not have (a head
        of x) is passed over, so that a whole cursor may be given. F16 is handed out as float32.

        Raises
        ------
        KeyError
            Where there is no such array.
        IndexError
        BadStep
            Where it holds NaN or an infinity; scores may be −inf where the weight is 0.
        Problem
            Where the file cannot be read any more.
        """
        array = self._part(name, step, sample, layer, head)
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            fine = np.isfinite(array)
            if name == "scores":
                # Reads the weights only where a score is no number.
                fine |= np.isneginf(array) & (self._part("weights", step, sample, layer, head) == 0)
            if not fine.all():
                raise self._bad(name, step)
        return read_only(array)

    def step(self, step: int) -> Step:
        """Return a recorded step by its index, 0 to E − 1. Raises IndexError."""
        if not 0 <= step < self.recorded:
            raise IndexError(step)
        return Step(self, step)

    def step_at(self, epoch: int) -> int:
        """Return the index of the last step recorded at or before an epoch (0 at the least)."""
        return max(0, int(np.searchsorted(self.epochs, epoch, side="right")) - 1)

    def words(self, sample: int) -> tuple[str, ...]:
        """Return the words of a sample, without padding and target. Untrusted plain text."""
        real = self.tokens[sample, : self.lengths[sample]]
        return tuple(self.run.vocabulary[token] for token in real)

    def target(self, sample: int) -> str | None:
        """Return the word to be predicted after a sample; None where that is not recorded."""
        return None if self.targets is None else self.run.vocabulary[self.targets[sample]]

    def _part(
        self, name: str, step: int, sample: int | None, layer: int | None, head: int | None
    ) -> Array:
        spec = array_spec(name)
        if spec is None or not spec.per_step or name not in self.entries:
            raise KeyError(name)
        shape = self.entries[name].shape
        chosen = {"E": step, "N": sample, "L": layer, "H": head}
        index = [chosen.get(axis) for axis in spec.shape]
        for place, size in zip(index, shape, strict=True):
            if place is not None and not 0 <= place < size:
                raise IndexError(f"{name}: {place} is not within 0 to {size - 1}")
        lead: list[int] = []
        for place in index:
            if place is None:
                break
            lead.append(place)
        rest = tuple(slice(None) if place is None else place for place in index[len(lead) :])
        return widened(self._block(name, tuple(lead))[rest])

    def _bad(self, name: str, step: int) -> BadStep:
        problem = BadStep(
            N_("{file}: {name} of epoch {epoch} holds values that are not numbers."),
            step=step,
            name=name,
            file=self.title,
            epoch=int(self.epochs[step]),
        )
        self.bad_steps[step] = problem
        return problem


@dataclass(frozen=True)
class Step:
    """One recorded epoch of a trace."""

    trace: Trace
    index: int

    @property
    def epoch(self) -> int:
        """After how many passes over the corpus it was recorded."""
        return int(self.trace.epochs[self.index])

    def array(
        self,
        name: str,
        sample: int | None = None,
        layer: int | None = None,
        head: int | None = None,
    ) -> Array:
        """Return what `Trace.array` does for this step."""
        return self.trace.array(name, self.index, sample, layer, head)


def from_bytes(data: Chunk, dtype: str, shape: tuple[int, ...]) -> Array:
    """Return stored numbers as an array; `dtype` as in a safetensors header."""
    return np.frombuffer(data, dtype=_TYPES[dtype]).reshape(shape)


def widened(array: Array) -> Array:
    """Return half precision as float32 and integers as int64, the rest as it is."""
    if array.dtype.kind == "i":
        return array.astype(np.int64)
    return cast(array, "<f4") if array.dtype.itemsize == 2 else array


def stored(array: Array, dtype: str) -> Array:
    """Return numbers as they are stored; what is too large becomes an infinity."""
    return cast(array, _TYPES[dtype])


def cast(array: ArrayLike, dtype: str) -> Array:
    """Return a copy of another type, silently: NaN and infinities are data here."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.array(array, dtype=dtype, order="C")
