"""GPT-NeoX and Pythia (Black et al. 2022, https://arxiv.org/abs/2204.06745).

Attention and feed-forward may take the same stream (parallel) or follow each other; a part of each
head's columns is rotary; Q, K and V of a head lie together in one tensor.
"""

from __future__ import annotations

from collections.abc import Collection

from explorer.models.config import Config
from explorer.models.plan import (
    Array,
    Family,
    Parts,
    Plan,
    activation,
    causal_head,
    head_width,
    linear,
    norm,
    read_rotary,
    table,
)
from explorer.models.weights import WeightPlace


def describe(config: Config, names: Collection[str]) -> Plan:
    """Return the plan of a GPT-NeoX."""
    width, inner = config.count("hidden_size"), config.count("intermediate_size")
    layers, words = config.layers("num_hidden_layers"), config.count("vocab_size")
    heads = config.count("num_attention_heads")
    columns = head_width(config, "hidden_size", "num_attention_heads")
    bias = config.flag("attention_bias", True)
    parts = {
        **table("tokens", "embed_in", words, width),
        **norm("final", "final_layer_norm", width),
    }
    for i in range(layers):
        layer = f"layers.{i}"
        parts |= {
            **norm(f"{i}.norm1", f"{layer}.input_layernorm", width),
            **_of_heads(i, f"{layer}.attention.query_key_value", heads, columns, bias),
            **linear(f"{i}.output", f"{layer}.attention.dense", width, width, bias=bias),
            **norm(f"{i}.norm2", f"{layer}.post_attention_layernorm", width),
            **linear(f"{i}.up", f"{layer}.mlp.dense_h_to_4h", inner, width),
            **linear(f"{i}.down", f"{layer}.mlp.dense_4h_to_h", width, inner),
        }
    own = "lm_head" if "lm_head.weight" in names else "embed_out"
    head = causal_head(config, names, parts["tokens"], tied=False, name=own)
    return Plan(
        family="gpt_neox",
        width=width,
        layers=layers,
        heads=heads,
        head_width=columns,
        inner=inner,
        vocabulary=words,
        positions=config.count("max_position_embeddings", 2048),
        causal=True,
        norm="layer",
        epsilon=config.number("layer_norm_eps", 1e-5),
        order="parallel" if config.flag("use_parallel_residual", True) else "before",
        activation=activation(config, "hidden_act", "gelu"),
        scale=columns**-0.5,
        rotary=read_rotary(config, columns, partial=0.25),
        parts=parts | head,
    )


def _of_heads(layer: int, name: str, heads: int, columns: int, bias: bool) -> Parts:
    """Return the parts of a tensor whose rows are (head, Q K or V, column)."""
    width = heads * columns
    parts: Parts = {}
    for k, role in enumerate(("query", "key", "value")):

        def pick(array: Array, k: int = k) -> Array:
            rows = array.reshape(heads, 3, columns, *array.shape[1:])[:, k]
            return rows.reshape(width, *array.shape[1:])

        parts[f"{layer}.{role}.weight"] = WeightPlace(f"{name}.weight", (3 * width, width), pick)
        if bias:
            parts[f"{layer}.{role}.bias"] = WeightPlace(f"{name}.bias", (3 * width,), pick)
    return parts


FAMILY = Family("gpt_neox", "layers.", describe)
