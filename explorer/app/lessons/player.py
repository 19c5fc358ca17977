"""The player of a lesson: which page is open, what was answered, what the panel shows of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from explorer.app.document import Document
from explorer.app.lessons.asking import asked, is_answer
from explorer.app.presenter import Presenter
from explorer.lessons.lesson import Fault, Lesson, said_in
from explorer.lessons.read import read_lesson
from explorer.lessons.readings import holds
from explorer.lessons.schema import Edit, Step
from explorer.lessons.steps import as_of, intents_of, stages_met
from explorer.session import Frame, Look, Scene, Session, dump_scene, resolve
from explorer.session.lesson import (
    AnswerQuestion,
    AskForHint,
    LeaveLesson,
    Question,
    RestoreStep,
    Sheet,
    SolveTask,
    Task,
    TurnTo,
)
from explorer.session.scene import same_content
from explorer.text import N_, Message, Problem, _, language


@dataclass(frozen=True, eq=False)
class _Page:
    """An open page: what was shown on it, or why nothing could be, and what was answered."""

    place: int
    shown: tuple[Scene, Look] | None = None
    fault: str = ""
    answers: dict[int, str] = field(default_factory=dict)
    hinted: bool = False


class Player(QObject):
    """Plays one lesson at a time on a session.

    Parameters
    ----------
    session : Session
    document : Document
        Asks about unsaved changes before a lesson takes their place.
    handle : callable
        Carries out an intent.
    tell : callable
        Shows a problem.
    """

    changed = Signal()  # the page, or whether there is one

    def __init__(
        self,
        session: Session,
        document: Document,
        handle: Callable[[object], None],
        tell: Callable[[Problem], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._document = session, document
        self._carry_out, self._tell = handle, tell
        self._lesson: Lesson | None = None
        self._page = _Page(0)

    @property
    def playing(self) -> bool:
        """Whether a lesson is open."""
        return self._lesson is not None

    def open(self, path: Path) -> bool:
        """Begin a lesson; return whether that was done."""
        try:
            lesson = read_lesson(path)
            scene = next(
                as_of(lesson, place)[0]
                for place, step in enumerate(lesson.steps)
                if isinstance(step, Step)
            )
        except StopIteration:
            problem = Problem(N_("{reason}"), reason=_first_fault(lesson))
            self._tell(problem)
            return False
        except Problem as problem:
            self._tell(problem)
            return False
        if not self._document.show(scene):
            return False
        self._lesson, self._page = lesson, _Page(-1)
        self._turn_to(0)
        return True

    def handle(self, intent: object) -> bool:
        """Carry out what the panel asks for; return whether it was that."""
        page = self._page
        match intent:
            case TurnTo(place):
                self._turn_to(place)
            case RestoreStep():
                self._restore()
            case AnswerQuestion(text):
                self._answer(text)
            case AskForHint():
                self._show(replace(page, hinted=True))
            case SolveTask():
                step = self._step
                if step is not None and step.task is not None:
                    self._do(step.task.solution)
            case LeaveLesson():
                self._lesson = None
                self._session.look_at(replace(self._session.look, veiled=False, met=None))
                self.changed.emit()
            case _:
                return False
        return True

    def turn_by_key(self, key: int) -> bool:
        """Turn a page by Page Down or Page Up; return whether it was one of these in a lesson."""
        by = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}.get(Qt.Key(key))
        if by is None or not self.playing:
            return False
        self._turn_to(self._page.place + by)
        return True

    @property
    def highlight(self) -> tuple[str, ...]:
        """The names of the parts that the open page speaks of."""
        step = self._step
        return () if step is None else step.highlight

    def sheet(self, frame: Frame) -> Sheet | None:
        """Return what the panel shows beside a frame; None where no lesson is open."""
        lesson, page, step = self._lesson, self._page, self._step
        if lesson is None:
            return None
        plain = Sheet(said_in(language(), lesson.title), page.place, self._count, fault=page.fault)
        if page.place == len(lesson.steps):
            thoughts = tuple(said_in(language(), each) for each in lesson.questions)
            return replace(plain, text=_("To think about"), questions=thoughts)
        if step is None or page.fault:
            return plain
        try:
            return replace(
                plain,
                text=said_in(language(), step.text),
                short=said_in(language(), step.short),
                formula=step.formula or "",
                question=self._question(step, frame),
                task=self._task(step, frame),
                departed=self._departed(frame),
            )
        except Problem as problem:
            return replace(plain, fault=str(problem))

    # --- inside ----------------------------------------------------------------------------------

    @property
    def _count(self) -> int:
        lesson = self._lesson
        return 0 if lesson is None else len(lesson.steps) + bool(lesson.questions)

    @property
    def _step(self) -> Step | None:
        """The step of the open page; None where there is none, or only what is wrong with it."""
        lesson, place = self._lesson, self._page.place
        if lesson is None or not 0 <= place < len(lesson.steps):
            return None
        step = lesson.steps[place]
        return step if isinstance(step, Step) else None

    def _show(self, page: _Page) -> None:
        self._page = page
        self.changed.emit()

    def _turn_to(self, place: int) -> None:
        lesson = self._lesson
        if lesson is None or not 0 <= place < self._count or place == self._page.place:
            return
        page = _Page(place, answers=self._page.answers)
        if place < len(lesson.steps):
            step = lesson.steps[place]
            if isinstance(step, Fault):
                page = replace(page, fault=str(step.message))
            else:
                page = self._put(page)
        self._show(page)

    def _restore(self) -> None:
        if self._step is not None:
            self._show(self._put(self._page))

    def _put(self, page: _Page) -> _Page:
        """Put what a step shows on the table, as one edit; return its page."""
        lesson, session = self._lesson, self._session
        assert lesson is not None
        try:
            scene, look, selection = as_of(lesson, page.place)
        except Problem as problem:
            return replace(page, fault=str(problem))
        now = session.scene
        if same_content(now, scene) or _same_numbers(now, scene):
            scene = now
        name = Message(N_("lesson step {step}"), {"step": page.place + 1})
        session.edit(name, scene)
        session.mark_saved(scene)
        step = lesson.steps[page.place]
        asks = isinstance(step, Step) and step.predict is not None
        veiled = asks and not _answered(step, page)
        look = replace(look, veiled=veiled, met=stages_met(lesson, page.place))
        session.look_at(look.with_pages_of(session.look))
        session.select(selection)
        return replace(page, shown=(session.scene, session.look), fault="")

    def _departed(self, frame: Frame) -> bool:
        if self._page.shown is None:
            return False
        scene, look = self._page.shown
        seen = replace(frame.look.with_pages_of(look), veiled=look.veiled)
        return frame.scene is not scene or seen != look

    def _task(self, step: Step, frame: Frame) -> Task | None:
        task = step.task
        if task is None:
            return None
        hint = said_in(language(), task.hint) if self._page.hinted else ""
        return Task(said_in(language(), task.text), hint, holds(task.check, frame))

    def _question(self, step: Step, frame: Frame) -> Question | None:
        predict, shown = step.predict, self._page.shown
        if predict is None or shown is None:
            return None
        scene, look = shown
        before = frame if frame.scene is scene else resolve(scene, look)
        given = self._page.answers.get(self._page.place, "")
        after = before if not given else self._after(before, predict.by)
        return asked(predict, before, after, given, language())

    def _after(self, before: Frame, edits: tuple[Edit, ...]) -> Frame:
        """Return the frame with edits carried out, on a table of their own."""
        if not edits:
            return before
        session = Session(before.scene)
        session.look_at(before.look)
        presenter = Presenter(session, lambda _text, _readings: None, _raise, lambda _text: None)
        for edit in edits:
            for intent in intents_of(edit, session.frame):
                presenter.handle(intent)
        return session.frame

    def _answer(self, text: str) -> None:
        page, step = self._page, self._step
        if step is None or step.predict is None:
            return
        before = _answered(step, page)
        page = replace(page, answers=page.answers | {page.place: text})
        if _answered(step, page) and not before:
            self._session.look_at(replace(self._session.look, veiled=False))
            self._do(step.predict.by)
        self._show(page)

    def _do(self, edits: tuple[Edit, ...]) -> None:
        """Carry out edits of the lesson as hands would."""
        try:
            for edit in edits:
                for intent in intents_of(edit, self._session.frame):
                    self._carry_out(intent)
        except Problem as problem:
            self._tell(problem)


def _answered(step: object, page: _Page) -> bool:
    """Return whether a page's question has an answer: a choice, or a number."""
    text = page.answers.get(page.place, "")
    if isinstance(step, Step) and step.predict is not None and step.predict.ask == "value":
        return is_answer(text)
    return bool(text)


def _raise(problem: Problem) -> None:
    raise problem


def _first_fault(lesson: Lesson) -> Message:
    return next(step.message for step in lesson.steps if isinstance(step, Fault))


def _same_numbers(now: Scene, then: Scene) -> bool:
    """Return whether two scenes would be saved as the same file."""
    return dump_scene(now) == dump_scene(then)
