"""The corpus in the panel: the list of sentences, and in its place the text to edit them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QTextBlock,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.fold import INSET
from explorer.kit.icons import icon
from explorer.kit.labels import plain_label, plain_line, show_text
from explorer.kit.layouts import fill, put, set_spacing
from explorer.kit.numbered_text import NumberedText
from explorer.kit.run_words import word_colours
from explorer.kit.theme import Theme, TokenColour
from explorer.rooms.train.corpus_list import CorpusList, CorpusRows, Predictions
from explorer.rooms.train.parameter_rows import Emit
from explorer.rooms.train.splitting_rows import SplittingRows
from explorer.session.train import TrainFrame
from explorer.session.train.intents import GoToSample, OpenCorpus, SetCorpus
from explorer.text import Message, _, displayable, ngettext, plain_tip
from explorer.traces import Corpus, Trace

_LONGEST = 400  # of a sentence, in characters
_LINES, _FEW_LINES = 12, 7  # that are seen at the least, in a low window


class CorpusText(NumberedText):
    """Plain text with numbered lines; Ctrl+Enter takes it and Esc leaves it."""

    taken = Signal()
    left = Signal()

    def sizeHint(self) -> QSize:
        """Return as little as can be used; what room there is more is taken too."""
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Return that files are not for the text but for whoever reads them."""
        return not source.hasUrls() and super().canInsertFromMimeData(source)

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
    typed = Signal()  # whether the text waits to be taken may be another now

    def __init__(self, theme: Theme, emit: Emit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._emit = emit
        self._known: str | None = None  # the frame's text that was shown last
        self._marked: tuple[int | None, Message] | None = None
        self._touched = False  # whether the text is another than the one that was judged
        self._asked = False
        self.text = CorpusText(theme, 14)
        self.text.setAccessibleName(_("Corpus"))
        self.text.setTabChangesFocus(True)
        self.text.textChanged.connect(self._touch)
        self.text.taken.connect(self.take)
        self.text.left.connect(self.leave)
        self.problem = plain_label("err")
        self.problem.hide()
        self.use = QPushButton(_("Use"))
        self.use.clicked.connect(self.take)
        self.open = QPushButton(_("Open…"))
        self.open.clicked.connect(lambda: emit(OpenCorpus()))
        self.splitting = SplittingRows(theme, emit)
        self._buttons = put(QHBoxLayout(), self.use, self.open, None)
        self._column = put(
            QVBoxLayout(self), (self.text, 1), self.problem, self.splitting, self._buttons
        )
        self.retheme(theme)

    @property
    def waiting(self) -> bool:
        """Whether a text stands here that was not taken."""
        return self.isVisibleTo(self.window()) and self._touched

    def begin(self, frame: TrainFrame) -> None:
        """Show the frame's text anew."""
        self._known = frame.corpus_text
        self._asked = False
        self.text.setPlainText(frame.corpus_text)
        self._marked, self._touched = None, False
        self.draw(frame)

    def go_on(self, before: CorpusEditor, frame: TrainFrame) -> None:
        """Show what stands in another editor, and what was said of it."""
        self.begin(frame)
        self._replace(before.text.toPlainText())
        self._known, self._marked = before._known, before._marked
        self._asked, self._touched = before._asked, before._touched
        self._mark()

    def _replace(self, text: str) -> None:
        """Put a text into the same document, so that what was there can be had back by undo."""
        if text != self.text.toPlainText():
            cursor = self.text.textCursor()
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(text)

    def take(self) -> None:
        """Ask for the text as the corpus; the editor closes when it can be one."""
        self._asked, self._touched = True, False
        self._emit(SetCorpus(self.text.toPlainText()))

    def leave(self) -> None:
        """Close without taking the text."""
        self.closed.emit()

    def draw(self, frame: TrainFrame) -> None:
        """Show a text that came from elsewhere, and what is wrong with it."""
        self.splitting.draw(frame)
        self.use.setText(_("Reading…") if frame.reading else _("Use"))
        self.use.setEnabled(not frame.reading)
        if frame.reading:
            return  # the text that is read is not the frame's yet
        if frame.corpus_text != self._known:
            self._known = frame.corpus_text
            self._replace(frame.corpus_text)
            self._touched = False
        problem = frame.corpus_problem
        if self._asked and problem is None and frame.corpus_text == self.text.toPlainText():
            self._asked = False
            self.closed.emit()
            return
        asked, self._asked = self._asked and problem is not None, False
        if (asked or problem != self._marked) and not self._touched:
            self._marked = problem
            self._mark()
            for mark in self.text.extraSelections():  # once: then the caret is the person's
                self.text.setTextCursor(QTextCursor(mark.cursor.block()))
                self.text.ensureCursorVisible()
            if asked:
                self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _touch(self) -> None:
        """Say no more what was wrong with a text that is another by now."""
        self._touched = True
        if self._marked is not None:
            self._marked = None
            self._mark()
        self.typed.emit()

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
            end = QTextCursor.MoveOperation.EndOfBlock  # a long line is wrapped
            mark.cursor.movePosition(end, QTextCursor.MoveMode.KeepAnchor)
            mark.format.setBackground(self._theme.color("err", 0.18))
            mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            marks.append(mark)
        self.text.setExtraSelections(marks)

    def retheme(self, theme: Theme, compact: bool = False) -> None:
        """Take another theme, text scale or height."""
        self._theme = theme
        px = theme.px
        set_spacing(self._column, 0, 0, 0, px(8), gap=px(6))
        self._buttons.setSpacing(px(8))
        self.text.retheme(theme)
        self.text.setMinimumHeight(px(22) * (_FEW_LINES if compact else _LINES))
        self.problem.setFont(theme.font(13))
        for button in (self.use, self.open):
            button.setFont(theme.font(14))
            button.setFixedHeight(px(30))
        self.splitting.retheme(theme)
        self._mark()


class CorpusBox(QWidget):
    """A title, the sentences of the shown run, and the text of the next run's."""

    def __init__(self, theme: Theme, emit: Emit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._emit = theme, emit
        self.setAcceptDrops(True)
        self._frame = TrainFrame()
        self._rows: tuple[Trace | None, Corpus | None, CorpusRows] | None = None
        self._predicted = False
        self._other = 0  # sentences of the next run where they are not the shown ones
        self.title, self.column = QLabel(_("Corpus")), plain_line("ink3", text=_("p(target)"))
        self.edit = QToolButton()
        self.edit.setAccessibleName(_("Edit the corpus"))
        self.edit.setToolTip(plain_tip(_("Edit the corpus of the next run")))
        self.edit.clicked.connect(self._begin)
        self.note, self.problem = plain_label("ink3"), plain_label("err")
        self.list = CorpusList(theme)
        self.list.asked.connect(lambda sample: emit(GoToSample(sample)))
        self.editor = CorpusEditor(theme, emit)
        self.editor.closed.connect(self._end)
        self._head = put(QHBoxLayout(), self.title, self.edit, None, self.column)
        self._words = put(QVBoxLayout(), self._head, self.note, self.problem)
        self._page = QWidget()
        self._inset = QHBoxLayout(self._page)
        self._inset.addWidget(self.editor)
        self._page.hide()
        fill(QVBoxLayout(self), self._words, (self.list, 1), (self._page, 1))
        self.retheme(theme)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a file."""
        if len(event.mimeData().urls()) == 1 and event.mimeData().urls()[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Ask for the sentences of a dropped file."""
        event.acceptProposedAction()
        self._emit(OpenCorpus(Path(event.mimeData().urls()[0].toLocalFile())))

    def spare(self, height: int) -> int:
        """Return how much higher than at the least its sentences fill that height, in px."""
        room = height - self._words.sizeHint().height()
        return 0 if self.editing else max(self.list.needed(room) - self.list.minimumHeight(), 0)

    @property
    def editing(self) -> bool:
        """Whether the text stands in place of the list."""
        return not self._page.isHidden()

    def _begin(self) -> None:
        self.editor.begin(self._frame)
        self._show_page(editing=True)
        self.editor.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def take_over(self, before: CorpusBox) -> None:
        """Go on with the text that is written in another box."""
        if before.editing:
            self.editor.go_on(before.editor, self._frame)
            self._show_page(editing=True)

    def _end(self) -> None:
        focused = self.editor.isAncestorOf(self.focusWidget()) if self.focusWidget() else False
        self._show_page(editing=False)
        if focused:
            self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_page(self, editing: bool) -> None:
        # Hidden first: the panel must not be as high as both for a moment.
        (self.list if editing else self._page).hide()
        (self._page if editing else self.list).show()
        self._show_words()

    # --- showing ---------------------------------------------------------------------------------

    def draw(self, frame: TrainFrame) -> None:
        """Show the frame's sentences and what the shown step predicts; emits nothing."""
        self._frame = frame
        rows = self._rows_of(frame)
        predictions = Predictions.of(frame)
        vocabulary = frame.vocabulary
        inks = word_colours(self._theme, frame)
        colours: dict[str, TokenColour] = dict(zip(vocabulary, inks, strict=True))
        sample = None if frame.trace is None else frame.cursor.sample
        self.list.draw(rows, predictions, colours, sample)
        self._predicted = predictions is not None
        if self.editing:
            self.editor.draw(frame)
        self._show_words()

    def _rows_of(self, frame: TrainFrame) -> CorpusRows:
        known = self._rows
        if known is None or known[0] is not frame.trace or known[1] is not frame.corpus:
            trace, corpus = frame.trace, frame.corpus
            rows = CorpusRows.of(trace, corpus)
            self._rows = known = (trace, corpus, rows)
            other = trace is not None and corpus is not None and corpus.sentences != rows.sentences
            self._other = len(corpus.lines) if other and corpus is not None else 0
        return known[2]

    def _show_words(self) -> None:
        frame, note, problem = self._frame, "", ""
        if frame.corpus_problem is not None and not self.editing:
            problem = displayable(str(frame.corpus_problem[1]), _LONGEST)
        elif self._other and not self.editing:
            note = ngettext(
                "From the run shown. The next run has another corpus, of {n} sentence.",
                "From the run shown. The next run has another corpus, of {n} sentences.",
                self._other,
            ).format(n=self._other)
        show_text(self.note, note)
        show_text(self.problem, problem)
        self.edit.setVisible(not self.editing)
        self.column.setVisible(self._predicted and not self.editing)

    def retheme(self, theme: Theme, compact: bool = False) -> None:
        """Take another theme, text scale or height of rows."""
        self._theme = theme
        px = theme.px
        inset = px(INSET)
        set_spacing(self._words, inset, px(2 if compact else 6), inset, px(4), gap=px(4))
        self._inset.setContentsMargins(inset, 0, inset, 0)
        self._head.setSpacing(px(4))
        self.title.setFont(theme.font(14, 600))
        for label in (self.column, self.note, self.problem):
            label.setFont(theme.font(13))
        self.edit.setIcon(icon("edit", theme))
        self.edit.setIconSize(QSize(px(16), px(16)))
        self.edit.setFixedSize(px(26), px(24))
        self.list.retheme(theme, compact)
        self.editor.retheme(theme, compact)
