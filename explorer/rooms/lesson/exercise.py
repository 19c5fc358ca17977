"""What a page asks for: a question with its answer, or a task with its hint."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.labels import plain_label, show_ink
from explorer.kit.layouts import put
from explorer.kit.theme import Theme
from explorer.session.lesson import (
    AnswerQuestion,
    AskForHint,
    Question,
    Reveal,
    SolveTask,
    Task,
    Verdict,
)
from explorer.text import _, displayable

_INK = {Verdict.OPEN: "ink2", Verdict.SHOWN: "ink2", Verdict.RIGHT: "ok", Verdict.WRONG: "err"}
_LONGEST = 40  # characters of a typed answer
_LONGEST_CHOICE = 24  # characters of a token to choose
_ROOM, _GAP, _CHOICE = 224, 6, 28  # px at 100 %: the panel's width within; choices
_MANY, _LOW = 4, 24  # rows of choices beyond which they are lower


class QuestionBox(QWidget):
    """A question, and buttons or a field to answer it."""

    intent = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._question: Question | None = None
        self._text, self._said = plain_label("ink1", self), plain_label("ink2", self)
        self.field = QLineEdit(self)
        self.field.setMaxLength(_LONGEST)
        self.field.setAccessibleName(_("Your answer"))
        self.field.setPlaceholderText(_("your number"))
        self.field.returnPressed.connect(self._typed)
        self.check = QPushButton(_("Check"), self)
        self.check.clicked.connect(self._typed)
        self.tell = QPushButton(_("Show the answer"), self)
        self.tell.clicked.connect(lambda: self.intent.emit(Reveal()))
        self._typing = QWidget(self)
        row = QHBoxLayout(self._typing)
        row.setContentsMargins(0, 0, 0, 0)
        put(row, (self.field, 1), self.check)
        self._choices = QWidget(self)
        self._choice_grid = QGridLayout(self._choices)
        self._choice_grid.setContentsMargins(0, 0, 0, 0)
        self.buttons: list[QPushButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        put(self._column, self._text, self._typing, self._choices, self._said)
        self._column.addWidget(self.tell, 0, Qt.AlignmentFlag.AlignLeft)
        self.retheme(theme)

    def show_question(self, question: Question | None) -> None:
        """Show a question with the answer given so far, or nothing."""
        before, self._question = self._question, question
        self.setVisible(question is not None)
        if question is None:
            return
        self._text.setText(displayable(question.text))
        self._typing.setVisible(not question.choices)
        self._choices.setVisible(bool(question.choices))
        if before is None or before.choices != question.choices:
            self._make_buttons(question.choices)
        for button, choice in zip(self.buttons, question.choices, strict=True):
            button.setChecked(choice == question.given)
        if before is None or before.text != question.text or before.given != question.given:
            self.field.setText(question.given)
        self.tell.setVisible(question.again)
        self._said.setText(displayable(question.said))
        self._said.setVisible(bool(question.said))
        show_ink(self._said, _INK[question.verdict])

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self._text.setFont(theme.font(15, 600))
        self._said.setFont(theme.font(14))
        self.field.setFont(theme.font(15))
        self.check.setFont(theme.font(14))
        self.tell.setFont(theme.font(14))
        for button in self.buttons:
            button.setFont(theme.font(14))
        self._column.setSpacing(theme.px(8))
        self._choice_grid.setSpacing(theme.px(_GAP))
        self._place_buttons()

    def _make_buttons(self, choices: tuple[str, ...]) -> None:
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = []
        for choice in choices:
            button = QPushButton(
                displayable(choice, _LONGEST_CHOICE).replace("&", "&&"), self._choices
            )
            button.setCheckable(True)
            button.setFont(self._theme.font(14))
            button.clicked.connect(
                lambda _checked=False, choice=choice: self.intent.emit(AnswerQuestion(choice))
            )
            self.buttons.append(button)
        self._place_buttons()

    def _place_buttons(self) -> None:
        """Put the choices side by side, in as many columns as fit."""
        px, gap = self._theme.px, self._theme.px(_GAP)
        widths = [button.sizeHint().width() for button in self.buttons]
        across = max(len(widths), 1)
        while across > 1:
            columns = [max(widths[place::across]) for place in range(across)]
            if sum(columns) + gap * (across - 1) <= px(_ROOM):
                break
            across -= 1
        high = px(_CHOICE if len(widths) <= _MANY * across else _LOW)
        for place, button in enumerate(self.buttons):
            button.setFixedHeight(high)
            self._choice_grid.addWidget(button, *divmod(place, across))
            button.show()  # at once: its height counts

    def _typed(self) -> None:
        if self.field.text().strip():
            self.intent.emit(AnswerQuestion(self.field.text()))


class TaskBox(QWidget):
    """A task, whether it is done, its hint, and the way to see it solved."""

    intent = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._text, self._hint, self._done = (
            plain_label("ink1", self),
            plain_label("ink2", self),
            plain_label("ok", self),
        )
        self._done.setText(_("Done."))
        self.hint = QPushButton(_("Hint"), self)
        self.solve = QPushButton(_("Show me"), self)
        self.hint.clicked.connect(lambda: self.intent.emit(AskForHint()))
        self.solve.clicked.connect(lambda: self.intent.emit(SolveTask()))
        self._row = QHBoxLayout()
        put(self._row, self.hint, self.solve, None)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        put(self._column, self._text, self._done, self._hint, self._row)
        self.retheme(theme)

    def show_task(self, task: Task | None) -> None:
        """Show a task, or nothing."""
        self.setVisible(task is not None)
        if task is None:
            return
        self._text.setText(displayable(task.text))
        self._hint.setText(displayable(task.hint))
        self._hint.setVisible(bool(task.hint))
        self._done.setVisible(task.done)
        self.hint.setVisible(not task.done and not task.hint)
        self.solve.setVisible(not task.done)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._text.setFont(theme.font(15, 600))
        self._done.setFont(theme.font(15, 600))
        self._hint.setFont(theme.font(14))
        for button in (self.hint, self.solve):
            button.setFont(theme.font(14))
        self._column.setSpacing(theme.px(8))
