"""The runs of a session: a card for each, which two are compared, and what tells them apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from explorer.session.scene import Array
from explorer.text import Message
from explorer.traces import LABELS, Config, Said, Trace

_NOTHING = Said()
# What makes no number of a run another one.
_ASIDE = ("watch_every", "device", "keep_state")


@dataclass(frozen=True, eq=False)
class RunCard:
    """A run that was shown or trained in this session.

    Parameters
    ----------
    key : int
        1, 2, ... in the order of their coming.
    trace : Trace
    title : str
        What it is called where no name was typed.
    example : bool
        Whether it comes with the program.
    modified : bool
        Whether it stands in no file of the user's.
    parent : int or None
        The card that it was forked from here.
    said : Said
        The name and the marks that it came with.
    """

    key: int
    trace: Trace
    title: str | Message
    example: bool = False
    modified: bool = False
    parent: int | None = None
    said: Said = _NOTHING


class ForkFrom(NamedTuple):
    """The card and the recorded epoch that the next run goes on from."""

    key: int
    epoch: int


class Difference(NamedTuple):
    """A parameter of two runs, as values of Config; `begins` is the epoch that a run begins at."""

    field: str
    label: str
    first: Any
    second: Any

    @property
    def differs(self) -> bool:
        """Whether the two are not the same."""
        return bool(self.first != self.second)


def parameters_of(trace: Trace) -> Mapping[str, Any]:
    """Return the parameters of a run and where it begins; empty for a trace of other programs."""
    run = trace.run
    if run.config is None:
        return {}
    values = {field: getattr(run.config, field) for field in LABELS}
    return values | {"begins": run.fork.epoch if run.fork else 0}


def side_by_side(
    first: Trace, second: Trace | None, always: tuple[str, ...], begins: str
) -> tuple[Difference, ...]:
    """Return the parameters of one or two runs: some always, others where they are not usual.

    always : the fields of Config that stand there in any case, in this order
    begins : what the epoch that a run begins at is called
    """
    mine = parameters_of(first)
    theirs = mine if second is None else parameters_of(second)
    usual = Config()
    found = []
    for field in (*always, *(name for name in LABELS if name not in always)):
        pair = mine.get(field), theirs.get(field)
        if field in always or pair[0] != pair[1] or pair[0] != getattr(usual, field):
            if field not in always and field in _ASIDE:
                continue
            found.append(Difference(field, LABELS[field], *pair))
    if mine.get("begins") or theirs.get("begins"):
        found.append(Difference("begins", begins, mine.get("begins"), theirs.get("begins")))
    return tuple(found)


def differing_values(cards: Sequence[RunCard]) -> list[dict[str, Any]]:
    """Return for each run the parameters that not all of them have alike, by field of Config."""
    told = [parameters_of(card.trace) for card in cards]
    fields = [
        field
        for field in LABELS
        if field not in _ASIDE and len({each.get(field) for each in told}) > 1
    ]
    return [{field: each.get(field) for field in fields} for each in told]


def changed_fields(before: Config, after: Config) -> tuple[str, ...]:
    """Return the parameters in which two configurations differ, in the order of Config."""
    return tuple(field for field in LABELS if getattr(before, field) != getattr(after, field))


def all_right_from(epochs: Array, accuracy: Array) -> int | None:
    """Return the epoch from which on every prediction is right to the end; None where none is."""
    wrong = np.flatnonzero(~(accuracy[: len(epochs)] >= 1.0))
    first = int(wrong[-1]) + 1 if len(wrong) else 0
    return int(epochs[first]) if first < len(epochs) else None
