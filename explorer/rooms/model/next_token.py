"""What a causal model expects after the last token, as bars on one axis."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.kit.painted import PaintedWidget
from explorer.kit.scrolling import ColumnArea
from explorer.kit.table.painting import CENTRE, LEFT, RIGHT, draw_text, elided, text_width
from explorer.kit.theme import Theme, TokenColour
from explorer.models.next_token import NextToken
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.row import short
from explorer.rooms.model.text_layout import marked
from explorer.session.model.frame import ModelChange, ModelFrame
from explorer.text import _, display_number, displayable, full_number

_ROW, _BAR = 45, 14  # px at 100 %, as all below
_SIDE = 28
_SENTENCE, _ENTROPY, _FIRST = 36, 66, 98  # middles of both lines, and where rows begin
_NAMES, _NAME_GAP, _NUMBER, _NUMBER_GAP = 120, 16, 56, 24
_OTHERS, _TICKS = 36, 22
_BOTTOM = 24
_STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)
_OUTSET = 12  # by how much a hovered row's ground is wider than what stands in it


class NextTokens(PaintedWidget):
    """A sentence, the entropy, a row for each of the likeliest tokens and one for all others."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Probabilities of the next token"), parent)
        self.frame = ModelFrame()
        self._least = 0

    def draw(self, frame: ModelFrame) -> None:
        """Show a frame."""
        self.frame = frame
        px, rows = self.theme.px, len(self.rows)
        height = px(_FIRST) + rows * px(_ROW) + px(_OTHERS) + px(_TICKS) + px(_BOTTOM)
        self.set_height(max(height, self._least))
        best = [f"{shown_name(row)} {row.probability:.3f}" for row in self.rows]
        self.setAccessibleDescription(", ".join(best) or self.sentence)
        self.update()

    def fill(self, height: int) -> None:
        """Be at least so high."""
        if height != self._least:
            self._least = height
            self.draw(self.frame)

    @property
    def rows(self) -> tuple[NextToken, ...]:
        """The likeliest tokens."""
        return () if self.frame.next is None else self.frame.next.rows

    @property
    def sentence(self) -> str:
        """What is told above the rows, or instead of them."""
        info = self.frame.info
        if info is not None and not info.predicts:
            return _("{model} does not predict a next token.").format(
                model=displayable(info.title, 40)
            )
        if not self.rows:
            return ""
        return _("{token} is the likeliest next token, at {probability}.").format(
            token=shown_name(self.rows[0]), probability=f"{self.rows[0].probability:.3f}"
        )

    @property
    def entropy(self) -> str:
        """What is told of all probabilities together."""
        if self.frame.next is None:
            return ""
        return _("The entropy of the next token is {entropy} bit.").format(
            entropy=display_number(self.frame.next.entropy, 2)
        )

    @property
    def others(self) -> str:
        """How many tokens the last row is of, where that is known."""
        info = self.frame.info
        if info is None or info.vocabulary <= len(self.rows):
            return ""
        return _("{count} tokens").format(count=f"{info.vocabulary - len(self.rows):,}")

    def colour(self, row: NextToken) -> TokenColour | None:
        """Return the colour of a token that is pinned in the text, by its name."""
        run = self.frame.run
        if run is None:
            return None
        for slot, place in enumerate(self.frame.look.pinned):
            if place < len(run.pieces) and run.pieces[place].text.strip() == row.text.strip():
                return self.theme.slot(slot)
        return None

    # --- geometry --------------------------------------------------------------------------------

    def row_rect(self, place: int) -> QRectF:
        """Return the rectangle of a row; after the last one, that of all others."""
        px = self.theme.px
        high = px(_OTHERS) if place == len(self.rows) else px(_ROW)
        return QRectF(px(_SIDE), px(_FIRST) + place * px(_ROW), self._right - px(_SIDE), high)

    @property
    def _right(self) -> float:
        return float(self.width() - self.theme.px(_SIDE))

    @property
    def axis(self) -> tuple[float, float]:
        """Where 0 and 1 stand."""
        px = self.theme.px
        start = px(_NAMES + _NAME_GAP)
        return start, max(self._right - px(_NUMBER + _NUMBER_GAP), start + px(40))

    def bar_rect(self, place: int) -> QRectF:
        """Return the rectangle of a row's bar."""
        start, end = self.axis
        high = self.theme.px(_BAR)
        middle = round(self.row_rect(place).center().y())
        width = (end - start) * self.rows[place].probability
        return QRectF(start, middle - high // 2, width, high)

    def thing_at(self, at: QPointF) -> object:
        """Return the row at a point."""
        inside = range(len(self.rows))
        return next((n for n in inside if self.row_rect(n).contains(at)), None)

    def hover(self, thing: object) -> None:
        self.update()

    def text_at(self, at: QPointF) -> str:
        """Return a token's number in the vocabulary and every digit of its probability."""
        place = self.thing_at(at)
        if not isinstance(place, int):
            return ""
        row = self.rows[place]
        name = _("{token}, number {number} of the vocabulary").format(
            token=shown_name(row), number=row.id
        )
        return f"{name}\n{full_number(round(row.probability, 9))}"

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, px = QPainter(self), self.theme, self.theme.px
        painter.fillRect(event.rect(), theme.color("canvas"))
        room = int(self._right) - px(_SIDE)
        if not self.rows:
            text = elided(theme, self.sentence, 15, 400, max(room, 1))
            draw_text(painter, theme, text, QRectF(self.rect()), theme.color("ink3"), 15)
            self.paint_ring(painter)
            return
        self._paint_sentence(painter, room)
        where = QRectF(px(_SIDE), px(_ENTROPY) - px(10), room, px(20))
        draw_text(painter, theme, self.entropy, where, theme.color("ink2"), 14, 400, LEFT)
        self._paint_axis(painter)
        for place in range(len(self.rows)):
            self._paint_row(painter, place)
        self._paint_others(painter)
        self.paint_ring(painter)

    def _paint_sentence(self, painter: QPainter, room: int) -> None:
        """Paint the sentence, its token in the colour that it has in the text."""
        theme, px = self.theme, self.theme.px
        where = QRectF(px(_SIDE), px(_SENTENCE) - px(15), room, px(30))
        text, name = self.sentence, shown_name(self.rows[0])
        size = next((s for s in (22, 19, 17) if text_width(theme, text, s, 700) <= room), 15)
        text = elided(theme, text, size, 700, max(room, 1))
        draw_text(painter, theme, text, where, theme.color("ink1"), size, 700, LEFT)
        colour, at = self.colour(self.rows[0]), text.find(name)
        if colour is not None and at >= 0:
            before = text_width(theme, text[: at + len(name)], size, 700)
            start = before - text_width(theme, name, size, 700)
            over = where.adjusted(start, 0, 0, 0)
            wide = text_width(theme, name, size, 700)
            painter.fillRect(
                QRectF(over.left(), over.top(), wide, over.height()), theme.color("canvas")
            )
            draw_text(painter, theme, name, over, QColor(colour.ink), size, 700, LEFT)

    def _paint_axis(self, painter: QPainter) -> None:
        theme, px = self.theme, self.theme.px
        start, end = self.axis
        top, below = self.row_rect(0).top(), self.row_rect(len(self.rows))
        for step in _STEPS:
            x = round(start + step * (end - start))
            painter.setPen(QPen(theme.color("axis" if step == 0 else "line"), 1))
            painter.drawLine(QPointF(x + 0.5, top), QPointF(x + 0.5, below.top()))
            tick = QRectF(x - px(20), below.bottom(), px(40), px(_TICKS))
            text = f"{step:.0f}" if step in (0, 1) else short(step).rstrip("0")
            draw_text(painter, theme, text, tick, theme.color("ink3"), 12, 400, CENTRE)
        painter.setPen(QPen(theme.color("line2"), 1))
        y = round(below.top()) + 0.5
        painter.drawLine(QPointF(px(_SIDE), y), QPointF(self._right, y))

    def _paint_row(self, painter: QPainter, place: int) -> None:
        theme, px, row = self.theme, self.theme.px, self.rows[place]
        rect, colour = self.row_rect(place), self.colour(row)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._thing == place:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("hover"))
            ground = rect.adjusted(-px(_OUTSET), 0, px(_OUTSET), 0)
            painter.drawRoundedRect(ground, px(6), px(6))
        fill = theme.color("ctl") if colour is None else QColor(colour.fill)
        edge = theme.color("ink3") if colour is None else QColor(colour.ink)
        painter.setPen(QPen(edge, 1))
        painter.setBrush(fill)
        inside = self.bar_rect(place).adjusted(0.5, 0.5, -0.5, -0.5)
        inside.setWidth(max(inside.width(), 1.0))
        painter.drawRoundedRect(inside, px(2), px(2))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        weight = 400 if colour is None else 600
        name = elided(theme, shown_name(row), 15.5, weight, px(_NAMES - _SIDE))
        names = QRectF(px(_SIDE), rect.top(), px(_NAMES - _SIDE), rect.height())
        ink = theme.color("ink2") if colour is None else QColor(colour.ink)
        draw_text(painter, theme, name, names, ink, 15.5, weight, RIGHT)
        number = f"{row.probability:.3f}"
        draw_text(painter, theme, number, rect, theme.color("ink1"), 15, 600, RIGHT)

    def _paint_others(self, painter: QPainter) -> None:
        theme, px = self.theme, self.theme.px
        rect = self.row_rect(len(self.rows))
        assert self.frame.next is not None
        ink = theme.color("ink2")
        names = QRectF(px(_SIDE), rect.top(), px(_NAMES - _SIDE), rect.height())
        draw_text(painter, theme, _("all others"), names, ink, 14, 400, RIGHT)
        count = rect.adjusted(self.axis[0] - rect.left() + px(6), 0, 0, 0)
        draw_text(painter, theme, self.others, count, ink, 14, 400, LEFT)
        draw_text(painter, theme, f"{self.frame.next.others:.3f}", rect, ink, 15, 400, RIGHT)


class NextTokenView(ModelView):
    """The likeliest next tokens, which scroll where there is little height."""

    concerns: ClassVar[ModelChange] = ModelChange.MODEL | ModelChange.RUN | ModelChange.LOOK

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setMinimumSize(360, 220)
        self.page = NextTokens(theme)
        self.area = ColumnArea()
        self.area.setWidget(self.page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.area)

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


def shown_name(row: NextToken) -> str:
    """Return what a token is called: of one without letters, signs for its spaces."""
    return displayable(marked(row.text), 24)
