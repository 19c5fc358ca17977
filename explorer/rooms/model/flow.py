"""Queries left, keys right, and a curve for each weight that is large enough."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.kit.garbage import no_collection
from explorer.kit.labels import plain_line
from explorer.kit.layouts import fill, put, set_spacing
from explorer.kit.markers import draw_marker
from explorer.kit.painted import PaintedWidget
from explorer.kit.scrolling import ColumnArea
from explorer.kit.slider import LinearScale, Slider, slider_sheet
from explorer.kit.table import painting
from explorer.kit.table.painting import HOVERED, LEFT, RIGHT, SELECTED, draw_text, elided
from explorer.kit.theme import Theme, TokenColour
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.row import (
    Row,
    pointed_row,
    row_of,
    short,
    token_colours,
    token_name,
    told_pair,
)
from explorer.session import Space
from explorer.session.model.frame import ModelChange, ModelFrame
from explorer.session.model.intents import HoverPair, SelectPair, StepPair
from explorer.text import _, display_number, joined

ROW = 26  # px at 100 %, as all below
_TOP, _SIDE = 8, 28
_NAMES, _NUMBER = 190, 44  # of each column's width, and of the numbers beside the keys
_MARK = 9
_THINNEST, _WIDTH = 1.0, 9.0  # of a curve: at weight 0, and what weight 1 adds
_FAINTEST = 0.15  # opacity of the smallest weight
_MOST = 1500  # curves of one picture; of more the strongest
_LEAST = 0.05  # the smallest weight that is drawn, at first


class FlowPage(PaintedWidget):
    """Both columns and the curves between their visible rows."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Flow from queries to keys"), parent)
        self.frame = ModelFrame()
        self.least = _LEAST
        self._row: Row | None = None
        self._queries = self._keys = np.zeros(0, int)
        self._edges: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        self._made: object = None  # what the edges were found in

    def draw(self, frame: ModelFrame) -> None:
        """Show a frame."""
        self.frame = frame
        self._row = pointed_row(frame)
        if frame.run is not None:
            self._queries, self._keys = frame.shown
        rows = 0 if frame.run is None else max(len(self._queries), len(self._keys))
        self.set_height(rows * self.theme.px(ROW) + 2 * self.theme.px(_TOP))
        self._find_edges()
        told = [] if self._row is None else list(self._row.strongest)
        names = [f"{token_name(frame, key)} {short(self._weight(key))}" for key in told]
        self.setAccessibleDescription(joined(names))
        self.update()

    def _find_edges(self) -> None:
        """Find all weights that are large enough, in rows and columns of what is shown."""
        frame = self.frame
        made = (frame.head, frame.look.special, self.least)
        if made == self._made:
            return
        self._made, self._edges = made, None
        if frame.head is not None:
            shown = frame.head.arrays.weights[np.ix_(self._queries, self._keys)]
            rows, columns = np.nonzero(shown >= self.least)
            self._edges = rows, columns, shown[rows, columns]

    def _weight(self, key: int) -> float:
        assert self._row is not None
        return float(self._row.weights[key])

    # --- geometry --------------------------------------------------------------------------------

    def _middle(self, row: int) -> float:
        return self.theme.px(_TOP) + (row + 0.5) * self.theme.px(ROW)

    @property
    def _ends(self) -> tuple[float, float]:
        """Where curves begin and end."""
        px = self.theme.px
        names = min(px(_NAMES), self.width() * 0.3)
        return float(names), float(self.width() - names - px(_NUMBER))

    def token_rect(self, place: int, *, key: bool) -> QRectF:
        """Return the rectangle of a token's name; empty where it is not shown."""
        at = np.flatnonzero((self._keys if key else self._queries) == place)
        if not len(at):
            return QRectF()
        start, end = self._ends
        top, high = self._middle(int(at[0])) - self.theme.px(ROW) / 2, self.theme.px(ROW)
        if key:
            return QRectF(end, top, self.width() - end - self.theme.px(8), high)
        return QRectF(self.theme.px(8), top, start - self.theme.px(8), high)

    def curves(self, top: float, bottom: float) -> list[tuple[int, int, float]]:
        """Return what is drawn between two heights: row, column and weight, the weakest first.

        Where a query is selected or hovered these are its own alone, at most `_MOST` in any case.
        """
        if self._edges is None:
            return []
        rows, columns, weights = self._edges
        high = self.theme.px(ROW)
        first = (top - self.theme.px(_TOP)) / high - 1
        last = (bottom - self.theme.px(_TOP)) / high + 1
        seen = (np.maximum(rows, columns) >= first) & (np.minimum(rows, columns) <= last)
        if self._row is not None:
            seen &= self._queries[rows] == self._row.query
        found = np.flatnonzero(seen)
        found = found[np.argsort(weights[found], kind="stable")][-_MOST:]
        return [(int(rows[i]), int(columns[i]), float(weights[i])) for i in found]

    def thing_at(self, at: QPointF) -> object:
        """Return whether a key is at a point, and which token."""
        row = int((at.y() - self.theme.px(_TOP)) // self.theme.px(ROW))
        start, end = self._ends
        for key, places, here in (
            (False, self._queries, at.x() <= start),
            (True, self._keys, at.x() >= end),
        ):
            if here and 0 <= row < len(places):
                return key, int(places[row])
        return None

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self.theme
        with QPainter(self) as painter:
            area = event.rect()
            painter.fillRect(area, theme.color("canvas"))
            frame = self.frame
            if frame.run is None:
                return
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_curves(painter, area.top(), area.bottom())
            colours = token_colours(theme, frame)
            high = theme.px(ROW)
            first = max(int((area.top() - theme.px(_TOP)) // high), 0)
            last = int((area.bottom() - theme.px(_TOP)) // high) + 1
            for key, places in ((False, self._queries), (True, self._keys)):
                for place in places[first:last].tolist():
                    self._paint_token(painter, place, key, colours.get(place))
            self.paint_ring(painter)

    def _paint_curves(self, painter: QPainter, top: float, bottom: float) -> None:
        theme, (start, end) = self.theme, self._ends
        scale, bend = theme.percent / 100, (end - start) * 0.45
        colours = token_colours(theme, self.frame)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for row, column, weight in self.curves(top, bottom):
            colour = colours.get(int(self._queries[row]))
            ink = QColor(theme.weights_map.fill(0.75, 1.0) if colour is None else colour.fill)
            ink.setAlphaF(_FAINTEST + (1 - _FAINTEST) * min(weight, 1.0))
            pen = QPen(ink, (_THINNEST + _WIDTH * weight) * scale)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(pen)
            here, there = self._middle(row), self._middle(column)
            path = QPainterPath(QPointF(start + theme.px(4), here))
            path.cubicTo(start + bend, here, end - bend, there, end - theme.px(4), there)
            painter.drawPath(path)

    def _paint_token(
        self, painter: QPainter, place: int, key: bool, known: TokenColour | None
    ) -> None:
        theme, px, frame, row = self.theme, self.theme.px, self.frame, self._row
        rect = self.token_rect(place, key=key)
        chosen = place == (frame.cursor.key if key else frame.cursor.query)
        hovered = place == frame.hover[1 if key else 0]
        ink = theme.color("ink2") if known is None else QColor(known.ink)
        weight = 600 if known is not None or chosen else 400
        mark = px(14)
        x = rect.left() + px(10) if key else rect.right() - px(10)
        draw_marker(
            painter,
            theme,
            QPointF(x, rect.center().y()),
            known or theme.neutral_token,
            Space.K if key else Space.Q,
            _MARK,
        )
        number = ""
        if key and row is not None and row.weights[place] >= min(self.least, 0.005):
            number = display_number(float(row.weights[place]), 3)
        room = rect.width() - mark - px(10) - (px(_NUMBER) if key else 0)
        name = elided(theme, token_name(frame, place, key=key), 14, weight, int(max(room, 1)))
        names = rect.adjusted(px(20), 0, 0, 0) if key else rect.adjusted(0, 0, -px(20), 0)
        draw_text(painter, theme, name, names, ink, 14, weight, LEFT if key else RIGHT)
        if number:
            end = rect.adjusted(0, 0, -px(6), 0)
            bold = 600 if row is not None and place in row.strongest else 400
            tint = theme.color("ink1" if bold == 600 else "ink3")
            draw_text(painter, theme, number, end, tint, 13, bold, RIGHT)
        if chosen or hovered:
            outline = rect.adjusted(1, 1.5, -1, -1.5)
            painting.draw_outline(painter, theme, outline, SELECTED if chosen else HOVERED)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    # --- the mouse and the keys ------------------------------------------------------------------

    def hover(self, thing: object) -> None:
        if not isinstance(thing, tuple):
            self.intent.emit(HoverPair())
            return
        key, place = thing
        if not key:
            self.intent.emit(HoverPair(place))
        elif self.frame.cursor.query is not None:
            self.intent.emit(HoverPair(self.frame.cursor.query, place))
        else:
            self.intent.emit(HoverPair(None, place))

    def text_at(self, at: QPointF) -> str:
        """Return a token's place and, of a key, every digit of its weight."""
        thing = self.thing_at(at)
        if not isinstance(thing, tuple):
            return ""
        key, place = thing
        if key:
            return told_pair(self.frame, self._row, place)
        name = token_name(self.frame, place, key=False)
        return _("{token}, token {place}").format(token=name, place=place + 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        thing = self.thing_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if not isinstance(thing, tuple):
            self.intent.emit(SelectPair(None))  # all rows are shown again
        elif not thing[0]:
            self._ask(thing[1])
        elif self.frame.cursor.query is not None:
            self.intent.emit(SelectPair(self.frame.cursor.query, thing[1]))

    def _ask(self, query: int) -> None:
        row = row_of(self.frame, query)
        strongest = () if row is None else row.strongest
        self.intent.emit(SelectPair(query, strongest[0] if strongest else None))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ask with the token above or below; go to the next larger or smaller weight."""
        keys, key = Qt.Key, Qt.Key(event.key())
        query = self.frame.cursor.query
        weight = {keys.Key_BracketLeft: 1, keys.Key_BracketRight: -1}.get(key)
        step = {keys.Key_Up: -1, keys.Key_Down: 1}.get(key)
        if weight is not None and query is not None:
            self.intent.emit(StepPair(weight))
        elif step is not None and len(self._queries):
            at = np.flatnonzero(self._queries == (-1 if query is None else query))
            here = int(at[0]) + step if len(at) else 0
            self._ask(int(self._queries[min(max(here, 0), len(self._queries) - 1)]))
        else:
            event.ignore()


class FlowView(ModelView):
    """The columns, which scroll, and above them the smallest weight that is drawn."""

    concerns: ClassVar[ModelChange] = (
        ModelChange.NUMBERS | ModelChange.PAIR | ModelChange.HOVER | ModelChange.LOOK
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setMinimumSize(360, 220)
        self.page = FlowPage(theme)
        self.page.intent.connect(self.intent)
        self.area = ColumnArea()
        self.area.setObjectName("flow-area")
        self.area.setWidget(self.page)
        self.slider = Slider(
            _("Smallest weight drawn"), LinearScale(0.01, 0.5, 0.01, 5), rest=_LEAST
        )
        self.slider.setObjectName("flow-slider")
        self.slider.asked.connect(lambda least, _phase: self.show_from(least))
        self.label, self.number = plain_line("ink2", text=_("weights from")), plain_line()
        self._bar = QHBoxLayout()
        put(self._bar, self.label, self.slider, self.number, None)
        self._column = fill(QVBoxLayout(self), self._bar, (self.area, 1))
        self.retheme(theme)
        self.show_from(_LEAST)

    def viewport(self) -> QWidget:
        """Return the columns, which take the mouse and the keys."""
        return self.page

    def be_presented(self) -> None:
        """Leave out the slider."""
        for widget in (self.label, self.slider, self.number):
            widget.hide()

    def show_from(self, least: float) -> None:
        """Draw the weights from one on."""
        self.page.least = least
        self.slider.show_number(least)
        self.number.setText(short(least))
        self.page.draw(self.page.frame)

    def draw(self, frame: ModelFrame) -> None:
        """Show the head at the cursor, and scroll to a query that was selected."""
        before = self.page.frame.cursor.query
        self.page.draw(frame)
        query = frame.cursor.query
        if query is not None and query != before:
            rect = self.page.token_rect(query, key=False)
            around = self.theme.px(2 * ROW)
            if not rect.isEmpty():
                self.area.ensureVisible(0, round(rect.center().y()), 0, around)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        px = theme.px
        self.page.retheme(theme)
        self.label.setFont(theme.font(13))
        self.number.setFont(theme.font(13, 600))
        self.number.setFixedWidth(px(36))
        self.slider.setFixedSize(px(180), px(26))
        set_spacing(self._bar, px(_SIDE), px(4), px(_SIDE), px(4), gap=px(10))
        with no_collection():
            canvas = theme.palette.canvas
            self.setStyleSheet(
                slider_sheet(theme, "flow-slider") + f" #flow-area {{ background: {canvas}; }}"
            )
        self._column.activate()  # what is visible depends on the height that is left
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), self.theme.color("canvas"))
