"""The heads as small maps of their A, and the average over them: which one is shown."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from explorer.kit.table import painting
from explorer.kit.table.painting import PADDING, SELECTED, draw_text
from explorer.kit.table.view import KEYBOARD
from explorer.kit.theme import Theme
from explorer.kit.tiles import Tile
from explorer.session import Frame
from explorer.session.intents import ShowAverage, ShowHead
from explorer.session.resolve import weight_domain
from explorer.text import _, plain_tip

# px at 100 %, as all below
_LARGEST, _LARGEST_COMPACT = 40, 26  # sides of the maps of a few heads, which have titles
_SMALLEST_TITLED = 22
_SMALL, _SMALLEST = 24, 12  # sides of those of many heads
_GAP, _SMALL_GAP = 7, 4
_TITLE = 18
_AROUND = 3  # room for the chosen one's outline
_BELOW = 4
_TALLEST = 104  # of many rows together
_TOP, _TITLE_SIZE = 12, 12


def head_tiles(frame: Frame) -> tuple[Tile, ...]:
    """Return the map of every head and, last, that of the average; none of one head alone."""
    weights, mask = frame.attention.weights, frame.attention.mask
    if len(weights) < 2:
        return ()
    hidden = np.zeros(weights.shape[1:], np.bool_) if mask is None else ~mask
    maps = [*enumerate(weights), (None, weights.mean(axis=0))]
    return tuple(Tile(head, one, hidden, weight_domain(one)) for head, one in maps)


class HeadTile(QAbstractButton):
    """One small map that can be chosen.

    Its picture is taken anew only where its numbers are others.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew as the mouse comes and goes
        self._theme = Theme()
        self._image = QImage()
        self._side, self._titled, self._ringed = 1, False, False
        self.tile: Tile | None = None

    def show_tile(self, tile: Tile, theme: Theme) -> None:
        """Show a map."""
        only_numbers = theme is self._theme and self.accessibleName() == tile.title
        self.tile, self._theme = tile, theme
        self._image = tile.image(theme)
        if only_numbers:
            self.update(self.area.toAlignedRect())
            return
        self.setAccessibleName(tile.title)
        self.setToolTip(plain_tip(tile.title))
        self.update()

    @property
    def title(self) -> str:
        """What stands below the map."""
        head = None if self.tile is None else self.tile.head
        return _("Average") if head is None else str(head + 1)

    def set_size(self, side: int, titled: bool) -> None:
        """Draw the map so large, in px, with or without a title."""
        self._side, self._titled = side, titled

    @property
    def area(self) -> QRectF:
        """Where the map lies in it."""
        left = (self.width() - self._side) / 2
        return QRectF(left, self._theme.px(_AROUND), self._side, self._side)

    def sizeHint(self) -> QSize:
        around = 2 * self._theme.px(_AROUND)
        return QSize(self._side + around, self._side + around)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint map, title and, where it is the chosen one, its outline."""
        if self.tile is None:
            return
        theme, painter, area = self._theme, QPainter(self), self.area
        around = theme.px(_AROUND)
        painter.fillRect(area, theme.color("canvas"))
        if self.tile.masked.any():
            painter.fillRect(area, painting.hatch(theme))
        painter.drawImage(area, self._image)
        if self._titled:
            ink, weight = ("ink1", 600) if self.isChecked() else ("ink2", 400)
            below = QRectF(0, area.bottom() + around, self.width(), theme.px(_TITLE))
            draw_text(painter, theme, self.title, below, theme.color(ink), _TITLE_SIZE, weight)
        if self.isChecked():
            painting.draw_outline(painter, theme, area.adjusted(-1, -1, 1, 1), SELECTED)
        elif self.underMouse():
            painting.draw_outline(painter, theme, area, painting.HOVERED)
        else:
            painter.setPen(theme.color("line2"))
            painter.drawRect(area.adjusted(0, 0, -1, -1))
        if self._ringed:
            ring = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painting.draw_outline(painter, theme, ring, 2)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ringed = event.reason() in KEYBOARD
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ringed = False
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave the arrow keys to the picker."""
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Select):
            super().keyPressEvent(event)
        else:
            event.ignore()


