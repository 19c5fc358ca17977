"""The published scores of heads on random tokens that are repeated.

Random tokens have no meaning that a head could follow, so what a head looks at is a matter of
places and repetition alone. Definitions:

- Induction: the mean weight from a token of the repetition on the token *after* its earlier
  occurrence. Olsson et al. 2022, "In-context Learning and Induction Heads"
  (https://arxiv.org/abs/2209.11895), where it is called prefix matching.
- Duplicate token: the mean weight from a token of the repetition on its earlier occurrence itself.
  Wang et al. 2022, "Interpretability in the Wild" (https://arxiv.org/abs/2211.00593).
- Previous token: the mean weight on the token just before, over all tokens that have one; the same
  paper.

As in TransformerLens, the sequence is a start token and random tokens, twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.models.model import Model
from explorer.models.model_run import ModelRun
from explorer.models.run import Array
from explorer.text import N_, Problem
from explorer.traces.schema import MOST_REPEATED

LENGTH = MOST_REPEATED


@dataclass(frozen=True, eq=False)
class RepeatScores:
    """The scores of all heads, each (L, H), from 0 to 1."""

    induction: Array
    duplicate: Array
    previous: Array


def scores_of(weights: Array, length: int, start: int = 0) -> tuple[Array, Array, Array]:
    """Return the induction, duplicate-token and previous-token scores of heads, each (H,).

    weights : (H, T, T)
    length : of the random tokens; those from `start` on stand there twice
    """
    second = np.arange(start + length, start + 2 * length)
    after = np.arange(1, weights.shape[-1])
    return (
        weights[:, second, second - length + 1].mean(axis=1),
        weights[:, second, second - length].mean(axis=1),
        weights[:, after, after - 1].mean(axis=1),
    )


def repeat_run(model: Model, length: int = LENGTH, seed: int = 0) -> tuple[ModelRun, int]:
    """Run a model on repeated random tokens; return the run and where the tokens begin.

    Raises Problem where so many tokens do not fit.
    """
    begin, end = model.frame
    words = np.setdiff1d(np.arange(model.plan.vocabulary), [*begin, *end, *model.special_ids])
    most = min(len(words), (model.positions - len(begin) - len(end)) // 2)
    if length > most:
        raise Problem(
            N_("This model cannot repeat {length} tokens; at most {most} are possible."),
            length=length,
            most=most,
        )
    # Each only once, so that "the earlier occurrence" is one token.
    random = np.random.default_rng(seed).choice(words, length, replace=False).tolist()
    return model.run(ids=[*begin, *random, *random, *end]), len(begin)


def repeat_scores(model: Model, length: int = LENGTH, seed: int = 0) -> RepeatScores:
    """Return the published scores of all heads of a model. Raises Problem."""
    run, start = repeat_run(model, length, seed)
    found = [scores_of(layer.weights, length, start) for layer in run.layers]
    return RepeatScores(*(np.stack(column) for column in zip(*found, strict=True)))
