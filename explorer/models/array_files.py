"""Files of arrays, `.npz` or `.safetensors`, read into a run.

Nothing is unpickled, and sizes are checked before anything is read.
"""

from __future__ import annotations

import math
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any

import msgspec
import numpy as np
from numpy.lib import format as npy

from explorer.models.array_run import ArrayRun
from explorer.models.arrays import known, run_of
from explorer.models.run import Array
from explorer.models.weights import decoded
from explorer.text import N_, Problem, displayable
from explorer.traces.container import read_contents
from explorer.traces.files import ReadFile

_LONGEST = 10_000  # characters of a header
_READ: dict[tuple[int, int], Callable[..., Any]] = {
    (1, 0): npy.read_array_header_1_0,
    (2, 0): npy.read_array_header_2_0,
}
MOST_BYTES = 10**9  # of all arrays that are read
_FLOATS = {"F64", "F32", "F16", "BF16"}


def read_header(file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Return an array's shape, whether it goes column by column, and its type.

    The file is left where the numbers begin. Raises ValueError for whatever is no such header.
    """
    try:
        read = _READ[npy.read_magic(file)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that Python 2 wrote it
            shape, by_column, dtype = read(file, max_header_size=_LONGEST)
    except (KeyError, TypeError, SyntaxError, TokenError, EOFError, OverflowError) as error:
        raise ValueError(str(error)) from None
    if min(shape, default=0) < 0:
        raise ValueError(f"shape {shape}")
    return shape, by_column, dtype


def read_arrays(
    path: str | Path,
    *,
    tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
    sample: int = 1,
) -> ArrayRun:
    """Read a file of arrays into a run.

    Parameters
    ----------
    path : a .npz or .safetensors file
    tokens, key_tokens : sequence of str, optional
        In place of those in the file; without any they are numbered.
    sample : int
        Which sample of a batch, from 1.

    Raises
    ------
    Problem
        One sentence that names the file, the array and the reason.
    """
    path = Path(path)
    file = ReadFile(path)
    try:
        start = file.read(0, min(4, file.size))
        arrays, names = (_npz if start[:2] == b"PK" else _safetensors)(file)
        told: dict[str, Sequence[str]] = dict(names)
        if tokens is not None:
            told = {"tokens": tokens}
        if key_tokens is not None:
            told["key_tokens"] = key_tokens
        return run_of(
            arrays, tokens=told.get("tokens"), key_tokens=told.get("key_tokens"), sample=sample
        )
    except Problem as problem:
        raise Problem(N_("{file}: {reason}"), file=file.name, reason=problem.message) from None
    finally:
        file.close()


def _safetensors(file: ReadFile) -> tuple[dict[str, Array], dict[str, list[str]]]:
    contents = read_contents(file.read, file.size)
    wanted = {name: entry for name, entry in contents.entries.items() if known(name)}
    _check_size(entry.nbytes for entry in wanted.values())
    arrays = {}
    for name, entry in wanted.items():
        if entry.dtype == "BOOL":
            data = np.frombuffer(file.read(entry.start, entry.nbytes), np.uint8)
            arrays[name] = (data != 0).reshape(entry.shape)
        elif entry.dtype in _FLOATS:
            arrays[name] = decoded(file.read(entry.start, entry.nbytes), entry)
        else:
            raise _wrong_type(name, entry.dtype)
    names = {}
    for what in ("tokens", "key_tokens"):
        if what in contents.metadata:
            try:
                names[what] = msgspec.json.decode(contents.metadata[what], type=list[str])
            except (msgspec.MsgspecError, RecursionError, UnicodeError):
                raise Problem(
                    N_("{what} in its metadata must be a list of texts."), what=what
                ) from None
    return arrays, names


def _npz(file: ReadFile) -> tuple[dict[str, Array], dict[str, list[str]]]:
    arrays, names = {}, {}
    try:
        with zipfile.ZipFile(_Readable(file)) as archive:
            members = {
                info.filename.removesuffix(".npy"): info
                for info in archive.infolist()
                if info.filename.endswith(".npy")
            }
            texts = {"tokens", "key_tokens"}
            wanted = {n: info for n, info in members.items() if known(n) or n in texts}
            _check_size(info.file_size for info in wanted.values())
            for name, info in wanted.items():
                with archive.open(info) as member:
                    array = _npy(name, member, info.file_size)
                if name in texts:
                    if array.dtype.kind != "U" or array.ndim != 1:
                        raise Problem(N_("{array} must be a row of texts."), array=name)
                    names[name] = array.tolist()
                elif array.dtype.kind not in "fiub":
                    raise _wrong_type(name, array.dtype.name)
                else:
                    arrays[name] = array
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        ValueError,
        OSError,
    ) as error:
        raise Problem(
            N_("This is not a file of arrays ({reason})."), reason=displayable(str(error), 120)
        ) from None
    return arrays, names


def _npy(name: str, member: IO[bytes], size: int) -> Array:
    """Return one array; its header is compared with the size before the numbers are inflated."""
    shape, by_column, dtype = read_header(member)
    if dtype.hasobject:
        raise Problem(
            N_("{array} is pickled, which is never opened: save it as numbers."),
            array=displayable(name, 64),
        )
    count = math.prod(shape)
    if dtype.kind not in "fiubU" or count * dtype.itemsize > size:
        raise Problem(
            N_("{array} does not have as many bytes as its type and shape need."),
            array=displayable(name, 64),
        )
    data = member.read(count * dtype.itemsize)
    array = np.frombuffer(data, dtype, count)
    return array.reshape(shape, order="F" if by_column else "C")


def _check_size(sizes: Iterable[int]) -> None:
    total = sum(sizes)
    if total > MOST_BYTES:
        raise Problem(
            N_("Its arrays take {found} MB, but at most {most} are possible."),
            found=total // 10**6,
            most=MOST_BYTES // 10**6,
        )


def _wrong_type(name: str, dtype: str) -> Problem:
    return Problem(
        N_("{array} has the type {found}, but must have one of {allowed}."),
        array=displayable(name, 64),
        found=dtype,
        allowed="F64, F32, F16, BF16",
    )


class _Readable(BytesIO):
    """A file that is read by place, as `zipfile` wants it: nothing is held but the place."""

    def __init__(self, file: ReadFile) -> None:
        super().__init__()
        self._file, self._place = file, 0

    def seek(self, offset: int, whence: int = 0) -> int:
        start = (0, self._place, self._file.size)[whence]
        self._place = max(0, start + offset)
        return self._place

    def tell(self) -> int:
        return self._place

    def read(self, size: int | None = -1) -> bytes:
        left = max(0, self._file.size - self._place)
        count = left if size is None or size < 0 else min(size, left)
        data = self._file.read(self._place, count) if count else b""
        self._place += len(data)
        return data
