"""The maps of heads as tiles, and where they lie."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QImage,
    QKeyEvent,
)

from explorer.kit.painted import ARROWS, is_alone
from explorer.kit.table.heat_grid import LEAST_CELL, Grid
from explorer.kit.table.painting import PADDING, text_width
from explorer.kit.theme import Theme
from explorer.session import Array, Selection
from explorer.session.resolve import weight_domain
from explorer.text import _

DOTS = 18  # px at 100 %, as all below: left of the rows and below the columns
NAMED = 11  # size of the names that stand there instead, where cells hold no numbers
_LONGEST_NAME, NAME_GAP = 52, 5
_MOST_NAMED = 16  # tokens whose rows are made high enough for names
_GAP, _ROW_GAP = 6, 8
_OUTLINE = 3  # right of the last tile, for the chosen one's outline
_TITLE = 22
_TALLEST = (45, 36, 29)  # a cell, where there are one, two and more rows of tiles
LEAST_DOTTED = 10  # a row or column that gets its token's dot or name
_MOST_IN_A_ROW = 4
# Of a strip: sides of the maps of a few heads, which have titles, and of those of many.
_LARGEST, _LARGEST_COMPACT, _SMALLEST_TITLED = 40, 26, 22
_SMALL, _SMALLEST = 24, 12
_STRIP_GAP, _SMALL_GAP = 7, 4
_STRIP_TITLE, STRIP_SIZE = 18, 12
_TOP, AROUND, _BELOW = 12, 3, 4  # above all maps, around each, below the titles
_HIGHEST = 104  # of many rows together


def shown_pair(thing: Selection | None, tokens: int) -> tuple[int, int] | None:
    """Return query and key of a selected thing, where both are tokens of the sample."""
    pair = None if thing is None or thing.in_weights else thing.pair
    return pair if pair is not None and max(pair) < tokens else None


def moved_pair(thing: Selection | None, tokens: int, event: QKeyEvent) -> tuple[int, int] | None:
    """Return the pair that an arrow key moves to, the first one to begin with; None for others."""
    step = ARROWS.get(Qt.Key(event.key()))
    if step is None or not is_alone(event):
        return None
    pair = shown_pair(thing, tokens)
    if pair is None:
        return 0, 0
    query, key = (min(max(at + by, 0), tokens - 1) for at, by in zip(pair, step, strict=True))
    return query, key


@dataclass(frozen=True, eq=False)
class Tile:
    """The map of one head, or of the average over all.

    Parameters
    ----------
    head : int or None
    weights : ndarray, shape (T, S)
    masked : ndarray of bool, shape (T, S)
        Where the query may not attend to the key.
    name : str
        What it is called, where that is more than its head.
    """

    head: int | None
    weights: Array
    masked: NDArray[np.bool_]
    name: str = ""

    @cached_property
    def domain(self) -> float:
        """The weight that has the full colour."""
        return weight_domain(self.weights)

    @property
    def title(self) -> str:
        """What it is called."""
        if self.name:
            return self.name
        return _("Average") if self.head is None else _("Head {head}").format(head=self.head + 1)

    def blind(self, query: int) -> bool:
        """Return whether every key is masked for a query."""
        return bool(self.masked[query].all())

    def image(self, theme: Theme, most: tuple[int, int]) -> QImage:
        """Return a picture of the cells' colours, transparent where masked.

        most : rows and columns that have room; of more cells each block's largest is shown
        """
        hidden = self.masked if self.masked.any() else None
        return theme.weights_map.picture(self.weights, self.domain, hidden, most)


def tiles_of(maps: Iterable[Array], masks: Iterable[NDArray[np.bool_]]) -> tuple[Tile, ...]:
    """Return the tiles of every head's weights and, last, of their average."""
    pairs = list(zip(maps, masks, strict=True))
    last = len(pairs) - 1
    return tuple(Tile(h if h < last else None, *pair) for h, pair in enumerate(pairs))


