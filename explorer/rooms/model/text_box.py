"""The box in which the text stands that a model is run on, its words marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from explorer.kit.theme import Theme

_FEWEST, _MOST = 2, 6  # lines that are seen


@dataclass(frozen=True)
class Mark:
    """How characters from `start` to `end` look: in an ink, or as left out where that is empty."""

    start: int
    end: int
    ink: str = ""


class _Marker(QSyntaxHighlighter):
    """Gives parts of a text their looks."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._marks: tuple[tuple[int, int, QTextCharFormat], ...] = ()
        self._shown: tuple[object, ...] = ()

    def show_marks(self, text: str, marks: Sequence[Mark], left_out: QColor) -> None:
        shown = (text, tuple(marks), left_out.name())
        if shown == self._shown:
            return
        self._shown = shown
        # Qt counts in UTF-16.
        units = [0, *accumulate(2 if ord(letter) > 0xFFFF else 1 for letter in text)]
        last = len(text)
        self._marks = tuple(
            (units[min(m.start, last)], units[min(m.end, last)], _format(m, left_out))
            for m in marks
        )
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        """Mark what lies in one paragraph."""
        begin = self.currentBlock().position()
        end = begin + len(text)
        for start, stop, form in self._marks:
            first, last = max(start, begin), min(stop, end)
            if first < last:
                self.setFormat(first - begin, last - first, form)


def _format(mark: Mark, left_out: QColor) -> QTextCharFormat:
    form = QTextCharFormat()
    if mark.ink:
        form.setForeground(QColor(mark.ink))
        form.setFontWeight(QFont.Weight.DemiBold)
    else:
        form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        form.setUnderlineColor(left_out)
        form.setForeground(left_out)
    return form


class TextBox(QPlainTextEdit):
    """Plain text, two lines at least and six at most; Ctrl+Enter asks to run it."""

    edited = Signal(str)
    run_asked = Signal()
    pressed_at = Signal(int)  # a character, counted as Python counts

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._known = ""
        self._marker = _Marker(self.document())
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)  # the session's undo has texts and switches in turn
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.textChanged.connect(self._tell)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())

    def show_text(self, text: str) -> None:
        """Show a text; what is typed stays where it is the same."""
        if text != self._known:
            self._known = text
            self.setPlainText(text)
            self.moveCursor(QTextCursor.MoveOperation.End)

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Show parts of the text in inks of their own, or as left out."""
        self._marker.show_marks(self._known, marks, self._theme.color("err"))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.setFont(theme.font(15))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Be as high as the lines in the new width."""
        super().resizeEvent(event)
        self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Grow with what is typed."""
        super().focusInEvent(event)
        self._fit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leave the room to others."""
        super().focusOutEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Leave the keys of undo and redo to the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo
            if any(event.matches(key) for key in keys):
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ask to run with Ctrl+Enter."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.run_asked.emit()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell which character was pressed, where nothing was selected."""
        super().mouseReleaseEvent(event)
        cursor = self.textCursor()
        if event.button() == Qt.MouseButton.LeftButton and not cursor.hasSelection():
            point = event.position().toPoint()
            here = self.cursorForPosition(point).position()
            units = self.toPlainText().encode("utf-16-le")[: 2 * here]
            self.pressed_at.emit(len(units.decode("utf-16-le", "ignore")))

    def _tell(self) -> None:
        text = self.toPlainText()
        if text != self._known:
            self._known = text
            self.edited.emit(text)

    def _fit(self) -> None:
        """Be as high as the lines, within bounds."""
        line = QFontMetricsF(self.font()).lineSpacing()
        most = _MOST if self.hasFocus() else _FEWEST
        lines = min(max(round(self.document().size().height()), _FEWEST), most)
        # Where the place within has not its size yet, this is called again when it has.
        edges = max(self.height() - self.viewport().height(), 0)
        edges += round(2 * self.document().documentMargin())
        wanted = round(lines * line + edges) + self._theme.px(4)  # no bar for half a pixel
        if wanted != self.height() or self.minimumHeight() != wanted:
            self.setFixedHeight(wanted)
