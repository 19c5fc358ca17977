"""The published scores of heads on random tokens that are repeated, of a model in training.

`explorer.models.repeats` has their definitions and sources.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.models.repeats import scores_of
from explorer.traces import Corpus
from explorer.traces.schema import repeated_length

_TEXTS = 4


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

    weights : (L, N, H, T, T), on repeated texts
    """
    means = weights.mean(axis=1)
    found = [scores_of(layer, layer.shape[-1] // 2) for layer in means]
    return np.array([[of[0] for of in found], [of[2] for of in found]], np.float32)
