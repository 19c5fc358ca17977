"""Every shipped lesson: it loads, shows what is there, and its tasks can be done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.app.lessons.model_steps import ModelSteps
from explorer.kit.formula import drawn
from explorer.lessons.lesson import Lesson
from explorer.lessons.lesson_index import grounds_of
from explorer.lessons.read import read_lesson
from explorer.lessons.readings import holds, number, shares
from explorer.lessons.runs import beside_of, is_watched, looks, trace_of, watch_of
from explorer.lessons.schema import Edit, Step, Texts
from explorer.lessons.steps import as_of, intents_of, kind_of
from explorer.resources import resource
from explorer.session.model.frame import ModelFrame
from explorer.session.train.intents import Train
from explorer.session.views import EXPLORE, MODEL, TRAIN, highlights
from explorer.traces import TraceFile
from tests.app.desk import Desk
from tests.app.run_desk import RunDesk

LESSONS = sorted(resource("lessons").glob("*.toml"))
LANGUAGES = {"en", "zh"}
PARTS = {"scene": EXPLORE, "trace": TRAIN, "model": MODEL}


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


class ModelDesk:
    """What a step about a model shows; its task was proved to be solved by its solution."""

    def __init__(self, frame: ModelFrame) -> None:
        self.frame = frame


def played(path: Path, runs: Path) -> Iterator[tuple[Step, Desk | RunDesk | ModelDesk]]:
    """Yield each step with what it shows on its table: a scene, a trace or a model."""
    lesson, models = read_lesson(path), ModelSteps()
    for place, step in enumerate(steps(path)):
        match kind_of(lesson, place):
            case "trace":
                yield step, run_shown(lesson, place, runs)
            case "model":
                yield step, ModelDesk(models.frame(lesson, place))
            case _:
                yield step, scene_shown(lesson, place)
    models.close()


def scene_shown(lesson: Lesson, place: int) -> Desk:
    """Return a step's scene on its table."""
    scene, look, selection = as_of(lesson, place)
    desk = Desk(scene)
    desk.session.look_at(look)
    desk.session.select(selection)
    assert desk.session.look == look
    assert desk.session.selection == selection
    return desk


def run_shown(lesson: Lesson, place: int, runs: Path) -> RunDesk:
    """Return a step's trace on its table; a run of the reader's has been trained there."""
    trace = trace_of(lesson, place)
    desk = RunDesk(runs, trace)
    if trace is None:
        desk.do(Train())
    beside = beside_of(lesson, place)
    if beside is not None:
        desk.session.compare_with(TraceFile(beside), beside.stem)
    watch = watch_of(lesson, place)
    desk.do(*looks(watch, desk.frame))
    assert is_watched(watch, desk.frame)
    assert not desk.told
    return desk


def do(desk: Desk | RunDesk | ModelDesk, edits: tuple[Edit, ...]) -> None:
    """Carry out a lesson's edits; of a model there is nothing left to do."""
    if isinstance(desk, ModelDesk):
        return
    for edit in edits:
        for intent in intents_of(edit, desk.frame):
            desk.do(intent)
    assert not desk.told


def texts(path: Path) -> Iterator[Texts]:
    """Yield every text of a lesson."""
    lesson = read_lesson(path)
    yield lesson.title
    yield from lesson.questions
    for step in steps(path):
        yield from (step.text, step.short)
        if step.paper is not None:
            yield step.paper
        if step.task is not None:
            yield from (step.task.text, step.task.hint)
            if step.task.paper is not None:
                yield step.task.paper
        if step.predict is not None and step.predict.text is not None:
            yield step.predict.text


def test_there_are_lessons() -> None:
    assert LESSONS


def test_every_text_is_there_in_both_languages(path: Path) -> None:
    for text in texts(path):
        assert text.keys() == LANGUAGES


def test_paper_has_no_buttons(path: Path) -> None:
    for step in steps(path):
        of_own_run = step.task is not None and step.task.solution[0].run == "train"
        for told in filter(None, (step, step.task)):
            for text in (told.text | (told.paper or {})).values():
                assert (
                    of_own_run
                    or re.search(r"\b(press|drag|click)\b|按“|按下|拖", text, re.I) is None
                )


def test_what_a_room_reads_names_no_control(path: Path) -> None:
    for step in steps(path):
        for text in step.short.values():
            assert re.search(r"\b(press|click|check)\b|按“|按下|点击|检查", text, re.I) is None


def test_it_ends_in_questions(path: Path) -> None:
    assert 2 <= len(read_lesson(path).questions) <= 3


def test_every_highlight_is_a_part_of_its_page(path: Path) -> None:
    lesson = read_lesson(path)
    for place, step in enumerate(steps(path)):
        parts = highlights(PARTS[kind_of(lesson, place)])
        assert set(step.highlight) <= parts


def test_every_task_is_open_before_and_done_after_its_solution(
    path: Path, tmp_path: Path, qapp
) -> None:
    for step, desk in played(path, tmp_path):
        if step.task is not None:
            assert not holds(step.task.check, desk.frame)
            do(desk, step.task.solution)
            assert isinstance(desk, ModelDesk) or holds(step.task.check, desk.frame)


def test_every_prediction_is_about_a_number(path: Path, tmp_path: Path, qapp) -> None:
    for step, desk in played(path, tmp_path):
        if step.predict is None or step.predict.ask == "choice":
            continue
        if step.predict.ask == "most":
            assert len(shares(step.predict.of, desk.frame)[0]) > 1
            continue
        before = number(step.predict.of, desk.frame)
        do(desk, step.predict.by)
        if step.predict.ask == "change":
            assert number(step.predict.of, desk.frame) != before


def test_every_formula_is_drawn_and_names_tokens_of_its_scene(
    path: Path, tmp_path: Path, qapp
) -> None:
    for step in steps(path):
        if step.formula is not None:
            made = drawn(step.formula, 20.0, "#000000", {})
            assert made.width > 0
    for step, desk in played(path, tmp_path):
        named = set(re.findall(r"\\token\{([^{}]*)\}", step.formula or ""))
        if isinstance(desk, RunDesk):
            assert named <= set(desk.frame.vocabulary)
        elif isinstance(desk, Desk):
            assert named <= {*desk.scene.tokens, *desk.scene.key_tokens}


def test_numbers_of_three_decimals_are_the_same_in_both_languages(path: Path) -> None:
    number_of_three = re.compile(r"[−-]?(?<![\d.])\d+\.\d{3}(?!\d)")
    for step in steps(path):
        found = {name: number_of_three.findall(text) for name, text in step.text.items()}
        assert found["en"] == found["zh"]


def test_every_question_has_a_model_answer_in_both_languages(path: Path) -> None:
    lesson = read_lesson(path)
    assert len(lesson.answers) == len(lesson.questions)
    assert all(answer.keys() >= LANGUAGES for answer in lesson.answers)


def test_every_lesson_but_the_first_builds_on_earlier_ones() -> None:
    for path in LESSONS[1:]:
        lesson = read_lesson(path)
        grounds = grounds_of(lesson)
        assert lesson.builds_on, f"{path.name} does not say what it builds on"
        assert len(grounds) == len(lesson.builds_on), path.name
        assert all(LESSONS.index(each) < LESSONS.index(path) for each in grounds), path.name
