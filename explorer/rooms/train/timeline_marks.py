"""The chapters of one run or two as pennants above the timeline's curves, in two rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from explorer.kit.canvas.text import Word, word
from explorer.kit.loss_curves import Curves, seen_until
from explorer.kit.run_badge import SIDE, draw_badge, run_ink
from explorer.kit.theme import Theme
from explorer.rooms.train.timeline_paint import DOT, ChartLayout, paint_word
from explorer.session.train import TrainFrame
from explorer.session.train.frame import Chapter
from explorer.text import N_, Message, display_number, displayable, labelled
from explorer.traces import Mark

ROOM = 28  # px at 100 % that the rows take from the curves
END = 78  # px at 100 % at the right, for the last losses of two runs
_TOPS = (2, 19)  # of the rows
_WIDE, _HIGH = 9, 11  # a pennant
_TEXT = 12.5
_GAP = 5
_MOST_TRIED = 4000  # arrangements of chapters


@dataclass(frozen=True, eq=False)
class Placed:
    """A chapter with its pennant and text; no text in a low window.

    text : (x, middle) of it, or None
    box : both, for the mouse
    """

    chapter: Chapter
    letter: str
    pennant: QRectF
    label: Word | None
    text: tuple[float, float] | None
    box: QRectF


def marked(frame: TrainFrame) -> list[tuple[str, Chapter]]:
    """Return the marks and chapters of A and B, each with the run's letter, by their rank.

    Those after what is seen of the curves would tell what the curves do there.
    """
    found = [("A", own(mark)) for mark in frame.marks_of(frame.shown)]
    other = frame.other
    if other is not None:
        found += [("B", own(mark)) for mark in frame.marks_of(other.shown)]
    found += [("A", chapter) for chapter in frame.chapters]
    if other is not None:
        found += [("B", chapter) for chapter in other.chapters]
    until = seen_until(frame)
    return [each for each in found if until is None or each[1].epoch <= until]


def own(mark: Mark) -> Chapter:
    """Return a mark that somebody put as a chapter."""
    text = Message("{text}", {"text": displayable(mark.text)})
    return Chapter(mark.epoch, text, Message(N_("A mark of your own, saved with the run")))


def placed(
    theme: Theme, laid: ChartLayout, chapters: Sequence[tuple[str, Chapter]], width: float
) -> list[Placed]:
    """Return where chapters stand: where some would cover others, as few as can be have no place.

    width : of the whole picture
    """
    shown = [each for each in chapters if laid.axis.holds(each[1].epoch)]
    search = _Search([_spots(theme, laid, *each, width) for each in shown])
    search.go(0, [], [])
    return search.best


class _Spot(NamedTuple):
    """A place that a chapter may take, and the rectangles that it covers."""

    mark: Placed
    covers: tuple[QRectF, ...]


class _Search:
    """Looks for places that leave out as few chapters as can be, of later rank first."""

    def __init__(self, spots: list[list[_Spot]]) -> None:
        self._spots = spots
        self._left = _MOST_TRIED
        self.best: list[Placed] = []

    def go(self, number: int, chosen: list[Placed], taken: list[QRectF]) -> bool:
        """Place the chapters from a number on; return whether the search is over."""
        if len(chosen) > len(self.best):
            self.best = chosen
        self._left -= 1
        if number == len(self._spots) or self._left < 0:
            return len(self.best) == len(self._spots) or self._left < 0
        if len(chosen) + len(self._spots) - number <= len(self.best):
            return False  # no more can be placed so
        for mark, covers in self._spots[number]:
            if any(box.intersects(each) for box in covers for each in taken):
                continue
            if self.go(number + 1, [*chosen, mark], [*taken, *covers]):
                return True
        return self.go(number + 1, chosen, taken)


def _spots(
    theme: Theme, laid: ChartLayout, letter: str, chapter: Chapter, width: float
) -> list[_Spot]:
    """Return the places of a chapter: two rows, with the text at its left or its right."""
    px, x = theme.px, laid.axis.x(chapter.epoch)
    if laid.compact:
        pennant = QRectF(x - px(3), px(1), px(6), px(7))
        return [_Spot(Placed(chapter, letter, pennant, None, None, pennant), (pennant,))]
    said, epoch = str(chapter.said), str(chapter.epoch)
    text = labelled(said, epoch) if said[-1:].isdigit() else f"{said} {epoch}"
    label = word(theme, text, _TEXT)
    found = []
    for top in _TOPS:
        pennant = QRectF(x - px(_WIDE) / 2, px(top) + px(2), px(_WIDE), px(_HIGH))
        for left in (pennant.right() + px(_GAP), pennant.left() - px(_GAP) - label.width):
            line = QRectF(left, px(top), label.width, px(15))
            box = pennant.united(line)
            if box.left() >= 0 and box.right() <= width:
                mark = Placed(chapter, letter, pennant, label, (left, line.center().y()), box)
                found.append(_Spot(mark, (box.adjusted(-3, 0, 3, 0),)))
    return found


def paint_marks(
    painter: QPainter,
    theme: Theme,
    laid: ChartLayout,
    marks: list[Placed],
    curves: dict[str, Curves],
) -> None:
    """Paint pennants, texts, and a dotted line from each to its curve."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    axis = laid.axis
    for mark in marks:
        ink = run_ink(theme, mark.letter)
        box = mark.pennant
        x = axis.x(mark.chapter.epoch)
        loss = curves[mark.letter].loss_at(mark.chapter.epoch)
        if loss is not None and not laid.compact:
            y = axis.y(float(curves[mark.letter].heights(loss)))
            painter.setPen(QPen(ink, 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(x, box.bottom()), QPointF(x, y))
            painter.setPen(QPen(ink, 1.25 * theme.percent / 100))
            painter.setBrush(theme.color("win"))
            radius = DOT * 0.85 * theme.percent / 100
            painter.drawEllipse(QPointF(x, y), radius, radius)
    for mark in marks:
        ink, box = run_ink(theme, mark.letter), mark.pennant
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        foot = box.bottom() - box.height() * 0.35
        shape = [
            box.topLeft(),
            box.topRight(),
            QPointF(box.right(), foot),
            QPointF(box.center().x(), box.bottom()),
            QPointF(box.left(), foot),
        ]
        painter.drawPolygon(QPolygonF(shape))
        if mark.label is not None and mark.text is not None:
            colour = theme.color("ink2") if mark.letter == "A" else ink
            where = mark.box.adjusted(0, 1, 0, -1)
            beside = where.adjusted(box.width() + 1, 0, 0, 0)
            if mark.text[0] < box.left():
                beside = where.adjusted(0, 0, -box.width() - 1, 0)
            painter.fillRect(beside, theme.color("win"))  # another's line ends at a text
            paint_word(painter, mark.label, *mark.text, colour)


def paint_last(
    painter: QPainter, theme: Theme, laid: ChartLayout, curves: dict[str, Curves]
) -> list[QRectF]:
    """Write the last loss of two runs beside their ends; return where."""
    px, axis, side = theme.px, laid.axis, theme.px(SIDE) * 0.85
    ends = []
    for letter, each in curves.items():
        if len(each.loss):
            loss = float(each.loss[-1])
            ends.append((axis.y(float(each.heights(loss))), letter, loss))
    ends.sort()
    if len(ends) == 2 and ends[1][0] - ends[0][0] < side + 2:
        middle = float(np.clip((ends[0][0] + ends[1][0]) / 2, axis.top, axis.bottom - side / 2))
        ends = [
            (middle + by * (side / 2 + 1), *end[1:]) for by, end in zip((-1, 1), ends, strict=True)
        ]
    boxes = []
    for y, letter, loss in ends:
        label = word(theme, display_number(loss, 3), 13, 600)
        left = axis.right + px(8)
        paint_word(painter, label, left, y, run_ink(theme, letter))
        badge = QRectF(left + label.width + px(4), y - side / 2, side, side)
        draw_badge(painter, theme, badge, letter)
        boxes.append(QRectF(left, y - side / 2, badge.right() - left, side))
    return boxes


def next_chapter(frame: TrainFrame, forwards: bool) -> int | None:
    """Return the epoch of the next chapter after the playhead, or of the one before it."""
    epochs = sorted({chapter.epoch for _letter, chapter in marked(frame)})
    beyond = [e for e in epochs if (e > frame.epoch if forwards else e < frame.epoch)]
    if not beyond:
        return None
    return beyond[0] if forwards else beyond[-1]
