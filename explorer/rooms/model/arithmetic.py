"""How the selected weight comes about: dot product, scale, softmax."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from explorer.attention import row_exponentials
from explorer.kit.all_terms import AllTerms
from explorer.kit.painted import PaintedWidget
from explorer.kit.pieces import colour_of, name_of
from explorer.kit.table.painting import draw_box, draw_text, text_width
from explorer.kit.text_runs import CAPTION, Chip, Colours, Place, RunPainter, Runs, Text, TokenInk
from explorer.kit.text_runs import plain as plain_runs
from explorer.kit.theme import Theme, TokenColour
from explorer.kit.wording import named
from explorer.rooms.model.chain import scaling
from explorer.session import Array, Role, Selection
from explorer.session.model.frame import ModelFrame
from explorer.session.model.intents import ChangeModelLook
from explorer.text import _, display_divisor, display_number, joined_long, labelled
from explorer.text.numbers import MINUS

HEIGHT = 112  # px at 100 %, as all below
_CAPTION_Y, _LINE_Y, _COUNT_Y = 20, 56, 93  # the middle of figures
_BOX = (134, 50)
_BAR, _PITCH = 2.8, 3.8
_PAD, _GAP = 14, 24  # beside a hairline: before a section, and after its line
_HAIRLINE = (15, 97)
_SIZES = (17.0, 15.0, 14.0)
_LETTERS = 14  # of a token's name
_QUERY, _KEY = TokenInk(0), TokenInk(0, key=True)
_MASKED = -1e30  # a score from which on a mask, not q · k, has spoken


@dataclass(frozen=True, eq=False)
class Sum:
    """The numbers behind one weight; what the file does not know is None.

    products : (d_k,); q · k term by term
    raw, score, row_sum : their sum, the score, and the sum of the row's exponentials
    shift : what is taken from the scores before the exponentials
    """

    weight: float
    q: Array | None = None
    k: Array | None = None
    products: Array | None = None
    raw: float | None = None
    score: float | None = None
    row_sum: float | None = None
    shift: float = 0.0

    @property
    def masked(self) -> bool:
        """Whether the query may not attend to the key."""
        return self.score is not None and self.score <= _MASKED


def sum_of(frame: ModelFrame) -> Sum | None:
    """Return the numbers behind the weight at the cursor; None where no pair is selected."""
    cursor, detail = frame.cursor, frame.head
    if detail is None or frame.run is None or cursor.query is None or cursor.key is None:
        return None
    arrays, i, j = detail.arrays, cursor.query, cursor.key
    weight = float(arrays.weights[i, j])
    q = k = products = raw = score = row_sum = None
    shift = 0.0
    if arrays.q is not None and arrays.k is not None:
        q, k = arrays.q[i].astype(np.float64), arrays.k[j].astype(np.float64)
        products = q * k
        raw = float(products.sum())
    if arrays.scores is not None:
        row = arrays.scores[i].astype(np.float64)
        score = float(row[j])
        weights = arrays.weights[i].astype(np.float64)
        _exponentials, row_sum, shift = row_exponentials(row, weights)
    return Sum(weight, q, k, products, raw, score, row_sum, shift)


class TermsBox(PaintedWidget):
    """The terms of the dot product as bars, the largest first; a click unfolds them."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Terms of the dot product"), parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.terms: Array = np.zeros(0)

    def show_terms(self, products: Array) -> None:
        """Show q · k term by term, sorted by size."""
        self.terms = np.sort(products)[::-1]
        self.setFixedSize(self.theme.px(_BOX[0]), self.theme.px(_BOX[1]))
        self.setAccessibleDescription(self.counts)
        self.update()

    @property
    def counts(self) -> str:
        """How many terms are positive, and how many negative."""
        up, down = int((self.terms > 0).sum()), int((self.terms < 0).sum())
        return _("{up} up, {down} down").format(up=up, down=down)

    def text_at(self, at: QPointF) -> str:
        """Return how many terms there are of each sign."""
        return self.counts

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, scale = self.theme, self.theme.percent / 100
        with QPainter(self) as painter:
            box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            draw_box(painter, box, theme.px(5), theme.color("raised"), theme.color("line2"))
            count = len(self.terms)
            if not count:
                return
            room, pad = self.width() - 12 * scale, 5 * scale
            pitch = min(_PITCH * scale, room / count)
            wide = pitch * _BAR / _PITCH
            high, low = max(float(self.terms[0]), 0.0), min(float(self.terms[-1]), 0.0)
            unit = (self.height() - 2 * pad) / max(high - low, 1e-30)
            zero, left = pad + high * unit, (self.width() - count * pitch) / 2
            painter.setPen(Qt.PenStyle.NoPen)
            for colour, sign in ((0.66, 1), (-0.66, -1)):
                painter.setBrush(theme.scores_map.fill(colour, 1))
                bars = []
                for place, term in enumerate(self.terms):
                    if term * sign > 0:
                        size = abs(float(term)) * unit
                        top = zero - size if sign > 0 else zero
                        bars.append(QRectF(left + place * pitch, top, wide, max(size, 0.5)))
                painter.drawRects(bars)
            painter.fillRect(QRectF(left, round(zero), count * pitch, 1), theme.color("axis"))


