"""Attention opened in a window of its own, and files of arrays for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from explorer.models.arrays import run_of, to_numpy
from explorer.processes import TEMPORARY, has_display
from explorer.text import N_, Problem, displayable, why_refused
from explorer.traces.container import Entry, write_contents
from explorer.traces.files import check_place, replacing

Array = NDArray[Any]
_DTYPES = {"float32": "F32", "float64": "F64", "bool": "BOOL"}


def view(
    path: str | os.PathLike[str] | None = None,
    *,
    tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
    **arrays: Any,
) -> None:
    """Open attention in a window of its own, which outlives the script; returns at once.

    Parameters
    ----------
    path : path, optional
        Anything that the program opens, in place of arrays.
    tokens, key_tokens : sequence of str, optional
        Names of the queries and of the keys; numbered without.
    **arrays : array, tensor, or a list of one a layer
        q, k, v, weights, scores, mask, scale or attentions, as `explorer.models.run_of` takes them.
        The window reads them from a temporary file, and removes it at its end.

    Raises
    ------
    Problem
        Where there is no display, or the arrays are not as they must be.
    """
    if path is not None:
        if arrays:
            raise Problem(N_("Give either a path or arrays."))
        if not Path(path).exists():
            raise Problem(N_("There is no file {file}."), file=displayable(str(path), 120))
        _check_display()
        _start("explorer", str(path))
        return
    run_of(arrays, tokens=tokens, key_tokens=key_tokens)  # says here what is wrong with them
    single: dict[str, Array] = {}
    for name, value in arrays.items():
        if isinstance(value, list | tuple):
            single |= {f"{name}.{i}": to_numpy(each) for i, each in enumerate(value)}
        else:
            single[name] = to_numpy(value)
    in_window(lambda file: write_arrays(single, file, tokens, key_tokens))


def _check_display() -> None:
    if not has_display():
        raise Problem(
            N_("There is no display to open a window on; save the arrays and open them elsewhere.")
        )


def in_window(write: Callable[[Path], None]) -> None:
    """Open a window on a file that is written for it alone."""
    _check_display()
    folder = Path(tempfile.mkdtemp(prefix=TEMPORARY))
    file = folder / "attention.safetensors"
    try:
        write(file)
        _start("explorer.app.temporary", str(file))
    except BaseException:
        file.unlink(missing_ok=True)
        folder.rmdir()
        raise


def _start(module: str, file: str) -> None:
    """Start a window that goes on when this process ends."""
    quiet = subprocess.DEVNULL
    subprocess.Popen(
        [sys.executable, "-m", module, file],
        stdin=quiet,
        stdout=quiet,
        stderr=quiet,
        start_new_session=True,
    )


def write_arrays(
    arrays: dict[str, Array],
    path: Path,
    tokens: Sequence[str] | None,
    key_tokens: Sequence[str] | None,
) -> None:
    entries = {name: Entry(_DTYPES[a.dtype.name], a.shape) for name, a in arrays.items()}
    told = {"format": "attention-explorer/arrays", "version": "1"}
    for name, names in (("tokens", tokens), ("key_tokens", key_tokens)):
        if names is not None:
            told[name] = json.dumps(tuple(names), ensure_ascii=False)
    check_place(path)
    try:
        with replacing(path) as file:
            write_contents(file, entries, told, lambda name: [arrays[name].tobytes()])
    except (OSError, ValueError) as error:
        raise _not_saved(path, error) from None


def _not_saved(path: Path, error: OSError | ValueError) -> Problem:
    return Problem(
        N_("{file} cannot be saved: {reason}."),
        file=displayable(path.name or str(path)),
        reason=why_refused(error),
    )
