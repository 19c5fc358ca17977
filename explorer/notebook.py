"""For scripts and notebooks: attention of any PyTorch model, seen while it runs, and one's own runs
recorded.

    import explorer

    with explorer.capture(tokens=words) as seen:
        model(ids)
    seen.run().head(4, 2).weights
    seen.save("run.safetensors")

    with explorer.record("run.safetensors", tokens=words) as run:
        for epoch in range(100):
            ...
            run.step(epoch, weights=weights, loss=loss)

torch is imported only by `capture`, and only when it is used.
"""

from __future__ import annotations

import atexit
import contextlib
import inspect
import json
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from explorer.models.arrays import ArrayRun, run_of, to_numpy
from explorer.processes import TEMPORARY, has_display
from explorer.text import N_, Problem, displayable, why_refused
from explorer.traces import Run, SpoolTrace, SpoolWriter, save_trace
from explorer.traces.container import Entry, write_contents
from explorer.traces.files import check_place, replacing

if TYPE_CHECKING:
    import torch

Array = NDArray[Any]
_DTYPES = {"float32": "F32", "float64": "F64", "bool": "BOOL"}


@dataclass(frozen=True, eq=False)
class Call:
    """One call of an attention function.

    q : (B, H, T, d_k); k : (B, H_kv, S, d_k); v : (B, H_kv, S, d_v)
        As they enter the product; B samples.
    scale : float
    mask : (B, H, T, S) or None
        With 1 in place of B, H or T where all share it. True where seen, or numbers that are added
        to the scores.
    """

    q: Array = field(repr=False)
    k: Array = field(repr=False)
    v: Array = field(repr=False)
    scale: float
    mask: Array | None = field(repr=False)

    @property
    def lengths(self) -> tuple[int, int]:
        """How many queries and keys there are, T and S."""
        return self.q.shape[-2], self.k.shape[-2]


class Capture:
    """What `capture` has seen.

    Attributes
    ----------
    calls : list of Call
        In the order in which they were made; a layer is a call.
    """

    def __init__(
        self, tokens: Sequence[str] | None = None, key_tokens: Sequence[str] | None = None
    ) -> None:
        self.tokens = None if tokens is None else tuple(tokens)
        self.key_tokens = None if key_tokens is None else tuple(key_tokens)
        self.calls: list[Call] = []
        self._mode: Any = None

    def __enter__(self) -> Capture:
        self._mode = _mode(self.calls)
        self._mode.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._mode.__exit__(kind, error, traceback)
        if error is None and not self.calls:
            warnings.warn(str(_nothing_seen()), stacklevel=2)

    def run(self, *, calls: Collection[int] | None = None, sample: int = 1) -> ArrayRun:
        """Return the run that the calls are, a layer a call.

        calls : which ones, from 0; all by default
        sample : which sample of a batch, from 1

        Raises Problem where nothing was seen, or calls with different lengths.
        """
        return run_of(
            self._arrays(calls),
            tokens=self.tokens,
            key_tokens=self.key_tokens,
            sample=sample,
        )

    def save(self, path: str | os.PathLike[str], *, calls: Collection[int] | None = None) -> None:
        """Save the calls, with all samples, as a file that `explorer.models.read_arrays` reads.

        Raises Problem.
        """
        _write(self._arrays(calls), Path(path), self.tokens, self.key_tokens)

    def view(self, *, calls: Collection[int] | None = None) -> None:
        """Open the calls in a window of its own; returns at once. Raises Problem as `view`."""
        _in_window(lambda path: self.save(path, calls=calls))

    def _arrays(self, calls: Collection[int] | None) -> dict[str, Array]:
        if not self.calls:
            raise _nothing_seen()
        wanted = range(len(self.calls)) if calls is None else sorted(calls)
        for number in wanted:
            if not 0 <= number < len(self.calls):
                raise Problem(
                    N_("There is no call {number}: they go from 0 to {last}."),
                    number=number,
                    last=len(self.calls) - 1,
                )
        lengths = {self.calls[number].lengths for number in wanted}
        if len(lengths) > 1:
            raise Problem(
                N_(
                    "The calls have different lengths ({lengths}): choose those of one text, such"
                    " as calls=range(12)."
                ),
                lengths=", ".join(f"{t} × {s}" for t, s in sorted(lengths)),
            )
        made: dict[str, Array] = {}
        for number in wanted:
            call = self.calls[number]
            made |= {f"q.{number}": call.q, f"k.{number}": call.k, f"v.{number}": call.v}
            made[f"scale.{number}"] = np.array(call.scale)
            if call.mask is not None:
                mask = call.mask
                whole = (len(call.q), mask.shape[1], *call.lengths)
                made[f"mask.{number}"] = np.ascontiguousarray(np.broadcast_to(mask, whole))
        return made


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
            raise Problem(N_("Give a path or arrays: one of them."))
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
    _in_window(lambda file: _write(single, file, tokens, key_tokens))


