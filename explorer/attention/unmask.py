"""The check that unmasks each mistake, by what it does to the numbers alone.

None looks at what the attention is called: a scene that forgets ÷ √d by its own choice of scale is
found just as the mistake is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from explorer.attention.arrays import Floats
from explorer.attention.forward import Attention
from explorer.attention.variants import Variant
from explorer.text import N_, Message, display_number

Run = Callable[[Floats], Attention]  # from another X, (T, d), to the attention of the same scene

_CLOSE = 1e-9


@dataclass(frozen=True)
class Finding:
    """What a check found.

    found : whether the mistake is there
    measured, expected : the number that tells it, and what it is without the mistake
    says : the sentence for both
    """

    found: bool
    measured: float
    expected: float
    says: Message


def unmask(variant: Variant, attention: Attention, run: Run) -> Finding:
    """What the check of a mistake finds in `attention`, of one sequence.

    run : computes the same from another X; asked only by the check of the mixed heads
    """
    return _CHECKS[variant](attention, run)


def _rows_sum_to_one(attention: Attention, run: Run) -> Finding:
    """Softmax first, ÷ √d afterwards: the rows of A no longer sum to 1."""
    sums = attention.weights.sum(axis=-1)
    visible = np.isfinite(attention.scores).any(axis=-1)
    off = np.where(visible, np.abs(sums - 1.0), 0.0)
    measured = float(sums.ravel()[off.argmax()]) if visible.any() else 1.0
    found = abs(measured - 1.0) > _CLOSE
    return _finding(
        found,
        measured,
        1.0,
        N_("A row of A sums to {measured}, not to 1."),
        N_("Every row of A sums to 1."),
    )


def _scores_grow(attention: Attention, run: Run) -> Finding:
    """× √d instead of ÷ √d: scores are larger than q · k, and the softmax saturates."""
    measured, expected = _score_per_product(attention), attention.d_k**-0.5
    found = attention.d_k > 1 and math.isclose(measured, attention.d_k**0.5, rel_tol=_CLOSE)
    return _finding(
        found,
        measured,
        expected,
        N_("A score is {measured} times q · k, not {expected} times: the softmax saturates."),
        N_("No score is √d times q · k."),
    )


def _output_is_the_mean(attention: Attention, run: Run) -> Finding:
    """Output × √d: O is not the mean of V that A says, so it leaves the hull of V."""
    mean = attention.weights @ attention.V
    place = np.abs(mean).argmax()
    size = float(mean.ravel()[place])
    measured = float(attention.head_output.ravel()[place]) / size if size else 1.0
    return _finding(
        abs(measured - 1.0) > _CLOSE,
        measured,
        1.0,
        N_("O is {measured} times A V, so it may leave the hull of V."),
        N_("O is A V."),
    )


def _scores_are_scaled(attention: Attention, run: Run) -> Finding:
    """÷ √d forgotten: scores are q · k itself, and nothing else is divided by √d."""
    measured, expected = _score_per_product(attention), attention.d_k**-0.5
    elsewhere = _rows_sum_to_one(attention, run).found
    found = attention.d_k > 1 and math.isclose(measured, 1.0, rel_tol=_CLOSE) and not elsewhere
    return _finding(
        found,
        measured,
        expected,
        N_("A score is q · k itself, not {expected} times: the larger d, the sharper A."),
        N_("Scores are q · k divided by something."),
    )


def _rows_stay_apart(attention: Attention, run: Run) -> Finding:
    """Heads split without a transpose: an edited token changes rows named after other tokens."""
    moved = attention.X.copy()
    moved[0] += max(1.0, float(np.abs(moved).max()))
    after = run(moved)
    strangers = 0
    for before_rows, after_rows in (
        (attention.Q, after.Q),
        (attention.K, after.K),
        (attention.V, after.V),
    ):
        far = np.abs(after_rows - before_rows).max(axis=-1)
        changed = far > _CLOSE * max(float(far.max()), 1e-300)
        strangers = max(strangers, int(changed[:, 1:].sum()))
    return _finding(
        strangers > 0,
        strangers,
        0.0,
        N_("Editing one token changes rows named after other tokens: {measured}."),
        N_("Editing one token changes its own rows of Q, K and V alone."),
    )


def _score_per_product(attention: Attention) -> float:
    """What q · k was multiplied by, the temperature aside, where it is largest; nan if nowhere."""
    sizes = np.where(np.isfinite(attention.scores), np.abs(attention.raw), 0.0)
    place = sizes.argmax()
    if sizes.ravel()[place] == 0.0:
        return math.nan
    score = float(attention.scores.ravel()[place])
    return score * attention.temperature / float(attention.raw.ravel()[place])


def _finding(found: bool, measured: float, expected: float, wrong: str, right: str) -> Finding:
    decimals = 0 if float(measured).is_integer() else 3
    said = {
        "measured": display_number(measured, decimals),
        "expected": display_number(expected, 3),
    }
    return Finding(found, float(measured), expected, Message(wrong if found else right, said))


_CHECKS: dict[Variant, Callable[[Attention, Run], Finding]] = {
    Variant.SOFTMAX_FIRST: _rows_sum_to_one,
    Variant.MULTIPLIED: _scores_grow,
    Variant.OUTPUT_SCALED: _output_is_the_mean,
    Variant.UNSCALED: _scores_are_scaled,
    Variant.HEADS_MIXED: _rows_stay_apart,
}
