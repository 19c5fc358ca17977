"""A W as a movement in the real window: basis vectors, sliders, numbers, and all of them agree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionSlider

from explorer.attention.transforms import Movement, compose
from explorer.session import Matrix, Space, forms, parse_scene, read_scene
from explorer.text import Message

ONE_WINDOW = True  # which begins anew for each test

EXAMPLES = Path(__file__).parents[2] / "examples"
LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def wk(person):
    """The movement of Wk, unfolded by a click, at stage K."""
    return unfold(person, Matrix.WK)


def unfold(person, matrix):
    box = person.window.explore_page.inputs.weights[matrix].movement
    person.click(box.header, box.header.rect().center())
    key = {Matrix.WQ: Qt.Key.Key_2, Matrix.WK: Qt.Key.Key_3, Matrix.WV: Qt.Key.Key_4}[matrix]
    person.key(key, widget=person.plane.viewport())
    return box


def table(person, name="Wk"):
    return getattr(person.session.scene, name)


def handle(person, row, matrix=Matrix.WK):
    return person.plane.handle_point(matrix, row).toPoint()


def on_plane(person, at):
    return np.array(person.plane.plane_point(QPointF(at)))


def shown(box):
    return {field: row.field.lineEdit().text() for field, row in box.rows.items()}


def move_with_shift(widget, at):
    """Move the pressed mouse; QTest knows no modifiers for that."""
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(at),
        QPointF(widget.mapToGlobal(at)),
        Qt.MouseButton.NoButton,
        LEFT,
        SHIFT,
    )
    QApplication.sendEvent(widget, event)


def grip(row):
    """Return where a slider's handle is, in its own pixels."""
    option = QStyleOptionSlider()
    row.slider.initStyleOption(option)
    return (
        row.slider.style()
        .subControlRect(
            QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, row.slider
        )
        .center()
    )


def pull(person, row, dx):
    """Drag a slider's handle some pixels to the right, in two steps."""
    slider, start = row.slider, grip(row)
    QTest.mousePress(slider, LEFT, NO_KEY, start)
    for step in (dx // 2, dx):
        QTest.mouseMove(slider, start + QPoint(step, 0))
        QApplication.processEvents()
    QTest.mouseRelease(slider, LEFT, NO_KEY, start + QPoint(dx, 0))
    person.settle()


def type_into(person, field, text):
    line = field.lineEdit()
    person.click(line, line.rect().center())
    person.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier, line)
    QTest.keyClicks(line, text)
    person.key(Qt.Key.Key_Return, widget=line)


@pytest.mark.parametrize("name", ["zao-shang-hao", "your-journey"])
def test_what_is_typed_or_held_when_its_w_goes_does_nothing_to_another(person, wk, name):
    other = read_scene(EXAMPLES / f"{name}.json")
    line = wk.rows["shear"].field.lineEdit()
    person.click(line, line.rect().center())
    QTest.keyClicks(line, "2")  # and no Enter
    person.session.open(other, person.session.look)
    person.settle()
    assert person.session.scene is other

    person.session.open(read_scene(EXAMPLES / "flattened-wk.json"), person.session.look)
    person.settle()
    slider, start = wk.rows["rotation"].slider, grip(wk.rows["rotation"])
    QTest.mousePress(slider, LEFT, NO_KEY, start)
    QTest.mouseMove(slider, start + QPoint(12, 0))
    assert person.session.in_gesture
    person.session.open(other, person.session.look)
    person.settle()
    QTest.mouseMove(slider, start + QPoint(24, 0))
    QTest.mouseRelease(slider, LEFT, NO_KEY, start + QPoint(24, 0))
    person.settle()
    assert person.session.scene is other
    assert not person.session.in_gesture


# --- basis vectors ---------------------------------------------------------------------------


