"""What is said beside a slide's picture, with its formula and the bar of shares."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from statistics import fmean
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from explorer.kit.code_lines import CodeLines
from explorer.kit.formula import FormulaView, drawn
from explorer.kit.labels import show_title
from explorer.kit.table.painting import draw_box
from explorer.kit.theme import SCALES, Theme, TokenColour
from explorer.rooms.present.sizes import LEAST, Sizes
from explorer.rooms.present.steps import Steps
from explorer.session import Frame, Stage
from explorer.session.lesson import Code
from explorer.text import Problem, _, display_number, displayable, joined

# What a line may end with, in the order in which that is tried: a gap, a relation; and what may
# begin one: the next term of a sum.
_GAP = re.compile(r"\\q?quad\s*|\\;\s*")
_RELATION = re.compile(r"(?:=|\\approx|\\leq?|\\geq?|\\in|\\to)(?![A-Za-z])\s*")
_TERM = re.compile(r"(?=[+-])")
_PIECE = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)
_OPENS, _CLOSES = ("{", r"\left"), ("}", r"\right")
# What stands on one line: a word, or one Chinese character.
_PART = r"(?:[\u2e80-\uffef]|[^\s\u2060\u2e80-\uffef]+)"
_UNBROKEN = re.compile(rf"{_PART}(?:[\u2060\u00a0]{_PART})*")
_ROUND = ("(", "["), (")", "]")  # closed to all but the last attempt


def broken(tex: str) -> Iterator[str]:
    """Yield a formula on one line, then on more and more of them."""
    yield tex
    lines = [tex]
    for pattern, within in ((_GAP, False), (_RELATION, False), (_TERM, False), (_TERM, True)):
        finer = [part for line in lines for part in _split(line, pattern, within)]
        if len(finer) > len(lines):
            lines = finer
            rows = r" \\ ".join(rf"\displaystyle {line}" for line in lines)
            yield rf"\begin{{array}}{{l}} {rows} \end{{array}}"


def _split(tex: str, pattern: re.Pattern[str], within: bool) -> list[str]:
    """Return the parts of a formula, cut after a pattern wherever that is outside brackets.

    within : whether it may be in round ones that do not grow
    """
    opens = _OPENS if within else _OPENS + _ROUND[0]
    closes = _CLOSES if within else _CLOSES + _ROUND[1]
    parts, start, depth = [], 0, 0
    for piece in _PIECE.finditer(tex):
        found = pattern.match(tex, piece.start()) if depth == 0 else None
        if found is not None and tex[start : found.end()].strip():
            end = found.start() if pattern is _GAP else found.end()
            parts.append(tex[start:end].strip())
            start = found.end()
        depth += (piece[0] in opens) - (piece[0] in closes)
    return [part for part in (*parts, tex[start:].strip()) if part]


_HEIGHT, _SHARE_BAR_GAP, _RADIUS, _NAME = 48, 6, 4, 22  # px of the drawn page
_AIR = 10  # between names
_OVER = 12  # by which a name may stand out at the right
LONGEST = 14  # letters of a name


class Share(NamedTuple):
    """One token's part of the bar."""

    name: str
    share: float
    colour: TokenColour


def shares_of(frame: Frame, query: int, theme: Theme) -> tuple[Share, ...]:
    """Return a token's weights."""
    names = [displayable(token, LONGEST) for token in frame.scene.key_tokens]
    row = np.nan_to_num(frame.weights[query]).tolist()
    return tuple(map(Share, names, row, theme.token_colours(frame)[1]))


