"""Predict, then see: is a typed number right, and if not, which usual mistake gives it?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.attention import Attention
from explorer.attention.forward import softmax
from explorer.session import Array
from explorer.text import N_, Message, parse_number

LEAST_DECIMALS = 2


@dataclass(frozen=True)
class Answer:
    """A number as it was typed.

    Parameters
    ----------
    value : float
    decimals : int
        To which it is compared: as many as were typed, at least two.
    """

    value: float
    decimals: int

    def fits(self, value: float) -> bool:
        """Return whether `value`, rounded to the typed decimals, is the typed one.

        A half may be rounded either way.
        """
        if not math.isfinite(value):
            return False
        half = 0.5 * 10.0**-self.decimals
        return abs(self.value - value) <= half + 1e-12 * max(1.0, abs(value))


def answer(text: str) -> Answer:
    """Return a typed number. Raises NotANumber as `parse_number` does."""
    value = parse_number(text)
    mantissa = text.strip().replace(",", ".").lower().partition("e")[0]
    typed = len(mantissa.partition(".")[2])
    return Answer(value, max(LEAST_DECIMALS, typed))


@dataclass(frozen=True, eq=False)
class Steps:
    """The three tables from raw scores to outputs, of one head, as a mistake makes them.

    Parameters
    ----------
    scores, weights : ndarray, shape (T, S)
    output : ndarray, shape (T, d_v)
    """

    scores: Array
    weights: Array
    output: Array


def likely_mistakes(
    attention: Attention, head: int, table: str, row: int, column: int, typed: Answer
) -> list[Message]:
    """Return the usual mistakes that give a typed number in place of the computed one.

    Those that cannot be made at these shapes, or give the computed number, are not among them.

    Parameters
    ----------
    table : "scores", "weights" or "output"
        Of the head.
    row, column : int
        From 0.
    """
    right = float(_right(attention, head, table)[row, column])
    found: dict[str, Message] = {}
    for name, made in _mistakes(attention, head):
        value = float(getattr(made, table)[row, column])
        differs = not math.isfinite(right) or not Answer(right, typed.decimals).fits(value)
        if differs and typed.fits(value):
            found[name] = Message(name)
    if typed.fits(-right) and not typed.fits(right):
        name = N_("The sign is the other one.")
        found[name] = Message(name)
    return list(found.values())


def _right(attention: Attention, head: int, table: str) -> Array:
    arrays = {"scores": "scores", "weights": "weights", "output": "head_output"}
    whole: Array = getattr(attention, arrays[table])
    return whole[head]


def _mistakes(attention: Attention, head: int) -> Iterator[tuple[str, Steps]]:
    Q, K, V = attention.Q[head], attention.K[head], attention.V[head]
    raw, divisor = attention.raw[head], attention.divisor
    mask = attention.mask

    def masked(scores: Array) -> Array:
        return scores if mask is None else np.where(mask, scores, -np.inf)

    def from_scores(scores: Array) -> Steps:
        weights = softmax(scores)
        return Steps(scores, weights, weights @ V)

    def from_weights(weights: Array) -> Steps:
        return Steps(attention.scores[head], weights, weights @ V)

    if divisor != 1.0 and math.isfinite(divisor):
        yield N_("÷ √d was left out."), from_scores(masked(raw))
        yield N_("Multiplied by √d instead of divided."), from_scores(masked(raw * divisor))
    for name, other in (
        (N_("Divided by d, not by its root."), float(Q.shape[1])),
        (N_("The root of the number of tokens was taken, not that of d_k."), len(K) ** 0.5),
        (N_("The root of d_model was taken, not that of d_k."), attention.X.shape[-1] ** 0.5),
    ):
        if not math.isclose(other, divisor):
            yield name, from_scores(masked(raw / other))
    if K.shape[0] == K.shape[1]:
        yield N_("K was not transposed."), from_scores(masked(Q @ K / divisor))
    if V.shape[1] == Q.shape[1]:
        yield N_("V was taken for K."), from_scores(masked(Q @ V.T / divisor))
    yield N_("The softmax ran down the columns."), from_weights(_down(attention.scores[head]))
    if mask is not None:
        unmasked = softmax(raw / divisor)
        yield N_("The mask came after the softmax."), from_weights(np.where(mask, unmasked, 0.0))
    yield from _without_exponentials(attention.scores[head], from_weights)
    for decimals in (1, 2):
        early = masked(np.round(raw / divisor, decimals))
        yield N_("A score was rounded too early."), from_scores(early)
        weights = attention.weights[head]
        rounded = Steps(attention.scores[head], weights, np.round(weights, decimals) @ V)
        yield N_("A weight was rounded too early."), rounded


def _down(scores: Array) -> Array:
    return softmax(scores.T).T


def _without_exponentials(
    scores: Array, made: Callable[[Any], Steps]
) -> Iterator[tuple[str, Steps]]:
    """Yield the weights of someone who divides scores by their sum, where no sum is 0."""
    visible = np.where(np.isfinite(scores), scores, 0.0)
    total = visible.sum(axis=1, keepdims=True)
    if np.all(np.abs(total) > 1e-9):
        yield N_("e^ was forgotten: scores were divided by their sum."), made(visible / total)
