"""Predict, then see: is a typed number right, and if not, which usual mistake gives it?"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from explorer.lessons.mistakes import Pick, mistaken
from explorer.session import Array, Frame
from explorer.text import N_, Ambiguous, Message, parse_number

LEAST_DECIMALS = 2
_DECIMALS = re.compile(r"[.,．，](\d*)")
_EXPONENT = re.compile(r"e([+-]?\d+)", re.IGNORECASE)
Cell = tuple[int, int]


@dataclass(frozen=True)
class Answer:
    """A number as it was typed.

    Parameters
    ----------
    value : float
    decimals : int
        To which it is compared: as many as were typed, at least two.
    """

    value: float
    decimals: int

    def fits(self, value: float, within: float = 0.0) -> bool:
        """Return whether `value`, rounded to the typed decimals, is the typed one.

        A half may be rounded either way, and the typed one may lie `within` further away.
        """
        if not math.isfinite(value):
            return False
        half = 0.5 * 10.0**-self.decimals + within
        return abs(self.value - value) <= half + 1e-12 * max(1.0, abs(value))


def answer(text: str) -> Answer:
    """Return a typed number; of two readings, as of 0,125, the one with a decimal comma.

    Raises NotANumber as `parse_number` does.
    """
    try:
        value = parse_number(text)
    except Ambiguous as ambiguous:
        value = ambiguous.readings[0]
    typed = 0
    if "/" not in text:
        decimals, exponent = _DECIMALS.search(text), _EXPONENT.search(text)
        typed = len(decimals[1]) if decimals else 0
        typed -= int(exponent[1]) if exponent else 0
    return Answer(value, max(LEAST_DECIMALS, typed))


def likely_mistakes(frame: Frame, pick: Pick, typed: Mapping[Cell, Answer]) -> list[Message]:
    """Return the usual mistakes that give wrong numbers of a table.

    Of several wrong numbers a mistake explains at least half, and no other explains more. Mistakes
    that cannot be made at these shapes, or give the computed numbers, are not among them.

    Parameters
    ----------
    pick : callable
        Picks the table.
    typed : mapping
        The numbers, by row and column from 0; right ones do not count.
    """
    right = pick(frame.attention)
    assert right is not None
    return explained(right, mistaken(frame.scene, frame.attention, pick), typed)


def explained(
    right: Array, made: Iterable[tuple[str, Array]], typed: Mapping[Cell, Answer]
) -> list[Message]:
    """Return the names of the wrong tables that hold the typed numbers, as `likely_mistakes`."""
    # What fits a wrong number rounds to another one than the right number does.
    wrong = {cell: each for cell, each in typed.items() if not each.fits(float(right[cell]))}
    explains: dict[str, int] = {}
    for name, table in (*made, (N_("The sign is wrong."), -right)):
        count = sum(each.fits(float(table[cell])) for cell, each in wrong.items())
        explains[name] = max(count, explains.get(name, 0))
    most = max(explains.values())
    if most == 0 or 2 * most < len(wrong):
        return []
    return [Message(name) for name, count in explains.items() if count == most]