@dataclass(frozen=True)
class Mosaic:
    """Where the tiles lie.

    Parameters
    ----------
    grids : tuple of Grid
        Each tile's cells.
    titles : tuple of QRectF
        Where their titles stand; empty where there are none.
    columns, height : int
        Tiles in a row, and what all need, in px.
    left, below : float
        Room left of the first tile and below each, for dots or names.
    numbers, dotted, named : bool
        Whether cells hold numbers; whether the rows' tokens have dots, or their names.
    """

    grids: tuple[Grid, ...] = ()
    titles: tuple[QRectF, ...] = ()
    columns: int = 1
    height: int = 0
    left: float = 0.0
    below: float = 0.0
    numbers: bool = False
    dotted: bool = False
    named: bool = False

    @classmethod
    def fitting(
        cls, theme: Theme, width: int, tiles: int, tokens: int, names: Sequence[str] = ()
    ) -> Mosaic:
        """Return the tiles that fit a width: in as few rows of at most four as there can be.

        names : of the tokens, which stand beside cells without numbers
        """
        px = theme.px
        rows = math.ceil(tiles / _MOST_IN_A_ROW)
        columns = math.ceil(tiles / rows)
        wide = max(columns, 2)  # one alone is no larger than each of two
        tallest = px(_TALLEST[min(rows, len(_TALLEST)) - 1])

        def sides(left: int) -> tuple[int, float]:
            side = (width - left - px(_OUTLINE) - (wide - 1) * px(_GAP)) // wide
            return side, side / tokens

        left = px(DOTS)
        side, cell = sides(left)
        tall = min(cell, tallest)
        numbers = cell >= px(LEAST_CELL[0]) and tall >= px(LEAST_CELL[1])
        named = bool(names) and not numbers and tokens <= _MOST_NAMED
        if numbers:
            tall = round(tall)
        elif named:
            longest = math.ceil(max(text_width(theme, name, NAMED) for name in names))
            left = min(longest, px(_LONGEST_NAME)) + px(NAME_GAP)
            side, cell = sides(left)
            tall = max(min(cell, tallest), px(LEAST_DOTTED) + 1)
        dotted = tall >= px(LEAST_DOTTED) and not named
        below = px(DOTS) if dotted else px(6)
        if named and cell >= px(LEAST_DOTTED):
            below = left
        each = px(_TITLE) + tall * tokens + below
        grids, titles = [], []
        for place in range(tiles):
            row, column = divmod(place, columns)
            start, top = left + column * (side + px(_GAP)), row * (each + px(_ROW_GAP))
            middle = start + side / 2
            half = side / 2 if tiles > 1 else min(middle, width - middle)  # nobody stands beside
            titles.append(QRectF(middle - half, top, 2 * half, px(_TITLE)))
            at = start, top + px(_TITLE), side, tall * tokens
            grids.append(Grid(*at, tokens, tokens, 0, px(_TITLE), numbers))
        height = math.ceil(rows * each + (rows - 1) * px(_ROW_GAP))
        laid = tuple(grids), tuple(titles), columns, height, left, below
        return cls(*laid, numbers, dotted, named)

    @classmethod
    def strip(
        cls, theme: Theme, width: int, tiles: int, shape: tuple[int, int], last: int, compact: bool
    ) -> Mosaic:
        """Return small square tiles: all in one row with titles, or rows of smaller ones without.

        Parameters
        ----------
        shape : (int, int)
            Queries and keys.
        last : int
            Width of the last one's title, in px.
        """
        px = theme.px
        inner = width - 2 * px(PADDING)

        def made(side: int, step: int, columns: int, titled: bool, height: int) -> Mosaic:
            grids, titles = [], []
            for place in range(tiles):
                row, column = divmod(place, columns)
                left, top = px(PADDING) + column * step, px(_TOP) + row * step
                wide = max(side, last) if titled and place == tiles - 1 else side
                title = QRectF(left, top + side + px(AROUND), wide, px(_STRIP_TITLE))
                titles.append(title if titled else QRectF())
                grids.append(Grid(left + (wide - side) / 2, top, side, side, *shape, 0, 0, False))
            return cls(tuple(grids), tuple(titles), columns, height)

        largest = px(_LARGEST_COMPACT if compact else _LARGEST)
        for side in range(largest, px(_SMALLEST_TITLED) - 1, -1):
            step = side + px(_STRIP_GAP)
            if (tiles - 1) * step + max(side, last) <= inner:
                height = px(_TOP) + side + px(AROUND) + px(_STRIP_TITLE + _BELOW)
                return made(side, step, tiles, True, height)
        for side in range(px(_SMALL), px(_SMALLEST) - 1, -1):
            step = side + px(_SMALL_GAP)
            columns = max((inner + px(_SMALL_GAP)) // step, 1)
            rows = -(-tiles // columns)
            if rows * step <= px(_HIGHEST):
                break
        return made(side, step, columns, False, px(_TOP) + rows * step)

    def area(self, tile: int) -> QRectF:
        """Return the rectangle of a tile's cells."""
        return self.grids[tile].area

    def cell(self, tile: int, query: int, key: int) -> QRectF:
        """Return a cell's rectangle; in whole pixels where cells hold numbers."""
        return self.grids[tile].cell(query, key)

    def at(self, at: QPointF) -> tuple[int, tuple[int, int] | None] | None:
        """Return the tile at a point and, where there is one, its cell (query, key)."""
        for tile, (grid, title) in enumerate(zip(self.grids, self.titles, strict=True)):
            if grid.area.contains(at):
                row, column = (
                    min(int(offset * count / size), count - 1)
                    for offset, count, size in (
                        (at.y() - grid.top, grid.rows, grid.height),
                        (at.x() - grid.left, grid.columns, grid.width),
                    )
                )
                return tile, (row, column)
            if title.united(grid.area).adjusted(0, 0, 0, self.below).contains(at):
                return tile, None
        return None
