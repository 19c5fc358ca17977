"""A run: what a model did with one text, layer by layer and head by head.

Whatever it comes from, a model, a file of arrays, or calls seen in somebody's own program, a run
has tokens and layers, and a layer has arrays with a head axis.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from explorer.text import N_, Message, Problem

Array = NDArray[Any]


class Layer(ABC):
    """One layer of a run; what it does not know is None.

    The arrays are made when they are asked for, and are not kept.
    """

    @property
    @abstractmethod
    def heads(self) -> int:
        """How many heads there are, H."""

    @property
    def x(self) -> Array | None:
        """What Q, K and V are made from, (T, d)."""
        return None

    @property
    def q(self) -> Array | None:
        """Queries as they enter the product, (H, T, d_k)."""
        return None

    @property
    def k(self) -> Array | None:
        """Keys as they enter the product, (H, S, d_k)."""
        return None

    @property
    def v(self) -> Array | None:
        """Values, (H, S, d_v)."""
        return None

    @property
    def scores(self) -> Array | None:
        """After scale and mask, −inf where masked, (H, T, S)."""
        return None

    @property
    @abstractmethod
    def weights(self) -> Array:
        """The softmax of each row of scores, (H, T, S)."""

    @property
    def head_output(self) -> Array | None:
        """Weights times V, (H, T, d_v)."""
        return None

    def row(self, query: int) -> Array:
        """Return the weights of one query, counted from 0, in all heads, (H, S)."""
        return self.weights[:, query]

    def head(self, head: int) -> Head:
        """Return one head, counted from 0. Raises IndexError."""
        if not 0 <= head < self.heads:
            raise IndexError(head)

        def one(array: Array | None) -> Array | None:
            return None if array is None else array[head]

        return Head(
            x=self.x,
            q=one(self.q),
            k=one(self.k),
            v=one(self.v),
            scores=one(self.scores),
            weights=self.weights[head],
            output=one(self.head_output),
        )


@dataclass(frozen=True, eq=False)
class Head:
    """One head of a run: arrays without head axis; what is not known is None.

    x : (T, d); q : (T, d_k); k : (S, d_k); v : (S, d_v); scores, weights : (T, S);
    output : (T, d_v), weights times v, zeros where the head is off
    """

    weights: Array
    x: Array | None = None
    q: Array | None = None
    k: Array | None = None
    v: Array | None = None
    scores: Array | None = None
    output: Array | None = None


class Run(ABC):
    """What was computed for one text.

    Attributes
    ----------
    tokens, key_tokens : tuple of str
        The names of queries and keys; the same ones in self-attention. Untrusted plain text.
    special : tuple of bool
        Which of the keys are no words of the text, such as [CLS].
    remarks : tuple of Message
        What departs from what was asked for.
    layers : sequence of Layer
        From the first one.
    """

    layers: Sequence[Layer]
    tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    special: tuple[bool, ...]
    remarks: tuple[Message, ...] = ()

    def head(self, layer: int, head: int) -> Head:
        """Return one head of one layer, both counted from 1. Raises Problem."""
        layers = self.layers
        check_head(layer, head, len(layers), layers[0].heads)
        return layers[layer - 1].head(head - 1)


def check_head(layer: int, head: int, layers: int, heads: int) -> None:
    """Raise a Problem unless there is such a layer and head, counted from 1."""
    if not (1 <= layer <= layers and 1 <= head <= heads):
        raise Problem(
            N_("There is no head {layer}.{head}: layers go from 1 to {layers}, heads to {heads}."),
            layer=layer,
            head=head,
            layers=layers,
            heads=heads,
        )


def read_only(array: Array) -> Array:
    """Return an array that cannot be written to."""
    array.flags.writeable = False
    return array
