"""The corpus as text: one sentence a line, edited in place."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextBlock, QTextCursor, QTextFormat
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.labels import plain_label
from explorer.kit.small_inputs import AskingCheck
from explorer.kit.theme import Theme
from explorer.rooms.train.parameter_rows import Emit
from explorer.session.train import TrainFrame
from explorer.session.train.intents import OpenCorpus, SetCorpus, SplitByCharacter
from explorer.text import Message, _, displayable

_LONGEST = 400  # of a sentence, in characters
_LINES = 4  # that are seen at the least


class CorpusText(QPlainTextEdit):
    """Plain text; Ctrl+Enter takes it and Esc leaves it."""

    taken = Signal()
    left = Signal()

    def sizeHint(self) -> QSize:
        """Return as little as can be used; what room there is more is taken too."""
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take or leave the text by a key."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.taken.emit()
        else:
            super().keyPressEvent(event)


class CorpusEditor(QWidget):
    """The text with what can be done to it, and under it what is wrong with it."""

    closed = Signal()

    def __init__(self, theme: Theme, emit: Emit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._emit = emit
        self._known: str | None = None  # the frame's text that was shown last
        self._marked: tuple[int | None, Message] | None = None
        self._asked = False
        self.text = CorpusText()
        self.text.setAccessibleName(_("Corpus"))
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.taken.connect(self.take)
        self.text.left.connect(self.leave)
        self.problem = plain_label("err")
        self.problem.hide()
        self.use = QPushButton(_("Use"))
        self.use.clicked.connect(self.take)
        self.open = QPushButton(_("Open .txt…"))
        self.open.clicked.connect(lambda: emit(OpenCorpus()))
        self.split = AskingCheck(_("Split by character"), _("Split by character"))
        self.split.asked.connect(lambda split: emit(SplitByCharacter(split)))
        self._buttons = QHBoxLayout()
        self._buttons.addWidget(self.use)
        self._buttons.addWidget(self.open)
        self._buttons.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.text, 1)
        self._column.addWidget(self.problem)
        self._column.addWidget(self.split)
        self._column.addLayout(self._buttons)
        self.retheme(theme)

    def begin(self, frame: TrainFrame) -> None:
        """Show the frame's text anew."""
        self._known = frame.corpus_text
        self._asked = False
        self.text.setPlainText(frame.corpus_text)
        self._marked = None
        self.draw(frame)

    def take(self) -> None:
        """Ask for the text as the corpus; the editor closes when it can be one."""
        self._asked = True
        self._emit(SetCorpus(self.text.toPlainText()))

    def leave(self) -> None:
        """Close without taking the text."""
        self.closed.emit()

    def draw(self, frame: TrainFrame) -> None:
        """Show a text that came from elsewhere, and what is wrong with it."""
        self.split.show_checked(frame.by_character)
        if frame.corpus_text != self._known:
            self._known = frame.corpus_text
            if frame.corpus_text != self.text.toPlainText():
                # Into the same document, so that what was typed can be had back by undo.
                cursor = self.text.textCursor()
                cursor.select(QTextCursor.SelectionType.Document)
                cursor.insertText(frame.corpus_text)
        problem = frame.corpus_problem
        if self._asked and problem is None and frame.corpus_text == self.text.toPlainText():
            self._asked = False
            self.closed.emit()
            return
        self._asked = False
        if problem != self._marked:
            self._marked = problem
            self._mark()

    def _mark(self) -> None:
        line, message = self._marked if self._marked is not None else (None, None)
        text = "" if message is None else displayable(str(message), _LONGEST)
        self.problem.setText(text)
        self.problem.setVisible(bool(text))
        self.text.setAccessibleDescription(text)
        marks = []
        if line is not None:
            block: QTextBlock = self.text.document().findBlockByNumber(line - 1)
            mark = QTextEdit.ExtraSelection()
            mark.cursor = QTextCursor(block)
            mark.format.setBackground(self._theme.color("err", 0.18))
            mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            marks.append(mark)
            self.text.setTextCursor(QTextCursor(block))
            self.text.ensureCursorVisible()
        self.text.setExtraSelections(marks)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        px = theme.px
        self._column.setContentsMargins(0, 0, 0, px(8))
        self._column.setSpacing(px(6))
        self._buttons.setSpacing(px(8))
        self.text.setFont(theme.font(14))
        self.text.setMinimumHeight(px(22) * _LINES)
        self.problem.setFont(theme.font(13))
        for button in (self.use, self.open):
            button.setFont(theme.font(14))
            button.setFixedHeight(px(30))
        self.split.setFont(theme.font(14))
        self._mark()
