"""Lines of a program with some of them marked: drawn alike in the window, before an audience and
on paper."""

from __future__ import annotations

import math

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

from explorer.kit.theme import Theme
from explorer.session.lesson import Code
from explorer.text import _, displayable

_LINE = 1.4  # of the font's size, from line to line
_NUMBER = 3  # letters: a line's number and the room beside it
_BAR = 0.25  # of the font's size: the width of a mark


def code_size(code: Code, width: float, largest: float) -> float:
    """Return the font size, `largest` at most, at which the longest line is as wide as `width`."""
    longest = max((len(line) for line in code.lines), default=0) + _NUMBER
    return min(largest, width / (longest * _advance(100.0) / 100))


def line_height(size: float) -> float:
    """Return how far one line is from the next."""
    return size * _LINE


def draw_line(
    painter: QPainter, code: Code, line: int, box: QRectF, size: float, theme: Theme
) -> None:
    """Draw one line, counted from 0, with its number; a mark is a fill and a bar at the left."""
    if line in code.marked:
        painter.fillRect(box, theme.color("hover"))
        bar = QRectF(box.left(), box.top(), size * _BAR, box.height())
        painter.fillRect(bar, theme.color("ink1"))
    face = _face(size)
    metrics = QFontMetricsF(face)
    letter = metrics.horizontalAdvance("0")
    base = box.top() + (box.height() - metrics.height()) / 2 + metrics.ascent()
    painter.setFont(face)
    painter.setPen(theme.color("ink3"))
    number = str(line + 1)
    painter.drawText(QPointF(box.left() + letter * (2.4 - len(number)), base), number)
    painter.setPen(theme.color("ink1"))
    at = QPointF(box.left() + letter * _NUMBER, base)
    painter.drawText(at, displayable(code.lines[line]).replace(" ", "\u00a0"))


def around_marks(code: Code, most: int) -> range:
    """Return which lines to show where there is room for `most`: those around the marked ones."""
    count = len(code.lines)
    if count <= most:
        return range(count)
    middle = (min(code.marked, default=0) + max(code.marked, default=0)) // 2
    first = min(max(0, middle - most // 2), count - most)
    return range(first, first + most)


class CodeLines(QWidget):
    """Shows a program; a line that is pressed, or reached by ↑ and ↓, is asked to be marked."""

    picked = Signal(int)  # a line, from 0

    def __init__(self, theme: Theme, size: float, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._size = theme, size
        self._code, self._lines = Code(), range(0)
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
        """Show a program, or so many of its lines: those around the marked ones."""
        self._code, self._lines = code, around_marks(code, most)
        marked = "; ".join(code.lines[line] for line in sorted(code.marked))
        self.setAccessibleName(_("Code"))
        self.setAccessibleDescription(displayable("\n".join(code.lines)) + "\n" + marked)
        self.setVisible(bool(code.lines))
        self.updateGeometry()
        self.update()

    def resize_letters(self, theme: Theme, size: float) -> None:
        """Take another theme and another largest size of letters, in px at 100 %."""
        self._theme, self._size = theme, size
        self.updateGeometry()
        self.update()

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines that are shown."""
        return math.ceil(len(self._lines) * line_height(self._letters(width)))

    def sizeHint(self) -> QSize:
        """Return the size at the largest letters."""
        size = self._theme.px(self._size)
        longest = max((len(line) for line in self._code.lines), default=0) + _NUMBER
        wide = math.ceil(longest * _advance(size))
        return QSize(wide, math.ceil(len(self._lines) * line_height(size)))

    def minimumSizeHint(self) -> QSize:
        """Return the least size: letters shrink with the width."""
        return QSize(0, self.heightForWidth(max(self.width(), 1)))

    def letters(self) -> float:
        """Return the size of the letters in px."""
        return self._letters(self.width())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ask for the line that is pressed."""
        row = int(event.position().y() / line_height(self.letters()))
        if 0 <= row < len(self._lines):
            self.picked.emit(self._lines[row])

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
        size = self.letters()
        height = line_height(size)
        painter = QPainter(self)
        for row, line in enumerate(self._lines):
            box = QRectF(0, row * height, self.width(), height)
            draw_line(painter, self._code, line, box, size, self._theme)
        if self.hasFocus():
            painter.setPen(self._theme.color("ink1"))
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.end()

    def _letters(self, width: int) -> float:
        return max(1.0, code_size(self._code, width, self._theme.px(self._size)))


def _face(size: float) -> QFont:
    face = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    face.setPixelSize(max(1, int(size)))
    return face


def _advance(size: float) -> float:
    return QFontMetricsF(_face(size)).horizontalAdvance("0")
