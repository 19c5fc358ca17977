"""Every shipped lesson: it loads, shows what is there, and its tasks can be done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.lessons.parts import PARTS
from explorer.lessons.read import read_lesson
from explorer.lessons.readings import holds, number
from explorer.lessons.schema import Edit, Step, Texts
from explorer.lessons.steps import as_of, intents_of
from explorer.resources import resource
from explorer.views.formula import drawn
from tests.app.desk import Desk

LESSONS = sorted(resource("lessons").glob("*.toml"))
LANGUAGES = {"en", "zh"}


@pytest.fixture(params=LESSONS, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


def steps(path: Path) -> list[Step]:
    """Return the steps of a lesson; fails on one that is wrong, with its sentence."""
    found = read_lesson(path).steps
    assert all(isinstance(step, Step) for step in found), [
        str(step.message) for step in found if not isinstance(step, Step)
    ]
    return [step for step in found if isinstance(step, Step)]


def played(path: Path) -> Iterator[tuple[Step, Desk]]:
    """Yield each step of a scene with what it shows on the table."""
    lesson = read_lesson(path)
    for place, step in enumerate(steps(path)):
        scene, look, selection = as_of(lesson, place)
        desk = Desk(scene)
        desk.session.look_at(look)
        desk.session.select(selection)
        assert desk.session.look == look
        assert desk.session.selection == selection
        yield step, desk


def do(desk: Desk, edits: tuple[Edit, ...]) -> None:
    """Carry out a lesson's edits."""
    for edit in edits:
        for intent in intents_of(edit, desk.session.frame):
            desk.do(intent)
    assert not desk.told


def texts(path: Path) -> Iterator[Texts]:
    """Yield every text of a lesson."""
    lesson = read_lesson(path)
    yield lesson.title
    yield from lesson.questions
    for step in steps(path):
        yield from (step.text, step.short)
        if step.task is not None:
            yield from (step.task.text, step.task.hint)
        if step.predict is not None and step.predict.text is not None:
            yield step.predict.text


def test_there_are_lessons() -> None:
    assert LESSONS


def test_every_text_is_there_in_both_languages(path: Path) -> None:
    for text in texts(path):
        assert text.keys() == LANGUAGES


def test_it_ends_in_questions(path: Path) -> None:
    assert 2 <= len(read_lesson(path).questions) <= 3


def test_every_highlight_is_a_part(path: Path) -> None:
    for step in steps(path):
        assert set(step.highlight) <= PARTS


def test_every_task_is_open_before_and_done_after_its_solution(path: Path) -> None:
    for step, desk in played(path):
        if step.task is not None:
            assert not holds(step.task.check, desk.session.frame)
            do(desk, step.task.solution)
            assert holds(step.task.check, desk.session.frame)


def test_every_prediction_is_about_a_number(path: Path) -> None:
    for step, desk in played(path):
        if step.predict is not None:
            before = number(step.predict.of, desk.session.frame)
            do(desk, step.predict.by)
            if step.predict.ask == "change":
                assert number(step.predict.of, desk.session.frame) != before


def test_every_formula_is_drawn_and_names_tokens_of_its_scene(path: Path) -> None:
    for step in steps(path):
        if step.formula is not None:
            made = drawn(step.formula, 20.0, "#000000", {})
            assert made.width > 0
    for step, desk in played(path):
        scene = desk.session.scene
        named = set(re.findall(r"\\token\{([^{}]*)\}", step.formula or ""))
        assert named <= {*scene.tokens, *scene.key_tokens}


def test_numbers_of_three_decimals_are_the_same_in_both_languages(path: Path) -> None:
    number_of_three = re.compile(r"[−-]?(?<![\d.])\d+\.\d{3}(?!\d)")
    for step in steps(path):
        found = {name: number_of_three.findall(text) for name, text in step.text.items()}
        assert found["en"] == found["zh"]
