"""GPT-2 (Radford et al. 2019): its linear maps are kept (in, out), Q, K and V in one tensor."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from explorer.models.config import Config
from explorer.models.plan import (
    Array,
    Family,
    Parts,
    Plan,
    activation,
    causal_head,
    head_width,
    norm,
    rows_of,
    table,
)
from explorer.models.weights import WeightPlace


def describe(config: Config, names: Collection[str]) -> Plan:
    """Return the plan of a GPT-2."""
    width, layers = config.count("n_embd"), config.layers("n_layer")
    words, positions = config.count("vocab_size"), config.count("n_positions", 1024)
    inner = config.count("n_inner", 4 * width)
    parts = {
        **table("tokens", "wte", words, width),
        **table("positions", "wpe", positions, width),
        **norm("final", "ln_f", width),
    }
    for i in range(layers):
        parts |= {
            **norm(f"{i}.norm1", f"h.{i}.ln_1", width),
            **_thirds(i, f"h.{i}.attn.c_attn", width),
            **_turned(f"{i}.output", f"h.{i}.attn.c_proj", width, width),
            **norm(f"{i}.norm2", f"h.{i}.ln_2", width),
            **_turned(f"{i}.up", f"h.{i}.mlp.c_fc", inner, width),
            **_turned(f"{i}.down", f"h.{i}.mlp.c_proj", width, inner),
        }
    columns = head_width(config, "n_embd", "n_head")
    return Plan(
        family="gpt2",
        width=width,
        layers=layers,
        heads=config.count("n_head"),
        head_width=columns,
        inner=inner,
        vocabulary=words,
        positions=positions,
        causal=True,
        norm="layer",
        epsilon=config.number("layer_norm_epsilon", 1e-5),
        order="before",
        activation=activation(config, "activation_function", "gelu_new"),
        scale=columns**-0.5 if config.flag("scale_attn_weights", True) else 1.0,
        parts=parts | causal_head(config, names, parts["tokens"], tied=True),
    )


def _turned(role: str, name: str, rows: int, columns: int) -> Parts:
    return {
        f"{role}.weight": WeightPlace(f"{name}.weight", (columns, rows), np.transpose),
        f"{role}.bias": WeightPlace(f"{name}.bias", (rows,)),
    }


def _thirds(layer: int, name: str, width: int) -> Parts:
    parts: Parts = {}
    for k, role in enumerate(("query", "key", "value")):
        third = slice(k * width, (k + 1) * width)

        def pick(array: Array, third: slice = third) -> Array:
            return array.T[third]

        parts[f"{layer}.{role}.weight"] = WeightPlace(f"{name}.weight", (width, 3 * width), pick)
        parts[f"{layer}.{role}.bias"] = WeightPlace(f"{name}.bias", (3 * width,), rows_of(third))
    return parts


FAMILY = Family("transformer", "h.", describe)
