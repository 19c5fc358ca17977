"""Which runs can train together, and how much work a run is; no torch."""

from __future__ import annotations

from explorer.traces import Config, Corpus
from explorer.training.parameters import parameter_blocks


def shape_of(config: Config) -> tuple[object, ...]:
    """Return what runs must have in common to train together."""
    return (
        config.d_model,
        config.heads,
        config.layers,
        config.feed_forward_width,
        config.epochs,
        config.use_position,
        config.position_kind,
        config.causal,
        config.optimizer,
        config.batch_size,
        config.device,
        config.dropout > 0,
    )


def work(config: Config, corpus: Corpus) -> int:
    """Return parameters times tokens that pass through them in one epoch."""
    return parameter_blocks(config, corpus).size * len(corpus.lines) * corpus.longest
