"""What only a step's scene can tell is wrong with what it shows."""

from __future__ import annotations

from dataclasses import replace

from msgspec import structs

from explorer.attention import Variant
from explorer.lessons.lesson import Fault, Lesson
from explorer.lessons.models import examine_of
from explorer.lessons.schema import Predict, Step
from explorer.lessons.steps import as_of, kind_of
from explorer.text import N_, Problem


def proved(lesson: Lesson) -> Lesson:
    """Return a lesson in which a step that shows what its scene has not is a Fault."""
    for place, step in enumerate(lesson.steps):
        kind = kind_of(lesson, place)
        if isinstance(step, Step) and kind == "model":
            try:
                examine_of(lesson, place)
            except Problem as problem:
                lesson = _with(lesson, place, lesson.fault(place, "examine", problem))
        if isinstance(step, Step) and kind == "scene":
            try:
                variant = as_of(lesson, place)[0].options.variant
            except Problem as problem:
                key = "show" if step.fill is None else "fill"
                lesson = _with(lesson, place, lesson.fault(place, key, problem))
                continue
            if step.predict is not None and step.predict.ask == "line":
                lesson = _with(lesson, place, _of_lines(lesson, place, step, step.predict, variant))
    return lesson


def _with(lesson: Lesson, place: int, step: Step | Fault) -> Lesson:
    before, after = lesson.steps[:place], lesson.steps[place + 1 :]
    return replace(lesson, steps=(*before, step, *after))


def _of_lines(
    lesson: Lesson, place: int, step: Step, predict: Predict, variant: Variant
) -> Step | Fault:
    """Return a step that asks for a line as one that asks for a choice of the lines' numbers.

    Of several lines that a mistake changes the last is right: what comes before was moved there.
    """
    lines = [at for at, line in enumerate(lesson.code) if line.mistakes]
    wrong = [number for number, at in enumerate(lines, 1) if variant in lesson.code[at].mistakes]
    if not wrong or len(lines) < 2:
        problem = Problem(N_("A line of the code must have the mistake that the scene makes."))
        return lesson.fault(place, "predict", problem)
    choices = tuple({"en": str(at + 1)} for at in lines)
    asked = structs.replace(predict, choices=choices, right=wrong[-1])
    return structs.replace(step, predict=asked)
