"""One query's row of weights as a list: the keys that it gives most, and all others together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from explorer.kit.markers import draw_marker
from explorer.kit.painted import PaintedWidget
from explorer.kit.table import painting
from explorer.kit.table.painting import (
    LEFT,
    RIGHT,
    SELECTED,
    draw_box,
    draw_text,
    elided,
    text_width,
)
from explorer.kit.theme import Theme, TokenColour
from explorer.session import Space
from explorer.text import _, display_weight, full_number, joined, ngettext

PAD = 16  # px at 100 %, as all below
_TITLE, _ROW, _BELOW = 42, 28, 4
_OUTSET = 8  # by how much a selected row's outline is wider than what stands in it
_NAME, _PLACE_END, _BAR_START, _NUMBER = 38, 156, 172, 54
_BAR = 12


@dataclass(frozen=True)
class Key:
    """A key among those of a row.

    Parameters
    ----------
    place : int
        Counted from 0.
    name : str
        As it is shown.
    weight : float
    colour : TokenColour or None
        None for a token without a colour of its own.
    """

    place: int
    name: str
    weight: float
    colour: TokenColour | None = None

    @property
    def number(self) -> str:
        """The weight with three decimals."""
        return display_weight(self.weight, 3)


@dataclass(frozen=True)
class ListedRow:
    """What one query gives to the keys that are listed.

    Parameters
    ----------
    place : int
        The query's, counted from 0.
    name : str
        As it is shown.
    colour : TokenColour
    keys : tuple of Key
        The largest weight first.
    others : (int, float)
        How many more keys there are, and their weights together.
    domain : float
        What the longest bar stands for.
    chosen, hovered : int or None
        The selected key and the one under the mouse.
    """

    place: int
    name: str
    colour: TokenColour
    keys: tuple[Key, ...]
    others: tuple[int, float]
    domain: float
    chosen: int | None = None
    hovered: int | None = None


def strongest(weights: np.ndarray, count: int) -> tuple[int, ...]:
    """Return the places of a row's largest weights, (S,), none that is 0; of equal ones the first.

    The largest comes first.
    """
    order = np.argsort(-weights, kind="stable")[:count]
    return tuple(int(place) for place in order if weights[place] > 0)


def others_of(weights: np.ndarray, listed: tuple[int, ...]) -> tuple[int, float]:
    """Return how many keys of a row, (S,), are not listed, and their weights together."""
    rest = float(weights.sum() - weights[list(listed)].sum())
    return len(weights) - len(listed), max(rest, 0.0)


def told_key(name: str, place: int, query: str | None = None, weight: float = 0.0) -> str:
    """Return a key's name and place and, where a query asks, every digit of its weight."""
    token = _("{token}, token {place}").format(token=name, place=place + 1)
    if query is None:
        return token
    given = full_number(round(weight, 9))
    return f"{token}\n" + _("{query} gives it {weight}").format(query=query, weight=given)


