"""Points of Q, K, V and X + P in the hand, the tint while a token is dragged, a shuffle."""

from __future__ import annotations

from itertools import product
from math import ceil, floor

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QLabel

from explorer.attention import sinusoidal
from explorer.kit.plane.field import SHARE
from explorer.kit.theme import mixed
from explorer.resources import example
from explorer.session import (
    Edges,
    Matrix,
    Role,
    Scene,
    Selection,
    Session,
    Space,
    compute,
    intents,
    read_scene,
)
from explorer.session.edits import move_token
from tests.sampled import checkered

ONE_WINDOW = True  # which begins anew for each test

ALT = Qt.KeyboardModifier.AltModifier
CTRL = Qt.KeyboardModifier.ControlModifier


def show(person, *spaces: Space) -> None:
    person.plane.intent.emit(intents.ShowSpaces(frozenset(spaces)))
    person.settle()


def open_example(person, name: str) -> None:
    person.session.open(read_scene(example(f"{name}.json")))
    person.settle()


def notice(person) -> str:
    label = person.plane.findChild(QLabel, "notice")
    return label.text() if label.isVisible() else ""


def hand_place(person, space: Space, row: int, start: QPoint, end: QPoint) -> np.ndarray:
    """Return where in the plane a drag from pixel to pixel is to bring a point."""
    frame, plane = person.session.frame, person.plane
    (x0, y0), (x1, y1) = (plane.plane_point(QPointF(at)) for at in (start, end))
    place = frame.projection.project(frame.points(space)[row])
    return place + np.array([x1 - x0, y1 - y0])


