"""What heads are made to do in place of what they do: nothing, their mean, a simple pattern, or
what they did with another text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from explorer.models.forward import Report
from explorer.models.model_run import ModelRun
from explorer.models.run import Array, check_head
from explorer.text import N_, Problem


class Put(StrEnum):
    """What is put in place of a head's output, or of its pattern."""

    ZEROS = "zeros"
    MEAN = "mean"  # of its output over the tokens of the text
    OTHER = "other"  # its output in a second text of equal length ("activation patching")
    UNIFORM = "uniform"  # every token that it sees, alike
    SELF = "self"  # each token only itself
    PREVIOUS = "previous"  # only the token before; the first one itself


_PATTERNS = (Put.UNIFORM, Put.SELF, Put.PREVIOUS)
Replacements = Mapping[tuple[int, str], Callable[[Array], Array]]


@dataclass(frozen=True)
class Switch:
    """A head, both numbers counted from 1, and what is put in its place."""

    layer: int
    head: int
    put: Put = Put.ZEROS


def switched(
    run: ModelRun,
    switches: Iterable[Switch],
    *,
    other: ModelRun | None = None,
    report: Report | None = None,
) -> ModelRun:
    """Return the same text with these heads switched, and no others.

    What lies before the first layer that differs from `run` is taken from it.

    Parameters
    ----------
    other : ModelRun
        The same model with the second text; needed for `Put.OTHER` alone.
    report : function, optional
        As for `Model.run`.

    Raises
    ------
    Problem
    """
    chosen = {(each.layer, each.head): each.put for each in switches}
    plan = run.model.plan
    for layer, head in chosen:
        check_head(layer, head, plan.layers, plan.heads)
    if Put.OTHER in chosen.values():
        _check_other(run, other)
    off = [place for place, put in chosen.items() if put is Put.ZEROS]
    return run.model.again(run, off=off, replace=_replaced(chosen, other), report=report)


def _check_other(run: ModelRun, other: ModelRun | None) -> None:
    if other is None:
        raise Problem(N_("Type a second text: the output of these heads is taken from it."))
    if len(other.ids) != len(run.ids):
        raise Problem(
            N_(
                "The second text has {found} tokens, but this one {wanted}: write one of the same"
                " length."
            ),
            found=len(other.ids),
            wanted=len(run.ids),
        )
    if other.model is not run.model:
        raise Problem(N_("The second text was run by another model: run it with this one."))


def _replaced(chosen: Mapping[tuple[int, int], Put], other: ModelRun | None) -> Replacements:
    made: dict[tuple[int, str], Callable[[Array], Array]] = {}
    for layer in sorted({layer for layer, _head in chosen}):
        heads = sorted((head - 1, put) for (each, head), put in chosen.items() if each == layer)
        patterns = tuple(each for each in heads if each[1] in _PATTERNS)
        outputs = tuple(each for each in heads if each[1] in (Put.MEAN, Put.OTHER))
        if patterns:
            made[layer, "scores"] = _Patterns(patterns)
        if outputs:
            made[layer, "head_output"] = _Outputs(outputs, layer, other)
    return made


# Values, so that a run knows what it has in common with another one.
@dataclass(frozen=True)
class _Patterns:
    """Scores whose softmax is the pattern; what is masked stays masked."""

    heads: tuple[tuple[int, Put], ...]

    def __call__(self, scores: Array) -> Array:
        length = scores.shape[-1]
        places = np.arange(length)
        for head, put in self.heads:
            seen = ~np.isneginf(scores[head])
            if put is not Put.UNIFORM:
                keys = places if put is Put.SELF else np.maximum(places - 1, 0)
                # Where a window of one token hides the one before, the token sees itself.
                keys = np.where(seen[places, keys], keys, places)
                seen = keys[:, None] == places
            scores[head] = np.where(seen, 0, -np.inf)
        return scores


@dataclass(frozen=True)
class _Outputs:
    heads: tuple[tuple[int, Put], ...]
    layer: int
    other: ModelRun | None

    def __call__(self, output: Array) -> Array:
        for head, put in self.heads:
            if put is Put.MEAN:
                output[head] = output[head].mean(axis=0)
            else:
                assert self.other is not None
                output[head] = self.other.layers[self.layer - 1].head_output[head]
        return output
