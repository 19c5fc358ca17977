"""The corpus in the panel: the list of sentences, and in its place the text to edit them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from explorer.kit.fold import INSET
from explorer.kit.icons import icon
from explorer.kit.labels import plain_label
from explorer.kit.theme import Theme, TokenColour
from explorer.kit.word_colours import word_colours
from explorer.rooms.train.corpus_editor import CorpusEditor
from explorer.rooms.train.corpus_list import CorpusList
from explorer.rooms.train.corpus_rows import CorpusRows, Predictions
from explorer.rooms.train.parameter_rows import Emit
from explorer.session.train import TrainFrame
from explorer.session.train.intents import GoToSample
from explorer.text import _, displayable, ngettext, plain_tip
from explorer.traces import Corpus, Trace

_LONGEST = 400  # of a sentence, in characters


class CorpusBox(QWidget):
    """A title, the sentences of the shown run, and the text of the next run's."""

    def __init__(self, theme: Theme, emit: Emit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._frame = TrainFrame()
        self._rows: tuple[Trace | None, Corpus | None, CorpusRows] | None = None
        self._predicted = False
        self._other = 0  # sentences of the next run where they are not the shown ones
        self.title, self.column = QLabel(_("Corpus")), QLabel(_("p(target)"))
        self.column.setProperty("ink", "ink3")
        self.edit = QToolButton()
        self.edit.setAccessibleName(_("Edit the corpus"))
        self.edit.setToolTip(plain_tip(_("Edit the corpus of the next run")))
        self.edit.clicked.connect(self._begin)
        self.note, self.problem = plain_label("ink3"), plain_label("err")
        self.list = CorpusList(theme)
        self.list.asked.connect(lambda sample: emit(GoToSample(sample)))
        self.editor = CorpusEditor(theme, emit)
        self.editor.closed.connect(self._end)
        self._head = QHBoxLayout()
        self._head.addWidget(self.title)
        self._head.addWidget(self.edit)
        self._head.addStretch(1)
        self._head.addWidget(self.column)
        self._words = QVBoxLayout()
        self._words.addLayout(self._head)
        self._words.addWidget(self.note)
        self._words.addWidget(self.problem)
        self._page = QWidget()
        self._inset = QHBoxLayout(self._page)
        self._inset.addWidget(self.editor)
        self._page.hide()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(self._words)
        whole.addWidget(self.list, 1)
        whole.addWidget(self._page, 1)
        self.retheme(theme)

    @property
    def editing(self) -> bool:
        """Whether the text stands in place of the list."""
        return not self._page.isHidden()

    def _begin(self) -> None:
        self.editor.begin(self._frame)
        self._show_page(editing=True)
        self.editor.text.setFocus(Qt.FocusReason.OtherFocusReason)

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
                "Of the run that is shown. The next run learns {n} other sentence.",
                "Of the run that is shown. The next run learns {n} other sentences.",
                self._other,
            ).format(n=self._other)
        for label, text in ((self.note, note), (self.problem, problem)):
            if label.text() != text:
                label.setText(text)
            label.setVisible(bool(text))
        self.edit.setVisible(not self.editing)
        self.column.setVisible(self._predicted and not self.editing)

    def retheme(self, theme: Theme, compact: bool = False) -> None:
        """Take another theme, text scale or height of rows."""
        self._theme = theme
        px = theme.px
        inset = px(INSET)
        self._words.setContentsMargins(inset, 0, inset, px(4))
        self._words.setSpacing(px(4))
        self._inset.setContentsMargins(inset, 0, inset, 0)
        self._head.setSpacing(px(4))
        self.title.setFont(theme.font(14, 600))
        for label in (self.column, self.note, self.problem):
            label.setFont(theme.font(13))
        self.edit.setIcon(icon("edit", theme))
        self.edit.setIconSize(QSize(px(16), px(16)))
        self.edit.setFixedSize(px(26), px(24))
        self.list.retheme(theme, compact)
        self.editor.retheme(theme)
