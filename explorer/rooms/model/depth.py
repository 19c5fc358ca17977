"""One pair's weight in all heads: a dot for each, layer by layer."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from explorer.kit.painted import PaintedWidget, is_alone
from explorer.kit.pieces import colour_of, head_name, name_of
from explorer.kit.table.painting import LEFT, RIGHT, draw_box, draw_text, elided, text_width
from explorer.kit.theme import Theme
from explorer.rooms.model.words import ink_of
from explorer.session.model.frame import ModelFrame
from explorer.session.model.intents import GoToHead
from explorer.text import _, labelled

WIDTH, NARROW = 372, 252  # px at 100 %, as all below
_TITLE, _TOP, _LOW, _NUMBERS = 13, 28, 78, 93  # the middle of lines, and the ends of the axis
# Of the axis, and the middle of the first and last layer, whose dots are beside the axis' numbers.
_LEFT, _FIRST, _LAST = 22, 45, 340
_SPREAD = 29  # of a layer's heads
_DOT, _CHOSEN = 2.6, 6.0
_BUTTON = 20
_REACH = 5  # from a dot to the mouse


class LayerButton(QAbstractButton):
    """The number of a layer; a click goes there."""

    def __init__(self, layer: int, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.layer, self._theme = layer, theme
        self.setText(str(layer + 1))
        self.setAccessibleName(_("layer {layer}").format(layer=layer + 1))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setCheckable(True)

    def nextCheckState(self) -> None:
        """Leave the state alone: it is said by the frame."""

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, chosen = self._theme, self.isChecked()
        with QPainter(self) as painter:
            box = QRectF(self.rect())
            if chosen or self.underMouse():
                inside, edge = box.adjusted(1, 1, -1, -1), theme.color("ink1" if chosen else "ctl")
                width, fill = 2.0 if chosen else 1.0, theme.color("raised")
                draw_box(painter, inside, box.height() / 2, fill, edge, width)
            ink = theme.color("ink1" if chosen else "ink3")
            draw_text(painter, theme, self.text(), box, ink, 13, 600 if chosen else 400)


class DepthStrip(PaintedWidget):
    """The weight of the selected pair in every head; a line goes through each layer's largest.

    A click on a dot goes to its head, one on a number to its layer, as Left and Right do.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("The pair in all heads"), parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._frame = ModelFrame()
        self._wide = WIDTH
        self.buttons: list[LayerButton] = []
        self._size_up()

    def draw(self, frame: ModelFrame) -> None:
        """Show the pair at the cursor."""
        before, self._frame = self._frame, frame
        if before.info != frame.info:
            self._take_buttons()
        for button in self.buttons:
            button.setChecked(button.layer == frame.cursor.layer and frame.run is not None)
        self.setAccessibleDescription(self._said())
        self.update()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        self._size_up()
        self._take_buttons()

    def set_compact(self, compact: bool) -> None:
        """Leave room for the arithmetic, in a narrow window, or not."""
        wide = NARROW if compact else WIDTH
        if wide != self._wide:
            self._wide = wide
            self._size_up()
            self._take_buttons()
            self.update()

    def _size_up(self) -> None:
        self.setFixedSize(self.theme.px(self._wide), self.theme.px(106))

    # --- layout ----------------------------------------------------------------------------------

    @property
    def _layers(self) -> int:
        return 0 if self._frame.info is None else self._frame.info.layers

    @property
    def _step(self) -> float:
        """Between two layers, in px."""
        wide = (_LAST - _FIRST - (WIDTH - self._wide)) * self.theme.percent / 100
        return wide / max(self._layers - 1, 1)

    @property
    def top(self) -> float:
        """The weight at the top of the axis: the largest one, rounded up to tenths."""
        pair = self._frame.pair
        largest = 0.0 if pair is None else float(pair.weights.max())
        return min(max(math.ceil(round(largest * 10, 6)) / 10, 0.1), 1.0)

    def dot(self, layer: int, head: int) -> QPointF:
        """Return where the dot of a head is."""
        pair, scale = self._frame.pair, self.theme.percent / 100
        assert pair is not None
        heads = pair.weights.shape[1]
        spread = min(_SPREAD * scale, 0.7 * self._step if self._layers > 1 else _SPREAD * scale)
        aside = (head - (heads - 1) / 2) / max(heads - 1, 1) * spread
        high = float(pair.weights[layer, head]) / self.top * (_LOW - _TOP) * scale
        return QPointF(_FIRST * scale + layer * self._step + aside, _LOW * scale - high)

    def _take_buttons(self) -> None:
        """Have a number for each layer, or for as many as have room."""
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = []
        scale, side = self.theme.percent / 100, self.theme.px(_BUTTON)
        each = max(math.ceil(side / self._step), 1) if self._layers else 1
        for layer in range(0, self._layers, each):
            button = LayerButton(layer, self.theme, self)
            x = _FIRST * scale + layer * self._step
            button.setGeometry(round(x - side / 2), round(_NUMBERS * scale - side / 2), side, side)
            button.clicked.connect(self._clicked)
            button.show()
            self.buttons.append(button)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self.buttons:
            self._take_buttons()

    # --- texts -----------------------------------------------------------------------------------

    def _said(self) -> str:
        frame, pair = self._frame, self._frame.pair
        if frame.run is None or pair is None:
            return ""
        layer, head = np.unravel_index(int(pair.weights.argmax()), pair.weights.shape)
        return _("{query} → {key}; largest in {head}: {weight}").format(
            query=name_of(frame.run.pieces[pair.query]),
            key=name_of(frame.run.key_pieces[pair.key]),
            head=head_name(int(layer), int(head)),
            weight=f"{pair.weights[layer, head]:.3f}",
        )

    def text_at(self, at: QPointF) -> str:
        """Return which head a dot is of, and the weight."""
        place, pair = self.thing_at(at), self._frame.pair
        if not isinstance(place, tuple) or pair is None:
            return ""
        return labelled(head_name(*place), f"{pair.weights[place]:.3f}")

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, frame = self.theme, self._frame
        with QPainter(self) as painter:
            if frame.run is None:
                return
            self._paint_title(painter)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            scale = theme.percent / 100
            end = (_LAST + 18 - (WIDTH - self._wide)) * scale
            painter.setPen(QPen(theme.color("line2"), 1))
            for y in (_TOP, _LOW):
                level = round(y * scale) + 0.5
                painter.drawLine(QPointF(_LEFT * scale, level), QPointF(end, level))
            if frame.pair is None:
                return
            for y, text in ((_TOP, f"{self.top:.1f}".removeprefix("0")), (_LOW, "0")):
                box = QRectF(0, (y - 8) * scale, (_LEFT - 3) * scale, 16 * scale)
                draw_text(painter, theme, text, box, theme.color("ink3"), 12, 400, RIGHT)
            self._paint_dots(painter)
            self.paint_ring(painter)

    def _paint_title(self, painter: QPainter) -> None:
        theme, frame, pair = self.theme, self._frame, self._frame.pair
        scale = theme.percent / 100
        line = QRectF(0, (_TITLE - 10) * scale, self.width(), 20 * scale)
        if frame.run is None or pair is None:
            text = _("Choose a pair to see it in all heads")
            draw_text(painter, theme, text, line, theme.color("ink3"), 13, 400, LEFT)
            return
        ink3 = theme.color("ink3")
        query, key = (
            elided(theme, name_of(piece), 13, 600, theme.px(100))
            for piece in (frame.run.pieces[pair.query], frame.run.key_pieces[pair.key])
        )
        rest = _("in all {count} heads").format(count=pair.weights.size)
        for text, ink, weight in (
            (query, ink_of(theme, frame, pair.query, "ink1"), 600),
            (" → ", ink3, 400),
            (key, ink_of(theme, frame, pair.key, "ink1"), 600),
            (" " + rest, ink3, 400),
        ):
            draw_text(painter, theme, text, line, ink, 13, weight, LEFT)
            line.setLeft(line.left() + text_width(theme, text, 13, weight))

    def _paint_dots(self, painter: QPainter) -> None:
        theme, frame, pair = self.theme, self._frame, self._frame.pair
        assert pair is not None
        scale = theme.percent / 100
        layers, heads = pair.weights.shape
        largest = [self.dot(layer, int(pair.weights[layer].argmax())) for layer in range(layers)]
        painter.setPen(QPen(theme.color("axis"), 1.25 * scale))
        painter.drawPolyline(largest)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("ink3"))
        for layer in range(layers):
            for head in range(heads):
                painter.drawEllipse(self.dot(layer, head), _DOT * scale, _DOT * scale)
        colour = colour_of(theme, frame, pair.query)
        painter.setPen(QPen(theme.color("ink1"), 2 * scale))
        painter.setBrush(theme.color("raised") if colour is None else QColor(colour.fill))
        chosen = self.dot(frame.cursor.layer, frame.cursor.head)
        painter.drawEllipse(chosen, _CHOSEN * scale, _CHOSEN * scale)

    # --- mouse and keys --------------------------------------------------------------------------

    def thing_at(self, at: QPointF) -> object:
        """Return the head whose dot is nearest to a point; None far from all."""
        pair = self._frame.pair
        if pair is None:
            return None
        away = {
            place: (self.dot(*place) - at).manhattanLength()
            for place in np.ndindex(pair.weights.shape)
        }
        place = min(away, key=lambda each: away[each])
        return place if away[place] <= self.theme.px(_REACH) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.thing_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and isinstance(place, tuple):
            self.intent.emit(GoToHead(int(place[0]), int(place[1])))

    def _clicked(self) -> None:
        button = self.sender()
        if isinstance(button, LayerButton):
            self.go_to(button.layer)

    def go_to(self, layer: int) -> None:
        """Ask for the same head of another layer."""
        cursor = self._frame.cursor
        if self._frame.run is not None and layer != cursor.layer and 0 <= layer < self._layers:
            self.intent.emit(GoToHead(layer, cursor.head))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go a layer on or back."""
        layer = {
            Qt.Key.Key_Left: self._frame.cursor.layer - 1,
            Qt.Key.Key_Right: self._frame.cursor.layer + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: self._layers - 1,
        }.get(Qt.Key(event.key()))
        if layer is None or not is_alone(event):
            event.ignore()
        else:
            self.go_to(layer)
