"""The whole head of a long text as an overview, and the window that is shown enlarged."""

from __future__ import annotations

import math
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.kit.focus_ring import is_ringed
from explorer.kit.heat_map import round_step
from explorer.kit.markers import draw_marker
from explorer.kit.painted import ARROWS, PaintedWidget
from explorer.kit.table import painting
from explorer.kit.table.painting import CENTRE, HOVERED, LEFT, RIGHT, SELECTED, draw_text
from explorer.kit.theme import Theme
from explorer.rooms.model.row import token_colours, token_name
from explorer.session import Space
from explorer.session.model.frame import ModelCentre, ModelFrame
from explorer.session.model.intents import ChangeModelLook, HoverPair, MoveWindow, SelectPair
from explorer.session.resolve import weight_domain
from explorer.text import _, decimal_places, display_number, full_number

SMALLEST = 4  # tokens of a window
_LEFT, _TOP, _SIDE, _BELOW = 51, 38, 272, 24  # px at 100 %, as all below: of the picture
_PAD, _BESIDE = 16, 5
_EVERY = 100  # tokens between two ticks
_TICK_ROOM = 30  # at least so much between two of them
_MARK = 10
_RAMP, _RAMP_HIGH = 40, 12
_CORNER = 6  # from a corner that is taken hold of
_ZOOM = 1.25  # a notch of the wheel
INSET = 120


class Window(NamedTuple):
    """A square part of a head: its first query and key, counted from 0, and its size."""

    query: int
    key: int
    size: int


def clamped(query: int, key: int, size: int, shape: tuple[int, ...]) -> Window:
    """Return a window of about this place and size that lies inside of a head of a shape."""
    size = min(max(size, SMALLEST), *shape)
    return Window(min(max(query, 0), shape[0] - size), min(max(key, 0), shape[1] - size), size)


def window_of(frame: ModelFrame) -> Window | None:
    """Return the window that a frame shows; None where there are no numbers."""
    if frame.head is None or frame.run is None:
        return None
    return clamped(*frame.look.window, frame.head.arrays.weights.shape)


class _WindowWidget(PaintedWidget):
    """What the map and the picture of its window share: pairs under the mouse, and the keys."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, name, parent)
        self.frame = ModelFrame()
        self._image: QImage | None = None
        self._made: object = None  # what the picture was made of

    def draw(self, frame: ModelFrame) -> None:
        """Show a frame."""
        self.frame = frame
        self.update()

    @property
    def area(self) -> QRectF:
        """Where the cells are."""
        raise NotImplementedError

    @property
    def part(self) -> tuple[int, int, int, int]:
        """Which cells are shown: first query, first key, queries, keys."""
        raise NotImplementedError

    def image(self) -> QImage | None:
        """Return a picture of the cells; where these are many each pixel is a block's largest."""
        frame = self.frame
        if frame.head is None:
            return None
        most = painting.pixels(self, self.area)
        made = (frame.head, self.part, self.theme, most)
        if made != self._made:
            self._made = made
            query, key, rows, columns = self.part
            whole = frame.head.arrays.weights
            cells = whole[query : query + rows, key : key + columns]
            ramp = self.theme.weights_map
            self._image = ramp.picture(cells, weight_domain(whole), None, most)
        return self._image

    def cell(self, query: int, key: int) -> QRectF:
        """Return a cell's rectangle."""
        area, (first, left, rows, columns) = self.area, self.part
        wide, high = area.width() / columns, area.height() / rows
        return QRectF(
            area.left() + (key - left) * wide, area.top() + (query - first) * high, wide, high
        )

    def pair_at(self, at: QPointF) -> tuple[int, int] | None:
        """Return query and key at a point."""
        area = self.area
        if self.frame.head is None or not area.contains(at):
            return None
        first, left, rows, columns = self.part
        query = first + min(int((at.y() - area.top()) / area.height() * rows), rows - 1)
        return query, left + min(int((at.x() - area.left()) / area.width() * columns), columns - 1)

    def thing_at(self, at: QPointF) -> object:
        """Return query and key at a point."""
        return self.pair_at(at)

    def hover(self, thing: object) -> None:
        self.intent.emit(HoverPair(*thing) if isinstance(thing, tuple) else HoverPair())

    def text_at(self, at: QPointF) -> str:
        """Return a pair and every digit of its weight."""
        pair = self.pair_at(at)
        if pair is None or self.frame.head is None:
            return ""
        query, key = pair
        weight = full_number(round(float(self.frame.head.arrays.weights[pair]), 9))
        names = (
            f"{token_name(self.frame, query, key=False)} {query + 1}",
            f"{token_name(self.frame, key)} {key + 1}",
        )
        return f"{' → '.join(names)}\n{weight}"

    def move_window(self, query: int, key: int, size: int) -> None:
        """Ask for a window, which stays inside; for none where that one is shown."""
        if self.frame.head is not None:
            wanted = clamped(query, key, size, self.frame.head.arrays.weights.shape)
            if wanted != window_of(self.frame):
                self.intent.emit(MoveWindow(*wanted))

    def zoom(self, factor: float) -> None:
        """Ask for a larger or smaller window about the same middle."""
        window = window_of(self.frame)
        if window is not None:
            size = round(window.size * factor)
            size += (size == window.size) * (1 if factor > 1 else -1)
            off = (window.size - size) // 2
            self.move_window(window.query + off, window.key + off, size)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the window by one token, with Shift by ten; make it larger; open it as a matrix."""
        window, key = window_of(self.frame), Qt.Key(event.key())
        step, keys = ARROWS.get(key), Qt.Key
        zoom = {keys.Key_Plus: 1 / _ZOOM, keys.Key_Equal: 1 / _ZOOM, keys.Key_Minus: _ZOOM}.get(key)
        if window is None:
            event.ignore()
        elif step is not None:
            by = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            self.move_window(window.query + by * step[0], window.key + by * step[1], window.size)
        elif zoom is not None:
            self.zoom(zoom)
        elif key in (keys.Key_Return, keys.Key_Enter):
            self.intent.emit(ChangeModelLook({"centre": ModelCentre.MATRIX}))
        else:
            event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Make the window larger or smaller."""
        if window_of(self.frame) is None or not event.angleDelta().y():
            event.ignore()
            return
        self.zoom(_ZOOM ** (-event.angleDelta().y() / 120))
        event.accept()


