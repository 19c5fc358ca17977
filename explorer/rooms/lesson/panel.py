"""The lesson's panel: text, formula, question or task, and the way forward and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Flag
from typing import Any, ClassVar

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QRegion,
    QResizeEvent,
)
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
from explorer.kit.code_lines import CodeLines
from explorer.kit.formula import FormulaView
from explorer.kit.icons import SIDE, icon
from explorer.kit.labels import plain_label, show_title
from explorer.kit.layouts import as_panel, put, set_spacing
from explorer.kit.pieces import colour_of, name_of
from explorer.kit.run_words import word_colours
from explorer.kit.scrolling import ColumnArea
from explorer.kit.table.painting import draw_box
from explorer.kit.theme import Theme
from explorer.rooms.lesson.exercise import QuestionBox, TaskBox
from explorer.rooms.lesson.reading import Reading
from explorer.rooms.lesson.stepper import Stepper
from explorer.session import Change
from explorer.session.lesson import (
    AskForHint,
    Code,
    LeaveLesson,
    LightLine,
    NextLesson,
    RestoreStep,
    Sheet,
    TurnTo,
)
from explorer.session.model.frame import ModelChange, ModelFrame
from explorer.session.train import TrainChange, TrainFrame
from explorer.text import Problem, _, displayable, listed, plain_tip

_WIDTH, _RADIUS = 2.25, 8  # px at 100 %
_AWAY, _EDGE = 5, 2  # px at 100 %: how far around what scrolls, how far within its panel
_DOT = 7  # px at 100 %
_SHOWN = (
    *(QEvent.Type.Show, QEvent.Type.ShowToParent),
    *(QEvent.Type.Hide, QEvent.Type.HideToParent),
)


class Outline(QWidget):
    """Outlines a widget: transparent to the mouse, moved and resized with it.

    Where the widget can be scrolled away, it is scrolled to, and the outline lies around it, for
    what it holds reaches to its edge. The outline is masked to the line itself, so that nothing
    beneath is painted again because of it.
    """

    def __init__(self, target: QWidget, theme: Theme) -> None:
        self._area = _scrolled_in(target)
        # A parent that ends at the target's edge would cut the outline off.
        super().__init__(target if self._area is None else self._area.widget())
        self._theme = theme
        self._target = target
        self._waits = False  # to be scrolled to, until there is a place to scroll in
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._watched = [target]
        if self._area is not None:
            around = target.parentWidget()
            while around is not None and around is not self._area.widget():
                self._watched.append(around)
                around = around.parentWidget()
            self._watched.append(self._area.viewport())
        for widget in self._watched:
            widget.installEventFilter(self)
        self._follow(target)
        self._scroll_to(target)
        self._show()
        self.raise_()

    @property
    def target(self) -> QWidget:
        """What is outlined."""
        return self._target

    def take_away(self) -> None:
        """Outline nothing any more."""
        for widget in self._watched:  # or it would be seen again with its widget
            widget.removeEventFilter(self)
        self.hide()
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep to the edge, and in sight when the widget is put elsewhere or is seen again."""
        target = self._target
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._follow(target)
        if event.type() in _SHOWN:
            self._show()
        moved = event.type() in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show)
        if moved and (self._waits or watched is target):
            # Where there is no end to scroll to yet: what the target is put into grows after it.
            QTimer.singleShot(0, self, self._keep_in_sight)
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the line."""
        width = _WIDTH * self._theme.percent / 100
        with QPainter(self) as painter:
            inset = width / 2 + 1
            box = self.rect().toRectF().adjusted(inset, inset, -inset, -inset)
            ink, radius = self._theme.color("ink1"), self._theme.px(_RADIUS)
            draw_box(painter, box, radius, edge=ink, width=width)

    def _show(self) -> None:
        """Be seen where the widget is; a fold between it and what scrolls may hide it."""
        self.setVisible(self._area is None or self._target.isVisibleTo(self._area))

    def _keep_in_sight(self) -> None:
        if not self.isHidden():
            self._scroll_to(self._target)

    def _scroll_to(self, target: QWidget) -> None:
        if self._area is not None:
            self._waits = not (self._area.isVisible() and self._area.viewport().height())
            if not self._waits:
                self._area.see(target, self._theme.px(_AWAY))

    def _follow(self, target: QWidget) -> None:
        box = target.rect()
        content = self.parentWidget()
        if self._area is not None and content is not None:
            away, edge = self._theme.px(_AWAY), self._theme.px(_EDGE)
            # Beside the panel's edges, and a scroll bar that covers the target's margin.
            ends = self._area.viewport().rect().adjusted(edge, 0, -edge, 0)
            origin = content.mapFrom(self._area.viewport(), ends.topLeft())
            box.translate(target.mapTo(content, box.topLeft()))
            box = box.adjusted(-away, -away, away, away)
            box.setLeft(max(box.left(), origin.x()))
            box.setRight(min(box.right(), origin.x() + ends.width() - 1))
        self.setGeometry(box)
        edge = self._theme.px(_RADIUS)
        inner: QRect = self.rect().adjusted(edge, edge, -edge, -edge)
        self.setMask(QRegion(self.rect()) - QRegion(inner))


class Dot(Outline):
    """Marks a tab that hides what the page mentions; a ring on it would look like the focus."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the dot."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("ink1"))
            painter.drawEllipse(self.rect())

    def _follow(self, target: QWidget) -> None:
        side, edge = self._theme.px(_DOT), self._theme.px(_EDGE)
        self.setGeometry(target.width() - side - edge, edge, side, side)


