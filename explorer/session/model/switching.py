"""What is put in place of heads, as values: what is asked for, its steps, and what it does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from explorer.models.effects import Followed
from explorer.models.next_token import NextTokens
from explorer.models.switches import Put as Put
from explorer.session.history import History
from explorer.session.scene import Array


@dataclass(frozen=True)
class Switches:
    """What is put in place of heads; equal where it is the same.

    puts : tuple of (layer, head, Put)
        Sorted; layers and heads count from 0.
    second : str
        The text that patched heads take their output from; empty where none is patched.
    """

    puts: tuple[tuple[int, int, Put], ...] = ()
    second: str = ""

    @property
    def off(self) -> frozenset[tuple[int, int]]:
        """The heads that are switched, (layer, head) counted from 0."""
        return frozenset((layer, head) for layer, head, _put in self.puts)

    @property
    def patched(self) -> bool:
        """Whether a head's output is that of the second text."""
        return any(put is Put.OTHER for _layer, _head, put in self.puts)

    def put(self, layer: int, head: int) -> Put | None:
        """Return what is put in place of a head; None where it does what it does."""
        return next((put for i, h, put in self.puts if (i, h) == (layer, head)), None)

    def alone(self, layer: int, head: int) -> Switches:
        """Return this head's switch without the others."""
        return self.with_second(
            self.second, [each for each in self.puts if each[:2] == (layer, head)]
        )

    def changed(self, layer: int, head: int, put: Put | None, second: str) -> Switches:
        """Return these with another thing in place of a head, or with the head itself."""
        puts = [each for each in self.puts if each[:2] != (layer, head)]
        if put is not None:
            puts.append((layer, head, put))
        return self.with_second(second, puts)

    def with_second(
        self, second: str, puts: Iterable[tuple[int, int, Put]] | None = None
    ) -> Switches:
        """Return these with another second text."""
        made = Switches(tuple(sorted(self.puts if puts is None else puts)), second)
        return made if made.patched else replace(made, second="")


ALL_ON = Switches()


@dataclass(frozen=True)
class Asked:
    """What is asked of the model: what can be undone."""

    text: str
    switches: Switches
    arrays: ClassVar[tuple[Array, ...]] = ()


@dataclass(frozen=True, eq=False)
class EffectMap:
    """What each head alone, switched off, does to what is followed in a text.

    text, follows : what it is of
    before : with all heads
    changes : (L, H), nan where it is not known yet
    stopped : whether somebody had enough before all were known
    """

    text: str
    follows: Followed
    before: float
    changes: Array
    stopped: bool = False

    @property
    def done(self) -> int:
        """How many heads are known."""
        return int(np.isfinite(self.changes).sum())

    @property
    def total(self) -> int:
        """How many heads there are."""
        return self.changes.size


@dataclass(frozen=True)
class Outcome:
    """What a run says of what is followed.

    follows : Followed
    turned : float or None
        Where it is the text's vector: its cosine to the one with all heads.
    """

    follows: Followed
    turned: float | None = None


def outcomes_told(
    switches: Switches, next: NextTokens | None, outcome: Outcome | None
) -> dict[Switches, float]:
    """Return what a run with these switches tells of what is followed."""
    known: dict[Switches, float] = {}
    if outcome is None:
        return known
    if outcome.turned is not None:
        known[switches] = outcome.turned
    for row in () if next is None else next.rows:
        if row.id == outcome.follows.word:
            known[switches] = row.probability
            if row.before is not None:
                known[ALL_ON] = row.before
    return known


def steps(history: History[Asked], now: Asked) -> tuple[tuple[Switches, ...], int]:
    """Return the switches on this text one after the other, those undone too, and which are now.

    They begin with all heads on.
    """
    made = [now.switches]
    for entry in reversed(history.done):
        if entry.before.text != now.text:
            break
        made.insert(0, entry.before.switches)
    if made[0].puts:
        made.insert(0, ALL_ON)
    at = len(made) - 1
    for entry in reversed(history.undone):
        if entry.after.text != now.text:
            break
        made.append(entry.after.switches)
    return tuple(made), at
