"""Cases of which `make test` tries some, and `make test-more` all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from explorer.text import languages


def in_turn(things: Sequence[Any], name: Callable[[Any], str]) -> list[Any]:
    """Return each thing with each language: the first in one, the second in the other, and so on.

    The others are marked `more`.
    """
    codes = list(languages())
    return [
        pytest.param(thing, code, id=f"{code}-{name(thing)}", marks=more_but(place, at, len(codes)))
        for at, code in enumerate(codes)
        for place, thing in enumerate(things)
    ]


def every_other(things: Sequence[Any], first: int, name: Callable[[Any], str]) -> list[Any]:
    """Return things as cases; every other one is marked `more`, but `first` and those after it."""
    return [
        pytest.param(thing, id=name(thing), marks=more_but(place, first, 2))
        for place, thing in enumerate(things)
    ]


def more_but(place: int, turn: int, count: int) -> tuple[pytest.MarkDecorator, ...]:
    """Return the marks of a case: none where it is its turn, one of `count`."""
    return () if place % count == turn else (pytest.mark.more,)
