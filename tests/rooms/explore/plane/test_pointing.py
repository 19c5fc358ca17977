"""Pointing at the plane, walking it with keys and looking at it: intents out, and what is seen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from explorer.kit.preview import SAMPLE
from explorer.kit.theme import Theme
from explorer.rooms.explore.plane import PlaneView
from explorer.session import Look, Role, Selection, Space, Stage, resolve
from explorer.session.intents import Hover, MoveToken, Phase, Select, ShowStage
from tests.rooms.explore.plane.conftest import LEFT, NONE, OUTPUT, PAIR, SCORES, Table

ALT = Qt.KeyboardModifier.AltModifier


# --- pointing ------------------------------------------------------------------------------------


def test_hover_is_told_once_and_ends(scores: Table) -> None:
    at = scores.at(Space.K, 1)
    scores.move(at)
    scores.move(at + QPoint(1, 0))
    assert scores.taken(Hover) == [Hover(Selection(Role.S, 0, 1))]
    scores.move(QPoint(300, 650))
    assert scores.taken(Hover) == [Hover(None)]
    scores.move(at)
    scores.intents.clear()
    QApplication.sendEvent(scores.view.viewport(), QEvent(QEvent.Type.Leave))
    assert scores.taken(Hover) == [Hover(None)]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ((Space.Q, 2), Selection(Role.Q, 2)),
        ((Space.K, 1), Selection(Role.S, 0, 1)),
        ((0, 2), Selection(Role.S, 0, 2)),
        (None, None),
    ],
    ids=["query", "key", "chip", "nothing"],
)
def test_clicks_select(scores: Table, place: object, expected: Selection | None) -> None:
    if place is None:
        at = QPoint(300, 650)
    elif isinstance(place, tuple) and isinstance(place[0], Space):
        at = scores.at(*place)
    else:
        at = scores.view.chip_rect(0, 2).center().toPoint()
    scores.click(at)
    assert scores.taken(Select) == [Select(expected)]


def test_an_edge_of_the_weights_selects_their_cell(qtbot: QtBot) -> None:
    table = Table(qtbot, resolve(SAMPLE, OUTPUT, Selection(Role.O, 3)))
    table.click(table.view.chip_rect(3, 0).center().toPoint())
    assert table.taken(Select) == [Select(Selection(Role.A, 3, 0))]


def test_hovering_moves_nothing(qtbot: QtBot) -> None:
    table = Table(qtbot, resolve(SAMPLE, SCORES, PAIR))
    pairs = [(0, j) for j in range(4)]
    before = [table.view.chip_rect(*pair) for pair in pairs]
    for hover in (Selection(Role.S, 0, 1), Selection(Role.S, 2, 1), Selection(Role.X, 1)):
        table.view.draw(resolve(SAMPLE, SCORES, PAIR, hover))
        assert [table.view.chip_rect(*pair) for pair in pairs] == before
    table.view.draw(resolve(SAMPLE, SCORES, PAIR, Selection(Role.S, 2, 1)))
    assert not table.view.chip_rect(2, 1).isEmpty()  # drawn as well, though in another row


# --- camera --------------------------------------------------------------------------------------


def _wheel(view: PlaneView, at: QPoint, notches: int) -> None:
    port = view.viewport()
    event = QWheelEvent(
        QPointF(at),
        QPointF(port.mapToGlobal(at)),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        NONE,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(port, event)


def test_the_wheel_zooms_about_the_pointer(calm: Table) -> None:
    at = calm.at(Space.X, 0)
    span = calm.at(Space.X, 0) - calm.at(Space.X, 3)
    _wheel(calm.view, at, 2)
    assert calm.at(Space.X, 0) == at
    wider = calm.at(Space.X, 0) - calm.at(Space.X, 3)
    assert wider.x() == pytest.approx(span.x() * 1.44, abs=2)
    assert calm.intents == []


def test_pulling_the_empty_plane_pans_and_fit_returns(calm: Table) -> None:
    home = [calm.at(Space.X, row) for row in range(4)]
    for back in ("key", "button", "double click"):
        calm.press(QPoint(300, 650))
        calm.move(QPoint(340, 620))
        calm.release(QPoint(340, 620))
        assert calm.at(Space.X, 0) - home[0] == QPoint(40, -30)
        if back == "key":
            calm.key(Qt.Key.Key_F)
        elif back == "button":
            calm.view.findChild(QToolButton, "fit").click()
        else:
            QTest.mouseDClick(calm.view.viewport(), LEFT, NONE, QPoint(300, 650))
        assert [calm.at(Space.X, row) for row in range(4)] == home
    assert calm.taken(MoveToken) == []


def test_the_plane_stays_where_it_was_put_until_its_kind_changes(calm: Table) -> None:
    _wheel(calm.view, QPoint(400, 300), 1)
    put = calm.at(Space.X, 0)
    X = SAMPLE.X.copy()
    X[3] = (-0.7, 0.7)
    changed = SAMPLE.replace(X=X)
    calm.view.draw(resolve(changed))
    assert calm.at(Space.X, 0) == put
    calm.view.draw(resolve(changed, SCORES))
    calm.view.draw(resolve(SAMPLE))
    assert calm.at(Space.X, 0) != put


def test_a_scene_that_would_not_be_seen_is_fitted(calm: Table) -> None:
    calm.view.draw(resolve(SAMPLE.replace(X=SAMPLE.X * 1e6)))
    inside = calm.view.viewport().rect()
    assert all(inside.contains(calm.at(Space.X, row)) for row in range(4))


@pytest.mark.parametrize("chosen", [False, True])
def test_a_number_that_takes_a_token_out_of_view_is_followed_unless_the_view_was_chosen(
    calm: Table, chosen: bool
) -> None:
    if chosen:
        _wheel(calm.view, QPoint(400, 300), 1)
    X = SAMPLE.X.copy()
    X[1] = (7.0, 0.5)
    calm.view.draw(resolve(SAMPLE.replace(X=X)))
    inside = calm.view.viewport().rect()
    assert inside.contains(calm.at(Space.X, 1)) is not chosen


def test_a_slip_of_the_keyboard_put_right_leaves_no_heap_of_points(calm: Table) -> None:
    home = [calm.at(Space.X, row) for row in range(4)]
    X = SAMPLE.X.copy()
    X[1] = (100.0, 0.5)
    calm.view.draw(resolve(SAMPLE.replace(X=X)))
    assert calm.at(Space.X, 0) != home[0]
    calm.view.draw(resolve(SAMPLE))
    assert [calm.at(Space.X, row) for row in range(4)] == home


def test_who_looks_elsewhere_is_brought_back_by_another_scene_and_not_by_a_pointer(
    calm: Table,
) -> None:
    for _time in range(3):
        calm.press(QPoint(800, 650))
        calm.move(QPoint(20, 650))
        calm.release(QPoint(20, 650))
    away = [calm.at(Space.X, row) for row in range(4)]
    inside = calm.view.viewport().rect()
    assert not any(map(inside.contains, away))
    hovered = resolve(SAMPLE, hover=Selection(Role.X, 1), previous=calm.frame)
    for frame in (hovered, resolve(SAMPLE, selection=Selection(Role.X, 2), previous=hovered)):
        calm.view.draw(frame)
        assert [calm.at(Space.X, row) for row in range(4)] == away
    calm.view.draw(resolve(SAMPLE.replace(X=SAMPLE.X / 2), previous=hovered))
    assert all(inside.contains(calm.at(Space.X, row)) for row in range(4))


def test_everything_stays_in_view_when_the_window_shrinks(calm: Table) -> None:
    calm.view.resize(480, 400)
    inside = calm.view.viewport().rect()
    assert all(inside.contains(calm.at(Space.X, row)) for row in range(4))


def test_several_sizes_between_two_paints_are_drawn_once(qtbot: QtBot) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    view = PlaneView(Theme(), around)
    view.draw(resolve(SAMPLE))
    with qtbot.waitExposed(around):
        around.show()
    around.grab()
    drawn: list[QSize] = []
    view.viewport().drawing_due.connect(lambda: drawn.append(view.size()))
    for width in (700, 600, 500):
        view.resize(width, 400)
    assert drawn == []
    around.grab()
    around.grab()
    assert drawn == [QSize(500, 400)]


# --- keys ----------------------------------------------------------------------------------------


def test_arrows_walk_tokens_and_pairs(qtbot: QtBot) -> None:
    steps = [
        (None, Qt.Key.Key_Right, Selection(Role.Q, 0)),
        (Selection(Role.Q, 0), Qt.Key.Key_Right, Selection(Role.Q, 1)),
        (Selection(Role.K, key=2), Qt.Key.Key_Left, Selection(Role.K, key=1)),
        (PAIR, Qt.Key.Key_Left, Selection(Role.S, 0, 2)),
        (PAIR, Qt.Key.Key_Down, Selection(Role.S, 1, 3)),
    ]
    for before, key, after in steps:
        table = Table(qtbot, resolve(SAMPLE, SCORES, before))
        table.key(key)
        assert table.taken(Select) == [Select(after)]
    table = Table(qtbot, resolve(SAMPLE, SCORES, PAIR))
    table.key(Qt.Key.Key_Right)  # there is no further key
    assert table.taken(Select) == []


def test_escape_selects_nothing(scores: Table) -> None:
    scores.key(Qt.Key.Key_Escape)
    assert scores.taken(Select) == [Select(None)]


def test_alt_and_an_arrow_move_the_selected_token(qtbot: QtBot) -> None:
    table = Table(qtbot, resolve(SAMPLE, Look(), Selection(Role.X, 3)))
    table.key(Qt.Key.Key_Right, ALT)
    moves = table.taken(MoveToken)
    assert [move.phase for move in moves] == [Phase.BEGIN, Phase.MOVE, Phase.END]
    assert [(move.token, move.x, move.y) for move in moves[1:]] == [(3, -0.75, 0.9)] * 2


def test_alt_and_an_arrow_say_what_is_missing(calm: Table) -> None:
    calm.key(Qt.Key.Key_Right, ALT)
    assert calm.taken(MoveToken) == []
    assert calm.view.findChild(QLabel, "notice").text().startswith("Select a point first")


def test_digits_choose_a_stage(calm: Table) -> None:
    calm.key(Qt.Key.Key_5)
    assert calm.taken(ShowStage) == [ShowStage(Stage.S)]
