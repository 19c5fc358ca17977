"""Which runs can train together, and how much work a run is; no torch."""

from __future__ import annotations

from explorer.traces import Config, Corpus
from explorer.training.parameters import parameter_blocks

MOST_PASS = 64 * 2**20  # bytes
MOST_PASS_ELSEWHERE = 2**30  # on an accelerator that was asked for


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
        config.every_place,
        config.optimizer,
        config.batch_size,
        config.device,
        config.dropout > 0,
    )


def work(config: Config, corpus: Corpus) -> int:
    """Return parameters times tokens that pass through them in one epoch."""
    return parameter_blocks(config, corpus).size * len(corpus.lines) * corpus.longest


def sentences_a_pass(config: Config, corpus: Corpus) -> int:
    """Return how many sentences may go through the model at once, so that memory stays bounded.

    What a pass keeps for its gradient takes about `MOST_PASS` bytes at the most, or what one
    sentence takes.
    """
    T, d = corpus.longest, config.d_model
    layer = 12 * d + 2 * config.feed_forward_width + 3 * config.heads * T
    predicted = T if config.every_place else 1
    numbers = T * config.layers * layer + 3 * predicted * len(corpus.vocabulary)
    most = MOST_PASS if config.device in ("auto", "cpu") else MOST_PASS_ELSEWHERE
    return max(1, most // (4 * numbers))
