"""A head's weights as cells with names: all of a short text, a window of a long one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from explorer.kit.canvas.paint import paints_vectors
from explorer.kit.markers import draw_marker
from explorer.kit.numbers import Columns
from explorer.kit.painted import ARROWS, PaintedWidget, is_alone
from explorer.kit.pieces import colour_of, name_of
from explorer.kit.table.painting import (
    HOVERED,
    LEFT,
    RIGHT,
    SELECTED,
    draw_box,
    draw_outline,
    draw_text,
    elided,
    hatch,
    text_width,
)
from explorer.kit.theme import Theme
from explorer.session import Space
from explorer.session.model.frame import ModelFrame
from explorer.session.model.intents import HoverPair, PinToken, SelectPair, StepPair
from explorer.text import _, full_number

_WIDE, _HIGH, _GAP, _CORNER = 39, 37.5, 2, 2  # px at 100 %, as all below
_ROW_SIZE, _COLUMN_SIZE = 15, 14.5
_LONGEST_ROW, _LONGEST_COLUMN = 130, 110  # of a name
_MARGIN, _BESIDE, _MARK = 16, 12, 15  # at the edges; from a name to its row; what a mark takes
_SIDE = 11  # of a mark; less where rows are low
_ABOVE, _MARK_ABOVE = 9, 11  # from a column's name to its cells; the middle of its mark
_NUMBER_SIZES, _READABLE = (13.5, 11.0, 9.0, 7.5), 10.5  # at 100 %; and on the screen at least
_NUMBER_ROW = 1.1  # of a number's size: digits reach neither above nor below the line's letters
_FAINT = 0.005
_SLANT = 0.7071
_LEAST_TYPE, _SMALLER = 100.0, 0.92  # percent, and the next smaller type by the one before
_NAME_PITCH = 0.9  # from one column's name to the next, by its letters' size
_ALL_ABOVE, _SHORTEST = 0.24, 44  # of the height for columns' names; px each has at least
Place = tuple[int | None, int | None]


def short(weight: float) -> str:
    """Return a weight with two decimals and no 0 before them: .65."""
    return f"{weight:.2f}".removeprefix("0")


@dataclass(frozen=True)
class Laid:
    """Where the cells are: the first one's corner and their pitch, in px."""

    left: float = 0.0
    top: float = 0.0
    wide: float = 1.0
    high: float = 1.0

    def cell(self, row: int, column: int) -> QRectF:
        """Return the box of a cell, with its share of the gaps."""
        x, y = round(self.left + column * self.wide), round(self.top + row * self.high)
        right = round(self.left + (column + 1) * self.wide)
        low = round(self.top + (row + 1) * self.high)
        return QRectF(x, y, right - x, low - y)