# --- backwards -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("space", "matrix"), [(Space.Q, Matrix.WQ), (Space.K, Matrix.WK), (Space.V, Matrix.WV)]
)
def test_a_dragged_point_lands_x_changes_least_and_undo_gives_the_same_pixels(
    person, space, matrix
):
    open_example(person, "your-journey")  # from three dimensions to two
    show(person, space)

    before, picture = person.session.frame, person.picture()
    start = person.point(space, 1)
    end = start + QPoint(-70, 45)
    wanted = np.round(hand_place(person, space, 1, start, end), 3)

    person.press(start)
    person.move(start + QPoint(-160, 90))
    person.move(end)
    person.settle()
    assert person.session.frame.drag.space is space
    assert (person.point(space, 1) - end).manhattanLength() <= 2
    person.release(end)

    after = person.session.frame
    np.testing.assert_allclose(after.points(space)[1], wanted, rtol=0, atol=1e-9)
    least = (wanted - before.points(space)[1]) @ np.linalg.pinv(before.scene.matrix(matrix))
    np.testing.assert_allclose(after.scene.X[1] - before.scene.X[1], least, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(np.delete(after.scene.X, 1, 0), np.delete(before.scene.X, 1, 0))
    assert after.drag is None
    assert person.picture() != picture
    person.key(Qt.Key.Key_Z, CTRL)
    assert person.session.scene is before.scene
    assert person.picture() == picture
    assert not person.session.history.can_undo


def test_a_point_that_is_let_go_where_it_was_has_not_moved(person):
    show(person, Space.K)
    before = person.session.scene
    start = person.point(Space.K, 3)
    person.drag(start, start + QPoint(30, 30))
    moved = person.session.scene
    assert moved is not before
    person.key(Qt.Key.Key_Z, CTRL)
    person.press(start)
    person.move(start + QPoint(30, 30))
    person.move(start)
    person.release(start)
    assert person.session.scene is before


def test_a_point_that_goes_while_it_is_pressed_is_let_go(person):
    start = person.point(Space.X, 3)
    person.press(start)
    open_example(person, "zao-shang-hao")  # three tokens
    opened = person.session.scene
    person.move(start + QPoint(40, 30))
    person.release(start + QPoint(40, 30))
    assert person.session.scene is opened
    person.drag(person.point(Space.X, 2), person.point(Space.X, 2) + QPoint(40, 30))
    assert person.session.scene is not opened


def test_escape_gives_a_dragged_point_back(person):
    show(person, Space.V)
    before = person.session.scene
    start = person.point(Space.V, 2)
    person.press(start)
    person.move(start + QPoint(30, 30))
    assert person.session.scene is not before
    person.key(Qt.Key.Key_Escape, widget=person.plane.viewport())
    assert person.session.scene is before
    person.release(start + QPoint(30, 30))
    assert person.session.scene is before
    assert not person.session.history.can_undo


def test_a_point_of_a_flattened_matrix_stays_on_its_line_and_says_why(person):
    open_example(person, "flattened-wk")
    show(person, Space.K)
    keys = person.session.frame.points(Space.K)
    way = keys[0] / np.linalg.norm(keys[0])
    start = person.point(Space.K, 0)
    person.press(start)
    person.move(start + QPoint(-40, 10))
    person.move(start + QPoint(-90, -60))
    person.settle()

    now = person.session.frame.points(Space.K)[0]
    assert notice(person) == "Wk is flattened: this point can only move along this line."
    assert abs(now[0] * way[1] - now[1] * way[0]) < 1e-9
    hand = person.plane.plane_point(QPointF(start + QPoint(-90, -60)))
    here = person.plane.plane_point(QPointF(start))
    along = way * (way @ (np.array(hand) - here))
    np.testing.assert_allclose(now - keys[0], along, atol=2e-3)
    # The dots of the line are ink, on and off, between two points.
    image = person.plane.viewport().grab().toImage()
    canvas = person.window.theme.color("canvas").lightness()
    moon, cloud = (person.plane.screen_point(Space.K, row) for row in (1, 3))
    between = [(moon + (cloud - moon) * t).toPoint() for t in np.linspace(0.2, 0.8, 90)]
    inked = [abs(image.pixelColor(at).lightness() - canvas) > 90 for at in between]
    assert 15 < sum(inked) < 60
    person.release(start + QPoint(-90, -60))
    assert notice(person) == ""


def test_a_point_of_zeros_cannot_move_and_says_why(person):
    scene = person.session.scene
    person.session.open(scene.replace(Wq=np.zeros((2, 2))))
    show(person, Space.Q)
    before = person.session.scene
    start = person.point(Space.Q, 3)
    person.press(start)
    person.move(start + QPoint(50, 20))
    person.settle()
    assert notice(person) == "Wq is all zeros: this point cannot move at all."
    person.release(start + QPoint(50, 20))
    assert person.session.scene is before


def test_a_wide_w_says_how_far_its_points_can_go(person):
    rng = np.random.default_rng(4)
    wide = [rng.normal(size=(2, 3)) for _ in range(2)]
    person.session.open(Scene(tuple("abcd"), rng.normal(size=(4, 2)), *wide, np.eye(2)))
    show(person, Space.Q)
    start = person.point(Space.Q, 0)
    end = start + QPoint(40, -30)
    person.press(start)
    person.move(end)
    person.settle()
    assert notice(person) == "Wq has 2 rows: this point only moves in 2 of 3 dimensions."
    assert (person.point(Space.Q, 0) - end).manhattanLength() <= 3
    person.release(end)


def test_an_output_does_not_drag_and_says_why(person):
    show(person, Space.V, Space.O)
    before = person.session.scene
    start = person.point(Space.O, 1)
    person.drag(start, start + QPoint(60, 60))
    assert person.session.scene is before
    assert notice(person) == (
        "An output is a mixture of values: move a value, a query or a key instead."
    )


def test_a_key_of_the_context_moves_the_contexts_row(person):
    open_example(person, "translation")
    show(person, Space.Q, Space.K)
    before = person.session.scene
    start = person.point(Space.K, 1)
    person.drag(start, start + QPoint(80, -20))
    after = person.session.scene
    assert after.X is before.X
    assert (after.context.X[1] != before.context.X[1]).all()
    assert person.window.actions_by_name["undo"].text() == f"Undo move {before.context.tokens[1]}"


def test_with_a_position_x_lies_under_the_hand_and_so_does_its_sum(person):
    person.plane.intent.emit(intents.SetPosition("sinusoidal"))
    show(person, Space.X, Space.P)
    for space in (Space.X, Space.P):
        start = person.point(space, 3)
        end = start + QPoint(-50, 35)
        wanted = np.round(hand_place(person, space, 3, start, end), 3)
        person.drag(start, end)
        frame = person.session.frame
        np.testing.assert_allclose(frame.points(space)[3], wanted, rtol=0, atol=1e-12)
        np.testing.assert_allclose(
            frame.points(Space.P)[3] - frame.scene.X[3], sinusoidal(4, 2)[3], atol=1e-12
        )


def test_alt_and_an_arrow_move_the_selected_key(person):
    show(person, Space.K)
    before = person.session.frame
    person.click(person.plane.viewport(), person.point(Space.K, 2))
    person.key(Qt.Key.Key_Up, ALT, widget=person.plane.viewport())
    step = person.session.frame.points(Space.K)[2] - before.points(Space.K)[2]
    np.testing.assert_allclose(step, [0.0, 0.05], atol=1e-9)
    person.key(Qt.Key.Key_Z, CTRL)
    assert person.session.scene is before.scene


# --- the field -----------------------------------------------------------------------------------


def matching(person, colour_at) -> float:
    """Return the share of places all over the plane that have the colour which is said."""
    image = person.plane.viewport().grab().toImage()
    right = []
    for x in range(0, image.width(), 40):
        for y in range(80, image.height() - 60, 40):
            wanted, seen = colour_at(QPointF(x + 0.5, y + 0.5)), image.pixelColor(x, y)
            parts = zip(wanted.getRgb(), seen.getRgb(), strict=True)
            right.append(max(abs(a - b) for a, b in parts) <= 1)
    return sum(right) / len(right)


@pytest.mark.parametrize(("token", "position"), checkered([0, 3, 2], ["none", "sinusoidal"]))
def test_the_plane_is_tinted_by_the_weight_that_would_be_there(person, position, token):
    person.plane.intent.emit(intents.SetPosition(position))
    person.plane.intent.emit(intents.ChangeLook({"edges": Edges.ATTENTION}))
    person.plane.intent.emit(intents.Select(Selection(Role.A, 0, 3)))
    person.settle()
    theme, scene = person.window.theme, person.session.scene

    def weight(at: QPointF) -> float:
        moved = move_token(scene, token, person.plane.plane_point(at))
        return float(compute(moved).weights[0, 0, 3])

    viewport = person.plane.viewport()
    places = product(range(0, viewport.width() + 8, 8), range(0, viewport.height() + 8, 8))
    everywhere = [weight(QPointF(x + 0.5, y + 0.5)) for x, y in places]
    least, most = floor(min(everywhere) * 100) / 100, ceil(max(everywhere) * 100) / 100

    def tint(at: QPointF):
        share = (weight(at) - least) / (most - least)
        return mixed(theme.weights_map.fill(share, 1.0), theme.color("canvas"), SHARE)

    def canvas(_at: QPointF):
        return theme.color("canvas")

    assert matching(person, canvas) > 0.8
    start = person.point(Space.X, token)
    person.press(start)
    for step in ((20, -20), (35, -25)):
        person.move(start + QPoint(*step))
        person.settle()
        assert matching(person, tint) > 0.8
    person.release(start + QPoint(35, -25))
    assert matching(person, canvas) > 0.8

    action = person.window.actions_by_name["field"]
    assert action.isChecked()
    action.trigger()
    assert not action.isChecked()
    start = person.point(Space.X, token)
    person.press(start)
    person.move(start + QPoint(20, 20))
    person.settle()
    assert matching(person, canvas) > 0.8
    person.release(start + QPoint(20, 20))
    action.trigger()
    assert person.session.look.field


# --- shuffle -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (
            [],
            [
                "are the same rows in the new order (largest difference 0.000)",
                "nothing here asks for a token’s place",
            ],
        ),
        (
            [intents.SetPosition("sinusoidal")],
            ["are not the same rows", "a position belongs to the place, not to the token"],
        ),
        (
            [intents.SetMask("causal")],
            ["are not the same rows", "under the causal mask a token sees only those before it"],
        ),
        # A mask of one's own goes with the tokens.
        ([intents.SetMask("causal"), intents.PaintMask(((0, 1),), True, intents.Phase.BEGIN)], []),
    ],
    ids=["plain", "position", "causal", "own mask"],
)
def test_a_shuffle_says_what_became_of_the_outputs(person, wanted, said):
    for intent in wanted:
        person.plane.intent.emit(intent)
    before = person.session.frame
    person.plane.intent.emit(intents.ShuffleTokens())
    person.settle()

    after = person.session.frame
    order = list(after.shuffled.order)
    difference = np.abs(after.attention.output - before.attention.output[order]).max()
    told = notice(person)
    for words in said:
        assert words in told
    if not said:
        assert "are the same rows in the new order (largest difference 0.000)" in told
    assert ("are the same rows" in told) == (difference < 1e-9)
    person.click(person.plane.viewport(), QPoint(10, person.plane.height() - 8))
    assert notice(person) == ""


