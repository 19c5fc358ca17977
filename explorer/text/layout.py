"""JSON laid out for people: one matrix row a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np


def json_text(value: Any, *, ascii_only: bool = False) -> str:
    """Return JSON in which a list or group that holds others has one of them a line.

    Every digit of a number is kept. In an array −inf, the score of what is masked, is null. Raises
    ValueError for NaN and other infinities.
    """
    return "".join(_pieces(value, "", ascii_only))


def json_lines(value: Any, *, ascii_only: bool = False) -> Iterator[str]:
    """Yield the lines of `json_text`.

    A list may be an iterator: a part of it is then made when its line is asked for.
    """
    begun: list[str] = []
    for piece in _pieces(value, "", ascii_only):
        first, *rest = piece.split("\n")
        begun.append(first)
        for line in rest:
            yield "".join(begun)
            begun = [line]
    yield "".join(begun)


def _pieces(value: Any, indent: str, ascii_only: bool) -> Iterator[str]:
    inner = indent + "  "
    if isinstance(value, dict) and any(_has_lines(part) for part in value.values()):
        for place, (name, part) in enumerate(value.items()):
            yield f"{',' if place else '{'}\n{inner}{json.dumps(name)}: "
            yield from _pieces(part, inner, ascii_only)
        yield f"\n{indent}}}"
    elif isinstance(value, np.ndarray):
        yield from _array(_writable(value), indent)
    elif isinstance(value, Iterator) or (
        isinstance(value, list) and value and _has_lines(value[0])
    ):
        for place, part in enumerate(value):
            yield f"{',' if place else '['}\n{inner}"
            yield from _pieces(part, inner, ascii_only)
        yield f"\n{indent}]"
    else:
        yield json.dumps(value, ensure_ascii=ascii_only, allow_nan=False)


def _has_lines(part: Any) -> bool:
    return isinstance(part, list | dict | Iterator | np.ndarray)


def _writable(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return an array as orjson takes it: whole rows in memory, numbers in double precision.

    Of a single precision it would write as few digits as that one needs. Raises ValueError where
    orjson would write null for what is not masked.
    """
    if np.issubdtype(array.dtype, np.floating):
        array = array.astype(np.float64, copy=False)
        if not np.isfinite(array).all() and not np.all(array < np.inf):
            raise ValueError("JSON has neither NaN nor infinity")
    return np.ascontiguousarray(array)


def _array(array: np.ndarray[Any, Any], indent: str) -> Iterator[str]:
    import orjson

    if array.ndim > 1:
        inner = indent + "  "
        for place, part in enumerate(array):
            yield f"{',' if place else '['}\n{inner}"
            yield from _array(part, inner)
        yield f"\n{indent}]"
    else:
        row = orjson.dumps(array, option=orjson.OPT_SERIALIZE_NUMPY)
        yield row.replace(b",", b", ").decode()
