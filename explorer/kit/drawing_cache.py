"""Caches of what was drawn or laid out, emptied before the application ends.

Pictures, texts and fonts must not outlive the application that they belong to.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")

_EMPTY: list[Callable[[], None]] = []
_EMPTY_OF_TEXTS: list[Callable[[], None]] = []


def drawing_cache(most: int, *, texts: bool = False) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Return a decorator that keeps the `most` results that were asked for last.

    texts : whether these are texts laid out, which hold their fonts open
    """

    def decorated(draw: Callable[P, T]) -> Callable[P, T]:
        cached = lru_cache(maxsize=most)(draw)
        _EMPTY.append(cached.cache_clear)
        if texts:
            _EMPTY_OF_TEXTS.append(cached.cache_clear)
        return cast(Callable[P, T], cached)

    return decorated


def empty_caches() -> None:
    """Let go of everything that is kept."""
    for empty in _EMPTY:
        empty()


def forget_texts() -> None:
    """Let go of texts laid out, and so of the fonts that nothing else uses."""
    for empty in _EMPTY_OF_TEXTS:
        empty()


# Qt's own handler, which ends the application, was registered before and so runs after this one.
atexit.register(empty_caches)