def test_a_basis_vector_is_dragged_and_its_row_of_w_is_where_it_was_put(person, wk):
    before, scene = person.picture(), person.session.scene
    start = handle(person, 0)
    end = start + QPoint(-60, -90)
    moved = on_plane(person, end) - on_plane(person, start)
    person.drag(start, end)

    np.testing.assert_allclose(table(person)[0], scene.Wk[0] + moved, atol=5.1e-4)
    np.testing.assert_array_equal(table(person)[1], scene.Wk[1])
    assert person.session.scene.X is scene.X
    assert str(person.session.undo_name) == "shape Wk"
    assert shown(wk)["stretch_x"] == f"{np.hypot(*table(person)[0]):.2f}"

    person.session.undo()
    assert person.session.scene is scene
    assert person.session.undo_name is None
    assert person.picture() == before


def test_while_a_basis_vector_is_dragged_far_away_the_view_stands_still(person, wk):
    corner = QPoint(3, 3)
    place, start = on_plane(person, corner), handle(person, 1)
    outside = QPoint(person.plane.width() + 300, start.y())
    person.press(start)
    person.move(start + QPoint(10, 0))
    person.move(outside)
    person.settle()
    assert table(person)[1, 0] > 1.5
    np.testing.assert_array_equal(on_plane(person, corner), place)
    person.release(outside)
    assert (on_plane(person, corner) != place).all()


def test_shift_snaps_a_basis_vector_and_esc_takes_it_back(person, wk):
    scene, start = person.session.scene, handle(person, 0)
    person.press(start)
    person.move(start + QPoint(10, 10))
    person.settle()
    assert not np.allclose(table(person)[0] * 20, np.round(table(person)[0] * 20))
    end = start + QPoint(-43, -31)
    move_with_shift(person.plane.viewport(), end)
    person.settle()
    np.testing.assert_allclose(table(person)[0] * 20, np.round(table(person)[0] * 20), atol=1e-9)
    assert abs(on_plane(person, end) - on_plane(person, start)).max() > 0.05
    person.key(Qt.Key.Key_Escape, widget=person.plane.viewport())
    assert person.session.scene is scene
    person.release(end)
    assert person.session.scene is scene
    assert person.session.undo_name is None


def test_a_point_upon_the_end_of_a_basis_vector_is_what_is_pressed(person, wk):
    """k of cat lies where e₁ ends: its own press is its own."""
    before, at = person.session.scene, person.point(Space.K, 0)
    wk_before = table(person)
    person.drag(at, at + QPoint(40, 40))
    assert table(person) is wk_before
    assert (person.session.scene.X[0] != before.X[0]).any()
    assert person.session.scene.X[1:].tolist() == before.X[1:].tolist()
    person.drag(handle(person, 0), handle(person, 0) + QPoint(20, 20))
    assert table(person) is not wk_before


def test_with_a_bias_the_moved_grid_starts_where_the_origin_goes(person, wk):
    scene = forms.set_bias(person.session.scene, "bk", True)
    person.session.edit(Message("add bk"), scene.replace(bk=np.array([0.3, -0.2])))
    person.settle()
    tip = np.array(person.session.scene.bk + table(person)[0])
    start = handle(person, 0)
    person.drag(start, start + QPoint(-30, 25))
    moved = on_plane(person, start + QPoint(-30, 25)) - on_plane(person, start)
    now = person.session.scene.bk + table(person)[0]
    np.testing.assert_allclose(now, tip + moved, atol=5.1e-4)


def test_basis_vectors_are_there_only_where_the_movement_is_unfolded_and_its_space_shown(
    person, wk
):
    with pytest.raises(LookupError):
        person.plane.handle_point(Matrix.WQ, 0)
    person.key(Qt.Key.Key_4, widget=person.plane.viewport())
    with pytest.raises(LookupError):
        person.plane.handle_point(Matrix.WK, 0)
    person.key(Qt.Key.Key_3, widget=person.plane.viewport())
    assert not person.plane.handle_point(Matrix.WK, 0).isNull()
    person.click(wk.header, wk.header.rect().center())
    with pytest.raises(LookupError):
        person.plane.handle_point(Matrix.WK, 0)


