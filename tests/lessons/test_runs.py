"""Steps about a trace: what is wrong with them, where they look, and what is read there."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from explorer.lessons.lesson import Fault, Lesson
from explorer.lessons.places import existing_file
from explorer.lessons.read import read_lesson
from explorer.lessons.readings import holds, number, shares
from explorer.lessons.runs import (
    after_run_edits,
    is_watched,
    looks,
    trace_of,
    watch_of,
)
from explorer.lessons.schema import Check, Edit, Pan, Reading, Step, Turn, Watch
from explorer.lessons.steps import camera_of, first_scene, intents_of, kind_of
from explorer.session import Role, Selection, Stage
from explorer.session.train import Cursor, TrainCentre, TrainFrame
from explorer.session.train.intents import Train
from explorer.text import Problem
from tests.app.run_desk import EXAMPLE, RunDesk

HEAD = """\
format = "attention-explorer/lesson"
version = 1
title.en = "A run"
"""
TEXT = 'text.en = "Look."\nshort.en = "Look."\n'
RUN = '[[step]]\ntrace = "example:tiny-transformer"\n' + TEXT
SCENE = '[[step]]\nscene = "example:cat-likes-fish"\n' + TEXT
STEP = "[[step]]\n" + TEXT


def read(folder: Path, text: str) -> Lesson:
    path = folder / "01-run.toml"
    path.write_text(HEAD + text, encoding="utf-8")
    return read_lesson(path)


@pytest.fixture
def desk(tmp_path: Path) -> RunDesk:
    return RunDesk(tmp_path)


@pytest.fixture
def frame(desk: RunDesk) -> TrainFrame:
    return desk.frame


def check(**fields: object) -> Check:
    return msgspec.convert(fields, Check)


# --- the file ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (RUN + 'watch = {epoch = "middle"}\n', 8, "watch.epoch must be a whole number"),
        (RUN + "watch = {treshold = 0.3}\n", 8, "watch.treshold is not a key of a lesson"),
        (RUN + "watch = {threshold = 1.5}\n", 8, "watch.threshold must be a number from 0 to 1."),
        (RUN + 'watch = {page = "loss"}\n', 8, 'watch.page must be "graph"'),
        (RUN + "watch.camera = {elevation = 91}\n", 8, "elevation must be a number from 0 to 90."),
        (RUN + 'show = {stage = "A"}\n', 8, "show does not go with a trace"),
        (SCENE + "watch = {epoch = 5}\n", 8, "watch does not go with a scene"),
        (RUN + 'scene = "example:cat-likes-fish"\n', 5, "not about several"),
        (RUN.replace("tiny-transformer", "huge-transformer"), 5, "no example called huge"),
        (STEP, 4, "names the scene, trace or model"),
        (SCENE + "show.camera = {x = 1.0}\n", 8, "show.camera.y is missing"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    fault = read(tmp_path, text + RUN).steps[0]
    assert isinstance(fault, Fault)
    assert str(fault.message).startswith(f"01-run.toml, line {line}, step 1: ")
    assert said in str(fault.message)


def test_a_trace_outside_the_lessons_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        Problem, match=r"line 5, step 1: trace: \.\./gone\.safetensors lies outside"
    ):
        read(tmp_path, RUN.replace("example:tiny-transformer", "../gone.safetensors"))


def test_steps_after_a_trace_that_is_gone_are_about_it_still(tmp_path: Path) -> None:
    lesson = read(tmp_path, SCENE + RUN.replace("example:tiny-transformer", "gone") + STEP)
    assert isinstance(lesson.steps[1], Fault)
    assert kind_of(lesson, 2) == "trace"
    with pytest.raises(Problem, match="no file gone"):
        trace_of(lesson, 2)


def test_a_step_without_a_name_goes_on_with_the_kind_before(tmp_path: Path) -> None:
    lesson = read(tmp_path, RUN + STEP + "watch = {epoch = 5}\n" + SCENE + STEP + STEP)
    assert all(isinstance(step, Step) for step in lesson.steps)
    assert [kind_of(lesson, place) for place in range(6)] == ["trace"] * 2 + ["scene"] * 4
    scene = first_scene(lesson)
    assert scene is not None
    assert scene.tokens[0] == "cat"
    assert first_scene(read(tmp_path, RUN)) is None


def test_a_trace_lies_in_the_lessons_folder_or_is_the_readers_own(tmp_path: Path) -> None:
    (tmp_path / "mine.safetensors").write_bytes(EXAMPLE.read_bytes())
    lesson = read(tmp_path, RUN + RUN.replace("example:tiny-transformer", "mine.safetensors"))
    assert trace_of(lesson, 0) == EXAMPLE == existing_file("example:tiny-transformer", tmp_path)
    assert trace_of(lesson, 1) == tmp_path / "mine.safetensors"
    assert trace_of(read(tmp_path, RUN.replace("example:tiny-transformer", "own")), 0) is None


# --- where a step looks --------------------------------------------------------------------------


def test_what_a_step_leaves_out_stays_but_for_what_is_pointed_at(tmp_path: Path) -> None:
    lesson = read(
        tmp_path,
        RUN
        + 'watch = {epoch = 20, sample = 2, head = 2, query = "dog", word = "cat"}\n'
        + STEP
        + 'watch = {stage = "O", threshold = 0.5, camera = {azimuth = 10}}\n'
        + STEP
        + RUN,
    )
    first, second, third, fourth = (watch_of(lesson, place) for place in range(4))
    assert (first.epoch, first.sample, first.layer, first.word) == (20, 2, 1, "cat")
    assert (second.epoch, second.head, second.query, second.word) == (20, 2, None, None)
    assert (second.stage, second.page, second.threshold) == (Stage.O, TrainCentre.SPACES, 0.5)
    assert third == second
    assert camera_of(lesson, 2) == Turn(azimuth=10, elevation=22)
    assert (fourth.epoch, fourth.sample, fourth.head) == ("last", 1, "average")
    assert fourth.page is TrainCentre.GRAPH
    assert camera_of(lesson, 3) is None


def test_the_plane_has_a_camera_too(tmp_path: Path) -> None:
    lesson = read(tmp_path, SCENE + "show.camera = {x = 1, y = -0.5, zoom = 2}\n" + STEP + SCENE)
    assert camera_of(lesson, 1) == Pan(x=1, y=-0.5, zoom=2)
    assert camera_of(lesson, 2) is None


def test_a_step_is_looked_at_through_intents(desk: RunDesk) -> None:
    watch = Watch(
        epoch=30,
        sample="dog eats",
        layer=1,
        head=2,
        page=TrainCentre.MATRICES,
        threshold=0.45,
        numbers=True,
        query="dog",
        key="eats",
        word="bone",
    )
    assert not is_watched(watch, desk.frame)
    desk.do(*looks(watch, desk.frame))
    frame = desk.frame
    assert frame.cursor == Cursor(step=6, sample=4, layer=0, head=1)
    assert (frame.epoch, frame.look.page, frame.look.threshold) == (30, TrainCentre.MATRICES, 0.45)
    assert frame.look.numbers_open
    assert frame.selection == Selection(Role.A, 0, 1)
    assert frame.word == frame.vocabulary.index("bone")
    assert is_watched(watch, frame)
    for other in (
        Watch(epoch="first"),
        Watch(page=TrainCentre.GRAPH),
        Watch(key="dog"),
        Watch(head=1),
    ):
        assert not is_watched(other, frame)
    desk.do(*looks(Watch(epoch="first", head="average"), desk.frame))
    assert desk.frame.cursor == Cursor(step=0, sample=4, layer=0, head=None)


@pytest.mark.parametrize(
    ("watch", "said"),
    [
        (Watch(epoch=7), "Epoch 7 is not recorded. Choose one of 0, "),
        (Watch(sample="cat sleeps"), "no sample cat sleeps"),
        (Watch(sample=7), "sample 7 is too large: there are only 6"),
        (Watch(layer=2), "layer 2 is too large: there are only 1"),
        (Watch(head=3), "head 3 is too large: there are only 2"),
        (Watch(query="bone"), "no token bone"),
        (Watch(word="cow"), "no token cow"),
    ],
)
def test_what_the_trace_has_not_is_named(frame: TrainFrame, watch: Watch, said: str) -> None:
    with pytest.raises(Problem, match=said):
        list(looks(watch, frame))


# --- what is read --------------------------------------------------------------------------------


def test_numbers_of_a_trace(desk: RunDesk) -> None:
    frame, trace = desk.frame, desk.frame.trace
    assert trace is not None
    assert number(Reading("epoch"), frame) == 200
    assert number(Reading("loss", epoch="first"), frame) == trace.scalars("loss")[0]
    assert number(Reading("loss"), frame) == trace.scalars("loss")[200]
    assert number(Reading("loss", epoch=3), frame) == trace.scalars("loss")[3]
    assert number(Reading("accuracy", epoch="last"), frame) == 1.0
    weights = trace.array("weights", 40)[1, 0]
    pair = {"query": "likes", "key": "dog"}
    assert number(Reading("weights", **pair, sample=2, head=2), frame) == weights[1, 1, 0]
    averaged = number(Reading("weights", **pair, sample="dog likes"), frame)
    assert averaged == pytest.approx(weights[:, 1, 0].mean())
    earlier = trace.array("weights", 1)[1, 0, 1, 1, 0]
    found = number(Reading("weights", **pair, sample=2, layer=1, head=2, epoch=5), frame)
    assert found == earlier
    logits = trace.array("logits", 40)[0].astype(float)
    odds = np.exp(logits - logits.max())
    expected = odds[frame.vocabulary.index("fish")] / odds.sum()
    assert number(Reading("probability", word="fish"), frame) == pytest.approx(expected)
    assert frame.basis is not None
    assert number(Reading("explained", column=2), frame) == frame.basis.explained[1]
    assert number(Reading("explained"), frame) == pytest.approx(frame.basis.explained.sum())


def test_shares_of_a_trace(frame: TrainFrame) -> None:
    words, chances = shares(Reading("probability"), frame)
    assert words == frame.vocabulary
    assert words[int(np.argmax(chances))] == "fish"
    words, weights = shares(Reading("weights", query="likes"), frame)
    assert words == ("cat", "likes")
    assert weights.sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("reading", "said"),
    [
        (Reading("raw", query="cat", key="likes"), "no raw"),
        (Reading("weights", query="cat"), "needs a key"),
        (Reading("probability"), "needs a word"),
        (Reading("loss", epoch=201), "loss of epoch 201 is not recorded"),
        (Reading("explained", column=4), "column 4 is too large: there are only 3"),
    ],
)
def test_a_number_the_trace_has_not_is_named(
    frame: TrainFrame, reading: Reading, said: str
) -> None:
    with pytest.raises(Problem, match=said):
        number(reading, frame)


def test_where_there_is_no_run_nothing_is_read() -> None:
    with pytest.raises(Problem, match="no run to look at"):
        number(Reading("epoch"), TrainFrame())


def test_checks_of_a_trace(frame: TrainFrame) -> None:
    assert holds(check(value="loss", epoch="last", op="<", than=0.1), frame)
    assert not holds(check(value="loss", epoch="first", op="<", than=0.1), frame)
    first = {"value": "loss", "epoch": "first"}
    assert holds(check(value="loss", op="<", than=first), frame)
    assert holds(check(watch={"epoch": 200}), frame)
    assert holds(check(stage="A"), frame)
    assert not holds(check(all=[{"watch": {"page": "graph"}}, {"run": "finished"}]), frame)
    with pytest.raises(Problem, match="a stage, several checks, or watch, run"):
        holds(check(option="mask", **{"is": "none"}), frame)


def test_the_readers_own_run_is_told_from_the_example(desk: RunDesk) -> None:
    finished = check(run="finished")
    assert not holds(finished, desk.frame)
    desk.do(*intents_of(Edit(run="train"), desk.frame))
    assert not desk.told
    assert holds(finished, desk.frame)
    assert holds(check(value="epoch", op="==", than=200), desk.frame)


# --- edits ---------------------------------------------------------------------------------------


def test_edits_of_a_trace(desk: RunDesk) -> None:
    assert list(intents_of(Edit(run="train"), desk.frame)) == [Train()]
    desk.do(*intents_of(Edit(stage=Stage.S), desk.frame))
    assert desk.frame.look.page is TrainCentre.MATRICES
    desk.do(*intents_of(Edit(watch=Watch(epoch=50)), desk.frame))
    assert desk.frame.epoch == 50
    with pytest.raises(Problem, match="watch, run, stage, parameter"):
        list(intents_of(Edit(set="X", to=1.0), desk.frame))


def test_what_edits_would_show_is_known_before(frame: TrainFrame) -> None:
    after = after_run_edits((Edit(watch=Watch(epoch="first")),), frame)
    assert number(Reading("loss"), after) > number(Reading("loss"), frame)
    assert frame.epoch == 200
