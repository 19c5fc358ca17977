"""Qwen2 and 2.5 (Yang et al. 2024, https://arxiv.org/abs/2407.10671): Llama, Q K V with biases."""

from __future__ import annotations

from collections.abc import Collection

from explorer.models.config import Config
from explorer.models.families import llama
from explorer.models.plan import Family, Plan


def describe(config: Config, names: Collection[str]) -> Plan:
    """Return the plan of a Qwen2."""
    return llama.plan(
        config,
        names,
        "qwen2",
        bias=True,
        key_heads=32,
        positions=32768,
        windows=windows(config),
    )


def windows(config: Config) -> tuple[int | None, ...]:
    """Return each layer's window: those that `layer_types`, or else `max_window_layers`, names."""
    layers = config.layers("num_hidden_layers")
    types = config.texts("layer_types")
    window = None
    if config.flag("use_sliding_window", False):
        window = config.count("sliding_window", 4096)
    if types is None:
        full = config.count("max_window_layers", 28, least=0)
        return tuple(window if i >= full else None for i in range(layers))
    known = {llama.FULL} if window is None else {llama.FULL, llama.SLIDING}
    if len(types) != layers or not known.issuperset(types):
        raise config.refused("layer_types")
    return tuple(window if each == llama.SLIDING else None for each in types)


FAMILY = Family("model", "layers.", describe)
