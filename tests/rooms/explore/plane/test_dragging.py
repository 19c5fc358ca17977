"""Points of the plane are dragged with a real mouse: intents out."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from explorer.kit.preview import SAMPLE
from explorer.session import Drag, Look, Role, Scene, Selection, Space, Stage, resolve
from explorer.session.intents import MovePoint, MoveToken, Phase, Select
from tests.rooms.explore.plane.conftest import OUTPUT, Table

SHIFT = Qt.KeyboardModifier.ShiftModifier


def test_dragging_a_point_of_x_moves_the_token_with_the_pointer(calm: Table) -> None:
    start = calm.at(Space.X, 0) + QPoint(5, -3)  # gripped beside its middle
    end = start + QPoint(-120, -80)
    calm.press(start)
    calm.move(start + QPoint(-60, -40))
    calm.move(end)
    calm.release(end)
    first, *moves, last = calm.taken(MoveToken)
    assert (first.phase, first.x, first.y) == (Phase.BEGIN, 1.0, 0.0)
    assert [move.phase for move in moves] == [Phase.MOVE, Phase.MOVE]
    assert last.phase is Phase.END
    assert {move.token for move in (first, *moves, last)} == {0}
    (x0, y0), (x1, y1) = (calm.view.plane_point(QPointF(at)) for at in (start, end))
    assert (last.x, last.y) == pytest.approx((1 + x1 - x0, y1 - y0))
    assert last.x < 1.0
    assert last.y > 0.0


def test_a_click_selects_and_moves_nothing(calm: Table) -> None:
    at = calm.at(Space.X, 2)
    calm.press(at)
    calm.move(at + QPoint(1, 1))  # a shaking hand
    calm.release(at + QPoint(1, 1))
    assert calm.intents == [Select(Selection(Role.X, 2))]


def test_shift_snaps_to_twentieths(calm: Table) -> None:
    start = calm.at(Space.X, 1)
    calm.press(start)
    calm.move(start + QPoint(43, 29), SHIFT)
    calm.release(start + QPoint(43, 29))
    move = calm.taken(MoveToken)[-1]
    for value in (move.x, move.y):
        assert value == pytest.approx(round(value * 20) / 20, abs=1e-12)
    assert (move.x, move.y) != (0.5, 0.5)


def test_shift_snaps_a_key_too(scores: Table) -> None:
    start = scores.at(Space.K, 3)
    scores.press(start)
    scores.move(start + QPoint(43, 29), SHIFT)
    scores.release(start + QPoint(43, 29))
    move = scores.taken(MovePoint)[-1]
    for value in (move.x, move.y):
        assert value == pytest.approx(round(value * 20) / 20, abs=1e-12)
    assert move.phase is Phase.END


def test_shift_snaps_along_the_components_where_the_plane_is_a_projection(qtbot: QtBot) -> None:
    X = np.random.default_rng(0).normal(size=(5, 6))
    table = Table(qtbot, resolve(Scene(tuple("abcde"), X)))
    start = table.at(Space.X, 1)
    table.press(start)
    table.move(start + QPoint(40, 20), SHIFT)
    first, move = table.taken(MoveToken)
    for step in (move.x - first.x, move.y - first.y):
        assert step != 0
        assert step == pytest.approx(round(step * 20) / 20)


@pytest.mark.parametrize("how", ["escape", "focus"])
def test_a_drag_can_be_taken_back(calm: Table, how: str) -> None:
    start = calm.at(Space.X, 0)
    calm.press(start)
    calm.move(start + QPoint(50, 50))
    calm.intents.clear()
    if how == "escape":
        calm.key(Qt.Key.Key_Escape)
    else:
        port = calm.view.viewport()
        QApplication.sendEvent(port, QFocusEvent(QEvent.Type.FocusOut))
    (cancel,) = calm.taken(MoveToken)
    assert (cancel.phase, cancel.token) == (Phase.CANCEL, 0)
    calm.move(start + QPoint(80, 80))
    calm.release(start + QPoint(80, 80))
    assert calm.taken(MoveToken) == []


def test_the_picture_follows_a_drag_and_the_camera_stands_still(calm: Table) -> None:
    others = [calm.at(Space.X, row) for row in (0, 2, 3)]
    X = SAMPLE.X.copy()
    X[1] = (40.0, -30.0)  # far outside
    before = resolve(SAMPLE)
    calm.view.draw(resolve(SAMPLE.replace(X=X), drag=Drag(1, SAMPLE.X[1]), previous=before))
    assert [calm.at(Space.X, row) for row in (0, 2, 3)] == others


@pytest.mark.parametrize("space", [Space.Q, Space.K])
def test_a_point_made_from_x_is_dragged_itself(scores: Table, space: Space) -> None:
    start = scores.at(space, 1)
    scores.press(start)
    scores.move(start + QPoint(40, 30))
    scores.key(Qt.Key.Key_Escape)
    first, move, cancel = scores.taken(MovePoint)
    assert {(each.space, each.row) for each in (first, move, cancel)} == {(space, 1)}
    assert [each.phase for each in (first, move, cancel)] == [
        Phase.BEGIN,
        Phase.MOVE,
        Phase.CANCEL,
    ]
    assert (first.x, first.y) == tuple(scores.frame.points(space)[1])
    assert move.x > first.x
    assert move.y < first.y


@pytest.mark.parametrize(
    ("scene", "look", "space", "words"),
    [
        (
            SAMPLE,
            OUTPUT,
            Space.O,
            "An output is a mixture of values: move a value, a query or a key instead.",
        ),
        (
            SAMPLE.replace(Wo=np.array([[1.0, 2.0], [0.0, 1.0]])),
            Look(Stage.Y, frozenset({Space.Y})),
            Space.Y,
            "Y is made from the outputs of attention: move a value, a query or a key instead.",
        ),
    ],
    ids=["O", "Y"],
)
def test_an_output_says_why_it_stays(
    qtbot: QtBot, scene: Scene, look: Look, space: Space, words: str
) -> None:
    table = Table(qtbot, resolve(scene, look))
    notice = table.view.findChild(QLabel, "notice")
    start = table.at(space, 1)
    table.press(start)
    table.move(start + QPoint(40, 40))
    table.release(start + QPoint(40, 40))
    assert notice.isVisible()
    assert notice.text() == words
    assert table.intents == []
    table.press(QPoint(10, 300))
    assert not notice.isVisible()


def test_cursors_tell_what_can_be_held(calm: Table) -> None:
    port = calm.view.viewport()
    at = calm.at(Space.X, 0)
    calm.move(at)
    assert port.cursor().shape() == Qt.CursorShape.OpenHandCursor
    calm.press(at)
    calm.move(at + QPoint(30, 0))
    assert port.cursor().shape() == Qt.CursorShape.ClosedHandCursor
    calm.release(at + QPoint(30, 0))
    calm.move(QPoint(300, 650))
    assert port.cursor().shape() == Qt.CursorShape.ArrowCursor
