"""Attention of any PyTorch model, seen while it runs.

    with explorer.capture(tokens=words) as seen:
        model(ids)
    seen.run().head(4, 2).weights
    seen.save("run.safetensors")

torch is imported only when this is used.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import warnings
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.models.array_run import ArrayRun
from explorer.models.arrays import run_of, to_numpy
from explorer.notebook.view import Array, in_window, write_arrays
from explorer.text import N_, Listing, Problem

if TYPE_CHECKING:
    import torch


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

    def __exit__(self, *raised: Any) -> None:
        self._mode.__exit__(*raised)
        if raised[1] is None and not self.calls:
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
        write_arrays(self._arrays(calls), Path(path), self.tokens, self.key_tokens)

    def view(self, *, calls: Collection[int] | None = None) -> None:
        """Open the calls in a window of its own; returns at once. Raises Problem as `view`."""
        in_window(lambda path: self.save(path, calls=calls))

    def _repr_html_(self) -> str:
        """Return the first head of the last call as a page to look at below a notebook's cell."""
        from explorer.notebook.page import page

        return page(self.run(calls=[len(self.calls) - 1]))._repr_html_() if self.calls else ""

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
                lengths=Listing.of(f"{t} × {s}" for t, s in sorted(lengths)),
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


def _four_axes(array: Array) -> Array:
    return array.reshape((1,) * max(0, 4 - array.ndim) + array.shape)
