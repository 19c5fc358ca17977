"""DistilBERT (Sanh et al. 2019, https://arxiv.org/abs/1910.01108)."""

from __future__ import annotations

from collections.abc import Collection

from explorer.models.config import Config
from explorer.models.plan import (
    Family,
    Plan,
    activation,
    head_width,
    linear,
    masked_head,
    norm,
    table,
)


def describe(config: Config, names: Collection[str]) -> Plan:
    """Return the plan of a DistilBERT."""
    width, inner = config.count("dim"), config.count("hidden_dim")
    layers, words = config.layers("n_layers"), config.count("vocab_size")
    positions = config.count("max_position_embeddings")
    parts = {
        **table("tokens", "embeddings.word_embeddings", words, width),
        **table("positions", "embeddings.position_embeddings", positions, width),
        **norm("embedding", "embeddings.LayerNorm", width),
    }
    for i in range(layers):
        layer = f"transformer.layer.{i}"
        parts |= {
            **linear(f"{i}.query", f"{layer}.attention.q_lin", width, width),
            **linear(f"{i}.key", f"{layer}.attention.k_lin", width, width),
            **linear(f"{i}.value", f"{layer}.attention.v_lin", width, width),
            **linear(f"{i}.output", f"{layer}.attention.out_lin", width, width),
            **norm(f"{i}.norm1", f"{layer}.sa_layer_norm", width),
            **linear(f"{i}.up", f"{layer}.ffn.lin1", inner, width),
            **linear(f"{i}.down", f"{layer}.ffn.lin2", width, inner),
            **norm(f"{i}.norm2", f"{layer}.output_layer_norm", width),
        }
    parts |= masked_head(
        names,
        parts["tokens"],
        "vocab_transform",
        "vocab_layer_norm",
        "vocab_projector",
        ("vocab_projector.bias",),
    )
    columns = head_width(config, "dim", "n_heads")
    return Plan(
        family="distilbert",
        width=width,
        layers=layers,
        heads=config.count("n_heads"),
        head_width=columns,
        inner=inner,
        vocabulary=words,
        positions=positions,
        causal=False,
        norm="layer",
        epsilon=1e-12,
        order="after",
        activation=activation(config, "activation", "gelu"),
        scale=columns**-0.5,
        parts=parts,
    )


FAMILY = Family("distilbert", "transformer.layer.", describe)
