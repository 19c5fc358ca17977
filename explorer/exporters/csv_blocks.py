"""Matrices as CSV: blocks below their names, as `importers.spreadsheet` reads them."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO

import numpy as np

from explorer.exporters.parts import NamedMatrix, everything
from explorer.session import Array, Frame
from explorer.text import plain_text

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would compute


def as_csv(name: str, array: Array) -> str:
    """Return rows with commas between their numbers, every digit; the name is left out."""
    return _written(array.tolist())


def csv_blocks(frame: Frame) -> str:
    """Return all matrices of a frame's scene, every digit, each below its name.

    Where W has a head axis, the heads stand side by side in its columns, and their biases.
    """
    rows: list[Sequence[object]] = []
    for name, parts in _by_name(frame):
        for title, block in _joined(name, parts):
            rows.append([title, *map(_text, block.columns)])
            names = block.rows or ("",) * len(block.array)
            for row, numbers in zip(names, block.array.tolist(), strict=True):
                rows.append([_text(row), *numbers])
            rows.append([])
    return _written(rows[:-1])


def _by_name(frame: Frame) -> list[tuple[str, list[NamedMatrix]]]:
    found: dict[str, list[NamedMatrix]] = {}
    for part in everything(frame.scene, frame.attention):
        found.setdefault(part.name, []).append(part)
    return list(found.items())


def _joined(name: str, parts: list[NamedMatrix]) -> list[tuple[str, NamedMatrix]]:
    """Return the blocks of a name: one of all heads for W and b, else one a head."""
    if name[0] in "Wb" and len(parts) > 1:
        return [(name, NamedMatrix(name, np.concatenate([part.array for part in parts], axis=1)))]
    return [(part.title, part) for part in parts]


def _text(name: str) -> str:
    plain = plain_text(name)
    return "'" + plain if plain.startswith(_FORMULAS) else plain


def _written(rows: Sequence[Sequence[object]]) -> str:
    made = StringIO()
    csv.writer(made, lineterminator="\n").writerows(rows)
    return made.getvalue()
