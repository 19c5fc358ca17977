"""A lesson's questions with other numbers: what each of a class is asked of a scene of its own."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from msgspec import structs

from explorer.app.lessons.asking import wrong_with
from explorer.app.lessons.tables import after_edits
from explorer.lessons.lesson import Lesson, said_in
from explorer.lessons.readings import number, shares
from explorer.lessons.schema import Predict, Step
from explorer.lessons.steps import frame_as_of, kind_of
from explorer.session import Array, Frame, Scene
from explorer.text import N_, Problem, language

MOST = 200  # copies
LAST_SEED = 999_999
_TRIES = 500
_DECIMALS = 2  # of the numbers that are drawn, at most
_LEAD = 0.05  # by which one weight is the largest where that is asked
_LEAST = 0.01  # of a number that is asked, or of its change: what two decimals show
_GREATEST = 6.0  # of scores, where the lesson's own are no greater: beyond it a weight is 1.00


@dataclass(frozen=True)
class Variant:
    """A lesson with other numbers.

    Parameters
    ----------
    lesson : Lesson
    places : tuple of int or None
        Its steps that ask for a number, from 0: the words of the others speak of the old numbers.
        None for all of them, where it is the lesson itself.
    """

    lesson: Lesson
    places: tuple[int, ...] | None


def variant_of(lesson: Lesson, seed: int, copy: int) -> Variant:
    """Return a lesson's questions with the numbers of a seed and copy, the same ones everywhere.

    Drawn are the embeddings of its scenes (Q, K and V where they are given) from the range and
    with the decimals of its own. Drawn anew is what gives a tie, a number that two decimals do not
    show, or weights of 1.00.

    Raises Problem where nothing is asked for that could have other numbers, or none are found.
    """
    places = tuple(at for at, step in enumerate(lesson.steps) if _asks(lesson, at, step))
    if not places:
        raise Problem(N_("This lesson does not ask for a number of a scene: leave out --variants."))
    # `random` of the standard library promises the same numbers in every version.
    draw = random.Random(seed * 1000 + copy).random
    title = {language(): f"{said_in(language(), lesson.title)} · {seed}-{copy:02}"}
    steps = tuple(_plain(step) if isinstance(step, Step) else step for step in lesson.steps)
    limits = {place: max(_GREATEST, _largest_score(frame_as_of(lesson, place))) for place in places}
    for _try in range(_TRIES):
        scenes = {name: _drawn(draw, scene) for name, scene in lesson.scenes.items()}
        made = replace(lesson, title=title, steps=steps, scenes=scenes, questions=(), answers=())
        if all(_is_clear(made, place, limits[place]) for place in places):
            return Variant(made, places)
    raise Problem(N_("No other numbers were found for this lesson: leave out --variants."))


def _asks(lesson: Lesson, place: int, step: object) -> bool:
    """Return whether a step asks for a number of its scene, in words that name none."""
    if not isinstance(step, Step) or kind_of(lesson, place) != "scene":
        return False
    if step.fill is not None:
        return True
    predict = step.predict
    if predict is None or predict.ask not in ("most", "value", "change"):
        return False
    return predict.text is None or not re.search(r"\d", said_in(language(), predict.text))


def _plain(step: Step) -> Step:
    """Return a step without what mentions its own numbers."""
    return structs.replace(step, text={language(): ""}, task=None)


def _drawn(draw: Callable[[], float], scene: Scene) -> Scene:
    names = ("X",) if scene.X is not None else ("Q", "K", "V")
    return scene.replace(**{name: _other(draw, getattr(scene, name)) for name in names})


def _other(draw: Callable[[], float], values: Array) -> Array:
    """Return other numbers between the smallest and the largest, with as many decimals."""
    decimals = next(
        (d for d in range(_DECIMALS) if np.allclose(values, values.round(d))), _DECIMALS
    )
    step = 10.0**-decimals
    least, most = values.min(), values.max()
    many = round((most - least) / step) + 1
    drawn = [least + step * int(draw() * many) for _number in range(values.size)]
    return np.array(drawn).round(decimals).reshape(values.shape)


def _largest_score(frame: Frame) -> float:
    scores = frame.attention.scores
    return float(np.abs(scores[np.isfinite(scores)]).max())


def _is_clear(lesson: Lesson, place: int, limit: float) -> bool:
    """Return whether what a step asks has one clear answer, with scores up to a limit."""
    step = lesson.steps[place]
    assert isinstance(step, Step)
    try:
        frame = frame_as_of(lesson, place)
        if wrong_with(step, frame) is not None or _largest_score(frame) > limit:
            return False
        return step.predict is None or _answers(step.predict, frame)
    except Problem:
        return False


def _answers(predict: Predict, frame: Frame) -> bool:
    if predict.ask == "most":
        *_rest, second, first = sorted(shares(predict.of, frame)[1])
        return bool(first - second >= _LEAD)
    now = number(predict.of, frame)
    if predict.ask == "value":
        return abs(now) >= _LEAST
    return abs(number(predict.of, after_edits(predict.by, frame)) - now) >= _LEAST
