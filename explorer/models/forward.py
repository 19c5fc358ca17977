"""The forward pass: one for all families, with a name for every intermediate.

Names, in the order in which they are made in a layer:

    residual         (T, d)        the stream at the layer's beginning
    x                (T, d)        what Q, K and V are made from: the stream, normalised where the
                                   norm stands before
    q, k, v          (H, T, d_k)   as they enter the product: normalised, turned, and repeated where
                                   heads share them
    scores           (H, T, T)     after scale and mask
    weights          (H, T, T)
    head_output      (H, T, d_k)   weights times v
    attention        (T, d)        all heads after Wo
    inner            (T, d)        the feed-forward part's output

and, as of a layer after the last: residual, hidden (T, d) after the last norm, logits (T, V).

Any of them may be replaced by what a function makes of it. Only scores and weights cost more then:
they are otherwise never whole in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from explorer.attention.entering import Rotary, rms_norm
from explorer.models.functions import activate, layer_norm, softmax
from explorer.models.plan import Array, Plan
from explorer.models.weights import Weights
from explorer.text import N_, Problem

# (layer counted from 0, name) to what is taken in place of the value.
Replacements = Mapping[tuple[int, str], Callable[[Array], Array]]
Report = Callable[[int], None]
_ROWS = 128  # queries worked on at a time, so that their scores stay in the processor's cache


@dataclass(frozen=True, eq=False)
class HeadParameters:
    """What one head computes with: Q = norm(x Wq + bq), turned; K alike; V = x Wv + bv.

    Attributes
    ----------
    Wq, Wk, Wv : (d, d_k); bq, bk, bv : (d_k,) or None
        K's and V's are those of the group, where heads share them.
    Wo : (d_k, d)
        What this head's output is multiplied by; bo is added once for all heads.
    query_gain, key_gain : (d_k,) or None
        Of the RMS norm of each row of Q and K, before it turns.
    rotary : Rotary or None
    scale : float
    causal : bool
    window : int or None
        How many tokens are seen at most.
    """

    Wq: Array
    Wk: Array
    Wv: Array
    bq: Array | None
    bk: Array | None
    bv: Array | None
    Wo: Array
    bo: Array | None
    query_gain: Array | None
    key_gain: Array | None
    epsilon: float
    rotary: Rotary | None
    scale: float
    causal: bool
    window: int | None


@dataclass(frozen=True)
class Forward:
    """The forward pass of one model.

    dtype : the type that everything is computed in
    off : heads whose output counts as zeros, (layer, head) counted from 0
    """

    plan: Plan
    weights: Weights
    dtype: type[np.floating]
    off: frozenset[tuple[int, int]] = frozenset()
    replace: Replacements = field(default_factory=dict)

    def embed(self, ids: Array) -> Array:
        """Return the residual stream before the first layer, (T, d)."""
        plan = self.plan
        x = self.weights.rows(plan.parts["tokens"], ids, self.dtype)
        if "positions" in plan.parts:
            places = np.arange(len(ids))
            if plan.padding is not None:
                real = ids != plan.padding
                places = np.cumsum(real) * real + plan.padding
            x += self.weights.rows(plan.parts["positions"], places, self.dtype)
        if "types" in plan.parts:
            x += self.weights.rows(plan.parts["types"], np.zeros(1, int), self.dtype)
        if "embedding.gain" in plan.parts:
            x = self._norm(x, "embedding")
        return self._given(0, "residual", x)

    def layers(self, residual: Array, start: int = 0, report: Report | None = None) -> list[Array]:
        """Return the stream before each layer from `start` on, and the one after the last.

        Raises Problem where it is no longer finite.
        """
        streams = [residual]
        for layer in range(start, self.plan.layers):
            with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
                streams.append(self.layer(layer, streams[-1]))
            # NaN goes through both.
            if not (np.isfinite(streams[-1].min()) and np.isfinite(streams[-1].max())):
                raise Problem(
                    N_("The numbers of layer {number} became too large: take another model."),
                    number=layer + 1,
                )
            if report is not None:
                report(layer + 1)
        return streams

    def layer(self, i: int, residual: Array, attention: Array | None = None) -> Array:
        """Return the stream after a layer.

        attention : (T, d), where it is known already; before it is replaced
        """
        plan = self.plan
        if attention is None:
            heads = self._heads(i, self.attention_input(i, residual))
            attention = self._linear(f"{i}.output", heads)
        attention = self._given(i, "attention", attention)
        if plan.order == "after":
            y = self._norm(_added(attention, residual), f"{i}.norm1")
            y = self._norm(_added(self._inner(i, y), y), f"{i}.norm2")
        elif plan.order == "before":
            y = _added(attention, residual)
            y = _added(self._inner(i, self._norm(y, f"{i}.norm2")), y)
        else:
            y = self._inner(i, self._norm(residual, f"{i}.norm2"))
            y = _added(_added(y, attention), residual)
        return self._given(i + 1, "residual", y)

    def attention_input(self, i: int, residual: Array) -> Array:
        """Return what Q, K and V of a layer are made from, (T, d)."""
        x = residual if self.plan.order == "after" else self._norm(residual, f"{i}.norm1")
        return self._given(i, "x", x)

    def projected(
        self, i: int, x: Array, names: Sequence[str] = ("q", "k", "v")
    ) -> dict[str, Array]:
        """Return Q, K and V of all heads of a layer as they enter the product, (H, T, d_k)."""
        made = {}
        for name in names:
            array = self._rows(i, name, x).transpose(1, 0, 2)
            if name != "q" and self.plan.key_heads != self.plan.heads:
                array = np.repeat(array, self.plan.heads // self.plan.key_heads, axis=0)
            made[name] = self._given(i, name, array)
        return made

    def scores(self, i: int, q: Array, k: Array) -> Array:
        """Return the scores of all heads of a layer, (H, T, T)."""
        made = (q * self.dtype(self.plan.scale)) @ k.swapaxes(-1, -2)
        hidden = self._mask(i, q.shape[-2])
        return self._given(i, "scores", made if hidden is None else made + hidden)

    def row(self, i: int, q: Array, k: Array, query: int) -> Array:
        """Return the weights of one query in all heads of a layer, (H, T); q is (H, d_k)."""
        made = np.einsum("hc,hjc->hj", q * self.dtype(self.plan.scale), k)
        hidden = self._mask(i, k.shape[-2])
        return softmax(made if hidden is None else made + hidden[query])

    def softmax(self, i: int, scores: Array) -> Array:
        """Return the weights of all heads of a layer, (H, T, T)."""
        return self._given(i, "weights", softmax(scores))

    def head_output(self, i: int, weights: Array, v: Array) -> Array:
        """Return weights times V of all heads of a layer, (H, T, d_k); zeros for those off."""
        return self._switched(i, self._given(i, "head_output", weights @ v))

    def attended(self, i: int, outputs: Array) -> Array:
        """Return all heads of a layer after Wo, (T, d), before that is replaced.

        outputs : (H, T, d_k)
        """
        return self._linear(f"{i}.output", _side_by_side(outputs))

    def written(self, i: int, head: int, output: Array) -> Array:
        """Return one head's output, (T, d_k), times its rows of Wo: its part of `attended`."""
        columns = slice(head * self.plan.head_width, (head + 1) * self.plan.head_width)
        return output @ self._weight(f"{i}.output.weight")[:, columns].T

    def towards(self, word: int) -> Array:
        """Return the direction of the last stream that raises a word above all others, (d,).

        But for the length that the last norm gives it.
        """
        table = self._weight("head.weight")
        gain = self._optional("final.gain")
        made = table[word] - table.mean(axis=0)
        made = made if gain is None else made * gain
        return made if self.plan.norm == "rms" else made - made.mean()

    def one_head(self, i: int, head: int, x: Array) -> dict[str, Array]:
        """Return q, k, v, scores, weights and output of one head without replacements."""
        columns = self.plan.head_width
        group = head * self.plan.key_heads // self.plan.heads
        made = {}
        for name, place in (("q", head), ("k", group), ("v", group)):
            rows = slice(place * columns, (place + 1) * columns)
            made[name] = self._rows(i, name, x, rows)[:, 0]
        scores = (made["q"] * self.dtype(self.plan.scale)) @ made["k"].T
        hidden = self._mask(i, len(x))
        made["scores"] = scores if hidden is None else scores + hidden
        made["weights"] = softmax(made["scores"])
        made["output"] = made["weights"] @ made["v"]
        if (i, head) in self.off:
            made["output"][:] = 0
        return made

    def parameters(self, i: int, head: int) -> HeadParameters:
        """Return what one head of a layer computes with."""
        columns = self.plan.head_width
        group = head * self.plan.key_heads // self.plan.heads
        own = {"query": head, "key": group, "value": group}
        made: dict[str, Any] = {}
        for role, place in own.items():
            rows = slice(place * columns, (place + 1) * columns)
            made[f"W{role[0]}"] = self._weight(f"{i}.{role}.weight")[rows].T
            bias = self._optional(f"{i}.{role}.bias")
            made[f"b{role[0]}"] = None if bias is None else bias[rows]
        return HeadParameters(
            **made,
            Wo=self._weight(f"{i}.output.weight")[:, head * columns : (head + 1) * columns].T,
            bo=self._optional(f"{i}.output.bias"),
            query_gain=self._optional(f"{i}.query_norm.gain"),
            key_gain=self._optional(f"{i}.key_norm.gain"),
            epsilon=self.plan.epsilon,
            rotary=self.plan.rotary,
            scale=self.plan.scale,
            causal=self.plan.causal,
            window=self.plan.windows[i],
        )

    def hidden(self, residual: Array) -> Array:
        """Return the stream after the last layer and the last norm, (T, d)."""
        if "final.gain" in self.plan.parts:
            residual = self._norm(residual, "final")
        return self._given(self.plan.layers, "hidden", residual)

    def logits(self, hidden: Array) -> Array:
        """Return the score of each word of the vocabulary, (T, V)."""
        if "head.dense.weight" in self.plan.parts:
            hidden = self._linear("head.dense", hidden)
            name = "gelu" if self.plan.family == "roberta" else self.plan.activation
            hidden = self._norm(activate(hidden, name), "head.norm")
        return self._given(self.plan.layers, "logits", self._linear("head", hidden))

    def touched(self, i: int) -> set[str]:
        """Return the names that are replaced in a layer."""
        return {name for layer, name in self.replace if layer == i}

    def _given(self, i: int, name: str, value: Array) -> Array:
        function = self.replace.get((i, name))
        if function is None:
            return value
        # Copied both ways: the pass adds to its arrays in place.
        made = np.array(function(value.copy()), self.dtype, order="C")
        if made.shape != value.shape:
            raise ValueError(f"{name} must stay {value.shape}, not {made.shape}")
        return made

    def _switched(self, i: int, output: Array) -> Array:
        off = [head for layer, head in self.off if layer == i]
        if off:
            output[off] = 0
        return output

    def _heads(self, i: int, x: Array) -> Array:
        """Return the outputs of all heads of a layer side by side, (T, H · d_k)."""
        plan, touched = self.plan, self.touched(i)
        if touched & {"scores", "weights", "head_output"}:
            q, k, v = self.projected(i, x).values()
            outputs = self.head_output(i, self.softmax(i, self.scores(i, q, k)), v)
            return _side_by_side(outputs)
        if touched & {"q", "k", "v"}:
            q, k, v = self.projected(i, x).values()
            group = 1
        else:
            q, k, v = (self._rows(i, name, x).transpose(1, 0, 2) for name in "qkv")
            group = plan.heads // plan.key_heads
        length, columns = len(x), plan.head_width
        scaled = q * self.dtype(plan.scale)
        made = np.zeros((length, plan.heads, columns), self.dtype)
        window, hidden = plan.windows[i], self._mask(i, length)
        for head in range(plan.heads):
            if (i, head) in self.off:
                continue
            keys, values = k[head // group], v[head // group]
            for start in range(0, length, _ROWS):
                stop = min(start + _ROWS, length)
                first, last = 0, stop if plan.causal else length
                if window is not None:
                    first = max(0, start - window + 1)
                e = scaled[head, start:stop] @ keys[first:last].T
                if hidden is not None:
                    e += hidden[start:stop, first:last]
                e -= e.max(axis=-1, keepdims=True)
                np.exp(e, out=e)
                total = e.sum(axis=-1, keepdims=True)
                np.divide(e @ values[first:last], total, out=made[start:stop, head])
        return made.reshape(length, -1)

    def _rows(self, i: int, name: str, x: Array, rows: slice | None = None) -> Array:
        """Return Q, K or V as it enters the product, (T, heads of its own, d_k).

        rows : those of the weights, where not all heads are wanted
        """
        plan = self.plan
        role = {"q": "query", "k": "key", "v": "value"}[name]
        y = self._linear(f"{i}.{role}", x, rows).reshape(len(x), -1, plan.head_width)
        if f"{i}.{role}_norm.gain" in plan.parts:
            y = rms_norm(y, self._weight(f"{i}.{role}_norm.gain"), plan.epsilon)
        if name != "v" and plan.rotary is not None:
            cos, sin = _angles(plan.rotary, len(x), np.dtype(self.dtype).name)
            plan.rotary.turn(y, cos[:, None], sin[:, None])
        return y

    def _inner(self, i: int, x: Array) -> Array:
        """Return what the feed-forward part of a layer adds, (T, d)."""
        if f"{i}.gate.weight" in self.plan.parts:
            y = activate(self._linear(f"{i}.gate", x), self.plan.activation)
            y *= self._linear(f"{i}.up", x)
        else:
            y = activate(self._linear(f"{i}.up", x), self.plan.activation)
        return self._given(i, "inner", self._linear(f"{i}.down", y))

    def _mask(self, i: int, length: int) -> Array | None:
        if not self.plan.causal:
            return None
        return _hidden(length, self.plan.windows[i], np.dtype(self.dtype).name)

    def _weight(self, role: str) -> Array:
        return self.weights.whole(self.plan.parts[role], self.dtype)

    def _optional(self, role: str) -> Array | None:
        return self._weight(role) if role in self.plan.parts else None

    def _linear(self, role: str, x: Array, rows: slice | None = None) -> Array:
        weight = self._weight(f"{role}.weight")
        y = x @ (weight if rows is None else weight[rows]).T
        if f"{role}.bias" in self.plan.parts:
            bias = self._weight(f"{role}.bias")
            y += bias if rows is None else bias[rows]
        return y

    def _norm(self, x: Array, role: str) -> Array:
        gain = self._weight(f"{role}.gain")
        if self.plan.norm == "rms":
            return rms_norm(x, gain, self.plan.epsilon)
        return layer_norm(x, gain, self._weight(f"{role}.bias"), self.plan.epsilon)


def _side_by_side(outputs: Array) -> Array:
    return outputs.transpose(1, 0, 2).reshape(outputs.shape[1], -1)


def _added(fresh: Array, other: Array) -> Array:
    fresh += other
    return fresh


@lru_cache(maxsize=2)
def _hidden(length: int, window: int | None, dtype: str) -> Array:
    """Return 0 where a token is seen, −inf where not, (T, T)."""
    seen = np.tri(length, dtype=bool)
    if window is not None:
        seen &= ~np.tri(length, k=-window, dtype=bool)
    return np.where(seen, 0, -np.inf).astype(dtype)


@lru_cache(maxsize=4)
def _angles(rotary: Rotary, length: int, dtype: str) -> tuple[Array, Array]:
    angles = rotary.angles(length, np.dtype(dtype).type)
    return np.cos(angles), np.sin(angles)