def test_what_is_unfolded_comes_into_sight(person):
    person.window.resize(1440, 700)
    person.settle()
    box = person.window.explore_page.inputs.weights[Matrix.WV].movement
    person.click(box.header, box.header.rect().center())
    for part in (box.header, box.turns):
        assert part.visibleRegion().boundingRect() == part.rect()


# --- sliders ---------------------------------------------------------------------------------


def test_a_slider_is_dragged_and_the_other_three_stay(person, wk):
    wk.rows["stretch_y"].slider.setFocus()
    before, scene, others = person.picture(), person.session.scene, shown(wk)
    pull(person, wk.rows["stretch_y"], -8)

    now = shown(wk)
    assert now.pop("stretch_y") != others["stretch_y"]
    others.pop("stretch_y")
    assert now == others
    start = Movement(
        **{field: float(row.field.toolTip().rstrip("°")) for field, row in wk.rows.items()}
    )
    np.testing.assert_allclose(table(person), compose(start), atol=1e-12)
    assert start.stretch_y == pytest.approx(round(start.stretch_y / 0.05) * 0.05)

    person.session.undo()
    assert person.session.scene is scene
    assert person.session.undo_name is None
    assert person.picture() == before


def test_one_drag_of_a_slider_is_one_undo_and_esc_takes_it_back(person, wk):
    scene, row = person.session.scene, wk.rows["rotation"]
    start = grip(row)
    QTest.mousePress(row.slider, LEFT, NO_KEY, start)
    QTest.mouseMove(row.slider, start + QPoint(20, 0))
    QApplication.processEvents()
    person.settle()
    assert table(person) is not scene.Wk
    person.key(Qt.Key.Key_Escape, widget=row.slider)
    QTest.mouseRelease(row.slider, LEFT, NO_KEY, start)
    person.settle()
    assert person.session.scene is scene
    assert person.session.undo_name is None
    assert shown(wk)["rotation"] == "11.3°"


def test_the_tab_key_goes_through_what_was_unfolded_and_on_to_the_next_w(person, wk):
    wk.header.setFocus()
    seen = []
    for _press in range(10):
        person.key(Qt.Key.Key_Tab)
        seen.append(QApplication.focusWidget())
    row = wk.rows.values()
    expected = [wk.reset, *(part for each in row for part in (each.slider, each.field))]
    assert seen[:9] == expected
    assert person.window.explore_page.inputs.weights[Matrix.WV].isAncestorOf(seen[9])


def test_sliders_move_by_keys_and_a_turn_past_half_comes_back_by_undo(person, wk):
    scene, row, others = person.session.scene, wk.rows["rotation"], shown(wk)
    row.slider.setFocus()
    person.key(Qt.Key.Key_Right, widget=row.slider)
    assert shown(wk) == {**others, "rotation": "12.0°"}
    person.key(Qt.Key.Key_End, widget=row.slider)
    assert shown(wk) == {**others, "rotation": "180.0°"}
    person.session.undo()
    person.settle()
    assert shown(wk) == {**others, "rotation": "12.0°"}
    person.session.undo()
    person.settle()
    assert person.session.scene is scene
    assert shown(wk) == others


def test_a_stretch_below_0_flips_and_it_is_said(person, wk):
    type_into(person, wk.rows["stretch_x"].field, "-1.5")
    assert shown(wk)["stretch_x"] == "−1.50"
    assert wk.area.text() == "areas × 1.41, flipped"
    assert np.linalg.det(table(person)) == pytest.approx(-1.5 * 0.96 / np.hypot(1, 0.2))
    type_into(person, wk.rows["stretch_x"].field, "0")
    assert wk.area.text() == "flattened: everything falls on a line"
    # Even now, where the numbers of W no longer tell it, the others stay.
    assert shown(wk)["rotation"] == "11.3°"
    type_into(person, wk.rows["stretch_y"].field, "0")
    assert wk.area.text() == "flattened: everything falls on a point"
    assert shown(wk)["shear"] == "0.42"
    assert not table(person).any()


