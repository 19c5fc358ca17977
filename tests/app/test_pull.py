"""Points in the hand, through the presenter, in every form of scene."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.resources import examples
from explorer.session import Scene, Space, read_scene, space_exists
from explorer.session.intents import MovePoint, MoveToken, Phase, ShowHead, ShowSpaces
from tests.app.desk import Desk
from tests.scenes import scenes

HELD = (Space.X, Space.P, Space.Q, Space.K, Space.V)


def drag(desk: Desk, space: Space, row: int, x: float, y: float) -> None:
    frame = desk.session.frame
    start = frame.projection.project(frame.points(space)[row]).tolist()
    for place, phase in ((start, Phase.BEGIN), ((x, y), Phase.MOVE), ((x, y), Phase.END)):
        if space is Space.X:
            desk.do(MoveToken(row, *place, phase))
        else:
            desk.do(MovePoint(space, row, *place, phase))


def check(scene: Scene, space: Space, data: st.DataObject) -> None:
    """Drag a point of a scene: it lies on the line or plane it has, nothing but its row moves."""
    desk = Desk(scene)
    desk.do(ShowHead(data.draw(st.integers(0, scene.heads - 1))))
    desk.do(ShowSpaces(frozenset({space})))
    before = desk.session.frame
    row = data.draw(st.integers(0, len(before.points(space)) - 1))
    x, y = (data.draw(st.integers(-3000, 3000)) / 1000 for _ in range(2))
    drag(desk, space, row, x, y)
    after = desk.session.frame
    assert after.drag is None
    assert not desk.session.in_gesture
    if desk.told:  # X would have to be beyond what is taken
        return
    of_context = scene.context is not None and space in (Space.K, Space.V)
    old, new = (frame.scene.context.X if of_context else frame.scene.X for frame in (before, after))
    assert (old != new).any(axis=1).sum() <= 1
    W = scene.per_head(f"W{space.lower()}") if space in (Space.Q, Space.K, Space.V) else None
    if W is None:
        # Nothing is in the way. Places count in thousandths.
        landed = before.projection.project(after.points(space)[row])
        wanted = np.array([x, y])[: after.points(space).shape[1]]
        np.testing.assert_allclose(landed[: len(wanted)], wanted, rtol=0, atol=2e-3)
    desk.session.undo()
    assert desk.scene is scene


@settings(max_examples=60)
@given(scenes(largest=3.0), st.data())
def test_any_point_of_any_scene_can_be_dragged(scene: Scene, data: st.DataObject) -> None:
    there = [space for space in HELD if space_exists(scene, space)]
    check(scene, data.draw(st.sampled_from(there)), data)


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.stem)
def test_any_point_of_any_example_can_be_dragged(path) -> None:
    scene = read_scene(path)
    for space in HELD:
        if space_exists(scene, space):
            desk = Desk(scene)
            desk.do(ShowSpaces(frozenset({space})))
            before = desk.session.frame
            x, y = before.projection.project(before.points(space)[0]).tolist()
            drag(desk, space, 0, x + 0.25, y + 0.4)
            assert desk.told == []
            assert desk.scene is not scene
            desk.session.undo()
            assert desk.scene is scene


def test_a_drag_that_goes_nowhere_changes_nothing() -> None:
    scene = read_scene(examples()[0])
    for space in (Space.X, Space.K):
        desk = Desk(scene)
        desk.do(ShowSpaces(frozenset({space})))
        frame = desk.session.frame
        drag(desk, space, 0, *frame.projection.project(frame.points(space)[0]).tolist())
        assert desk.scene is scene
        assert not desk.session.history.can_undo


def test_a_point_that_x_cannot_bring_further_stays_where_it_came_to() -> None:
    W = np.eye(2) * 1e-60
    desk = Desk(Scene(tokens=("a", "b"), X=np.eye(2), Wq=np.eye(2), Wk=W, Wv=np.eye(2)))
    desk.do(ShowSpaces(frozenset({Space.K})))
    before = desk.scene
    drag(desk, Space.K, 0, 1.0, 1.0)

    assert desk.told
    assert not desk.session.in_gesture
    assert desk.scene is before
    assert not desk.session.history.can_undo


def test_a_matrix_of_next_to_nothing_moves_no_point() -> None:
    W = np.eye(2) * 1e-260
    desk = Desk(Scene(tokens=("a", "b"), X=np.eye(2), Wq=np.eye(2), Wk=W, Wv=np.eye(2)))
    desk.do(ShowSpaces(frozenset({Space.K})))
    before = desk.scene
    drag(desk, Space.K, 0, 1.0, 1.0)

    assert not desk.told
    np.testing.assert_array_equal(desk.scene.X, before.X)