def _check_display() -> None:
    if not has_display():
        raise Problem(
            N_("There is no display to open a window on; save the arrays and open them elsewhere.")
        )


def _in_window(write: Callable[[Path], None]) -> None:
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


def _write(
    arrays: dict[str, Array],
    path: Path,
    tokens: Sequence[str] | None,
    key_tokens: Sequence[str] | None,
) -> None:
    layout = {name: Entry(_DTYPES[a.dtype.name], a.shape) for name, a in arrays.items()}
    told = {"format": "attention-explorer/arrays", "version": "1"}
    for name, names in (("tokens", tokens), ("key_tokens", key_tokens)):
        if names is not None:
            told[name] = json.dumps(tuple(names), ensure_ascii=False)
    check_place(path)
    try:
        with replacing(path) as file:
            write_contents(file, layout, told, lambda name: [arrays[name].tobytes()])
    except (OSError, ValueError) as error:
        raise _not_saved(path, error) from None


def capture(
    *, tokens: Sequence[str] | None = None, key_tokens: Sequence[str] | None = None
) -> Capture:
    """Return a context in which every attention of PyTorch models is seen.

    Seen are the calls of `torch.nn.functional.scaled_dot_product_attention`, whoever makes them,
    and of `torch.nn.MultiheadAttention` (which leaves its fast path meanwhile); models compute what
    they would compute without. What a model multiplies by itself, such as transformers with
    `attn_implementation="eager"`, is not seen.

    tokens, key_tokens : the names of queries and keys; numbers without them
    """
    return Capture(tokens, key_tokens)


def _nothing_seen() -> Problem:
    return Problem(
        N_(
            "No attention was seen: the model calls neither scaled_dot_product_attention nor"
            ' nn.MultiheadAttention; load a Hugging Face model with attn_implementation="sdpa".'
        )
    )


def _not_saved(path: Path, error: OSError | ValueError) -> Problem:
    return Problem(
        N_("{file} cannot be saved: {reason}."),
        file=displayable(path.name or str(path)),
        reason=why_refused(error),
    )


def _mode(calls: list[Call]) -> Any:
    """Return the mode of torch that appends each call of attention to `calls`."""
    import torch
    from torch.nn import functional
    from torch.overrides import TorchFunctionMode

    attend = functional.scaled_dot_product_attention
    of_heads = functional.multi_head_attention_forward
    arguments = inspect.signature(of_heads)

    def seen(
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        attn_mask: torch.Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        scale: float | None = None,
        **_others: Any,
    ) -> None:
        q, k, v = (_four_axes(to_numpy(each)) for each in (query, key, value))
        mask = None if attn_mask is None else _four_axes(to_numpy(attn_mask))
        if is_causal:
            mask = np.tri(q.shape[-2], k.shape[-2], dtype=bool)[None, None]
        calls.append(Call(q, k, v, q.shape[-1] ** -0.5 if scale is None else float(scale), mask))

    def spy(*args: Any, **named: Any) -> torch.Tensor:
        seen(*args, **named)
        return attend(*args, **named)

    class Mode(TorchFunctionMode):
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            # Within this method the mode is off: nothing is seen twice.
            named = kwargs or {}
            result = func(*args, **named)
            if func is attend:
                seen(*args, **named)
            elif func is of_heads:
                # Again without dropout and in the form that gives Q, K and V to `attend`.
                again = arguments.bind(*args, **named)
                again.arguments |= {"need_weights": False, "training": False, "dropout_p": 0.0}
                with torch.no_grad(), _replaced(functional, attend.__name__, spy):
                    func(*again.args, **again.kwargs)
            return result

    return Mode()


@contextlib.contextmanager
def _replaced(module: Any, name: str, value: Any) -> Iterator[None]:
    kept = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, kept)


def _number(name: str, value: Any) -> float:
    array = to_numpy(value)
    if array.size != 1 or array.dtype.kind not in "fb":
        raise Problem(N_("{name} must be one number."), name=displayable(name, 64))
    return float(array.item())


def _four_axes(array: Array) -> Array:
    return array.reshape((1,) * max(0, 4 - array.ndim) + array.shape)


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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
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
