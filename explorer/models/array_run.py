"""A run that was given as arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from explorer.models.functions import softmax
from explorer.models.run import Array, Layer, Run
from explorer.text import Message

LEADING = ("weights", "scores", "q")  # what a layer begins with


@dataclass(frozen=True, eq=False)
class ArrayLayer(Layer):
    """A layer whose arrays are given; those that are not are made of the others where possible."""

    given: Mapping[str, Array]

    @property
    def heads(self) -> int:
        """How many heads there are."""
        return len(next(self.given[name] for name in LEADING if name in self.given))

    @property
    def lengths(self) -> tuple[int, int]:
        """How many queries and keys there are, T and S."""
        for name in ("weights", "scores"):
            if name in self.given:
                return self.given[name].shape[1:]
        return self.given["q"].shape[1], self.given["k"].shape[1]

    @property
    def q(self) -> Array | None:
        """Queries as they enter the product, (H, T, d_k)."""
        return self.given.get("q")

    @property
    def k(self) -> Array | None:
        """Keys as they enter the product, repeated where heads share them, (H, S, d_k)."""
        return self.given.get("k")

    @property
    def v(self) -> Array | None:
        """Values, repeated where heads share them, (H, S, d_v)."""
        return self.given.get("v")

    @property
    def scores(self) -> Array | None:
        """After scale and mask, −inf where masked, (H, T, S)."""
        q, k = self.q, self.k
        if "scores" in self.given or q is None or k is None:
            return self.given.get("scores")
        scale = self.given.get("scale", np.array(1 / math.sqrt(q.shape[-1])))
        scores = q * scale.astype(q.dtype) @ k.swapaxes(-1, -2)
        mask = self.given.get("mask")
        if mask is None:
            return scores
        return np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask

    @property
    def weights(self) -> Array:
        """The softmax of each row of scores, (H, T, S)."""
        if "weights" in self.given:
            return self.given["weights"]
        scores = self.scores
        assert scores is not None
        return softmax(scores)

    @property
    def head_output(self) -> Array | None:
        """Weights times V, (H, T, d_v)."""
        return None if self.v is None else self.weights @ self.v


@dataclass(frozen=True, eq=False)
class ArrayRun(Run):
    """A run that was given as arrays."""

    layers: tuple[ArrayLayer, ...]
    tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    special: tuple[bool, ...] = ()
    remarks: tuple[Message, ...] = ()
