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
    """Return named columns of numbers as CSV; shorter ones end in empty cells, as do nans."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in zip_longest(*(np.asarray(part, float).tolist() for part in columns.values())):
        writer.writerow("" if value is None or value != value else repr(value) for value in row)
    return text.getvalue()
