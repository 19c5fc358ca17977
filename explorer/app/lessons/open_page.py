"""A page of a lesson that is open: what was answered on it, and what it therefore hides."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from explorer.app.lessons.hiding import veils, veils_curves
from explorer.lessons.lesson import Fault, Lesson
from explorer.lessons.schema import Step
from explorer.lessons.steps import kind_of
from explorer.session import Veil

_TRIES = 2  # wrong numbers, after which the right one is told
NOWHERE = 0  # the line of what no file says wrongly


@dataclass(frozen=True, eq=False)
class OpenPage:
    """An open page: what was shown on it, or what is wrong with it, and what was answered."""

    place: int
    shown: object = None
    moved: bool = False  # whether it is looked at from elsewhere than the step does
    wrong: Fault | None = None
    answers: dict[int, str] = field(default_factory=dict)
    tries: dict[int, int] = field(default_factory=dict)  # how many wrong numbers, by page
    right: frozenset[int] = frozenset()  # pages whose number was right
    revealed: frozenset[int] = frozenset()  # pages whose answers were shown without asking
    hinted: bool = False
    line: int | None = None  # of the code, chosen by hand

    @property
    def fault(self) -> str:
        """What is wrong, in the language in use; empty where nothing is."""
        return "" if self.wrong is None else str(self.wrong.message)

    @property
    def waits(self) -> bool:
        """Whether nothing of the step is wrong, but something has to be done before it is shown."""
        return self.wrong is not None and self.wrong.line == NOWHERE


def hidden(lesson: Lesson | None, page: OpenPage) -> frozenset[Veil]:
    """Return what a page hides, by what of its lesson was answered."""
    if lesson is None or page.place >= len(lesson.steps):
        return frozenset()
    return veils(lesson, page.place, known(lesson, page))


def known(lesson: Lesson, page: OpenPage) -> list[int]:
    """Return the pages of a lesson whose questions were answered."""
    answered = {*page.revealed, *page.answers}
    return [
        place
        for place, step in enumerate(lesson.steps)
        if place in answered and is_open(step, replace(page, place=place))
    ]


def veiled_by(lesson: Lesson, page: OpenPage) -> bool:
    """Return whether a page hides the tables of a scene, or what a run's curves do later."""
    if kind_of(lesson, page.place) == "trace":
        return veils_curves(lesson, page.place, known(lesson, page))
    step = lesson.steps[page.place]
    assert isinstance(step, Step)
    return step.predict is not None and step.predict.hides and not is_open(step, page)


def is_open(step: object, page: OpenPage) -> bool:
    """Return whether what a page's question is about may be seen.

    It was revealed, or there is an answer: a choice, the right number, or a second wrong one.
    """
    place = page.place
    if place in page.revealed:
        return True
    if isinstance(step, Step) and step.predict is not None and step.predict.ask == "value":
        return place in page.right or page.tries.get(place, 0) >= _TRIES
    return bool(page.answers.get(place, ""))
