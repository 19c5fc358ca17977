"""JSON laid out for people: one matrix row a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

Row = Callable[[list[float | None]], str]


def json_text(value: Any, *, ascii_only: bool = False, row: Row | None = None) -> str:
    """Return JSON in which a list or group that holds others has one of them a line.

    Every digit of a number is kept. Raises ValueError for NaN and infinities.

    row : writes a list of numbers, some perhaps None, where that can be done faster
    """
    return "".join(_pieces(value, "", ascii_only, row))


def json_lines(value: Any, *, ascii_only: bool = False, row: Row | None = None) -> Iterator[str]:
    """Yield the lines of `json_text`.

    A list may be an iterator: a part of it is then made when its line is asked for.
    """
    begun = ""
    for piece in _pieces(value, "", ascii_only, row):
        *whole, begun = (begun + piece).split("\n")
        yield from whole
    yield begun


def _pieces(value: Any, indent: str, ascii_only: bool, row: Row | None) -> Iterator[str]:
    inner = indent + "  "
    if isinstance(value, dict) and any(_has_lines(part) for part in value.values()):
        for place, (name, part) in enumerate(value.items()):
            yield f"{',' if place else '{'}\n{inner}{json.dumps(name)}: "
            yield from _pieces(part, inner, ascii_only, row)
        yield f"\n{indent}}}"
    elif isinstance(value, Iterator) or (
        isinstance(value, list) and value and _has_lines(value[0])
    ):
        for place, part in enumerate(value):
            yield f"{',' if place else '['}\n{inner}"
            yield from _pieces(part, inner, ascii_only, row)
        yield f"\n{indent}]"
    elif row is not None and isinstance(value, list) and value and _is_number(value[-1]):
        yield row(value)
    else:
        yield json.dumps(value, ensure_ascii=ascii_only, allow_nan=False)


def _is_number(part: Any) -> bool:
    return part is None or isinstance(part, float)


def _has_lines(part: Any) -> bool:
    return isinstance(part, list | dict | Iterator)
