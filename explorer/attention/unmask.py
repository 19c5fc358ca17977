"""The check that unmasks each mistake, by what it does to the numbers alone.

None looks at what the attention is called: a scene that forgets ÷ √d by its own choice of scale is
found just as the mistake is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.attention.arrays import Bools, Floats
from explorer.attention.result import Attention
from explorer.attention.variants import Variant
from explorer.text import N_, Listing, Message, display_number, displayable

Run = Callable[[Floats], Attention]  # from another X, (T, d), to the attention of the same scene

_CLOSE = 1e-9
_LONGEST = 24  # letters of a token's name in a sentence


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


def unmask(variant: Variant, attention: Attention, run: Run, tokens: Sequence[str] = ()) -> Finding:
    """What the check of a mistake finds in `attention`, of one sequence.

    run : computes the same from another X; asked only by the check of the mixed heads
    tokens : what its sentence calls the T tokens; by default their numbers

    Where the mistake can change nothing (√d is 1, one head, one token), the sentence says that.
    """
    if variant == Variant.HEADS_MIXED:
        return _rows_stay_apart(attention, run, tokens)
    if attention.d_k == 1:
        return Finding(False, 1.0, 1.0, Message(_NO_ROOT))
    return _CHECKS[variant](attention)


_NO_ROOT = N_("√d is 1 here: whether one multiplies or divides by it makes no difference.")


def _rows_sum_to_one(attention: Attention) -> Finding:
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


def _scores_grow(attention: Attention) -> Finding:
    """× √d instead of ÷ √d: scores are larger than q · k, and the softmax saturates sooner."""
    measured, expected = _score_per_product(attention), attention.d_k**-0.5
    found = math.isclose(measured, attention.d_k**0.5, rel_tol=_CLOSE)
    warm = attention.temperature != 1.0
    return _finding(
        found,
        measured,
        expected,
        _GROWN_WARM if warm else _GROWN,
        _NO_PRODUCT if math.isnan(measured) else N_("No score is √d times q · k."),
    )


_GROWN = N_(
    "A score is {measured} times q · k, not {expected} times: the softmax saturates sooner."
)
_GROWN_WARM = N_(
    "Before the temperature a score is {measured} times q · k, not {expected} times: "
    "the softmax saturates sooner."
)
_NO_PRODUCT = N_("Every q · k that is seen is 0: the scores are 0 however they are scaled.")


def _output_is_the_mean(attention: Attention) -> Finding:
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


def _scores_are_scaled(attention: Attention) -> Finding:
    """÷ √d forgotten: scores are q · k itself, and nothing else is divided by √d."""
    measured, expected = _score_per_product(attention), attention.d_k**-0.5
    elsewhere = _rows_sum_to_one(attention).found
    found = math.isclose(measured, 1.0, rel_tol=_CLOSE) and not elsewhere
    right = N_("Scores are q · k divided by something.")
    if elsewhere:
        right = N_("Scores are q · k itself, but A is divided afterwards.")
    elif measured == 0.0:
        right = N_("All scores are 0, whatever q · k is.")
    elif measured > 1.0:
        right = N_("Scores are q · k multiplied by something.")
    warm = attention.temperature != 1.0
    return _finding(
        found,
        measured,
        expected,
        _UNSCALED_WARM if warm else _UNSCALED,
        _NO_PRODUCT if math.isnan(measured) else right,
    )


_UNSCALED = N_("A score is q · k itself, not {expected} times: the larger d, the sharper A.")
_UNSCALED_WARM = N_(
    "Before the temperature a score is q · k itself, not {expected} times: "
    "the larger d, the sharper A."
)


def _rows_stay_apart(attention: Attention, run: Run, tokens: Sequence[str]) -> Finding:
    """Heads split without a transpose: an edited token changes rows named after other tokens."""
    if attention.heads == 1 or attention.queries == 1:
        why = N_("There is only one head: nothing can be mixed.")
        if attention.heads > 1:
            why = N_("There is only one token: all rows are its own.")
        return Finding(False, 0.0, 0.0, Message(why))
    edited = 1  # of mixed rows those of the second token all lie elsewhere, wherever there is room
    changed = _changed_rows(attention, run, edited)
    strangers = changed.copy()
    strangers[:, edited] = False
    count = int(strangers.sum())
    name = _named(edited, tokens)
    if not count:
        right = N_("Editing “{token}” changes its own rows of Q, K and V alone.")
        return Finding(False, 0.0, 0.0, Message(right, {"token": name}))
    rows = _in_heads(
        [(int(head), strangers[head]) for head in np.flatnonzero(strangers.any(1))], tokens
    )
    silent = np.flatnonzero(~changed.any(axis=1))
    said: dict[str, object] = {"token": name, "rows": rows}
    template = N_("Editing “{token}” changes rows of other tokens: {rows}.")
    if silent.size:
        said["heads"] = Listing.of(head + 1 for head in silent)
        template = N_(
            "Editing “{token}” changes rows of other tokens: {rows}; and nothing in head {heads}."
        )
    return Finding(True, count, 0.0, Message(template, said))


def _changed_rows(attention: Attention, run: Run, edited: int) -> Bools:
    """Which rows, (H, T), of Q, K or V change when a token's row of X does."""
    moved = attention.X.copy()
    # In no special direction, so that no W takes the change back.
    direction = np.cos(np.arange(1.0, moved.shape[1] + 1.0))
    moved[edited] += max(1.0, float(np.abs(moved).max())) * direction
    after = run(moved)
    pairs = [(attention.Q, after.Q)]
    if attention.context is attention.X:  # else rows of K and V belong to other tokens
        pairs += [(attention.K, after.K), (attention.V, after.V)]
    changed = np.zeros(attention.Q.shape[:-1], np.bool_)
    for before_rows, after_rows in pairs:
        far = np.abs(after_rows - before_rows).max(axis=-1)
        changed |= far > _CLOSE * max(float(far.max()), 1e-300)
    return changed


def _in_heads(found: list[tuple[int, Bools]], tokens: Sequence[str]) -> Message:
    """Name the rows found in each head."""
    (head, rows), *rest = found
    names = Listing.of(f"“{_named(int(row), tokens)}”" for row in np.flatnonzero(rows))
    said = Message(N_("{names} in head {head}"), {"names": names, "head": head + 1})
    if not rest:
        return said
    return Message(N_("{first}; {rest}"), {"first": said, "rest": _in_heads(rest, tokens)})


def _named(token: int, tokens: Sequence[str]) -> str:
    """What a token is called, with its number where others are called the same."""
    if not tokens:
        return f"#{token + 1}"
    name = displayable(tokens[token], _LONGEST)
    return name if tokens.count(tokens[token]) == 1 else f"{name} #{token + 1}"


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


_CHECKS: dict[Variant, Callable[[Attention], Finding]] = {
    Variant.SOFTMAX_FIRST: _rows_sum_to_one,
    Variant.MULTIPLIED: _scores_grow,
    Variant.OUTPUT_SCALED: _output_is_the_mean,
    Variant.UNSCALED: _scores_are_scaled,
}
