"""Qwen3 (Yang et al. 2025, https://arxiv.org/abs/2505.09388): Qwen2 with normalised Q and K."""

from __future__ import annotations

from collections.abc import Collection

from explorer.models.config import Config
from explorer.models.families import llama, qwen2
from explorer.models.plan import Family, Plan


def describe(config: Config, names: Collection[str]) -> Plan:
    """Return the plan of a Qwen3."""
    bias = config.flag("attention_bias", False)
    return llama.plan(
        config,
        names,
        "qwen3",
        bias=bias,
        output_bias=bias,
        head_norm=True,
        columns=128,
        key_heads=32,
        positions=32768,
        windows=qwen2.windows(config),
    )


FAMILY = Family("model", "layers.", describe)
