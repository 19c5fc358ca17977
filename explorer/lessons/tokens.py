"""Tokens by the names a lesson gives them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

from explorer.lessons.schema import Check, Reading, TokenName
from explorer.text import N_, Listing, Problem, displayable

T = TypeVar("T")
_LISTED = 8


def to_choose_from(names: Iterable[object]) -> Listing:
    """Return the first of several names, to choose from."""
    first = [displayable(str(name), 24) for name in islice(names, _LISTED + 1)]
    return Listing.of(first if len(first) <= _LISTED else [*first[:_LISTED], "…"])


def named(value: T | None, key: str, quantity: str | None) -> T:
    """Return what a reading says under a key. Raises Problem where it says nothing."""
    if value is None:
        raise Problem(N_("{value} needs a {key}."), value=quantity, key=key)
    return value


def named_place(reading: Reading | Check, key: str, tokens: tuple[str, ...]) -> int:
    """Return the place, from 0, of the token that a reading says under a key. Raises Problem."""
    return token_place(named(getattr(reading, key), key, reading.value), tokens)


def token_place(token: TokenName, tokens: tuple[str, ...]) -> int:
    """Return the place, from 0, of a token by its name or its place from 1. Raises Problem."""
    if isinstance(token, int):
        if token > len(tokens):
            raise Problem(
                N_("There are {count} tokens, so none at place {place}."),
                count=len(tokens),
                place=token,
            )
        return token - 1
    name = displayable(token, 24)
    count = tokens.count(token)
    if count == 0:
        raise Problem(
            N_("There is no token {name}. Choose one of {names}."),
            name=name,
            names=to_choose_from(tokens),
        )
    if count > 1:
        raise Problem(
            N_("{count} tokens are called {name}: give the place instead, counted from 1."),
            count=count,
            name=name,
        )
    return tokens.index(token)
