"""What attending gives: every intermediate; of a large one each head's when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, NamedTuple

import numpy as np

from explorer.attention.arrays import Bools, Floats, read_only
from explorer.attention.entering import QKNorm, Rotary
from explorer.attention.variants import Variant


class HeadTables(NamedTuple):
    """The tables of one head, as of `Attention` without the axis of the heads."""

    raw: Floats
    scores: Floats
    weights: Floats
    head_output: Floats


@dataclass(frozen=True, eq=False)
class Attention:
    """One attention computation with every intermediate; all arrays are read-only float64.

    Batched results carry a leading axis B, left out of the shapes below.

    X : (T, d)
    context : (S, d_context); the rows K and V come from, the very object `X` in self-attention
    Q : (H, T, d_k)
    K : (H, S, d_k)
    V : (H, S, d_v)
    raw : (H, T, S); Q Kᵀ, unmasked
    scores : (H, T, S); raw / divisor, -inf where masked
    weights : (H, T, S); row softmax of the scores, all zeros in a row with every key masked; where
        the variant divides it, it is already divided
    head_output : (H, T, d_v); weights V, where the variant multiplies it already multiplied
    output : (T, d_out); the heads side by side, times Wo plus bo where these are given
    mask : (T, S) or (B, T, S) bool, True = may attend; None when every key is visible
    divisor : all that raw was divided by, the temperature included; 1.0 for scale "none" at
        temperature 1, inf for the plain average
    temperature : its part of the divisor
    variant : of `explorer.attention.variants`
    weight_divisor, output_factor : what a variant divides the softmax by and multiplies the head
        output by; else 1.0
    rotary, qk_norm : what Q and K went through before the product, or None
    projected : what Q and K were before that; None where nothing was done to them
    """

    X: Floats
    context: Floats
    Q: Floats
    K: Floats
    V: Floats
    raw: Floats
    scores: Floats
    weights: Floats
    head_output: Floats
    output: Floats
    mask: Bools | None
    divisor: float
    temperature: float = 1.0
    variant: Variant = Variant.NONE
    weight_divisor: float = 1.0
    output_factor: float = 1.0
    rotary: Rotary | None = None
    qk_norm: QKNorm | None = None
    projected: tuple[Floats, Floats] | None = None

    def of_head(self, head: int, sequence: int = 0) -> HeadTables:
        """The tables of one head, of one sequence where there are several."""
        place = (sequence, head) if self.batched else (head,)
        return HeadTables(
            self.raw[place], self.scores[place], self.weights[place], self.head_output[place]
        )

    def has_head(self, head: int) -> bool:
        """Whether the tables of a head are computed already."""
        return 0 <= head < self.heads

    @property
    def mean_weights(self) -> Floats:
        """The mean of all heads' weights, (T, S); of one sequence."""
        mean: Floats = self.weights.mean(axis=0)
        return mean

    @property
    def heads(self) -> int:
        """The number of heads, H."""
        return self.Q.shape[-3]

    @property
    def queries(self) -> int:
        """The number of queries, T."""
        return self.Q.shape[-2]

    @property
    def keys(self) -> int:
        """The number of keys, S."""
        return self.K.shape[-2]

    @property
    def d_k(self) -> int:
        """The width of a query and of a key."""
        return self.Q.shape[-1]

    @property
    def d_v(self) -> int:
        """The width of a value."""
        return self.V.shape[-1]

    @property
    def batched(self) -> bool:
        """Whether every result has a leading axis of B sequences."""
        return self.Q.ndim == 4


class LargeAttention(Attention):
    """An attention of one sequence whose heads' tables are computed when they are first asked for.

    The numbers are the same, bit for bit; who looks at one head does not wait for the others.

    tables : what computes a head's tables
    combined : what makes the output of the head outputs (H, T, d_v)
    known : all other fields of `Attention`
    """

    _tables: Callable[[int], HeadTables]
    _combined: Callable[[Floats], Floats]
    _made: dict[int, HeadTables]

    def __init__(
        self,
        tables: Callable[[int], HeadTables],
        combined: Callable[[Floats], Floats],
        **known: Any,
    ) -> None:
        vars(self).update(known, _tables=tables, _combined=combined, _made={})

    def of_head(self, head: int, sequence: int = 0) -> HeadTables:
        """The tables of one head."""
        if head not in self._made:
            self._made[head] = self._tables(head)
        return self._made[head]

    def has_head(self, head: int) -> bool:
        """Whether the tables of a head are computed already."""
        return head in self._made

    @cached_property
    def _together(self) -> tuple[Floats, ...]:
        """Raw, scores and weights of all heads."""
        whole = [np.empty((self.heads, self.queries, self.keys)) for _table in range(3)]
        for head in range(self.heads):
            *parts, head_output = self.of_head(head)
            for table, part in zip(whole, parts, strict=True):
                table[head] = part
            # From now on parts of the whole: no table as wide as the keys is kept twice.
            kept = [read_only(table[head]) for table in whole]
            self._made[head] = HeadTables._make([*kept, head_output])
        return tuple(map(read_only, whole))

    @property
    def raw(self) -> Floats:
        return self._together[0]

    @property
    def scores(self) -> Floats:
        return self._together[1]

    @property
    def weights(self) -> Floats:
        return self._together[2]

    @cached_property
    def head_output(self) -> Floats:
        parts = [self.of_head(head).head_output for head in range(self.heads)]
        return read_only(np.stack(parts))

    @cached_property
    def output(self) -> Floats:
        return read_only(self._combined(self.head_output))

    @cached_property
    def mean_weights(self) -> Floats:
        """The mean of all heads' weights, (T, S)."""
        every = (self.of_head(head).weights for head in range(self.heads))
        return read_only(reduce(np.add, every) / self.heads)
