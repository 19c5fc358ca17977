"""Words laid out by t-SNE; imported by the process that does so alone, for scikit-learn is slow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.manifold import TSNE


def laid_out(
    words: NDArray[np.float32], seed: int, start: NDArray[np.float32] | None = None
) -> NDArray[np.float32]:
    """Return the places of words in the plane, (V, 2), by t-SNE (van der Maaten & Hinton 2008).

    The perplexity is min(30, (V − 1) / 3). The same arguments give the same places.

    Parameters
    ----------
    words : (V, d)
    start : (V, 2) or None
        Places to set out from, such as those of a step nearby, so that a word is found again;
        None sets out from the two principal axes.
    """
    count = len(words)
    if count < 2:
        return np.zeros((count, 2), dtype=np.float32)
    tsne = TSNE(
        perplexity=min(30.0, (count - 1) / 3),
        init="pca" if start is None else start,
        # What is laid out already must not be thrown together once more.
        early_exaggeration=12.0 if start is None else 1.0,
        random_state=seed,
    )
    return tsne.fit_transform(words).astype(np.float32)
