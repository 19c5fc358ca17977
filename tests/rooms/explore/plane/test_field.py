"""The tint of the plane, what held points say, the markers, and which tokens are the context's."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from explorer.attention import Variant
from explorer.kit.canvas.paint import paint_drawing
from explorer.kit.markers import paint_marker
from explorer.kit.plane.camera import Camera
from explorer.kit.plane.compose import compose
from explorer.kit.plane.field import Field, is_tinted, weights_at
from explorer.kit.plane.words import captions, field_text, place_text, shuffle_text, why_held
from explorer.kit.preview import SAMPLE
from explorer.kit.theme import Theme
from explorer.resources import example
from explorer.session import (
    Drag,
    Edges,
    Frame,
    Look,
    Role,
    Scene,
    Selection,
    Shuffled,
    Space,
    Stage,
    compute,
    read_scene,
    resolve,
)
from explorer.session.backwards import OrderCause, pull_point
from explorer.session.edits import move_token

pytestmark = pytest.mark.usefixtures("qapp")

CAMERA = Camera(0.2, 0.4, 300, 836, 704)
PAIR = Selection(Role.A, 0, 3)
ATTENTION = Look(edges=Edges.ATTENTION)


def dragged(scene: Scene, token: int = 0, look: Look = ATTENTION, space: Space = Space.X) -> Frame:
    """Return a frame in which a token has been moved a little."""
    before = resolve(scene, look, PAIR)
    start = before.points(space)[token]
    held = resolve(scene, look, PAIR, drag=Drag(token, start, space), previous=before)
    moved = move_token(scene, token, scene.X[token] + 0.1)
    return resolve(moved, look, PAIR, drag=held.drag, previous=held)


# --- the tint ------------------------------------------------------------------------------------


def test_one_gesture_has_one_tint() -> None:
    field, theme = Field(), Theme()
    frame = dragged(SAMPLE)
    tint = field.tint(frame, theme, CAMERA)
    moved = resolve(
        move_token(frame.scene, 0, [0.3, -0.4]), frame.look, PAIR, drag=frame.drag, previous=frame
    )
    assert field.tint(moved, theme, CAMERA) is tint
    for other in (
        (replace(moved, selection=Selection(Role.A, 0, 2)), theme, CAMERA),
        (moved, Theme(dark=True), CAMERA),
        (moved, theme, CAMERA.panned(5, 5)),
        (dragged(SAMPLE, 1), theme, CAMERA),
    ):
        assert field.tint(*other) is not tint


@pytest.mark.parametrize(
    "change",
    [
        {"drag": None},
        {"selection": None},
        {"selection": Selection(Role.X, 0)},
        {"selection": Selection(Role.WQ, 0, 1)},
        {"look": replace(ATTENTION, field=False)},
        {"drag": Drag(0, SAMPLE.X[0], Space.K)},
    ],
    ids=["no drag", "nothing selected", "a token", "a cell of W", "not wanted", "a key"],
)
def test_without_a_pair_and_a_token_in_the_hand_there_is_no_tint(change) -> None:
    frame = dragged(SAMPLE)
    assert is_tinted(frame)
    without = replace(frame, **change)
    assert not is_tinted(without)
    assert Field().tint(without, Theme(), CAMERA) is None


def scenes_to_tint() -> dict[str, tuple[Scene, Look, Space]]:
    rng = np.random.default_rng(3)
    W = [rng.normal(size=(2, 2, 2)) for _ in range(3)]
    heads = Scene(SAMPLE.tokens, SAMPLE.X, *W)
    wide = Scene(SAMPLE.tokens, rng.normal(size=(4, 5)))
    placed = SAMPLE.replace(options=replace(SAMPLE.options, position="sinusoidal"))
    both = replace(ATTENTION, spaces=frozenset({Space.X, Space.P}))
    mixed = heads.replace(options=replace(heads.options, variant=Variant.HEADS_MIXED))
    return {
        "a head": (heads, replace(ATTENTION, head=1), Space.X),
        "mean": (heads, replace(ATTENTION, average=True), Space.X),
        "five dimensions": (wide, ATTENTION, Space.X),
        "one": (Scene(SAMPLE.tokens, SAMPLE.X[:, :1]), ATTENTION, Space.X),
        "position": (placed, both, Space.X),
        "X + P": (placed, both, Space.P),
        "mixed heads": (mixed, replace(ATTENTION, head=1), Space.X),
    }


@pytest.mark.parametrize("name", scenes_to_tint())
def test_the_tint_is_the_weight_that_a_drag_there_gives(name: str) -> None:
    scene, look, space = scenes_to_tint()[name]
    frame = dragged(scene, 1, look, space)
    pixels = np.array([[100.5, 90.5], [430.0, 300.0], [700.0, 650.0]])
    start = frame.projection.project(frame.drag.start)
    for weight, place in zip(
        weights_at(frame, CAMERA, pixels), CAMERA.all_to_plane(pixels), strict=True
    ):
        there = scene.X[1] + frame.projection.lift(place - start)
        moved = compute(move_token(scene, 1, there)).weights
        wanted = moved.mean(axis=0) if look.average else moved[look.head]
        assert weight == pytest.approx(wanted[0, 3], abs=1e-12)


def test_the_tint_lies_beneath_the_grid_and_is_told() -> None:
    frame, theme = dragged(SAMPLE), Theme()
    tint = Field().tint(frame, theme, CAMERA)
    drawing = compose(frame, theme, CAMERA, 56, tint=tint).drawing
    assert drawing.tint is tint
    assert (tint.low, tint.high) != (0.0, 1.0)
    shown = f"from {tint.low:g} to {tint.high:g}"
    said = field_text(frame, tint.low, tint.high)
    assert said == f"tint: attention of cat to cloud with cat here, {shown}"
    told = [text.word.static.text() for text in drawing.texts]
    assert said in told
    plain = compose(frame, theme, CAMERA, 56).drawing
    image = QImage(836, 704, QImage.Format.Format_RGB32)
    image.fill(theme.color("canvas"))
    with QPainter(image) as painter:
        paint_drawing(painter, drawing, theme)
    x = round(plain.grid[0].points[0][0])
    assert image.pixelColor(x, 600) != QColor(tint.image.pixel(x, 600))


# --- held points ---------------------------------------------------------------------------------


def held(scene: Scene, space: Space, head: int = 0) -> str:
    look = Look(spaces=frozenset({space}), head=head)
    frame = resolve(scene, look)
    start = frame.points(space)[0]
    pull = pull_point(scene, frame.attention, space, 0, start, head)[1]
    return why_held(resolve(scene, look, drag=Drag(0, start, space, pull), previous=frame))


def test_a_point_says_how_far_x_can_bring_it() -> None:
    rng = np.random.default_rng(2)
    flat = np.outer(rng.normal(size=2), rng.normal(size=2))
    free = rng.normal(size=(2, 2))
    assert held(SAMPLE, Space.Q) == ""
    assert held(SAMPLE.replace(Wk=flat), Space.K).startswith("Wk is flattened: this point can only")
    assert held(SAMPLE.replace(Wv=np.zeros((2, 2))), Space.V).startswith("Wv is all zeros")
    heads = Scene(SAMPLE.tokens, SAMPLE.X, *[np.array([free, flat])] * 3)
    assert held(heads, Space.Q) == ""
    assert held(heads, Space.Q, 1).startswith("Wq of head 2 is flattened")
    one = Scene(SAMPLE.tokens, SAMPLE.X[:, :1], *[rng.normal(size=(1, 2))] * 3)
    assert held(one, Space.K) == "Wk has one row: this point can only move along this line."
    narrow = Scene(SAMPLE.tokens, SAMPLE.X, *[rng.normal(size=(2, 1))] * 3)
    assert held(narrow, Space.K) == ""
    deep = Scene(SAMPLE.tokens, rng.normal(size=(4, 3)), *[rng.normal(size=(3, 2)) @ free] * 3)
    assert held(deep, Space.V) == ""
    plane = rng.normal(size=(3, 2)) @ rng.normal(size=(2, 3))
    cut = Scene(SAMPLE.tokens, rng.normal(size=(4, 3)), plane, plane, plane)
    assert held(cut, Space.Q).startswith("Wq is flattened: this point can only move in 2 of its 3")
    none = Scene(SAMPLE.tokens, SAMPLE.X)
    assert held(none, Space.K) == ""


def test_a_row_of_mixed_heads_says_which_token_moves() -> None:
    rng = np.random.default_rng(2)
    heads = Scene(SAMPLE.tokens, SAMPLE.X, *[rng.normal(size=(2, 2, 2))] * 3)
    mixed = heads.replace(options=replace(heads.options, variant=Variant.HEADS_MIXED))
    assert held(mixed, Space.Q) == ""  # the first row of the first head is made from cat
    assert held(mixed, Space.Q, 1) == (
        "The mixed heads make this point from fish: its row of X moves."
    )


# --- the shuffle in words ------------------------------------------------------------------------


def told(difference: float, present: tuple = (), causes: tuple = ()) -> str:
    done = Shuffled((1, 0, 2, 3), difference, present, causes)
    return shuffle_text(replace(resolve(SAMPLE), shuffled=done))


def test_a_shuffle_is_told_as_it_is() -> None:
    position, causal = OrderCause.POSITION, OrderCause.CAUSAL
    assert told(6e-17).startswith(
        "The outputs are the same rows in the new order (largest difference 0.000): nothing"
    )
    assert told(0.25, (position, causal), (causal,)) == (
        "The outputs are not the same rows in the new order (largest difference 0.250): "
        "under the causal mask a token sees only those before it."
    )
    assert "(largest difference 0.000), although there is a position." in told(0.0, (position,))
    tiny = told(2e-5, (position,), (position,))
    assert "not quite the same rows" in tiny
    assert "0.000)" not in tiny
    assert shuffle_text(resolve(SAMPLE)) == ""


def test_a_shuffled_token_says_where_it_was() -> None:
    frame = replace(resolve(SAMPLE), shuffled=Shuffled((1, 0, 2, 3), 0.0))
    assert [place_text(frame, row) for row in range(3)] == [
        "place 2 → 1",
        "place 1 → 2",
        "place 3",
    ]


# --- the context, the markers --------------------------------------------------------------------


def test_points_of_the_context_are_named_as_such() -> None:
    scene = read_scene(example("translation.json"))
    assert captions(resolve(scene, Look().at_stage(Stage.S))) == ["K: the context, 猫 坐 着"]
    assert captions(resolve(scene, Look().at_stage(Stage.X))) == []
    assert captions(resolve(SAMPLE, Look().at_stage(Stage.S))) == []


@pytest.mark.parametrize("diameter", [14.0, 24.0])
def test_markers_can_be_told_apart_without_colour(diameter: float) -> None:
    pictures = []
    for space in Space:
        image = QImage(40, 40, QImage.Format.Format_Grayscale8)
        image.fill(255)
        with QPainter(image) as painter:
            painter.translate(20, 20)
            paint_marker(painter, space, diameter, QColor("#888888"), QColor("#333333"))
        pictures.append(np.array(image.constBits()).reshape(40, 40).astype(float))
    for one, other in combinations(pictures, 2):
        assert (np.abs(one - other) > 60).sum() >= diameter / 2
