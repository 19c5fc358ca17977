"""A lesson as it is shown and asked for: the sheet a view draws, and the intents it emits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from explorer.session.intents import Intent


class Verdict(StrEnum):
    """What became of a prediction."""

    OPEN = "open"
    SHOWN = "shown"  # the answer was revealed to everybody, and nobody gave one
    RIGHT = "right"
    WRONG = "wrong"


@dataclass(frozen=True)
class Marking:
    """What became of a table that is filled in by hand.

    Parameters
    ----------
    verdicts : mapping of (row, column) to Verdict
        Of the cells that were checked and are as they were then; OPEN where one is empty.
    said : str
        How many are right, and which mistakes give the wrong ones.
    """

    verdicts: Mapping[tuple[int, int], Verdict] = field(default_factory=dict)
    said: str = ""


@dataclass(frozen=True)
class Question:
    """What the learner is asked before it is revealed.

    Parameters
    ----------
    text : str
    choices : tuple of str
        To choose from; where there are none, a number is typed.
    given : str
        The answer so far, as chosen or typed.
    verdict : Verdict
    said : str
        What is said to a given answer: that it is right, or what it should be and which mistake
        gives the typed number; or the answer that was revealed.
    right : str
        The choice that is right, once that may be seen.
    again : bool
        Whether a wrong number can be tried once more before the right one is told.
    general : bool
        Whether the text is the same of every number: the page's own words say which it is.
    """

    text: str
    choices: tuple[str, ...] = ()
    given: str = ""
    verdict: Verdict = Verdict.OPEN
    said: str = ""
    right: str = ""
    again: bool = False
    general: bool = False


@dataclass(frozen=True)
class Task:
    """Something to be done.

    Parameters
    ----------
    text, hint : str
        The hint is empty until it is asked for.
    done : bool
    """

    text: str
    hint: str
    done: bool


@dataclass(frozen=True)
class Code:
    """A program that a page mentions.

    Parameters
    ----------
    lines : tuple of str
        None of them where there is no program.
    marked : frozenset of int
        The lines that are spoken of, from 0.
    among : frozenset of int
        The lines one of which is asked for.
    """

    lines: tuple[str, ...] = ()
    marked: frozenset[int] = frozenset()
    among: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Sheet:
    """A page of a lesson, in the language in use.

    Parameters
    ----------
    title : str
    place, count : int
        Of the pages, the place from 0; the last one asks questions to think about.
    text : str
    short : str
        The same in a few words, for a room.
    formula : str
        LaTeX; empty where there is none.
    fault : str
        What is wrong with the step; then there is nothing else of it.
    question : Question or None
    task : Task or None
    questions : tuple of str
    parts : tuple of str
        The names of the parts that it mentions.
    departed : bool
        Whether the scene or the look are no longer as the step showed them.
    following : str
        The title of the lesson that comes after the last page; empty before it.
    answers : tuple of str
        Model answers to the questions, once they are asked for.
    answered : bool
        Whether there are such answers.
    code : Code
    builds_on : tuple of str
        On the first page, the titles of the lessons that this one takes for granted.
    """

    title: str
    place: int
    count: int
    text: str = ""
    short: str = ""
    formula: str = ""
    fault: str = ""
    question: Question | None = None
    task: Task | None = None
    questions: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    departed: bool = False
    following: str = ""
    answers: tuple[str, ...] = ()
    answered: bool = False
    code: Code = Code()
    builds_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Notes:
    """What somebody who presents wants to have before the eyes.

    Parameters
    ----------
    text : str
        All that is to be said.
    hint : str
        How a task is solved, what a prediction should be; empty where there is neither.
    next : str
        What comes next, in a few words; empty on the last page.
    since, until : float or None
        When the page should begin and be done, in minutes from the beginning of the lesson.
    lesson : str
        The name of the lesson; empty where none is open.
    """

    text: str = ""
    hint: str = ""
    next: str = ""
    since: float | None = None
    until: float | None = None
    lesson: str = ""


class TurnTo(Intent, frozen=True):
    """Go to a page, counted from 0."""

    place: int


class RestoreStep(Intent, frozen=True):
    """Put the scene and the look back as the step shows them."""


class AnswerQuestion(Intent, frozen=True):
    """Answer with a choice or a typed number."""

    text: str


class Reveal(Intent, frozen=True):
    """Show what is to be predicted or filled in, without an answer."""


class AskForHint(Intent, frozen=True):
    """Show the task's hint."""


class SolveTask(Intent, frozen=True):
    """Carry out the edits that solve the task."""


class LightLine(Intent, frozen=True):
    """Outline what a line of the code computes, counted from 0."""

    line: int


class NextLesson(Intent, frozen=True):
    """Go on with the lesson that comes after this one."""


class LeaveLesson(Intent, frozen=True):
    """Put the lesson away; what it showed stays on the table."""
