"""What the panel of the chosen head is made of: its figures, a pair, and a list of pairs."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from explorer.kit.markers import draw_marker
from explorer.kit.painted import PaintedWidget, row_asked
from explorer.kit.pieces import colour_of, name_of, numbered
from explorer.kit.table.painting import (
    LEFT,
    RIGHT,
    SELECTED,
    draw_band,
    draw_box,
    draw_outline,
    draw_text,
    elided,
    text_width,
)
from explorer.kit.theme import Colormap, Theme
from explorer.models.figures import NAMED, PLACES, Kind, Pair
from explorer.rooms.model.words import ink_of, kind_name, rule_of
from explorer.session import Space
from explorer.session.model.frame import ModelFrame
from explorer.session.model.intents import HoverPair, SelectPair
from explorer.text import _, full_number, joined, labelled

PAD = 16  # px at 100 %, as all below
_LINE = 24
_BAR_LEFT, _BAR_WIDTH, _BAR_HEIGHT = 131, 176, 12
_NUMBER = 44
_ROW = 29
_ARROW, _QUERY_END, _KEY_START, _BARS, _BAR = 100, 88, 115, 184, 125
_LEAST_FILL = 0.25
_SHOWN = (Kind.SELF, Kind.PREVIOUS, Kind.NEXT, Kind.FIRST, Kind.END)


class FiguresBox(PaintedWidget):
    """Entropy and distance as numbers, and the mean weight on five places as bars."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Measures of the head"), parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._frame = ModelFrame()

    def draw(self, frame: ModelFrame) -> None:
        """Show the figures of the head at the cursor."""
        self._frame = frame
        self.set_height(self.theme.px(_LINE * (4 + len(self._kinds))))
        lines = [f"{name} {text}{after}" for name, text, after in self._facts()]
        lines += [f"{name} {value:.2f}" for name, value, _kind in self._weights()]
        self.setAccessibleDescription(joined(lines))
        self.update()

    @property
    def _kinds(self) -> list[Kind]:
        run = self._frame.run
        ends = run is not None and any(piece.special for piece in run.key_pieces[1:])
        return [kind for kind in _SHOWN if ends or kind is not Kind.END]

    def _facts(self) -> list[tuple[str, str, str]]:
        run, cursor = self._frame.run, self._frame.cursor
        if run is None:
            return []
        figures, at = run.figures, (cursor.layer, cursor.head)
        most = _(" of {most} bit").format(most=f"{figures.most[cursor.layer]:.2f}")
        facts = [(_("entropy of a row"), f"{figures.entropy[at]:.2f}", most)]
        if run.square:
            distance = f"{figures.distance[at]:.1f}"
            facts.append((_("mean distance"), distance, " " + _("tokens")))
        return facts

    def _weights(self) -> list[tuple[str, float, Kind]]:
        run, cursor = self._frame.run, self._frame.cursor
        if run is None:
            return []
        names = {
            Kind.SELF: _("the token itself"),
            Kind.PREVIOUS: _("the previous"),
            Kind.NEXT: _("the next"),
        }
        values = run.figures.places[cursor.layer, cursor.head]
        return [
            (
                names.get(kind) or kind_name(self._frame, kind),
                float(values[PLACES.index(kind)]),
                kind,
            )
            for kind in self._kinds
        ]

    def bar(self, place: int) -> QRectF:
        """Return where the track of a bar lies; its whole width stands for 1."""
        px = self.theme.px
        room = self.width() - px(_BAR_LEFT) - px(PAD + _NUMBER)
        top = px(_LINE) * (3 + place) + (px(_LINE) - px(_BAR_HEIGHT)) // 2
        return QRectF(px(_BAR_LEFT), top, max(min(px(_BAR_WIDTH), room), 1), px(_BAR_HEIGHT))

    def text_at(self, at: QPointF) -> str:
        """Return the rule for the row at a point."""
        place = int(at.y() // self.theme.px(_LINE)) - 3
        rows = self._weights()
        if 0 <= place < len(rows):
            name, value, kind = rows[place]
            return f"{labelled(name, full_number(round(value, 6)))}\n{rule_of(kind)}"
        return ""

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._frame.run is None:
            return
        with QPainter(self) as painter:
            theme, px = self.theme, self.theme.px
            wide, high = self.width() - 2 * px(PAD), px(_LINE)
            ink1, ink2, ink3 = (theme.color(name) for name in ("ink1", "ink2", "ink3"))
            for place, (name, text, after) in enumerate(self._facts()):
                line = QRectF(px(PAD), place * high, wide, high)
                draw_text(painter, theme, name, line, ink2, 14, 400, LEFT)
                draw_text(painter, theme, after, line, ink3, 14, 400, RIGHT)
                line.setWidth(wide - text_width(theme, after, 14))
                draw_text(painter, theme, text, line, ink1, 14, 600, RIGHT)
            caption = QRectF(px(PAD), 2 * high, wide, high)
            draw_text(painter, theme, _("mean weight on"), caption, ink3, 13, 400, LEFT)
            rows = self._weights()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for place, (name, value, _kind) in enumerate(rows):
                line = QRectF(px(PAD), (3 + place) * high, wide, high)
                shown = elided(theme, name, 14, 400, px(_BAR_LEFT - PAD - 6))
                draw_text(painter, theme, shown, line, ink2, 14, 400, LEFT)
                draw_text(painter, theme, f"{value:.2f}", line, ink1, 14, 400, RIGHT)
                paint_bar(painter, theme, self.bar(place), value, theme.weights_map.fill(0.5, 1))
            if rows:
                self._paint_limit(painter, len(rows))

    def _paint_limit(self, painter: QPainter, rows: int) -> None:
        """Draw the dotted line from which on a head is named after a place."""
        theme, px, first = self.theme, self.theme.px, self.bar(0)
        x = round(first.left() + NAMED * first.width()) + 0.5
        low = self.bar(rows - 1).bottom() + px(5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        pen = QPen(theme.color("ink3"), theme.percent / 100, Qt.PenStyle.DotLine)
        painter.setPen(pen)
        painter.drawLine(QPointF(x, first.top() - px(5)), QPointF(x, low))
        text = _("{limit} is needed").format(limit=f"{NAMED:.2f}")
        half = text_width(theme, text, 13) / 2
        where = QRectF(x - half, low, 2 * half, px(_LINE) - px(4))
        draw_text(painter, theme, text, where, theme.color("ink3"), 13)


def paint_bar(painter: QPainter, theme: Theme, track: QRectF, share: float, fill: QColor) -> None:
    """Paint a bar on its track; a very small share is still seen."""
    draw_box(painter, track, theme.px(2), theme.color("hover"))
    bar = QRectF(track)
    bar.setWidth(max(track.width() * min(share, 1.0), theme.px(3)))
    draw_box(painter, bar, theme.px(2), fill)


def draw_value_chip(
    painter: QPainter, theme: Theme, chip: QRectF, text: str, value: float, colours: Colormap
) -> None:
    """Draw a value large on its colour."""
    edge, width = theme.color("ink1"), 2.25 * theme.percent / 100
    draw_box(painter, chip, theme.px(5), colours.fill(value, 1), edge, width)
    draw_text(painter, theme, text, chip, colours.text(value, 1), 17, 600)


class PairBox(PaintedWidget):
    """The selected pair: its two tokens and the weight between them."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Selected pair"), parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._frame = ModelFrame()

    def draw(self, frame: ModelFrame) -> None:
        """Show the pair at the cursor."""
        self._frame = frame
        self.set_height(self.theme.px(40))
        self.setAccessibleDescription(self.said)
        self.update()

    @property
    def pair(self) -> Pair | None:
        """The pair that is shown."""
        frame, cursor = self._frame, self._frame.cursor
        if frame.run is None or frame.head is None or cursor.query is None or cursor.key is None:
            return None
        weight = float(frame.head.arrays.weights[cursor.query, cursor.key])
        return Pair(cursor.query, cursor.key, weight)

    @property
    def said(self) -> str:
        """The pair as one line."""
        pair, run = self.pair, self._frame.run
        if pair is None or run is None:
            return _("Choose a cell, or a row below")
        names = run.pieces[pair.query], run.key_pieces[pair.key]
        query, key = map(name_of, names)
        return f"{query} → {key} {pair.weight:.3f}"

    def text_at(self, at: QPointF) -> str:
        """Return the pair with every digit of the weight."""
        pair = self.pair
        return "" if pair is None else f"{self.said}\n{full_number(round(pair.weight, 9))}"

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px, frame = self.theme, self.theme.px, self._frame
        with QPainter(self) as painter:
            line = QRectF(px(PAD), 0, self.width() - 2 * px(PAD), self.height())
            pair = self.pair
            if pair is None or frame.run is None:
                if frame.run is not None:
                    draw_text(painter, theme, self.said, line, theme.color("ink3"), 14, 400, LEFT)
                return
            text = f"{pair.weight:.3f}"
            chip = QRectF(0, 0, text_width(theme, text, 17, 600) + px(18), px(32))
            chip.moveCenter(QPointF(line.right() - chip.width() / 2 - 1, line.center().y()))
            draw_value_chip(painter, theme, chip, text, pair.weight, theme.weights_map)
            x, middle = line.left(), line.center().y()
            end = chip.left() - px(10)
            both = (
                (Space.Q, pair.query, frame.run.pieces),
                (Space.K, pair.key, frame.run.key_pieces),
            )
            for space, place, pieces in both:
                if space is Space.K:
                    arrow = QRectF(x, 0, px(28), line.height())
                    draw_text(painter, theme, "→", arrow, theme.color("ink2"), 16)
                    x = arrow.right()
                colour = colour_of(theme, frame, place) or theme.neutral_token
                draw_marker(painter, theme, QPointF(x + px(8), middle), colour, space, 15)
                x += px(24)
                half = (end - x - px(52)) / 2 if space is Space.Q else end - x
                name, number = numbered(pieces, place)
                beside = text_width(theme, f" {number}", 13) if number else 0
                name = elided(theme, name, 17, 600, max(int(half - beside), px(20)))
                box = QRectF(x, 0, text_width(theme, name, 17, 600), line.height())
                draw_text(
                    painter, theme, name, box, ink_of(theme, frame, place, "ink1"), 17, 600, LEFT
                )
                x = box.right()
                if number:
                    box = QRectF(x, px(2), beside, line.height() - px(2))
                    draw_text(painter, theme, number, box, theme.color("ink3"), 13, 400, RIGHT)
                    x += beside


class PairList(PaintedWidget):
    """The strongest pairs of the head; a click or an arrow key selects one."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Strongest pairs"), parent)
        self._frame = ModelFrame()

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """What is shown, the strongest first."""
        return () if self._frame.head is None else self._frame.head.pairs

    @property
    def chosen(self) -> int | None:
        """The row of the selected pair; None where it is not here."""
        cursor = self._frame.cursor
        return self._place(cursor.query, cursor.key)

    def _place(self, query: int | None, key: int | None) -> int | None:
        both = ((pair.query, pair.key) for pair in self.pairs)
        return next((i for i, pair in enumerate(both) if pair == (query, key)), None)

    def draw(self, frame: ModelFrame) -> None:
        """Show the pairs of the head at the cursor."""
        self._frame = frame
        self.set_height(max(len(self.pairs), 1) * self.theme.px(_ROW) + self.theme.px(4))
        self.setAccessibleDescription(joined(map(self._said, self.pairs)))
        self.update()

    def _said(self, pair: Pair) -> str:
        run = self._frame.run
        assert run is not None
        query, key = name_of(run.pieces[pair.query]), name_of(run.key_pieces[pair.key])
        return f"{query} → {key} {pair.weight:.2f}"

    def row(self, place: int) -> QRectF:
        """Return the rectangle of a row."""
        px = self.theme.px
        around = px(8)
        return QRectF(around, px(2) + place * px(_ROW), self.width() - 2 * around, px(_ROW))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            theme, hovered = self.theme, self._place(*self._frame.hover)
            for place, pair in enumerate(self.pairs):
                row = self.row(place)
                if place == hovered:
                    draw_band(painter, theme, row)
                self._paint_row(painter, row, pair, place == self.chosen)
            if self.chosen is None:
                self.paint_ring(painter)

    def _paint_row(self, painter: QPainter, row: QRectF, pair: Pair, chosen: bool) -> None:
        theme, px, frame = self.theme, self.theme.px, self._frame
        assert frame.run is not None
        ink1, ink2 = theme.color("ink1"), theme.color("ink2")
        left, top, high = row.left() - px(8), row.top(), row.height()
        draw_text(painter, theme, "→", QRectF(left + px(_ARROW - 12), top, px(24), high), ink2, 14)
        for place, pieces, box, align in (
            (
                pair.query,
                frame.run.pieces,
                QRectF(left + px(PAD), top, px(_QUERY_END - PAD), high),
                RIGHT,
            ),
            (
                pair.key,
                frame.run.key_pieces,
                QRectF(left + px(_KEY_START), top, px(_BARS - _KEY_START - 8), high),
                LEFT,
            ),
        ):
            ink = ink_of(theme, frame, place)
            weight = 400 if frame.slot(place) is None else 600
            name, which = numbered(pieces, place)
            beside = text_width(theme, f" {which}", 12) if which else 0.0
            name = elided(theme, name, 14, weight, max(int(box.width() - beside), 1))
            if align == RIGHT:
                box.setRight(box.right() - beside)
            draw_text(painter, theme, name, box, ink, 14, weight, align)
            if which:
                wide = text_width(theme, name, 14, weight)
                after = box.right() if align == RIGHT else box.left() + wide
                where = QRectF(after, top + px(1), beside, high)
                draw_text(painter, theme, which, where, theme.color("ink3"), 12, 400, RIGHT)
        room = row.right() - px(8 + _NUMBER + 6) - left - px(_BARS)
        bar = QRectF(0, 0, max(min(px(_BAR), room) * min(pair.weight, 1.0), px(3)), px(11))
        bar.moveTopLeft(QPointF(left + px(_BARS), round(row.center().y() - bar.height() / 2)))
        draw_box(painter, bar, px(2), theme.weights_map.fill(max(pair.weight, _LEAST_FILL), 1))
        number = row.adjusted(0, 0, -px(8), 0)
        draw_text(
            painter, theme, f"{pair.weight:.2f}", number, ink1, 14, 600 if chosen else 400, RIGHT
        )
        if chosen:
            draw_outline(painter, theme, row.adjusted(1.5, 0.5, -1.5, -0.5), SELECTED)

    # --- mouse and keys --------------------------------------------------------------------------

    def thing_at(self, at: QPointF) -> object:
        """Return the place of the row at a point."""
        place = int((at.y() - self.theme.px(2)) // self.theme.px(_ROW))
        return place if 0 <= place < len(self.pairs) else None

    def hover(self, thing: object) -> None:
        """Show the pair everywhere."""
        if isinstance(thing, int):
            pair = self.pairs[thing]
            self.intent.emit(HoverPair(pair.query, pair.key))
        else:
            self.intent.emit(HoverPair())

    def text_at(self, at: QPointF) -> str:
        """Return the tokens with their places, and every digit of the weight."""
        place, run = self.thing_at(at), self._frame.run
        if not isinstance(place, int) or run is None:
            return ""
        pair = self.pairs[place]
        names = _("{query} (token {row}) → {key} (token {column})").format(
            query=name_of(run.pieces[pair.query]),
            row=pair.query + 1,
            key=name_of(run.key_pieces[pair.key]),
            column=pair.key + 1,
        )
        return f"{names}\n{full_number(round(pair.weight, 9))}"

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.thing_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and isinstance(place, int):
            self._select(place)

    def _select(self, place: int) -> None:
        pair = self.pairs[place]
        self.intent.emit(SelectPair(pair.query, pair.key))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select a row by an arrow key."""
        place = row_asked(event, self.chosen, len(self.pairs))
        if place is None:
            event.ignore()
        else:
            self._select(place)
