"""Runs of equal shapes trained together: a run axis R in front of every matrix.

Each run is that of `explorer.training.loop.train` with the same configuration, but for rounding:
the same initial values, batches, dropped numbers and optimizer. Kept are losses and accuracies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from explorer.traces import Config, Corpus
from explorer.traces.corpus import NO_TARGET
from explorer.training.loop import chosen_device, memory_told
from explorer.training.network import EPSILON, LAYER, whole_corpus
from explorer.training.optimizer import Optimizer
from explorer.training.parameters import initial, parameter_blocks, sinusoids
from explorer.training.shapes import sentences_a_pass, shape_of

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Trained:
    """What is kept of R runs of E epochs.

    loss, accuracy : (R, E + 1), of the whole corpus; nan from the first epoch on whose loss is
        not finite
    weights : (R, P), the flat parameters after the last epoch, in the order of `parameter_blocks`
    """

    loss: Floats
    accuracy: Floats
    weights: Floats


def train_together(
    configs: Sequence[Config],
    corpus: Corpus,
    proceed: Callable[[], bool] = lambda: True,
) -> Trained | None:
    """Train runs that differ in seed, learning rate, initialisation and rate of dropout alone.

    Parameters
    ----------
    proceed : callable
        Asked after every epoch; False ends them all, and None is returned.

    Raises Problem as `loop.train` does; ValueError for configurations of other shapes.
    """
    first = configs[0]
    if len({shape_of(config) for config in configs}) > 1:
        raise ValueError("These runs cannot train together: their shapes differ.")
    device = chosen_device(first, corpus)
    with memory_told(device):
        # Runs of one rate stand together: the optimizer takes them in one pass.
        order = sorted(range(len(configs)), key=lambda i: configs[i].learning_rate)
        together = _Together([configs[i] for i in order], corpus, torch.device(device.kind))
        history = torch.empty((first.epochs + 1, 2, len(configs)), device=device.kind)
        for epoch in range(first.epochs + 1):
            history[epoch] = together.look()
            if not proceed():
                return None
            if epoch < first.epochs:
                together.learn()
        places = np.argsort(order)
        curves = history.cpu().numpy().transpose(1, 2, 0)[:, places]  # (2, R, E + 1)
        weights = together.flat.cpu().numpy()[places]
    over = np.logical_or.accumulate(~np.isfinite(curves[0]), axis=1)
    loss, accuracy = (np.where(over, np.float32(np.nan), part) for part in curves)
    return Trained(loss, accuracy, weights)


@dataclass(frozen=True)
class _Sentences:
    """Sentences of each run, R × N or, where all runs have the same, 1 × N.

    tokens : (R, N, T); targets, last : (R, N)
    mask : (R, N, 1, T, T), R, N or the first T may be 1, or None
    following : (R, N, T) or None; where every place predicts, the word after each
    """

    tokens: Tensor
    targets: Tensor
    last: Tensor
    mask: Tensor | None
    following: Tensor | None

    def take(self, places: Tensor | slice) -> _Sentences:
        """Return those at some places: a slice for all, or (R, n) of each run."""
        mask, after = self.mask, self.following
        if mask is not None and mask.shape[1] > 1:
            mask = mask[0, places] if isinstance(places, Tensor) else mask[:, places]
        if isinstance(places, Tensor):
            after = None if after is None else after[0, places]
            return _Sentences(
                self.tokens[0, places], self.targets[0, places], self.last[0, places], mask, after
            )
        after = None if after is None else after[:, places]
        return _Sentences(
            self.tokens[:, places], self.targets[:, places], self.last[:, places], mask, after
        )


class _Together:
    """R models in training."""

    def __init__(self, configs: Sequence[Config], corpus: Corpus, device: torch.device) -> None:
        self._config = config = configs[0]
        self._count = len(configs)
        shapes = parameter_blocks(config, corpus)
        self.flat = torch.from_numpy(np.stack([initial(each, corpus) for each in configs]))
        self.flat = self.flat.to(device)
        self._gradient = torch.zeros_like(self.flat)
        self._gradients: list[Tensor] = []  # its parts, in the order of the blocks
        self._blocks: dict[str, Tensor] = {}
        start = 0
        for name, shape in shapes.shapes.items():
            end = start + math.prod(shape)
            # One row of numbers for all tokens of a run: biases and gains.
            seen = (self._count, *(shape if len(shape) > 1 else (1, *shape)))
            self._blocks[name] = self.flat[:, start:end].view(seen).detach().requires_grad_()
            self._gradients.append(self._gradient[:, start:end].view(seen))
            start = end
        self._layers = [
            {name: self._blocks[f"layers.{i}.{name}"] for name in LAYER}
            for i in range(config.layers)
        ]
        self._position: Tensor | None = self._blocks.get("position")
        if config.use_position and self._position is None:
            fixed = torch.from_numpy(sinusoids(corpus.longest, config.d_model))
            self._position = fixed.to(device)[None]
        whole = whole_corpus(config, corpus, device)
        self._corpus = _Sentences(
            whole.tokens[None],
            whole.targets[None],
            whole.last[None],
            None if whole.mask is None else whole.mask[None],
            None if whole.following is None else whole.following[None],
        )
        self._total, self._asked = len(whole), whole.asked
        self._size = min(config.batch_size or self._total, self._total)
        self._at_once = min(self._size, sentences_a_pass(config, corpus))
        self._orders = [np.random.default_rng((each.seed, 1)) for each in configs]
        self._dropouts: list[torch.Generator] = []
        if config.dropout:
            self._dropouts = [torch.Generator(device).manual_seed(each.seed) for each in configs]
        rates = torch.tensor([each.dropout for each in configs], device=device)
        self._dropout = rates[:, None, None]
        self._first_word = torch.arange(self._count, device=device)[:, None, None]
        self._first_word = self._first_word * len(corpus.vocabulary)
        # Runs of one rate, which stand together, take their steps in one pass.
        self._optimizers: list[Optimizer] = []
        row = 0
        for rate, alike in groupby(each.learning_rate for each in configs):
            rows = slice(row, row + len(list(alike)))
            values, gradient = self.flat[rows], self._gradient[rows]
            self._optimizers.append(Optimizer(config.optimizer, values, gradient, rate))
            row = rows.stop
        self._begun = False  # whether a part of the batch is in the gradient
        self._losses: Tensor | None = None  # of the whole corpus, while gradients can be asked

    def look(self) -> Tensor:
        """Return losses and accuracies over the whole corpus, (2, R)."""
        if self._at_once == self._total and not self._dropouts:
            # The pass that is looked at is the very pass that teaches.
            self._losses, right = self._judged(self._corpus, dropped=False)
            return torch.stack((self._losses.detach(), right / self._asked))
        with torch.no_grad():
            total = self.flat.new_zeros(2, self._count)
            for start in range(0, self._total, self._at_once):
                batch = self._corpus.take(slice(start, start + self._at_once))
                loss, right = self._judged(batch, dropped=False)
                total[0] += loss * self._weight(batch)
                total[1] += right
            return total / self._asked

    def learn(self) -> None:
        """Do one pass over the corpus: one step of the optimizer for each batch."""
        if self._losses is not None:
            self._add_gradient(self._losses)
            self._losses = None
            self._descend()
            return
        orders = np.stack([order.permutation(self._total) for order in self._orders])
        places = torch.from_numpy(orders).to(self.flat.device)
        for start in range(0, self._total, self._size):
            parts = torch.split(places[:, start : start + self._size], self._at_once, dim=1)
            batches = [self._corpus.take(part) for part in parts]
            asked = sum(self._weight(batch) for batch in batches)
            for batch in batches:
                losses, _right = self._judged(batch, dropped=True)
                share = self._weight(batch) / asked if len(batches) > 1 else 1
                self._add_gradient(losses * share)
            self._descend()

    def _add_gradient(self, losses: Tensor) -> None:
        # No run's loss depends on another's parameters: the gradient of the sum is that of each.
        made = torch.autograd.grad(losses.sum(), list(self._blocks.values()))
        if self._begun:
            torch._foreach_add_(self._gradients, made)
        else:
            torch._foreach_copy_(self._gradients, made)
        self._begun = True

    def _descend(self) -> None:
        for optimizer in self._optimizers:
            optimizer.step()
        self._begun = False

    def _judged(self, batch: _Sentences, *, dropped: bool) -> tuple[Tensor, Tensor]:
        """Return each run's mean loss, and how many of its predictions are right; both (R,)."""
        logits = self._forward(batch, self._dropouts if dropped else ())  # (R, N, V)
        targets = batch.targets.expand(self._count, -1)
        if batch.following is not None:
            targets = batch.following.flatten(1).expand(self._count, -1)
        losses = functional.cross_entropy(
            logits.transpose(1, 2), targets, ignore_index=NO_TARGET, reduction="none"
        )
        right = (logits.detach().argmax(2) == targets).sum(1).to(losses.dtype)
        if batch.following is None:
            return losses.mean(1), right
        return losses.sum(1) / self._weight(batch), right

    def _weight(self, batch: _Sentences) -> Tensor | int:
        """Return how many words a batch predicts: of each run, (R,), or of each alike."""
        if batch.following is None:
            return batch.tokens.shape[1]
        return (batch.following != NO_TARGET).flatten(1).sum(1)

    def _forward(self, batch: _Sentences, dropouts: Sequence[torch.Generator]) -> Tensor:
        """Return the logits of the last real position, (R, N, V), or of all, (R, N·T, V)."""
        config, R = self._config, self._count
        _, N, T = batch.tokens.shape
        d, H = config.d_model, config.heads
        d_k = d // H
        words = self._blocks["embedding"].reshape(-1, d)
        x = functional.embedding(batch.tokens + self._first_word, words)  # (R, N, T, d)
        if self._position is not None:
            x = x + self._position[:, None]
        x = self._thinned(x.view(R, N * T, d), dropouts)
        for layer in self._layers:
            qkv = torch.baddbmm(layer["bqkv"], x, layer["Wqkv"]).view(R * N, T, 3, H, d_k)
            q, k, v = qkv.permute(2, 0, 3, 1, 4).reshape(3, R * N * H, T, d_k).unbind(0)
            scores = torch.baddbmm(
                q.new_zeros(1, 1, 1), q, k.transpose(1, 2), beta=0, alpha=1 / math.sqrt(d_k)
            )
            if batch.mask is not None:
                scores = (scores.view(R, N, H, T, T) + batch.mask).view(-1, T, T)
            outputs = torch.bmm(torch.softmax(scores, -1), v).view(R * N, H, T, d_k)
            joined = outputs.transpose(1, 2).reshape(R, N * T, d)
            output = torch.baddbmm(layer["bo"], joined, layer["Wo"])
            x = x + self._thinned(output, dropouts)
            x = torch.layer_norm(x, (d,), eps=EPSILON)
            x = torch.addcmul(layer["norm1.bias"], x, layer["norm1.gain"])
            inner = torch.baddbmm(layer["b1"], x, layer["W1"]).relu()
            fed = torch.baddbmm(layer["b2"], inner, layer["W2"])
            x = torch.layer_norm(x + self._thinned(fed, dropouts), (d,), eps=EPSILON)
            x = torch.addcmul(layer["norm2.bias"], x, layer["norm2.gain"])
        if batch.following is not None:
            return torch.baddbmm(self._blocks["bout"], x, self._blocks["Wout"])
        rows = torch.arange(R * N, device=x.device) * T
        read = x.view(R * N * T, d).index_select(0, rows + batch.last.expand(R, -1).reshape(-1))
        return torch.baddbmm(self._blocks["bout"], read.view(R, N, d), self._blocks["Wout"])

    def _thinned(self, x: Tensor, dropouts: Sequence[torch.Generator]) -> Tensor:
        """Return x, (R, n, d), with numbers dropped, each run's by its own generator."""
        if not dropouts:
            return x
        drawn = [torch.rand(x.shape[1:], generator=each, device=x.device) for each in dropouts]
        return x * (torch.stack(drawn) >= self._dropout) / (1 - self._dropout)
