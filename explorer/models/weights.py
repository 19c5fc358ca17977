"""The weights of a folder: found by header, checked before anything is read, read when first used.

F16 and BF16 are widened when they are read; nothing is mapped, nothing is unpickled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.models.folders import INDEX, WEIGHTS, inside, read_json
from explorer.text import N_, Problem, displayable
from explorer.traces.container import Entry, read_contents
from explorer.traces.files import ReadFile

_LARGEST_INDEX = 32 * 2**20
_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
# Gains and biases of layer norms in files that began as TensorFlow's.
_OLD_NAMES = {"LayerNorm.gamma": "LayerNorm.weight", "LayerNorm.beta": "LayerNorm.bias"}

Array = NDArray[Any]


@dataclass(frozen=True)
class WeightPlace:
    """Where the weights of one role lie.

    name : of the tensor, without the family's prefix
    shape : that the tensor must have
    pick : what of it belongs to the role, where several share a tensor; also turns it to (out, in)
    """

    name: str
    shape: tuple[int, ...]
    pick: Callable[[Array], Array] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class _Place:
    file: ReadFile
    entry: Entry


class Weights:
    """The tensors of a model folder by name, each read and widened when it is first asked for.

    Raises Problem where the folder's files are not as they must be.
    """

    def __init__(self, folder: Path) -> None:
        self._places: dict[str, _Place] = {}
        self._read: dict[str, Array] = {}
        self.read_bytes = 0
        index = folder / INDEX
        if (folder / WEIGHTS).exists() or not index.exists():
            self._add(folder, WEIGHTS, None)
        else:
            for name, tensors in _shards(folder, index).items():
                self._add(folder, name, tensors)
        self.nbytes = sum(place.entry.nbytes for place in self._places.values())

    @property
    def count(self) -> int:
        """How many weights there are."""
        return sum(
            math.prod(place.entry.shape)
            for place in self._places.values()
            if place.entry.dtype in _TYPES
        )

    @property
    def types(self) -> list[str]:
        """The types that the numbers are kept in, such as "F32"."""
        return sorted({place.entry.dtype for place in self._places.values()} & _TYPES.keys())

    @property
    def names(self) -> Iterable[str]:
        """The names of all tensors."""
        return self._places.keys()

    def without_prefix(self, prefix: str) -> None:
        """Call the tensors by their names without the prefix that a model with a head has."""
        places: dict[str, _Place] = {}
        for old, place in self._places.items():
            name = old.removeprefix(prefix + ".")
            for end, new in _OLD_NAMES.items():
                if name.endswith(end):
                    name = name.removesuffix(end) + new
            if name in places:
                raise Problem(
                    N_("{file}: {array} appears twice: take it from the model's source."),
                    file=place.file.name,
                    array=displayable(name, 64),
                )
            places[name] = place
        self._places = places

    def check(self, parts: Iterable[WeightPlace]) -> None:
        """Raise a Problem naming the first tensor that is missing, or of another shape or type."""
        for part in parts:
            place = self._places.get(part.name)
            if place is None:
                raise Problem(
                    N_("The weights lack {array}: take all files from the model's source."),
                    array=displayable(part.name, 64),
                )
            entry, file = place.entry, place.file.name
            if entry.dtype not in _TYPES:
                raise Problem(
                    N_(
                        "{file}: {array} has the type {found}, but only F32, F16 and BF16 can be"
                        " read: save the model in one of them."
                    ),
                    file=file,
                    array=displayable(part.name, 64),
                    found=entry.dtype,
                )
            if entry.shape != part.shape:
                raise Problem(
                    N_(
                        "{file}: {array} has the shape {found}, but config.json asks for {wanted}:"
                        " take both files from the same source."
                    ),
                    file=file,
                    array=displayable(part.name, 64),
                    found=_shape(entry.shape),
                    wanted=_shape(part.shape),
                )

    def whole(self, part: WeightPlace, dtype: type[np.floating]) -> Array:
        """Return the weights of a role, kept once they were read. Raises Problem for NaN."""
        if part.name not in self._read:
            place = self._places[part.name]
            data = place.file.read(place.entry.start, place.entry.nbytes)
            self._read[part.name] = self._decoded(part.name, place, place.entry, data, dtype)
        array = self._read[part.name]
        return array if part.pick is None else part.pick(array)

    def read(
        self,
        parts: Iterable[WeightPlace],
        dtype: type[np.floating],
        report: Callable[[int, int], None],
    ) -> None:
        """Read the weights of several roles now. Raises Problem for NaN.

        report : called with the bytes read so far and of all; may raise to stop
        """
        wanted = {part.name: part for part in parts}
        sizes = {name: self._places[name].entry.nbytes for name in wanted}
        done, total = 0, sum(sizes.values())
        for name, part in wanted.items():
            self.whole(part, dtype)
            done += sizes[name]
            report(done, total)

    def rows(self, part: WeightPlace, rows: Array, dtype: type[np.floating]) -> Array:
        """Return some rows of a table, of which only these are read. Raises Problem for NaN."""
        if part.name in self._read:
            return self._read[part.name][rows]
        place = self._places[part.name]
        wanted, where = np.unique(rows, return_inverse=True)
        entry = Entry(place.entry.dtype, (len(wanted), *part.shape[1:]))
        each = entry.nbytes // len(wanted)
        # Rows that follow each other are read together.
        together = np.split(wanted, np.flatnonzero(np.diff(wanted) != 1) + 1)
        data = b"".join(
            place.file.read(place.entry.start + int(run[0]) * each, len(run) * each)
            for run in together
        )
        return self._decoded(part.name, place, entry, data, dtype)[where]

    def close(self) -> None:
        """Close the files."""
        for place in self._places.values():
            place.file.close()

    def _add(self, folder: Path, name: str, tensors: set[str] | None) -> None:
        file = ReadFile(inside(folder, name))
        try:
            entries = read_contents(file.read, file.size).entries
        except Problem as problem:
            raise Problem(N_("{file}: {reason}"), file=name, reason=problem.message) from None
        if tensors is not None and tensors - entries.keys():
            raise Problem(
                N_("{file}: {array} is missing, though {index} says that it is there."),
                file=name,
                array=displayable(min(tensors - entries.keys()), 64),
                index=INDEX,
            )
        for array, entry in entries.items():
            if array in self._places:
                raise Problem(
                    N_("{file}: {array} appears twice: take it from the model's source."),
                    file=name,
                    array=displayable(array, 64),
                )
            self._places[array] = _Place(file, entry)

    def _decoded(
        self, name: str, place: _Place, entry: Entry, data: bytes, dtype: type[np.floating]
    ) -> Array:
        self.read_bytes += len(data)
        array = np.asarray(decoded(data, entry), dtype)
        # NaN goes through both; much faster than looking at each number.
        if array.size and not (np.isfinite(array.min()) and np.isfinite(array.max())):
            raise Problem(
                N_("{file}: {array} holds values that are not numbers: take it from its source."),
                file=place.file.name,
                array=displayable(name, 64),
            )
        return array


def decoded(data: bytes, entry: Entry) -> Array:
    """Return an array of a safetensors file, BF16 as float32. Raises KeyError for other types."""
    array = np.frombuffer(data, _TYPES[entry.dtype])
    if entry.dtype == "BF16":  # the upper half of a float32
        array = (array.astype(np.uint32) << 16).view(np.float32)
    return array.reshape(entry.shape)


def _shards(folder: Path, index: Path) -> Mapping[str, set[str]]:
    """Return the tensors of each shard, as the index names them. Raises Problem."""
    told = read_json(folder, index.name, _LARGEST_INDEX)
    shards: dict[str, set[str]] = {}
    places = told.get("weight_map") if isinstance(told, dict) else None
    if (
        not isinstance(places, dict)
        or not places
        or not all(isinstance(file, str) for file in places.values())
    ):
        raise Problem(
            N_('{file}: "weight_map" must name the file of each tensor.'), file=index.name
        )
    for tensor, file in places.items():
        shards.setdefault(file, set()).add(tensor)
    return shards


def _shape(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape)) or "1"
