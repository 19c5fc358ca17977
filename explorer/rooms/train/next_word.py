"""The probabilities of the next word as bars, the likeliest first."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.kit.next_words import Bar, bars
from explorer.kit.table import painting
from explorer.kit.table.painting import LEFT, RIGHT, SELECTED, draw_text
from explorer.kit.table.view import KEYBOARD
from explorer.kit.theme import Theme
from explorer.session.train import TrainFrame
from explorer.session.train.intents import HoverWord, SelectWord
from explorer.text import _, full_number, ngettext, plain_tip

_ROW = 30  # px at 100 %, as all below
OUTSET = 8  # by how much a selected row's outline is wider than what stands in it
_NAME, _BAR_GAP = 18, 9  # where names begin, and between them and the bars
_WIDEST_NAME, _NUMBER = 110, 44
_BAR = 14


class NextWord(QWidget):
    """A row for each word: its dot, its name, a bar in its colour, and the probability.

    A click or an arrow key selects a word.
    """

    intent = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Probabilities of the next word"))
        self._theme = theme
        self.bars: tuple[Bar, ...] = ()
        self.others = 0
        self._word: int | None = None
        self._hovered: int | None = None  # the word that is pointed at anywhere
        self._under: int | None = None  # and here
        self._ringed = False

    def draw(self, frame: TrainFrame) -> None:
        """Show the bars at the cursor. Raises Problem where they cannot be read."""
        self.bars = bars(self._theme, frame)
        self.others = len(frame.vocabulary) - len(self.bars) if self.bars else 0
        self._word, self._hovered = frame.word, frame.hover_word
        rows = len(self.bars) + (1 if self.others else 0)
        height = rows * self._theme.px(_ROW)
        if height != self.height():
            self.setFixedHeight(height)
        best = [f"{bar.name} {bar.probability:.2f}" for bar in self.bars[:3]]
        self.setAccessibleDescription(", ".join(best))
        self.update()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        self._theme = theme

    @property
    def more(self) -> str:
        """What is said of the words that are not shown."""
        return ngettext("… and {count} other", "… and {count} others", self.others).format(
            count=f"{self.others:,}"
        )

    def row(self, place: int) -> QRectF:
        """Return the rectangle of a row."""
        height = self._theme.px(_ROW)
        return QRectF(0, place * height, self.width(), height)

    def bar_rect(self, place: int) -> QRectF:
        """Return the rectangle of a bar: all the room there is stands for a probability of 1."""
        px, row = self._theme.px, self.row(place)
        left = px(OUTSET + _NAME) + self._name_width() + px(_BAR_GAP)
        room = max(row.width() - left - px(OUTSET + _NUMBER), 0.0)
        half = px(_BAR) / 2
        width = room * self.bars[place].probability
        return QRectF(left, round(row.center().y() - half), width, 2 * half)

    def _name_width(self) -> float:
        # As wide as the widest name would be if it were the target's: nothing moves with the order.
        widest = max(
            (painting.text_width(self._theme, bar.name, 14, 600) for bar in self.bars), default=0.0
        )
        return math.ceil(min(widest, self._theme.px(_WIDEST_NAME)))

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = self._theme
        for place in range(len(self.bars)):
            self._paint_row(painter, place)
        if self.others:
            where = self.row(len(self.bars)).adjusted(theme.px(OUTSET + _NAME), 0, 0, 0)
            draw_text(painter, theme, self.more, where, theme.color("ink3"), 13, 400, LEFT)
        if self._ringed and self._word not in [bar.word for bar in self.bars]:
            inside = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painting.draw_outline(painter, theme, inside, 2)

    def _paint_row(self, painter: QPainter, place: int) -> None:
        theme, bar, row = self._theme, self.bars[place], self.row(place)
        if bar.word == self._hovered:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("hover"))
            painter.drawRoundedRect(row, theme.px(6), theme.px(6))
        weight = 600 if bar.is_target else 400
        ink = theme.color("ink1" if bar.is_target else "ink2")
        middle = row.center().y()
        painting.draw_dot(painter, theme, QPointF(theme.px(OUTSET + 6), middle), bar.colour)
        name = painting.elided(theme, bar.name, 14, weight, int(self._name_width()) + 1)
        where = row.adjusted(theme.px(OUTSET + _NAME), 0, 0, 0)
        draw_text(painter, theme, name, where, ink, 14, weight, LEFT)
        box = self.bar_rect(place)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        neutral = bar.colour == theme.neutral_token
        painter.setPen(QPen(theme.color("ctl") if neutral else QColor(bar.colour.ink), 1))
        painter.setBrush(QColor(bar.colour.fill))
        inside = box.adjusted(0.5, 0.5, -0.5, -0.5)
        inside.setWidth(max(inside.width(), 1.0))
        painter.drawRoundedRect(inside, theme.px(2), theme.px(2))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        number = f"{bar.probability:.2f}"
        end = row.adjusted(0, 0, -theme.px(OUTSET + 2), 0)
        draw_text(painter, theme, number, end, ink, 15, weight, RIGHT)
        if bar.word == self._word:
            painting.draw_outline(painter, theme, row.adjusted(1.5, 1.5, -1.5, -1.5), SELECTED)

    # --- mouse and keys --------------------------------------------------------------------------

    def _at(self, y: float) -> int | None:
        place = int(y // self._theme.px(_ROW))
        return place if 0 <= place < len(self.bars) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self._at(event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self.intent.emit(SelectWord(self.bars[place].word))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self._at(event.position().y()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None)
        super().leaveEvent(event)

    def _point_at(self, place: int | None) -> None:
        word = None if place is None else self.bars[place].word
        if word != self._under:
            self._under = word
            self.intent.emit(HoverWord(word))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self._at(event.pos().y())
            text = "" if place is None else self.tip(place)
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def tip(self, place: int) -> str:
        """Return a row's tooltip: the whole word and every digit."""
        bar = self.bars[place]
        name = _("{word}, the target").format(word=bar.name) if bar.is_target else bar.name
        return plain_tip(f"{name}\n{full_number(round(bar.probability, 9))}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        words = [bar.word for bar in self.bars]
        here = words.index(self._word) if self._word in words else None
        last = len(words) - 1
        place = {
            Qt.Key.Key_Up: 0 if here is None else max(here - 1, 0),
            Qt.Key.Key_Down: 0 if here is None else min(here + 1, last),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if place is None or not words:
            event.ignore()
        else:
            self.intent.emit(SelectWord(words[place]))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ringed = event.reason() in KEYBOARD
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ringed = False
        super().focusOutEvent(event)
        self.update()