def _scrolled_in(widget: QWidget) -> ColumnArea | None:
    """Return the area in which a widget is scrolled; None where it always stands still."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, ColumnArea):
        area = area.parentWidget()
    return area


_FORMULA, _CODE, _LEAST_CODE = 20, 15, 13  # px at 100 %


TellSheet = Callable[[Any], Sheet | None]  # beside a frame of a room


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
        as_panel(self)
        self.setAccessibleName(_("Lesson"))
        self._sheet: Sheet | None = None
        self._wanted = 0
        self._read = Reading(self)
        self._page, self._asked = self._read.above, self._read.below
        self._title = plain_label("ink1", self._page)
        self._text = plain_label("ink1", self._page)
        self._fault = plain_label("err", self._page)
        self._formula = FormulaView(theme, _FORMULA, self._page)
        self.code = CodeLines(theme, self._page)
        self.code.picked.connect(lambda line: self.intent.emit(LightLine(line)))
        self._grounds = plain_label("ink2", self._page)
        self.question = QuestionBox(theme, self._asked)
        self.task = TaskBox(theme, self._asked)
        self._thoughts = plain_label("ink1", self._page)
        self.answers = QPushButton(_("Show model answers"), self._page)
        self.answers.clicked.connect(lambda: self.intent.emit(AskForHint()))
        self.back = QPushButton(_("Back to the lesson"), self._page)
        self.back.clicked.connect(lambda: self.intent.emit(RestoreStep()))
        self.close_button = QToolButton(self._page)
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
        self._column = QVBoxLayout(self._page)
        self._top = QHBoxLayout()
        self._top.addWidget(self._title, 1)
        self._top.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        self._column.addLayout(self._top)
        for part in (
            self._fault,
            self._text,
            self._formula,
            self.code,
            self._grounds,
            self._thoughts,
            self.answers,
            self.back,
        ):
            self._column.addWidget(part)
        self._answers = put(QVBoxLayout(self._asked), self.question, self.task)
        self._foot = put(QHBoxLayout(), self.previous, (self.stepper, 1), self.next)
        self._whole = put(QVBoxLayout(self), (self._read, 1), self._foot)

    def show_sheet(self, sheet: Sheet, tokens: Mapping[str, str]) -> None:
        """Show a page.

        Parameters
        ----------
        tokens : mapping of str to str
            The tokens' colours by name, for formulas.
        """
        before, self._sheet = self._sheet, sheet
        keys = QApplication.focusWidget()
        show_title(self._title, displayable(sheet.title))
        _show_text(self._text, sheet.text)
        _show_text(self._thoughts, _thoughts(sheet.questions, sheet.answers))
        self.answers.setVisible(sheet.answered and not sheet.answers)
        fault = sheet.fault or self._drawing_fault(sheet.formula, tokens)
        _show_text(self._fault, fault)
        self._formula.setVisible(bool(sheet.formula) and not fault)
        _show_text(self._grounds, grounds(sheet))
        self.question.show_question(sheet.question)
        self.task.show_task(sheet.task)
        self.back.setVisible(sheet.departed)
        self.previous.setEnabled(sheet.place > 0)
        last = sheet.place == sheet.count - 1
        self.next.setText(_("Next lesson") if last and sheet.following else _("Next"))
        tip = displayable(sheet.following) if last else _("Next step (Page Down)")
        self.next.setToolTip(plain_tip(tip))
        self.next.setEnabled(not last or bool(sheet.following))
        self.stepper.show_page(sheet.place, sheet.count)
        if before is None or (before.title, before.place) != (sheet.title, sheet.place):
            self._read.show_top()
        self._read.way.setText(_("To the question") if sheet.question else _("To the task"))
        self._fit_code()
        if before is not None and _told(sheet) not in ("", _told(before)):
            self._read.show_asked()
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
        self._read.take_line(self._text.fontMetrics().lineSpacing(), px(16))
        for button in (self.answers, self.back, self.next, self._read.way):
            button.setFont(theme.font(14))
        side = QSize(px(SIDE), px(SIDE))
        self.close_button.setIcon(icon("close", theme))
        self.previous.setIcon(icon("chevron-left", theme))
        for tool in (self.close_button, self.previous):
            tool.setIconSize(side)
        self._formula.retheme(theme)
        self.code.resize_letters(theme, px(_CODE), px(_LEAST_CODE))
        self._grounds.setFont(theme.font(13))
        self.question.retheme(theme)
        self.task.retheme(theme)
        self.stepper.retheme(theme)
        self._top.setContentsMargins(0, px(8), -px(8), -px(4))
        set_spacing(self._column, px(16), 0, px(16), px(2), gap=px(8))
        set_spacing(self._answers, px(16), px(4), px(16), px(2), gap=px(8))
        set_spacing(self._foot, px(10), px(4), px(16), px(8), gap=px(10))
        set_spacing(self._whole, 0, 0, 0, 0, gap=0)
        self._fit_code()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much of the code as there is room for now."""
        super().resizeEvent(event)
        self._fit_code()

    def _fit_code(self) -> None:
        """Show the lines of code that the page mentions, with those around them if they fit."""
        code = Code() if self._sheet is None else self._sheet.code
        self.code.show_code(code, len(code.marked) or len(code.lines))
        wanted = self._read.wanted + self.height() - self._read.height()
        if self._sheet is not None and wanted != self._wanted:
            self._wanted = wanted
            self.height_wanted.emit(wanted)
        for most in (len(code.lines), len(code.marked)):
            self.code.show_code(code, most)
            if self._read.fits or not code.marked:
                break
        self._read.share_out()

    def _lead_on(self, keys: QWidget) -> None:
        """Give the keys back to what had them, or to the way on where that is gone."""
        if not (keys.isVisible() and keys.isEnabled()):
            keys = self.next if self.next.isEnabled() else self.stepper
        keys.setFocus()

    def _turn(self, by: int) -> None:
        sheet = self._sheet
        if sheet is not None and 0 <= sheet.place + by < sheet.count:
            self.intent.emit(TurnTo(sheet.place + by))
        elif sheet is not None and by > 0 and sheet.following:
            self.intent.emit(NextLesson())

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


