"""A lesson as a PDF: its steps one below the other, and what there is to write and think about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from explorer.app.handout.exercises import Exercise, inputs, predicted, set_task
from explorer.app.handout.paper import PT, Block, Page, Paper, Row, height_of, paged, pdf
from explorer.app.handout.pictures import Pictures, pictures
from explorer.app.handout.rows import (
    beside,
    blanks,
    choices,
    formula,
    hairline,
    numbered,
    rules,
    shifted,
    space,
    tables,
    words,
)
from explorer.app.lessons.tables import after_edits
from explorer.lessons.lesson import Fault, Lesson, said_in
from explorer.lessons.schema import Step
from explorer.lessons.steps import as_of
from explorer.session import Frame, resolve
from explorer.session.scene_file import write_bytes
from explorer.text import N_, Problem, _, language
from explorer.traces.files import check_place

Told = Callable[[int, int], bool]

_INDENT = 20 * PT  # of what stands beside a step's number
_GUTTER = 18 * PT  # between two columns
_ABOVE, _BELOW = 12, 11  # pt around the line between two blocks


def write_handout(
    lesson: Lesson,
    path: Path,
    *,
    paper: str = "a4",
    answers: bool = False,
    told: Told = lambda _done, _count: True,
) -> bool:
    """Write a lesson as a PDF, in the language in use, whole or not at all; return whether it was.

    Parameters
    ----------
    path : Path
        A .pdf file.
    paper : str
        "a4" or "letter".
    answers : bool
        Whether the answers are on a page of their own at the end.
    told : callable
        Is told how much is done, of how much; returns whether to go on.

    Raises Problem where the file cannot be written.
    """
    if path.suffix.lower() != ".pdf":
        raise Problem(N_("{path}: a handout's name ends in .pdf."), path=path)
    check_place(path)
    with pictures() as drawn:
        sheets = _Sheets(lesson, Paper(paper), drawn)
        pages = sheets.pages(answers=answers)
        data = pdf(pages, sheets.paper, drawn.theme, said_in(language(), lesson.title), told)
    if data is None:
        return False
    write_bytes(data, path)
    return True


class _Sheets:
    """Makes the pages of one lesson."""

    def __init__(self, lesson: Lesson, paper: Paper, drawn: Pictures) -> None:
        self.lesson, self.paper, self.drawn = lesson, paper, drawn
        self.theme, self.width = drawn.theme, paper.width
        self.exercises: dict[int, Exercise] = {}  # by the numbers of their steps

    def pages(self, *, answers: bool) -> list[Page]:
        """Return the pages; the answers begin one of their own."""
        height, line = self.paper.height, hairline(self.theme, self.width, _ABOVE, _BELOW)
        made = paged(self._blocks(), height, line)
        if answers and self.exercises:
            made += paged(self._answers(), height, line)
        return made

    def _blocks(self) -> Iterator[Block]:
        yield self._head()
        for number, step in enumerate(self.lesson.steps, 1):
            parts = (
                self._fault(str(step.message)) if isinstance(step, Fault) else self._step(number)
            )
            yield numbered(parts, number, self.theme)
        for number, texts in enumerate(self.lesson.questions, 1):
            rows = self._words(said_in(language(), texts), indent=_INDENT)
            rows = numbered(rows, number, self.theme) + rules(self.theme, self.width, 3, _INDENT)
            first = self._heading(_("To think about")) if number == 1 else []
            yield [*first, *rows]

    def _head(self) -> list[Row]:
        """Return the title, and where the reader's name goes."""
        title = said_in(language(), self.lesson.title)
        return [
            *words(title, self.theme, self.width, size=22, weight=700, leads=True),
            space(4),
            blanks((_("Name"), _("Date")), self.theme, self.width),
        ]

    # --- a step ----------------------------------------------------------------------------------

    def _step(self, number: int) -> list[Row]:
        step = self.lesson.steps[number - 1]
        assert isinstance(step, Step)
        try:
            frame = self._frame(number - 1, step)
            exercise = self._exercise(step, frame)
        except Problem as problem:
            text = self._words(said_in(language(), step.text), indent=_INDENT)
            return [*text, space(4), *self._fault(str(problem))]
        if exercise is not None:
            self.exercises[number] = exercise
        column = (self.width - _GUTTER) / 2
        right = self.drawn.middle(frame, column)
        rows = self._columns(step, frame, exercise, right, column)
        for row in self.drawn.wide(frame, step.highlight, self.width):
            rows += [space(8), row]
        if exercise is not None and exercise.tables:
            rows += tables(exercise.tables, self.theme, self.width, _INDENT)
        return rows

    def _columns(
        self,
        step: Step,
        frame: Frame,
        exercise: Exercise | None,
        right: list[Row],
        column: float,
    ) -> list[Row]:
        """Return what is said, and beside it what is shown; a table stands where there is room."""
        width = column if right else self.width
        left, asks = self._said(step, frame, exercise, width), self._asked(exercise, width)
        for stage in self.drawn.tables(frame, step.highlight):
            if height_of(left) + height_of(asks) < height_of(right):
                row = shifted(self.drawn.table(stage, frame, width - _INDENT), _INDENT)
                left += [space(9), row]
            else:
                right += [space(9), self.drawn.table(stage, frame, column)]
        return beside([*left, *asks], right, column + _GUTTER, self.paper.height)

    def _frame(self, place: int, step: Step) -> Frame:
        scene, look, selection = as_of(self.lesson, place)
        return resolve(scene, replace(look, veiled=step.predict is not None), selection)

    def _exercise(self, step: Step, frame: Frame) -> Exercise | None:
        if step.predict is not None:
            return predicted(step.predict, frame, after_edits(step.predict.by, frame))
        return None if step.task is None else set_task(step.task)

    def _said(self, step: Step, frame: Frame, exercise: Exercise | None, width: float) -> list[Row]:
        """Return the words of a step, its formula and the numbers it speaks of."""
        rows = self._words(said_in(language(), step.text), width, indent=_INDENT)
        if step.formula:
            try:
                inks = self.theme.token_inks(frame)
                made = [formula(step.formula, self.theme, width, inks, _INDENT)]
            except Problem as problem:
                made = self._fault(str(problem), width)
            rows += [space(8), *made]
        below = () if exercise is None else exercise.tables
        given = [table for table in inputs(frame, step.highlight) if table not in below]
        return [*rows, *tables(given, self.theme, width, _INDENT)]

    def _asked(self, exercise: Exercise | None, width: float) -> list[Row]:
        if exercise is None:
            return []
        rows = [space(10), *self._words(exercise.title, width, weight=700, indent=_INDENT)]
        rows += self._words(exercise.text, width, indent=_INDENT)
        if exercise.choices:
            rows += choices(exercise.choices, self.theme, width, _INDENT)
        lines = 0 if exercise.tables else 2  # a table has cells to write in
        return [*rows, *rules(self.theme, width, lines, _INDENT), space(4)]

    def _fault(self, text: str, width: float | None = None) -> list[Row]:
        return self._words(text, width, ink="err", indent=_INDENT)

    # --- the end ---------------------------------------------------------------------------------

    def _answers(self) -> Iterator[Block]:
        first = self._heading(_("Answers"))
        for number, exercise in self.exercises.items():
            rows = self._words(exercise.text, ink="ink3", indent=_INDENT)
            rows += self._words(exercise.answer, weight=600, indent=_INDENT)
            if exercise.solved:
                rows += tables(exercise.solved, self.theme, self.width, _INDENT)
            yield [*first, *numbered(rows, number, self.theme)]
            first = []

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
