"""A recorded step as one row of numbers, so that one copy takes it off the device.

Letters of shapes: N recorded samples, L layers, H heads, T tokens of the longest recorded sample,
d = d_model, V words of the vocabulary, M numbers of all parameters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.models.repeats import scores_of
from explorer.traces import Config, Corpus
from explorer.traces.schema import repeated_length
from explorer.training.parameters import Floats, ParameterBlocks

JUDGED = 3  # numbers at the end of a row: loss, right predictions, norm of the gradient
_TEXTS = 4


class StepRow:
    """Where the arrays of a step stand in a row.

    The row holds the random state, the parameters, Adam's state, then for each layer x, Q, K, V,
    scores, weights, head_output and output, then the logits, where every place predicts the losses
    of all places and the scores of the heads, and last the loss, the number of right predictions
    and the norm of the gradient.

    Parameters
    ----------
    random : mapping of str to int
        How many numbers each `state.…` of the random state takes; empty where none is kept.
    adam : bool
        Whether Adam's state is kept.

    Attributes
    ----------
    size : int
    random : int
        Numbers of the random state.
    padding : bool array (size,) or None
        True where a number belongs to no token; None where there is no padding.
    """

    def __init__(
        self,
        model: ParameterBlocks,
        config: Config,
        corpus: Corpus,
        samples: Sequence[int],
        random: Mapping[str, int],
        adam: bool,
    ) -> None:
        tokens, lengths, _targets = corpus.encoded(samples)
        N, T = tokens.shape
        H, d, d_k = config.heads, config.d_model, config.d_k
        self._model = model
        self._layers = config.layers
        self._blocks: dict[str, tuple[int, ...]] = {
            "x": (N, T, d),
            "q": (N, H, T, d_k),
            "k": (N, H, T, d_k),
            "v": (N, H, T, d_k),
            "scores": (N, H, T, T),
            "weights": (N, H, T, T),
            "head_output": (N, H, T, d_k),
            "output": (N, T, d),
        }
        self._layer_size = sum(map(math.prod, self._blocks.values()))
        self._logits = (N, len(corpus.vocabulary))
        self._losses = (N, T) if config.every_place else (0, T)
        scored = config.every_place and repeated_length(corpus) > 0
        self._scores = (2, config.layers, H) if scored else (0, config.layers, H)
        self._random, self._adam = random, adam
        self.random = sum(random.values())
        self.size = (
            self.random
            + model.size
            + (2 * model.size + 1 if adam else 0)
            + config.layers * self._layer_size
            + math.prod(self._logits)
            + math.prod(self._losses)
            + math.prod(self._scores)
            + JUDGED
        )
        self.padding = self._padding(lengths, T)

    def arrays(self, row: Floats) -> dict[str, NDArray[Any]]:
        """Return the arrays of a step by their names in a trace, as views of `row` (size,)."""
        views: dict[str, NDArray[Any]] = {}
        start, M = 0, self._model.size

        def taken(count: int) -> Floats:
            nonlocal start
            start += count
            return row[start - count : start]

        for name, count in self._random.items():
            views[f"state.{name}"] = taken(count)
        views |= {f"param.{k}": v for k, v in self._model.named(taken(M)).items()}
        if self._adam:
            for name, count in (("mean", M), ("square", M), ("steps", 1)):
                views[f"state.{name}"] = taken(count)
        end = start + self._layers * self._layer_size
        layers = row[start:end].reshape(self._layers, self._layer_size)
        start, end = end, end + math.prod(self._logits)
        views["logits"] = row[start:end].reshape(self._logits)
        if self._losses[0]:
            start, end = end, end + math.prod(self._losses)
            views["losses"] = row[start:end].reshape(self._losses)
        if self._scores[0]:
            scores = row[end:-JUDGED].reshape(self._scores)
            views["repeats.induction"], views["repeats.previous"] = scores
        start = 0
        for name, shape in self._blocks.items():
            end = start + math.prod(shape)
            views[name] = layers[:, start:end].reshape(self._layers, *shape).swapaxes(0, 1)
            start = end
        return views

    def _padding(self, lengths: NDArray[np.int32], T: int) -> NDArray[np.bool_] | None:
        if (lengths == T).all():
            return None
        marked = np.zeros(self.size, dtype=np.float32)
        padded = np.arange(T) >= lengths[:, None]  # (N, T)
        for name, array in self.arrays(marked).items():
            if name in ("x", "output"):
                array[...] = padded[:, None, :, None]
            elif name == "losses":
                array[...] = padded
            elif name in self._blocks:
                array[...] = padded[:, None, None, :, None]
        return marked != 0


def repeated_texts(corpus: Corpus) -> NDArray[np.int64]:
    """Return texts of random words, each of which stands there twice, (4, 2·length)."""
    length, words = repeated_length(corpus), len(corpus.vocabulary)
    texts = [
        np.tile(np.random.default_rng(seed).choice(words, length, replace=False), 2)
        for seed in range(_TEXTS)
    ]
    return np.stack(texts)


def head_scores(weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the induction and the previous-token score of each head, (2, L, H).

    `explorer.models.repeats` has their definitions and sources.

    weights : (L, N, H, T, T), on repeated texts
    """
    means = weights.mean(axis=1)
    found = [scores_of(layer, layer.shape[-1] // 2) for layer in means]
    return np.array([[of[0] for of in found], [of[2] for of in found]], np.float32)
