"""The attention of every head and their average, as small maps side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QWidget

from explorer.kit.focus_ring import is_ringed
from explorer.kit.mosaic import (
    AROUND,
    LEAST_DOTTED,
    NAME_GAP,
    NAMED,
    STRIP_SIZE,
    Mosaic,
    Tile,
    moved_pair,
    shown_pair,
)
from explorer.kit.painted import ARROWS, PaintedWidget, is_alone
from explorer.kit.table import painting
from explorer.kit.table.painting import HOVERED, LEFT, RIGHT, SELECTED, draw_text
from explorer.kit.theme import Theme, TokenColour
from explorer.session import Role, Selection
from explorer.session.intents import Hover, Select
from explorer.text import _, full_number, joined, labelled

_SIZES = (15, 14, 13, 12, 11)  # of numbers, px at 100 %, as all below
_READOUT = 22

_TURNS = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}


class HeadButton(QAbstractButton):
    """A tile as the tab key and screen readers meet it; what is seen the maps paint."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint nothing."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave the arrow keys to the maps."""
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Select):
            super().keyPressEvent(event)
        else:
            event.ignore()


class HeadMaps(PaintedWidget):
    """A tile for each head and one for the average. A click on a tile asks for its head.

    A click on a cell selects the pair too, arrow keys move the selected pair, Page Up and Page Down
    go to another head. In a strip tiles are chosen as wholes, by click and by arrow keys.

    Parameters
    ----------
    strip : bool
        Whether all are small pictures, in one row where there is room.
    """

    picked = Signal(object)  # the head that is asked for; None for the average

    def __init__(
        self, theme: Theme, name: str, parent: QWidget | None = None, *, strip: bool = False
    ) -> None:
        super().__init__(theme, name, parent)
        self._strip = strip
        if strip:
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the chosen tile has the focus
        self._words: Sequence[str] = ()
        self._colours: Sequence[TokenColour] = ()
        self._pointed: tuple[Selection | None, Selection | None] = None, None
        self._compact = False
        self._arranged: object = None  # what the layout was made for
        self._images: list[QImage] = []
        self._most = 1, 1  # rows and columns of the pictures
        self.tiles: tuple[Tile, ...] = ()
        self.chosen = 0  # the place of the tile whose head is shown everywhere
        self.buttons: list[HeadButton] = []
        self.mosaic = Mosaic()

    def show_tiles(self, tiles: tuple[Tile, ...]) -> None:
        """Show other numbers; `show_chosen` follows."""
        self.tiles = tiles
        self._images = []
        while len(self.buttons) > len(tiles):
            gone = self.buttons.pop()
            gone.hide()
            gone.deleteLater()
        while len(self.buttons) < len(tiles):
            button = HeadButton(self)
            button.clicked.connect(self._clicked)
            self.buttons.append(button)
        for button, tile in zip(self.buttons, tiles, strict=True):
            if button.accessibleName() != tile.title:
                button.setAccessibleName(tile.title)
        self._arrange()

    def show_tile(self, place: int, tile: Tile) -> None:
        """Show other numbers in one of the tiles, of the same shape."""
        self.tiles = (*self.tiles[:place], tile, *self.tiles[place + 1 :])
        if self._images:
            self._images[place] = tile.image(self.theme, self._most)
        self.update(self.mosaic.area(place).toAlignedRect())

    def show_chosen(
        self,
        chosen: int | None,
        words: Sequence[str] = (),
        colours: Sequence[TokenColour] = (),
        selection: Selection | None = None,
        hover: Selection | None = None,
    ) -> None:
        """Show which head is looked at (None: the average) and, of tokens, which pairs."""
        last = len(self.tiles) - 1
        self.chosen = last if chosen is None else min(chosen, last)
        self._words, self._colours, self._pointed = words, colours, (selection, hover)
        self._arrange()
        self._check()
        said = self.readout()
        if said != self.accessibleDescription():
            self.setAccessibleDescription(said)
        self.update()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        self._images = []
        self._arrange()

    def set_compact(self, compact: bool) -> None:
        """Use smaller tiles, for a low window, or not."""
        self._compact = compact
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _check(self) -> None:
        """Check the chosen tile, the only one of a strip that the tab key comes to."""
        for place, button in enumerate(self.buttons):
            chosen = place == self.chosen
            button.setChecked(chosen)
            if self._strip:
                policy = Qt.FocusPolicy.StrongFocus if chosen else Qt.FocusPolicy.ClickFocus
                button.setFocusPolicy(policy)

    def _arrange(self) -> None:
        if not self.tiles or self.width() < 1:
            return
        theme, shape = self.theme, self.tiles[0].weights.shape
        at = theme, self.width(), len(self.tiles)
        names = () if self._strip else tuple(self._words)
        if (at, shape, self._compact, names) != self._arranged:
            self._arranged = at, shape, self._compact, names
            self._lay_out(at, shape, names)
        most = painting.pixels(self, self.mosaic.area(0))
        if not self.mosaic.numbers and (not self._images or most != self._most):
            self._most = most
            self._images = [tile.image(theme, most) for tile in self.tiles]

    def _lay_out(
        self, at: tuple[Theme, int, int], shape: tuple[int, ...], names: tuple[str, ...]
    ) -> None:
        theme = self.theme
        if self._strip:
            last = round(painting.text_width(theme, self._title(self.tiles[-1]), STRIP_SIZE, 600))
            rows, columns = shape
            self.mosaic = Mosaic.strip(*at, (rows, columns), last, self._compact)
            height = self.mosaic.height
        else:
            self.mosaic = Mosaic.fitting(*at, shape[0], names[: shape[0]])
            height = self.mosaic.height + theme.px(3)
            if not self.mosaic.numbers:
                height += theme.px(_READOUT)
        around = theme.px(AROUND)
        for button, grid in zip(self.buttons, self.mosaic.grids, strict=True):
            button.setGeometry(grid.area.toAlignedRect().adjusted(-around, -around, around, around))
        self.set_height(height)

    # --- texts -----------------------------------------------------------------------------------

    def _title(self, tile: Tile) -> str:
        return str(tile.head + 1) if self._strip and tile.head is not None else tile.title

    def text(self, tile: Tile, query: int, key: int) -> str:
        """Return a weight as it stands in its cell; nothing where it is masked."""
        return "" if tile.masked[query, key] else f"{tile.weights[query, key]:.2f}"

    def _names(self, query: int, key: int) -> str:
        return f"{self._words[query]} → {self._words[key]}"

    def readout(self) -> str:
        """Return what is pointed at, "likes → cat  0.38", or what the colours mean."""
        if self._strip or not self.tiles:
            return ""
        tile, (selection, hover) = self.tiles[self.chosen], self._pointed
        pair = shown_pair(selection if hover is None else hover, len(tile.weights))
        if pair is None:
            if all(other.domain == 1.0 for other in self.tiles):
                return ""
            return _("The full colour is each map's largest weight.")
        blind = _("every key is masked") if tile.blind(pair[0]) else ""
        said = blind or self.text(tile, *pair) or _("masked")
        return labelled(tile.title, f"{self._names(*pair)}  {said}")

    def text_at(self, at: QPointF) -> str:
        """Return what a tile is and, of a cell, every digit of its weight."""
        found = self.mosaic.at(at)
        if found is None:
            return ""
        tile, pair = self.tiles[found[0]], found[1]
        if pair is None or self._strip:
            return tile.title
        if tile.blind(pair[0]):
            value = _("every key is masked")
        elif tile.masked[pair]:
            value = _("masked: the query may not attend to the key")
        else:
            value = full_number(round(float(tile.weights[pair]), 9))
        return f"{joined((tile.title, self._names(*pair)))}\n{value}"

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.tiles:
            return
        theme = self.theme
        with QPainter(self) as painter:
            for place, tile in enumerate(self.tiles):
                self._paint_tile(painter, place, tile)
            if self._strip:
                for button in self.buttons:
                    if is_ringed(button):
                        ring = QRectF(button.geometry()).adjusted(1, 1, -1, -1)
                        painting.draw_outline(painter, theme, ring, 2)
                return
            self._paint_marks(painter)
            if not self.mosaic.numbers:
                line = QRectF(0, self.mosaic.height, self.width(), theme.px(_READOUT))
                text = painting.elided(theme, self.readout(), 13, 400, self.width())
                draw_text(painter, theme, text, line, theme.color("ink2"), 13, 400, LEFT)
            self.paint_ring(painter)

    def _paint_tile(self, painter: QPainter, place: int, tile: Tile) -> None:
        theme, mosaic = self.theme, self.mosaic
        area, chosen, where = mosaic.area(place), place == self.chosen, mosaic.titles[place]
        if not where.isEmpty():
            weight, ink = (600, "ink1") if chosen else (400, "ink2")
            size = STRIP_SIZE if self._strip else 13
            title = painting.elided(theme, self._title(tile), size, weight, int(where.width()) + 1)
            draw_text(painter, theme, title, where, theme.color(ink), size, weight)
        painter.fillRect(area, theme.color("canvas"))
        if mosaic.numbers:
            self._paint_numbers(painter, place, tile)
        else:
            if tile.masked.any():
                painter.fillRect(area, painting.hatch(theme))
            painter.drawImage(area, self._images[place])
        if mosaic.dotted:
            self._paint_dots(painter, place, area)
        elif mosaic.named:
            self._paint_names(painter, place, area)
        around = 1 if self._strip else 2
        if chosen:
            outline = area.adjusted(-around, -around, around, around)
            painting.draw_outline(painter, theme, outline, SELECTED)
        elif self._strip and place == self._thing:
            painting.draw_outline(painter, theme, area, HOVERED)
        elif self._strip:
            outside = area.adjusted(-1, -1, 0, 0)  # no weight is beneath
            painting.draw_frame(painter, outside, theme.color("line2"))

    def _paint_dots(self, painter: QPainter, place: int, area: QRectF) -> None:
        theme, mosaic, away = self.theme, self.mosaic, self.theme.px(11)
        wide = area.width() / mosaic.grids[place].columns >= theme.px(LEAST_DOTTED)

        def dot(x: float, y: float, colour: TokenColour) -> None:
            painting.draw_dot(painter, theme, QPointF(x, y), colour, painting.COLUMN_DOT)

        for token, colour in enumerate(self._colours):
            cell = mosaic.cell(place, token, token).center()
            if place % mosaic.columns == 0:
                dot(area.left() - away, cell.y(), colour)
            if wide:
                dot(cell.x(), area.bottom() + away, colour)

    def _paint_names(self, painter: QPainter, place: int, area: QRectF) -> None:
        """Name the rows of the first tile in a row and, upwards, the columns of each."""
        theme, mosaic, away = self.theme, self.mosaic, self.theme.px(NAME_GAP)
        room = mosaic.left - away
        wide = area.width() / mosaic.grids[place].columns >= theme.px(LEAST_DOTTED)
        for token, (word, colour) in enumerate(zip(self._words, self._colours, strict=False)):
            cell = mosaic.cell(place, token, token)
            ink = theme.color("ink2") if theme.is_neutral(colour) else QColor(colour.ink)
            name = painting.elided(theme, word, NAMED, 400, int(room) + 1)
            if place % mosaic.columns == 0:
                at = QRectF(0, cell.top(), room, cell.height())
                draw_text(painter, theme, name, at, ink, NAMED, 400, RIGHT)
            if wide:
                painter.save()
                painter.translate(cell.center().x(), area.bottom() + away)
                painter.rotate(-90)
                at = QRectF(-room, -cell.width() / 2, room, cell.width())
                draw_text(painter, theme, name, at, ink, NAMED, 400, RIGHT)
                painter.restore()

    def _paint_numbers(self, painter: QPainter, place: int, tile: Tile) -> None:
        theme, grid, ramp = self.theme, self.mosaic.grids[place], self.theme.weights_map
        room, domain = grid.width / grid.columns - theme.px(4), tile.domain
        size = next((s for s in _SIZES if painting.text_width(theme, "0.00", s) <= room), 11)
        pair = shown_pair(self._pointed[0], grid.rows)
        for query, key in np.ndindex(tile.weights.shape):
            cell, value = grid.cell(query, key), float(tile.weights[query, key])
            masked, text = bool(tile.masked[query, key]), self.text(tile, query, key)
            fill = None if masked else ramp.fill(value, domain)
            ink, weight = ramp.text(value, domain), 600 if (query, key) == pair else 400
            painting.draw_cell(painter, theme, cell, fill, text, ink, size, weight, gap=0.5)
        for query in range(grid.rows):
            if tile.blind(query):
                painting.draw_blind(painter, theme, grid.row(query), _("all masked"), 11, 4, 16)

    def _paint_marks(self, painter: QPainter) -> None:
        """Outline the hovered and the selected pair in every tile."""
        for thing, width in zip(self._pointed[::-1], (HOVERED, SELECTED), strict=True):
            pair = shown_pair(thing, self.mosaic.grids[0].rows)
            if pair is not None:
                for grid in self.mosaic.grids:
                    painting.draw_mark(
                        painter, self.theme, grid.cell(*pair), width, None if grid.numbers else 6
                    )

    # --- mouse and keys --------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.mosaic.at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or found is None:
            return
        place, pair = found
        if self._strip:
            self.buttons[place].setFocus(Qt.FocusReason.MouseFocusReason)
        self._pick(place)
        if pair is not None and not self._strip:
            self.intent.emit(Select(Selection(Role.A, *pair)))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def _clicked(self) -> None:
        place = next(i for i, button in enumerate(self.buttons) if button is self.sender())
        self._check()  # what is chosen is told to it alone
        self._pick(place)

    def _pick(self, place: int) -> None:
        if not self._strip or place != self.chosen:
            self.picked.emit(self.tiles[place].head)

    def thing_at(self, at: QPointF) -> object:
        """Return the tile of a strip, else the pair, at a point."""
        found = self.mosaic.at(at)
        return None if found is None else found[0 if self._strip else 1]

    def hover(self, thing: object) -> None:
        if self._strip:
            self.update()
        else:
            pair = thing if isinstance(thing, tuple) else None
            self.intent.emit(Hover(None if pair is None else Selection(Role.A, *pair)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose a tile, or move the selected pair."""
        event.ignore()
        if not self.tiles or not is_alone(event):
            return
        key, last = Qt.Key(event.key()), len(self.tiles) - 1
        turn = _TURNS.get(key)
        if self._strip and turn is None:
            ends = {Qt.Key.Key_Home: -last, Qt.Key.Key_End: last}
            turn = sum(ARROWS[key]) if key in ARROWS else ends.get(key)
        if turn is not None:
            event.accept()
            place = min(max(self.chosen + turn, 0), last)
            if self._strip:
                self.buttons[place].setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._pick(place)
            return
        pair = None if self._strip else moved_pair(self._pointed[0], len(self._words), event)
        if pair is not None:
            event.accept()
            self.intent.emit(Select(Selection(Role.A, *pair)))
