"""A lesson as a PDF: its steps one below the other, and what there is to write and think about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from explorer.app.handout.exercises import Exercise, filled, inputs, predicted, set_task
from explorer.app.handout.paper import PT, Block, Paper, PaperPage, Row, height_of, paged, pdf
from explorer.app.handout.pictures import Pictures, pictures
from explorer.app.handout.rows import (
    beside,
    blanks,
    choices,
    formula,
    hairline,
    numbered,
    program,
    rules,
    shifted,
    space,
    tables,
    words,
)
from explorer.app.lessons.asking import wrong_with
from explorer.app.lessons.tables import after_edits
from explorer.app.lessons.variants import Variant, variant_of
from explorer.lessons.lesson import Fault, Lesson, printed_text, said_in
from explorer.lessons.lesson_index import grounds_of, title_of
from explorer.lessons.readings import AnyFrame
from explorer.lessons.schema import Step
from explorer.lessons.steps import CameraMove, camera_of, code_of, kind_of
from explorer.session import Frame
from explorer.session.scene_file import write_bytes
from explorer.session.train import TrainFrame
from explorer.text import N_, Message, Problem, _, displayable, language, listed
from explorer.traces.files import check_place

_INDENT = 20 * PT  # of what stands beside a step's number
_GUTTER = 18 * PT  # between two columns
_ABOVE, _BELOW = 12, 11  # pt around the line between two blocks
_MEASURING = 0.5  # share of the time that is over when all is laid out


def write_handout(
    lesson: Lesson,
    path: Path,
    *,
    paper: str = "a4",
    answers: bool = False,
    told: Callable[[float], None] = lambda _share: None,
) -> tuple[Message, ...]:
    """Write a lesson as a PDF, in the language in use, whole or not at all.

    Returns what is wrong with its steps, a sentence each; it is printed in their place.

    Parameters
    ----------
    path : Path
        A .pdf file.
    paper : str
        "a4" or "letter".
    answers : bool
        Whether the answers are on a page of their own at the end.
    told : callable
        Is told now and then what share is done; what it raises ends the work, and nothing is
        written.

    Raises Problem where the file cannot be written.
    """
    return _write([Variant(lesson, None)], lesson, path, paper, answers, told)


def write_variants(
    lesson: Lesson,
    path: Path,
    seed: int,
    copies: int,
    *,
    paper: str = "a4",
    answers: bool = False,
    told: Callable[[float], None] = lambda _share: None,
) -> tuple[Message, ...]:
    """Write what a lesson asks with other numbers on each copy, as `write_handout` does.

    The answers to a copy follow it. Raises Problem as `variant_of` too.
    """
    made = [variant_of(lesson, seed, copy) for copy in range(1, copies + 1)]
    return _write(made, lesson, path, paper, answers, told)


def _write(
    variants: Sequence[Variant],
    lesson: Lesson,
    path: Path,
    paper: str,
    answers: bool,
    told: Callable[[float], None],
) -> tuple[Message, ...]:
    if path.suffix.lower() != ".pdf":
        raise Problem(N_("{path}: a handout's name ends in .pdf."), path=path)
    check_place(path)
    title = displayable(said_in(language(), lesson.title))
    pages: list[PaperPage] = []
    wrong: list[Message] = []

    def laid_out(copy: int, share: float) -> None:
        told((copy + share) / len(variants) * _MEASURING)

    with pictures() as drawn:
        for copy, variant in enumerate(variants):
            sheets = _Sheets(variant.lesson, Paper(paper), drawn, variant.places)
            pages += sheets.pages(answers, partial(laid_out, copy))
            wrong += sheets.wrong
        data = pdf(
            pages,
            Paper(paper),
            drawn.theme,
            title,
            lambda share: told(_MEASURING + share * (1 - _MEASURING)),
        )
    write_bytes(data, path)
    return tuple(wrong)


class _Drawn(Protocol):
    """What makes pictures of steps of one kind; their frames are nothing to anybody else."""

    def frame(self, lesson: Lesson, place: int) -> Any:
        """Return what a step shows; None where that is the reader's own run. Raises Problem."""

    def middle(self, frame: Any, camera: CameraMove, width: float) -> list[Row]:
        """Return what stands in the middle, where it is as wide as a column."""

    def tables(self, frame: Any, names: Sequence[str]) -> Sequence[Any]:
        """Return what is shown beside it, for `table`."""

    def table(self, name: Any, frame: Any, width: float) -> Row:
        """Return one of these."""

    def wide(self, frame: Any, names: Sequence[str], width: float) -> list[Row]:
        """Return what is as wide as the page."""


