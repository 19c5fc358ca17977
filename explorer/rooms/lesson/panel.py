"""The lesson's panel: text, formula, question or task, and the way forward and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Flag
from typing import Any, ClassVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.base import FrameView
from explorer.kit.formula import FormulaView
from explorer.kit.icons import SIDE, icon
from explorer.kit.labels import plain_label
from explorer.kit.scrolling import ColumnArea
from explorer.kit.theme import Theme
from explorer.kit.word_colours import word_colours
from explorer.rooms.lesson.exercise import QuestionBox, TaskBox
from explorer.rooms.lesson.stepper import Stepper
from explorer.session import Change
from explorer.session.lesson import LeaveLesson, RestoreStep, Sheet, TurnTo
from explorer.session.train import TrainChange, TrainFrame
from explorer.text import Problem, _, displayable, plain_tip

_FORMULA = 20  # px at 100 %


TellSheet = Callable[[Any], Sheet | None]  # beside a frame of Explore or of Train


class LessonPanel(FrameView[Any]):
    """One page of a lesson. It draws a `Sheet` and emits the intents of `session.lesson`.

    Parameters
    ----------
    tell : callable
        Returns the sheet that goes with a frame; None where no lesson is open.
    theme : Theme
    """

    concerns: ClassVar[Flag] = Change.RESULT | Change.LOOK

    def __init__(self, tell: TellSheet, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._tell = tell
        self.setObjectName("lesson")
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(_("Lesson"))
        self._sheet: Sheet | None = None
        self._scroll = ColumnArea(self)
        self._page = QWidget(self._scroll)
        self._page.setProperty("panel", True)
        self._title = plain_label("ink1", self._page)
        self._text = plain_label("ink1", self._page)
        self._fault = plain_label("err", self._page)
        self._formula = FormulaView(theme, _FORMULA, self._page)
        self.question = QuestionBox(theme, self._page)
        self.task = TaskBox(theme, self._page)
        self._thoughts = plain_label("ink1", self._page)
        self.back = QPushButton(_("Back to the lesson"), self._page)
        self.back.clicked.connect(lambda: self.intent.emit(RestoreStep()))
        self.close_button = QToolButton(self)
        self.close_button.setAccessibleName(_("Leave the lesson"))
        self.close_button.setToolTip(plain_tip(_("Leave the lesson")))
        self.close_button.clicked.connect(lambda: self.intent.emit(LeaveLesson()))
        self.stepper = Stepper(theme, self)
        self.stepper.valueChanged.connect(lambda place: self.intent.emit(TurnTo(place)))
        self.previous = QToolButton(self)
        self.previous.setAccessibleName(_("Previous step"))
        self.previous.setToolTip(plain_tip(_("Previous step (Page Up)")))
        self.next = QPushButton(_("Next"), self)
        self.next.setProperty("kind", "primary")
        self.next.setToolTip(plain_tip(_("Next step (Page Down)")))
        self.previous.clicked.connect(lambda: self._turn(-1))
        self.next.clicked.connect(lambda: self._turn(1))
        for box in (self.question, self.task):
            box.intent.connect(self.intent)
        self._build()
        self.retheme(theme)

    def _build(self) -> None:
        self._scroll.setWidget(self._page)
        self._column = QVBoxLayout(self._page)
        self._top = QHBoxLayout()
        self._top.addWidget(self._title, 1)
        self._top.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        for part in (
            self._fault,
            self._text,
            self._formula,
            self.question,
            self.task,
            self._thoughts,
            self.back,
        ):
            self._column.addWidget(part)
        self._column.addStretch(1)
        self._foot = QHBoxLayout()
        self._foot.addWidget(self.previous)
        self._foot.addWidget(self.stepper, 1)
        self._foot.addWidget(self.next)
        self._whole = QVBoxLayout(self)
        self._whole.addLayout(self._top)
        self._whole.addWidget(self._scroll, 1)
        self._whole.addLayout(self._foot)

    def show_sheet(self, sheet: Sheet, tokens: Mapping[str, str]) -> None:
        """Show a page.

        Parameters
        ----------
        tokens : mapping of str to str
            The tokens' colours by name, for formulas.
        """
        before, self._sheet = self._sheet, sheet
        keys = QApplication.focusWidget()
        self._title.setText(displayable(sheet.title))
        _show_text(self._text, sheet.text)
        _show_text(self._thoughts, _thoughts(sheet.questions))
        fault = sheet.fault or self._drawing_fault(sheet.formula, tokens)
        _show_text(self._fault, fault)
        self._formula.setVisible(bool(sheet.formula) and not fault)
        self.question.show_question(sheet.question)
        self.task.show_task(sheet.task)
        self.back.setVisible(sheet.departed)
        self.previous.setEnabled(sheet.place > 0)
        self.next.setEnabled(sheet.place < sheet.count - 1)
        self.stepper.show_page(sheet.place, sheet.count)
        if before is None or (before.title, before.place) != (sheet.title, sheet.place):
            self._scroll.verticalScrollBar().setValue(0)
        if keys is not None and self.isAncestorOf(keys):
            self._lead_on(keys)

    def draw(self, frame: Any) -> None:
        """Show the page that goes with the frame."""
        sheet = self._tell(frame)
        if sheet is not None:
            self.show_sheet(sheet, self.inks(frame))

    def inks(self, frame: Any) -> dict[str, str]:
        """Return the colours of a frame's tokens by name."""
        inks: dict[str, str] = {}
        queries, keys = self.theme.token_colours(frame)
        named = ((frame.scene.key_tokens, keys), (frame.scene.tokens, queries))
        for tokens, colours in named:
            inks |= {token: colour.ink for token, colour in zip(tokens, colours, strict=True)}
        return inks

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        px = theme.px
        self._title.setFont(theme.font(18, 600))
        for label in (self._text, self._thoughts, self._fault):
            label.setFont(theme.font(15))
        for button in (self.back, self.next):
            button.setFont(theme.font(14))
        side = QSize(px(SIDE), px(SIDE))
        self.close_button.setIcon(icon("close", theme))
        self.previous.setIcon(icon("chevron-left", theme))
        for tool in (self.close_button, self.previous):
            tool.setIconSize(side)
        self._formula.retheme(theme)
        self.question.retheme(theme)
        self.task.retheme(theme)
        self.stepper.retheme(theme)
        self._top.setContentsMargins(px(16), px(10), px(8), px(8))
        self._column.setContentsMargins(px(16), 0, px(16), px(4))
        self._column.setSpacing(px(10))
        self._foot.setContentsMargins(px(10), px(6), px(16), px(10))
        self._foot.setSpacing(px(10))
        self._whole.setContentsMargins(0, 0, 0, 0)
        self._whole.setSpacing(0)

    def _lead_on(self, keys: QWidget) -> None:
        """Give the keys back to what had them, or to the way on where that is gone."""
        if not (keys.isVisible() and keys.isEnabled()):
            keys = self.next if self.next.isEnabled() else self.stepper
        keys.setFocus()

    def _turn(self, by: int) -> None:
        sheet = self._sheet
        if sheet is not None and 0 <= sheet.place + by < sheet.count:
            self.intent.emit(TurnTo(sheet.place + by))

    def _drawing_fault(self, formula: str, tokens: Mapping[str, str]) -> str:
        """Draw the formula; return what is wrong with it, or nothing."""
        if not formula:
            return ""
        try:
            self._formula.show_formula(formula, tokens)
        except Problem as problem:
            return str(problem)
        return ""


class RunLessonPanel(LessonPanel):
    """The same beside a run."""

    concerns: ClassVar[Flag] = (
        TrainChange.NUMBERS
        | TrainChange.RECORDED
        | TrainChange.PLAYBACK
        | TrainChange.PROGRESS
        | TrainChange.LOOK
        | TrainChange.SELECTION
        | TrainChange.DOCUMENT
    )

    def inks(self, frame: TrainFrame) -> dict[str, str]:
        """Return the colours of a run's words."""
        colours = word_colours(self.theme, frame)
        return {word: c.ink for word, c in zip(frame.vocabulary, colours, strict=True)}


def _show_text(label: QLabel, text: str) -> None:
    label.setText(displayable(text) if "\n" not in text else text)
    label.setVisible(bool(text))


def _thoughts(questions: tuple[str, ...]) -> str:
    return "\n\n".join(f"{n}. {displayable(text)}" for n, text in enumerate(questions, 1))
