"""How a scene is looked at stands in its file, and opening it restores that."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from explorer.resources import example
from explorer.session import (
    Matrix,
    Session,
    Space,
    Stage,
    dump_scene,
    parse_scene,
    read_scene,
    token_edits,
)
from explorer.session.look import Blank, Comparison, Edges, Look, Role, Selection
from explorer.session.resolve import fitting_look
from explorer.session.scene import same_content
from explorer.session.scene_view import View, look_at, view_of
from explorer.session.views import Centre
from explorer.text import Problem

CAT = read_scene(example("cat-likes-fish.json"))
LOOK = replace(
    Look().at_stage(Stage.A),
    spaces=frozenset({Space.X, Space.K}),
    scaled=True,
    centre=Centre.COMPARE,
    comparison=Comparison.MASK,
    movements=frozenset({Matrix.WQ}),
    pinned=(2, 0),
    veiled=True,
    blank=Blank(Stage.A, 1, 2),
)
SELECTION = Selection(Role.A, 1, 3)


def test_a_view_is_what_was_saved() -> None:
    data = dump_scene(CAT.replace(view=View(LOOK, SELECTION)))
    fields = json.loads(data)
    assert fields["version"] == 3
    assert fields["view"] == {
        "stage": "A",
        "spaces": ["X", "K"],
        "edges": "attention",
        "scaled": True,
        "centre": "compare",
        "comparison": "mask",
        "movements": ["Wq"],
        "pinned": [2, 0],
        "predict": True,
        "hidden": {"table": "A", "row": 1, "column": 2},
        "selection": {"role": "A", "query": 1, "key": 3},
    }
    opened = parse_scene(data, "x")
    assert opened.view == View(LOOK, SELECTION)
    assert dump_scene(opened) == data


def test_a_scene_that_is_looked_at_as_usual_says_nothing_of_it() -> None:
    assert view_of(CAT, fitting_look(CAT, Look()), None) is None
    assert view_of(CAT, replace(Look(), options_open=True), None) is None  # the window's own
    assert "view" not in json.loads(dump_scene(CAT))
    assert view_of(CAT, Look(), Selection(Role.X, 1)) is not None


def test_what_an_edit_took_away_is_not_saved() -> None:
    fewer = CAT.replace(view=View(LOOK, SELECTION))
    for token in (3, 2):
        fewer = token_edits.remove_token(fewer, token)
    again = parse_scene(dump_scene(fewer), "x").view
    assert again is not None
    assert (again.look.pinned, again.look.blank) == ((0,), None)


def test_the_panels_stay_as_they_are() -> None:
    now = replace(Look(), options_open=True, torch_code=True)
    made = look_at(View(LOOK, SELECTION), now)
    assert made == View(replace(LOOK, options_open=True, torch_code=True), SELECTION)


def test_looking_is_no_change_and_opening_restores_it() -> None:
    scene = CAT.replace(view=View(LOOK, SELECTION))
    assert same_content(scene, CAT)
    session = Session(CAT)
    session.open(scene, LOOK, selection=SELECTION)
    assert (session.look, session.selection, session.modified) == (LOOK, SELECTION, False)
    session.look_at(Look(edges=Edges.SCORES))
    session.select(None)
    assert not session.modified


def test_what_the_scene_does_not_have_is_left_out() -> None:
    fields = json.loads(dump_scene(CAT)) | {"version": 3}
    fields["view"] = {"stage": "Y", "selection": {"role": "A", "query": 9}, "head": 0}
    view = parse_scene(json.dumps(fields).encode(), "x").view
    assert view is not None
    assert view.look.stage is Stage.O
    session = Session(CAT)
    session.open(CAT, view.look, selection=view.selection)
    assert session.selection is None


@pytest.mark.parametrize(
    ("view", "sentence"),
    [
        ({"pinned": [4]}, "view.pinned must name up to 8 different tokens, from 0 to 3."),
        ({"pinned": [1, 1]}, "view.pinned must name up to 8 different tokens, from 0 to 3."),
        ({"pinned": ["cat"]}, "view.pinned[0] must be a whole number."),
        ({"head": 1}, "view.head must be from 0 to 0."),
        ({"edges": "all"}, 'view.edges must be one of "none", "scores", "attention".'),
        ({"hidden": {"table": "X"}}, "view.hidden.table must be a table that is computed."),
        ({"hidden": {"table": "A", "row": -1}}, "view.hidden.row must be 0 or more."),
        ({"colour": "red"}, "view.colour is not a field of a scene."),
        ({"scaled": 1}, "view.scaled must be true or false."),
        ([], "view must be a group of fields."),
    ],
)
def test_what_is_wrong_is_named_by_its_field(view: Any, sentence: str) -> None:
    fields = json.loads(dump_scene(CAT)) | {"version": 3, "view": view}
    with pytest.raises(Problem) as caught:
        parse_scene(json.dumps(fields).encode(), "x")
    assert str(caught.value) == f"x: {sentence}"


def test_a_view_needs_version_3() -> None:
    fields = json.loads(dump_scene(CAT)) | {"version": 2, "view": {}}
    with pytest.raises(Problem, match='view needs "version": 3'):
        parse_scene(json.dumps(fields).encode(), "x")
