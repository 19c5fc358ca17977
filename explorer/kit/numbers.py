"""The numbers of a plot, as a file of columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Protocol, runtime_checkable

import numpy as np

from explorer.session import Array

Columns = Mapping[str, Sequence[float] | Array]


@runtime_checkable
class Plotted(Protocol):
    """A widget whose menu offers its numbers beside its picture."""

    def plotted(self) -> Columns:
        """Return the numbers that are plotted, by name."""


def csv_of(columns: Columns) -> str:
    """Return named columns of numbers as CSV; shorter ones end in empty cells, as do nans.

    A column of whole numbers, such as epochs, has no decimal points.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in zip_longest(*map(_written, columns.values()), fillvalue=""):
        writer.writerow(row)
    return text.getvalue()


def _written(part: Sequence[float] | Array) -> list[str]:
    numbers = np.asarray(part, float)
    known = numbers[~np.isnan(numbers)]
    whole = np.array_equal(known, np.trunc(known)) and bool(np.all(np.abs(known) < 2**53))
    return [
        "" if value != value else repr(int(value) if whole else value) for value in numbers.tolist()
    ]
