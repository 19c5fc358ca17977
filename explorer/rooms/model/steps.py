"""The strip below next tokens: what is followed after each step, and the change in all."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.kit.painted import PaintedWidget, is_alone
from explorer.kit.table.painting import LEFT, RIGHT, draw_text, elided, text_width
from explorer.kit.theme import Theme
from explorer.rooms.model.followed import (
    change_of,
    colour_by_name,
    followed_name,
    followed_row,
    step_name,
    three_decimals,
    with_sign,
)
from explorer.rooms.model.head_parts import draw_value_chip
from explorer.session.model.frame import ModelFrame
from explorer.session.model.intents import GoToStep
from explorer.session.model.switching import ALL_ON
from explorer.text import _, joined
from explorer.text.numbers import MINUS

HEIGHT = 106  # px at 100 %, as all below
_TITLE, _TOP, _LOW, _NAMES = 13, 31, 76, 95  # the middle of lines, and the ends of the axis
_LEFT, _FIRST, _RIGHT = 20, 84, 60
_ROOM = 112  # of a step at least
_DOT = 6
_CHANGE = 330


class StepsStrip(PaintedWidget):
    """The followed word's probability after each step; a click, or an arrow key, goes to one."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("What is followed, after each step"), parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._frame = ModelFrame()

    def draw(self, frame: ModelFrame) -> None:
        """Show the steps of a frame."""
        self._frame = frame
        self.set_height(self.theme.px(HEIGHT))
        told = (f"{self.name(step)} {self.number(step)}" for step in self.shown)
        self.setAccessibleDescription(joined(told))
        self.update()

    # --- layout ----------------------------------------------------------------------------------

    @property
    def shown(self) -> list[int]:
        """The steps that have room: where one is, the first, and those around."""
        frame, room = self._frame, self.width() - self.theme.px(_FIRST + _RIGHT)
        most = 1 + max(room, 0) // self.theme.px(_ROOM)
        count = len(frame.steps)
        if most == 1:
            return [frame.step]
        if count <= most:
            return list(range(count))
        start = min(max(frame.step - (most - 2), 1), count - (most - 1))
        return [0, *range(start, start + most - 1)]

    @property
    def least(self) -> float:
        """The value at the axis's lower end: 0, or of cosines a number under all of them."""
        values = [value for value in map(self.value, self.shown) if value is not None]
        row = self._frame.follows
        if row is None or row.place is not None or not values:
            return 0.0
        return min(math.floor(min(values) * 10) / 10, 0.9)

    def value(self, step: int) -> float | None:
        """Return what is followed after a step; None where it is not known yet."""
        return self._frame.outcomes.get(self._frame.steps[step])

    def number(self, step: int) -> str:
        """Return that as text."""
        value = self.value(step)
        return "…" if value is None else three_decimals(value)

    def name(self, step: int) -> str:
        """Return what a step did."""
        steps = self._frame.steps
        return step_name(steps[max(step - 1, 0)], steps[step])

    def dot(self, at: int) -> QPointF:
        """Return where the dot of the shown step number `at` is."""
        px, count = self.theme.px, len(self.shown)
        wide = self.width() - px(_FIRST + _RIGHT)
        x = px(_FIRST) + (wide * at / (count - 1) if count > 1 else 0)
        value = self.value(self.shown[at])
        share = 0.0 if value is None else (value - self.least) / (1 - self.least)
        return QPointF(x, px(_LOW) - min(max(share, 0), 1) * (px(_LOW) - px(_TOP)))

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, frame, px = self.theme, self._frame, self.theme.px
        with QPainter(self) as painter:
            if frame.follows is None:
                return
            row = followed_row(frame)
            found = None if row is None else colour_by_name(theme, frame, row)
            colour = theme.color("ink2") if found is None else QColor(found.ink)
            title = QRectF(0, px(_TITLE - 10), self.width(), px(20))
            name = followed_name(frame)
            draw_text(painter, theme, name, title, colour, 13, 600, LEFT)
            title.setLeft(text_width(theme, name, 13, 600))
            said = " " + _("after each step; a click goes back to it")
            said = elided(theme, said, 13, 400, max(int(title.width()), 1))
            draw_text(painter, theme, said, title, theme.color("ink3"), 13, 400, LEFT)
            end = self.width() - px(16)
            painter.setPen(QPen(theme.color("line2"), 1))
            for y, text in (
                (_TOP, "1"),
                (_LOW, f"{self.least:.1f}".lstrip("0") if self.least else "0"),
            ):
                level = round(px(y)) + 0.5
                painter.setPen(QPen(theme.color("line2"), 1))
                painter.drawLine(QPointF(px(_LEFT), level), QPointF(end, level))
                box = QRectF(0, px(y) - px(8), px(_LEFT - 6), px(16))
                draw_text(painter, theme, text, box, theme.color("ink3"), 12, 400, RIGHT)
            self._paint_steps(painter, colour)
            self.paint_ring(painter)

    def _paint_steps(self, painter: QPainter, colour: QColor) -> None:
        theme, frame, px, shown = self.theme, self._frame, self.theme.px, self.shown
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dots = [self.dot(at) for at in range(len(shown))]
        known = [dot for dot, step in zip(dots, shown, strict=True) if self.value(step) is not None]
        painter.setPen(QPen(colour, 1.5 * theme.percent / 100))
        painter.drawPolyline(known)
        room = self.theme.px(_ROOM - 8)
        for dot, step in zip(dots, shown, strict=True):
            now, undone = step == frame.step, step > frame.step
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setOpacity(0.5 if undone else 1.0)
            if self.value(step) is not None:
                painter.setPen(QPen(theme.color("ink1") if now else colour, 1.75))
                painter.setBrush(colour if now else theme.color("win"))
                radius = px(_DOT)
                painter.drawEllipse(dot, radius, radius)
            ink, weight = theme.color("ink1" if now else "ink2"), 600 if now else 400
            low = dot.y() > (px(_TOP) + px(_LOW)) / 2
            number = QRectF(dot.x() - room / 2, dot.y() + (-px(25) if low else px(7)), room, px(18))
            if now:
                number = QRectF(dot.x() + px(11), dot.y() - px(9), room, px(18))
            align = LEFT if now else Qt.AlignmentFlag.AlignHCenter
            draw_text(painter, theme, self.number(step), number, ink, 14, weight, align)
            names = QRectF(dot.x() - room / 2, px(_NAMES - 9), room, px(18))
            name = elided(theme, self.name(step), 13, weight, int(room))
            draw_text(painter, theme, name, names, ink, 13, weight)
        painter.setOpacity(1.0)

    # --- mouse and keys --------------------------------------------------------------------------

    def thing_at(self, at: QPointF) -> object:
        """Return the step at a point."""
        if not self._frame.follows or not self.shown:
            return None
        away = {step: abs(self.dot(n).x() - at.x()) for n, step in enumerate(self.shown)}
        step = min(away, key=lambda each: away[each])
        return step if away[step] <= self.theme.px(_ROOM) / 2 else None

    def text_at(self, at: QPointF) -> str:
        """Return a step and every digit of what is followed after it."""
        step = self.thing_at(at)
        if not isinstance(step, int):
            return ""
        value = self.value(step)
        return self.name(step) + ("" if value is None else f"\n{value:.6f}")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        step = self.thing_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and isinstance(step, int):
            self._go(step)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go a step on or back."""
        frame = self._frame
        step = {
            Qt.Key.Key_Left: frame.step - 1,
            Qt.Key.Key_Right: frame.step + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(frame.steps) - 1,
        }.get(Qt.Key(event.key()))
        if step is None or not is_alone(event):
            event.ignore()
        elif 0 <= step < len(frame.steps):
            self._go(step)

    def _go(self, step: int) -> None:
        if step != self._frame.step:
            self.intent.emit(GoToStep(step))


class ChangeSum(PaintedWidget):
    """What is followed now, less what it was with all heads."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Change of what is followed"), parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._frame = ModelFrame()

    def draw(self, frame: ModelFrame) -> None:
        """Show the change from all heads to the run's switches."""
        self._frame = frame
        sum_, change = self._parts
        wide = self.theme.px(_CHANGE)
        if change:
            wide = min(wide, round(self._chip(sum_, change).right()) + self.theme.px(4))
        self.setFixedSize(wide, self.theme.px(HEIGHT))
        self.setAccessibleDescription(self.text)
        self.update()

    @property
    def text(self) -> str:
        """The subtraction as text; "" where nothing is switched."""
        return "".join(self._parts)

    @property
    def _parts(self) -> tuple[str, str]:
        frame = self._frame
        if frame.run is None or not frame.run.switches.puts:
            return "", ""
        before = frame.outcomes.get(ALL_ON)
        after, change = frame.outcomes.get(frame.run.switches), change_of(frame, frame.run.switches)
        if before is None or after is None or change is None:
            return "", ""
        shown = round(after, 3) - round(before, 3)
        minus = f" {MINUS} {three_decimals(before)}"
        return f"{three_decimals(after)}{minus} = ", with_sign(shown)

    def _chip(self, sum_: str, change: str) -> QRectF:
        """Return the box of the change, behind the sum that it is of."""
        theme, px = self.theme, self.theme.px
        left = px(14) + text_width(theme, sum_, 17)
        return QRectF(left, px(40), text_width(theme, change, 17, 600) + px(18), px(32))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px = self.theme, self.theme.px
        with QPainter(self) as painter:
            sum_, change = self._parts
            if not change:
                return
            painter.fillRect(QRectF(0, px(15), 1, px(82)), theme.color("line2"))
            caption = QRectF(px(14), px(10), self.width() - px(14), px(20))
            said = _("Change of {name}").format(name=followed_name(self._frame))
            said = elided(theme, said, 13, 400, int(caption.width()))
            draw_text(painter, theme, said, caption, theme.color("ink2"), 13, 400, LEFT)
            line = QRectF(px(14), px(36), self.width(), px(40))
            draw_text(painter, theme, sum_, line, theme.color("ink1"), 17, 400, LEFT)
            chip = self._chip(sum_, change)
            value = change_of(self._frame, self._frame.run.switches) if self._frame.run else 0.0
            draw_value_chip(painter, theme, chip, change, value or 0.0, theme.scores_map)
