"""What a causal model expects after the last token, as bars on one axis."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.kit.layouts import fill
from explorer.kit.painted import PaintedWidget
from explorer.kit.scrolling import ColumnArea
from explorer.kit.table.painting import (
    CENTRE,
    LEFT,
    RIGHT,
    draw_band,
    draw_box,
    draw_text,
    elided,
    text_width,
)
from explorer.kit.theme import Theme, TokenColour
from explorer.models.next_token import NextToken
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.followed import colour_by_name, followed_row, shown_name
from explorer.rooms.model.row import short
from explorer.rooms.model.told import Told
from explorer.session.model.frame import ModelChange, ModelFrame
from explorer.session.model.intents import FollowToken
from explorer.text import _, display_number, full_number, joined

_ROW, _BAR = 45, 14  # px at 100 %, as all below
_SIDE = 28
_SENTENCE, _ENTROPY, _FIRST = 36, 66, 98  # middles of both lines, and where rows begin
_NAMES, _NAME_GAP, _NUMBER, _NUMBER_GAP = 120, 16, 56, 24
_SHORTEST_BAR, _LEAST_TYPE = 60, 100  # px of the whole axis; percent
_OTHERS, _TICKS = 36, 22
_BEFORE, _GAP, _LEGEND = 10, 2, 28  # of two states: the upper bar, between both, the line above
_CHANGE_FROM = 560  # px at 100 % of width from which the changes are told too
_BOTTOM = 24
_STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)
_TICK_ROOM = 150  # px at 100 % of axis from which all its ticks have numbers
_OUTSET = 12  # by how much a hovered row's ground is wider than what stands in it


class NextTokens(PaintedWidget):
    """A sentence, the entropy, a row for each of the likeliest tokens and one for all others."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Probabilities of the next token"), parent)
        self.frame = ModelFrame()
        self.told = Told(self.frame)
        self._least = 0
        self._asked = theme  # the type that it has where there is room

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        self._asked = theme

    def draw(self, frame: ModelFrame) -> None:
        """Show a frame, in smaller type where the columns have no room."""
        self.frame = frame
        self.told = Told(frame)
        needed = 2 * _SIDE + _NAMES + _NAME_GAP + _SHORTEST_BAR + _NUMBER + _NUMBER_GAP
        needed += (_NUMBER + _NUMBER_GAP // 2) * self.told.compares
        fits = 100.0 * self.width() / needed
        self.theme = self._asked.smaller(max(fits, _LEAST_TYPE))
        px, rows = self.theme.px, len(self.told.rows)
        height = self._first + rows * px(_ROW) + px(_OTHERS) + px(_TICKS) + px(_BOTTOM)
        self.set_height(max(height, self._least))
        best = [" ".join([shown_name(row), *self.numbers(row)[:2]]) for row in self.told.rows]
        self.setAccessibleDescription(joined(best) or self.told.sentence)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.draw(self.frame)

    def fill(self, height: int) -> None:
        """Be at least so high."""
        if height != self._least:
            self._least = height
            self.draw(self.frame)

    def numbers(self, row: NextToken) -> list[str]:
        """Return what the columns say of a row: its probability; before, after and the change."""
        return self._columns(row.before, row.probability)

    def _columns(self, before: float | None, after: float) -> list[str]:
        """Return the numbers of a row; the change is that of the numbers as they are shown."""
        if not self.told.compares or before is None:
            return [f"{after:.3f}"]
        change = round(after, 3) - round(before, 3)
        sign = "+" if round(change, 3) > 0 else ""
        return [f"{before:.3f}", f"{after:.3f}", sign + display_number(change, 3)][: self._wide]

    @property
    def _wide(self) -> int:
        """How many columns of numbers there are."""
        if not self.told.compares:
            return 1
        return 3 if self.width() >= self.theme.px(_CHANGE_FROM) else 2

    def colour(self, row: NextToken) -> TokenColour | None:
        """Return the colour of a token that is pinned in the text, by its name."""
        return colour_by_name(self.theme, self.frame, row)

    # --- geometry --------------------------------------------------------------------------------

    def row_rect(self, place: int) -> QRectF:
        """Return the rectangle of a row; after the last one, that of all others."""
        px = self.theme.px
        high = px(_OTHERS) if place == len(self.told.rows) else px(_ROW)
        return QRectF(px(_SIDE), self._first + place * px(_ROW), self._right - px(_SIDE), high)

    @property
    def _first(self) -> int:
        """Where rows begin: under the legend where two states are shown."""
        return int(self.theme.px(_FIRST + _LEGEND * self.told.compares))

    @property
    def _right(self) -> float:
        return float(self.width() - self.theme.px(_SIDE))

    @property
    def axis(self) -> tuple[float, float]:
        """Where 0 and 1 stand."""
        px = self.theme.px
        start = px(_NAMES + _NAME_GAP)
        numbers = self._wide * _NUMBER + (self._wide - 1) * _NUMBER_GAP // 2 + _NUMBER_GAP
        return start, max(self._right - px(numbers), start + px(_SHORTEST_BAR))

    def bar_rect(self, place: int) -> QRectF:
        """Return the rectangle of a row's bar; of two states that of the lower one, after."""
        start, end = self.axis
        high, over = self.theme.px(_BAR), self.theme.px(_BEFORE + _GAP) if self.told.compares else 0
        middle = round(self.row_rect(place).center().y())
        width = (end - start) * self.told.rows[place].probability
        return QRectF(start, middle - (high + over) // 2 + over, width, high)

    def before_rect(self, place: int) -> QRectF:
        """Return the rectangle of a row's upper bar, where two states are shown."""
        start, end = self.axis
        px, width = self.theme.px, (end - start) * (self.told.rows[place].before or 0.0)
        return QRectF(start, self.bar_rect(place).top() - px(_BEFORE + _GAP), width, px(_BEFORE))

    def column(self, row: QRectF, place: int) -> QRectF:
        """Return where a column's number stands in a row, from 0 at the left."""
        px, back = self.theme.px, self._wide - 1 - place
        right = self._right - back * px(_NUMBER + _NUMBER_GAP // 2)
        return QRectF(right - px(_NUMBER), row.top(), px(_NUMBER), row.height())

    def thing_at(self, at: QPointF) -> object:
        """Return the row at a point."""
        inside = range(len(self.told.rows))
        return next((n for n in inside if self.row_rect(n).contains(at)), None)

    def hover(self, thing: object) -> None:
        super().hover(thing)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Follow the token of a row."""
        place = self.thing_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and isinstance(place, int):
            self.intent.emit(FollowToken(self.told.rows[place].id))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Follow the token above or below."""
        by = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if by is None or not self.told.rows or event.modifiers():
            event.ignore()
            return
        place = self.told.rows.index(self.told.subject) + by
        if 0 <= place < len(self.told.rows):
            self.intent.emit(FollowToken(self.told.rows[place].id))

    def text_at(self, at: QPointF) -> str:
        """Return a token's number in the vocabulary and every digit of its probability."""
        place = self.thing_at(at)
        if not isinstance(place, int):
            return ""
        row = self.told.rows[place]
        name = _("{token}, number {number} of the vocabulary").format(
            token=shown_name(row), number=row.id
        )
        now = full_number(round(row.probability, 9))
        if not self.told.compares or row.before is None:
            return f"{name}\n{now}"
        then = full_number(round(row.before, 9))
        return f"{name}\n{_('all heads')} {then}\n{_('now')} {now}"

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px = self.theme, self.theme.px
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), theme.color("canvas"))
            room = int(self._right) - px(_SIDE)
            self._paint_sentence(painter, room)
            where = QRectF(px(_SIDE), px(_ENTROPY) - px(10), room, px(20))
            said = self.told.entropy
            if text_width(theme, said, 14, 400) > room:
                said = self.told.short_entropy
            if not self.told.rows or text_width(theme, said, 14, 400) <= room:  # no number is cut
                said = elided(theme, said, 14, 400, max(room, 1))
                draw_text(painter, theme, said, where, theme.color("ink2"), 14, 400, LEFT)
            if not self.told.rows:
                self.paint_ring(painter)
                return
            self._paint_axis(painter)
            if self.told.compares:
                self._paint_legend(painter)
            for place in range(len(self.told.rows)):
                self._paint_row(painter, place)
            self._paint_others(painter)
            self.paint_ring(painter)

    def _paint_sentence(self, painter: QPainter, room: int) -> None:
        """Paint the sentence, its token in the colour that it has in the text."""
        theme, px = self.theme, self.theme.px
        where = QRectF(px(_SIDE), px(_SENTENCE) - px(15), room, px(30))
        text = self.told.sentence
        size = next((s for s in (22, 19, 17, 15) if text_width(theme, text, s, 700) <= room), 0)
        if not size:
            self._paint_in_lines(painter, text, room)
            return
        draw_text(painter, theme, text, where, theme.color("ink1"), size, 700, LEFT)
        if not self.told.rows:
            return
        name = shown_name(self.told.subject)
        colour, at = self.colour(self.told.subject), text.find(name)
        if colour is not None and at >= 0:
            before = text_width(theme, text[: at + len(name)], size, 700)
            start = before - text_width(theme, name, size, 700)
            over = where.adjusted(start, 0, 0, 0)
            wide = text_width(theme, name, size, 700)
            painter.fillRect(
                QRectF(over.left(), over.top(), wide, over.height()), theme.color("canvas")
            )
            draw_text(painter, theme, name, over, QColor(colour.ink), size, 700, LEFT)

    def _paint_in_lines(self, painter: QPainter, text: str, room: int) -> None:
        """Paint the sentence in more than one line, down to where something else stands."""
        theme, px = self.theme, self.theme.px
        low = px(_ENTROPY - 12) if self.told.rows else self.height()
        painter.setFont(theme.font(15, 700))
        painter.setPen(theme.color("ink1"))
        wrap = int(Qt.TextFlag.TextWordWrap)
        painter.drawText(QRectF(px(_SIDE), px(8), max(room, 1), low - px(8)), wrap, text)

    def _paint_axis(self, painter: QPainter) -> None:
        theme, px = self.theme, self.theme.px
        start, end = self.axis
        top, below = self.row_rect(0).top(), self.row_rect(len(self.told.rows))
        for step in _STEPS:
            x = round(start + step * (end - start))
            painter.setPen(QPen(theme.color("axis" if step == 0 else "line"), 1))
            painter.drawLine(QPointF(x + 0.5, top), QPointF(x + 0.5, below.top()))
            if step not in (0, 1) and end - start < px(_TICK_ROOM):
                continue
            tick = QRectF(x - px(20), below.bottom(), px(40), px(_TICKS))
            text = f"{step:.0f}" if step in (0, 1) else short(step).rstrip("0")
            draw_text(painter, theme, text, tick, theme.color("ink3"), 12, 400, CENTRE)
        painter.setPen(QPen(theme.color("line2"), 1))
        y = round(below.top()) + 0.5
        painter.drawLine(QPointF(px(_SIDE), y), QPointF(self._right, y))

    def _paint_legend(self, painter: QPainter) -> None:
        """Say which bar and which column is of which state."""
        theme, px, run = self.theme, self.theme.px, self.frame.run
        line = QRectF(0, self._first - px(_LEGEND), self.width(), px(20))
        off = _("{count} off").format(count=0 if run is None else len(run.off))
        states = _("all heads"), off
        left = self.axis[0]
        needed = sum(text_width(theme, name, 13, 400) + px(50) for name in states)
        fits = left + needed <= self.column(line, 0).right() - px(_NUMBER)
        for name, filled in zip(states, (False, True), strict=True):
            if not fits:  # the columns are named alike, and the bars are as long as their numbers
                break
            painter.setPen(QPen(theme.color("ink3"), 1))
            painter.setBrush(theme.color("ctl") if filled else Qt.BrushStyle.NoBrush)
            middle = round(line.center().y())
            painter.drawRect(QRectF(left + 0.5, middle - px(4) + 0.5, px(22), px(8)))
            left += px(30)
            wide = text_width(theme, name, 13, 400)
            where = QRectF(left, line.top(), wide + px(4), line.height())
            draw_text(painter, theme, name, where, theme.color("ink2"), 13, 400, LEFT)
            left += wide + px(20)
        widths = (text_width(theme, name, 13, 600) for name in states)
        if max(widths) > px(_NUMBER + _NUMBER_GAP // 2 - 4):
            states = _("before"), _("now")  # the bars beside them are named in full
        for place, name in enumerate((*states, _("change"))[: self._wide]):
            bold = place == 1
            where = self.column(line, place).adjusted(-px(_NUMBER_GAP // 2), 0, 0, 0)
            name = elided(theme, name, 13, 600 if bold else 400, int(where.width()) - px(4))
            ink = theme.color("ink1" if bold else "ink2")
            draw_text(painter, theme, name, where, ink, 13, 600 if bold else 400, RIGHT)

    def _paint_numbers(
        self, painter: QPainter, rect: QRectF, numbers: list[str], bold: bool
    ) -> None:
        """Write a row's numbers; what is so now is the boldest."""
        theme, now = self.theme, 1 if len(numbers) > 1 else 0
        for place, number in enumerate(numbers):
            weight = 600 if bold and place == now else 400
            ink = theme.color("ink1" if weight == 600 else "ink2")
            draw_text(painter, theme, number, self.column(rect, place), ink, 15, weight, RIGHT)

    def _paint_row(self, painter: QPainter, place: int) -> None:
        theme, px, row = self.theme, self.theme.px, self.told.rows[place]
        rect, colour = self.row_rect(place), self.colour(row)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._thing == place or row is followed_row(self.frame):
            draw_band(painter, theme, rect.adjusted(-px(_OUTSET), 0, px(_OUTSET), 0))
        fill = theme.color("ctl") if colour is None else QColor(colour.fill)
        edge = theme.color("ink3") if colour is None else QColor(colour.ink)
        inside = self.bar_rect(place).adjusted(0.5, 0.5, -0.5, -0.5)
        inside.setWidth(max(inside.width(), 1.0))
        draw_box(painter, inside, px(2), fill, edge)
        if self.told.compares:
            hollow = self.before_rect(place).adjusted(0.5, 0.5, -0.5, -0.5)
            hollow.setWidth(max(hollow.width(), 1.0))
            draw_box(painter, hollow, px(2), theme.color("canvas"), edge)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        weight = 400 if colour is None else 600
        name = elided(theme, shown_name(row), 15.5, weight, px(_NAMES - _SIDE))
        names = QRectF(px(_SIDE), rect.top(), px(_NAMES - _SIDE), rect.height())
        ink = theme.color("ink2") if colour is None else QColor(colour.ink)
        draw_text(painter, theme, name, names, ink, 15.5, weight, RIGHT)
        self._paint_numbers(painter, rect, self.numbers(row), True)

    def _paint_others(self, painter: QPainter) -> None:
        theme, px = self.theme, self.theme.px
        rect = self.row_rect(len(self.told.rows))
        assert self.frame.next is not None
        ink = theme.color("ink2")
        names = QRectF(px(_SIDE), rect.top(), px(_NAMES - _SIDE), rect.height())
        draw_text(painter, theme, _("all others"), names, ink, 14, 400, RIGHT)
        count = rect.adjusted(self.axis[0] - rect.left() + px(6), 0, 0, 0)
        draw_text(painter, theme, self.told.others, count, ink, 14, 400, LEFT)
        numbers = self._columns(self.frame.next.others_before, self.frame.next.others)
        self._paint_numbers(painter, rect, numbers, False)


class NextTokenView(ModelView):
    """The likeliest next tokens, which scroll where there is little height."""

    concerns: ClassVar[ModelChange] = ModelChange.MODEL | ModelChange.RUN | ModelChange.LOOK

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setMinimumSize(360, 220)
        self.page = NextTokens(theme)
        self.page.intent.connect(self.intent)
        self.area = ColumnArea()
        self.area.setWidget(self.page)
        fill(QVBoxLayout(self), self.area)

    def viewport(self) -> QWidget:
        """Return the rows, which take the mouse and the keys."""
        return self.page

    def draw(self, frame: ModelFrame) -> None:
        """Show what comes next."""
        self.page.fill(self.height())
        self.page.draw(frame)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        self.page.retheme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.page.fill(self.height())
