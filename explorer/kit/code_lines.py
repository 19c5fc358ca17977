"""Lines of a program with some of them marked: drawn alike in the window, before an audience and
on paper."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.kit.table.painting import draw_ring
from explorer.kit.theme import Theme
from explorer.session.lesson import Code
from explorer.text import _, displayable

_LINE = 1.4  # of the font's size, from line to line
_NUMBER = 3  # letters: a line's number and the room beside it
_BAR = 0.25  # of the font's size: the width of a mark
_SMALLEST = 0.8  # of the largest letters where nothing else is said: longer lines are broken
_AROUND = 1  # lines that are shown before and after one or two that are spoken of
_FURTHER = "  "  # before what is left of a broken line


@dataclass(frozen=True)
class Laid:
    """A program laid out for a width.

    Parameters
    ----------
    code : Code
    rows : tuple of (int, str)
        The line that each row is of, from 0, and its text; a line may have several rows.
    size : float
        Of the letters.
    """

    code: Code
    rows: tuple[tuple[int, str], ...]
    size: float

    @property
    def height(self) -> float:
        """How far one row is from the next."""
        return self.size * _LINE

    def draw(self, painter: QPainter, row: int, box: QRectF, theme: Theme) -> None:
        """Draw a row with the number of its line; a mark is a fill and a bar at the left."""
        line, text = self.rows[row]
        if line in self.code.marked:
            painter.fillRect(box, theme.color("hover"))
            bar = QRectF(box.left(), box.top(), self.size * _BAR, box.height())
            painter.fillRect(bar, theme.color("ink1"))
        face = _face(self.size)
        metrics = QFontMetricsF(face)
        letter = metrics.horizontalAdvance("0")
        base = box.top() + (box.height() - metrics.height()) / 2 + metrics.ascent()
        painter.setFont(face)
        painter.setPen(theme.color("ink3"))
        if row == 0 or self.rows[row - 1][0] != line:
            number = str(line + 1)
            painter.drawText(QPointF(box.left() + letter * (2.4 - len(number)), base), number)
        painter.setPen(theme.color("ink1"))
        at = QPointF(box.left() + letter * _NUMBER, base)
        painter.drawText(at, displayable(text).replace(" ", "\u00a0"))


def laid(
    code: Code, width: float, largest: float, most: int = 100, smallest: float | None = None
) -> Laid:
    """Return a program laid out: letters shrink, then lines are broken, so that they fit.

    Of a long one only the lines around those that are spoken of are shown, without the spaces that
    all of them begin with.

    Parameters
    ----------
    largest : float
        The size of the letters where the lines fit.
    most : int
        How many lines are shown at most.
    smallest : float, optional
        The size below which letters do not shrink.
    """
    lines = _spoken_of(code, most)
    shared = min((len(text) - len(text.lstrip()) for text in lines.values()), default=0)
    texts = {line: text[shared:] for line, text in lines.items()}
    longest = max(map(len, texts.values()), default=0) + _NUMBER
    least = largest * _SMALLEST if smallest is None else min(smallest, largest)
    size = max(min(largest, width / (longest * _advance(100.0) / 100)), least)
    across = max(int(width / _advance(size)) - _NUMBER, 8)
    rows = ((line, part) for line, text in texts.items() for part in _broken(text, across))
    return Laid(code, tuple(rows), size)


def _spoken_of(code: Code, most: int) -> dict[int, str]:
    count = len(code.lines)
    told = code.marked | code.among or frozenset(range(count))
    first, last = min(told, default=0), max(told, default=0)
    if last - first <= _AROUND:
        first, last = max(0, first - _AROUND), min(count - 1, last + _AROUND)
    if last - first >= most:
        first = max(first, min(told))
        last = min(last, first + most - 1)
    return {line: code.lines[line] for line in range(first, last + 1)}


def _broken(text: str, across: int) -> list[str]:
    """Return a line in parts that are at most so long, broken at spaces where there are any."""
    indent = " " * (len(text) - len(text.lstrip()))
    parts = []
    while len(text) > across:
        at = text.rfind(" ", len(indent) + len(_FURTHER) + 1, across + 1)
        at = at if at > 0 else across
        parts.append(text[:at])
        text = indent + _FURTHER + text[at:].lstrip()
    return [*parts, text.rstrip()]


class CodeLines(QWidget):
    """Shows a program; a line that is pressed, or reached by ↑ and ↓, is asked to be marked."""

    picked = Signal(int)  # a line, from 0

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._size, self._least = theme, 1, 1
        self._code, self._most = Code(), 100
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def code(self) -> Code:
        """What is shown."""
        return self._code

    def show_code(self, code: Code, most: int = 100) -> None:
        """Show a program, or at most so many of its lines."""
        self._code, self._most = code, most
        self.setAccessibleName(_("Code"))
        marked = (code.lines[line] for line in sorted(code.marked))
        self.setAccessibleDescription(displayable("; ".join(marked)))
        self.setVisible(bool(code.lines))
        self.updateGeometry()
        self.update()

    def resize_letters(self, theme: Theme, size: int, least: int) -> None:
        """Take another theme, and other largest and smallest sizes of letters in px."""
        self._theme, self._size, self._least = theme, size, least
        self.updateGeometry()
        self.update()

    @property
    def laid(self) -> Laid:
        """The program as it is laid out now."""
        return self._laid(self.width())

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines that are shown."""
        made = self._laid(width)
        return math.ceil(len(made.rows) * made.height)

    def sizeHint(self) -> QSize:
        """Return the size in the present width."""
        return QSize(self.width(), self.heightForWidth(max(self.width(), 1)))

    def minimumSizeHint(self) -> QSize:
        """Return the least size: lines are broken where it is narrow, which makes it higher."""
        return QSize(0, math.ceil(self._least * _LINE))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ask for the line that is pressed."""
        made = self.laid
        row = int(event.position().y() / made.height)
        if 0 <= row < len(made.rows):
            self.picked.emit(made.rows[row][0])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ask for the line above or below the marked one."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        line = min(self._code.marked, default=-1) + step
        self.picked.emit(min(max(line, 0), len(self._code.lines) - 1))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the lines."""
        made = self.laid
        with QPainter(self) as painter:
            for row in range(len(made.rows)):
                box = QRectF(0, row * made.height, self.width(), made.height)
                made.draw(painter, row, box, self._theme)
            draw_ring(painter, self._theme, self)

    def _laid(self, width: int) -> Laid:
        return laid(self._code, max(width, 1), self._size, self._most, self._least)


def _face(size: float) -> QFont:
    face = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    face.setPixelSize(max(1, int(size)))
    return face


def _advance(size: float) -> float:
    return QFontMetricsF(_face(size)).horizontalAdvance("0")
