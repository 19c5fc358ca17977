"""Where the cells of a table of scores or weights lie."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QRectF

from explorer.kit.table.painting import COLUMN_SIZES, PADDING
from explorer.kit.table.sources import Place
from explorer.kit.theme import Theme

HEADER = 26  # px at 100 %, as all below
ROW, COMPACT_ROW = 33, 29
BELOW = 3  # room for the last row's outline
READOUT = 26
LEAST_CELL = (34, 18)  # for numbers
LEAST_NAMED = 14  # a column of a picture that still gets its name
NAMED_ROW, NAMED_ROWS = 13, 64  # of a picture: the height that a name needs, and rows with one
PICTURE_NAME, TILTED = 84, 72  # room for names of a picture: beside it, and slanting above it
SLANTING, LONGEST_SLANTING = 12, 62  # a slanting name's type, and how long it is at most
SLANTS_WITHIN = 4  # what its end may stand out beyond the last column
_DOT_BELOW = 15  # a slanting name, with the half of its line
_WIDEST_NAME = 110
_TALLEST = 8  # rows of full height; more share their height


@dataclass(frozen=True)
class Grid:
    """The cells of a table with room for names to the left and above.

    Parameters
    ----------
    left, top, width, height : float
        The cells' area in px; a row's name lies to its left, a column's name above.
    rows, columns : int
    name_width, header : float
        Room for names in px; 0 where there are none.
    numbers : bool
        Whether cells are large enough for numbers; else the table is a picture.
    tilted : bool
        Whether columns are too narrow for names, which stand above them, slanting.
    """

    left: float
    top: float
    width: float
    height: float
    rows: int
    columns: int
    name_width: float
    header: float
    numbers: bool
    tilted: bool = False

    def cell(self, row: int, column: int) -> QRectF:
        """Return a cell's rectangle; in whole pixels where cells hold numbers."""
        x0, x1 = self._x_edges[column], self._x_edges[column + 1]
        y0, y1 = self._y_edges[row], self._y_edges[row + 1]
        return QRectF(x0, y0, x1 - x0, y1 - y0)

    def row(self, row: int) -> QRectF:
        """Return the rectangle around a row's cells."""
        return self.cell(row, 0).united(self.cell(row, self.columns - 1))

    def column(self, column: int) -> QRectF:
        """Return the rectangle around a column's cells."""
        return self.cell(0, column).united(self.cell(self.rows - 1, column))

    def row_name(self, row: int) -> QRectF:
        """Return where a row's name stands."""
        cell = self.cell(row, 0)
        return QRectF(self.left - self.name_width, cell.top(), self.name_width, cell.height())

    def column_name(self, column: int) -> QRectF:
        """Return where a column's name stands."""
        cell = self.cell(0, column)
        return QRectF(cell.left(), self.top - self.header, cell.width(), self.header)

    @property
    def area(self) -> QRectF:
        """The rectangle around all cells."""
        return QRectF(self.left, self.top, self.width, self.height)

    def at(self, x: float, y: float) -> Place | None:
        """Return the cell at a point; (row, None) on a row's name, (None, column) on a column's."""
        if not (self.rows and self.columns):
            return None
        row = int((y - self.top) // (self.height / self.rows))
        column = int((x - self.left) // (self.width / self.columns))
        in_rows, in_columns = 0 <= row < self.rows, 0 <= column < self.columns
        if in_rows and in_columns:
            return row, column
        if in_rows and self.left - self.name_width <= x < self.left:
            return row, None
        if in_columns and self.top - self.header <= y < self.top:
            return None, column
        return None

    @cached_property
    def _x_edges(self) -> list[float]:
        edges = [self.left + self.width * n / self.columns for n in range(self.columns + 1)]
        return [round(x) for x in edges] if self.numbers else edges

    @cached_property
    def _y_edges(self) -> list[float]:
        edges = [self.top + self.height * n / self.rows for n in range(self.rows + 1)]
        return [round(y) for y in edges] if self.numbers else edges


def steepness(wide: float, room: float) -> float:
    """Return the angle, in radians, at which a slanting name ends before a place to its right."""
    return max(math.pi / 4, math.acos(min(max(room, 0) / wide, 1)))


def heat_grid(
    theme: Theme,
    width: int,
    rows: int,
    columns: int,
    names: float,
    compact: bool,
    headed: bool = False,
    above: float = 0.0,
) -> Grid:
    """Return the grid of a table of scores or weights.

    Parameters
    ----------
    width : int
        The panel's, with its padding, in px.
    names : float
        Width of the longest row name with its dot, in px.
    compact : bool
        Whether rows are lower, for low windows.
    headed : bool
        Whether there is a header however narrow columns are.
    above : float
        Width of the longest column name in px, in the smallest type, where columns are tokens: it
        stands slanting, lest it be cut; of many columns some are named however narrow they are.
    """
    inner = max(width - 2 * theme.px(PADDING), theme.px(80))
    least_width, least_height = (theme.px(size) for size in LEAST_CELL)
    tallest = theme.px(COMPACT_ROW if compact else ROW)
    # Names give way to numbers, down to a dot and a few letters.
    widest = max(min(theme.px(_WIDEST_NAME), inner - columns * least_width), theme.px(34))
    name_width = min(names, widest)
    height = min(tallest, _TALLEST * tallest / max(rows, 1))
    numbers = (inner - name_width) / max(columns, 1) >= least_width and height >= least_height
    header = theme.px(HEADER)
    if not numbers:
        name_width = min(names, theme.px(PICTURE_NAME))
        pitch = (inner - name_width) / max(columns, 1)
        height = min(tallest, max(pitch, theme.px(120) / max(rows, 1)), inner / max(rows, 1))
        if rows <= NAMED_ROWS:
            height = max(height, theme.px(NAMED_ROW))
        if height < theme.px(NAMED_ROW):
            name_width = 0.0
            height = min(height * inner / (pitch * columns), inner / max(rows, 1))
    pitch = (inner - name_width) / max(columns, 1)
    # Where columns are no tokens there is no name to stand slanting, however narrow they are.
    tilted = above > max(pitch - theme.px(4), 0)
    tilted |= above > 0 and not numbers and columns > _TALLEST
    if tilted:
        wide = min(above * SLANTING / COLUMN_SIZES[-1], theme.px(LONGEST_SLANTING)) + theme.px(2)
        rise = wide * math.sin(steepness(wide, pitch / 2 + theme.px(SLANTS_WITHIN)))
        header = max(header, min(theme.px(TILTED), theme.px(_DOT_BELOW) + math.ceil(rise)))
    elif not numbers and not headed and pitch < theme.px(LEAST_NAMED):
        header = theme.px(4)
    left = theme.px(PADDING) + name_width
    return Grid(
        left=round(left),
        top=header,
        width=inner - round(name_width),
        height=round(height * rows),
        rows=rows,
        columns=columns,
        name_width=name_width,
        header=header if header > theme.px(4) else 0.0,
        numbers=numbers,
        tilted=tilted,
    )