class HeadMap(_WindowWidget):
    """All weights of a head; the window upon it is dragged, and its corners make it larger."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Whole head"), parent)
        self._room = theme.px(_LEFT + _SIDE) * 2  # px: more than is needed, until it is told
        # What is held: where in the window, in tokens, or the corner that stays.
        self._held: tuple[int, int] | None = None
        self._fixed: tuple[int, int] | None = None

    def draw(self, frame: ModelFrame) -> None:
        """Show the head at the cursor."""
        self._fit()
        window = window_of(frame)
        if window is not None:
            self.setAccessibleDescription(
                _("window: queries {queries}, keys {keys}").format(
                    queries=f"{window.query + 1}–{window.query + window.size}",
                    keys=f"{window.key + 1}–{window.key + window.size}",
                )
            )
        super().draw(frame)

    @property
    def area(self) -> QRectF:
        px = self.theme.px
        beside = px(_BESIDE) + math.ceil(painting.text_width(self.theme, _("asked"), 12))
        side = max(min(px(_SIDE), self._room - px(_LEFT) - beside - px(_BESIDE)), 1)
        return QRectF(px(_LEFT), px(_TOP), side, side)

    @property
    def part(self) -> tuple[int, int, int, int]:
        assert self.frame.head is not None
        return (0, 0, *self.frame.head.arrays.weights.shape)

    def set_room(self, width: int) -> None:
        """Fit into a panel of a width, whether or not a scroll bar stands in it."""
        self._room = width
        self._fit()

    def _fit(self) -> None:
        """Be as high as the picture, which a narrow panel makes smaller."""
        self.set_height(round(self.area.bottom()) + self.theme.px(_BELOW))

    @property
    def window_rect(self) -> QRectF:
        """Where the window is."""
        window = window_of(self.frame)
        if window is None:
            return QRectF()
        last = self.cell(window.query + window.size - 1, window.key + window.size - 1)
        return self.cell(window.query, window.key).united(last)

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px, frame = self.theme, self.theme.px, self.frame
        with QPainter(self) as painter:
            image = self.image()
            if image is None or frame.run is None:
                self.paint_ring(painter)
                return
            area, (_first, _left, rows, columns) = self.area, self.part
            self._paint_title(painter, rows, columns)
            painter.fillRect(area, theme.color("canvas"))
            painter.drawImage(area, image)
            around = area.adjusted(-0.5, -0.5, 0.5, 0.5)
            painting.draw_frame(painter, around, theme.color("line2"))
            self._paint_ticks(painter)
            self._paint_marks(painter)
            painting.draw_outline(painter, theme, self.window_rect, SELECTED, halo=True)
            query, key = frame.hover
            if query is not None and key is not None and query < rows and key < columns:
                painting.draw_mark(painter, theme, self.cell(query, key), HOVERED, px(5))
            self.paint_ring(painter)

    def _paint_title(self, painter: QPainter, rows: int, columns: int) -> None:
        theme, px = self.theme, self.theme.px
        line = QRectF(px(_PAD), px(8), self.width() - 2 * px(_PAD), px(22))
        title, size = _("Whole head"), f"{rows} × {columns}"
        draw_text(painter, theme, title, line, theme.color("ink1"), 14, 600, LEFT)
        after = line.adjusted(painting.text_width(theme, title, 14, 600) + px(8), 0, 0, 0)
        draw_text(painter, theme, size, after, theme.color("ink3"), 13, 400, LEFT)
        assert self.frame.head is not None
        domain = weight_domain(self.frame.head.arrays.weights)
        text = display_number(domain, decimal_places(domain, most=6))
        end = line.adjusted(0, 0, -px(34), 0)
        draw_text(painter, theme, text, end, theme.color("ink2"), 13, 400, RIGHT)
        right = end.right() - painting.text_width(theme, text, 13) - px(7)
        top = round(line.center().y() - px(_RAMP_HIGH) / 2)
        bar = QRectF(right - px(_RAMP), top, px(_RAMP), px(_RAMP_HIGH))
        painting.draw_ramp(painter, bar, theme.weights_map)
        painting.draw_frame(painter, bar, theme.color("line2"))
        zero = line.adjusted(0, 0, -(line.right() - bar.left() + px(7)), 0)
        draw_text(painter, theme, "0", zero, theme.color("ink2"), 13, 400, RIGHT)

    def _paint_ticks(self, painter: QPainter) -> None:
        theme, px, area = self.theme, self.theme.px, self.area
        _first, _left, rows, columns = self.part
        ink = theme.color("ink3")
        painter.setPen(theme.color("ctl"))
        query = self.frame.cursor.query
        asks = -math.inf if query is None else self.cell(query, 0).center().y()
        for n in _ticks(rows, area.height() / px(_TICK_ROOM)):
            y = self.cell(n - 1, 0).center().y()
            painter.setPen(theme.color("ctl"))
            painter.drawLine(QPointF(area.left() - px(5), y), QPointF(area.left() - 1, y))
            if abs(y - asks) >= px(14):  # else the query's mark stands there
                where = QRectF(0, y - px(8), area.left() - px(8), px(16))
                draw_text(painter, theme, str(n), where, ink, 12, 400, RIGHT)
        for n in _ticks(columns, area.width() / px(_TICK_ROOM)):
            x = self.cell(0, n - 1).center().x()
            painter.setPen(theme.color("ctl"))
            painter.drawLine(QPointF(x, area.bottom() + 1), QPointF(x, area.bottom() + px(5)))
            where = QRectF(x - px(20), area.bottom() + px(6), px(40), px(16))
            draw_text(painter, theme, str(n), where, ink, 12, 400, CENTRE)
        below = QRectF(0, area.bottom() + px(6), area.left() - px(8), px(16))
        draw_text(painter, theme, _("asks"), below, theme.color("ink2"), 12, 400, RIGHT)
        beside = QRectF(area.right() + px(_BESIDE), area.bottom() - px(16), px(60), px(16))
        draw_text(painter, theme, _("asked"), beside, theme.color("ink2"), 12, 400, LEFT)

    def _paint_marks(self, painter: QPainter) -> None:
        """Paint the query's triangle at the left, and the key's square on top."""
        theme, px, cursor = self.theme, self.theme.px, self.frame.cursor
        area, colours = self.area, token_colours(theme, self.frame)
        _first, _left, rows, columns = self.part
        if cursor.query is not None and cursor.query < rows:
            y = self.cell(cursor.query, 0).center().y()
            at = QPointF(area.left() - px(9), y)
            draw_marker(painter, theme, at, colours[cursor.query], Space.Q, _MARK)
        if cursor.key is not None and cursor.key < columns:
            x = self.cell(0, cursor.key).center().x()
            at = QPointF(x, area.top() - px(7))
            draw_marker(painter, theme, at, colours[cursor.key], Space.K, _MARK)

    # --- the mouse -------------------------------------------------------------------------------

    def corner_at(self, at: QPointF) -> tuple[int, int] | None:
        """Return the token at the opposite corner (query, key) where a corner is at a point."""
        window, rect = window_of(self.frame), self.window_rect
        if window is None:
            return None
        reach = min(self.theme.px(_CORNER), max(rect.width() / 3, 3))
        query, key, size = window
        corners = (
            (rect.bottomRight(), (query, key)),
            (rect.topLeft(), (query + size, key + size)),
            (rect.topRight(), (query + size, key)),
            (rect.bottomLeft(), (query, key + size)),
        )
        for corner, fixed in corners:
            apart = corner - at
            if max(abs(apart.x()), abs(apart.y())) <= reach:
                return fixed
        return None

    def _token_at(self, at: QPointF) -> tuple[int, int]:
        """Return the query and the key at a point, the nearest ones outside of the picture."""
        area, (_first, _left, rows, columns) = self.area, self.part
        query = int((at.y() - area.top()) / area.height() * rows)
        key = int((at.x() - area.left()) / area.width() * columns)
        return min(max(query, 0), rows), min(max(key, 0), columns)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the window or a corner; elsewhere the window comes there."""
        at, window = event.position(), window_of(self.frame)
        if event.button() != Qt.MouseButton.LeftButton or window is None:
            return
        self._fixed = self.corner_at(at)
        if self._fixed is not None:
            return
        if not (self.window_rect.contains(at) or self.area.contains(at)):
            return
        query, key = self._token_at(at)
        if self.window_rect.contains(at):
            self._held = query - window.query, key - window.key
        else:
            self._held = window.size // 2, window.size // 2
            self.move_window(query - self._held[0], key - self._held[1], window.size)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the window or its corner, else point at a pair."""
        at, window = event.position(), window_of(self.frame)
        if window is None:
            return
        query, key = self._token_at(at)
        if self._fixed is not None:
            size = max(abs(query - self._fixed[0]), abs(key - self._fixed[1]), SMALLEST)
            top = self._fixed[0] if query >= self._fixed[0] else self._fixed[0] - size
            left = self._fixed[1] if key >= self._fixed[1] else self._fixed[1] - size
            self.move_window(top, left, size)
        elif self._held is not None:
            self.move_window(query - self._held[0], key - self._held[1], window.size)
        else:
            self._show_cursor(at)
            super().mouseMoveEvent(event)

    def _show_cursor(self, at: QPointF) -> None:
        shapes = Qt.CursorShape
        fixed, window = self.corner_at(at), window_of(self.frame)
        shape = shapes.ArrowCursor
        if fixed is not None and window is not None:
            falling = (fixed[0] == window.query) == (fixed[1] == window.key)
            shape = shapes.SizeFDiagCursor if falling else shapes.SizeBDiagCursor
        elif self.window_rect.contains(at):
            shape = shapes.OpenHandCursor
        if self.cursor().shape() != shape:
            self.setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        self._held = self._fixed = None


class WindowInset(_WindowWidget):
    """The window's cells, larger; a click selects a pair."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("The window"), parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.retheme(theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        self.setFixedSize(theme.px(INSET) + 6, theme.px(INSET) + 6)

    @property
    def area(self) -> QRectF:
        return QRectF(3, 3, self.theme.px(INSET), self.theme.px(INSET))

    @property
    def part(self) -> tuple[int, int, int, int]:
        window = window_of(self.frame)
        assert window is not None
        return window.query, window.key, window.size, window.size

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, frame = self.theme, self.frame
        with QPainter(self) as painter:
            image = self.image()
            if image is None:
                return
            area = self.area
            painter.fillRect(area, theme.color("canvas"))
            painter.drawImage(area, image)
            cursor = frame.cursor
            query, key, size, _keys = self.part
            if cursor.query is not None and query <= cursor.query < query + size:
                band = self.cell(cursor.query, key).united(self.cell(cursor.query, key + size - 1))
                painting.draw_outline(painter, theme, band.adjusted(0, -0.5, 0, 0.5), HOVERED)
                if cursor.key is not None and key <= cursor.key < key + size:
                    painting.draw_mark(
                        painter, theme, self.cell(cursor.query, cursor.key), SELECTED, 7
                    )
            painting.draw_outline(painter, theme, area, SELECTED)
            if is_ringed(self):
                painting.draw_frame(painter, area.adjusted(-2, -2, 2, 2), theme.color("ink1"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        pair = self.pair_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and pair is not None:
            self.intent.emit(SelectPair(*pair))


def _ticks(count: int, most: float) -> list[int]:
    """Return the places, from 1, with ticks: the first, and every hundredth where that suits."""
    step = _EVERY if _EVERY < count <= _EVERY * most else round_step(count / max(most / 2, 1))
    return [1, *range(step, count + 1, step)] if step > 1 else list(range(1, count + 1))
