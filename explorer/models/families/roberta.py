"""RoBERTa (Liu et al. 2019, https://arxiv.org/abs/1907.11692): BERT's layers, shifted positions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from explorer.models.config import Config
from explorer.models.families import bert
from explorer.models.plan import Family, Plan, masked_head, table
from explorer.text import N_, Problem


def describe(config: Config, names: Collection[str]) -> Plan:
    """Return the plan of a RoBERTa."""
    tokens = table(
        "tokens",
        "embeddings.word_embeddings",
        config.count("vocab_size"),
        config.count("hidden_size"),
    )["tokens"]
    head = masked_head(
        names,
        tokens,
        "lm_head.dense",
        "lm_head.layer_norm",
        "lm_head.decoder",
        ("lm_head.bias", "lm_head.decoder.bias"),
    )
    plan = bert.plan(config, names, "roberta", head)
    padding = config.count("pad_token_id", 1, least=0)
    left = plan.positions - padding - 1
    if left < 1:
        raise Problem(
            N_('config.json: "{field}" leaves no positions for tokens.'), field="pad_token_id"
        )
    return replace(plan, padding=padding, positions=left)


FAMILY = Family("roberta", bert.FAMILY.layer, describe)
