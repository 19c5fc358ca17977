"""The safetensors container: eight bytes of length, a JSON header, then the arrays end to end.

Read and written here rather than by its library, because the library maps what it reads, holds in
memory what it writes, and accepts names that occur twice.
https://huggingface.co/docs/safetensors#format
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import IO, Any

import msgspec

from explorer.text import N_, Problem, displayable

LARGEST_HEADER = 32 * 10**6  # bytes
_LARGE = 10**6  # bytes from which on junk is refused before it becomes lists
_NO_FIELDS = N_("This is not a safetensors file: its header is not a group of fields.")

_METADATA = "__metadata__"
_BITS = {
    **dict.fromkeys(("C64", "F64", "I64", "U64"), 64),
    **dict.fromkeys(("F32", "I32", "U32"), 32),
    **dict.fromkeys(("F16", "BF16", "I16", "U16"), 16),
    **dict.fromkeys(("BOOL", "I8", "U8", "F8_E4M3", "F8_E5M2", "F8_E8M0"), 8),
    **dict.fromkeys(("F8_E4M3FNUZ", "F8_E5M2FNUZ"), 8),
    **dict.fromkeys(("F6_E2M3", "F6_E3M2"), 6),
    "F4": 4,
}

Chunk = bytes | memoryview


@dataclass(frozen=True)
class Entry:
    """One array of a file.

    dtype : its name in the header, for example "F32"
    shape : tuple of int
    start : the place of its first byte in the file; 0 where it is in none yet
    """

    dtype: str
    shape: tuple[int, ...]
    start: int = 0

    @property
    def nbytes(self) -> int:
        """How many bytes its numbers take."""
        return math.prod(self.shape) * _BITS[self.dtype] // 8


def block(entry: Entry, lead: tuple[int, ...]) -> tuple[int, Entry]:
    """Return where the numbers below the leading indices of an array are, and what they are.

    The place is counted from where that of `entry` is; they lie in one piece.
    """
    inner = Entry(entry.dtype, entry.shape[len(lead) :])
    index = 0
    for i, size in zip(lead, entry.shape, strict=False):
        index = index * size + i
    return entry.start + index * inner.nbytes, inner


@dataclass(frozen=True)
class Contents:
    """What a header says: the arrays by name, and the metadata."""

    entries: Mapping[str, Entry]
    metadata: Mapping[str, str]


def read_contents(read: Callable[[int, int], bytes], size: int) -> Contents:
    """Return what the header of a file says, checked against the file's size.

    Parameters
    ----------
    read : callable
        Returns `count` bytes from `start`.
    size : int
        Of the file, in bytes.

    Raises
    ------
    Problem
        One sentence that names the array and the reason, but not the file.
    """
    if size < 8:
        raise Problem(N_("This is not a safetensors file: it is too short."))
    length = int.from_bytes(read(0, 8), "little")
    if length > LARGEST_HEADER:
        raise Problem(N_("This is not a safetensors file, or its first bytes are damaged."))
    if length > size - 8:
        raise Problem(N_("The file is cut off within its header."))
    header = _decoded(read(8, length))
    metadata = header.pop(_METADATA, {})
    if not isinstance(metadata, dict) or not all(isinstance(v, str) for v in metadata.values()):
        raise Problem(N_("Its metadata must be texts."))
    entries = {name: _entry(name, value, 8 + length) for name, value in header.items()}
    _check_places(entries, 8 + length, size)
    return Contents(entries, metadata)


def write_contents(
    file: IO[bytes],
    entries: Mapping[str, Entry],
    metadata: Mapping[str, str],
    chunks: Callable[[str], Iterable[Chunk]],
) -> None:
    """Write a whole safetensors file, holding one chunk at a time.

    Parameters
    ----------
    entries : mapping of str to Entry
        The arrays; `start` is not read.
    chunks : callable
        Returns the bytes of an array, in order.

    Raises
    ------
    Problem
        Where the header would be larger than can be opened again.
    OSError
    """
    # Wide numbers first, so that each array begins at a multiple of its numbers' width.
    names = sorted(entries, key=lambda name: (-_BITS[entries[name].dtype], name))
    header: dict[str, Any] = {_METADATA: dict(metadata)}
    place = 0
    for name in names:
        entry = entries[name]
        end = place + entry.nbytes
        header[name] = {
            "dtype": entry.dtype,
            "shape": list(entry.shape),
            "data_offsets": [place, end],
        }
        place = end
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    if len(text) > LARGEST_HEADER:
        raise Problem(N_("The corpus is too large to be kept with its run: shorten it."))
    file.write(len(text).to_bytes(8, "little"))
    file.write(text)
    for name in names:
        written = 0
        for chunk in chunks(name):
            written += file.write(chunk)
        if written != entries[name].nbytes:
            raise ValueError(
                f"{name} has {written} bytes, but {entries[name].nbytes} are expected."
            )


def _decoded(data: bytes) -> dict[str, Any]:
    if len(data) > _LARGE:
        try:
            msgspec.json.decode(data, type=dict[str, dict[str, str | list[int]]])
        except msgspec.ValidationError:
            raise Problem(_NO_FIELDS) from None
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            pass  # what is wrong is said below
    try:
        # What no UTF-8 can hold is refused here as well: it could not be saved again. Whole numbers
        # are left to the reader itself: asking a function for each takes seconds.
        header = json.loads(
            data.decode(),
            object_pairs_hook=_unique,
            parse_float=_no_number,
            parse_constant=_no_number,
        )
    except (ValueError, RecursionError):
        raise Problem(N_("This is not a safetensors file: its header is not JSON.")) from None
    if not isinstance(header, dict):
        raise Problem(_NO_FIELDS)
    return header


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise _wrong(name, N_("{array} appears twice."))
        name.encode()
        if isinstance(value, str):
            value.encode()
        fields[name] = value
    return fields


def _no_number(text: str) -> Any:
    raise ValueError(text)


def _entry(name: str, value: Any, data: int) -> Entry:
    if not isinstance(value, dict) or value.keys() != {"dtype", "shape", "data_offsets"}:
        raise _wrong(name, N_("{array} must be described by dtype, shape and data_offsets alone."))
    dtype, shape, offsets = value["dtype"], value["shape"], value["data_offsets"]
    if not isinstance(dtype, str) or dtype not in _BITS:
        found = displayable(str(dtype), 20)
        raise _wrong(name, N_("{array} has the type {found}, which is unknown."), found=found)
    if not _counts(shape):
        raise _wrong(name, N_("The shape of {array} must be a list of counts."))
    if not _counts(offsets) or len(offsets) != 2:
        raise _wrong(name, N_("The offsets of {array} must be two counts."))
    entry = Entry(dtype, tuple(shape), data + offsets[0])
    if len(shape) > 32 or offsets[1] - offsets[0] != entry.nbytes:
        raise _wrong(name, N_("{array} does not have as many bytes as its type and shape need."))
    return entry


def _wrong(array: str, sentence: str, **said: object) -> Problem:
    """Return what is wrong with the description of an array."""
    return Problem(sentence, array=displayable(array, 64), **said)


def _counts(value: Any) -> bool:
    return isinstance(value, list) and all(type(n) is int and 0 <= n < 2**63 for n in value)


def _check_places(entries: Mapping[str, Entry], data: int, size: int) -> None:
    """Raise a Problem unless the arrays fill the file from `data` on, without gap or overlap."""
    place = data
    for name, entry in sorted(entries.items(), key=lambda item: (item[1].start, item[1].nbytes)):
        if entry.start != place:
            template = N_("{array} overlaps the array before it.")
            if entry.start > place:
                template = N_("There is a gap before {array}.")
            raise _wrong(name, template)
        place += entry.nbytes
    if place > size:
        raise Problem(
            N_("The file is cut off: {missing} bytes are missing at its end."),
            missing=place - size,
        )
    if place < size:
        raise Problem(N_("{extra} bytes at the file's end belong to no array."), extra=size - place)