class Arithmetic(PaintedWidget):
    """Spells the selected weight out.

    What has no room is left out: the scale, the bars, then how the softmax comes to the weight.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("Arithmetic"), parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._frame = ModelFrame()
        self._sum: Sum | None = None
        self._painter = RunPainter(theme)
        self._sheet: AllTerms | None = None
        self._parts: list[tuple[str, Runs, Runs, bool]] = []  # caption, before, after the bars
        self._placed: list[tuple[float, str, Runs, float, Runs]] = []
        self._size, self._count_left, self._counted = _SIZES[0], 0.0, True
        self.box = TermsBox(theme, self)
        self.show_terms = QToolButton(self)
        self.show_terms.setProperty("kind", "link")
        self.show_terms.setText(_("show"))
        self.show_terms.setAccessibleName(_("Show every term"))
        self.show_terms.clicked.connect(lambda: self.intent.emit(ChangeModelLook({"terms": True})))
        self.set_height(theme.px(HEIGHT))

    def draw(self, frame: ModelFrame) -> None:
        """Spell out the pair at the cursor."""
        before, self._frame = self._frame, frame
        if before.head is not frame.head or before.cursor != frame.cursor or not self._parts:
            self._sum = sum_of(frame)
        if self._sum is not None and self._sum.products is not None:
            self.box.show_terms(self._sum.products)
        self._parts = [] if self._sum is None else self._sections(self._sum)
        self.setAccessibleDescription(joined_long(self._lines()))
        self._lay_out()
        self._show_sheet(frame.look.terms)
        self.update()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        self._painter = RunPainter(theme)
        self.box.retheme(theme)
        self.set_height(theme.px(HEIGHT))

    @property
    def text(self) -> str:
        """Everything that it says, with every term, as plain text."""
        return "\n".join(self._lines())

    def _lines(self) -> list[str]:
        return [
            labelled(caption, plain_runs(line + after)) for caption, line, after, _b in self._parts
        ]

    def captions(self) -> list[str]:
        """Return the captions of what has room, from left to right."""
        return [caption for _x, caption, *_rest in self._placed]

    # --- what it says ----------------------------------------------------------------------------

    def _names(self) -> tuple[str, str]:
        run, cursor = self._frame.run, self._frame.cursor
        assert run is not None
        assert cursor.query is not None
        assert cursor.key is not None
        names = name_of(run.pieces[cursor.query]), name_of(run.key_pieces[cursor.key])
        query, key = (n if len(n) <= _LETTERS else n[: _LETTERS - 1] + "…" for n in names)
        return query, key

    def _sections(self, made: Sum) -> list[tuple[str, Runs, Runs, bool]]:
        """Return captions, each with its line; the bars stand between the line's two halves."""
        sections: list[tuple[str, Runs, Runs, bool]] = []
        if made.raw is not None and made.products is not None:
            query, key = self._names()
            caption = _("Dot product, {count} terms").format(count=len(made.products))
            before = (
                *named("q", query, _QUERY, 600),
                Text(" · ", "ink1"),
                *named("k", key, _KEY, 600),
                Text(" = "),
            )
            raw = (Text(display_number(made.raw, 2), weight=600),)
            sections.append((caption, before, raw, True))
        detail = self._frame.head
        if made.score is not None and made.raw is not None and detail is not None:
            sections.append((_("Scale"), *self._scaled(made, detail.scale), False))
        chip = Chip(f"{made.weight:.3f}", made.weight, Selection(Role.A, 0, 0))
        if made.score is None or made.row_sum is None:
            sections.append((_("Weight"), (chip,), (), False))
        else:
            sections.append((_("Softmax"), self._softmax(made), (chip,), False))
        return sections

    def _scaled(self, made: Sum, scale: float) -> tuple[Runs, Runs]:
        assert made.raw is not None
        assert made.score is not None
        assert self._frame.head is not None
        if made.masked:
            return (Text(_("masked"), "ink2"),), (Text(f" = {MINUS}∞", weight=600),)
        step = scaling(self._frame.head).strip()
        added = made.score - made.raw * scale
        if abs(added) > 1e-3 * max(1.0, abs(made.score)):  # a mask that adds numbers
            sign = "+" if added > 0 else MINUS
            step += f" {sign} {display_number(abs(added), 3)}"
        score = Text(display_number(made.score, 3), weight=600)
        return (Text(f"{step} = ".lstrip(), "ink1"),), (score,)

    def _softmax(self, made: Sum) -> Runs:
        assert made.score is not None
        assert made.row_sum is not None
        power = f"{MINUS}∞" if made.masked else display_number(made.score, 3)
        if made.shift and not made.masked:
            sign = MINUS if made.shift > 0 else "+"
            power += f" {sign} {display_number(abs(made.shift), 3)}"
        total = display_divisor(made.row_sum, 2)
        return (Text("e"), Text(power, place=Place.SUPER), Text(f" ÷ {total} = "))

    # --- layout ----------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        """Find the largest form that has room: less of it first, then smaller letters."""
        self.show_terms.setFont(self.theme.font(13, 500))
        self.show_terms.adjustSize()
        kept = (True, True, True), (False, True, True), (False, False, True), (False, False, False)
        for size, form in ((size, form) for form in kept for size in _SIZES):
            if self._place(size, *form) <= self.width():
                break
        with_bars = any(part[3] > 0 for part in self._placed)
        self.box.setVisible(with_bars)
        self.show_terms.setVisible(bool(self._parts) and self._parts[0][3])
        if not self._placed:
            return
        x, _caption, before, _room, _after = self._placed[0]
        px, left = self.theme.px, x + self._width(before)
        if with_bars:
            self.box.move(round(left), px(_LINE_Y) - px(_BOX[1]) // 2)
        self._count_left = left if with_bars else x
        at = round(self._count_left + self._counts)
        self.show_terms.move(at, px(_COUNT_Y) - self.show_terms.height() // 2)

    @property
    def _counts(self) -> float:
        """How much room the counts of terms take, px."""
        counts = text_width(self.theme, self.box.counts, 13)
        return counts + self.theme.px(8) if self._counted else 0.0

    def _place(self, size: float, scaled: bool, bars: bool, spelled: bool) -> float:
        """Place the sections with these and return where they end, in px."""
        self._size, self._placed, self._counted = size, [], spelled
        px, x = self.theme.px, 0.0
        for caption, before, after, barred in self._parts:
            if caption == _("Scale") and not scaled:
                continue
            if caption == _("Softmax") and not spelled:
                before = ()
            x += px(_PAD)
            room = px(_BOX[0]) + px(8) if barred and bars else 0.0
            if barred and room:
                after = (Text(" = "), *after)
            wide = self._width(before) + room + self._width(after)
            title = text_width(self.theme, caption, CAPTION)
            below = self._counts + self.show_terms.width() if barred and not room else 0.0
            self._placed.append((x, caption, before, room, after))
            x += max(wide, title, below) + px(_GAP) / 2
        return x

    def _width(self, runs: Runs) -> float:
        return sum(self._painter.width(run, self._size) for run in runs)

    def sizeHint(self) -> QSize:
        """Return the design's size."""
        return QSize(self.theme.px(750), self.theme.px(HEIGHT))

    # --- painting --------------------------------------------------------------------------------

    def _colours(self) -> Colours:
        frame, theme, cursor = self._frame, self.theme, self._frame.cursor
        ink = TokenColour(theme.palette.ink1, theme.palette.ink1)
        both = [
            (colour_of(theme, frame, place) if place is not None else None) or ink
            for place in (cursor.query, cursor.key)
        ]
        return Colours([both[0]], [both[1]], 1.0, 1.0, (0, 0), None)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px = self.theme, self.theme.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            colours = self._colours()
            for x, caption, before, room, after in self._placed:
                top, low = (px(y) for y in _HAIRLINE)
                painter.fillRect(
                    QRectF(round(x) - px(_PAD), top, 1, low - top), theme.color("line2")
                )
                at = QPointF(x, px(_CAPTION_Y))
                self._painter.paint(painter, Text(caption, "ink3"), at, colours, CAPTION)
                left = x
                for runs in (before, None, after):
                    if runs is None:
                        left += room
                        continue
                    for run in runs:
                        self._painter.paint(
                            painter, run, QPointF(left, px(_LINE_Y)), colours, self._size
                        )
                        left += self._painter.width(run, self._size)
            if self._placed and self._counted and not self.show_terms.isHidden():
                counts = QRectF(
                    0, px(_COUNT_Y) - px(9), text_width(theme, self.box.counts, 13), px(18)
                )
                counts.moveLeft(self._count_left)
                draw_text(painter, theme, self.box.counts, counts, theme.color("ink3"), 13)

    # --- tooltips and terms ----------------------------------------------------------------------

    def terms_text(self) -> str:
        """Return the terms, the largest first: number, q, k and product, a term a line."""
        made = self._sum
        if made is None or made.q is None or made.k is None or made.products is None:
            return ""
        digits = int(math.log10(len(made.products))) + 1
        lines = []
        for c in np.argsort(-made.products, kind="stable"):
            values = (float(array[c]) for array in (made.q, made.k, made.products))
            q, k, product = (display_number(value, 3) for value in values)
            lines.append(f"{c + 1:>{digits}}:  {q} × {k} = {product}")
        return "\n".join(lines)

    def _show_sheet(self, wanted: bool) -> None:
        """Open the list of terms, or close it."""
        if self._sheet is not None and not wanted:
            self._sheet.close()
        elif self._sheet is None and wanted and self.isVisible() and self.terms_text():
            title = self._parts[0][0]
            self._sheet = AllTerms(title, self.terms_text(), self.theme, self)
            self._sheet.finished.connect(self._sheet_closed)
            self._sheet.show_above(self.show_terms)

    def _sheet_closed(self) -> None:
        self._sheet = None
        if self._frame.look.terms:
            self.intent.emit(ChangeModelLook({"terms": False}))
