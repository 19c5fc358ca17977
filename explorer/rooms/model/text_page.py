"""The page of a long text: its lines, numbered, each token coloured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import QWidget

from explorer.kit.painted import PaintedWidget, is_alone
from explorer.kit.table import painting
from explorer.kit.table.painting import HOVERED, SELECTED, draw_box, draw_text
from explorer.kit.theme import Theme, TokenColour
from explorer.rooms.model.row import (
    Row,
    pointed_row,
    reads,
    row_of,
    selected_row,
    short,
    token_colours,
    token_name,
    told_pair,
)
from explorer.rooms.model.text_layout import (
    LINE,
    MEASURE,
    SIZE,
    SMALL,
    Box,
    Side,
    TextLayout,
    lay_out,
)
from explorer.session.model.frame import ModelFrame
from explorer.session.model.intents import HoverPair, SelectPair, StepPair
from explorer.text import _, display_number, joined

SIDE, _TOP, _BOTTOM = 28, 14, 12  # px at 100 % around the text, as all below
FOOTER = 42
_FAINTEST = 0.004  # a smaller weight has no background
_HIGH, _QUERY_HIGH = 22, 26  # of a token's background, and of the query's outline
_PAD, _QUERY_PAD = 2, 3
_RADIUS = 3
_BASELINE = 0.36  # of the type's size, below the middle of a line
_NUMBER = 12, 600  # size and weight of a token's number
_ABOVE = 20  # from the middle of a word to that of its number


class TextPage(PaintedWidget):
    """The lines of a text. A click asks; arrow keys move what asks."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Text, coloured by weight"), parent)
        self.frame = ModelFrame()
        self.layout_ = TextLayout()
        self._laid: object = None  # what the lines were made for
        self._tops: list[float] = [0.0]
        self._row: Row | None = None
        self._colours: Mapping[int, TokenColour] = {}
        self._numbers: tuple[int, ...] = ()
        self._key_side = 0  # which of the layout's sides are keys
        self._least = 0  # px of height, of the area around

    # --- what is shown ---------------------------------------------------------------------------

    def draw(self, frame: ModelFrame) -> None:
        """Show a frame. Where only another key is pointed at, only these two are painted again."""
        before, self.frame = self.frame, frame
        same = ("run", "head", "look")
        calm = all(getattr(before, name) is getattr(frame, name) for name in same)
        # Another head's numbers come later: until then nothing here is different.
        was, cursor = before.cursor, frame.cursor
        calm &= (was.query, was.key) == (cursor.query, cursor.key)
        if calm and before.hover[0] == frame.hover[0] and self._laid is not None:
            for key in {before.hover[1], frame.hover[1]} - {None}:
                for rect in self._rects(key):
                    self.update(rect.adjusted(-3, -3, 3, 3).toAlignedRect())
        else:
            self._arrange()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        self._laid = None

    def fill(self, height: int) -> None:
        """Be at least so high."""
        if height != self._least:
            self._least = height
            self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        frame, theme = self.frame, self.theme
        run = frame.run
        measure = max(min(theme.px(MEASURE), self.width() - 2 * theme.px(SIDE)), theme.px(80))
        laid = (run, theme, measure, frame.look.special)
        if laid != self._laid:
            self._laid = laid
            self.layout_ = TextLayout()
            self._key_side = 0 if run is None or run.square else 1
            if run is not None:
                sides = (
                    (Side(run.pieces, True, True),)
                    if not self._key_side
                    else (Side(run.pieces, True, False), Side(run.key_pieces, False, True))
                )
                self.layout_ = lay_out(theme, measure, run.text, sides, frame.look.special)
        self._row = pointed_row(frame)
        chosen = selected_row(frame)
        self._colours = token_colours(theme, frame)
        self._numbers = tuple(self._apart(self._numbered(self._row)))
        # A row that is only hovered moves no line.
        side, tall = self._key_side, set(self._numbered(chosen))
        lines = {box.line for box in self.layout_.boxes if box.side == side and box.place in tall}
        self._tops = self.layout_.tops(theme, sorted(lines))
        for line in range(len(self.layout_.lines)):
            drawn = self.layout_.line_of(line)
            y = self._middle(line) + theme.px(SIZE) * _BASELINE - drawn.ascent()
            drawn.setPosition(QPointF(0, round(y)))
        height = round(theme.px(_TOP) + self._tops[-1] + theme.px(_BOTTOM))
        self.set_height(max(height, self._least))
        self.setAccessibleDescription(self._told(chosen))
        self.update()

    def _numbered(self, row: Row | None) -> tuple[int, ...]:
        """Return the keys with a number: the strongest, and the selected one."""
        if row is None:
            return ()
        key, query = self.frame.cursor.key, self.frame.cursor.query
        extra = (key,) if key is not None and row.query == query else ()
        return tuple(dict.fromkeys((*extra, *row.strongest)))

    def _apart(self, keys: Sequence[int]) -> Iterator[int]:
        """Yield the keys whose numbers do not meet those of keys before them."""
        metrics = QFontMetricsF(self.theme.font(*_NUMBER))
        begun = {
            box.place: box
            for box in self.layout_.boxes
            if box.side == self._key_side and box.place in keys and self._is_first(box)
        }
        taken: list[tuple[int, float, float]] = []
        for box in (begun[key] for key in keys if key in begun):
            half = metrics.horizontalAdvance(short(self._weight(box))) / 2 + self.theme.px(1)
            left, right = (box.left + box.right) / 2 - half, (box.left + box.right) / 2 + half
            if all(box.line != line or right <= a or b <= left for line, a, b in taken):
                taken.append((box.line, left, right))
                yield box.place

    @property
    def readout(self) -> str:
        """What is told of the token under the mouse; empty where there is none."""
        key = self.frame.hover[1]
        if self.frame.run is None or self._row is None or key is None:
            return ""
        name, weight = token_name(self.frame, key), display_number(float(self._row.weights[key]), 3)
        query = token_name(self.frame, self._row.query, key=False)
        return _("{token}, token {place}: {query} gives it {weight}").format(
            token=name, place=key + 1, query=query, weight=weight
        )

    def _told(self, row: Row | None) -> str:
        if row is None:
            return ""
        most = joined(
            f"{token_name(self.frame, key)} {row.weights[key]:.2f}" for key in row.strongest
        )
        name = token_name(self.frame, row.query, key=False)
        return _("{query}, token {place}, gives most to {keys}").format(
            query=name, place=row.query + 1, keys=most
        )

    # --- geometry --------------------------------------------------------------------------------

    @property
    def _left(self) -> float:
        """Where lines begin: in the middle where there is more room than the measure."""
        px = self.theme.px
        return max(float(px(SIDE)), (self.width() - px(MEASURE)) / 2)

    def _middle(self, line: int) -> float:
        scale = self.theme.percent / 100
        return self.theme.px(_TOP) + self._tops[line] + LINE * scale / 2

    def box_rect(self, box: Box, pad: float = _PAD, high: float = _HIGH) -> QRectF:
        """Return the rectangle of a box, widened where no token touches it."""
        px, middle = self.theme.px, self._middle(box.line)
        left = 0 if box.joined_left else px(pad)
        right = 0 if box.joined_right else px(pad)
        start = self._left + box.left - left
        return QRectF(start, middle - px(high) / 2, box.right - box.left + left + right, px(high))

    def token_rect(self, place: int, *, key: bool = True) -> QRectF:
        """Return where a key (else a query) stands first; empty where it is not shown."""
        side = self._key_side if key else 0
        for box in self.layout_.boxes:
            if (box.side, box.place) == (side, place):
                return self.box_rect(box)
        return QRectF()

    def _rects(self, key: int | None) -> list[QRectF]:
        side = self._key_side
        boxes = (box for box in self.layout_.boxes if (box.side, box.place) == (side, key))
        return [self.box_rect(box) for box in boxes]

    def box_at(self, at: QPointF) -> Box | None:
        """Return the box at a point."""
        half = LINE * self.theme.percent / 200
        for line in self._lines(at.y() - half, at.y() + half):
            if abs(self._middle(line) - at.y()) <= half:
                for box in self.layout_.by_line[line]:
                    rect = self.box_rect(box, high=LINE)
                    if rect.left() <= at.x() < rect.right():
                        return box
        return None

    def _lines(self, top: float, bottom: float) -> range:
        """Return the lines with anything between two heights."""
        around = self.theme.px(LINE)
        tops = self._tops
        offset = self.theme.px(_TOP)
        first = int(np.searchsorted(tops, top - offset - around))
        last = int(np.searchsorted(tops, bottom - offset + around))
        count = len(self.layout_.lines)
        return range(min(max(first - 1, 0), count), min(last, count))

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self.theme
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), theme.color("canvas"))
            if self.frame.run is None:
                return
            lines = self._lines(event.rect().top(), event.rect().bottom())
            boxes = [box for line in lines for box in self.layout_.by_line[line]]
            inks: dict[Box, QColor] = {}
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            row, keyed = self._row, self._key_side
            weights = [] if row is None else row.weights.tolist()
            bold = {box for box in boxes if self._is_bold(box)}
            marked = {*self._numbers, self._selected, self.frame.hover[1]}
            for box in boxes:
                weight = weights[box.place] if weights and box.side == keyed else 0.0
                if weight >= _FAINTEST or box in bold:
                    self._paint_ground(painter, box, weight, inks)
            self._paint_text(painter, lines, inks)
            for box in boxes:
                if box in bold or (box.place in marked and box.side == keyed):
                    self._paint_above(painter, box, inks)
            self.paint_ring(painter)

    def _is_query(self, box: Box) -> bool:
        return box.side == 0 and self._row is not None and box.place == self._row.query

    def _weight(self, box: Box) -> float:
        return 0.0 if self._row is None else float(self._row.weights[box.place])

    def _paint_ground(
        self, painter: QPainter, box: Box, weight: float, inks: dict[Box, QColor]
    ) -> None:
        """Paint what lies below a token; note its ink where it is not the usual one."""
        theme = self.theme
        fill = theme.color("canvas")
        query = self._is_query(box)
        if not query and self._row is not None and weight >= _FAINTEST:
            ramp, domain = theme.weights_map, self._row.domain
            fill = ramp.fill(weight, domain)
            draw_box(painter, self.box_rect(box), theme.px(_RADIUS), fill)
            if not reads(theme.palette.ink1, fill.name()):
                inks[box] = ramp.text(weight, domain)
        colour = self._colours.get(box.place) if self._coloured(box) else None
        if colour is not None and reads(colour.ink, fill.name()):
            inks[box] = QColor(colour.ink)
        elif colour is not None or query:
            inks.setdefault(box, theme.color("ink1"))

    def _coloured(self, box: Box) -> bool:
        return box.side == self._key_side or self._is_query(box)

    def _is_bold(self, box: Box) -> bool:
        return self._is_query(box) or (self._coloured(box) and box.place in self._colours)

    def _paint_text(self, painter: QPainter, lines: range, inks: Mapping[Box, QColor]) -> None:
        layout, theme = self.layout_, self.theme
        shown: dict[int, list[int]] = {}
        for line in lines:
            shown.setdefault(layout.lines[line].paragraph, []).append(line)
        selections: dict[int, list[QTextLayout.FormatRange]] = {}
        for box, ink in inks.items():
            paragraph, start, length = layout.ranges[box.side, box.place]
            form = QTextLayout.FormatRange()
            form.start, form.length = start, length
            style = QTextCharFormat()
            # What is bold is painted by itself: the lines stay as they are.
            style.setForeground(QColor(0, 0, 0, 0) if self._is_bold(box) else ink)
            form.format = style
            selections.setdefault(paragraph, []).append(form)
        painter.setPen(theme.color("ink1"))
        for paragraph, its in shown.items():
            top, bottom = self._middle(its[0]), self._middle(its[-1])
            around = theme.px(LINE)
            clip = QRectF(0, top - around, self.width(), bottom - top + 2 * around)
            at = QPointF(self._left, 0)
            layout.paragraphs[paragraph].draw(painter, at, selections.get(paragraph, []), clip)

    def _paint_above(self, painter: QPainter, box: Box, inks: Mapping[Box, QColor]) -> None:
        theme, px = self.theme, self.theme.px
        middle = self._middle(box.line)
        rect = self.box_rect(box)
        if self._is_bold(box) and box in inks:
            paragraph, start, length = self.layout_.ranges[box.side, box.place]
            line = self.layout_.line_of(box.line)
            text = _cut(self.layout_.texts[paragraph], start, length, line.textStart(), line)
            size = SMALL if self._piece_is_special(box) else SIZE
            where = QRectF(self._left + box.left, rect.top(), box.right - box.left, rect.height())
            draw_text(painter, theme, text, where, inks[box], size, 600)
        if self._is_query(box):
            painting.draw_outline(
                painter, theme, self.box_rect(box, _QUERY_PAD, _QUERY_HIGH), SELECTED
            )
        elif box.side == self._key_side and box.place in (self.frame.hover[1], self._selected):
            painting.draw_outline(painter, theme, rect, HOVERED)
        if box.side == self._key_side and box.place in self._numbers and self._is_first(box):
            above = QRectF(rect.center().x() - px(30), middle - px(_ABOVE) - px(8), px(60), px(16))
            draw_text(
                painter, theme, short(self._weight(box)), above, theme.color("ink1"), *_NUMBER
            )

    @property
    def _selected(self) -> int | None:
        cursor = self.frame.cursor
        same = self._row is not None and self._row.query == cursor.query
        return cursor.key if same else None

    def _is_first(self, box: Box) -> bool:
        """Return whether a token begins here: of one on two lines the number stands once."""
        _paragraph, start, _length = self.layout_.ranges[box.side, box.place]
        return start >= self.layout_.line_of(box.line).textStart()

    def _piece_is_special(self, box: Box) -> bool:
        run = self.frame.run
        assert run is not None
        pieces = run.key_pieces if box.side == self._key_side else run.pieces
        return pieces[box.place].special

    # --- the mouse and the keys ------------------------------------------------------------------

    def thing_at(self, at: QPointF) -> object:
        """Return side and place of the token at a point."""
        box = self.box_at(at)
        return None if box is None else (box.side, box.place)

    def hover(self, thing: object) -> None:
        if not isinstance(thing, tuple):
            self.intent.emit(HoverPair())
            return
        side, place = thing
        query = self.frame.cursor.query
        if side == self._key_side and query is not None:
            self.intent.emit(HoverPair(query, place))
        elif side == 0:
            self.intent.emit(HoverPair(place))

    def text_at(self, at: QPointF) -> str:
        """Return a token's place and every digit of its weight."""
        box = self.box_at(at)
        if box is None:
            return ""
        if box.side != self._key_side:
            name = token_name(self.frame, box.place, key=False)
            return _("{token}, token {place}").format(token=name, place=box.place + 1)
        return told_pair(self.frame, self._row, box.place)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        box = self.box_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or box is None:
            return
        if box.side == 0:
            self._ask(box.place)
        elif self.frame.cursor.query is not None:
            self.intent.emit(SelectPair(self.frame.cursor.query, box.place))

    def _ask(self, query: int) -> None:
        """Select a query, and the key that it gives most."""
        row = row_of(self.frame, query)
        strongest = () if row is None else row.strongest
        self.intent.emit(SelectPair(query, strongest[0] if strongest else None))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ask with the token beside, above or below; go to the next larger or smaller weight."""
        event.ignore()
        if not is_alone(event) or self.frame.run is None:
            return
        key, asks = Qt.Key(event.key()), [box for box in self.layout_.boxes if box.side == 0]
        step = {Qt.Key.Key_BracketLeft: 1, Qt.Key.Key_BracketRight: -1}.get(key)
        if step is not None and self.frame.cursor.query is not None:
            event.accept()
            self.intent.emit(StepPair(step))
            return
        found = self._moved(key, asks)
        if found is not None:
            event.accept()
            if found.place != self.frame.cursor.query:
                self._ask(found.place)

    def _moved(self, key: Qt.Key, asks: list[Box]) -> Box | None:
        """Return the box that a key goes to; the first one to begin with, None for other keys."""
        keys = Qt.Key
        beside = {keys.Key_Left: -1, keys.Key_Right: 1}.get(key)
        above = {keys.Key_Up: -1, keys.Key_Down: 1}.get(key)
        ends = {keys.Key_Home: 0, keys.Key_End: -1}.get(key)
        if not asks or (beside is None and above is None and ends is None):
            return None
        places = [box.place for box in asks]
        query = self.frame.cursor.query
        if ends is not None:
            return asks[ends]
        if query not in places:
            return asks[0]
        here = asks[places.index(query)]
        if beside is not None:
            ordered = sorted(dict.fromkeys(places))
            at = min(max(ordered.index(here.place) + beside, 0), len(ordered) - 1)
            return asks[places.index(ordered[at])]
        assert above is not None
        line, x = here.line + above, (here.left + here.right) / 2
        while 0 <= line < len(self.layout_.by_line):
            row = [box for box in self.layout_.by_line[line] if box.side == 0]
            if row:
                return min(row, key=lambda box: abs((box.left + box.right) / 2 - x))
            line += above
        return here


def _cut(text: str, start: int, length: int, begins: int, line: object) -> str:
    """Return the part of a text, in the layout's units, that stands on one line."""
    ends = begins + line.textLength()  # type: ignore[attr-defined]
    low, high = max(start, begins), min(start + length, ends)
    return text.encode("utf-16-le", "replace")[2 * low : 2 * high].decode("utf-16-le", "replace")
