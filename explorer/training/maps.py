"""The attention of a tiny Transformer with given parameters, in NumPy: without torch."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.attention import softmax
from explorer.traces import Config, Corpus
from explorer.training.parameters import Floats, parameter_blocks, sinusoids

_EPSILON = 1e-5  # of the layer normalisation, as `explorer.training.network` has it


def attention_maps(
    config: Config, corpus: Corpus, flat: Floats, words: Sequence[str]
) -> NDArray[np.float64]:
    """Return the weights of every head on a sentence, (L, H, T, T), as `Network.forward` does.

    Parameters
    ----------
    flat : ndarray
        The parameters in the order of `parameter_blocks`.
    words : sequence of str
        T words of the corpus, without the one that is to be predicted.
    """
    model = parameter_blocks(config, corpus)
    parameters = {name: block.astype(float) for name, block in model.named(flat).items()}
    T, d = len(words), config.d_model
    x = parameters["embedding"][list(corpus.encode(words))]
    if config.use_position:
        place = parameters.get("position")
        x = x + (sinusoids(corpus.longest, d) if place is None else place)[:T]
    hidden = ~np.tri(T, dtype=bool) if config.causal else np.zeros((T, T), dtype=bool)
    found = []
    for number in range(config.layers):
        layer = f"layers.{number}."
        q, k, v = (
            x @ parameters[f"{layer}W{each}"] + parameters[f"{layer}b{each}"][:, None]
            for each in "qkv"
        )
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(config.d_k)
        weights = softmax(np.where(hidden, -np.inf, scores))
        found.append(weights)
        joined = (weights @ v).transpose(1, 0, 2).reshape(T, d)
        output = joined @ parameters[f"{layer}Wo"] + parameters[f"{layer}bo"]
        x = _normalised(x + output, parameters, f"{layer}norm1")
        inner = np.maximum(x @ parameters[f"{layer}W1"] + parameters[f"{layer}b1"], 0)
        fed = inner @ parameters[f"{layer}W2"] + parameters[f"{layer}b2"]
        x = _normalised(x + fed, parameters, f"{layer}norm2")
    return np.stack(found)


def _normalised(
    x: NDArray[np.float64], parameters: dict[str, NDArray[np.float64]], name: str
) -> NDArray[np.float64]:
    centred = x - x.mean(axis=1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + _EPSILON)
    return scaled * parameters[f"{name}.gain"] + parameters[f"{name}.bias"]
