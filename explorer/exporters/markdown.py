"""Matrices as Markdown tables."""

from __future__ import annotations

import math
from collections.abc import Sequence

from explorer.exporters.parts import everything
from explorer.session import Array, Frame
from explorer.text import ascii_number, of_example, plain_text

DECIMALS = 3
_LONGEST = 40  # letters of a token, and of a title
_ESCAPED = str.maketrans({c: "\\" + c for c in r"\`*_[]#+-|~<>&$"})


def as_markdown(name: str, array: Array) -> str:
    """Return a matrix under its name, every digit."""
    head = [escaped(name), *[""] * (array.shape[1] - 1)]
    return _table(head, [list(map(repr, row)) for row in array.tolist()])


def markdown(frame: Frame) -> str:
    """Return all matrices of a frame's scene under headings, rounded; masked scores as −∞."""
    scene = frame.scene
    title = escaped(of_example(scene.title))
    blocks = [f"# {title}\n"] if title else []
    for part in everything(scene, frame.attention):
        columns = part.columns or tuple(str(i + 1) for i in range(part.array.shape[1]))
        rows = part.rows or tuple("" for _row in part.array)
        body = [
            [escaped(row), *map(rounded, numbers)]
            for row, numbers in zip(rows, part.array.tolist(), strict=True)
        ]
        blocks.append(f"## {escaped(part.title)}\n")
        blocks.append(_table(["", *map(escaped, columns)], body))
    return "\n".join(blocks)


def rounded(value: float) -> str:
    """Return a number as the tables have it."""
    return "-∞" if value == -math.inf else ascii_number(value, DECIMALS)


def escaped(text: str, limit: int | None = _LONGEST) -> str:
    """Return a text that Markdown shows as it is, on one line."""
    return plain_text(text, limit).translate(_ESCAPED)


def _table(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---:"] * len(head), *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
