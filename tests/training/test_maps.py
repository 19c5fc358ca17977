"""Attention computed in NumPy beside that of the network."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from explorer.traces import Config, Corpus
from explorer.training.maps import attention_maps
from explorer.training.network import Network, whole_corpus


@pytest.mark.parametrize(
    "changes",
    [
        {"layers": 2, "causal": True, "heads": 4},
        {"position_kind": "sinusoidal", "feed_forward": 5},
        {"use_position": False, "layers": 3, "heads": 1},
    ],
    ids=["causal", "sinusoidal", "no position"],
)
def test_maps_are_those_of_the_network(ragged: Corpus, changes: dict[str, Any]) -> None:
    config = Config(seed=3, **changes)
    network = Network(config, ragged, torch.device("cpu"))
    with torch.no_grad():
        _logits, layers = network.forward(whole_corpus(config, ragged, torch.device("cpu")))
    for place, line in enumerate(ragged.lines):
        words = line[:-1]
        found = attention_maps(config, ragged, network.flat.numpy(), words)
        assert found.shape == (config.layers, config.heads, len(words), len(words))
        for maps, layer in zip(found, layers, strict=True):
            expected = layer.weights[place, :, : len(words), : len(words)].numpy()
            np.testing.assert_allclose(maps, expected, atol=2e-6)
