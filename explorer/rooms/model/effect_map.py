"""What each head alone does: a cell for each, layers by heads, and the largest changes."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from explorer.kit.painted import ARROWS, PaintedWidget, is_alone
from explorer.kit.pieces import head_name
from explorer.kit.table.painting import (
    LEFT,
    RIGHT,
    SELECTED,
    draw_band,
    draw_frame,
    draw_outline,
    draw_ramp,
    draw_text,
    hatch,
    text_width,
)
from explorer.kit.theme import Theme
from explorer.rooms.model.followed import followed_name, rounded_up, with_sign
from explorer.session import Array
from explorer.session.model.frame import ModelFrame
from explorer.session.model.intents import GoToHead
from explorer.session.model.switching import EffectMap
from explorer.text import _, display_number, joined, labelled

Place = tuple[int, int]  # layer and head, from 0

_LEFT, _RIGHT, _TOP = 33, 15, 20  # px at 100 %, as all below; around the cells
_WIDEST, _HIGHEST, _LOWEST, _MAP = 39, 22, 9, 198  # of a cell; and all heads together
_LEGEND, _RAMP, _SHORT_RAMP, _RAMP_HIGH = 28, 82, 32, 8
_TICK = 26  # between the numbers of layers
_ROW, _FALLS, _RISES = 25, 4, 2
_NAME, _NUMBER, _BAR = 92, 52, 11
_FULL = 0.45  # of the ramp: the colour of bars


def effects_of(frame: ModelFrame) -> Array:
    """Return the change that each head alone makes, (L, H), nan where it is not known."""
    info = frame.info
    if frame.effects is not None:
        return frame.effects.changes
    return np.full((0, 0) if info is None else (info.layers, info.heads), np.nan)


def domain_of(shown: EffectMap | None) -> float:
    """Return the change of the strongest colour."""
    if shown is None or not shown.done:
        return 0.1
    return rounded_up(float(np.nanmax(np.abs(shown.changes))))


class EffectCells(PaintedWidget):
    """The change that each head alone makes; a click or an arrow key goes to a head."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("What each head alone does"), parent)
        self._frame = ModelFrame()
        self.changes: Array = np.zeros((0, 0))
        self._hovered: Place | None = None

    def draw(self, frame: ModelFrame) -> None:
        """Show the effects of a frame."""
        self._frame, self.changes = frame, effects_of(frame)
        heads = self.changes.shape[1]
        self.set_height(self.theme.px(_TOP + _LEGEND) + heads * self._cell[1] + 2)
        said = "" if frame.run is None else self._said(frame.cursor.layer, frame.cursor.head)
        self.setAccessibleDescription(said)
        self.update()

    # --- layout ----------------------------------------------------------------------------------

    @property
    def _cell(self) -> tuple[float, int]:
        """The width and the height of a cell."""
        px, (layers, heads) = self.theme.px, self.changes.shape
        room = self.width() - px(_LEFT + _RIGHT)
        wide = min(room / max(layers, 1), px(_WIDEST))
        high = min(max(px(_MAP) // max(heads, 1), px(_LOWEST)), px(_HIGHEST))
        return max(wide, 1.0), high

    def box(self, layer: int, head: int) -> QRectF:
        """Return the rectangle of a head's cell."""
        (wide, high), px = self._cell, self.theme.px
        left, right = (px(_LEFT) + round(each * wide) for each in (layer, layer + 1))
        return QRectF(left, px(_TOP) + head * high, right - left, high)

    # --- texts -----------------------------------------------------------------------------------

    def _said(self, layer: int, head: int) -> str:
        name, change = head_name(layer, head), self.changes[layer, head]
        return name if np.isnan(change) else labelled(name, with_sign(float(change)))

    def text_at(self, at: QPointF) -> str:
        """Return which head is at a point, and what it does."""
        found = self.thing_at(at)
        return self._said(*found) if isinstance(found, tuple) else ""

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, frame = self.theme, self._frame
        with QPainter(self) as painter:
            domain, brush = domain_of(frame.effects), hatch(theme)
            for place in np.ndindex(self.changes.shape):
                change, box = float(self.changes[place]), self.box(*place)
                fill = brush if np.isnan(change) else theme.scores_map.fill(change, domain)
                painter.fillRect(box.adjusted(0, 0, -1, -1), fill)
            if not self.changes.size:
                return
            self._paint_numbers(painter)
            whole = self.box(0, 0).united(self.box(*(count - 1 for count in self.changes.shape)))
            draw_frame(painter, whole.adjusted(-0.5, -0.5, -0.5, -0.5), theme.color("line"))
            for place in frame.switches.off:
                draw_outline(painter, theme, self.box(*place).adjusted(-1, -1, 0, 0), 1.25)
            if frame.run is not None:
                box = self.box(frame.cursor.layer, frame.cursor.head)
                draw_outline(painter, theme, box.adjusted(-1.5, -1.5, 0.5, 0.5), SELECTED)
            self._paint_legend(painter, domain, whole)
            self.paint_ring(painter)

    def _paint_numbers(self, painter: QPainter) -> None:
        """Write numbers of layers above, as many as have room, and of heads at the left."""
        theme, px, (layers, heads) = self.theme, self.theme.px, self.changes.shape
        cursor = self._frame.cursor
        wide, high = self._cell
        every = next(each for each in (1, 2, 5, 10, 20, 50, 100) if each * wide >= px(_TICK) * 0.8)
        for layer in range(layers):
            if layer and (layer + 1) % every:
                continue
            where = QRectF(self.box(layer, 0).center().x() - px(20), 0, px(40), px(_TOP - 2))
            ink = theme.color("ink1" if layer == cursor.layer else "ink3")
            draw_text(painter, theme, str(layer + 1), where, ink, 12)
        every = next(each for each in (1, 2, 5, 10, 20, 50) if each * high >= px(15))
        for head in range(heads):
            if head and (head + 1) % every:
                continue
            where = self.box(0, head)
            where.setLeft(0)
            where.setRight(px(_LEFT - 7))
            ink = theme.color("ink1" if head == cursor.head else "ink3")
            draw_text(painter, theme, str(head + 1), where, ink, 12, 400, RIGHT)

    def _paint_legend(self, painter: QPainter, domain: float, whole: QRectF) -> None:
        theme, px, ink = self.theme, self.theme.px, self.theme.color("ink3")
        digits = 1 if domain >= 0.1 else 3
        line = QRectF(whole.left(), whole.bottom() + px(4), self.width(), px(_LEGEND - 6))
        ends = [("+" * (sign > 0)) + display_number(sign * domain, digits) for sign in (-1, 1)]
        draw_text(painter, theme, ends[0], line, ink, 12, 400, LEFT)
        left = line.left() + text_width(theme, ends[0], 12) + px(6)
        layer, end = _("layer") + " →", self.width() - px(_RIGHT)
        most = text_width(theme, ends[1], 12)
        named = px(16) + text_width(theme, layer, 12)
        room = end - left - px(6) - most
        if room - named < px(_SHORT_RAMP):  # it is the numbers that say what colours mean
            layer, named = "", 0
        ramp = min(px(_RAMP), max(room - named, 0.0))
        top = round(line.center().y() - px(_RAMP_HIGH) / 2)
        draw_ramp(painter, QRectF(left, top, ramp, px(_RAMP_HIGH)), theme.scores_map)
        after = line.adjusted(left + ramp + px(6) - line.left(), 0, 0, 0)
        draw_text(painter, theme, ends[1], after, ink, 12, 400, LEFT)
        line.setRight(min(end, max(whole.right(), after.left() + most + named)))
        draw_text(painter, theme, layer, line, ink, 12, 400, RIGHT)

    # --- mouse and keys --------------------------------------------------------------------------

    def thing_at(self, at: QPointF) -> object:
        """Return the head at a point."""
        places = np.ndindex(self.changes.shape)
        return next((place for place in places if self.box(*place).contains(at)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.thing_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and isinstance(found, tuple):
            self.intent.emit(GoToHead(*found))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next head in a direction."""
        step = ARROWS.get(Qt.Key(event.key()))
        if step is None or not is_alone(event):
            event.ignore()
            return
        cursor, (layers, heads) = self._frame.cursor, self.changes.shape
        head, layer = cursor.head + step[0], cursor.layer + step[1]
        if 0 <= layer < layers and 0 <= head < heads:
            self.intent.emit(GoToHead(layer, head))


class LargestChanges(PaintedWidget):
    """The heads whose switching off changes most: four falls and two rises, each alone."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Largest changes"), parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the cells take the focus
        self._frame = ModelFrame()
        self.rows: list[tuple[Place, float]] = []

    def draw(self, frame: ModelFrame) -> None:
        """Show the effects of a frame."""
        self._frame = frame
        changes = effects_of(frame)
        known = [((i, h), float(changes[i, h])) for i, h in np.argwhere(np.isfinite(changes))]
        known.sort(key=lambda each: (each[1], each[0]))
        falls = [each for each in known[:_FALLS] if each[1] < 0]
        rises = [each for each in known[::-1][:_RISES] if each[1] > 0]
        self.rows = [((int(i), int(h)), change) for (i, h), change in falls + rises]
        self.set_height(self.theme.px(_ROW) * (1 + _FALLS + _RISES))
        told = (f"{head_name(*place)} {with_sign(change)}" for place, change in self.rows)
        self.setAccessibleDescription(joined(told))
        self.update()

    def row_rect(self, place: int) -> QRectF:
        """Return the rectangle of a row."""
        px = self.theme.px
        return QRectF(px(8), px(_ROW) * (1 + place), self.width() - px(16), px(_ROW))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px = self.theme, self.theme.px
        with QPainter(self) as painter:
            title = QRectF(px(16), 0, self.width() - px(31), px(_ROW))
            draw_text(
                painter, theme, _("Largest changes"), title, theme.color("ink1"), 14, 600, LEFT
            )
            draw_text(painter, theme, _("alone"), title, theme.color("ink3"), 13, 400, RIGHT)
            if not self.rows:
                return
            most = max(abs(change) for _place, change in self.rows)
            left, right = px(_NAME), self.width() - px(_NUMBER + 22)
            lowest = max((-change for _place, change in self.rows if change < 0), default=0.0)
            highest = max((change for _place, change in self.rows if change > 0), default=0.0)
            unit = (right - left) / max(lowest + highest, most)
            zero = left + lowest * unit
            for place, (head, change) in enumerate(self.rows):
                row = self.row_rect(place)
                if self._thing == place:
                    draw_band(painter, theme, row)
                inside = row.adjusted(px(8), 0, -px(7), 0)
                name = f"L{head[0] + 1} H{head[1] + 1}"
                draw_text(painter, theme, name, inside, theme.color("ink1"), 14, 400, LEFT)
                number = with_sign(change)
                draw_text(painter, theme, number, inside, theme.color("ink1"), 14, 400, RIGHT)
                start, end = sorted((zero, zero + change * unit))
                bar = QRectF(start, round(row.center().y() - px(_BAR) / 2), end - start, px(_BAR))
                painter.fillRect(bar, theme.scores_map.fill(_FULL if change > 0 else -_FULL, 1))
            painter.fillRect(
                QRectF(round(zero), px(_ROW), 1, px(_ROW) * len(self.rows)), theme.color("axis")
            )

    def thing_at(self, at: QPointF) -> object:
        """Return the place of the row at a point."""
        rows = range(len(self.rows))
        return next((place for place in rows if self.row_rect(place).contains(at)), None)

    def hover(self, thing: object) -> None:
        """Show that it can be pressed."""
        super().hover(thing)
        self.update()

    def text_at(self, at: QPointF) -> str:
        """Return which head a row is of, and its number."""
        place = self.thing_at(at)
        if not isinstance(place, int):
            return ""
        head, change = self.rows[place]
        return f"{head_name(*head)}\n{followed_name(self._frame)} {with_sign(change)}"

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.thing_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and isinstance(place, int):
            self.intent.emit(GoToHead(*self.rows[place][0]))
