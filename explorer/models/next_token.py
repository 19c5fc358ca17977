"""What a causal model expects after the last token."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.models.model_run import ModelRun
from explorer.models.run import Array
from explorer.text import N_, Problem, displayable


@dataclass(frozen=True)
class NextToken:
    """A token of the vocabulary: its number, text (untrusted plain text) and probability.

    before : its probability in another run, where there is one
    """

    id: int
    text: str
    probability: float
    before: float | None = None


@dataclass(frozen=True)
class NextTokens:
    """The likeliest tokens, the likeliest first, and all others together.

    others, others_before : what is left of 1
    entropy, entropy_before : in bits
    """

    rows: tuple[NextToken, ...]
    others: float
    entropy: float
    others_before: float | None = None
    entropy_before: float | None = None


def probabilities(run: ModelRun, place: int | None = None) -> Array:
    """Return the probability of each word of the vocabulary, (V,) float64.

    place : the token after which it is expected (causal), or at which; by default the last one

    Raises Problem where the model predicts no next token, or no words at all.
    """
    if place is None and not run.model.plan.causal:
        raise Problem(
            N_("{folder} does not predict a next token: it sees the text in both directions."),
            folder=displayable(run.model.folder.name),
        )
    logits = run.logits_at(-1 if place is None else place).astype(np.float64)
    powers = np.exp(logits - logits.max())
    return powers / powers.sum()


def next_tokens(
    run: ModelRun,
    count: int = 9,
    *,
    before: ModelRun | None = None,
    place: int | None = None,
    also: int | None = None,
) -> NextTokens:
    """Return the likeliest tokens; those of either run where two are compared.

    place : as for `probabilities`
    also : a token of the vocabulary that is told of however unlikely it is

    Raises Problem as `probabilities` does.
    """
    now = probabilities(run, place)
    then = None if before is None else probabilities(before, place)
    either = now if then is None else np.maximum(now, then)
    chosen = np.argsort(-either, kind="stable")[:count]
    if also is not None and also not in chosen:
        chosen[-1] = also
    chosen = chosen[np.argsort(-now[chosen], kind="stable")]
    rows = tuple(
        NextToken(
            int(i),
            run.model.text_of(int(i)),
            float(now[i]),
            None if then is None else float(then[i]),
        )
        for i in chosen
    )
    return NextTokens(
        rows,
        _rest(now, chosen),
        _entropy(now),
        None if then is None else _rest(then, chosen),
        None if then is None else _entropy(then),
    )


def _rest(values: Array, chosen: Array) -> float:
    return max(0.0, 1.0 - float(values[chosen].sum()))


def _entropy(values: Array) -> float:
    real = values[values > 0]
    return float(-(real * np.log2(real)).sum())
