"""Rotary positions as a stage: what is shown before the turn, at it and after it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from explorer.attention import QKNorm, Rotary
from explorer.kit.canvas.drawing import Drawing, Line
from explorer.kit.plane.camera import Camera
from explorer.kit.plane.compose import compose
from explorer.kit.table.stage_sources import StageSource
from explorer.kit.theme import Theme
from explorer.rooms.explore.plane import PlaneView
from explorer.rooms.explore.strip.section import text_of
from explorer.rooms.explore.strip.sentences import sentences
from explorer.session import Look, Role, Selection, Space, Stage, compute, resolve, stages_of
from explorer.session.backwards import pull_point
from explorer.text import Problem
from tests.kinds import ONE, with_options

pytestmark = pytest.mark.usefixtures("qapp")

SLOW = Rotary(2, scaling="linear", factor=2.0)  # half a radian a place
TURNED = with_options(ONE, rotary=SLOW)


def turned_by_hand(rows: np.ndarray) -> np.ndarray:
    """Return rows of two columns, each turned by half a radian times its place."""
    made = []
    for place, (x, y) in enumerate(rows):
        c, s = math.cos(place / 2), math.sin(place / 2)
        made.append((x * c - y * s, x * s + y * c))
    return np.array(made)


def test_q_and_k_are_shown_before_the_turn_at_their_stages_and_after_it_from_r_on() -> None:
    before = TURNED.X @ TURNED.Wq
    assert stages_of(TURNED)[4:6] == (Stage.R, Stage.S)
    for stage in stages_of(TURNED):
        frame = resolve(TURNED, Look().at_stage(stage))
        shown = before if stage in (Stage.Q, Stage.K) else turned_by_hand(before)
        np.testing.assert_allclose(frame.points(Space.Q), shown, atol=1e-12)
        np.testing.assert_allclose(frame.table(Stage.Q), before, atol=1e-12)
    scores = turned_by_hand(before) @ turned_by_hand(TURNED.X @ TURNED.Wk).T
    np.testing.assert_allclose(frame.attention.raw[0], scores, atol=1e-12)


def test_the_table_of_r_has_each_token_s_angles() -> None:
    scene = with_options(ONE.replace(Wq=np.ones((2, 6)), Wk=np.ones((2, 6))), rotary=Rotary(4, 100))
    frame = resolve(scene, Look().at_stage(Stage.R))
    angles = [[place * 100 ** (-2 * i / 4) for i in range(2)] for place in range(4)]
    np.testing.assert_allclose(frame.table(Stage.R), angles)
    source = StageSource(frame, Theme(), Stage.R)
    assert source.shape == (4, 2)
    assert source.text(3, 1) == "0.300"
    told = resolve(scene, frame.look, Selection(Role.R, 3, column=1))
    assert "position 3 × 0.1 = 0.3 (17°)" in text_of(sentences(told))


def ways_of(drawing: Drawing) -> list[Line]:
    """Return the bent lines: a name that lies away from its point has a straight one."""
    return [each for each in drawing.shapes if isinstance(each, Line) and len(each.points) > 2]


def test_points_are_led_on_circles_from_where_they_were() -> None:
    frame = resolve(TURNED, Look().at_stage(Stage.R))
    camera = Camera(width=800, height=600)
    drawing = compose(frame, Theme(), camera, 0.0).drawing
    ways = ways_of(drawing)
    before, after = TURNED.X @ TURNED.Wq, turned_by_hand(TURNED.X @ TURNED.Wq)
    ends = camera.to_screen(frame.projection.project(np.stack([before[3], after[3]])))
    assert frame.projection.exact
    way = next(line for line in ways if np.allclose(line.points[0], ends[0]))
    np.testing.assert_allclose(way.points[-1], ends[1], atol=1e-6)
    origin = camera.to_screen(np.zeros((1, 2)))[0]
    radii = [math.dist(point, origin) for point in way.points]
    np.testing.assert_allclose(radii, radii[0])
    at_scores = compose(resolve(TURNED, Look().at_stage(Stage.S)), Theme(), camera, 0.0).drawing
    assert not ways_of(at_scores)


def test_the_whole_way_of_a_turn_is_in_sight(qtbot: QtBot) -> None:
    scene = with_options(ONE, rotary=Rotary(2))  # a radian a place
    view = PlaneView(Theme())
    qtbot.addWidget(view)
    view.resize(700, 500)
    view.show()
    for stage in (Stage.Q, Stage.R):
        view.draw(resolve(scene, Look().at_stage(stage)))
        view.finish_motion()
    after = resolve(scene, Look().at_stage(Stage.R)).points(Space.Q)
    first, last = (view.screen_point(Space.Q, row) for row in (0, 3))
    scale = (last.x() - first.x()) / (after[3, 0] - after[0, 0])
    origin = first.x() - scale * after[0, 0], first.y() + scale * after[0, 1]
    for place, (x, y) in enumerate(scene.X @ scene.Wq):
        for angle in np.linspace(0, place, 20):
            c, s = math.cos(angle), math.sin(angle)
            assert 0 < origin[0] + scale * (x * c - y * s) < 700
            assert 0 < origin[1] - scale * (x * s + y * c) < 500


def test_before_the_turn_a_query_is_dragged_as_it_stands_there() -> None:
    norm = QKNorm(np.ones(2), np.ones(2))
    scene = with_options(TURNED, qk_norm=norm)
    made, _ = pull_point(scene, compute(scene), Space.Q, 2, (0.4, -0.3), turned=False)
    np.testing.assert_allclose((made.X @ made.Wq)[2], (0.4, -0.3), atol=1e-9)
    with pytest.raises(Problem, match="normalised"):
        pull_point(scene, compute(scene), Space.Q, 2, (0.4, -0.3))
    made, _ = pull_point(TURNED, compute(TURNED), Space.Q, 2, (0.4, -0.3))
    np.testing.assert_allclose(compute(made).Q[0, 2], (0.4, -0.3), atol=1e-9)


def test_a_scene_without_rotary_positions_has_no_such_stage() -> None:
    assert Stage.R not in stages_of(ONE)
    assert resolve(ONE, Look().at_stage(Stage.Q)).turned
