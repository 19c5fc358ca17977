"""BERT (Devlin et al. 2018, https://arxiv.org/abs/1810.04805), MiniLM among its children."""

from __future__ import annotations

from collections.abc import Collection

from explorer.models.config import Config
from explorer.models.plan import (
    Family,
    Parts,
    Plan,
    activation,
    head_width,
    linear,
    masked_head,
    norm,
    table,
)


def describe(config: Config, names: Collection[str]) -> Plan:
    """Return the plan of a BERT."""
    return plan(config, names, "bert")


def plan(config: Config, names: Collection[str], family: str, head: Parts | None = None) -> Plan:
    """Return the plan of a model with BERT's layers.

    head : the parts that make logits, where they are not BERT's
    """
    if config.fields.get("position_embedding_type") not in (None, "absolute"):
        raise config.refused("position_embedding_type")
    width, inner = config.count("hidden_size"), config.count("intermediate_size")
    layers, words = config.layers("num_hidden_layers"), config.count("vocab_size")
    positions = config.count("max_position_embeddings")
    parts = {
        **table("tokens", "embeddings.word_embeddings", words, width),
        **table("positions", "embeddings.position_embeddings", positions, width),
        **table(
            "types", "embeddings.token_type_embeddings", config.count("type_vocab_size", 2), width
        ),
        **norm("embedding", "embeddings.LayerNorm", width),
    }
    for i in range(layers):
        layer = f"encoder.layer.{i}"
        parts |= {
            **linear(f"{i}.query", f"{layer}.attention.self.query", width, width),
            **linear(f"{i}.key", f"{layer}.attention.self.key", width, width),
            **linear(f"{i}.value", f"{layer}.attention.self.value", width, width),
            **linear(f"{i}.output", f"{layer}.attention.output.dense", width, width),
            **norm(f"{i}.norm1", f"{layer}.attention.output.LayerNorm", width),
            **linear(f"{i}.up", f"{layer}.intermediate.dense", inner, width),
            **linear(f"{i}.down", f"{layer}.output.dense", width, inner),
            **norm(f"{i}.norm2", f"{layer}.output.LayerNorm", width),
        }
    if head is None:
        head = masked_head(
            names,
            parts["tokens"],
            "cls.predictions.transform.dense",
            "cls.predictions.transform.LayerNorm",
            "cls.predictions.decoder",
            ("cls.predictions.bias", "cls.predictions.decoder.bias"),
        )
    columns = head_width(config, "hidden_size", "num_attention_heads")
    return Plan(
        family=family,
        width=width,
        layers=layers,
        heads=config.count("num_attention_heads"),
        head_width=columns,
        inner=inner,
        vocabulary=words,
        positions=positions,
        causal=False,
        norm="layer",
        epsilon=config.number("layer_norm_eps", 1e-12),
        order="after",
        activation=activation(config, "hidden_act", "gelu"),
        scale=columns**-0.5,
        parts=parts | head,
    )


FAMILY = Family("bert", "encoder.layer.", describe)