class ShareBar(QWidget):
    """Draws shares as lengths; the whole width of the bar is 1."""

    def __init__(self, sizes: Sizes, parent: QWidget) -> None:
        super().__init__(parent)
        self._sizes, self._shares = sizes, tuple[Share, ...]()

    def show_shares(self, shares: tuple[Share, ...], sizes: Sizes) -> None:
        """Show how 1 is shared."""
        self._sizes, self._shares = sizes, shares
        told = [f"{each.name} {display_number(each.share, 3)}" for each in shares]
        self.setAccessibleName(_("Shares: {shares}").format(shares=joined(told)))
        self.update()

    def height_needed(self, sizes: Sizes) -> int:
        """Return the height of bar and names."""
        return round(
            sizes.px(_HEIGHT + _SHARE_BAR_GAP) + QFontMetricsF(sizes.font(_NAME, 600)).height() + 1
        )

    def width_needed(self, sizes: Sizes, width: int) -> int:
        """Return the width of bar and names for a bar of a width."""
        return width + sizes.px(_OVER)

    def segments(self) -> list[QRectF]:
        """Return where each token's part is."""
        edges = np.concatenate([[0.0], np.cumsum([each.share for each in self._shares])])
        edges = edges * (self.width() - self._sizes.px(_OVER))
        height = self._sizes.px(_HEIGHT)
        return [
            QRectF(left, 0, right - left, height)
            for left, right in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
        ]

    def names(self) -> list[tuple[Share, QRectF]]:
        """Return the names that have room, each with its rectangle: those of large shares first.

        A name stands below its part, or as near to that as its neighbours let it.
        """
        metrics = QFontMetricsF(self._sizes.font(_NAME, 600))
        top, air = self._sizes.px(_HEIGHT + _SHARE_BAR_GAP), self._sizes.px(_AIR)
        room = self.width() + float(air)
        shown: list[tuple[float, float, Share]] = []  # where its part's middle is, and its width
        parts = sorted(
            zip(self._shares, self.segments(), strict=True), key=lambda part: -part[0].share
        )
        for share, part in parts:
            width = metrics.horizontalAdvance(share.name) + air
            if share.share > 0 and width <= room:
                shown.append((part.center().x() + air / 2, width, share))
                room -= width
        shown.sort(key=lambda each: each[0])
        lefts = _side_by_side([each[:2] for each in shown], room)
        return [
            (share, QRectF(left, top, width - air, metrics.height()))
            for left, (_middle, width, share) in zip(lefts, shown, strict=True)
        ]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint bar and names."""
        sizes = self._sizes
        with QPainter(self) as painter:
            for share, part in zip(self._shares, self.segments(), strict=True):
                if part.width() > 1:
                    inside = part.adjusted(0.75, 0.75, -0.75, -0.75)
                    fill, edge = QColor(share.colour.fill), QColor(share.colour.ink)
                    draw_box(painter, inside, sizes.px(_RADIUS), fill, edge, 1.5)
            painter.setFont(sizes.font(_NAME, 600))
            ascent = QFontMetricsF(painter.font()).ascent()
            for share, box in self.names():
                painter.setPen(QColor(share.colour.ink))
                painter.drawText(box.topLeft() + QRectF(0, ascent, 0, 0).topLeft(), share.name)


def _side_by_side(boxes: Sequence[tuple[float, float]], spare: float) -> Iterator[float]:
    """Yield the left edges of boxes, each as near to its place as the others let it.

    boxes : the middle where each wants to stand, ascending, and its width
    spare : the room that they leave together
    """
    before = [0.0, *accumulate(width for _middle, width in boxes)]
    blocks: list[list[float]] = []  # boxes that touch, each by where it wants the first of all
    for (middle, width), taken in zip(boxes, before, strict=False):
        block = [middle - width / 2 - taken]
        while blocks and fmean(blocks[-1]) > fmean(block):
            block = blocks.pop() + block
        blocks.append(block)
    wanted = [fmean(block) for block in blocks for _box in block]
    for left, taken in zip(wanted, before, strict=False):
        yield min(max(0.0, left), spare) + taken


_MARGIN, _TOP, _BOTTOM = 40, 34, 28  # px of the drawn page
_INSET = 36  # of the buttons below
_EDGE = 12  # kept free at the right of a wide formula
_TALLEST = 92  # of a formula at the foot of a window
_LONGEST = 90  # letters of a title


class Said(NamedTuple):
    """What is said.

    Parameters
    ----------
    title : str
    text : str
        HTML.
    formula : str
        LaTeX; empty where there is none.
    inks : mapping of str to str
        The colours of tokens in the formula, by name.
    shares : tuple of Share
        None of them where there is no bar.
    code : Code
    """

    title: str = ""
    text: str = ""
    formula: str = ""
    inks: Mapping[str, str] = {}
    shares: tuple[Share, ...] = ()
    code: Code = Code()


class _Size(NamedTuple):
    """Sizes of what is said, in px of the drawn page."""

    title: int
    formula: int
    text: int
    space: int


# Each is taken where there is no room for the one before.
_SMALLER = (
    _Size(60, 60, 40, 36),
    _Size(54, 54, 36, 32),
    _Size(48, 48, 32, 28),
    _Size(44, 44, 28, 26),
    _Size(38, 40, 26, 20),
    _Size(34, 36, 25, 16),
    _Size(30, 32, 23, 12),
    _Size(26, 28, 20, 8),
)
_ON_ONE_LINE = 0.75  # of a title's size is the least to which it shrinks to stand on one line
_CODE = 0.8  # of the text's size, which the letters of code have at least
_CODE_LINES = (30, 9, 5, 3)  # lines of code that are shown: fewer where there is no room
_BELOW = _Size(26, 32, 23, 6)  # below a picture that takes the whole width
_CODE_BELOW, _LINES_BELOW = 0.4, 3  # of the width; lines at most, beside what is said there


class Side(QWidget):
    """Stands on the left of a picture, or below one that takes the whole width.

    Parameters
    ----------
    letters : tuple of Stage
        The chain among the steps; empty where pages are counted instead.
    """

    def __init__(self, letters: tuple[Stage, ...], parent: QWidget) -> None:
        super().__init__(parent)
        self._sizes = Sizes()
        self._said = Said()
        self._below = False
        self.title, self.text = (_label(self, name) for name in ("title", "text"))
        self.formula = FormulaView(self._sizes.theme, _SMALLER[0].formula, self)
        self.formula.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.code = CodeLines(self._sizes.theme, self)
        self.code.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.bar = ShareBar(self._sizes, self)
        self.steps = Steps(letters, self)

    def say(self, said: Said) -> None:
        """Say something else."""
        self._said = said
        show_title(self.title, displayable(said.title, _LONGEST))
        self.text.setText(said.text)
        self.bar.show_shares(said.shares, self._sizes)
        self._lay_out()

    def arrange(self, sizes: Sizes, whole: QRect, width: int, below: bool) -> None:
        """Take a place in a window: `width` px on its left, or, `below`, its foot."""
        self._sizes, self._below = sizes, below
        self.formula.retheme(sizes.theme)
        self.bar.show_shares(self._said.shares, sizes)
        self.setGeometry(QRect(0, 0, width, whole.height()))
        if below:
            height = self._height_below(whole.width())
            self.setGeometry(0, whole.height() - height, whole.width(), height)
        self._lay_out()

    # --- on the left -----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        if self._below:
            self._place_below()
            return
        sizes = self._sizes
        inset, height = sizes.px(_INSET), Steps.height_needed(sizes)
        y = self.height() - sizes.px(_BOTTOM) - height
        self.steps.setGeometry(inset, y, self.width() - 2 * inset, height)
        self.steps.arrange(sizes)
        # With smaller scripts where there is no room for larger ones; without the formula where
        # that leaves no room either.
        for tex, least in dict.fromkeys(
            ((self._said.formula, sizes.scripts), (self._said.formula, LEAST), ("", LEAST))
        ):
            for lines in _CODE_LINES if self._said.code.lines else (0,):
                for size in _SMALLER:
                    if self._stack(sizes, size, tex, least, lines):
                        return
        # A page of questions may have too many words for larger text.
        for percent in (percent for percent in reversed(SCALES) if percent < sizes.percent):
            for size in _SMALLER:
                if self._stack(replace(sizes, percent=percent), size, "", LEAST, _CODE_LINES[-1]):
                    return

    def _stack(self, sizes: Sizes, size: _Size, tex: str, least: int, lines: int) -> bool:
        """Put everything below each other; return whether there is room for all of it."""
        margin = sizes.px(_MARGIN)
        width, y = self.width() - 2 * margin, sizes.px(_TOP)
        over = margin - sizes.px(_EDGE)
        self._fit_title(sizes.heading(size.title, size.text), width, sizes.text(size.text))
        self.text.setFont(sizes.font(size.text))
        self.bar.setVisible(bool(self._said.shares))
        fits = self._draw_formula(tex, sizes.text(size.formula), width + over, least)
        self.code.show_code(self._said.code, lines)
        letters = sizes.text(size.text)
        self.code.resize_letters(sizes.theme, letters, max(sizes.least, round(_CODE * letters)))
        for part in (self.title, self.formula, self.code, self.text, self.bar):
            if part.isHidden():
                continue
            if part is self.bar:
                self.bar.show_shares(self._said.shares, sizes)
                wide, height = self.bar.width_needed(sizes, width), self.bar.height_needed(sizes)
                y += sizes.px(4)
            else:
                wide = width + (over if part in (self.formula, self.code) else 0)
                height = part.heightForWidth(wide)
            part.setGeometry(margin, y, wide, height)
            y += height + sizes.px(size.space)
        return fits and _widest_word(self.title) <= width and y <= self.steps.y()

    def _fit_title(self, font: QFont, width: int, least: int) -> None:
        """Set the title in a font, a little smaller where it then needs no second line.

        Else its last letters would stand alone: Chinese is broken anywhere.
        """
        self.title.setFont(font)
        wide = self.title.fontMetrics().horizontalAdvance(self.title.text())
        smaller = int(font.pixelSize() * width / max(wide, 1) * 0.99)
        if wide > width and smaller >= max(least, _ON_ONE_LINE * font.pixelSize()):
            font.setPixelSize(smaller)
            self.title.setFont(font)

    def _draw_formula(self, tex: str, size: int, width: int, least: int) -> bool:
        """Draw the formula at most so large, on as few lines as its scripts allow.

        Return whether it fits.
        """
        self.formula.hide()
        if not tex:
            return True
        ink, inks = self._sizes.theme.palette.ink1, self._said.inks
        try:
            for lines in broken(tex):
                made = drawn(lines, size, ink, inks)
                needed = math.ceil(least / (made.smallest / size))
                fitting = max(min(size, int(size * (width - 2) / made.width)), needed)
                if made.width / size * fitting <= width:
                    self.formula.set_size(fitting)
                    self.formula.show_formula(lines, inks)
                    self.formula.show()
                    return True
        except Problem:
            return True  # the lesson's panel says what is wrong with it
        return False

    # --- below -----------------------------------------------------------------------------------

    @property
    def crowded(self) -> bool:
        """Whether what is said at the foot of a window wants another height."""
        return self._below and self._height_below(self.width()) != self.height()

    def _height_below(self, width: int) -> int:
        """Return the height of the foot of a window."""
        sizes = self._sizes
        self._style_below()
        words = self._words_below(width)
        said = self.title.heightForWidth(words) + self.text.heightForWidth(words)
        tallest = max(said + sizes.px(_BELOW.space), Steps.height_needed(sizes))
        if not self._beside_below.isHidden():
            tallest = max(tallest, self._size_beside(width).height())
        return tallest + 2 * sizes.px(10)

    def _style_below(self) -> None:
        sizes = self._sizes
        self.bar.hide()
        code = self._said.code
        self.code.show_code(code, max(len(code.marked), 1) if code.marked else _LINES_BELOW)
        self.code.resize_letters(sizes.theme, sizes.text(_BELOW.text), sizes.least)
        self.title.setFont(sizes.font(_BELOW.title, 700))
        self.text.setFont(sizes.font(_BELOW.text))
        room = sizes.px(_MARGIN) * 8
        self._draw_formula(self._said.formula, sizes.text(_BELOW.formula), room, LEAST)
        if code.lines or self.formula.sizeHint().height() > sizes.px(_TALLEST):
            self.formula.hide()  # the picture needs the room

    def _words_below(self, width: int) -> int:
        """Return the width of what is said at the foot of a window."""
        sizes = self._sizes
        taken = 2 * sizes.px(_INSET) + 2 * (Steps.height_needed(sizes) + sizes.px(24))
        if not self._beside_below.isHidden():
            taken += self._size_beside(width).width() + sizes.px(_MARGIN)
        return width - taken

    @property
    def _beside_below(self) -> CodeLines | FormulaView:
        """What stands beside the words at the foot of a window."""
        return self.code if self._said.code.lines else self.formula

    def _size_beside(self, width: int) -> QSize:
        """Return the size of that in a window of a width."""
        if self._said.code.lines:
            wide = round(_CODE_BELOW * width)
            return QSize(wide, self.code.heightForWidth(wide))
        wide = self.formula.sizeHint().width()
        return QSize(wide, self.formula.heightForWidth(wide))

    def _place_below(self) -> None:
        sizes, inset = self._sizes, self._sizes.px(_INSET)
        self._style_below()
        side = Steps.height_needed(sizes)
        self.steps.setGeometry(inset, (self.height() - side) // 2, self.width() - 2 * inset, side)
        self.steps.arrange(sizes, ends=True)
        left, words = inset + side + sizes.px(24), self._words_below(self.width())
        labels = self.title, self.text
        y = (self.height() - sum(label.heightForWidth(words) for label in labels)) // 2
        for label in labels:
            label.setGeometry(left, y, words, label.heightForWidth(words))
            y += label.height()
        size, beside = self._size_beside(self.width()), self._beside_below
        middle = (self.height() - size.height()) // 2
        beside.setGeometry(QRect(QPoint(left + words + sizes.px(_MARGIN), middle), size))
        for part in (self.title, self.text, beside):
            part.raise_()


def _label(parent: QWidget, name: str) -> QLabel:
    label = QLabel(parent)
    label.setObjectName(f"present-{name}")
    label.setTextFormat(Qt.TextFormat.PlainText if name == "title" else Qt.TextFormat.RichText)
    label.setWordWrap(True)
    label.setProperty("ink", "ink1")
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    return label


def _widest_word(label: QLabel) -> int:
    metrics = label.fontMetrics()
    return max(map(metrics.horizontalAdvance, _UNBROKEN.findall(label.text())), default=0)
