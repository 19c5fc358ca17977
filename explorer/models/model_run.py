"""What a model did with one text: every intermediate result, computed when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.models.forward import Forward
from explorer.models.run import Array, Head, Layer, Run, read_only
from explorer.models.tokenizer import Piece
from explorer.text import N_, Message, Problem, displayable

if TYPE_CHECKING:
    from explorer.models.model import Model


@dataclass(frozen=True, eq=False)
class ModelRun(Run):
    """What a model did with one text.

    Attributes
    ----------
    ids : tuple of int
    pieces : tuple of Piece
    text : str or None
    left_out : int
        How many tokens at the end were more than the model takes.
    streams : tuple of (T, d)
        The residual stream before each layer, and after the last. All else is computed from it.
    """

    model: Model = field(repr=False)
    ids: tuple[int, ...]
    pieces: tuple[Piece, ...] = field(repr=False)
    text: str | None
    left_out: int
    forward: Forward = field(repr=False)
    streams: tuple[Array, ...] = field(repr=False)

    @cached_property
    def tokens(self) -> tuple[str, ...]:  # type: ignore[override]
        """The texts of the tokens."""
        return tuple(piece.text for piece in self.pieces)

    @property
    def key_tokens(self) -> tuple[str, ...]:  # type: ignore[override]
        """The same: every token is a query and a key."""
        return self.tokens

    @property
    def special(self) -> tuple[bool, ...]:  # type: ignore[override]
        """Which tokens are no words of the text."""
        return tuple(piece.special for piece in self.pieces)

    @property
    def remarks(self) -> tuple[Message, ...]:  # type: ignore[override]
        """What departs from what was asked for."""
        remarks = []
        taken, most = len(self.ids), self.model.positions
        if self.left_out:
            remarks.append(
                Message(
                    N_("{count} of {most} tokens, the last {left} are left out"),
                    {"count": taken + self.left_out, "most": most, "left": self.left_out},
                )
            )
        if self.model.made_for and taken > self.model.made_for:
            remarks.append(
                Message(
                    N_("{count} of {most} tokens, made for {fewer}"),
                    {"count": taken, "most": most, "fewer": self.model.made_for},
                )
            )
        return tuple(remarks)

    @property
    def off(self) -> frozenset[tuple[int, int]]:
        """The heads that are off, (layer, head) counted from 1."""
        return frozenset((layer + 1, head + 1) for layer, head in self.forward.off)

    @cached_property
    def layers(self) -> tuple[ModelLayer, ...]:  # type: ignore[override]
        """The layers, from the first one."""
        return tuple(ModelLayer(self, i) for i in range(self.model.plan.layers))

    @cached_property
    def hidden(self) -> Array:
        """The stream after the last layer and the last norm, (T, d)."""
        return read_only(self.forward.hidden(self.streams[-1]))

    @cached_property
    def logits(self) -> Array:
        """The score of each word of the vocabulary after each token, (T, V).

        Raises Problem for a base model, which has none.
        """
        return read_only(self.logits_at(slice(None)))

    def logits_at(self, place: Any) -> Array:
        """Return the logits of some tokens alone, at an index or slice. Raises Problem."""
        if not self.model.plan.has_logits:
            raise Problem(
                N_("{folder} is a base model, which predicts no words: use hidden."),
                folder=displayable(self.model.folder.name),
            )
        if (self.model.plan.layers, "logits") in self.forward.replace:
            return self.forward.logits(self.hidden)[place]
        rows = self.hidden[place]
        made = self.forward.logits(np.atleast_2d(rows))
        return made if rows.ndim == 2 else made[0]


@dataclass(frozen=True, eq=False)
class ModelLayer(Layer):
    """A layer of a model's run; its arrays are computed from the stream when they are asked for."""

    run: ModelRun = field(repr=False)
    index: int

    @property
    def heads(self) -> int:
        """How many heads there are."""
        return self.run.model.plan.heads

    def row(self, query: int) -> Array:
        """Return the weights of one query, counted from 0, in all heads, (H, T)."""
        forward = self.run.forward
        if forward.touched(self.index) & {"scores", "weights"}:
            return super().row(query)
        made = self._projected("q", "k")
        return forward.row(self.index, made["q"][:, query], made["k"], query)

    @property
    def residual(self) -> Array:
        """The stream at the layer's beginning, (T, d)."""
        return self.run.streams[self.index]

    @property
    def x(self) -> Array:
        """What Q, K and V are made from, (T, d)."""
        return self.run.forward.attention_input(self.index, self.residual)

    @property
    def q(self) -> Array:
        """Queries as they enter the product, (H, T, d_k)."""
        return self._projected("q")["q"]

    @property
    def k(self) -> Array:
        """Keys as they enter the product, repeated where heads share them, (H, T, d_k)."""
        return self._projected("k")["k"]

    @property
    def v(self) -> Array:
        """Values, repeated where heads share them, (H, T, d_k)."""
        return self._projected("v")["v"]

    @property
    def scores(self) -> Array:
        """After scale and mask, (H, T, T)."""
        made = self._projected("q", "k")
        return self.run.forward.scores(self.index, made["q"], made["k"])

    @property
    def weights(self) -> Array:
        """The softmax of each row of scores, (H, T, T)."""
        return self.run.forward.softmax(self.index, self.scores)

    @property
    def head_output(self) -> Array:
        """Weights times V, (H, T, d_k); zeros for heads that are off."""
        return self.run.forward.head_output(self.index, self.weights, self.v)

    def head(self, head: int) -> Head:
        """Return one head, counted from 0; the others are not computed. Raises IndexError."""
        forward = self.run.forward
        if forward.touched(self.index) - {"residual", "x", "attention", "inner"}:
            return super().head(head)
        if not 0 <= head < self.heads:
            raise IndexError(head)
        x = self.x
        return Head(x=x, **forward.one_head(self.index, head, x))

    def _projected(self, *names: str) -> dict[str, Array]:
        return self.run.forward.projected(self.index, self.x, names)
