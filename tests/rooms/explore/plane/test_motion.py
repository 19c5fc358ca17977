"""Points travel from one step of the chain to the next, and arrive where they belong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QVariantAnimation
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.plane.camera import Camera
from explorer.kit.plane.placed_frame import between
from explorer.kit.preview import SAMPLE
from explorer.kit.theme import Theme
from explorer.rooms.explore.plane import PlaneView
from explorer.rooms.explore.plane.motion import departure, pose_of, shuffled_pose
from explorer.session import (
    Context,
    Drag,
    Edges,
    Frame,
    Look,
    Role,
    Scene,
    Selection,
    Shuffled,
    Stage,
    resolve,
)
from explorer.session.intents import Select
from explorer.session.look import Space
from explorer.session.token_edits import permute_tokens
from tests.pixels import pixels

NO_KEY = Qt.KeyboardModifier.NoModifier
CAMERA = Camera(0.2, 0.4, 300, 836, 704)


def at(stage: Stage, scene: Scene = SAMPLE, **more: object) -> Frame:
    return resolve(scene, Look().at_stage(stage), **more)  # type: ignore[arg-type]


class Moving:
    """A shown plane whose clock stands still between the times that a test asks for."""

    def __init__(self, qtbot: QtBot, frame: Frame) -> None:
        self.view = PlaneView(Theme())
        qtbot.addWidget(self.view)
        self.view.resize(836, 704)
        self.view.set_motion(True)
        self.view.draw(frame)
        with qtbot.waitExposed(self.view):
            self.view.show()
        [self.clock] = self.view.findChildren(QVariantAnimation)

    @property
    def is_moving(self) -> bool:
        return self.clock.state() is not QVariantAnimation.State.Stopped

    def go(self, frame: Frame, milliseconds: int = 0) -> None:
        self.view.draw(frame)
        assert self.is_moving
        self.clock.pause()
        if milliseconds:
            self.clock.setCurrentTime(milliseconds)

    def picture(self) -> QImage:
        image = QImage(self.view.size(), QImage.Format.Format_RGB32)
        self.view.render(image, QPoint(0, 0))
        return image

    def at(self, space: Space, row: int) -> tuple[float, float]:
        point = self.view.screen_point(space, row)
        return point.x(), point.y()


def still(qtbot: QtBot, frame: Frame) -> QImage:
    """Return the picture of a frame in a plane that showed nothing before it."""
    return Moving(qtbot, frame).picture()


def difference(one: QImage, other: QImage) -> list[int]:
    """Return the area in which two pictures differ: left, top, right, bottom; empty where none."""
    rows, columns = np.nonzero((pixels(one) != pixels(other)).any(axis=2))
    return [int(f(x)) for f in (np.min, np.max) for x in (columns, rows)] if rows.size else []


# --- where things are on the way ------------------------------------------------------------------


@pytest.mark.parametrize("stage", [Stage.Q, Stage.K, Stage.V, Stage.S])
def test_queries_keys_and_values_set_out_from_their_x(stage: Stage) -> None:
    frame = at(stage)
    end = pose_of(frame, CAMERA)
    start = departure(pose_of(at(Stage.X), CAMERA), end, frame)

    for points in start.at.values():
        np.testing.assert_array_equal(points, SAMPLE.X)


def test_outputs_set_out_from_the_values() -> None:
    frame = at(Stage.O)
    end = pose_of(frame, CAMERA)
    start = departure(pose_of(at(Stage.V), CAMERA), end, frame)

    np.testing.assert_array_equal(start.at[Space.O], frame.attention.V[0])
    np.testing.assert_array_equal(start.at[Space.V], frame.attention.V[0])


def test_keys_of_a_context_set_out_from_its_rows() -> None:
    context = Context(("a", "b", "c"), np.array([[2.0, 1.0], [0.5, 3.0], [1.0, 1.0]]))
    scene = SAMPLE.replace(context=context)
    frame = at(Stage.S, scene)
    start = departure(pose_of(at(Stage.X, scene), CAMERA), pose_of(frame, CAMERA), frame)

    np.testing.assert_array_equal(start.at[Space.K], context.X)
    np.testing.assert_array_equal(start.at[Space.Q], scene.X)


def test_edges_between_the_same_points_change_their_width_and_others_grow() -> None:
    scores, weights = at(Stage.S), at(Stage.A)
    before, after = pose_of(scores, CAMERA), pose_of(weights, CAMERA)
    half = between(departure(before, after, weights), after, 0.5)
    np.testing.assert_allclose(half.widths, (before.widths + after.widths) / 2)
    assert half.arrival == 1.0

    grown = between(departure(pose_of(at(Stage.X), CAMERA), before, scores), before, 0.25)
    np.testing.assert_allclose(grown.widths, before.widths / 4)
    assert grown.arrival == 0.25


def test_what_is_seen_moves_evenly_between_two_cameras() -> None:
    frame = at(Stage.X)
    here, there = pose_of(frame, CAMERA), pose_of(frame, Camera(3.0, -1.0, 50, 836, 704))
    ways = [between(here, there, share).camera for share in (0.0, 0.5, 1.0)]
    left = [camera.to_plane(0, 0)[0] for camera in ways]

    assert ways[0] == here.camera
    assert replace(ways[2], y=-1.0) == there.camera
    assert ways[2].y == pytest.approx(-1.0)
    assert left[1] == pytest.approx((left[0] + left[2]) / 2)


# --- on the screen --------------------------------------------------------------------------------


def test_it_begins_as_it_was_passes_between_and_ends_as_if_it_had_not_moved(qtbot: QtBot) -> None:
    moving = Moving(qtbot, at(Stage.X))
    moving.go(at(Stage.S))
    first = moving.picture()
    moving.clock.setCurrentTime(100)
    later = moving.picture()
    moving.clock.setCurrentTime(moving.clock.duration())

    assert not moving.is_moving
    assert first != later
    last = moving.picture()
    assert later != last
    assert difference(last, still(qtbot, at(Stage.S))) == []


def test_the_clock_itself_brings_it_to_the_end(qtbot: QtBot) -> None:
    moving = Moving(qtbot, at(Stage.X))
    moving.view.draw(at(Stage.O))
    qtbot.waitUntil(lambda: not moving.is_moving)

    assert difference(moving.picture(), still(qtbot, at(Stage.O))) == []


def test_another_step_goes_on_from_where_the_points_are(qtbot: QtBot) -> None:
    moving = Moving(qtbot, at(Stage.X))
    moving.go(at(Stage.K), 60)
    seen = moving.at(Space.K, 3)
    moving.go(at(Stage.S))
    assert moving.at(Space.K, 3) == pytest.approx(seen)

    moving.view.finish_motion()
    assert difference(moving.picture(), still(qtbot, at(Stage.S))) == []


def test_another_scene_on_the_way_is_gone_to_from_there(qtbot: QtBot) -> None:
    moving = Moving(qtbot, at(Stage.X))
    moving.go(at(Stage.K), 60)
    seen = moving.at(Space.K, 3)
    frame = at(Stage.K, SAMPLE.replace(Wk=SAMPLE.Wk * 0.5))
    moving.go(frame)

    assert moving.at(Space.K, 3) == pytest.approx(seen)
    moving.view.draw(at(Stage.K, Scene(("one",), np.array([[1.0, 2.0]]))))
    moving.view.finish_motion()
    assert not moving.is_moving


def test_a_step_that_nobody_sees_ends_what_was_under_way(qtbot: QtBot) -> None:
    moving = Moving(qtbot, at(Stage.X))
    moving.go(at(Stage.A), 100)
    moving.view.hide()  # as before an audience where a table takes its place
    moving.view.draw(at(Stage.O))
    assert not moving.is_moving
    moving.view.show()
    assert difference(moving.picture(), still(qtbot, at(Stage.O))) == []


def test_pointing_on_the_way_does_not_start_it_again(qtbot: QtBot) -> None:
    moving = Moving(qtbot, at(Stage.X))
    moving.go(at(Stage.S), 100)
    moving.view.draw(at(Stage.S, hover=Selection(Role.S, 0, 3)))

    assert moving.clock.currentTime() == 100


def test_numbers_changed_at_rest_are_shown_at_once(qtbot: QtBot) -> None:
    moving = Moving(qtbot, at(Stage.K))
    moving.view.draw(at(Stage.K, SAMPLE.replace(Wk=SAMPLE.Wk * 0.5)))
    assert not moving.is_moving


def test_nothing_travels_where_motion_is_reduced_or_while_a_token_is_dragged(qtbot: QtBot) -> None:
    moving = Moving(qtbot, at(Stage.X))
    moving.go(at(Stage.S), 100)
    dragged = replace(at(Stage.S), drag=Drag(0, SAMPLE.X[0]))
    moving.view.draw(dragged)
    assert not moving.is_moving
    moving.view.draw(replace(dragged, look=dragged.look.at_stage(Stage.V)))
    assert not moving.is_moving

    moving.go(at(Stage.S), 100)
    moving.view.set_motion(False)
    assert not moving.is_moving
    assert difference(moving.picture(), still(qtbot, at(Stage.S))) == []
    moving.view.draw(at(Stage.X))
    assert not moving.is_moving


@pytest.mark.parametrize("how", ["press", "wheel", "fit", "resize"])
def test_the_hand_finds_things_standing_still(qtbot: QtBot, how: str) -> None:
    moving = Moving(qtbot, at(Stage.X))
    moving.go(at(Stage.S), 100)
    view, port = moving.view, moving.view.viewport()
    selected: list[object] = []
    view.intent.connect(lambda it: selected.append(it) if isinstance(it, Select) else None)
    x, y = Moving(qtbot, at(Stage.S)).at(Space.K, 3)
    if how == "press":
        QTest.mouseClick(port, Qt.MouseButton.LeftButton, NO_KEY, QPointF(x, y).toPoint())
        assert selected == [Select(Selection(Role.K, key=3))]
    elif how == "wheel":
        middle = QPointF(port.rect().center())
        QApplication.sendEvent(
            port,
            QWheelEvent(
                middle,
                port.mapToGlobal(middle),
                QPoint(),
                QPoint(0, 120),
                Qt.MouseButton.NoButton,
                NO_KEY,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            ),
        )
    elif how == "fit":
        view.fit()
    else:
        view.resize(700, 600)

    assert not moving.is_moving


def test_edges_alone_come_in_while_points_stand(qtbot: QtBot) -> None:
    frame = at(Stage.X)
    moving = Moving(qtbot, frame)
    before = moving.at(Space.X, 0)
    moving.go(resolve(SAMPLE, replace(frame.look, edges=Edges.SCORES)), 100)

    assert moving.at(Space.X, 0) == pytest.approx(before)


def test_x_becomes_x_plus_p_and_o_becomes_y_on_their_way(qtbot: QtBot) -> None:
    placed = replace(SAMPLE.options, position="sinusoidal")
    scene = SAMPLE.replace(options=placed, Wo=np.array([[0.0, 1.0], [-1.0, 0.0]]))
    for stages, old, new in (
        ((Stage.X, Stage.P), Space.X, Space.P),
        ((Stage.O, Stage.Y), Space.O, Space.Y),
        ((Stage.P, Stage.Q), Space.P, Space.Q),
    ):
        before, after = (at(stage, scene) for stage in stages)
        view = Moving(qtbot, before)
        start = [view.at(old, row) for row in range(4)]
        view.go(after)
        assert [view.at(new, row) for row in range(4)] == [pytest.approx(p) for p in start]


def test_shuffled_tokens_travel_with_their_edges_and_own_points(qtbot: QtBot) -> None:
    order = (2, 0, 3, 1)
    scene = SAMPLE.replace(options=replace(SAMPLE.options, position="sinusoidal"))
    before = at(Stage.A, scene)
    after = resolve(permute_tokens(scene, order), before.look, previous=before)
    after = replace(after, shuffled=Shuffled(order, 0.5))
    view = Moving(qtbot, before)
    start = {space: [view.at(space, row) for row in range(4)] for space in (Space.Q, Space.K)}
    view.go(after)
    for space, places in start.items():
        assert [view.at(space, row) for row in range(4)] == [
            pytest.approx(places[place]) for place in order
        ]
    pose = shuffled_pose(pose_of(before, CAMERA), after)
    widths = pose_of(before, CAMERA).widths
    assert pose.widths[0, 1] == widths[order[0], order[1]]


def test_of_cross_attention_the_keys_stay_when_the_tokens_are_shuffled(qtbot: QtBot) -> None:
    rows = np.array([[0.5, 1.0], [1.0, -0.5]])
    scene = SAMPLE.replace(context=Context(("left", "right"), rows))
    before = at(Stage.A, scene)
    order = (3, 1, 0, 2)
    after = resolve(permute_tokens(scene, order), before.look, previous=before)
    pose = pose_of(before, CAMERA)
    moved = shuffled_pose(pose, replace(after, shuffled=Shuffled(order, 0.0)))
    np.testing.assert_array_equal(moved.at[Space.K], pose.at[Space.K])
    np.testing.assert_array_equal(moved.at[Space.Q], pose.at[Space.Q][list(order)])
    np.testing.assert_array_equal(moved.widths, pose.widths[list(order)])
