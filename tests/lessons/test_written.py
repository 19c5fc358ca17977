"""What is shown, written as a lesson's step, is shown again by that step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from explorer.attention import Variant
from explorer.lessons.read import read_lesson
from explorer.lessons.schema import Pan, Step
from explorer.lessons.steps import as_of, camera_of
from explorer.lessons.written import scene_name, step_text
from explorer.resources import example, examples
from explorer.session import Centre, Edges, Look, Matrix, Role, Selection, Space, Stage, resolve
from explorer.session.edits import set_mask, set_scale, set_temperature, set_variant
from explorer.session.scene_file import read_scene

HEAD = 'format = "attention-explorer/lesson"\nversion = 1\ntitle.en = "Written"\n\n'
SEEN = [
    (Look(), None, None),
    (Look().at_stage(Stage.A), Selection(Role.A, 0, 3), Pan(0.5, -0.25, 2.0)),
    (
        replace(Look().at_stage(Stage.S), edges=Edges.NONE, scaled=False),
        Selection(Role.WQ, 1, None, 0),
        None,
    ),
    (
        replace(Look(), spaces=frozenset({Space.X, Space.V}), movements=frozenset({Matrix.WV})),
        Selection(Role.K, None, 2),
        Pan(-3.0, 4.0, 0.5),
    ),
    (replace(Look(), centre=Centre.COMPARE), Selection(Role.X, 1, None, 1), None),
]


@pytest.mark.parametrize(("look", "selection", "camera"), SEEN)
def test_a_view_comes_back_as_it_was_copied(look, selection, camera, tmp_path: Path) -> None:
    scene = read_scene(example("cat-likes-fish.json"))
    scene = set_temperature(set_mask(set_scale(scene, "none"), "causal"), 0.5)
    scene = set_variant(scene, Variant.AVERAGE)
    text = step_text(resolve(scene, look, selection), "example:cat-likes-fish", camera, "zh")
    path = tmp_path / "own.toml"
    path.write_text(HEAD + text, "utf-8")
    lesson = read_lesson(path)
    [step] = lesson.steps
    assert isinstance(step, Step), step
    assert step.text.keys() == {"zh"}
    shown, seen, selected = as_of(lesson, 0)
    for name in ("stage", "spaces", "edges", "scaled", "centre", "movements"):
        assert getattr(seen, name) == getattr(look, name), name
    assert selected == selection
    assert camera_of(lesson, 0) == ("fit" if camera is None else camera)
    for name in ("scale", "mask", "temperature", "position", "variant"):
        assert getattr(shown.options, name) == getattr(scene.options, name), name


def test_heads_sequences_and_tokens_of_one_name_are_named(tmp_path: Path) -> None:
    for path in examples():
        scene = read_scene(path)
        look = replace(Look().at_stage(Stage.A), head=scene.heads - 1)
        last = len(scene.tokens) - 1
        frame = resolve(scene, look, Selection(Role.A, last, 0))
        own = tmp_path / "own.toml"
        own.write_text(HEAD + step_text(frame, scene_name(scene, None), None, "en"), "utf-8")
        lesson = read_lesson(own)
        [step] = lesson.steps
        assert isinstance(step, Step), step
        shown, seen, selected = as_of(lesson, 0)
        assert shown.tokens == scene.tokens
        assert (seen.head, selected) == (frame.look.head, Selection(Role.A, last, 0))
    assert scene_name(scene, tmp_path / "mine.json") == "mine.json"
