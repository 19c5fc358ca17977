"""W as a movement: what is said of it, and how it is drawn on the plane."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from explorer.attention.transforms import rotation
from explorer.kit.plane.basis import bases
from explorer.kit.plane.camera import Camera
from explorer.kit.plane.compose import compose
from explorer.kit.plane.picking import BasisHit, PointHit, pick
from explorer.kit.preview import SAMPLE
from explorer.kit.theme import Theme
from explorer.rooms.explore.movement import MovementBox
from explorer.rooms.explore.movement.box import area_text, bar_rows, spread_text, turns_text
from explorer.session import Edges, Look, Matrix, Scene, Space, Stage, resolve
from explorer.session.intents import Phase, ShapeMatrix, ShowMovement

CAMERA = Camera(0.2, 0.3, 250.0, 800.0, 600.0)
OPEN = Look(movements=frozenset({Matrix.WQ, Matrix.WK, Matrix.WV}))
AT_K = replace(OPEN, movements=frozenset({Matrix.WK})).at_stage(Stage.K)


def with_wk(W) -> Scene:
    return SAMPLE.replace(Wk=np.array(W, float))


# --- words -----------------------------------------------------------------------------------


def test_turns_stretches_and_areas_in_words():
    W = rotation(31) @ np.diag([1.2, 0.8]) @ rotation(-31)
    assert turns_text(W) == "turn 31.0°, stretch 1.20 and 0.80, turn −31.0°"
    assert area_text(W) == "areas × 0.96"
    assert area_text(np.diag([1.2, -0.8])) == "areas × 0.96, flipped"


@pytest.mark.parametrize(
    ("W", "said"),
    [
        ([[0.1, 0.3], [0.2, 0.6]], "flattened: everything falls on a line"),
        ([[1, 0], [0, 1e-8]], "flattened: everything falls nearly on a line"),
        ([[0, 0], [0, 0]], "flattened: everything falls on a point"),
    ],
)
def test_what_is_flattened_onto(W, said):
    assert area_text(np.array(W, float)) == said
    assert "e−1" not in turns_text(np.array(W, float))


def test_spread_of_larger_matrices():
    assert spread_text(np.diag([3.0, 2.0, 1.5])) == "largest ÷ smallest = 2.00"
    assert spread_text(np.diag([3.0, 2.0, 0.0])) == "1 direction is flattened"
    assert spread_text(np.ones((4, 3))) == "2 directions are flattened"
    assert spread_text(np.zeros((4, 3))) == "flattened: everything falls on a point"
    assert spread_text(np.array([[2.0]])) == ""


def test_of_many_singular_values_the_first_and_the_last_are_shown():
    sizes = np.arange(64.0, 0.0, -1.0)
    rows = bar_rows(sizes)
    assert [row.text for row in rows] == [
        *("64.00", "63.00", "62.00", "61.00", "60.00", "59.00", "58.00"),
        "… 56 more …",
        "1.00",
    ]
    assert rows[0].share == 1.0
    assert rows[-1].share == 1 / 64
    assert [row.text for row in bar_rows(np.zeros(2))] == ["0.00", "0.00"]


# --- the box ---------------------------------------------------------------------------------


@pytest.fixture
def box(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    made = MovementBox(Matrix.WK, Theme(), 6, parent)
    made.said = []
    made.intent.connect(made.said.append)
    made.resize(240, 400)
    parent.resize(240, 400)
    parent.show()
    yield made
    parent.close()


def numbers(box):
    return [row.field.lineEdit().text() for row in box.rows.values()]


def test_it_opens_when_the_frame_says_so_and_says_nothing_by_itself(box):
    box.draw(resolve(SAMPLE), 0)
    assert box.body is None
    box.header.click()
    assert box.said == [ShowMovement(Matrix.WK, True)]
    box.draw(resolve(SAMPLE, AT_K), 0)
    assert box.body.isVisibleTo(box)
    assert numbers(box) == ["11.3°", "1.02", "0.94", "0.42"]
    box.header.click()
    assert box.said[1:] == [ShowMovement(Matrix.WK, False)]
    box.draw(resolve(SAMPLE), 0)
    assert not box.body.isVisibleTo(box)
    assert not box.reset.isVisibleTo(box)


def test_a_head_or_scene_that_was_not_seen_before_is_not_said_by_the_last_ones_flip(box):
    flipped = with_wk([[-1, 0], [0, 1]])
    box.draw(resolve(flipped, AT_K), 0)
    assert numbers(box) == ["180.0°", "1.00", "−1.00", "0.00"]
    for scene in (with_wk(rotation(-170)), with_wk(np.eye(2))):
        box.draw(resolve(scene, AT_K), 0)
        assert numbers(box)[1:] == ["1.00", "1.00", "0.00"]


def test_what_is_asked_for_and_not_done_is_not_shown(box):
    frame = resolve(SAMPLE, AT_K)
    box.draw(frame, 0)
    before = numbers(box)
    box.rows["shear"].slider.setValue(0)
    assert [(type(each), each.phase) for each in box.said] == [
        (ShapeMatrix, phase) for phase in (Phase.BEGIN, Phase.MOVE, Phase.END)
    ]
    box.draw(frame, 0)
    assert numbers(box) == before


@pytest.mark.parametrize("text", ["1,234", "abc", ""])
def test_what_is_no_one_number_is_refused_and_kept(box, text):
    box.draw(resolve(SAMPLE, AT_K), 0)
    line = box.rows["shear"].field.lineEdit()
    line.selectAll()
    QTest.keyClicks(line, text or "\b")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert box.said == []
    assert line.text() == text
    assert box.message.text() == "Type a number, for example 0.5"


def test_what_was_typed_for_one_w_is_not_done_to_another(box):
    box.draw(resolve(SAMPLE, AT_K), 0)
    line = box.rows["shear"].field.lineEdit()
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "2")
    wide = SAMPLE.replace(Wk=np.eye(2, 3), Wq=np.eye(2, 3))
    box.draw(resolve(wide, replace(AT_K, spaces=frozenset({Space.K}))), 0)
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert all(each.phase is Phase.END for each in box.said)  # of nothing that began


# --- the plane -------------------------------------------------------------------------------


def drawn(scene, look=AT_K, theme=None):
    return compose(resolve(scene, look), theme or Theme(), CAMERA, 40.0).drawing


def test_nothing_is_drawn_where_it_would_not_be_true():
    assert not drawn(SAMPLE, OPEN.at_stage(Stage.X)).handles
    assert not bases(resolve(SAMPLE, replace(AT_K, movements=frozenset())))
    wide = SAMPLE.replace(Wk=np.eye(2, 3), Wq=np.eye(2, 3))
    assert not bases(resolve(wide, replace(AT_K, spaces=frozenset({Space.K}))))
    plain = Scene(SAMPLE.tokens, SAMPLE.X)
    assert not bases(resolve(plain, AT_K))


def test_the_moved_grid_runs_along_the_rows_of_w():
    still = drawn(SAMPLE, Look().at_stage(Stage.K))
    lines = drawn(SAMPLE).grid[len(still.grid) :]
    ways = {
        round(float(np.degrees(np.arctan2(b[1] - a[1], b[0] - a[0]))) % 180, 6)
        for a, b in (line.points for line in lines)
    }
    expected = {round(float(np.degrees(np.arctan2(-y, x))) % 180, 6) for x, y in SAMPLE.Wk}
    assert ways == expected


def test_a_flattened_plane_is_one_line_and_a_point_none():
    still = len(drawn(SAMPLE, Look().at_stage(Stage.K)).grid)
    assert len(drawn(with_wk([[1, 2], [2, 4]])).grid) == still + 1
    assert len(drawn(with_wk(np.zeros((2, 2)))).grid) == still


def test_names_of_basis_vectors_stand_clear_of_points_and_of_each_other():
    drawing = drawn(SAMPLE, OPEN.at_stage(Stage.S))
    pills = drawing.handles[::2]
    assert len(pills) == 4
    for n, pill in enumerate(pills):
        assert pick(drawing, pill.x, pill.y) == BasisHit(pill.matrix, pill.row)
        assert pill.reach >= 16
        for marker in drawing.markers:
            assert np.hypot(marker.x - pill.x, marker.y - pill.y) > marker.diameter / 2 + 13
        for other in pills[n + 1 :]:
            assert np.hypot(other.x - pill.x, other.y - pill.y) > 26


def test_a_name_stands_where_it_can_be_taken_hold_of_even_at_the_edge_of_the_view():
    for x, y in ((1.7, 0.0), (0.0, 1.32), (-1.25, 0.0), (0.0, -0.75)):
        pill = drawn(with_wk([[x, y], [y, x]])).handles[0]
        assert 16 <= pill.x <= CAMERA.width - 16
        assert 40 + 16 <= pill.y <= CAMERA.height - 16


def test_a_point_wins_over_the_tip_that_it_lies_on():
    drawing = drawn(SAMPLE)
    tip = drawing.handles[1]
    hit = pick(drawing, tip.x, tip.y)
    assert isinstance(hit, PointHit)
    assert hit.space is Space.K


@given(
    arrays(
        np.float64,
        (2, 2),
        elements=st.floats(-3, 3) | st.sampled_from([0.0, 1e-320, 1e-300, -1e-9, 1e6, -1e50, 1e50]),
    )
)
def test_any_w_can_be_drawn(W):
    look = replace(AT_K, edges=Edges.NONE)
    drawing = compose(resolve(with_wk(W), look), Theme(), CAMERA, 40.0).drawing
    assert len(drawing.grid) < 1000
    for line in (*drawing.grid, *(s for s in drawing.shapes if hasattr(s, "points"))):
        assert np.isfinite(np.array(line.points)).all()
    for handle in drawing.handles:
        assert np.isfinite((handle.x, handle.y)).all()
