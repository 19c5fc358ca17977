"""Where the heads' small maps lie, and what stands in them: plain values."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from explorer.kit.theme import Theme
from explorer.kit.tiles import Tile
from explorer.session.resolve import weight_domain
from explorer.session.train import TrainFrame
from explorer.text import Problem

# px at 100 %
_DOTS = 18  # left of the rows and below the columns
_GAP, _ROW_GAP = 6, 8
_OUTLINE = 3  # right of the last tile, for the chosen one's outline
_TITLE = 22
_TALLEST = (45, 36, 29)  # a cell, where there are one, two and more rows of tiles
LEAST_CELL = (34, 18)  # for a number
_LEAST_DOTTED = 10  # a row or column that gets its token's dot
_MOST_IN_A_ROW = 4


def head_tiles(frame: TrainFrame) -> tuple[Tile, ...]:
    """Return the map of every head and, last, that of the average where there are several.

    Raises Problem.
    """
    values, sample = frame.values, frame.cursor.sample
    if values is None:
        return ()
    heads = values.weights.shape[1]
    hidden = _masked(frame, heads)
    maps = [values.sample_weights(sample, head) for head in (*range(heads), None)]
    masks = [*hidden, hidden.all(axis=0)]
    tiles = tuple(
        Tile(head if head < heads else None, weights, masked, weight_domain(weights))
        for head, (weights, masked) in enumerate(zip(maps, masks, strict=True))
    )
    return tiles if heads > 1 else tiles[:1]


def _masked(frame: TrainFrame, heads: int) -> NDArray[np.bool_]:
    """Return what each head may not see, (H, T, T): as the scores tell, else as the run says."""
    trace, values, cursor = frame.trace, frame.values, frame.cursor
    assert trace is not None
    assert values is not None
    length = int(trace.lengths[cursor.sample])
    if "scores" in trace.names:
        try:
            scores = values.step.array("scores", cursor.sample, values.layer)
        except Problem:
            pass  # the numbers are said to be bad where they are shown
        else:
            return np.asarray(np.isneginf(scores[:, :length, :length]))
    config = trace.run.config
    hidden = np.zeros((length, length), dtype=bool)
    if config is not None and config.causal:
        hidden = ~np.tri(length, dtype=bool)
    return np.broadcast_to(hidden, (heads, length, length))


@dataclass(frozen=True)
class Mosaic:
    """Tiles in one row or several.

    Parameters
    ----------
    tiles, tokens, columns : int
    left, tile_width, gap : float
        Of the first tile, of each, and between two, in px.
    cell_height : float
    title, below, row_gap : float
        Room above a tile for its title, below it for dots, and between rows of tiles.
    """

    tiles: int
    tokens: int
    columns: int
    left: float
    tile_width: float
    gap: float
    cell_height: float
    title: float
    below: float
    row_gap: float
    numbers: bool
    dotted: bool

    @classmethod
    def fitting(cls, theme: Theme, width: int, tiles: int, tokens: int) -> Mosaic:
        """Return the tiles that fit a width: in as few rows of at most four as there can be."""
        px = theme.px
        rows = math.ceil(tiles / _MOST_IN_A_ROW)
        columns = math.ceil(tiles / rows)
        gap, left = px(_GAP), px(_DOTS)
        room = width - left - px(_OUTLINE)
        wide = max(columns, 2)  # one alone is no larger than each of two
        tile = (room - (wide - 1) * gap) // wide
        cell = tile / tokens
        tall = min(cell, px(_TALLEST[min(rows, len(_TALLEST)) - 1]))
        numbers = cell >= px(LEAST_CELL[0]) and tall >= px(LEAST_CELL[1])
        if numbers:
            tall = round(tall)
        dotted = tall >= px(_LEAST_DOTTED)
        below = px(_DOTS) if dotted else px(6)
        return cls(
            tiles,
            tokens,
            columns,
            left,
            tile,
            gap,
            tall,
            px(_TITLE),
            below,
            px(_ROW_GAP),
            numbers,
            dotted,
        )

    @property
    def tile_height(self) -> float:
        """Of the cells alone."""
        return self.cell_height * self.tokens

    @property
    def height(self) -> int:
        """Of all."""
        rows = math.ceil(self.tiles / self.columns)
        each = self.title + self.tile_height + self.below
        return math.ceil(rows * each + (rows - 1) * self.row_gap)

    def area(self, tile: int) -> QRectF:
        """Return the rectangle of a tile's cells."""
        row, column = divmod(tile, self.columns)
        top = row * (self.title + self.tile_height + self.below + self.row_gap) + self.title
        left = self.left + column * (self.tile_width + self.gap)
        return QRectF(left, top, self.tile_width, self.tile_height)

    def title_rect(self, tile: int) -> QRectF:
        """Return where a tile's title stands."""
        area = self.area(tile)
        return QRectF(area.left(), area.top() - self.title, area.width(), self.title)

    def cell(self, tile: int, query: int, key: int) -> QRectF:
        """Return a cell's rectangle; in whole pixels where cells hold numbers."""
        area = self.area(tile)
        x = [area.left() + self.tile_width * at / self.tokens for at in (key, key + 1)]
        y = [area.top() + self.cell_height * at for at in (query, query + 1)]
        if self.numbers:
            x, y = [round(at) for at in x], [round(at) for at in y]
        return QRectF(x[0], y[0], x[1] - x[0], y[1] - y[0])

    def at(self, x: float, y: float) -> tuple[int, tuple[int, int] | None] | None:
        """Return the tile at a point and, where there is one, its cell (query, key)."""
        for tile in range(self.tiles):
            area = self.area(tile)
            if area.contains(x, y):
                query = min(int((y - area.top()) / self.cell_height), self.tokens - 1)
                key = min(int((x - area.left()) * self.tokens / self.tile_width), self.tokens - 1)
                return tile, (query, key)
            if self.title_rect(tile).united(area).adjusted(0, 0, 0, self.below).contains(x, y):
                return tile, None
        return None
