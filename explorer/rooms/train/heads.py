"""The attention of every head and their average, as small maps side by side."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.kit.sample_words import SampleWords
from explorer.kit.table import painting
from explorer.kit.table.painting import HOVERED, LEFT, SELECTED, draw_text
from explorer.kit.table.view import KEYBOARD
from explorer.kit.theme import Theme, TokenColour
from explorer.kit.tiles import Tile
from explorer.session import Role, Selection
from explorer.session.intents import Hover, Select
from explorer.session.resolve import weight_domain
from explorer.session.train import TrainFrame
from explorer.session.train.intents import GoToHead
from explorer.text import Problem, _, full_number, plain_tip

_STEPS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}


def shown_pair(thing: Selection | None, tokens: int) -> tuple[int, int] | None:
    """Return query and key of a selected thing, where both are tokens of the sample."""
    pair = None if thing is None or thing.in_weights else thing.pair
    return pair if pair is not None and max(pair) < tokens else None


def moved_pair(thing: Selection | None, tokens: int, event: QKeyEvent) -> tuple[int, int] | None:
    """Return the pair that an arrow key moves to, the first one to begin with; None for others."""
    step = _STEPS.get(Qt.Key(event.key()))
    if step is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return None
    pair = shown_pair(thing, tokens)
    if pair is None:
        return 0, 0
    query, key = (min(max(at + by, 0), tokens - 1) for at, by in zip(pair, step, strict=True))
    return query, key


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


_SIZES = (15, 14, 13, 12, 11)  # of numbers, px at 100 %
_READOUT = 22  # px at 100 %
_AROUND = 2  # between a tile's cells and its outline


class HeadMaps(QWidget):
    """A tile for each head and one for the average.

    A click on a tile shows its head everywhere, a click on a cell selects the pair too. Arrow keys
    move the selected pair, Page Up and Page Down go to another head.
    """

    intent = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Attention of each head"))
        self._theme = theme
        self._frame: TrainFrame | None = None
        self._words = SampleWords()
        self.tiles: tuple[Tile, ...] = ()
        self._shown: object = None
        self._images: list[QImage] = []
        self.mosaic = Mosaic.fitting(theme, 308, 1, 1)
        self._hovered: Selection | None = None
        self._ringed = False

    def draw(self, frame: TrainFrame, words: SampleWords) -> None:
        """Show the maps at the cursor. Raises Problem where they cannot be read."""
        numbers = (frame.values, frame.cursor.sample)
        if numbers != self._shown:
            self.tiles = head_tiles(frame)
            self._shown = numbers
            self._images = []
        self._frame, self._words = frame, words
        self._arrange()
        said = self.readout()
        if said != self.accessibleDescription():
            self.setAccessibleDescription(said)
        self.update()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self._images = []
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @property
    def chosen(self) -> int:
        """The place of the tile whose head is shown everywhere."""
        if self._frame is None or self._frame.cursor.head is None:
            return len(self.tiles) - 1
        return min(self._frame.cursor.head, len(self.tiles) - 1)

    def text(self, tile: Tile, query: int, key: int) -> str:
        """Return a weight as it stands in its cell; nothing where it is masked."""
        if tile.masked[query, key]:
            return ""
        return f"{tile.weights[query, key]:.2f}"

    def readout(self) -> str:
        """Return what is pointed at, "likes → cat  0.38", or what the colours mean."""
        if self._frame is None or not self.tiles:
            return ""
        tile = self.tiles[self.chosen]
        pair = shown_pair(self._frame.pointed, len(tile.weights))
        if pair is not None:
            return f"{tile.title}: {self._pair_text(tile, *pair)}"
        if all(other.domain == 1.0 for other in self.tiles):
            return ""
        return _("The full colour is each map's largest weight.")

    def _pair_text(self, tile: Tile, query: int, key: int) -> str:
        names = f"{self._words.words[query]} → {self._words.words[key]}"
        if tile.blind(query):
            return f"{names}  " + _("every key is masked")
        return f"{names}  {self.text(tile, query, key) or _('masked')}"

    def _arrange(self) -> None:
        if not self.tiles or self.width() < 1:
            return
        tokens = len(self.tiles[0].weights)
        self.mosaic = Mosaic.fitting(self._theme, self.width(), len(self.tiles), tokens)
        height = self.mosaic.height + self._theme.px(3)
        if not self.mosaic.numbers:
            height += self._theme.px(_READOUT)
            if not self._images:
                self._images = [tile.image(self._theme) for tile in self.tiles]
        if height != self.height():
            self.setFixedHeight(height)

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._frame is None or not self.tiles:
            return
        for place, tile in enumerate(self.tiles):
            self._paint_tile(painter, place, tile)
        self._paint_marks(painter, self._frame)
        if not self.mosaic.numbers:
            line = QRectF(0, self.mosaic.height, self.width(), self._theme.px(_READOUT))
            text = painting.elided(self._theme, self.readout(), 13, 400, self.width())
            draw_text(painter, self._theme, text, line, self._theme.color("ink2"), 13, 400, LEFT)
        if self._ringed:
            inside = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painting.draw_outline(painter, self._theme, inside, 2)

    def _paint_tile(self, painter: QPainter, place: int, tile: Tile) -> None:
        theme, mosaic = self._theme, self.mosaic
        area, chosen = mosaic.area(place), place == self.chosen
        weight, ink = (600, "ink1") if chosen else (400, "ink2")
        title = painting.elided(theme, tile.title, 13, weight, int(area.width()))
        draw_text(painter, theme, title, mosaic.title_rect(place), theme.color(ink), 13, weight)
        painter.fillRect(area, theme.color("canvas"))
        if mosaic.numbers:
            self._paint_numbers(painter, place, tile)
        else:
            if tile.masked.any():
                painter.fillRect(area, painting.hatch(theme))
            painter.drawImage(area, self._images[place])
        if mosaic.dotted:
            self._paint_dots(painter, place, area)
        if chosen:
            around = theme.px(_AROUND)
            outline = area.adjusted(-around, -around, around, around)
            painting.draw_outline(painter, theme, outline, SELECTED)

    def _paint_dots(self, painter: QPainter, place: int, area: QRectF) -> None:
        theme, mosaic, colours = self._theme, self.mosaic, self._words.colours
        away = theme.px(11)
        first = place % mosaic.columns == 0
        wide = mosaic.tile_width / mosaic.tokens >= theme.px(10)
        for token in range(mosaic.tokens):
            cell = mosaic.cell(place, token, token).center()
            if first:
                self._dot(painter, QPointF(area.left() - away, cell.y()), colours[token])
            if wide:
                self._dot(painter, QPointF(cell.x(), area.bottom() + away), colours[token])

    def _dot(self, painter: QPainter, at: QPointF, colour: TokenColour) -> None:
        painting.draw_dot(painter, self._theme, at, colour, painting.COLUMN_DOT)

    def _paint_numbers(self, painter: QPainter, place: int, tile: Tile) -> None:
        theme, mosaic, ramp = self._theme, self.mosaic, self._theme.weights_map
        tokens = mosaic.tokens
        room = mosaic.tile_width / tokens - theme.px(4)
        size = next((s for s in _SIZES if painting.text_width(theme, "0.00", s) <= room), 11)
        pair = None if self._frame is None else shown_pair(self._frame.selection, tokens)
        for query in range(tokens):
            for key in range(tokens):
                cell = mosaic.cell(place, query, key)
                inside = cell.adjusted(0.5, 0.5, -0.5, -0.5)
                if tile.masked[query, key]:
                    painter.fillRect(inside, painting.hatch(theme))
                    continue
                value = float(tile.weights[query, key])
                painter.fillRect(inside, ramp.fill(value, tile.domain))
                text, ink = self.text(tile, query, key), ramp.text(value, tile.domain)
                draw_text(
                    painter, theme, text, cell, ink, size, 600 if (query, key) == pair else 400
                )
            if tile.blind(query):
                self._paint_blind(painter, place, query)

    def _paint_blind(self, painter: QPainter, place: int, query: int) -> None:
        theme, mosaic = self._theme, self.mosaic
        row = mosaic.cell(place, query, 0).united(mosaic.cell(place, query, mosaic.tokens - 1))
        text = painting.elided(theme, _("all masked"), 11, 400, int(row.width()) - 4)
        width = painting.text_width(theme, text, 11) + 4
        beneath = QRectF(0, 0, width, min(theme.px(16), row.height() - 2))
        beneath.moveCenter(row.center())
        painter.fillRect(beneath, theme.color("canvas"))
        draw_text(painter, theme, text, row, theme.color("ink3"), 11)

    def _paint_marks(self, painter: QPainter, frame: TrainFrame) -> None:
        """Outline the hovered and the selected pair in every tile."""
        mosaic, least = self.mosaic, self._theme.px(6)
        for thing, width in ((frame.hover, HOVERED), (frame.selection, SELECTED)):
            pair = shown_pair(thing, mosaic.tokens)
            if pair is None:
                continue
            for place in range(len(self.tiles)):
                rect = mosaic.cell(place, *pair)
                # A cell of a picture can be smaller than its outline.
                grow = [max(0.0, (least - side) / 2) for side in (rect.width(), rect.height())]
                rect = rect.adjusted(-grow[0], -grow[1], grow[0], grow[1])
                painting.draw_outline(painter, self._theme, rect, width, halo=not mosaic.numbers)

    # --- mouse and keys --------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.mosaic.at(event.position().x(), event.position().y()) if self.tiles else None
        if event.button() != Qt.MouseButton.LeftButton or found is None:
            return
        place, pair = found
        self.intent.emit(GoToHead(self.tiles[place].head))
        if pair is not None:
            self.intent.emit(Select(Selection(Role.A, *pair)))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        found = self.mosaic.at(event.position().x(), event.position().y()) if self.tiles else None
        pair = None if found is None else found[1]
        self._hover(None if pair is None else Selection(Role.A, *pair))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        super().leaveEvent(event)

    def _hover(self, selection: Selection | None) -> None:
        if selection != self._hovered:
            self._hovered = selection
            self.intent.emit(Hover(selection))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def tip(self, at: QPointF) -> str:
        """Return the tooltip at a point, with every digit of a weight."""
        found = self.mosaic.at(at.x(), at.y()) if self.tiles else None
        if found is None:
            return ""
        tile, pair = self.tiles[found[0]], found[1]
        if pair is None:
            return plain_tip(tile.title)
        names = f"{self._words.words[pair[0]]} → {self._words.words[pair[1]]}"
        if tile.blind(pair[0]):
            value = _("every key is masked")
        elif tile.masked[pair]:
            value = _("masked: the query may not attend to the key")
        else:
            value = full_number(round(float(tile.weights[pair]), 9))
        return plain_tip(f"{tile.title}, {names}\n{value}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._frame is None or not self.tiles:
            event.ignore()
            return
        turn = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}.get(Qt.Key(event.key()))
        if turn is not None:
            place = min(max(self.chosen + turn, 0), len(self.tiles) - 1)
            self.intent.emit(GoToHead(self.tiles[place].head))
            return
        pair = moved_pair(self._frame.selection, self.mosaic.tokens, event)
        if pair is None:
            event.ignore()
        else:
            self.intent.emit(Select(Selection(Role.A, *pair)))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ringed = event.reason() in KEYBOARD
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ringed = False
        super().focusOutEvent(event)
        self.update()
