"""The player of a lesson: which page is open, what was answered, what the panel shows of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from explorer.app.document import Document
from explorer.app.lessons.asking import answer_said, asked, is_answer, wrong_with
from explorer.app.lessons.open_page import NOWHERE, OpenPage, hidden, is_open, veiled_by
from explorer.app.lessons.tables import ModelTable, RunTable, SceneTable, Table, after_edits
from explorer.lessons.lesson import Fault, Lesson, said_in
from explorer.lessons.lesson_index import Neighbours, neighbours_of
from explorer.lessons.read import read_lesson
from explorer.lessons.readings import AnyFrame, holds
from explorer.lessons.schema import Edit, Kind, Step
from explorer.lessons.steps import (
    CameraMove,
    camera_of,
    code_of,
    first_scene,
    intents_of,
    kind_of,
)
from explorer.session import Frame
from explorer.session.lesson import (
    AnswerQuestion,
    AskForHint,
    Code,
    LeaveLesson,
    LightLine,
    NextLesson,
    Notes,
    Question,
    RestoreStep,
    Reveal,
    Sheet,
    SolveTask,
    Task,
    TurnTo,
    Verdict,
)
from explorer.text import Message, Problem, _, in_a_row, language


class Player(QObject):
    """Plays one lesson at a time on a session.

    Parameters
    ----------
    scenes, runs, models : Table
        Where steps about scenes, about traces and about models are put.
    document : Document
        Asks about unsaved changes before a lesson takes their place.
    tell : callable
        Shows a problem.
    """

    followed = Signal(Path)  # the lesson after this one is asked for
    changed = Signal()  # the page, or whether there is one
    put = Signal(bool)  # a step was put on its table: whether another scene lies there now

    def __init__(
        self,
        scenes: SceneTable,
        runs: RunTable,
        models: ModelTable,
        document: Document,
        tell: Callable[[Problem], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._scenes = scenes
        self._tables: dict[Kind, Table] = {"scene": scenes, "trace": runs, "model": models}
        self._models = models
        models.arrived = self._arrive
        self._document, self._tell = document, tell
        self._lesson: Lesson | None = None
        self._page = OpenPage(0)
        self._around: tuple[str, Neighbours] | None = None  # as they were read, in that language

    @property
    def lesson(self) -> Lesson | None:
        """The lesson that is open."""
        return self._lesson

    @property
    def playing(self) -> bool:
        """Whether a lesson is open."""
        return self._lesson is not None

    def open(self, source: Path | Lesson) -> bool:
        """Begin a lesson, of a file or as it is; return whether that was done."""
        try:
            lesson = source if isinstance(source, Lesson) else read_lesson(source)
            scene = first_scene(lesson)
        except Problem as problem:
            self._tell(problem)
            return False
        if scene is not None and not self._document.show(scene):
            return False
        self._lesson, self._page, self._around = lesson, OpenPage(-1), None
        self._turn_to(0)
        return True

    def reload(self) -> None:
        """Read the file of the open lesson again and stay on its page; tell what is wrong."""
        if self._lesson is None:
            return
        try:
            lesson = read_lesson(self._lesson.path)
        except Problem as problem:
            self._tell(problem)
            return
        self._lesson, self._around = lesson, None
        place = min(self._page.place, self._count - 1)
        self._page = replace(self._page, place=-1)
        self._turn_to(place)

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
            case Reveal():
                self._reveal()
            case LightLine(line):
                self._show(replace(page, line=line))
            case AskForHint():
                self._show(replace(page, hinted=True))
            case SolveTask():
                step = self._step
                if step is not None and step.task is not None:
                    self._do(step.task.solution)
            case NextLesson():
                path = self._neighbours.after
                if path is not None:
                    self.followed.emit(path)
            case LeaveLesson():
                self._lesson = None
                for table in self._tables.values():
                    table.clear()
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
        """The names of the parts that the open page mentions."""
        step, line, lesson = self._step, self._page.line, self._lesson
        if step is None or lesson is None or self._page.wrong is not None:
            return ()
        return step.highlight if line is None else lesson.code[line].lights

    @property
    def place(self) -> int:
        """The open page, counted from 0."""
        return self._page.place

    @property
    def count(self) -> int:
        """The number of pages."""
        return self._count

    @property
    def fills(self) -> bool:
        """Whether a table is to be filled in on the open page."""
        return self._step is not None and self._step.fill is not None

    @property
    def hides(self) -> bool:
        """Whether the tables are hidden until a question is answered."""
        return (
            self._step is not None
            and self._step.predict is not None
            and self._step.predict.hides
            and self.kind != "trace"
            and (not is_open(self._step, self._page))
        )

    @property
    def notes(self) -> Notes:
        """What a presenter wants of the open page: all its words, the answer, what follows."""
        lesson, place, step = self._lesson, self._page.place, self._step
        if lesson is None:
            return Notes()
        notes = Notes(
            since=lesson.minutes_until(place - 1),
            until=lesson.minutes_until(place),
            lesson=lesson.path.name,
        )
        after = lesson.steps[place + 1 : place + 2]
        following = [said_in(language(), each.short) for each in after if isinstance(each, Step)]
        if not following and place + 1 == len(lesson.steps) and lesson.questions:
            following = [_("To think about")]
        following.append("")
        if place == len(lesson.steps):
            thoughts = (said_in(language(), each) for each in lesson.questions)
            return replace(notes, text=in_a_row(thoughts))
        if step is None or self._page.fault:
            return replace(notes, text=self._page.fault, next=following[0])
        task = step.task
        hint = self._answer_to(step) if task is None else said_in(language(), task.hint)
        return replace(notes, text=said_in(language(), step.text), hint=hint, next=following[0])

    @property
    def kind(self) -> Kind:
        """What the open page is about."""
        return "scene" if self._lesson is None else kind_of(self._lesson, self._page.place)

    @property
    def settled(self) -> bool:
        """Whether all that the open page shows has come."""
        return self.kind != "model" or self._models.settled

    @property
    def fault(self) -> Message | None:
        """What is wrong with the open page; None where nothing is."""
        wrong = self._page.wrong
        return None if wrong is None or self._page.waits else wrong.message

    @property
    def camera(self) -> CameraMove:
        """Where the open page's picture is looked at from; None where that is as one likes."""
        return None if self._lesson is None else camera_of(self._lesson, self._page.place)

    def note_moved(self) -> None:
        """Take note that the picture is looked at from elsewhere than the step does."""
        if self.camera is not None and not self._page.moved and self._step is not None:
            self._show(replace(self._page, moved=True))

    def sheet(self, frame: AnyFrame) -> Sheet | None:
        """Return what the panel shows beside a frame; None where no lesson is open.

        A page about the other table mentions what is there.
        """
        if not isinstance(frame, self._table.kind):
            frame = self._table.frame
        lesson, page, step = self._lesson, self._page, self._step
        if lesson is None:
            return None
        plain = Sheet(said_in(language(), lesson.title), page.place, self._count, fault=page.fault)
        if page.place == len(lesson.steps):
            thoughts = tuple(said_in(language(), each) for each in lesson.questions)
            answers = tuple(said_in(language(), each) for each in lesson.answers)
            return replace(
                plain,
                text=_("To think about"),
                questions=thoughts,
                following=self._neighbours.title,
                answered=bool(lesson.answers),
                answers=answers if page.hinted else (),
            )
        if step is None or page.fault:
            return replace(plain, departed=page.waits)  # it may be shown by now
        return replace(
            plain,
            text=said_in(language(), step.text),
            short=said_in(language(), step.short),
            formula=step.formula or "",
            parts=step.highlight,
            question=self._question(step, frame),
            task=self._task(step, frame),
            departed=self._departed(frame),
            code=self._code(lesson),
            builds_on=self._neighbours.before if page.place == 0 else (),
            following=self._neighbours.title if page.place == self._count - 1 else "",
        )

    # --- inside ----------------------------------------------------------------------------------

    @property
    def _neighbours(self) -> Neighbours:
        """The lessons around this one: read when it was opened, not at each drawing of a page."""
        if self._lesson is None:
            return Neighbours()
        if self._around is None or self._around[0] != language():
            self._around = language(), neighbours_of(self._lesson, language())
        return self._around[1]

    @property
    def _count(self) -> int:
        lesson = self._lesson
        return 0 if lesson is None else len(lesson.steps) + bool(lesson.questions)

    @property
    def _table(self) -> Table:
        """Where the open page's step was put."""
        return self._tables[self.kind]

    @property
    def _step(self) -> Step | None:
        """The step of the open page; None where there is none, or only what is wrong with it."""
        lesson, place = self._lesson, self._page.place
        if lesson is None or not 0 <= place < len(lesson.steps):
            return None
        step = lesson.steps[place]
        return step if isinstance(step, Step) else None

    def _show(self, page: OpenPage) -> None:
        self._page = page
        self.changed.emit()

    def _turn_to(self, place: int) -> None:
        lesson = self._lesson
        if lesson is None or not 0 <= place < self._count or place == self._page.place:
            return
        if self.kind == "model":
            self._table.unveil()
        page = replace(self._page, place=place, shown=None, moved=False, wrong=None, hinted=False)
        page = replace(page, line=None)
        if place < len(lesson.steps):
            step = lesson.steps[place]
            if isinstance(step, Fault):
                page = replace(page, wrong=step)
            else:
                self._put(page)
                return
        else:  # the questions at the end hide nothing, whatever the step before did
            self._table.unveil()
        self._show(page)

    def _restore(self) -> None:
        if self._step is not None:
            self._put(self._page)

    def _put(self, page: OpenPage) -> None:
        """Put what a step shows on its table, and show its page."""
        lesson = self._lesson
        assert lesson is not None
        step = lesson.steps[page.place]
        assert isinstance(step, Step)
        table = self._tables[kind_of(lesson, page.place)]
        try:
            veiled = veiled_by(lesson, page)
            before = table.frame
            covered = hidden(lesson, page)
            shown = table.put(lesson, page.place, veiled=veiled, veils=covered)
        except Problem as problem:
            wrong = (
                Fault(NOWHERE, problem.message)
                if table.key is None
                else lesson.fault(page.place, table.key, problem)
            )
            self._show(replace(page, shown=None, wrong=wrong))
            return
        found = wrong_with(step, table.before(shown, table.frame))
        if found is not None:
            table.unveil()  # nobody is asked
        fault = None if found is None else lesson.fault(page.place, *found)
        self._show(replace(page, shown=shown, wrong=fault, moved=False))
        now = table.frame
        self.put.emit(isinstance(now, Frame) and now.scene is not before.scene)

    def _arrive(self, problem: Problem | None) -> None:
        """Take note that the open page's model shows what the step names, or cannot."""
        lesson, page, step = self._lesson, self._page, self._step
        if lesson is None or step is None or page.shown is None or self.kind != "model":
            return
        table = self._table
        found = ("examine", problem) if problem is not None else None
        if found is None:
            found = wrong_with(step, table.before(page.shown, table.frame))
        if found is not None:
            table.unveil()
            page = replace(page, wrong=lesson.fault(page.place, *found))
        self._show(page)

    def _departed(self, frame: AnyFrame) -> bool:
        page = self._page
        return page.shown is not None and (page.moved or self._table.departed(page.shown, frame))

    def _task(self, step: Step, frame: AnyFrame) -> Task | None:
        task = step.task
        if task is None:
            return None
        hint = said_in(language(), task.hint) if self._page.hinted else ""
        try:
            done = holds(task.check, frame)
        except Problem:  # what it names is there no more: somebody took it away
            done = False
        return Task(said_in(language(), task.text), hint, done)

    def _code(self, lesson: Lesson) -> Code:
        line, code = self._page.line, code_of(lesson, self._page.place)
        return code if line is None else replace(code, marked=frozenset({line}))

    def _question(self, step: Step, frame: AnyFrame) -> Question | None:
        predict, shown = step.predict, self._page.shown
        if predict is None or shown is None:
            return None
        before = self._table.before(shown, frame)
        given = self._page.answers.get(self._page.place, "")
        revealed = self._page.place in self._page.revealed
        try:
            seen = given or revealed
            after = after_edits(predict.by, before) if seen else before
            last = is_open(step, self._page)
            return asked(predict, before, after, given, language(), shown=revealed, last=last)
        except Problem:  # another trace is shown
            return None

    def _answer_to(self, step: Step) -> str:
        """Return what a prediction should be; empty where none is asked for."""
        predict, shown = step.predict, self._page.shown
        if predict is None or shown is None:
            return ""
        try:
            before = self._table.before(shown, self._table.frame)
            return answer_said(predict, before, after_edits(predict.by, before))
        except Problem:
            return ""  # the page says what is wrong with it

    def _answer(self, text: str) -> None:
        page, step = self._page, self._step
        if step is None or step.predict is None:
            return
        before = is_open(step, page)
        page = replace(page, answers=page.answers | {page.place: text})
        if step.predict.ask == "value" and is_answer(text):
            page = self._judged(step, page)
        if is_open(step, page) and not before:
            self._table.unveil(hidden(self._lesson, page))
            self._do(step.predict.by)
        self._show(page)

    def _judged(self, step: Step, page: OpenPage) -> OpenPage:
        """Return the page with its number taken as right, or as one more wrong one."""
        self._page = page
        question = self._question(step, self._table.frame)
        place = page.place
        if question is not None and question.verdict is Verdict.RIGHT:
            return replace(page, right=page.right | {place})
        return replace(page, tries=page.tries | {place: page.tries.get(place, 0) + 1})

    def _reveal(self) -> None:
        """Show what is hidden; of a prediction with what it is about, as if it were answered."""
        page, step = self._page, self._step
        if step is None:
            return
        asked = step.predict is not None and not is_open(step, page)
        page = replace(page, revealed=page.revealed | {page.place})
        self._table.unveil(hidden(self._lesson, page))
        if asked and step.predict is not None:
            self._do(step.predict.by)
        if asked or step.fill is not None:
            self._show(page)

    def _do(self, edits: tuple[Edit, ...]) -> None:
        """Carry out edits of the lesson as hands would."""
        try:
            for edit in edits:
                for intent in intents_of(edit, self._table.frame):
                    self._table.handle(intent)
        except Problem as problem:
            self._tell(problem)