class ModelLessonPanel(LessonPanel):
    """The same beside a model's run."""

    concerns: ClassVar[Flag] = (
        ModelChange.NUMBERS
        | ModelChange.PAIR
        | ModelChange.LOOK
        | ModelChange.TEXT
        | ModelChange.SWITCHES
    )

    def inks(self, frame: ModelFrame) -> dict[str, str]:
        """Return the colours of the pinned tokens."""
        pieces = () if frame.run is None else frame.run.pieces
        colours = {
            name_of(piece): colour_of(self.theme, frame, i) for i, piece in enumerate(pieces)
        }
        return {name: colour.ink for name, colour in colours.items() if colour is not None}


def _told(sheet: Sheet) -> str:
    """Return what stands below a page's question or task: what came of an answer, or a hint."""
    question, task = sheet.question, sheet.task
    if question is not None:
        return question.said
    return "" if task is None else task.hint + _("Done.") * task.done


def _show_text(label: QLabel, text: str) -> None:
    label.setText(displayable(text) if "\n" not in text else text)
    label.setVisible(bool(text))


def grounds(sheet: Sheet) -> str:
    """Return which lessons one takes for granted; empty where it says none."""
    if not sheet.builds_on:
        return ""
    return _("Builds on: {lessons}").format(lessons=listed(sheet.builds_on))


def _thoughts(questions: tuple[str, ...], answers: tuple[str, ...]) -> str:
    """Return the questions with their numbers, each with its answer where that is shown."""
    lines = []
    for number, text in enumerate(questions, 1):
        lines.append(f"{number}. {displayable(text)}")
        if number <= len(answers):
            lines.append(f"→ {displayable(answers[number - 1])}")
    return "\n\n".join(lines)
