"""The numbers of a worksheet, found by search.

All arithmetic is decimal and rounded as on paper: halves away from zero, as spreadsheets do.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from explorer.text import N_, Problem
from explorer.worksheets.choices import Choices, What

Numbers = tuple[tuple[Decimal, ...], ...]
E = Decimal("2.72")
ROOTS = {2: Decimal("1.41"), 3: Decimal("1.73")}
LEAD = Decimal("0.05")  # by which one weight of each row is the largest
_LEAST, _MOST = Decimal(-2), Decimal(4)  # scores
_POWERS = 6  # different ones of a head at most, where they are looked up in a table
_DRAWS = 200
_TRIES = 100_000


def rounded(value: Decimal, decimals: int) -> Decimal:
    """Return a number with so many decimals, halves away from zero; never −0."""
    made = value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return made if made else abs(made)


@dataclass(frozen=True)
class Head:
    """One head's numbers; None where a cell is masked."""

    Wq: Numbers
    Wk: Numbers
    Wv: Numbers
    Q: Numbers
    K: Numbers
    V: Numbers
    raw: Numbers
    S: tuple[tuple[Decimal | None, ...], ...]
    E: Numbers
    total: tuple[Decimal, ...]
    A: Numbers
    O: Numbers  # noqa: E741 - the blackboard's letter


def found_numbers(choices: Choices, seed: int, copy: int) -> tuple[Numbers, list[Head]]:
    """Return X and the heads of a seed and copy: the same ones on every computer.

    They hold these rules: scores lie in −2 to 4; a printed table of powers has at most six
    a head; rounded rows of A sum to 1.00; one weight of each row leads by .05; no two tokens are
    alike, and no column of a W is empty.

    Raises Problem where no such numbers are found.
    """
    # `random` of the standard library promises the same numbers in every version.
    draw = random.Random((seed * 1000 + copy) * 10_000 + choices.code).random
    tries = _TRIES  # heads that are drawn at most
    while tries > 0:
        tries -= 1
        X = _drawn(draw, choices.tokens, choices.width, choices)
        if len(set(X)) < len(X) or not all(map(any, X)):
            continue
        heads: list[Head] = []
        for _draw in range(1 if choices.heads == 1 else _DRAWS):  # a second head fits few tokens
            tries -= 1
            head = _head(draw, X, choices)
            if head is not None and len(exponents([*heads, head])) <= _most_powers(choices):
                heads.append(head)
            if len(heads) == choices.heads:
                return X, heads
    raise Problem(
        N_("No such numbers were found: allow one decimal, fewer tokens, or a calculator.")
        if not choices.decimals
        else N_("No such numbers were found: take fewer tokens or dimensions, or a calculator.")
    )


def _drawn(draw: Callable[[], float], rows: int, columns: int, choices: Choices) -> Numbers:
    least, many = (-15, 31) if choices.decimals else (-1, 4)
    return tuple(
        tuple(Decimal(least + int(draw() * many)).scaleb(-choices.decimals) for _ in range(columns))
        for _ in range(rows)
    )


def _head(draw: Callable[[], float], X: Numbers, choices: Choices) -> Head | None:
    """Return a head with friendly numbers, or None where those drawn are not."""
    width = choices.width
    Wq, Wk, Wv = (_drawn(draw, width, width, choices) for _name in "qkv")
    if Wq == Wk or not all(all(map(any, zip(*W, strict=True))) for W in (Wq, Wk, Wv)):
        return None
    Q, K, V = (_product(X, W) for W in (Wq, Wk, Wv))
    transposed = tuple(zip(*K, strict=True))
    raw = tuple(
        tuple(rounded(cell, 2 * choices.decimals) for cell in row)
        for row in _product(Q, transposed)
    )
    S = []
    for i, row in enumerate(raw):
        scores: list[Decimal | None] = []
        for j, cell in enumerate(row):
            score = rounded(cell / ROOTS[width], 1)
            seen = not choices.mask or j <= i
            if seen and not _LEAST <= score <= _MOST:
                return None
            scores.append(score if seen else None)
        S.append(tuple(scores))
    powers = tuple(
        tuple(Decimal(0) if s is None else power(s, choices.table) for s in row) for row in S
    )
    total = tuple(sum(row, Decimal(0)) for row in powers)
    A = tuple(
        tuple(rounded(p / whole, 2) for p in row) for row, whole in zip(powers, total, strict=True)
    )
    for row in A:
        first, second = sorted(row)[-1:-3:-1]
        if sum(row) != 1 or first - second < LEAD:
            return None
    O = tuple(tuple(rounded(cell, 2) for cell in row) for row in _product(A, V))  # noqa: E741
    return Head(Wq, Wk, Wv, Q, K, V, raw, tuple(S), powers, total, A, O)


def power(exponent: Decimal, table: bool) -> Decimal:
    """Return e to a power with two decimals: of e ≈ 2.72 where it comes from the printed table."""
    return rounded(E**exponent if table else exponent.exp(), 2)


def _product(a: Numbers, b: Numbers) -> Numbers:
    return tuple(
        tuple(
            sum((x * y for x, y in zip(row, column, strict=True)), Decimal(0)) for column in turned
        )
        for turned in [tuple(zip(*b, strict=True))]
        for row in a
    )


def exponents(heads: Sequence[Head]) -> list[Decimal]:
    """Return the different exponents of all heads, ascending."""
    return sorted({s for head in heads for row in head.S for s in row if s is not None})


def _most_powers(choices: Choices) -> int:
    """Return how many different powers there may be."""
    if not choices.table or choices.what in (What.SCORES, What.OUTPUT):
        return choices.heads * choices.tokens**2
    # Numbers with a decimal hardly ever give the same score twice.
    return choices.heads * (choices.tokens**2 if choices.decimals else _POWERS)
