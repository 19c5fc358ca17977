"""A training loop of one's own, recorded as a run.

with explorer.record("run.safetensors", tokens=words) as run:
    for epoch in range(100):
        ...
        run.step(epoch, weights=weights, loss=loss)
"""

from __future__ import annotations

import atexit
import os
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from explorer.models.arrays import to_numpy
from explorer.notebook.view import Array
from explorer.text import N_, Problem, displayable
from explorer.traces import Run, SpoolTrace, SpoolWriter, save_trace
from explorer.traces.files import check_place

# What `Recording.step` takes, and how many axes it has for one head, or one layer of x and output.
_STEP = {"weights": 2, "scores": 2, "q": 2, "k": 2, "v": 2, "head_output": 2, "x": 2, "output": 2}
_WITHOUT_HEADS = ("x", "output")


class Recording:
    """A run of one's own training loop, kept as it grows; saved when it is closed.

    Use it in a `with` block, or call `close`; what is open when Python ends is saved then.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        tokens: Sequence[str] | Sequence[Sequence[str]],
    ) -> None:
        self.path = Path(path)
        check_place(self.path)
        several = not all(isinstance(each, str) for each in tokens)
        samples = [list(map(str, each)) for each in (tokens if several else [tokens])]
        if not samples or not all(samples):
            raise Problem(N_("Name the tokens of the text that is recorded, at least one."))
        vocabulary = {word: i for i, word in enumerate(dict.fromkeys(chain.from_iterable(samples)))}
        longest = max(map(len, samples))
        self._samples, self._length = len(samples), longest
        ids = [[vocabulary[word] for word in each] for each in samples]
        self._temporary = tempfile.TemporaryDirectory(prefix="explorer-run-")
        self._folder = Path(self._temporary.name) / "run"
        self._writer: SpoolWriter | None = SpoolWriter(
            self._folder,
            Run(vocabulary=tuple(vocabulary), created=datetime.now(UTC).isoformat("T", "seconds")),
            tokens=[[*each, *[0] * (longest - len(each))] for each in ids],
            lengths=[len(each) for each in ids],
        )
        self._recorded = False
        atexit.register(self.close)

    def step(self, epoch: int, **values: Any) -> None:
        """Record an epoch; epochs ascend.

        Parameters
        ----------
        epoch : int
            Any count that ascends from 0 or more.
        weights : (T, T), (H, T, T), (L, H, T, T) or (N, L, H, T, T), or a list of one a layer
            Also `q`, `k`, `v`, `head_output`, `scores`; `x` and `output` without head axis. N is
            there where several texts are recorded. Tensors or arrays; the first step says which
            there are. A step without weights records its other numbers alone.
        **values : float
            `loss`, `accuracy` and any other number of the epoch.

        Raises
        ------
        Problem
        """
        if self._writer is None:
            raise Problem(N_("The recording is closed: begin another."))
        arrays = {name: values.pop(name) for name in _STEP if values.get(name) is not None}
        numbers = {name: _number(name, value) for name, value in values.items()}
        made = {name: self._fitted(name, value) for name, value in arrays.items()}
        if arrays and "weights" not in arrays:
            raise Problem(N_("A step of arrays needs weights: give them with the others."))
        try:
            if made:
                self._writer.record(int(epoch), made)
                self._recorded = True
            if numbers:
                self._writer.scalar(int(epoch), **numbers)
        except ValueError as error:
            raise Problem(
                N_("Epoch {epoch} cannot be recorded: {reason}."), epoch=epoch, reason=str(error)
            ) from None
        if self._writer.problem is not None:
            raise self._writer.problem

    def save(self) -> None:
        """Save what was recorded so far. Raises Problem where that is nothing."""
        if self._writer is None or not self._recorded:
            raise Problem(N_("Nothing has been recorded yet, so there is nothing to save."))
        self._writer.flush()
        trace = SpoolTrace(self._folder)
        try:
            save_trace(trace, self.path).close()
        finally:
            trace.close()

    def close(self) -> None:
        """Save what was recorded, if anything, and end the recording; twice is once."""
        if self._writer is None:
            return
        try:
            if self._recorded:
                self.save()
        finally:
            self._writer.close()
            self._writer = None
            self._temporary.cleanup()
            atexit.unregister(self.close)

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()

    def _fitted(self, name: str, value: Any) -> Array:
        """Return an array with the axes (N, L, H, T, ...), or (N, L, T, ...) without heads."""
        core = _STEP[name] + (name not in _WITHOUT_HEADS)  # axes of one layer of one sample
        if isinstance(value, list | tuple):
            layers = [to_numpy(each) for each in value]
            if not layers or len({each.shape for each in layers}) != 1:
                raise _wrong(name, layers[0] if layers else np.zeros(0))
            if layers[0].ndim == core:
                layers = [each[None] for each in layers]
            array = np.stack(layers, axis=1)
        else:
            array = to_numpy(value)
        if 2 <= array.ndim < core + 2:
            array = array.reshape((1,) * (core + 2 - array.ndim) + array.shape)
        lengths = array.shape[-2:] if name in ("weights", "scores") else array.shape[-2:-1]
        fits = array.ndim == core + 2 and len(array) == self._samples
        if not fits or set(lengths) != {self._length}:
            raise _wrong(name, array, self._length)
        return array.astype(np.float32)


def _number(name: str, value: Any) -> float:
    array = to_numpy(value)
    if array.size != 1 or array.dtype.kind not in "fb":
        raise Problem(N_("{name} must be one number."), name=displayable(name, 64))
    return float(array.item())


def _wrong(name: str, array: Array, length: int = 0) -> Problem:
    if name in ("weights", "scores") and array.ndim > 1 and array.shape[-1] != array.shape[-2]:
        return Problem(
            N_(
                "{array} has the shape {found}: attention to other tokens cannot be recorded over"
                " time; save one step with explorer.capture."
            ),
            array=name,
            found=" × ".join(map(str, array.shape)),
        )
    return Problem(
        N_("{array} has the shape {found}, which does not fit {count} tokens."),
        array=name,
        found=" × ".join(map(str, array.shape)) or "1",
        count=length,
    )


def record(
    path: str | os.PathLike[str], *, tokens: Sequence[str] | Sequence[Sequence[str]]
) -> Recording:
    """Return a recording of a training loop of one's own: call its `step` where it should be seen.

    It becomes a trace file, which Train opens, when it is closed.

    path : a .safetensors file
    tokens : the names of the tokens of the text that the arrays are of, or a list of them a text

    Raises Problem where nothing can be saved there.
    """
    return Recording(path, tokens)
