"""Variants of attention: the plain average, and five mistakes from published code, made on purpose.

The four mistakes with the scale are about √d_k, whatever `scale` says. With d_k = 1 they change
nothing, and neither do the mixed heads where there is one head or one token.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from explorer.attention.arrays import Floats
from explorer.text import N_


class Variant(StrEnum):
    """How the computation departs from softmax(Q Kᵀ / divisor) V."""

    NONE = "none"
    AVERAGE = "average"
    SOFTMAX_FIRST = "softmax_first"
    MULTIPLIED = "multiplied"
    OUTPUT_SCALED = "output_scaled"
    UNSCALED = "unscaled"
    HEADS_MIXED = "heads_mixed"


MISTAKES = tuple(variant for variant in Variant if variant not in (Variant.NONE, Variant.AVERAGE))

# What is done, as the chain names it; a mistake is to be shown as one.
VARIANT_TITLES: dict[Variant, str] = {
    Variant.NONE: N_("attention"),
    Variant.AVERAGE: N_("plain average: all scores 0"),
    Variant.SOFTMAX_FIRST: N_("softmax first, ÷ √d afterwards"),
    Variant.MULTIPLIED: N_("× √d instead of ÷ √d"),
    Variant.OUTPUT_SCALED: N_("output × √d"),
    Variant.UNSCALED: N_("÷ √d forgotten"),
    Variant.HEADS_MIXED: N_("heads split by reshape, without a transpose"),
}


@dataclass(frozen=True)
class Division:
    """Where something is divided or multiplied.

    divisor : scores = raw / divisor; infinite for the plain average, whose scores are all 0
    weight_divisor : weights = softmax(scores) / weight_divisor
    output_factor : head output = output_factor · weights V
    """

    divisor: float
    weight_divisor: float = 1.0
    output_factor: float = 1.0


def division(variant: Variant, scale: float, temperature: float, d_k: int) -> Division:
    """Where `variant` divides, given the divisor that `scale` stands for and the temperature."""
    root = math.sqrt(d_k)
    match variant:
        case Variant.AVERAGE:
            return Division(math.inf)
        case Variant.SOFTMAX_FIRST:
            return Division(temperature, weight_divisor=root)
        case Variant.MULTIPLIED:
            return Division(temperature / root)
        case Variant.OUTPUT_SCALED:
            return Division(scale * temperature, output_factor=root)
        case Variant.UNSCALED:
            return Division(temperature)
        case _:
            return Division(scale * temperature)


def mixed_heads(rows: Floats) -> Floats:
    """Rows (H, T, width) or (B, H, T, width) as `reshape(-1, B, T, width)` splits them.

    That reads the heads side by side, (B, T, H·width), on as if heads came first: a row is then
    labelled with another token than the one it was made from (see `source_of_row`).
    """
    *sequences, heads, tokens, width = rows.shape
    together = rows.swapaxes(-3, -2)
    mixed = together.reshape(heads, *sequences, tokens, width)
    return mixed.swapaxes(0, 1) if sequences else mixed


def source_of_row(
    variant: str,
    head: int,
    row: int,
    heads: int,
    tokens: int,
    sequence: int = 0,
    sequences: int = 1,
) -> tuple[int, int, int]:
    """The (sequence, token, head of W) that row `row` of `head` of Q, K or V is made from."""
    if variant != Variant.HEADS_MIXED:
        return sequence, row, head
    place = (head * sequences + sequence) * tokens + row
    whole, block = divmod(place, heads)
    return whole // tokens, whole % tokens, block


def row_from(variant: str, head: int, token: int, heads: int, tokens: int) -> tuple[int, int]:
    """The (head, row) of Q, K or V where head `head` of W puts what it makes of a token.

    Of one sequence; undoes `source_of_row`.
    """
    if variant != Variant.HEADS_MIXED:
        return head, token
    return divmod(token * heads + head, tokens)
