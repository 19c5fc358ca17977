"""Mistral (Jiang et al. 2023, https://arxiv.org/abs/2310.06825): Llama with a sliding window."""

from __future__ import annotations

from collections.abc import Collection

from explorer.models.config import Config
from explorer.models.families import llama
from explorer.models.plan import Family, Plan


def describe(config: Config, names: Collection[str]) -> Plan:
    """Return the plan of a Mistral."""
    layers = config.layers("num_hidden_layers")
    # Without the field the reference takes a window of 4,096; null is no window.
    window = 4096
    if "sliding_window" in config.fields:
        window = config.count("sliding_window", 0, least=0)
    kind = llama.SLIDING if window else llama.FULL
    llama.check_layer_types(config, [kind] * layers)
    return llama.plan(
        config,
        names,
        "mistral",
        key_heads=8,
        positions=131072,
        windows=(window or None,) * layers,
    )


FAMILY = Family("model", "layers.", describe)
