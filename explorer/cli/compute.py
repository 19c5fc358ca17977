"""Every intermediate of a scene's attention, as text."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from explorer.attention import Attention
from explorer.session import Array, Scene
from explorer.text import _, ascii_number, displayable
from explorer.text.layout import json_text

INTERMEDIATES = ("Q", "K", "V", "raw", "scores", "weights", "head_output", "output")
_BY_KEY = ("raw", "scores", "weights")  # their columns are the keys' tokens
_OF_KEYS = ("K", "V")  # their rows are the keys' tokens
_DECIMALS = 4
_LONGEST_NAME = 24
_MASKED = "·"


def as_json(scene: Scene, attention: Attention) -> Iterator[str]:
    """Yield one JSON object: every digit, the head axis kept, masked scores null."""
    context = scene.context
    result: dict[str, Any] = {
        "tokens": list(scene.tokens),
        "context_tokens": None if context is None else list(context.tokens),
    }
    for name in INTERMEDIATES:
        result[name] = getattr(attention, name).tolist()
    result["scores"] = _null_where_masked(result["scores"])
    yield json_text(result, ascii_only=True)


def as_tables(scene: Scene, attention: Attention) -> Iterator[str]:
    """Yield the lines of one aligned table for each intermediate and head."""
    for name in INTERMEDIATES:
        array = getattr(attention, name)
        rows = scene.key_tokens if name in _OF_KEYS else scene.tokens
        if name == "output":
            yield from _table(name, rows, None, array)
            continue
        columns = scene.key_tokens if name in _BY_KEY else None
        for head, values in enumerate(array, start=1):
            title = name
            if len(array) > 1:
                title = _("{name}, head {head} of {heads}").format(
                    name=name, head=head, heads=len(array)
                )
            yield from _table(title, rows, columns, values)


def _table(
    title: str, rows: Sequence[str], columns: Sequence[str] | None, values: Array
) -> Iterator[str]:
    names = columns or [str(i + 1) for i in range(values.shape[1])]
    cells = [["", *map(_name, names)]]
    for row, numbers in zip(rows, values.tolist(), strict=True):
        cells.append([_name(row), *map(_number, numbers)])
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    yield title
    for head, *rest in cells:
        line = head + " " * (widths[0] - _width(head))
        for width, text in zip(widths[1:], rest, strict=True):
            line += "  " + " " * (width - _width(text)) + text
        yield line
    yield ""


def _number(value: float) -> str:
    return _MASKED if value == -math.inf else ascii_number(value, _DECIMALS)


def _name(token: str) -> str:
    return displayable(token, _LONGEST_NAME)


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(
        0
        if unicodedata.combining(c) or unicodedata.category(c) in ("Cf", "Mn", "Me")
        else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def _null_where_masked(scores: Any) -> Any:
    if isinstance(scores, list):
        return [_null_where_masked(part) for part in scores]
    return None if scores == -math.inf else scores
