"""What a step shows, what its check reads, and what its solution does, against plain numpy."""

from __future__ import annotations

import math
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from explorer.lessons.readings import holds, number
from explorer.lessons.schema import Check, Edit, Reading, Select, Show
from explorer.lessons.steps import as_shown, intents_of
from explorer.resources import example
from explorer.session import (
    Centre,
    Edges,
    Frame,
    Look,
    Matrix,
    Role,
    Scene,
    Selection,
    Space,
    Stage,
    read_scene,
    resolve,
)
from explorer.text import Problem
from tests.app.desk import Desk


def shipped(name: str) -> Scene:
    """Return a shipped scene."""
    return read_scene(example(f"{name}.json"))


@pytest.fixture
def frame() -> Frame:
    return resolve(shipped("cat-likes-fish"))


def check(**fields: object) -> Check:
    """Return a check as a file would hold it."""
    return msgspec.convert(fields, Check)


def edit(**fields: object) -> Edit:
    """Return an edit as a file would hold it."""
    return msgspec.convert(fields, Edit)


def test_every_number_has_a_name(frame: Frame) -> None:
    result = frame.attention
    pair = {"query": "cat", "key": "cloud"}
    for value, array in (
        ("raw", result.raw),
        ("scores", result.scores),
        ("weights", result.weights),
    ):
        assert number(Reading(value, **pair), frame) == array[0, 0, 3]
    assert number(Reading("X", query="cloud", column=1), frame) == -0.8
    assert number(Reading("Q", query=2, column=2), frame) == result.Q[0, 1, 1]
    assert number(Reading("K", key="cloud", column=1), frame) == result.K[0, 3, 0]
    assert number(Reading("V", key="fish", column=2), frame) == result.V[0, 2, 1]
    assert number(Reading("output", query="cat", column=1), frame) == result.output[0, 0]
    assert number(Reading("head output", query="cat", column=1), frame) == result.output[0, 0]
    assert number(Reading("Wk", row=1, column=2), frame) == 0.2


def test_numbers_of_several_heads_biases_and_positions() -> None:
    frame = resolve(shipped("two-heads"))
    weights = frame.attention.weights
    query, key = 1, frame.scene.tokens[1]
    assert number(Reading("weights", query, key, head=2), frame) == weights[1, 0, 1]
    assert number(Reading("weights", query, key), frame) == weights[0, 0, 1]
    with pytest.raises(Problem, match="no head 3: the last is 2"):
        number(Reading("weights", query, key, head=3), frame)
    placed = resolve(shipped("order-regained"))
    assert number(Reading("X + P", query=1, column=2), placed) == placed.attention.X[0, 1]


@pytest.mark.parametrize(
    ("reading", "said"),
    [
        (Reading("weights", query="cat"), "needs a key"),
        (Reading("weights", query="cow", key="cat"), "no token cow"),
        (Reading("weights", query=9, key="cat"), "none at place 9"),
        (Reading("X", query="cat"), "needs a column"),
        (Reading("X", query="cat", column=3), "X has 4 rows and 2 columns"),
        (Reading("Wo", row=1, column=1), "no Wo"),
        (Reading("bq", column=1), "no bq"),
    ],
)
def test_a_number_the_scene_has_not_is_named(frame: Frame, reading: Reading, said: str) -> None:
    with pytest.raises(Problem, match=said):
        number(reading, frame)


def test_a_name_of_two_tokens_is_no_name() -> None:
    frame = resolve(Scene(tokens=("a", "a"), X=np.eye(2)))
    with pytest.raises(Problem, match="2 tokens are called a"):
        number(Reading("X", query="a", column=1), frame)
    assert number(Reading("X", query=2, column=2), frame) == 1.0


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"op": "<", "than": 0.13}, True),
        ({"op": "<", "than": 0.05}, False),
        ({"op": "<=", "than": 0.13}, True),
        ({"op": ">", "than": 0.05}, True),
        ({"op": ">=", "than": 0.5}, False),
        ({"op": "==", "than": 0.12, "within": 0.001}, True),
        ({"op": "!=", "than": 0.12, "within": 0.001}, False),
        ({"op": "<", "than": {"value": "weights", "query": "cat", "key": "cat"}}, True),
    ],
)
def test_a_check_compares_the_computed_number(
    frame: Frame, fields: dict[str, object], expected: bool
) -> None:
    assert holds(check(value="weights", query="cat", key="cloud", **fields), frame) is expected


def test_checks_of_options_stages_and_several(frame: Frame) -> None:
    assert holds(check(option="mask", **{"is": "none"}), frame)
    assert not holds(check(option="scale", **{"is": "none"}), frame)
    assert holds(check(option="temperature", **{"is": 1.0}), frame)
    assert holds(check(option="heads", **{"is": 1}), frame)
    assert holds(check(stage="X"), frame)
    both = [{"stage": "X"}, {"option": "mask", "is": "causal"}]
    assert not holds(check(all=both), frame)
    assert holds(check(any=both), frame)
    for wrong, said in (
        ({}, "names a value"),
        ({"value": "weights", "query": "cat", "key": "cat"}, 'needs "op" and "than"'),
        ({"option": "mask"}, 'needs "is"'),
        ({"any": [{"stage": "X"}, {"value": "X", "op": "<", "than": 1}]}, "needs a column"),
    ):
        with pytest.raises(Problem, match=said):
            holds(check(**wrong), frame)


