"""A card for each head that is switched, and the chosen head with its last row."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.kit.labels import ElidedLabel
from explorer.kit.layouts import put, set_spacing
from explorer.kit.painted import PaintedWidget
from explorer.kit.pieces import head_name
from explorer.kit.table.painting import (
    LEFT,
    RIGHT,
    draw_box,
    draw_frame,
    draw_outline,
    draw_text,
    elided,
)
from explorer.kit.theme import Theme
from explorer.models.switches import Put
from explorer.rooms.model.followed import SHORT, change_of, followed_row, shown_name, with_sign
from explorer.rooms.model.head_grid import pictures
from explorer.rooms.model.row import row_of, token_name
from explorer.session.model.frame import ModelFrame
from explorer.session.model.intents import GoToHead, SwitchHead
from explorer.text import _, joined

_HEIGHT, _TILE = 58, 40  # px at 100 %, as all below
_MAP, _LINE, _TOP = 150, 28, 30  # the chosen head's picture, its rows and its title
_WORD, _PLACE, _BAR, _BAR_HIGH, _NUMBER = 64, 26, 48, 11, 40


def tile_of(theme: Theme, frame: ModelFrame, layer: int, head: int, side: int) -> QImage | None:
    """Return the picture of a head's weights; None before a run."""
    if frame.run is None:
        return None
    return pictures(theme, frame.run.tiles[layer : layer + 1, head : head + 1], side)


