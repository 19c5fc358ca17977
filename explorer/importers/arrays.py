"""NumPy's `.npz` and `.npy` files as scenes: arrays by the names that scene files use.

X is needed, of shape (T, d); Wq, Wk, Wv, bq, bk, bv, Wo and bo may follow, as in a scene file, and
`tokens` with T names. The one array of an `.npy` file is X. Nothing is unpickled.
"""

from __future__ import annotations

import math
import zipfile
import zlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from explorer.importers.sniffs import begin_of
from explorer.models.array_files import read_header
from explorer.session.scene import PARAMETERS, Scene
from explorer.session.scene_file import FORMAT, VERSION, parse_scene
from explorer.text import N_, Listing, Problem, displayable, why_refused

NAMES = ("tokens", "X", *PARAMETERS)
LARGEST = 32 * 10**6  # bytes of one array
_ZIP, _NPY = b"PK\x03\x04", b"\x93NUMPY"


def is_arrays(path: Path) -> bool:
    """Return whether a file begins as an array does; a zip file also has to be called .npz."""
    begin = begin_of(path, 6)
    return begin == _NPY or (begin[:4] == _ZIP and path.suffix.lower() == ".npz")


def read_arrays(path: Path) -> Scene:
    """Return the scene of a file's arrays, called as the file is. Raises Problem."""
    try:
        arrays = _npz(path) if begin_of(path, 4) == _ZIP else {"X": _npy(path, "X")}
    except OSError as error:
        reason: object = why_refused(error)
    except Problem as problem:
        reason = problem.message
    else:
        return scene_of(arrays, path)
    raise Problem(N_("{file}: {reason}"), file=displayable(path.name, 64), reason=reason)


def scene_of(arrays: Mapping[str, np.ndarray[Any, Any]], path: Path) -> Scene:
    """Return the scene of arrays by name, called as their file is. Raises Problem."""
    fields = {name: array.tolist() for name, array in arrays.items()}
    fields.setdefault("tokens", [str(number) for number in range(1, _rows(arrays["X"]) + 1)])
    head = {"format": FORMAT, "version": VERSION, "title": displayable(path.stem)}
    # Read as a scene file, so that it is checked, and told, in the same words.
    return parse_scene(msgspec.json.encode(head | fields), path.name)


def _rows(X: np.ndarray[Any, Any]) -> int:
    return X.shape[0] if X.ndim else 0


def _npz(path: Path) -> dict[str, np.ndarray[Any, Any]]:
    damaged = Problem(N_("The file is damaged: save it again with numpy.savez."))
    try:
        with zipfile.ZipFile(path) as file:
            names = [name.removesuffix(".npy") for name in file.namelist()]
            for name in names:
                if name not in NAMES:
                    raise Problem(
                        N_("The array {name} is not known. Use only {names}."),
                        name=displayable(name, 24),
                        names=Listing.of(NAMES),
                    )
            if "X" not in names:
                raise Problem(N_("The array X is missing: a row for each token."))
            found = {}
            for name in dict.fromkeys(names):
                with file.open(f"{name}.npy") as member:
                    found[name] = _array(member.read(LARGEST + 1), name)
            return found
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError) as error:
        raise damaged from error
    except RuntimeError as error:  # a password is asked for
        raise damaged from error


def _npy(path: Path, name: str) -> np.ndarray[Any, Any]:
    with path.open("rb") as file:
        return _array(file.read(LARGEST + 1), name)


def _array(data: bytes, name: str) -> np.ndarray[Any, Any]:
    """Return an array of numbers, or of names where it is called tokens. Raises Problem."""
    if len(data) > LARGEST:
        raise Problem(N_("{field} is larger than {most} MB."), field=name, most=LARGEST // 10**6)
    damaged = Problem(N_("{field} is damaged: save the file again with NumPy."), field=name)
    texts = name == "tokens"
    try:
        file = BytesIO(data)
        shape, by_column, dtype = read_header(file)
        if dtype.kind not in ("U" if texts else "fiub") or dtype.fields is not None:
            wanted = N_("{field} must hold texts.") if texts else N_("{field} must hold numbers.")
            raise Problem(wanted, field=name)
        if len(data) - file.tell() != dtype.itemsize * math.prod(shape):
            raise damaged
        if name == "X" and len(shape) > 2:
            raise Problem(
                N_(
                    "X has {axes} axes: it must be a table, one row per token. "
                    "Weights of attention are read from an .npz file, as an array called weights."
                ),
                axes=len(shape),
            )
        numbers = np.frombuffer(data, dtype, math.prod(shape), file.tell())
    except ValueError as error:
        raise damaged from error
    array = numbers.reshape(shape, order="F" if by_column else "C")
    return array if texts else array.astype(np.float64)
