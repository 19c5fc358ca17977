"""The pages' lessons are lessons, and the tables of their format are complete."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from explorer.app.lessons.model_steps import ModelSteps
from explorer.lessons.lesson import Lesson
from explorer.lessons.read import read_lesson
from explorer.lessons.readings import holds, shares
from explorer.lessons.runs import looks, watch_of
from explorer.lessons.schema import Examine, Quantity, Step, Watch
from explorer.lessons.steps import as_of, intents_of
from explorer.session import (
    Session,
    resolve,
)
from explorer.session.views import EXPLORE, MODEL, TRAIN, ModelCentre, highlights
from tests.app.run_desk import RunDesk
from tests.project.pages.told import code, prose, quoted, rows


def told_lesson(tmp_path: Path, number: int) -> Lesson:
    """Return one of the pages' lessons."""
    path = tmp_path / "own.toml"
    path.write_text(code("toml")[number], "utf-8")
    lesson = read_lesson(path)
    assert all(isinstance(step, Step) for step in lesson.steps), lesson.steps
    return lesson


def test_the_lesson_about_a_scene_is_one(tmp_path: Path) -> None:
    lesson = told_lesson(tmp_path, 0)
    _first, second = lesson.steps
    scene, look, _selection = as_of(lesson, 1)
    session = Session(scene)
    session.look_at(look)
    assert isinstance(second, Step)
    assert second.task is not None
    assert not holds(second.task.check, session.frame)
    [edit] = second.task.solution
    assert edit.query == "cloud"
    moved = scene.X.copy()
    moved[3, 0] = edit.to
    assert holds(second.task.check, resolve(scene.replace(X=moved), look))


def test_the_lesson_about_a_trace_is_one(tmp_path: Path) -> None:
    lesson = told_lesson(tmp_path, 1)
    desk = RunDesk(tmp_path)
    for place, step in enumerate(lesson.steps):
        assert isinstance(step, Step)
        assert step.task is not None
        desk.do(*looks(watch_of(lesson, place), desk.frame))
        assert not holds(step.task.check, desk.frame)
        [edit] = step.task.solution
        desk.do(*intents_of(edit, desk.frame))
        assert holds(step.task.check, desk.frame)


def test_the_lesson_about_a_model_is_one(tmp_path: Path, qapp) -> None:
    lesson, models = told_lesson(tmp_path, 2), ModelSteps()
    first, second = (models.frame(lesson, place) for place in range(2))
    models.close()
    step = lesson.steps[0]
    assert isinstance(step, Step)
    assert step.predict is not None
    names, weights = shares(step.predict.of, first)
    assert names[int(weights.argmax())] == "Mary"
    assert second.look.centre is ModelCentre.NEXT  # its task was solved by its solution


def test_every_part_that_can_be_outlined_is_named() -> None:
    [told] = (cells[1] for cells in rows("lessons", "step") if quoted(cells[0]) == "highlight")
    parts = re.split("of Train|of Model", told)
    for names, specs in zip(parts, (EXPLORE, TRAIN, MODEL), strict=True):
        assert set(re.findall(r"`(\w+)`", names)) == highlights(specs)


@pytest.mark.parametrize(("key", "table"), [("watch", Watch), ("examine", Examine)])
def test_every_key_of_where_a_step_looks_is_named(key: str, table: type) -> None:
    [told] = (cells[1] for cells in rows("lessons", "step") if quoted(cells[0]) == key)
    for field in msgspec.structs.fields(table):
        assert f"`{field.name}`" in told


def test_every_key_of_a_step_is_in_its_table() -> None:
    told = [name for cells in rows("lessons", "step") for name in re.findall(r"`(\w+)`", cells[0])]
    assert set(told) == {field.name for field in msgspec.structs.fields(Step)}


def test_every_quantity_of_a_lesson_is_named() -> None:
    of_scenes = prose("lessons").split("A number is named by `value` (")[1].split(")")[0]
    of_traces = prose("lessons").split("Of a trace the numbers are ")[1].split(". They")[0]
    named = set(re.findall(r"`([^`]+)`", of_scenes + of_traces))
    named -= {"query", "key", "word", "column"}
    matrices = {"Wq", "Wk", "Wv", "Wo", "bq", "bk", "bv", "bo"}
    assert named == set(get_args(Quantity)) - matrices