def test_what_is_typed_may_lie_beyond_the_sliders_and_must_be_a_number(person, wk):
    row = wk.rows["shear"]
    type_into(person, row.field, "7")
    assert row.slider.value() == row.slider.maximum()
    assert shown(wk)["shear"] == "7.00"
    before = table(person)
    type_into(person, row.field, "much")
    assert table(person) is before
    assert wk.message.text() == "Type a number, for example 0.5"
    assert wk.message.isVisible()
    type_into(person, row.field, "0.5")
    assert not wk.message.isVisible()
    assert shown(wk)["shear"] == "0.50"


def test_sliders_follow_the_numbers_of_w(person, wk):
    grid = person.window.explore_page.inputs.weights[Matrix.WK].grid
    for (row, column), number in {(0, 0): "0", (0, 1): "2", (1, 0): "-2", (1, 1): "0"}.items():
        person.click_cell(grid, row, column)
        person.keys(number)
        person.key(Qt.Key.Key_Return)
    assert table(person).tolist() == [[0, 2], [-2, 0]]
    assert shown(wk) == {
        "rotation": "90.0°",
        "stretch_x": "2.00",
        "stretch_y": "2.00",
        "shear": "0.00",
    }
    assert wk.turns.text() == "turn 0.0°, stretch 2.00 and 2.00, turn 90.0°"
    assert wk.area.text() == "areas × 4.00"


def test_reset_makes_the_identity_and_is_undone_at_once(person, wk):
    scene = person.session.scene
    person.click(wk.reset, wk.reset.rect().center())
    assert table(person).tolist() == [[1, 0], [0, 1]]
    assert list(shown(wk).values()) == ["0.0°", "1.00", "1.00", "0.00"]
    assert not wk.reset.isEnabled()
    person.session.undo()
    person.settle()
    assert person.session.scene is scene
    assert wk.reset.isEnabled()


# --- other scenes ----------------------------------------------------------------------------


def opened(person, name):
    path = EXAMPLES / f"{name}.json"
    person.session.open(parse_scene(path.read_bytes(), path.name))
    person.settle()


def test_a_flattened_w_is_said_and_its_line_is_all_there_is(person, wk):
    opened(person, "flattened-wk")
    box = unfold(person, Matrix.WK)
    assert box.area.text() == "flattened: everything falls on a line"
    assert "stretch 1.00 and 0.00" in box.turns.text()
    assert box.note.text() == "No shear makes this W: the sliders show only where e₁ goes."
    scene = person.session.scene
    # Any slider makes a W that the sliders can say.
    type_into(person, box.rows["stretch_y"].field, "1")
    assert box.note.isHidden()
    assert box.area.text().startswith("areas × ")
    np.testing.assert_allclose(table(person)[0], scene.Wk[0], atol=1e-12)


def test_a_w_that_is_not_2_by_2_has_bars_and_the_reason_why_no_sliders(person):
    opened(person, "your-journey")
    box = person.window.explore_page.inputs.weights[Matrix.WK].movement
    person.click(box.header, box.header.rect().center())
    assert box.bars.isVisible()
    assert not any(row.isVisible() for row in box.rows.values())
    assert not box.reset.isVisible()
    sizes = np.linalg.svd(table(person), compute_uv=False)
    assert box.bars.accessibleDescription() == ", ".join(f"{size:.2f}" for size in sizes)
    assert box.area.text() == f"largest ÷ smallest = {sizes[0] / sizes[1]:.2f}"
    assert box.note.text() == "Sliders need a W of 2 × 2: this one is 3 × 2."


def test_one_head_of_several_is_moved(person, wk):
    person.session.edit(Message("heads"), forms.set_heads(person.session.scene, 2, split=False))
    person.session.look_at(replace(person.session.look, head=1))
    person.settle()
    before = table(person)
    start = handle(person, 1)
    person.drag(start, start + QPoint(50, 10))
    np.testing.assert_array_equal(table(person)[0], before[0])
    np.testing.assert_array_equal(table(person)[1][0], before[1][0])
    assert (table(person)[1][1] != before[1][1]).any()
