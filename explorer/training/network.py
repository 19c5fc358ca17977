"""The tiny Transformer in torch: embeddings, layers of attention and feed-forward, logits.

Post-norm, as in Vaswani et al. 2017. Letters of shapes: N sentences, T tokens, H heads,
d = d_model, V words of the vocabulary.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from explorer.traces import Config, Corpus
from explorer.traces.corpus import NO_TARGET
from explorer.training.parameters import (
    Floats,
    ParameterBlocks,
    initial,
    parameter_blocks,
    sinusoids,
)

EPSILON = 1e-5  # of the layer normalisation


@dataclass(frozen=True)
class Batch:
    """Sentences on the device.

    tokens : (N, T), padded with 0; targets : (N,); rows : (N,), 0 … N − 1; last : (N,), the last
        real position
    mask : (N, 1, 1, T), (1, 1, T, T) or None; 0 where a query may see a key, else −inf
    following : (N, T) or None; where every place predicts, the word after each, `NO_TARGET` beyond
        a sentence's end
    """

    tokens: Tensor
    targets: Tensor
    rows: Tensor
    last: Tensor
    mask: Tensor | None
    following: Tensor | None = None

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def asked(self) -> int:
        """How many words are to be predicted."""
        if self.following is None:
            return len(self)
        return int((self.following != NO_TARGET).sum())

    def take(self, places: Tensor | slice) -> Batch:
        """Return the sentences at some places."""
        tokens = self.tokens[places]
        mask = self.mask
        if mask is not None and len(mask) > 1:
            mask = mask[places]
        rows = self.rows[: len(tokens)]
        following = None if self.following is None else self.following[places]
        return Batch(tokens, self.targets[places], rows, self.last[places], mask, following)


def whole_corpus(config: Config, corpus: Corpus, device: torch.device) -> Batch:
    """Return all sentences of the corpus as one batch."""
    tokens, lengths, targets = corpus.encoded()
    longest = tokens.shape[1]
    # No word comes before padding, so a causal mask hides it too.
    hidden = ~np.tri(longest, dtype=bool)[None]  # (1, T, T)
    if not config.causal:
        hidden = np.arange(longest) >= lengths[:, None, None]  # (N, 1, T): the padded keys
    mask = None
    if hidden.any():
        if (hidden == hidden[:1]).all():
            hidden = hidden[:1]
        mask = np.where(hidden[:, None], -np.inf, 0).astype(np.float32)

    def put(array: np.ndarray) -> Tensor:
        return torch.from_numpy(array).to(device)

    return Batch(
        put(tokens.astype(np.int64)),
        put(targets.astype(np.int64)),
        torch.arange(len(tokens), device=device),
        put(lengths.astype(np.int64) - 1),
        None if mask is None else put(mask),
        put(corpus.following().astype(np.int64)) if config.every_place else None,
    )


def as_batch(tokens: np.ndarray, device: torch.device) -> Batch:
    """Return texts of equal length, (N, T), as a batch under a causal mask, nothing to predict."""
    N, T = tokens.shape
    put = torch.from_numpy(tokens.astype(np.int64)).to(device)
    rows = torch.arange(N, device=device)
    mask = torch.full((T, T), -math.inf, device=device).triu(1)[None, None]
    return Batch(put, put[:, 0], rows, torch.full_like(rows, T - 1), mask)


def judged(logits: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
    """Return the mean loss of all that a batch predicts, and how many predictions are right."""
    targets = batch.targets
    if batch.following is not None:
        logits, targets = logits.flatten(0, 1), batch.following.flatten()
    loss = functional.cross_entropy(logits, targets, ignore_index=NO_TARGET)
    return loss, (logits.detach().argmax(1) == targets).sum().to(loss.dtype)


@dataclass(frozen=True, slots=True)
class LayerForward:
    """What one layer computed.

    x, output : (N, T, d), what Wq multiplies, and what Wo and bo gave (before add & norm)
    qkv : (3, N, H, T, d_k); scores, weights : (N, H, T, T); head_output : (N, H, T, d_k)
    """

    x: Tensor
    qkv: Tensor
    scores: Tensor
    weights: Tensor
    head_output: Tensor
    output: Tensor

    def parts(self, places: Tensor | slice, tokens: int) -> tuple[Tensor, ...]:
        """Return all six for the sentences at `places`, cut to `tokens`, in the order above."""
        if isinstance(places, slice) and tokens == self.x.shape[1]:
            whole = (self.qkv, self.scores, self.weights, self.head_output)
            return (self.x, *whole, self.output)
        return (
            self.x[places, :tokens],
            self.qkv[:, places, :, :tokens],
            self.scores[places, :, :tokens, :tokens],
            self.weights[places, :, :tokens, :tokens],
            self.head_output[places, :, :tokens],
            self.output[places, :tokens],
        )


class Network:
    """The model: its parameters in one flat buffer, and the forward pass over them.

    Attributes
    ----------
    parameter_blocks : ParameterBlocks
    flat, gradient : (parameter_blocks.size,)
        The parameters and their gradient; `blocks` are views of them that autograd knows.
    """

    def __init__(self, config: Config, corpus: Corpus, device: torch.device) -> None:
        self.config = config
        self.parameter_blocks: ParameterBlocks = parameter_blocks(config, corpus)
        self.flat = torch.from_numpy(initial(config, corpus)).to(device)
        self.gradient = torch.zeros_like(self.flat)
        self.blocks: dict[str, Tensor] = {}
        gradients = self.parameter_blocks.split(self.gradient)
        for name, view in self.parameter_blocks.split(self.flat).items():
            block = view.detach().requires_grad_()
            block.grad = gradients[name]
            self.blocks[name] = block
        self._layers = [
            [self.blocks[f"layers.{i}.{name}"] for name in LAYER] for i in range(config.layers)
        ]
        self._position: Tensor | None = self.blocks.get("position")
        if config.use_position and self._position is None:
            fixed: Floats = sinusoids(corpus.longest, config.d_model)
            self._position = torch.from_numpy(fixed).to(device)
        # One number of any value: `baddbmm` with beta = 0 never reads it.
        self._nothing = self.flat.new_zeros(1, 1, 1)

    def forward(
        self, batch: Batch, generator: torch.Generator | None = None
    ) -> tuple[Tensor, list[LayerForward]]:
        """Return the logits, and what each layer computed.

        The logits are those of the last real position, (N, V), or where every place predicts of all
        positions, (N, T, V).

        With a generator, numbers are dropped as `config.dropout` says: of the summed embeddings
        and of the output of each sub-layer (Vaswani et al. 2017, section 5.4).
        """
        N, T = batch.tokens.shape
        d, H = self.config.d_model, self.config.heads
        d_k = d // H
        shape = (N * T, d)
        x = functional.embedding(batch.tokens, self.blocks["embedding"])
        if self._position is not None:
            x = x + self._position[:T]
        x = self._dropped(x.view(shape), generator)
        layers = []
        for Wqkv, bqkv, Wo, bo, gain1, bias1, W1, b1, W2, b2, gain2, bias2 in self._layers:
            qkv = torch.addmm(bqkv, x, Wqkv).view(N, T, 3, H, d_k)
            qkv = qkv.permute(2, 0, 3, 1, 4).reshape(3, N * H, T, d_k)
            q, k, v = qkv.unbind(0)
            scores = torch.baddbmm(
                self._nothing, q, k.transpose(1, 2), beta=0, alpha=1 / math.sqrt(d_k)
            )
            if batch.mask is not None:
                scores = (scores.view(N, H, T, T) + batch.mask).view(N * H, T, T)
            weights = torch.softmax(scores, -1)
            head_output = torch.bmm(weights, v).view(N, H, T, d_k)
            output = torch.addmm(bo, head_output.transpose(1, 2).reshape(shape), Wo)
            layers.append(
                LayerForward(
                    x.view(N, T, d),
                    qkv.view(3, N, H, T, d_k),
                    scores.view(N, H, T, T),
                    weights.view(N, H, T, T),
                    head_output,
                    output.view(N, T, d),
                )
            )
            added = x + self._dropped(output, generator)
            x = torch.layer_norm(added, (d,), gain1, bias1, EPSILON)
            inner = torch.addmm(b1, x, W1).relu()
            fed = torch.addmm(b2, inner, W2)
            x = torch.layer_norm(x + self._dropped(fed, generator), (d,), gain2, bias2, EPSILON)
        bout, Wout = self.blocks["bout"], self.blocks["Wout"]
        if batch.following is not None:
            return torch.addmm(bout, x, Wout).view(N, T, -1), layers
        read = x.view(N, T, d)[batch.rows, batch.last]
        return torch.addmm(bout, read, Wout), layers

    def _dropped(self, x: Tensor, generator: torch.Generator | None) -> Tensor:
        rate = self.config.dropout
        if generator is None or rate == 0:
            return x
        kept = torch.rand(x.shape, generator=generator, device=x.device) >= rate
        return x * kept / (1 - rate)


LAYER = (
    "Wqkv",
    "bqkv",
    "Wo",
    "bo",
    "norm1.gain",
    "norm1.bias",
    "W1",
    "b1",
    "W2",
    "b2",
    "norm2.gain",
    "norm2.bias",
)
