"""What only a step's scene can tell is wrong with what it shows."""

from __future__ import annotations

from dataclasses import replace

from explorer.lessons.lesson import Lesson
from explorer.lessons.schema import Step
from explorer.lessons.steps import as_of, shows_trace
from explorer.text import Problem


def proved(lesson: Lesson) -> Lesson:
    """Return a lesson in which a step that shows what its scene has not is a Fault."""
    for place, step in enumerate(lesson.steps):
        if isinstance(step, Step) and not shows_trace(lesson, place):
            try:
                as_of(lesson, place)
            except Problem as problem:
                wrong = lesson.fault(place, "show" if step.fill is None else "fill", problem)
                before, after = lesson.steps[:place], lesson.steps[place + 1 :]
                lesson = replace(lesson, steps=(*before, wrong, *after))
    return lesson