def test_shuffled_points_travel_from_where_they_were(person):
    person.plane.intent.emit(intents.SetPosition("sinusoidal"))
    show(person, Space.P)
    old = [person.point(Space.P, row) for row in range(4)]
    person.plane.intent.emit(intents.ShuffleTokens())
    order = person.session.frame.shuffled.order
    new = [person.point(Space.P, row) for row in range(4)]
    for place in range(4):
        assert (new[place] - old[order[place]]).manhattanLength() < 40
    person.settle()
    assert any(person.point(Space.P, n) != new[n] for n in range(4))
    colours = person.window.theme.token_colours(person.session.frame)[0]
    first = person.window.theme.token_colours(
        Session(read_scene(example("cat-likes-fish.json"))).frame
    )[0]
    assert colours == [first[place] for place in order]


def test_a_notice_covers_neither_points_nor_what_is_told_below(person):
    rng = np.random.default_rng(1)
    flat = np.outer(rng.normal(size=3), rng.normal(size=3))
    person.session.open(Scene(tuple("abcd"), rng.normal(size=(4, 3)), flat, flat, flat))
    show(person, Space.Q, Space.K)
    start = person.point(Space.K, 1)
    person.press(start)
    person.move(start + QPoint(20, 10))
    person.settle()
    box = person.plane.findChild(QLabel, "notice").geometry()
    assert notice(person)
    for space in (Space.Q, Space.K):
        assert not any(box.contains(person.point(space, row)) for row in range(4))
    caption = 36  # px of the ticks and of the line about the PCA plane, at least
    assert box.bottom() < person.plane.height() - caption
    person.release(start + QPoint(20, 10))
