"""A long formula on several lines: where it may be broken, and how its lines are put together."""

from __future__ import annotations

import re
from collections.abc import Iterator

# What a line may end with, in the order in which that is tried: a gap, a relation; and what may
# begin one: the next term of a sum.
_GAP = re.compile(r"\\q?quad\s*|\\;\s*")
_RELATION = re.compile(r"(?:=|\\approx|\\leq?|\\geq?|\\in|\\to)(?![A-Za-z])\s*")
_TERM = re.compile(r"(?=[+-])")
_PIECE = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)
_OPENS, _CLOSES = ("{", r"\left"), ("}", r"\right")
_ROUND = ("(", "["), (")", "]")  # closed to all but the last attempt


def broken(tex: str) -> Iterator[str]:
    """Yield a formula on one line, then on more and more of them."""
    yield tex
    lines = [tex]
    for pattern, within in ((_GAP, False), (_RELATION, False), (_TERM, False), (_TERM, True)):
        finer = [part for line in lines for part in _split(line, pattern, within)]
        if len(finer) > len(lines):
            lines = finer
            rows = r" \\ ".join(rf"\displaystyle {line}" for line in lines)
            yield rf"\begin{{array}}{{l}} {rows} \end{{array}}"


def _split(tex: str, pattern: re.Pattern[str], within: bool) -> list[str]:
    """Return the parts of a formula, cut after a pattern wherever that is outside brackets.

    within : whether it may be in round ones that do not grow
    """
    opens = _OPENS if within else _OPENS + _ROUND[0]
    closes = _CLOSES if within else _CLOSES + _ROUND[1]
    parts, start, depth = [], 0, 0
    for piece in _PIECE.finditer(tex):
        found = pattern.match(tex, piece.start()) if depth == 0 else None
        if found is not None and tex[start : found.end()].strip():
            end = found.start() if pattern is _GAP else found.end()
            parts.append(tex[start:end].strip())
            start = found.end()
        depth += (piece[0] in opens) - (piece[0] in closes)
    return [part for part in (*parts, tex[start:].strip()) if part]