class SwitchCard(QFrame):
    """A head that is switched: its picture, what it does alone, and a button that restores it."""

    intent = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._place, self._chosen = (0, 0), False
        self._image: QImage | None = None
        self.name, self.alone = ElidedLabel("ink1"), ElidedLabel("ink2")
        self.restore = QPushButton(_("Restore"))
        self.restore.clicked.connect(lambda: self.intent.emit(SwitchHead(*self._place, None)))
        self._texts, self._row = QVBoxLayout(), QHBoxLayout(self)
        put(self._texts, None, self.name, self.alone, None)
        put(self._row, (self._texts, 1), self.restore)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.retheme(theme)

    def show_head(self, frame: ModelFrame, layer: int, head: int) -> None:
        """Show a head and what it does."""
        self._place = layer, head
        self._chosen = (frame.cursor.layer, frame.cursor.head) == (layer, head)
        side = round(self._theme.px(_TILE) * self.devicePixelRatioF())
        self._image = tile_of(self._theme, frame, layer, head, side)
        self.name.setText(_("Layer {layer} head {head}").format(layer=layer + 1, head=head + 1))
        put, row = frame.switches.put(layer, head), followed_row(frame)
        change = change_of(frame, frame.switches.alone(layer, head))
        if change is None:
            told = "…"
        elif row is None:
            told = _("alone {change}").format(change=with_sign(change))
        else:
            told = _("alone {change} for {token}").format(
                change=with_sign(change), token=shown_name(row)
            )
        if put is not None and put is not Put.ZEROS:
            told = _("{told}, {put}").format(told=told, put=_(SHORT[put]))
        self.alone.setText(told)
        name = head_name(layer, head)
        self.setAccessibleName(joined((name, told)))
        self.restore.setAccessibleName(_("Restore {head}").format(head=name))
        self.update()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; `show_head` follows."""
        self._theme = theme
        px = theme.px
        self.setFixedHeight(px(_HEIGHT))
        self.name.setFont(theme.font(14, 600))
        self.alone.setFont(theme.font(13))
        self.restore.setFont(theme.font(13, 500))
        set_spacing(self._row, px(_TILE + 22), px(4), px(9), px(4), gap=px(8))
        self._texts.setSpacing(px(2))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the head."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.intent.emit(GoToHead(*self._place))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px = self._theme, self._theme.px
        with QPainter(self) as painter:
            width = 2.25 if self._chosen else 1.0
            edge, half = theme.color("ink1" if self._chosen else "line2"), width / 2
            box = QRectF(self.rect()).adjusted(half, half, -half, -half)
            draw_box(painter, box, px(7), theme.color("raised"), edge, width)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            tile = QRectF(px(10), (self.height() - px(_TILE)) // 2, px(_TILE), px(_TILE))
            if self._image is not None:
                painter.drawImage(tile, self._image)
            draw_frame(painter, tile.adjusted(-0.5, -0.5, 0.5, 0.5), theme.color("line"))


class LastRow(PaintedWidget):
    """The chosen head: its weights as a picture, and of the followed place its strongest keys."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("The chosen head"), parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._frame = ModelFrame()

    def draw(self, frame: ModelFrame) -> None:
        """Show the head at the cursor."""
        self._frame = frame
        self.set_height(self.theme.px(_TOP + _MAP + 4))
        told = [f"{token_name(frame, key)} {weight:.2f}" for key, weight in self.rows]
        self.setAccessibleDescription(joined(told))
        self.update()

    @property
    def query(self) -> int | None:
        """The row that is told: where a word is expected, else the last one."""
        frame = self._frame
        if frame.head is None or frame.run is None or not frame.run.pieces:
            return None
        place = None if frame.follows is None else frame.follows.place
        return len(frame.run.pieces) - 1 if place is None else place

    @property
    def rows(self) -> list[tuple[int, float]]:
        """The strongest keys of the row, and their weights."""
        row = row_of(self._frame, self.query)
        return [] if row is None else [(key, float(row.weights[key])) for key in row.strongest]

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, frame, query = self.theme, self._frame, self.query
        with QPainter(self) as painter:
            if query is None or frame.run is None:
                return
            px, cursor = theme.px, frame.cursor
            line = QRectF(px(8), 0, self.width() - px(16), px(_TOP - 6))
            name = _("Layer {layer} head {head}").format(
                layer=cursor.layer + 1, head=cursor.head + 1
            )
            draw_text(painter, theme, name, line, theme.color("ink1"), 14, 600, LEFT)
            said = _("weights of the last token")
            if query != len(frame.run.pieces) - 1:
                said = _("weights of token {place}").format(place=query + 1)
            draw_text(painter, theme, said, line, theme.color("ink3"), 13, 400, RIGHT)
            side = round(px(_MAP) * self.devicePixelRatioF())
            box = QRectF(px(8), px(_TOP), px(_MAP), px(_MAP))
            image = tile_of(theme, frame, cursor.layer, cursor.head, side)
            if image is not None:
                painter.drawImage(box, image)
            draw_frame(painter, box.adjusted(-0.5, -0.5, 0.5, 0.5), theme.color("line"))
            count = len(frame.run.pieces)
            high = max(box.height() / count, px(4))
            top = min(box.top() + query * box.height() / count, box.bottom() - high)
            band = QRectF(box.left(), top, box.width(), high)
            draw_outline(painter, theme, band.adjusted(-1, -1, 1, 1), 2.25)
            self._paint_rows(painter, box)

    def _paint_rows(self, painter: QPainter, box: QRectF) -> None:
        theme, px, frame = self.theme, self.theme.px, self._frame
        for at, (key, weight) in enumerate(self.rows):
            row = QRectF(box.right() + px(10), box.top() + at * px(_LINE), 0, px(_LINE))
            row.setRight(self.width() - px(8))
            bar = QRectF(0, 0, px(_BAR) * min(weight, 1.0), px(_BAR_HIGH))
            left = row.right() - px(_NUMBER + _BAR)
            bar.moveTopLeft(QPointF(left, round(row.center().y() - px(_BAR_HIGH) / 2)))
            bar.setWidth(max(bar.width(), 2))
            draw_box(painter, bar, px(2), theme.weights_map.fill(max(weight, 0.15), 1))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            number = f"{weight:.2f}"
            draw_text(painter, theme, number, row, theme.color("ink1"), 14, 400, RIGHT)
            place = QRectF(left - px(_PLACE + 6), row.top(), px(_PLACE), row.height())
            draw_text(painter, theme, str(key + 1), place, theme.color("ink3"), 13, 400, LEFT)
            names = QRectF(row.left(), row.top(), place.left() - px(4) - row.left(), row.height())
            name = elided(theme, token_name(frame, key), 14, 400, max(int(names.width()), 1))
            draw_text(painter, theme, name, names, theme.color("ink1"), 14, 400, RIGHT)
