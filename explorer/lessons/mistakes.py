"""The usual mistakes of attention by hand, each carried out to the end."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from explorer.attention import Attention, Variant
from explorer.attention.forward import softmax
from explorer.session import Array, Scene
from explorer.text import N_

_EARLY = (1, 2)  # decimals that are too few to go on with


@dataclass(frozen=True, eq=False)
class Tables:
    """What a mistake makes of the tables it touches; None of those it leaves as they are.

    Parameters
    ----------
    raw, scores, weights : ndarray, shape (H, T, S)
    head_output : ndarray, shape (H, T, d_v)
    output : ndarray, shape (T, d_out)
    """

    raw: Array | None = None
    scores: Array | None = None
    weights: Array | None = None
    head_output: Array | None = None
    output: Array | None = None


# Picks one table of an attention, or of what a mistake makes of it; None where it makes none.
Pick = Callable[[Attention | Tables], Array | None]


def mistaken(scene: Scene, attention: Attention, pick: Pick) -> list[tuple[str, Array]]:
    """Return each mistake that can be made at these shapes: its name and the table it gives.

    Numbers that cannot be worked out are not finite. A name may come more than once.
    """
    with np.errstate(all="ignore"):
        made = ((name, pick(tables)) for name, tables in _Interaction(scene, attention).mistakes())
        return [(name, table) for name, table in made if table is not None]


def of_head(name: str, head: int) -> Pick:
    """Return what picks one head's table by its name: raw, scores, weights or head_output."""

    def pick(tables: Attention | Tables) -> Array | None:
        whole: Array | None = getattr(tables, name)
        return None if whole is None else whole[head]

    return pick


def mean_weights(tables: Attention | Tables) -> Array | None:
    """Return the weights' mean over the heads."""
    return None if tables.weights is None else tables.weights.mean(axis=0)


def side_by_side(tables: Attention | Tables) -> Array | None:
    """Return the outputs of all heads side by side, shape (T, H·d_v)."""
    heads = tables.head_output
    return None if heads is None else heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)


def after_heads(tables: Attention | Tables) -> Array | None:
    """Return the output, after Wo where there is one."""
    return tables.output


class _Interaction:
    """Somebody who computes everything after a mistake as it should be."""

    def __init__(self, scene: Scene, attention: Attention) -> None:
        self._scene, self._right = scene, attention
        self._hidden = None if attention.mask is None else ~attention.mask

    def mistakes(self) -> Iterator[tuple[str, Tables]]:
        """Yield the mistakes in the order in which one computes."""
        right = self._right
        Q, K, V, raw = right.Q, right.K, right.V, right.raw
        if right.keys == right.d_k:
            yield N_("K was not transposed."), self._from_raw(Q @ K)
        if right.d_v == right.d_k:
            yield N_("V was taken for K."), self._from_raw(Q @ V.swapaxes(-1, -2))
        turned = softmax(self._masked(-raw / right.divisor)) / right.weight_divisor
        yield N_("The scores have the wrong sign."), self._from_weights(turned)
        for decimals in _EARLY:
            products = np.round(Q, decimals) @ np.round(K, decimals).swapaxes(-1, -2)
            yield N_("Q and K were rounded too early."), self._from_raw(products)
        for name, divisor in self._divisors():
            yield name, self._from_scores(self._masked(raw / divisor))
        for decimals in _EARLY:
            for early in (
                np.round(raw, decimals) / right.divisor,
                np.round(right.scores, decimals),
            ):
                yield N_("A score was rounded too early."), self._from_scores(self._masked(early))
        yield from self._of_softmax()
        for decimals in _EARLY:
            rounded = np.round(right.weights, decimals)
            yield N_("A weight was rounded too early."), self._from_weights(rounded)

    def _divisors(self) -> Iterator[tuple[str, float]]:
        """Yield what scores are divided by instead; the temperature is not forgotten."""
        right, d_k = self._right, self._right.d_k
        scale = right.divisor / right.temperature
        if not math.isfinite(scale) or right.variant is Variant.MULTIPLIED:
            return
        if not math.isclose(scale, math.sqrt(d_k)):
            yield N_("The scores were not divided."), right.temperature
            yield N_("The scores were multiplied instead of divided."), right.temperature / scale
            return
        for name, other in (
            (N_("÷ √d was left out."), 1.0),
            (N_("Multiplied by √d instead of divided."), 1.0 / scale),
            (N_("Divided by d, not by its root."), float(d_k)),
            (N_("The root of the number of tokens was taken, not that of d_k."), right.keys**0.5),
            (N_("The root of d_model was taken, not that of d_k."), right.X.shape[-1] ** 0.5),
        ):
            yield name, other * right.temperature

    def _of_softmax(self) -> Iterator[tuple[str, Tables]]:
        """Yield what goes wrong between the scores and the weights."""
        right, scores, share = self._right, self._right.scores, self._right.weight_divisor
        down = softmax(scores.swapaxes(-1, -2)).swapaxes(-1, -2) / share
        yield N_("The softmax was taken down the columns."), self._from_weights(down)
        if self._hidden is not None:
            late = np.where(self._hidden, 0.0, softmax(right.raw / right.divisor + 0.0) / share)
            yield N_("The mask came after the softmax."), self._from_weights(late)
        seen = np.where(np.isfinite(scores), scores, 0.0)
        plain = seen / seen.sum(axis=-1, keepdims=True) / share
        name = N_("e^ was forgotten: scores were divided by their sum.")
        yield name, self._from_weights(plain)
        for decimals in _EARLY:
            powers = np.round(np.exp(scores), decimals)
            weights = powers / powers.sum(axis=-1, keepdims=True) / share
            yield N_("A power of e was rounded too early."), self._from_weights(weights)

    # --- from the mistake on as it should be -----------------------------------------------------

    def _masked(self, scores: Array) -> Array:
        return scores if self._hidden is None else np.where(self._hidden, -np.inf, scores)

    def _from_raw(self, raw: Array) -> Tables:
        made = self._from_scores(self._masked(raw / self._right.divisor))
        return Tables(raw, made.scores, made.weights, made.head_output, made.output)

    def _from_scores(self, scores: Array) -> Tables:
        made = self._from_weights(softmax(scores) / self._right.weight_divisor)
        return Tables(None, scores, made.weights, made.head_output, made.output)

    def _from_weights(self, weights: Array) -> Tables:
        heads = weights @ self._right.V * self._right.output_factor
        output = heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)
        if self._scene.Wo is not None:
            output = output @ self._scene.Wo
            output = output if self._scene.bo is None else output + self._scene.bo
        return Tables(None, None, weights, heads, output)