class HeadPicker(QWidget):
    """A tile for each head and one for the average; a click or an arrow key chooses."""

    intent = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Heads"))
        self._theme = theme
        self._shown: object = None
        self._arranged: object = None
        self._chosen, self._compact = 0, False
        self.buttons: list[HeadTile] = []
        self.hide()

    def draw(self, frame: Frame) -> None:
        """Show the maps of a frame; nothing where there is one head alone."""
        count = frame.attention.heads
        self.setVisible(count > 1)
        if count < 2:
            return
        if (frame.attention, self._theme) != self._shown:
            self._shown = frame.attention, self._theme
            self._show_tiles(head_tiles(frame))
        self._chosen = count if frame.averaged else frame.look.head
        self._check()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        self._theme = theme

    def set_compact(self, compact: bool) -> None:
        """Use smaller tiles, for a low window, or not."""
        self._compact = compact
        self._arrange()

    def _show_tiles(self, tiles: tuple[Tile, ...]) -> None:
        while len(self.buttons) > len(tiles):
            gone = self.buttons.pop()
            gone.hide()
            gone.deleteLater()
        while len(self.buttons) < len(tiles):
            button = HeadTile(self)
            button.clicked.connect(self._clicked)
            button.show()
            self.buttons.append(button)
        for button, tile in zip(self.buttons, tiles, strict=True):
            button.show_tile(tile, self._theme)
        self._arrange()

    def _check(self) -> None:
        """Check the chosen tile, the only one that the tab key comes to."""
        for place, button in enumerate(self.buttons):
            chosen = place == self._chosen
            button.setChecked(chosen)
            policy = Qt.FocusPolicy.StrongFocus if chosen else Qt.FocusPolicy.ClickFocus
            button.setFocusPolicy(policy)

    def _clicked(self) -> None:
        place = next(i for i, button in enumerate(self.buttons) if button is self.sender())
        self._check()  # what is chosen is said by the frame alone
        self._ask(place)

    def _ask(self, place: int) -> None:
        if place == self._chosen:
            return
        tile = self.buttons[place].tile
        head = None if tile is None else tile.head
        self.intent.emit(ShowAverage(True) if head is None else ShowHead(head))

    # --- layout ----------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Put all tiles into one row with titles, or into rows of small ones without."""
        wanted = self.width(), self._theme, len(self.buttons), self._compact
        if wanted == self._arranged or not self.buttons:
            return
        self._arranged = wanted
        px = self._theme.px
        left, top, around = px(PADDING), px(_TOP), px(_AROUND)
        inner = self.width() - 2 * left
        last = round(painting.text_width(self._theme, self.buttons[-1].title, _TITLE_SIZE, 600))
        largest = px(_LARGEST_COMPACT if self._compact else _LARGEST)
        for side in range(largest, px(_SMALLEST_TITLED) - 1, -1):
            step = side + px(_GAP)
            if (len(self.buttons) - 1) * step + max(side, last) <= inner:
                at = QPoint(left - around, top - around)
                for button in self.buttons:
                    wide = max(side, last) if button is self.buttons[-1] else side
                    tall = side + 3 * around + px(_TITLE)
                    button.set_size(side, True)
                    button.setGeometry(at.x(), at.y(), wide + 2 * around, tall)
                    at.setX(at.x() + step)
                self.setFixedHeight(top + side + around + px(_TITLE + _BELOW))
                return
        self._arrange_small(inner)

    def _arrange_small(self, inner: int) -> None:
        px, count = self._theme.px, len(self.buttons)
        gap, around = px(_SMALL_GAP), px(_AROUND)
        for side in range(px(_SMALL), px(_SMALLEST) - 1, -1):
            step = side + gap
            columns = max((inner + gap) // step, 1)
            rows = -(-count // columns)
            if rows * step <= px(_TALLEST):
                break
        for place, button in enumerate(self.buttons):
            row, column = divmod(place, columns)
            button.set_size(side, False)
            x, y = px(PADDING) + column * step - around, px(_TOP) + row * step - around
            button.setGeometry(x, y, side + 2 * around, side + 2 * around)
        self.setFixedHeight(px(_TOP) + rows * step)

    # --- keys ------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose the next tile or the one before, the first or the last."""
        last = len(self.buttons) - 1
        place = {
            Qt.Key.Key_Left: self._chosen - 1,
            Qt.Key.Key_Up: self._chosen - 1,
            Qt.Key.Key_Right: self._chosen + 1,
            Qt.Key.Key_Down: self._chosen + 1,
            Qt.Key.Key_PageUp: self._chosen - 1,
            Qt.Key.Key_PageDown: self._chosen + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if place is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.ignore()
            return
        place = min(max(place, 0), last)
        self.buttons[place].setFocus(Qt.FocusReason.TabFocusReason)
        self._ask(place)
