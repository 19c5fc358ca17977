"""Presets fill a matrix; names say what a matrix does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.resources import example
from explorer.session import PROJECTIONS, Matrix, Options, Scene, check_scene, read_scene
from explorer.session.edits import head_matrix, set_matrix
from explorer.session.presets import PRESET_LABELS, Preset, apply, preset_name
from explorer.session.token_edits import add_token
from explorer.text import Problem
from tests.scenes import scenes

CAT = read_scene(example("cat-likes-fish.json"))
JOURNEY = read_scene(example("your-journey.json"))


def named(values: object, original: Scene | None = None) -> str:
    W = np.array(values, float)
    other = np.ones_like(W)
    scene = Scene(("a",), np.ones((1, len(W))), W, other, other)
    return preset_name(scene, Matrix.WQ, original)


def test_the_names_of_the_picture() -> None:
    assert [preset_name(CAT, name, CAT) for name in (Matrix.WQ, Matrix.WK, Matrix.WV)] == [
        "identity",
        "slight mix",
        "smoothing",
    ]


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ([[0, 0], [0, 0]], "zeros"),
        ([[1, 0], [0, 1]], "identity"),
        ([[1, 0, 0], [0, 1, 0]], "identity"),
        ([[2, 0], [0, -0.5]], "stretch"),
        ([[0.5, 0.5], [0.5, 0.5]], "smoothing"),
        ([[1.1, 0.2], [-0.2, 1]], "slight mix"),
        ([[1, 0.3], [0, 1]], "own"),
        ([[1, 2, 3], [4, 5, 6]], "own"),
    ],
)
def test_a_matrix_is_named_by_what_it_does(values: object, name: str) -> None:
    assert named(values) == name


def test_numbers_without_a_name_are_own_until_they_are_edited() -> None:
    assert preset_name(JOURNEY, Matrix.WQ, JOURNEY) == "own"
    edited = set_matrix(JOURNEY, Matrix.WQ, np.full((3, 2), 3.0))
    assert preset_name(edited, Matrix.WQ, JOURNEY) == "edited"
    assert preset_name(edited, Matrix.WK, JOURNEY) == "own"
    assert preset_name(edited, Matrix.WQ, edited) == "own"
    assert preset_name(add_token(JOURNEY), Matrix.X, JOURNEY) == "edited"


def test_random_numbers_are_the_same_each_time_and_others_for_each_matrix() -> None:
    made = JOURNEY
    for matrix in (Matrix.X, *PROJECTIONS):
        made = apply(made, matrix, "random", JOURNEY)
        assert preset_name(made, matrix, JOURNEY) == "random"
    np.testing.assert_array_equal(made.Wq, apply(JOURNEY, Matrix.WQ, "random", JOURNEY).Wq)
    assert made.Wq is not None
    assert made.Wk is not None
    assert (made.Wq != made.Wk).all()
    np.testing.assert_array_equal(made.Wq, np.round(made.Wq, 2))


def test_random_numbers_keep_the_size_of_what_they_multiply() -> None:
    X = np.zeros((256, 64))
    scene = Scene(("a",) * 256, X, *(np.zeros((64, 64)) for _ in range(3)))
    for matrix in (Matrix.X, *PROJECTIONS):
        scene = apply(scene, matrix, "random", scene)
    assert scene.Wq is not None
    assert scene.X.std() == pytest.approx(1, abs=0.05)
    assert (scene.X @ scene.Wq).std() == pytest.approx(1, abs=0.1)


def test_the_scenes_own_numbers_come_back_where_they_fit() -> None:
    edited = set_matrix(CAT, Matrix.WK, [[9, 9], [9, 9]])
    assert apply(edited, Matrix.WK, "own", CAT).Wk is CAT.Wk
    with pytest.raises(Problem, match="The scene's own X has another shape"):
        apply(add_token(CAT), Matrix.X, "own", CAT)
    with pytest.raises(Problem, match="another shape"):
        apply(CAT, Matrix.WQ, "own", Scene(("a",), np.ones((1, 1))))


@pytest.mark.parametrize("form", ["split", "stacked"])
def test_each_head_is_filled_alike(form: str) -> None:
    W = np.full((2, 3, 2), 9.0) if form == "stacked" else np.full((3, 4), 9.0)
    scene = Scene(("a",), np.ones((1, 3)), W, W, W, options=Options(heads=2))
    made = apply(scene, Matrix.WK, "identity", scene)
    for head in range(2):
        np.testing.assert_array_equal(head_matrix(made, Matrix.WK, head), np.eye(3, 2))
        assert preset_name(made, Matrix.WK, scene, head) == "identity"
    assert made.matrix(Matrix.WK).shape == W.shape


@given(scenes(largest=10.0), st.sampled_from(list(Preset)), st.data())
def test_every_preset_fits_every_scene(scene: Scene, preset: Preset, data: st.DataObject) -> None:
    there = [matrix for matrix in Matrix if scene.array(matrix) is not None]
    matrix = data.draw(st.sampled_from(there))
    made = apply(scene, matrix, preset, scene)
    check_scene(made)
    assert made.matrix(matrix).shape == scene.matrix(matrix).shape
    assert preset_name(made, matrix, scene)


def test_every_preset_has_a_label() -> None:
    assert set(PRESET_LABELS) == set(Preset)
