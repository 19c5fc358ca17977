"""A run's text laid out in lines, and where each of its tokens stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from PySide6.QtCore import QPointF
from PySide6.QtGui import QTextCharFormat, QTextLayout, QTextLine, QTextOption

from explorer.kit.pieces import seen
from explorer.kit.theme import Theme
from explorer.models.tokenizer import Piece
from explorer.text import has_right_to_left, plain_text

SIZE, SMALL = 15.5, 13  # px at 100 %, as all below: of words, and of tokens that are none
LINE, PARAGRAPH, NUMBERED = 26.6, 13.0, 11.0  # a line; after a paragraph; above printed numbers
MEASURE = 728
_APART = "\u2002"  # between a token that is no word and what stands beside it


class Side(NamedTuple):
    """The tokens of one text: of queries, of keys, or of both."""

    pieces: tuple[Piece, ...]
    queries: bool
    keys: bool


class Box(NamedTuple):
    """A part of a token on one line: its place, from x to x, and whether others touch it there."""

    side: int
    place: int
    line: int
    left: float
    right: float
    joined_left: bool
    joined_right: bool


class Run(NamedTuple):
    """What a line is painted from: the paragraph, and its line there."""

    paragraph: int
    number: int


@dataclass(frozen=True, eq=False)
class TextLayout:
    """Lines of tokens.

    Attributes
    ----------
    paragraphs : list of QTextLayout
    texts : list of str
        What stands in them.
    lines : list of Run
    boxes : list of Box
        In reading order.
    by_line : list of list of Box
    ranges : mapping of (side, place) to (paragraph, start, length)
        In the units of the layout.
    """

    paragraphs: list[QTextLayout] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    lines: list[Run] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    by_line: list[list[Box]] = field(default_factory=list)
    ranges: dict[tuple[int, int], tuple[int, int, int]] = field(default_factory=dict)

    def tops(self, theme: Theme, numbered: Sequence[int]) -> list[float]:
        """Return where each line begins and, last, where all end; `numbered` lines are higher."""
        scale, tall = theme.percent / 100, set(numbered)
        tops, y = [], 0.0
        for line, run in enumerate(self.lines):
            if line and run.number == 0:
                y += PARAGRAPH * scale
            if line in tall:
                y += NUMBERED * scale
            tops.append(y)
            y += LINE * scale
        return [*tops, y]

    def line_of(self, line: int) -> QTextLine:
        """Return the laid-out line."""
        run = self.lines[line]
        return self.paragraphs[run.paragraph].lineAt(run.number)


class _Span(NamedTuple):
    """A stretch of a paragraph: its text and the tokens that it stands for."""

    text: str
    side: int = 0
    places: tuple[int, ...] = ()
    small: bool = False


def lay_out(
    theme: Theme, width: float, text: str, sides: Sequence[Side], special: bool
) -> TextLayout:
    """Return a run's text in lines of a width.

    Parameters
    ----------
    text : str
        What the pieces' places refer to. Of several sides each begins a paragraph of its own, and
        the text is made of their tokens.
    special : bool
        Whether tokens that are no words are shown.
    """
    made = TextLayout()
    for number, side in enumerate(sides):
        whole = text if len(sides) == 1 else ""
        for spans in _paragraphs(_spans(whole, side.pieces, number, special)):
            _lay_paragraph(made, theme, width, spans)
    made.by_line.extend([] for _ in made.lines)
    for box in made.boxes:
        made.by_line[box.line].append(box)
    return made


def _spans(text: str, pieces: Sequence[Piece], side: int, special: bool) -> list[_Span]:
    """Return tokens and what stands between them, in order."""
    spans: list[_Span] = []
    known = bool(text) and any(piece.end > piece.start for piece in pieces)
    at = 0
    for place, piece in enumerate(pieces):
        if piece.special:
            if special:
                spans += [_Span(_APART), _Span(seen(piece.text), side, (place,), small=True)]
                spans.append(_Span(_APART))
            if piece.end > piece.start:
                at = max(at, piece.end)
            continue
        if not known or piece.end <= piece.start:
            if not piece.continues:
                spans.append(_Span(" "))
            spans.append(_Span(seen(piece.text), side, (place,)))
            continue
        start, end = _trimmed(text, piece.start, piece.end)
        if start < at and spans:  # bytes of one letter
            last = next(i for i in reversed(range(len(spans))) if spans[i].places)
            spans[last] = spans[last]._replace(places=(*spans[last].places, place))
            continue
        if start > at:
            spans.append(_Span(text[at:start]))
        covered = text[start:end]
        if not plain_text(covered).strip():
            spans.append(_Span(seen(covered), side, (place,), small=True))
            spans.append(_Span("\n" if "\n" in covered else ""))
        else:
            spans.append(_Span(covered, side, (place,)))
        at = end
    return spans


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a token's place without spaces at its ends, unless it is nothing else."""
    covered = text[start:end]
    if not covered.strip():
        return start, end
    return end - len(covered.lstrip()), start + len(covered.rstrip())


