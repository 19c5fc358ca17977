"""The probabilities of the next word as bars, the likeliest first."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QWidget

from explorer.kit.painted import PaintedWidget, row_asked
from explorer.kit.run_badge import run_ink
from explorer.kit.run_words import Bar, bars
from explorer.kit.table import painting
from explorer.kit.table.painting import LEFT, RIGHT, SELECTED, draw_box, draw_text
from explorer.kit.theme import Theme
from explorer.session.train import Compared, TrainFrame
from explorer.session.train.intents import HoverWord, SelectWord
from explorer.text import _, full_number, joined, labelled, ngettext

_ROW = 30  # px at 100 %, as all below
OUTSET = 8  # by how much a selected row's outline is wider than what stands in it
_NAME, _BAR_GAP = 18, 9  # where names begin, and between them and the bars
_WIDEST_NAME, _NUMBER = 110, 44
_BAR = 14
_PAIRED = 50  # width of a number where there are two


class NextWord(PaintedWidget):
    """A row for each word: its dot, its name, a bar in its colour, and the probability.

    A click or an arrow key selects a word.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Probabilities of the next word"), parent)
        self.bars: tuple[Bar, ...] = ()
        self.others = 0
        self.second: dict[int, float] | None = None  # B's probability of each word that it knows
        self._word: int | None = None
        self._hovered: int | None = None  # the word that is pointed at anywhere

    def draw(self, frame: TrainFrame) -> None:
        """Show the bars at the cursor. Raises Problem where they cannot be read."""
        self.bars = bars(self.theme, frame)
        self.others = len(frame.vocabulary) - len(self.bars) if self.bars else 0
        self._word, self._hovered = frame.word, frame.hover_word
        self.second = _second(frame)
        rows = len(self.bars) + (1 if self.others else 0)
        self.set_height(rows * self.theme.px(_ROW))
        best = [" ".join((bar.name, *self._numbers(bar))) for bar in self.bars[:3]]
        self.setAccessibleDescription(joined(best))
        self.update()

    @property
    def more(self) -> str:
        """What is said of the words that are not shown."""
        return ngettext("… and {count} other", "… and {count} others", self.others).format(
            count=f"{self.others:,}"
        )

    def row(self, place: int) -> QRectF:
        """Return the rectangle of a row."""
        height = self.theme.px(_ROW)
        return QRectF(0, place * height, self.width(), height)

    def bar_rect(self, place: int) -> QRectF:
        """Return the rectangle of a bar: all the room there is stands for a probability of 1."""
        px, row = self.theme.px, self.row(place)
        left = px(OUTSET + _NAME) + self._name_width() + px(_BAR_GAP)
        numbers = _NUMBER if self.second is None else 2 * _PAIRED
        room = max(row.width() - left - px(OUTSET + numbers), 0.0)
        half = px(_BAR) / 2
        width = room * self.bars[place].probability
        return QRectF(left, round(row.center().y() - half), width, 2 * half)

    def _numbers(self, bar: Bar) -> tuple[str, ...]:
        """Return what stands at the right of a row: the probability, or A's and B's."""
        if self.second is None:
            return (f"{bar.probability:.2f}",)
        other = self.second.get(bar.word)
        return f"{bar.probability:.3f}", "" if other is None else f"{other:.3f}"

    def _name_width(self) -> float:
        # As wide as the widest name would be if it were the target's: nothing moves with the order.
        widest = max(
            (painting.text_width(self.theme, bar.name, 14, 600) for bar in self.bars), default=0.0
        )
        return math.ceil(min(widest, self.theme.px(_WIDEST_NAME)))

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            theme = self.theme
            for place in range(len(self.bars)):
                self._paint_row(painter, place)
            if self.others:
                where = self.row(len(self.bars)).adjusted(theme.px(OUTSET + _NAME), 0, 0, 0)
                draw_text(painter, theme, self.more, where, theme.color("ink3"), 13, 400, LEFT)
            if self._word not in [bar.word for bar in self.bars]:
                self.paint_ring(painter)

    def _paint_row(self, painter: QPainter, place: int) -> None:
        theme, bar, row = self.theme, self.bars[place], self.row(place)
        if bar.word == self._hovered:
            painting.draw_band(painter, theme, row)
        weight = 600 if bar.is_target else 400
        ink = theme.color("ink1" if bar.is_target else "ink2")
        middle = row.center().y()
        painting.draw_dot(painter, theme, QPointF(theme.px(OUTSET + 6), middle), bar.colour)
        name = painting.elided(theme, bar.name, 14, weight, int(self._name_width()) + 1)
        where = row.adjusted(theme.px(OUTSET + _NAME), 0, 0, 0)
        draw_text(painter, theme, name, where, ink, 14, weight, LEFT)
        box = self.bar_rect(place)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        end = row.adjusted(0, 0, -theme.px(OUTSET + 2), 0)
        if self.second is not None:
            self._paint_pair(painter, bar, box, end)
            self._paint_selected(painter, bar, row)
            return
        neutral = bar.colour == theme.neutral_token
        edge = theme.color("ctl") if neutral else QColor(bar.colour.ink)
        inside = box.adjusted(0.5, 0.5, -0.5, -0.5)
        inside.setWidth(max(inside.width(), 1.0))
        draw_box(painter, inside, theme.px(2), QColor(bar.colour.fill), edge)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        number = f"{bar.probability:.2f}"
        draw_text(painter, theme, number, end, ink, 15, weight, RIGHT)
        self._paint_selected(painter, bar, row)

    def _paint_pair(self, painter: QPainter, bar: Bar, box: QRectF, end: QRectF) -> None:
        """Paint A's bar above B's, and both numbers."""
        theme, px = self.theme, self.theme.px
        weight = 600 if bar.is_target else 400
        whole = box.width() / max(bar.probability, 1e-12)
        other = 0.0 if self.second is None else self.second.get(bar.word, 0.0)
        painter.setPen(Qt.PenStyle.NoPen)
        for letter, share, top in (("A", bar.probability, -px(7)), ("B", other, 0)):
            painter.setBrush(run_ink(theme, letter))
            where = QRectF(box.left(), box.center().y() + top, max(whole * share, 1.0), px(7))
            painter.drawRect(where)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        columns = end.adjusted(0, 0, -px(_PAIRED), 0), end
        for letter, number, where in zip("AB", self._numbers(bar), columns, strict=True):
            draw_text(painter, theme, number, where, run_ink(theme, letter), 14, weight, RIGHT)

    def _paint_selected(self, painter: QPainter, bar: Bar, row: QRectF) -> None:
        theme = self.theme
        if bar.word == self._word:
            painting.draw_outline(painter, theme, row.adjusted(1.5, 1.5, -1.5, -1.5), SELECTED)

    # --- mouse and keys --------------------------------------------------------------------------

    def _at(self, y: float) -> int | None:
        place = int(y // self.theme.px(_ROW))
        return place if 0 <= place < len(self.bars) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self._at(event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self.intent.emit(SelectWord(self.bars[place].word))

    def thing_at(self, at: QPointF) -> object:
        """Return the word at a point."""
        place = self._at(at.y())
        return None if place is None else self.bars[place].word

    def hover(self, thing: object) -> None:
        self.intent.emit(HoverWord(thing if isinstance(thing, int) else None))

    def text_at(self, at: QPointF) -> str:
        """Return the whole word and every digit."""
        place = self._at(at.y())
        if place is None:
            return ""
        bar = self.bars[place]
        name = _("{word}, the target").format(word=bar.name) if bar.is_target else bar.name
        said = f"{name}\n{full_number(round(bar.probability, 9))}"
        other = None if self.second is None else self.second.get(bar.word)
        if other is None:
            return said
        return "\n".join((labelled("A", said), labelled("B", full_number(round(other, 9)))))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        words = [bar.word for bar in self.bars]
        here = words.index(self._word) if self._word in words else None
        place = row_asked(event, here, len(words))
        if place is None:
            event.ignore()
        else:
            self.intent.emit(SelectWord(words[place]))


def _second(frame: TrainFrame) -> dict[int, float] | None:
    """Return B's probability of each of A's words that it knows; None where A is shown alone."""
    other = frame.other
    if other is None or other.values is None or frame.look.compared is Compared.ONE:
        return None
    shares = other.values.probabilities
    if shares is None or other.lacks_sample:
        return None
    known = dict(zip(other.vocabulary, shares[other.cursor.sample].tolist(), strict=True))
    return {place: known[word] for place, word in enumerate(frame.vocabulary) if word in known}
