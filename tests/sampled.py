"""Cases of which `make test` tries some, and `make test-more` all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import pytest

Name = Callable[[Any], str]


def first_alone(things: Iterable[Any]) -> list[Any]:
    """Return things as cases; all but the first are marked `more`."""
    first, *others = things
    return [first, *(pytest.param(each, marks=pytest.mark.more) for each in others)]


# A test that goes through many things by itself takes every second, fourth or eighth one, from one
# of these on.
EVERY_OTHER = first_alone(range(2))
EVERY_FOURTH = first_alone(range(4))
EVERY_EIGHTH = first_alone(range(8))


def every(count: int, things: Iterable[Any], first: int, name: Name = str) -> list[Any]:
    """Return things as cases; all are marked `more` but each of so many, beginning with `first`."""
    return [
        pytest.param(thing, id=name(thing), marks=_more(place % count != first))
        for place, thing in enumerate(things)
    ]


def in_turn(
    count: int, things: Iterable[Any], others: Iterable[Any], name: Name = str
) -> list[Any]:
    """Return each thing with each of the others as a case; all are marked `more` but a few.

    Of so many things one is left: the third with the first of the others, and so on in turn.
    """
    things, others = list(things), list(others)
    return [
        pytest.param(
            thing,
            other,
            id=f"{other}-{name(thing)}",
            marks=_more(place % (count * len(others)) != count * turn + 2),
        )
        for turn, other in enumerate(others)
        for place, thing in enumerate(things)
    ]


def checkered(things: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """Return each thing with each of the others as a case, every second one marked `more`.

    As the squares of a chessboard: of each thing some are left, and of each of the others.
    """
    return [
        pytest.param(
            thing,
            other,
            id=f"{getattr(thing, '__name__', thing)}-{other}",
            marks=_more((row + column) % 2),
        )
        for (row, thing), (column, other) in product(enumerate(things), enumerate(others))
    ]


def _more(wanted: object) -> Any:
    return pytest.mark.more if wanted else ()