class RowList(PaintedWidget):
    """Who asks, the strongest keys with their numbers, and what all others get together."""

    picked = Signal(int)  # the place of a key that is pressed
    pointed = Signal(object)  # the place of the key under the mouse, or None
    stepped = Signal(int)  # to the next larger weight (1) or the next smaller one (−1)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Strongest keys of the selected token"), parent)
        self._row: ListedRow | None = None
        self._waiting = ""

    def show_row(self, row: ListedRow | None, most: int, waiting: str = "") -> None:
        """Show a row; without one, what is to be done first.

        most : for how many keys there is room
        """
        px = self.theme.px
        self._row, self._waiting = row, waiting
        self.set_height(px(_TITLE) + (most + 1) * px(_ROW) + px(_BELOW))
        told = [] if row is None else [f"{key.name} {key.number}" for key in row.keys]
        self.setAccessibleDescription(joined(told))
        self.update()

    @property
    def keys(self) -> tuple[int, ...]:
        """The keys that have rows, the largest weight first."""
        return () if self._row is None else tuple(key.place for key in self._row.keys)

    @property
    def others(self) -> str:
        """What is said of all other keys."""
        count = 0 if self._row is None else self._row.others[0]
        return ngettext(
            "the other {count} token", "the other {count} tokens together", count
        ).format(count=count)

    def row_rect(self, at: int) -> QRectF:
        """Return the rectangle of a row; after the last one, that of all others."""
        px = self.theme.px
        top = px(_TITLE) + at * px(_ROW)
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
                draw_text(painter, theme, self._waiting, title, theme.color("ink3"), 14, 400, LEFT)
                self.paint_ring(painter)
                return
            self._paint_title(painter, title, row)
            for at, key in enumerate(row.keys):
                self._paint_key(painter, at, key, row)
            count, rest = row.others
            if count:
                last, ink = self.row_rect(len(row.keys)), theme.color("ink3")
                number = display_weight(rest, 3)
                room = int(last.width() - text_width(theme, number, 14)) - px(8)
                wide = text_width(theme, self.others, 13) <= room - px(_NAME - PAD)
                names = last.adjusted(px(_NAME - PAD) if wide else 0, 0, 0, 0)
                others = elided(theme, self.others, 13, 400, max(room, 1))
                draw_text(painter, theme, others, names, ink, 13, 400, LEFT)
                draw_text(painter, theme, number, last, theme.color("ink2"), 14, 400, RIGHT)
            if row.chosen not in self.keys:
                self.paint_ring(painter)

    def _paint_title(self, painter: QPainter, title: QRectF, row: ListedRow) -> None:
        theme, px, asks = self.theme, self.theme.px, _("asks")
        whole = _("token {place}, strongest {count}").format(
            place=row.place + 1, count=len(row.keys)
        )
        least = text_width(theme, row.name, 17, 600)
        for place in (whole, str(row.place + 1)):  # the name is needed more
            room = title.width() - px(24 + 8 + 12)
            room -= text_width(theme, asks, 14) + text_width(theme, place, 13)
            if least <= room:
                break
        draw_text(painter, theme, place, title, theme.color("ink3"), 13, 400, RIGHT)
        name = elided(theme, row.name, 17, 600, int(max(room, 20)))
        centre = QPointF(title.left() + px(8), title.center().y() + px(1))
        draw_marker(painter, theme, centre, row.colour, Space.Q, 15)
        where = title.adjusted(px(24), 0, 0, 0)
        draw_text(painter, theme, name, where, QColor(row.colour.ink), 17, 600, LEFT)
        after = where.adjusted(text_width(theme, name, 17, 600) + px(8), 0, 0, 0)
        draw_text(painter, theme, asks, after, theme.color("ink2"), 14, 400, LEFT)

    def _paint_key(self, painter: QPainter, at: int, key: Key, row: ListedRow) -> None:
        theme, px = self.theme, self.theme.px
        rect, chosen = self.row_rect(at), key.place == row.chosen
        outline = rect.adjusted(-px(_OUTSET), 1, px(_OUTSET), -1)
        if not chosen and key.place == row.hovered:
            painting.draw_band(painter, theme, outline)
        mark = QPointF(px(PAD + 6), rect.center().y())
        draw_marker(painter, theme, mark, key.colour or theme.neutral_token, Space.K)
        weight = 600 if key.colour is not None else 400
        ink = theme.color("ink2") if key.colour is None else QColor(key.colour.ink)
        names = QRectF(px(_NAME), rect.top(), px(_PLACE_END - _NAME - 34), rect.height())
        name = elided(theme, key.name, 14, weight, int(names.width()))
        draw_text(painter, theme, name, names, ink, 14, weight, LEFT)
        end = QRectF(px(_NAME), rect.top(), px(_PLACE_END - _NAME), rect.height())
        draw_text(painter, theme, str(key.place + 1), end, theme.color("ink3"), 13, 400, RIGHT)
        room = max(rect.right() - px(_NUMBER) - px(_BAR_START), 0.0)
        high, middle = px(_BAR), round(rect.center().y())
        wide = max(room * key.weight / row.domain, 1.0)
        bar = QRectF(px(_BAR_START), middle - high // 2, wide, high)
        draw_box(painter, bar, px(2), theme.weights_map.fill(key.weight, row.domain))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        bold = 600 if chosen else 500
        draw_text(painter, theme, key.number, rect, theme.color("ink1"), 14, bold, RIGHT)
        if chosen:
            painting.draw_outline(painter, theme, outline, SELECTED)

    # --- the mouse and the keys ------------------------------------------------------------------

    def thing_at(self, at: QPointF) -> object:
        """Return the key at a point."""
        rows = enumerate(self.keys)
        return next((key for place, key in rows if self.row_rect(place).contains(at)), None)

    def hover(self, thing: object) -> None:
        self.pointed.emit(thing)

    def text_at(self, at: QPointF) -> str:
        """Return a key's place and every digit of its weight."""
        place, row = self.thing_at(at), self._row
        if row is None:
            return ""
        found = (key for key in row.keys if key.place == place)
        return next((told_key(key.name, key.place, row.name, key.weight) for key in found), "")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        key = self.thing_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and isinstance(key, int):
            self.picked.emit(key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select the next larger or smaller weight."""
        keys = Qt.Key
        steps = {keys.Key_Up: 1, keys.Key_BracketLeft: 1}
        steps |= {keys.Key_Down: -1, keys.Key_BracketRight: -1}
        step = steps.get(Qt.Key(event.key()))
        if step is None or self._row is None:
            event.ignore()
        else:
            self.stepped.emit(step)
