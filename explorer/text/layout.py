"""JSON laid out for people: one matrix row a line."""

from __future__ import annotations

import json
from typing import Any


def json_text(value: Any, *, ascii_only: bool = False) -> str:
    """Return JSON in which a list or group that holds others has one of them a line.

    Every digit of a number is kept. Raises ValueError for NaN and infinities.
    """
    return _laid_out(value, "", ascii_only)


def _laid_out(value: Any, indent: str, ascii_only: bool) -> str:
    inner = indent + "  "
    if isinstance(value, dict) and any(isinstance(part, list | dict) for part in value.values()):
        parts = [
            f"{inner}{json.dumps(name)}: {_laid_out(part, inner, ascii_only)}"
            for name, part in value.items()
        ]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    if isinstance(value, list) and value and isinstance(value[0], list | dict):
        parts = [inner + _laid_out(part, inner, ascii_only) for part in value]
        return "[\n" + ",\n".join(parts) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=ascii_only, allow_nan=False)