class CellMatrix(PaintedWidget):
    """Rows ask, columns are asked; numbers stand in the selected row.

    A click selects a cell, or a row by its name; arrow keys move, [ and ] go to the next larger or
    smaller weight of the row; a name's menu pins its token.
    """

    zoomed = Signal(int)  # notches of the wheel, up for nearer
    left_window = Signal(int, int)  # a query and a key beyond what is shown were asked for

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Weights of the head"), parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._frame = ModelFrame()
        self._asked = theme  # the type that it has where there is room
        self.rows: np.ndarray = np.zeros(0, int)
        self.columns: np.ndarray = np.zeros(0, int)
        self.domain = 1.0
        self.laid = Laid()
        self._drawn: tuple[object, QPixmap] | None = None  # the cells' colours

    def show_cells(
        self, frame: ModelFrame, rows: np.ndarray, columns: np.ndarray, domain: float
    ) -> None:
        """Show some queries and keys of the head at the cursor.

        domain : the weight that has the full colour
        """
        self._frame, self.domain = frame, domain
        self.rows, self.columns = rows, columns
        self._lay_out()
        said = self.said(*self._pointed)
        if said != self.accessibleDescription():
            self.setAccessibleDescription(said)
        self.update()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        self._asked = theme
        self._drawn = None

    @property
    def _pointed(self) -> Place:
        return self._frame.cursor.query, self._frame.cursor.key

    def box(self, query: int, key: int) -> QRectF:
        """Return the box of the cell of a query and a key that are shown."""
        row, column = self._at(query, self.rows), self._at(key, self.columns)
        assert row is not None
        assert column is not None
        return self.laid.cell(row, column)

    @staticmethod
    def _at(token: int | None, shown: np.ndarray) -> int | None:
        found = [] if token is None else np.flatnonzero(shown == token).tolist()
        return found[0] if found else None

    def said(self, query: int | None, key: int | None) -> str:
        """Return a pair and its weight as one line; a row's token alone where there is no key."""
        run, head = self._frame.run, self._frame.head
        if run is None or head is None or query is None:
            return ""
        name = name_of(run.pieces[query])
        if key is None:
            return name
        weight = full_number(round(float(head.arrays.weights[query, key]), 4))
        return f"{name} → {name_of(run.key_pieces[key])} {weight}"

    # --- layout ----------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _row_name(self, query: int) -> str:
        assert self._frame.run is not None
        room = self.theme.px(_LONGEST_ROW)
        return elided(self.theme, name_of(self._frame.run.pieces[query]), _ROW_SIZE, 600, room)

    def _column_name(self, key: int) -> str:
        assert self._frame.run is not None
        px = self.theme.px
        high = _ALL_ABOVE * self.height() - px(_ABOVE + _MARK)  # rows need the rest
        room = round(max(high / _SLANT - px(_COLUMN_SIZE), px(_SHORTEST)))
        room = min(room, px(_LONGEST_COLUMN))
        name = name_of(self._frame.run.key_pieces[key])
        return elided(self.theme, name, _COLUMN_SIZE, 600, room)

    def _lay_out(self) -> None:
        """Find the largest type whose names leave the cells room, and the cells' pitch."""
        if self._frame.run is None or not len(self.rows) or not len(self.columns):
            return
        percent = float(self._asked.percent)
        while True:
            self.theme = self._asked.smaller(percent)
            self.laid = self._pitch()
            names = self.laid.wide >= self._column_pitch and self.laid.high >= self._row_pitch
            if percent <= _LEAST_TYPE or names:
                return
            percent = max(percent * _SMALLER, _LEAST_TYPE)

    @property
    def _column_pitch(self) -> float:
        """How far apart columns are whose names do not touch, in px."""
        return max(self.theme.px(_COLUMN_SIZE), self.theme.least) * _NAME_PITCH

    @property
    def _row_pitch(self) -> float:
        """How far apart rows are whose names are as large as they may be, in px."""
        return max(self.theme.px(_ROW_SIZE), self.theme.least) * _NAME_PITCH

    def _pitch(self) -> Laid:
        """Return the pitch that leaves room for all names, as large as drawn where it can be."""
        theme, px = self.theme, self.theme.px
        names = [text_width(theme, self._row_name(i), _ROW_SIZE, 600) for i in self.rows]
        above = [text_width(theme, self._column_name(j), _COLUMN_SIZE, 600) for j in self.columns]
        beside = max(names) + px(_BESIDE + _MARK)
        top = px(_ABOVE + _MARK) + (max(above) + px(_COLUMN_SIZE)) * _SLANT
        rest = max(above[-3:]) * _SLANT
        room = self.width() - 2 * px(_MARGIN) - beside - rest
        scale, rows, columns = theme.percent / 100, len(self.rows), len(self.columns)
        wide = max(min(_WIDE * scale, room / columns), 2.0)
        high = max(min(_HIGH * scale, (self.height() - top - px(6)) / rows), 2.0)
        left = (self.width() - beside - rest - columns * wide) / 2 + beside
        return Laid(max(left, beside), top, wide, high)

    @property
    def numbered(self) -> bool:
        """Whether the selected row's cells have room for numbers."""
        return self.number_size is not None

    @property
    def number_size(self) -> float | None:
        """The size of the numbers in px at 100 %; None where they would be too small to read.

        In a larger text they may be smaller than the rest.
        """
        theme, laid = self.theme, self.laid
        readable = (s for s in _NUMBER_SIZES if s * theme.percent / 100 >= _READABLE)
        return next(
            (
                size
                for size in readable
                if text_width(theme, ".00", size, 500) + 2 <= laid.wide
                and size * theme.percent / 100 * _NUMBER_ROW <= laid.high
            ),
            None,
        )

    @property
    def bottom(self) -> float:
        """Where the cells end, in px."""
        return self.laid.top + len(self.rows) * self.laid.high

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        frame = self._frame
        if frame.run is None or frame.head is None or not len(self.rows) or not len(self.columns):
            return
        with QPainter(self) as painter:
            if paints_vectors(painter):
                self._paint_cells(painter)
            else:
                painter.drawPixmap(0, 0, self._cells())
            self._paint_rows(painter)
            self._paint_columns(painter)
            self._paint_pointed(painter)
            if frame.cursor.query is None:
                self.paint_ring(painter)

    def _cells(self) -> QPixmap:
        """Return the cells' colours, drawn once for a head and a layout."""
        head, ratio = self._frame.head, self.devicePixelRatioF()
        assert head is not None
        wanted = (
            id(head.arrays.weights), self.laid, self.size().toTuple(), self.domain, ratio,
            self.rows.tobytes(), self.columns.tobytes(),
        )  # fmt: skip
        if self._drawn is None or self._drawn[0] != wanted:
            made = QPixmap(self.size() * ratio)
            made.setDevicePixelRatio(ratio)
            made.fill(Qt.GlobalColor.transparent)
            with QPainter(made) as painter:
                self._paint_cells(painter)
            self._drawn = wanted, made
        return self._drawn[1]

    def _paint_cells(self, painter: QPainter) -> None:
        head, ramp = self._frame.head, self.theme.weights_map
        assert head is not None
        arrays = head.arrays
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        gap, corner = _GAP / 2, self.theme.px(_CORNER)
        masked = hatch(self.theme)
        for row, query in enumerate(self.rows):
            for column, key in enumerate(self.columns):
                box = self.laid.cell(row, column).adjusted(gap, gap, -gap, -gap)
                hidden = arrays.scores is not None and np.isneginf(arrays.scores[query, key])
                fill = ramp.fill(float(arrays.weights[query, key]), self.domain)
                painter.setBrush(masked if hidden else fill)
                painter.drawRoundedRect(box, corner, corner)

    def _paint_rows(self, painter: QPainter) -> None:
        theme, px, frame = self.theme, self.theme.px, self._frame
        strong = {frame.cursor.query, frame.hover[0]}
        for row, query in enumerate(map(int, self.rows)):
            box = self.laid.cell(row, 0)
            end = box.left() - px(_BESIDE)
            colour = colour_of(theme, frame, query)
            if colour is not None:
                centre = QPointF(end - px(4), box.center().y())
                side = min(_SIDE, self.laid.high / theme.percent * 80)
                draw_marker(painter, theme, centre, colour, Space.Q, side)
                end -= px(_MARK)
            where = QRectF(0, box.top(), end, box.height())
            ink = theme.color("ink1" if query in strong else "ink2")
            if colour is not None:
                ink = theme.color(colour.ink)
            bold = colour is not None or query == frame.cursor.query
            weight = 600 if bold else 400
            size = min(_ROW_SIZE, self.laid.high / theme.percent * 100 - 1)
            draw_text(painter, theme, self._row_name(query), where, ink, size, weight, RIGHT)

    def _paint_columns(self, painter: QPainter) -> None:
        theme, px, frame = self.theme, self.theme.px, self._frame
        strong = {frame.cursor.key, frame.hover[1]}
        size = min(_COLUMN_SIZE, self.laid.wide / theme.percent * 100)
        high = px(20)
        named = self._named_columns()
        for column, key in enumerate(map(int, self.columns)):
            if column not in named:
                continue
            box = self.laid.cell(0, column)
            colour = colour_of(theme, frame, key)
            start = QPointF(box.center().x(), box.top() - px(_ABOVE))
            ink = theme.color("ink1" if key in strong else "ink2")
            if colour is not None:
                centre = QPointF(box.center().x(), box.top() - px(_MARK_ABOVE))
                draw_marker(painter, theme, centre, colour, Space.K)
                along = px(_MARK - 8)  # on the name's own line, which no neighbour's meets
                start += QPointF(along, -along)
                ink = theme.color(colour.ink)
            bold = colour is not None or key == frame.cursor.key
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(start)
            painter.rotate(-45)
            where = QRectF(0, -high * 0.62, px(_LONGEST_COLUMN) + 20, high)
            name = self._column_name(key)
            draw_text(painter, theme, name, where, ink, size, 600 if bold else 400, LEFT)
            painter.restore()

    def _named_columns(self) -> set[int]:
        """Return the columns that have a name: where names would touch, some stand for others."""
        theme, frame = self.theme, self._frame
        apart = max(theme.least, 1) * _NAME_PITCH / self.laid.wide
        keys = [int(key) for key in self.columns]
        strong = frame.cursor.key, frame.hover[1]
        named: set[int] = set()
        for column in sorted(
            range(len(keys)),
            key=lambda n: (keys[n] not in strong, colour_of(theme, frame, keys[n]) is None),
        ):
            if all(abs(column - other) >= apart for other in named):
                named.add(column)
        return named

    def _paint_pointed(self, painter: QPainter) -> None:
        """Outline the selected row and its numbers, the selected cell and the hovered one."""
        theme, frame = self.theme, self._frame
        row = self._at(frame.cursor.query, self.rows)
        if row is not None:
            first, last = self.laid.cell(row, 0), self.laid.cell(row, len(self.columns) - 1)
            self._paint_numbers(painter, row)
            around, width = first.united(last).adjusted(-1, -1, 1, 1), HOVERED * theme.percent / 100
            draw_box(painter, around, 3, edge=theme.color("ink1"), width=width)
        for place, width in ((frame.hover, HOVERED), (self._pointed, SELECTED)):
            row, column = self._at(place[0], self.rows), self._at(place[1], self.columns)
            if row is not None and column is not None:
                draw_outline(painter, theme, self.laid.cell(row, column), width)

    def _paint_numbers(self, painter: QPainter, row: int) -> None:
        head, theme, size = self._frame.head, self.theme, self.number_size
        if head is None or size is None:
            return
        query, ramp = int(self.rows[row]), theme.weights_map
        for column, key in enumerate(map(int, self.columns)):
            value = float(head.arrays.weights[query, key])
            faint = value < _FAINT
            ink = theme.color("ink3") if faint else ramp.text(value, self.domain)
            weight = 400 if faint else 600 if key == self._frame.cursor.key else 500
            text = short(value)
            if text_width(theme, text, size, weight) > self.laid.wide:
                text = text[:-1]  # 1.0, as wide as .00
            draw_text(painter, theme, text, self.laid.cell(row, column), ink, size, weight)

    # --- mouse -----------------------------------------------------------------------------------

    def thing_at(self, at: QPointF) -> object:
        """Return (query, key) at a point; None for the one whose name is not there."""
        laid, rows, columns = self.laid, len(self.rows), len(self.columns)
        if not rows or not columns or self._frame.run is None:
            return None
        above = laid.top - at.y()
        row = int((at.y() - laid.top) // laid.high)
        slanted = at.x() - max(above, 0)  # names rise to the right
        column = int((slanted - laid.left) // laid.wide)
        in_columns = 0 <= column < columns
        if above > 0:
            return (None, int(self.columns[column])) if in_columns else None
        if not 0 <= row < rows:
            return None
        if in_columns:
            return int(self.rows[row]), int(self.columns[column])
        return (int(self.rows[row]), None) if at.x() < laid.left else None

    def hover(self, thing: object) -> None:
        """Show the pair everywhere."""
        super().hover(thing)
        self.intent.emit(HoverPair(*thing) if isinstance(thing, tuple) else HoverPair())

    def plotted(self) -> Columns:
        """Return the weights that are shown: a column for each key, after the queries' numbers."""
        run, head = self._frame.run, self._frame.head
        if run is None or head is None:
            return {}
        names = [f"{key + 1} {name_of(run.key_pieces[key])}" for key in self.columns]
        shown = head.arrays.weights[np.ix_(self.rows, self.columns)]
        return {"query": self.rows + 1, **dict(zip(names, shown.T, strict=True))}

    def text_at(self, at: QPointF) -> str:
        """Return the pair at a point with its weight."""
        thing = self.thing_at(at)
        if not isinstance(thing, tuple) or self._frame.run is None:
            return ""
        query, key = thing
        if query is None:
            return name_of(self._frame.run.key_pieces[key])
        return self.said(query, key)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        thing = self.thing_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or not isinstance(thing, tuple):
            return
        query, key = thing
        if query is None:
            query = self._frame.cursor.query
        if query is not None:
            self.intent.emit(SelectPair(query, key))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to pin the tokens at a point."""
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        thing = self.thing_at(QPointF(event.pos())) if by_mouse else self._pointed
        if isinstance(thing, tuple) and self._frame.run is not None:
            self.menu_of(thing).popup(event.globalPos())

    def menu_of(self, place: Place) -> QMenu:
        """Return a menu that pins the tokens of a pair; it deletes itself when it is closed."""
        run, menu = self._frame.run, QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for token in dict.fromkeys(place):
            if token is not None and run is not None:
                pieces = run.pieces if token == place[0] else run.key_pieces
                text = _("Pin {token}").format(token=name_of(pieces[token]).replace("&", "&&"))
                action = menu.addAction(text)
                action.setCheckable(True)
                action.setChecked(self._frame.slot(token) is not None)
                action.triggered.connect(lambda _on, token=token: self.intent.emit(PinToken(token)))
        return menu

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Show fewer tokens of a long text, or more."""
        notches = round(event.angleDelta().y() / 120)
        if notches:
            self.zoomed.emit(notches)
        event.accept()

    # --- keys ------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the selected pair, or go to the next weight of its row."""
        key, frame = Qt.Key(event.key()), self._frame
        if frame.run is None or not is_alone(event):
            event.ignore()
            return
        if key in ARROWS:
            self._move(*ARROWS[key])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and frame.cursor.query is not None:
            shown = frame.shown[1]
            self._select(frame.cursor.query, int(shown[0 if key == Qt.Key.Key_Home else -1]))
        elif key in (Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight):
            self.intent.emit(StepPair(1 if key == Qt.Key.Key_BracketLeft else -1))
        else:
            event.ignore()

    def _move(self, down: int, right: int) -> None:
        query, key = self._pointed
        if query is None or key is None:
            self._select(
                int(self.rows[0]) if query is None else query,
                int(self.columns[0]) if key is None else key,
            )
            return
        moved = []
        for token, by, shown in zip((query, key), (down, right), self._frame.shown, strict=True):
            place = int(np.searchsorted(shown, token)) + by
            moved.append(int(shown[min(max(place, 0), len(shown) - 1)]))
        self._select(*moved)

    def _select(self, query: int, key: int) -> None:
        if query not in self.rows or key not in self.columns:
            self.left_window.emit(query, key)
        self.intent.emit(SelectPair(query, key))