class _Sheets:
    """Makes the pages of one lesson."""

    def __init__(
        self,
        lesson: Lesson,
        paper: Paper,
        drawn: Pictures,
        places: tuple[int, ...] | None = None,
    ) -> None:
        self.lesson, self.paper, self.drawn = lesson, paper, drawn
        # Of the steps that are printed, by default all.
        self._places = range(len(lesson.steps)) if places is None else places
        self.theme, self.width = drawn.theme, paper.width
        self.exercises: list[tuple[int, Exercise]] = []  # and the numbers of their steps
        self.wrong: list[Message] = []

    def pages(self, answers: bool, told: Callable[[float], None]) -> list[PaperPage]:
        """Return the pages; the answers begin one of their own."""
        height, line = self.paper.height, hairline(self.theme, self.width, _ABOVE, _BELOW)
        made = paged(self._blocks(told), height, line)
        if answers and (self.exercises or self.lesson.answers):
            made += paged(self._answers(), height, line)
        return made

    def _blocks(self, told: Callable[[float], None]) -> Iterator[Block]:
        yield self._head()
        for done, place in enumerate(self._places):
            told(done / len(self._places))
            step = self.lesson.steps[place]
            parts = self._fault(step) if isinstance(step, Fault) else self._step(place + 1)
            yield numbered(parts, done + 1, self.theme)
        for number, texts in enumerate(self.lesson.questions, 1):
            rows = self._words(said_in(language(), texts), indent=_INDENT)
            rows = numbered(rows, number, self.theme) + rules(self.theme, self.width, 3, _INDENT)
            first = self._heading(_("To think about")) if number == 1 else []
            yield [*first, *rows]

    def _head(self) -> list[Row]:
        """Return the title, and where the reader's name goes."""
        title = said_in(language(), self.lesson.title)
        titles = [title_of(path, language()) for path in grounds_of(self.lesson)]
        grounds = _("Builds on: {lessons}").format(lessons=listed(titles)) if titles else ""
        return [
            *words(title, self.theme, self.width, size=22, weight=700, leads=True),
            *(self._words(grounds, ink="ink3") if grounds else ()),
            space(4),
            blanks((_("Name"), _("Date")), self.theme, self.width),
        ]

    # --- a step ----------------------------------------------------------------------------------

    def _step(self, number: int) -> list[Row]:
        step = self.lesson.steps[number - 1]
        assert isinstance(step, Step)
        try:
            drawn: _Drawn = self.drawn.of(kind_of(self.lesson, number - 1))
            frame = drawn.frame(self.lesson, number - 1)
        except Problem as problem:
            return self._wrong(number, "", problem)
        found = wrong_with(step, TrainFrame() if frame is None else frame)
        if found is not None:
            return self._wrong(number, *found)
        if frame is None:
            return self._at_the_computer(number, step)
        asked = list(_exercises(step, frame))
        self.exercises += ((number, exercise) for exercise in asked)
        column = (self.width - _GUTTER) / 2
        right = drawn.middle(frame, camera_of(self.lesson, number - 1), column)
        width = column if right else self.width
        left = self._said(number, frame, asked, width)
        asks = [row for exercise in asked for row in self._asked(exercise, width)]
        for name in drawn.tables(frame, step.highlight):
            if height_of(left) + height_of(asks) < height_of(right):
                row = drawn.table(name, frame, column - _INDENT)
                left += [space(9), shifted(row, _INDENT)]
            else:
                right += [space(9), drawn.table(name, frame, column)]
        rows = beside([*left, *asks], right, column + _GUTTER, self.paper.height)
        for row in drawn.wide(frame, step.highlight, self.width):
            rows += [space(8), row]
        for exercise in asked:
            rows += tables(exercise.tables, self.theme, self.width, _INDENT)
        return rows

    def _at_the_computer(self, number: int, step: Step) -> list[Row]:
        """Return a step about the reader's own run, which nobody knows here."""
        rows = self._words(printed_text(step), indent=_INDENT)
        note = _("This step is about your own run: open the lesson in the program.")
        rows += [space(4), *self._words(note, ink="ink3", indent=_INDENT)]
        if step.task is not None:
            exercise = set_task(step.task)
            self.exercises.append((number, exercise))
            rows += self._asked(exercise, self.width)
        return rows

    def _said(self, number: int, frame: AnyFrame, asked: list[Exercise], width: float) -> list[Row]:
        """Return the words of a step, its formula and the numbers it mentions."""
        step = self.lesson.steps[number - 1]
        assert isinstance(step, Step)
        rows = self._words(printed_text(step), width, indent=_INDENT)
        scene = frame if isinstance(frame, Frame) else None
        if step.formula:
            inks = {} if scene is None else self.theme.token_inks(scene)
            rows += [space(8), formula(step.formula, self.theme, width, inks, _INDENT)]
        code = code_of(self.lesson, number - 1)
        if code.lines:
            rows += [space(8), *program(code, self.theme, width, _INDENT)]
        if scene is not None:
            below = [table for exercise in asked for table in exercise.tables]
            given = [table for table in inputs(scene, step.highlight) if table not in below]
            rows += tables(given, self.theme, width, _INDENT)
        return rows

    def _asked(self, exercise: Exercise, width: float) -> list[Row]:
        rows = [space(10), *self._words(exercise.title, width, weight=700, indent=_INDENT)]
        rows += self._words(exercise.text, width, indent=_INDENT)
        if exercise.choices:
            rows += choices(exercise.choices, self.theme, width, _INDENT)
        lines = 0 if exercise.tables else 2  # a table has cells to write in
        return [*rows, *rules(self.theme, width, lines, _INDENT), space(4)]

    def _wrong(self, number: int, key: str, problem: Problem) -> list[Row]:
        """Return the words of a step, and what is wrong at a key of it, said with its line."""
        step = self.lesson.steps[number - 1]
        assert isinstance(step, Step)
        text = self._words(printed_text(step), indent=_INDENT)
        return [*text, space(4), *self._fault(self.lesson.fault(number - 1, key, problem))]

    def _fault(self, fault: Fault) -> list[Row]:
        self.wrong.append(fault.message)
        return self._words(str(fault.message), ink="err", indent=_INDENT)

    # --- the end ---------------------------------------------------------------------------------

    def _answers(self) -> Iterator[Block]:
        first = self._heading(_("Answers"))
        for place, exercise in self.exercises:
            number = self._places.index(place - 1) + 1
            rows = self._words(exercise.text, ink="ink3", indent=_INDENT)
            if exercise.answer:
                rows += self._words(exercise.answer, weight=600, indent=_INDENT)
            if exercise.solved:
                rows += tables(exercise.solved, self.theme, self.width, _INDENT)
            yield [*first, *numbered(rows, number, self.theme)]
            first = []
        thoughts = self._heading(_("Model answers"))
        for number, texts in enumerate(self.lesson.answers, 1):
            rows = self._words(said_in(language(), texts), indent=_INDENT)
            yield [*thoughts, *numbered(rows, number, self.theme)]
            thoughts = []

    def _heading(self, text: str) -> list[Row]:
        made = words(text, self.theme, self.width, size=15, weight=700, leads=True)
        return [*made, space(4)]

    def _words(
        self,
        text: str,
        width: float | None = None,
        *,
        weight: int = 400,
        ink: str = "ink1",
        indent: float = 0,
    ) -> list[Row]:
        room = self.width if width is None else width
        return words(text, self.theme, room, weight=weight, ink=ink, indent=indent)


def _exercises(step: Step, frame: AnyFrame) -> Iterator[Exercise]:
    """Yield what a step asks, with which nothing is wrong."""
    if step.predict is not None:
        yield predicted(step.predict, frame, after_edits(step.predict.by, frame))
    if step.fill is not None and isinstance(frame, Frame):
        yield filled(step.fill, frame)
    if step.task is not None:
        yield set_task(step.task)
