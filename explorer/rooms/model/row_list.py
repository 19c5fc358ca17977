"""The keys that the selected query gives most, as rows."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from explorer.kit.painted import PaintedWidget
from explorer.kit.table import painting
from explorer.kit.table.painting import LEFT, RIGHT, SELECTED, draw_text, elided, text_width
from explorer.kit.theme import Theme
from explorer.rooms.model.row import Row, selected_row, token_colours, token_name, told_pair
from explorer.rooms.model.words import draw_mark
from explorer.session import Space
from explorer.session.model.frame import ModelFrame
from explorer.session.model.intents import HoverPair, SelectPair, StepPair
from explorer.text import _, display_number, ngettext

PAD = 16  # px at 100 %, as all below
_TITLE, _ROW = 42, 28
_OUTSET = 8  # by how much a selected row's outline is wider than what stands in it
_NAME, _PLACE_END, _BAR_START, _NUMBER = 38, 156, 172, 54
_BAR, _HEIGHT = 12, 214


class RowList(PaintedWidget):
    """Who asks, the strongest keys with their numbers, and what all others get together."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Strongest keys of the selected token"), parent)
        self._frame = ModelFrame()
        self._row: Row | None = None

    def draw(self, frame: ModelFrame) -> None:
        """Show the selected query's row."""
        self._frame, self._row = frame, selected_row(frame)
        self.set_height(self.theme.px(_HEIGHT))
        told = [f"{token_name(frame, key)} {self._weight(key)}" for key in self.keys]
        self.setAccessibleDescription(", ".join(told))
        self.update()

    @property
    def keys(self) -> tuple[int, ...]:
        """The keys that have rows, the largest weight first."""
        return () if self._row is None else self._row.strongest

    @property
    def others(self) -> str:
        """What is said of all other keys."""
        count = 0 if self._row is None else self._row.others[0]
        return ngettext(
            "the other {count} token", "the other {count} tokens together", count
        ).format(count=count)

    def _weight(self, key: int) -> str:
        assert self._row is not None
        return display_number(float(self._row.weights[key]), 3)

    def row_rect(self, place: int) -> QRectF:
        """Return the rectangle of a row; after the last one, that of all others."""
        px = self.theme.px
        top = px(_TITLE) + place * px(_ROW)
        return QRectF(px(PAD), top, self.width() - 2 * px(PAD), px(_ROW))

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, row = self.theme, self._row
        with QPainter(self) as painter:
            px = theme.px
            line = QRectF(px(PAD), self.height() - 1, self.width() - 2 * px(PAD), 1)
            painter.fillRect(line, theme.color("line"))
            title = QRectF(px(PAD), px(4), self.width() - 2 * px(PAD), px(_TITLE - 4))
            if row is None:
                text = _("Click a token: it asks.") if self._frame.run is not None else ""
                draw_text(painter, theme, text, title, theme.color("ink3"), 14, 400, LEFT)
                self.paint_ring(painter)
                return
            self._paint_title(painter, title, row)
            for place, key in enumerate(row.strongest):
                self._paint_row(painter, place, key, row)
            last = self.row_rect(len(row.strongest))
            ink = theme.color("ink3")
            count, rest = row.others
            if count:
                names = last.adjusted(px(_NAME - PAD), 0, 0, 0)
                draw_text(painter, theme, self.others, names, ink, 13, 400, LEFT)
                number = display_number(rest, 3)
                draw_text(painter, theme, number, last, theme.color("ink2"), 14, 400, RIGHT)
            if self._frame.cursor.key not in row.strongest:
                self.paint_ring(painter)

    def _paint_title(self, painter: QPainter, title: QRectF, row: Row) -> None:
        theme, px, frame = self.theme, self.theme.px, self._frame
        colour = token_colours(theme, frame)[row.query]
        place = _("token {place}, strongest {count}").format(
            place=row.query + 1, count=len(row.strongest)
        )
        draw_text(painter, theme, place, title, theme.color("ink3"), 13, 400, RIGHT)
        room = title.width() - text_width(theme, place, 13) - px(90)
        name = elided(theme, token_name(frame, row.query, key=False), 17, 600, int(max(room, 20)))
        centre = QPointF(title.left() + px(8), title.center().y() + px(1))
        draw_mark(painter, theme, centre, colour, Space.Q, 15)
        where = title.adjusted(px(24), 0, 0, 0)
        draw_text(painter, theme, name, where, QColor(colour.ink), 17, 600, LEFT)
        after = where.adjusted(text_width(theme, name, 17, 600) + px(8), 0, 0, 0)
        draw_text(painter, theme, _("asks"), after, theme.color("ink2"), 14, 400, LEFT)

    def _paint_row(self, painter: QPainter, place: int, key: int, row: Row) -> None:
        theme, px, frame = self.theme, self.theme.px, self._frame
        rect, chosen = self.row_rect(place), key == frame.cursor.key
        outline = rect.adjusted(-px(_OUTSET), 1, px(_OUTSET), -1)
        if not chosen and key == frame.hover[1]:
            painting.draw_band(painter, theme, outline)
        colour = token_colours(theme, frame).get(key)
        mark = QPointF(px(PAD + 6), rect.center().y())
        draw_mark(painter, theme, mark, colour or theme.neutral_token, Space.K)
        weight = 600 if colour is not None else 400
        ink = theme.color("ink2") if colour is None else QColor(colour.ink)
        names = QRectF(px(_NAME), rect.top(), px(_PLACE_END - _NAME - 34), rect.height())
        name = elided(theme, token_name(frame, key), 14, weight, int(names.width()))
        draw_text(painter, theme, name, names, ink, 14, weight, LEFT)
        end = QRectF(px(_NAME), rect.top(), px(_PLACE_END - _NAME), rect.height())
        draw_text(painter, theme, str(key + 1), end, theme.color("ink3"), 13, 400, RIGHT)
        room = max(rect.right() - px(_NUMBER) - px(_BAR_START), 0.0)
        value = float(row.weights[key])
        high, middle = px(_BAR), round(rect.center().y())
        wide = max(room * value / row.domain, 1.0)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.weights_map.fill(value, row.domain))
        painter.drawRoundedRect(
            QRectF(px(_BAR_START), middle - high // 2, wide, high), px(2), px(2)
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        bold = 600 if chosen else 500
        draw_text(painter, theme, self._weight(key), rect, theme.color("ink1"), 14, bold, RIGHT)
        if chosen:
            painting.draw_outline(painter, theme, outline, SELECTED)

    # --- the mouse and the keys ------------------------------------------------------------------

    def thing_at(self, at: QPointF) -> object:
        """Return the key at a point."""
        rows = enumerate(self.keys)
        return next((key for place, key in rows if self.row_rect(place).contains(at)), None)

    def hover(self, thing: object) -> None:
        query = self._frame.cursor.query
        self.intent.emit(HoverPair(query, thing) if isinstance(thing, int) else HoverPair())

    def text_at(self, at: QPointF) -> str:
        """Return a key's place and every digit of its weight."""
        key = self.thing_at(at)
        return told_pair(self._frame, self._row, key) if isinstance(key, int) else ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        key = self.thing_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and isinstance(key, int):
            self.intent.emit(SelectPair(self._frame.cursor.query, key))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select the next larger or smaller weight."""
        keys = Qt.Key
        steps = {keys.Key_Up: 1, keys.Key_BracketLeft: 1}
        steps |= {keys.Key_Down: -1, keys.Key_BracketRight: -1}
        step = steps.get(Qt.Key(event.key()))
        if step is None or self._row is None:
            event.ignore()
        else:
            self.intent.emit(StepPair(step))
