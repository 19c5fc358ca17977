"""Llama (Touvron et al. 2023, https://arxiv.org/abs/2302.13971): rotary, RMS norms, gated layers.

Several heads may share one of K and V (Ainslie et al. 2023, https://arxiv.org/abs/2305.13245).
"""

from __future__ import annotations

from collections.abc import Collection

from explorer.models.config import Config
from explorer.models.plan import (
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
from explorer.text import N_, Problem

FULL, SLIDING = "full_attention", "sliding_attention"


def describe(config: Config, names: Collection[str]) -> Plan:
    """Return the plan of a Llama."""
    layers = config.layers("num_hidden_layers")
    check_layer_types(config, [FULL] * layers)
    bias = config.flag("attention_bias", False)
    return plan(
        config,
        names,
        "llama",
        bias=bias,
        output_bias=bias,
        inner_bias=config.flag("mlp_bias", False),
    )


def check_layer_types(config: Config, known: list[str]) -> None:
    """Raise a Problem where `layer_types` says something else than is computed."""
    if config.texts("layer_types") not in (None, known):
        raise config.refused("layer_types")


def plan(
    config: Config,
    names: Collection[str],
    family: str,
    *,
    bias: bool = False,
    output_bias: bool = False,
    inner_bias: bool = False,
    head_norm: bool = False,
    columns: int | None = None,
    key_heads: int | None = None,
    positions: int = 2048,
    windows: tuple[int | None, ...] = (),
) -> Plan:
    """Return the plan of a model with Llama's layers.

    bias, output_bias, inner_bias : of Q, K and V; of the output; of the gated layer
    head_norm : whether each head of Q and K is normalised before it turns
    columns, key_heads, positions : what the family takes where the configuration does not say
    """
    width, inner = config.count("hidden_size"), config.count("intermediate_size")
    layers, words = config.layers("num_hidden_layers"), config.count("vocab_size")
    heads = config.count("num_attention_heads")
    if columns is None and not config.has("head_dim"):
        columns = head_width(config, "hidden_size", "num_attention_heads")
    columns = config.count("head_dim", columns)
    shared = config.count("num_key_value_heads", key_heads or heads)
    if heads % shared:
        raise Problem(
            N_(
                'config.json: "num_key_value_heads" is {shared}, which does not divide {heads}'
                " heads."
            ),
            shared=shared,
            heads=heads,
        )
    parts = {**table("tokens", "embed_tokens", words, width), **rms("final", "norm", width)}
    for i in range(layers):
        layer = f"layers.{i}"
        attention = f"{layer}.self_attn"
        parts |= {
            **rms(f"{i}.norm1", f"{layer}.input_layernorm", width),
            **linear(f"{i}.query", f"{attention}.q_proj", heads * columns, width, bias=bias),
            **linear(f"{i}.key", f"{attention}.k_proj", shared * columns, width, bias=bias),
            **linear(f"{i}.value", f"{attention}.v_proj", shared * columns, width, bias=bias),
            **linear(
                f"{i}.output", f"{attention}.o_proj", width, heads * columns, bias=output_bias
            ),
            **rms(f"{i}.norm2", f"{layer}.post_attention_layernorm", width),
            **linear(f"{i}.gate", f"{layer}.mlp.gate_proj", inner, width, bias=inner_bias),
            **linear(f"{i}.up", f"{layer}.mlp.up_proj", inner, width, bias=inner_bias),
            **linear(f"{i}.down", f"{layer}.mlp.down_proj", width, inner, bias=inner_bias),
        }
        if head_norm:
            parts |= rms(f"{i}.query_norm", f"{attention}.q_norm", columns)
            parts |= rms(f"{i}.key_norm", f"{attention}.k_norm", columns)
    return Plan(
        family=family,
        width=width,
        layers=layers,
        heads=heads,
        key_heads=shared,
        head_width=columns,
        inner=inner,
        vocabulary=words,
        positions=config.count("max_position_embeddings", positions),
        causal=True,
        windows=windows,
        norm="rms",
        epsilon=config.number("rms_norm_eps", 1e-6),
        order="before",
        activation=activation(config, "hidden_act", "silu"),
        scale=columns**-0.5,
        rotary=read_rotary(config, columns),
        parts=parts | causal_head(config, names, parts["tokens"], tied=False),
    )


def rms(role: str, name: str, width: int) -> Parts:
    """Return the part of an RMS norm."""
    return norm(role, name, width, bias=False)


FAMILY = Family("model", "layers.", describe)