def _paragraphs(spans: Sequence[_Span]) -> list[list[_Span]]:
    """Return the spans of each paragraph; empty ones are left out."""
    found: list[list[_Span]] = [[]]
    for span in spans:
        if span.places:
            found[-1].append(span)
            continue
        parts = span.text.splitlines() if span.text != "\n" else ["", ""]
        if span.text.endswith(("\n", "\r")) and span.text != "\n":
            parts.append("")
        for n, part in enumerate(parts):
            if n:
                found.append([])
            if part:
                found[-1].append(_Span(plain_text(part)))
    return [each for each in found if any(span.places for span in each)]


def _lay_paragraph(made: TextLayout, theme: Theme, width: float, spans: list[_Span]) -> None:
    while not spans[0].places:
        del spans[0]
    number, at, text = len(made.paragraphs), 0, ""
    formats: list[QTextLayout.FormatRange] = []
    placed: list[tuple[_Span, int, int]] = []
    for span in spans:
        shown = span.text if not span.places else plain_text(span.text)
        length = len(shown.encode("utf-16-le", "replace")) // 2
        if span.small:
            form = QTextLayout.FormatRange()
            form.start, form.length = at, length
            style = QTextCharFormat()
            style.setFont(theme.font(SMALL))
            form.format = style
            formats.append(form)
        if span.places:
            placed.append((span, at, length))
        text, at = text + shown, at + length
    layout = QTextLayout(text, theme.font(SIZE))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setFormats(formats)
    layout.beginLayout()
    first = len(made.lines)
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0, 0))
        made.lines.append(Run(number, len(made.lines) - first))
    layout.endLayout()
    made.paragraphs.append(layout)
    made.texts.append(text)
    _place_boxes(made, layout, number, first, placed)


def _place_boxes(
    made: TextLayout,
    layout: QTextLayout,
    paragraph: int,
    first: int,
    placed: list[tuple[_Span, int, int]],
) -> None:
    turned = has_right_to_left(layout.text())
    starts = {start for _span, start, _length in placed}
    ends = {start + length for _span, start, length in placed}
    for span, start, length in placed:
        for place in span.places:
            made.ranges[span.side, place] = paragraph, start, length
        last = start + max(length, 1)
        begun = layout.lineForTextPosition(start).lineNumber()
        ended = layout.lineForTextPosition(last - 1).lineNumber()
        for number in range(begun, ended + 1):
            line = layout.lineAt(number)
            low = max(start, line.textStart())
            high = min(last, line.textStart() + line.textLength())
            xs = sorted((_x(line, low), _x(line, high)))
            # Where writing turns, the next letter stands elsewhere: letters say where they are.
            if turned and (glyphs := line.glyphRuns(low, high - low)):
                rects = [each.boundingRect() for each in glyphs]
                xs = [min(rect.left() for rect in rects), max(rect.right() for rect in rects)]
            share = (xs[1] - xs[0]) / len(span.places)
            for n, place in enumerate(span.places):
                left = xs[0] + n * share
                touched = start in ends or n > 0, last in starts or n + 1 < len(span.places)
                made.boxes.append(
                    Box(span.side, place, first + number, left, left + share, *touched)
                )


def _x(line: QTextLine, at: int) -> float:
    found = line.cursorToX(at)
    # Some versions return the cursor's position too.
    x = found[0] if isinstance(found, tuple) else found
    assert isinstance(x, float)
    return x
