"""Cases of which `make test` tries some, and `make test-more` all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def first_alone(things: Iterable[Any]) -> list[Any]:
    """Return things as cases; all but the first are marked `more`."""
    first, *others = things
    return [first, *(pytest.param(each, marks=pytest.mark.more) for each in others)]


# A test that goes through many things by itself takes every second one, from one of these on.
EVERY_OTHER = first_alone((0, 1))


def in_turn(
    things: Iterable[Any], others: Iterable[Any], name: Callable[[Any], str] = str
) -> list[Any]:
    """Return each thing with each of the others as a case.

    All but one of a thing's cases are marked `more`: the first thing is left with the first of the
    others, the second with the second, and so on.
    """
    things, others = list(things), list(others)
    return [
        pytest.param(
            thing,
            other,
            id=f"{other}-{name(thing)}",
            marks=() if place % len(others) == turn else pytest.mark.more,
        )
        for turn, other in enumerate(others)
        for place, thing in enumerate(things)
    ]


def every_other(things: Iterable[Any], first: int, name: Callable[[Any], str] = str) -> list[Any]:
    """Return each thing as a case, every second one marked `more`; `first` (0 or 1) is not."""
    return [
        pytest.param(thing, id=name(thing), marks=() if place % 2 == first else pytest.mark.more)
        for place, thing in enumerate(things)
    ]
