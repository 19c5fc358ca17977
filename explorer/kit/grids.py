"""Small matrices beside one another, of weights or of changes of weights, as numbers on colours."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent

from explorer.kit.painted import PaintedWidget
from explorer.kit.run_badge import SIDE, draw_badge
from explorer.kit.table.painting import (
    CENTRE,
    LEFT,
    SELECTED,
    draw_cell,
    draw_dot,
    draw_mark,
    draw_text,
)
from explorer.kit.theme import Theme, TokenColour
from explorer.session import Array, Role
from explorer.session.intents import Hover, Select
from explorer.session.look import Selection
from explorer.text import full_number, joined, labelled

GAP, ROW_GAP, TITLE = 10, 10, 24  # px at 100 %
_NAME = 58  # of a row's title
_LEAST = 30  # of a cell with a number
_DOTS = 18  # room below the last row


def change_text(value: float) -> str:
    """Return a change with its sign and two decimals, the zero before them left out."""
    number = f"{abs(value):.2f}"
    number = number[1:] if number.startswith("0") else number
    if float(f"{value:.2f}") == 0:
        return ".00"
    return ("+" if value > 0 else "\u2212") + number


def change_domain(*changes: Array) -> float:
    """Return what has the full colour: the largest change, rounded up to a tenth."""
    most = max((float(np.abs(each).max(initial=0.0)) for each in changes), default=0.0)
    return max(math.ceil(round(most * 10, 6)) / 10, 0.1)


@dataclass(frozen=True, eq=False)
class Grid:
    """One matrix.

    values : ndarray, shape (rows, columns)
    change : whether these are changes, with signs; else weights from 0 to 1
    domain : what has the full colour
    """

    values: Array
    change: bool
    domain: float = 1.0


@dataclass(frozen=True, eq=False)
class Grids:
    """Rows of matrices.

    titles : of the columns; one of a single capital letter is a run's badge
    rows : the name of each row of matrices, and these
    words, colours : of the tokens, for both axes; none where axes are no tokens
    """

    titles: tuple[str, ...] = ()
    rows: tuple[tuple[str, tuple[Grid, ...]], ...] = ()
    words: tuple[str, ...] = ()
    colours: tuple[TokenColour, ...] = field(default=())


class GridsView(PaintedWidget):
    """Paints the matrices; a click on a cell of tokens selects the pair.

    most : width of a cell at the most, px at 100 %
    """

    def __init__(self, theme: Theme, name: str, most: int) -> None:
        super().__init__(theme, name)
        self._most = most
        self.grids = Grids()
        self._pointed: tuple[Selection | None, Selection | None] = (None, None)

    def show_grids(
        self, grids: Grids, selection: Selection | None, hover: Selection | None
    ) -> None:
        """Show other matrices, and what is selected and pointed at."""
        self.grids = grids
        self._pointed = selection, hover
        self._fit()
        rows = [labelled(name, str(len(row))) for name, row in grids.rows]
        self.setAccessibleDescription(joined(rows))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the height that the cells need in the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        px = self.theme.px
        height = px(TITLE) + sum(
            self._size(row)[1] * len(row[0].values) + px(ROW_GAP) for _name, row in self.grids.rows
        )
        self.set_height(math.ceil(height + (px(_DOTS) if self.grids.words else 0)))

    def _left(self) -> float:
        return self.theme.px(_NAME)

    def _size(self, row: tuple[Grid, ...]) -> tuple[float, float]:
        """Return a cell's width and height."""
        px = self.theme.px
        columns = sum(grid.values.shape[1] for grid in row)
        room = self.width() - self._left() - px(GAP) * (len(row) - 1) - px(2)
        wide = min(px(self._most), max(room, 1) / max(columns, 1))
        wide = math.floor(wide) if wide >= px(12) else wide
        return wide, min(wide, px(self._most))

    def area(self, row: int, column: int) -> QRectF:
        """Return where a matrix stands."""
        px, top = self.theme.px, float(self.theme.px(TITLE))
        for number, (_name, grids) in enumerate(self.grids.rows):
            wide, high = self._size(grids)
            if number == row:
                left = self._left()
                for grid in grids[:column]:
                    left += wide * grid.values.shape[1] + px(GAP)
                rows, columns = grids[column].values.shape
                return QRectF(left, top, wide * columns, high * rows)
            top += high * len(grids[0].values) + px(ROW_GAP)
        return QRectF()

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint titles, names, cells, dots and outlines."""
        with QPainter(self) as painter:
            theme = self.theme
            for number, (name, grids) in enumerate(self.grids.rows):
                for column, grid in enumerate(grids):
                    area = self.area(number, column)
                    if number == 0 and column < len(self.grids.titles):
                        self._paint_title(painter, self.grids.titles[column], area)
                    self._paint_grid(painter, grid, area)
                    if number == len(self.grids.rows) - 1 and self.grids.words:
                        self._paint_dots(painter, area)
                box = QRectF(
                    0, self.area(number, 0).top(), self._left(), self.area(number, 0).height()
                )
                draw_text(painter, theme, name, box, theme.color("ink2"), 14, 400, LEFT)
            for thing, width in zip(self._pointed, (SELECTED, 1.5), strict=True):
                if thing is not None and thing.pair is not None and self.grids.words:
                    self._paint_mark(painter, thing.pair, width)

    def _paint_title(self, painter: QPainter, title: str, area: QRectF) -> None:
        theme, side = self.theme, self.theme.px(SIDE)
        if len(title) == 1:
            box = QRectF(0, 0, side, side)
            box.moveCenter(QPointF(area.center().x(), side / 2))
            draw_badge(painter, theme, box, title)
        else:
            box = QRectF(area.left(), 0, area.width(), side)
            draw_text(painter, theme, title, box, theme.color("ink2"), 13, 400, CENTRE)

    def _paint_grid(self, painter: QPainter, grid: Grid, area: QRectF) -> None:
        theme = self.theme
        colours = theme.scores_map if grid.change else theme.weights_map
        rows, columns = grid.values.shape
        wide, high = area.width() / columns, area.height() / rows
        if wide < theme.px(_LEAST):
            most = max(int(area.height()), 1), max(int(area.width()), 1)
            painter.drawImage(area, colours.picture(grid.values, grid.domain, None, most))
            return
        size = 13 if wide >= theme.px(36) else 11.5
        for row in range(rows):
            for column in range(columns):
                value = float(grid.values[row, column])
                box = QRectF(area.left() + column * wide, area.top() + row * high, wide, high)
                text = change_text(value) if grid.change else f"{value:.2f}"
                fill = colours.fill(value, grid.domain)
                ink = colours.text(value, grid.domain)
                draw_cell(painter, theme, box, fill, text, ink, size)

    def _paint_dots(self, painter: QPainter, area: QRectF) -> None:
        wide = area.width() / len(self.grids.words)
        if wide < self.theme.px(10):
            return
        y = area.bottom() + self.theme.px(10)
        for place, colour in enumerate(self.grids.colours):
            at = QPointF(area.left() + (place + 0.5) * wide, y)
            draw_dot(painter, self.theme, at, colour)

    def _paint_mark(self, painter: QPainter, pair: tuple[int, int], width: float) -> None:
        for number, (_name, grids) in enumerate(self.grids.rows):
            for column, grid in enumerate(grids):
                rows, columns = grid.values.shape
                query, key = pair
                if query < rows and key < columns:
                    area = self.area(number, column)
                    wide, high = area.width() / columns, area.height() / rows
                    box = QRectF(area.left() + key * wide, area.top() + query * high, wide, high)
                    draw_mark(painter, self.theme, box, width)

    # --- the mouse -------------------------------------------------------------------------------

    def _at(self, at: QPointF) -> tuple[int, int, int, int] | None:
        for number, (_name, grids) in enumerate(self.grids.rows):
            for column, grid in enumerate(grids):
                area = self.area(number, column)
                if area.contains(at):
                    rows, columns = grid.values.shape
                    row = int((at.y() - area.top()) / area.height() * rows)
                    key = int((at.x() - area.left()) / area.width() * columns)
                    return number, column, min(row, rows - 1), min(key, columns - 1)
        return None

    def thing_at(self, at: QPointF) -> object:
        """Return the pair of tokens at a point."""
        found = self._at(at)
        return found[2:] if found is not None and self.grids.words else None

    def hover(self, thing: object) -> None:
        """Point at a pair in every view."""
        pair = thing if isinstance(thing, tuple) else None
        self.intent.emit(Hover(None if pair is None else Selection(Role.A, *pair)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the pair that is clicked."""
        pair = self.thing_at(event.position())
        if isinstance(pair, tuple) and event.button() == Qt.MouseButton.LeftButton:
            self.intent.emit(Select(Selection(Role.A, *pair)))

    def text_at(self, at: QPointF) -> str:
        """Return the words and every digit."""
        found = self._at(at)
        if found is None:
            return ""
        number, column, row, key = found
        value = float(self.grids.rows[number][1][column].values[row, key])
        words = self.grids.words
        said = full_number(round(value, 9))
        if not words:
            return said
        pair = f"{words[row]} \u2192 {words[key]}"
        return f"{joined((self.grids.rows[number][0], pair))}\n{said}"
