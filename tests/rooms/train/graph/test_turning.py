"""The word graph is turned, moved and zoomed by a hand, by itself and to a stance."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.kit.motion import allow_motion, finish_motions
from explorer.rooms.train.graph.camera import Stance
from explorer.session.look import Stage
from explorer.session.train.intents import ShowTrainStage
from tests.rooms.train.graph.conftest import EMPTY, LEFT, MIDDLE, NONE, SHIFT, Table


def test_a_drag_turns_the_graph(table: Table) -> None:
    table.drag(EMPTY, QPoint(80, 40))
    stance = table.view.stance
    assert stance.azimuth > Stance().azimuth
    assert stance.elevation > Stance().elevation
    assert (stance.pan_x, stance.pan_y, stance.zoom) == (0, 0, 1)
    assert table.intents == []


def test_what_is_near_follows_the_hand(table: Table) -> None:
    nearest = table.view.drawing.markers[-1]  # painted last
    table.drag(EMPTY, QPoint(20, 0))
    after = next(m for m in table.view.drawing.markers if m.row == nearest.row)
    assert after.x > nearest.x


def test_the_floor_is_never_seen_from_below(table: Table) -> None:
    table.drag(QPoint(6, 560), QPoint(0, -500))
    assert table.view.stance.elevation == 0
    table.drag(EMPTY, QPoint(0, 570))
    assert table.view.stance.elevation == 90


@pytest.mark.parametrize(("button", "keys"), [(LEFT, SHIFT), (MIDDLE, NONE)])
def test_shift_or_the_middle_button_moves_it(
    table: Table, button: Qt.MouseButton, keys: Qt.KeyboardModifier
) -> None:
    before = table.word("cat")
    table.drag(EMPTY, QPoint(60, -20), button, keys)
    assert table.word("cat") - before == QPoint(60, -20)
    assert table.view.stance.azimuth == Stance().azimuth


def test_the_wheel_zooms_about_the_pointer(table: Table) -> None:
    cat, dog = table.word("cat"), table.word("dog")
    table.wheel(cat, 3)
    assert (table.word("cat") - cat).manhattanLength() <= 2
    assert (table.word("dog") - cat).manhattanLength() > (dog - cat).manhattanLength() * 1.5


@pytest.mark.parametrize("how", ["key", "double click", "button"])
def test_reset_looks_from_the_start_again(table: Table, how: str) -> None:
    table.drag(EMPTY, QPoint(80, 40))
    table.wheel(EMPTY, 2)
    if how == "key":
        table.key(Qt.Key.Key_R)
    elif how == "double click":
        QTest.mouseDClick(table.view.viewport(), LEFT, NONE, EMPTY)
    else:
        table.view.reset()
    assert table.view.stance == Stance()


def test_keys_turn_move_and_zoom(table: Table) -> None:
    table.key(Qt.Key.Key_Right)
    table.key(Qt.Key.Key_Down)
    assert (table.view.stance.azimuth, table.view.stance.elevation) == (65, 27)
    table.key(Qt.Key.Key_Left, SHIFT)
    assert table.view.stance.pan_x < 0
    table.key(Qt.Key.Key_Plus)
    assert table.view.stance.zoom > 1
    table.key(Qt.Key.Key_Minus)
    assert table.view.stance.zoom == pytest.approx(1)
    table.key(Qt.Key.Key_6)
    assert table.intents == [ShowTrainStage(Stage.A)]


def test_it_turns_by_itself_and_stops(qtbot: QtBot, table: Table) -> None:
    told: list[bool] = []
    table.view.turning_changed.connect(told.append)
    table.key(Qt.Key.Key_A)
    assert table.view.turning
    qtbot.waitUntil(lambda: table.view.stance.azimuth > Stance().azimuth + 1)
    assert table.view.stance.elevation == Stance().elevation
    table.key(Qt.Key.Key_A)
    assert told == [True, False]
    assert not table.view.turning


def test_with_reduced_motion_it_does_not_turn(table: Table) -> None:
    table.view.set_turning(True)
    table.view.set_motion(False)
    assert not table.view.turning
    table.key(Qt.Key.Key_A)
    assert not table.view.turning
    table.view.set_motion(True)
    table.key(Qt.Key.Key_A)
    assert table.view.turning


def test_names_and_values_stay_put_while_it_turns_and_settle_then(
    qtbot: QtBot, table: Table
) -> None:
    table.mouse(QEvent.Type.MouseButtonPress, EMPTY, LEFT, NONE)
    table.mouse(QEvent.Type.MouseMove, EMPTY + QPoint(5, 0), LEFT, NONE)
    offsets = []
    for n in range(2, 30):
        table.mouse(QEvent.Type.MouseMove, EMPTY + QPoint(5 * n, 0), LEFT, NONE)
        marker = next(m for m in table.view.drawing.markers if m.row == 0)
        text = next(t for t in table.view.drawing.texts if t.word.text == table.frame.vocabulary[0])
        offsets.append((text.x - marker.x, text.y - marker.y))
    assert np.ptp(np.array(offsets), axis=0).max() < 6
    assert table.view.drawing.many_edges == 150
    table.mouse(QEvent.Type.MouseButtonRelease, EMPTY + QPoint(150, 0), LEFT, NONE)
    qtbot.waitUntil(lambda: table.view.drawing.many_edges > 150)


def test_it_goes_to_a_stance_at_once_or_by_and_by_until_a_hand_takes_it(
    table: Table,
) -> None:
    view, above = table.view, Stance(0.0, 90.0, 1.5)
    view.look_from(0.0, 90.0, 1.5)
    assert view.stance == above
    allow_motion(view, True)
    view.look_from(60.0, 22.0, 1.0)
    assert view.stance == above
    finish_motions(view)
    assert view.stance == Stance()
    view.look_from(0.0, 90.0, 1.5)
    moved: list[None] = []
    view.moved.connect(lambda: moved.append(None))
    QTest.keyClick(view.viewport(), Qt.Key.Key_Left)
    taken = view.stance
    finish_motions(view)
    assert view.stance == taken != above
    assert len(moved) == 1