def test_a_step_shows_what_it_names_and_leaves_the_rest(frame: Frame) -> None:
    show = msgspec.convert(
        {
            "stage": "A",
            "mask": "causal",
            "temperature": 0.5,
            "scaled": True,
            "select": {"table": "A", "query": "fish", "key": "cat"},
        },
        Show,
    )
    scene, look, selection = as_shown(show, frame.scene, replace(frame.look, options_open=True))

    assert (look.stage, look.edges, look.scaled) == (Stage.A, Edges.ATTENTION, True)
    assert look.spaces == {Space.Q, Space.K}
    assert look.options_open
    assert (scene.options.mask, scene.options.temperature) == ("causal", 0.5)
    assert scene.X is frame.scene.X
    assert selection == Selection(Role.A, 2, 0)
    assert as_shown(Show(), scene, look) == (scene, look, None)
    before = Select(Role.A, scene.tokens[0])
    assert as_shown(Show(mask="causal"), scene, look, before)[2] == Selection(Role.A, 0)
    assert as_shown(Show(), shipped("batch-of-three"), look, Select(Role.A, "nobody"))[2] is None


def test_a_step_opens_movements_and_sets_the_laboratory(frame: Frame) -> None:
    show = msgspec.convert({"movements": ["Wk"], "trial": 512, "centre": "sqrt_d"}, Show)
    _scene, look, _none = as_shown(show, frame.scene, frame.look)
    assert look.movements == {Matrix.WK}
    assert (look.centre, look.trial.width) == (Centre.SQRT_D, 512)
    closed, back, _none = as_shown(Show(movements=(), centre=Centre.PLANE), frame.scene, look)
    assert not back.movements
    assert closed is frame.scene


def test_a_step_shows_another_sequence_head_or_no_projections() -> None:
    batch, _look, _none = as_shown(Show(sequence=2), shipped("batch-of-three"), Look())
    assert batch.shown == 1
    with pytest.raises(Problem, match="no sequence 4: the last is 3"):
        as_shown(Show(sequence=4), batch, Look())
    _scene, look, _none = as_shown(Show(head=2), shipped("two-heads"), Look())
    assert look.head == 1
    bare, _look, _none = as_shown(Show(projections=False), shipped("cat-likes-fish"), Look())
    assert not bare.projected
    again, _look, _none = as_shown(Show(projections=True), bare, Look())
    assert again.projected


@pytest.mark.parametrize(
    ("wanted", "value"),
    [
        (edit(set="X", query="cloud", column=1, to=-3.5), lambda f: f.scene.X[3, 0] == -3.5),
        (edit(set="Wk", row=2, column=1, to=1e-5), lambda f: f.scene.Wk[1, 0] == 1e-5),
        (edit(option="mask", to="causal"), lambda f: f.scene.options.mask == "causal"),
        (edit(option="scale", to=3), lambda f: f.scene.options.scale == 3),
        (edit(option="temperature", to=2), lambda f: f.scene.options.temperature == 2),
        (edit(option="position", to="sinusoidal"), lambda f: f.attention.X[0, 1] == 1.0),
        (edit(option="variant", to="average"), lambda f: math.isinf(f.attention.divisor)),
        (edit(option="heads", to=2), lambda f: f.scene.heads == 2),
    ],
    ids=lambda part: str(getattr(part, "option", "")),
)
def test_an_edit_is_what_hands_would_do_and_is_undone_in_one_step(wanted, value) -> None:
    desk = Desk(shipped("cat-likes-fish"))
    before = desk.scene
    desk.do(*intents_of(wanted, desk.session.frame))

    assert not desk.told
    assert value(desk.session.frame)
    desk.session.undo()
    assert desk.scene is before
    assert not desk.session.history.can_undo


def test_an_edit_of_the_stage(frame: Frame) -> None:
    desk = Desk(frame.scene)
    desk.do(*intents_of(edit(stage="S"), desk.session.frame))
    assert desk.session.look.stage is Stage.S


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (edit(set="weights", query="cat", key="cat", to=1), "weights is computed"),
        (edit(set="X", query="cat", column=1), 'needs "to"'),
        (edit(set="X", query="cat", column=1, to="much"), "set to a number"),
        (edit(option="mask", to="random"), "mask cannot be set to random"),
        (edit(option="heads", to=1.5), r"heads cannot be set to 1\.5"),
        (edit(to=1), "sets a number, an option or a stage"),
    ],
)
def test_an_edit_that_cannot_be_says_why(frame: Frame, wrong: Edit, said: str) -> None:
    with pytest.raises(Problem, match=said):
        list(intents_of(wrong, frame))
