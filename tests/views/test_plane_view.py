"""The plane under a real mouse and keyboard: intents out, and what is seen."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QListWidget, QToolButton
from pytestqt.qtbot import QtBot

from explorer.session import (
    Drag,
    Edges,
    Frame,
    Look,
    Role,
    Scene,
    Selection,
    Space,
    Stage,
    resolve,
)
from explorer.session.intents import (
    Hover,
    MovePoint,
    MoveToken,
    Phase,
    Select,
    ShowEdges,
    ShowSpaces,
    ShowStage,
)
from explorer.views.plane import PlaneView
from explorer.views.plane.camera import Camera
from explorer.views.plane.compose import compose
from explorer.views.plane.words import point_names
from explorer.views.preview import SAMPLE
from explorer.views.theme import Theme

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
NONE = Qt.KeyboardModifier.NoModifier
SCORES = Look(Stage.S, frozenset({Space.Q, Space.K}), Edges.SCORES)
OUTPUT = Look(Stage.O, frozenset({Space.V, Space.O}), Edges.ATTENTION)
PAIR = Selection(Role.S, 0, 3)


class Table:
    """A shown plane, the intents it emitted, and a hand."""

    def __init__(self, qtbot: QtBot, frame: Frame, theme: Theme | None = None) -> None:
        self.frame = frame
        self.view = PlaneView(theme or Theme())
        qtbot.addWidget(self.view)
        self.view.resize(836, 704)
        self.view.draw(frame)
        with qtbot.waitExposed(self.view):
            self.view.show()
        self.held = Qt.MouseButton.NoButton
        QApplication.processEvents()
        self.intents: list[object] = []
        self.view.intent.connect(self.intents.append)

    def at(self, space: Space, row: int) -> QPoint:
        return self.view.screen_point(space, row).toPoint()

    def press(self, at: QPoint) -> None:
        self.held = LEFT
        QTest.mousePress(self.view.viewport(), LEFT, NONE, at)

    def move(self, at: QPoint, modifier: Qt.KeyboardModifier = NONE) -> None:
        """Move the mouse with the buttons that are held; an X server would tell it later."""
        port = self.view.viewport()
        event = QMouseEvent(
            QEvent.Type.MouseMove,
            QPointF(at),
            QPointF(port.mapToGlobal(at)),
            Qt.MouseButton.NoButton,
            self.held,
            modifier,
        )
        QApplication.sendEvent(port, event)

    def release(self, at: QPoint) -> None:
        self.held = Qt.MouseButton.NoButton
        QTest.mouseRelease(self.view.viewport(), LEFT, NONE, at)

    def click(self, at: QPoint) -> None:
        QTest.mouseClick(self.view.viewport(), LEFT, NONE, at)

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.view.viewport(), key, modifier)

    def taken(self, kind: type) -> list[object]:
        """Return the intents of a kind, and forget all so far."""
        found = [intent for intent in self.intents if isinstance(intent, kind)]
        self.intents.clear()
        return found


@pytest.fixture
def calm(qtbot: QtBot) -> Table:
    return Table(qtbot, resolve(SAMPLE))


@pytest.fixture
def scores(qtbot: QtBot) -> Table:
    return Table(qtbot, resolve(SAMPLE, SCORES, PAIR))


# --- dragging ----------------------------------------------------------------------------------


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


# --- pointing ----------------------------------------------------------------------------------


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


# --- camera ------------------------------------------------------------------------------------


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


def test_everything_stays_in_view_when_the_window_shrinks(calm: Table) -> None:
    calm.view.resize(480, 400)
    inside = calm.view.viewport().rect()
    assert all(inside.contains(calm.at(Space.X, row)) for row in range(4))


# --- keys --------------------------------------------------------------------------------------


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


# --- controls ----------------------------------------------------------------------------------


def _button(table: Table, text: str) -> QToolButton:
    return next(
        button for button in table.view.findChildren(QToolButton) if button.text().strip() == text
    )


def test_spaces_of_one_dimension_join(scores: Table) -> None:
    _button(scores, "V").click()
    _button(scores, "K").click()
    assert scores.taken(ShowSpaces) == [
        ShowSpaces(frozenset({Space.Q, Space.K, Space.V}), added=Space.V),
        ShowSpaces(frozenset({Space.Q})),
    ]


def test_the_last_space_stays(calm: Table) -> None:
    _button(calm, "X").click()
    assert calm.taken(ShowSpaces) == []
    assert _button(calm, "X").isChecked()


def test_a_space_of_another_dimension_is_shown_alone_and_says_so(qtbot: QtBot) -> None:
    W = np.ones((2, 3))
    table = Table(qtbot, resolve(SAMPLE.replace(Wq=W, Wk=W), Look()))
    assert "3 columns" in _button(table, "Q").toolTip()
    _button(table, "Q").click()
    assert table.taken(ShowSpaces) == [ShowSpaces(frozenset({Space.Q}), added=Space.Q)]


def test_edges_are_chosen_and_impossible_ones_say_why(qtbot: QtBot) -> None:
    table = Table(qtbot, resolve(SAMPLE, OUTPUT))
    _button(table, "None").click()
    assert table.taken(ShowEdges) == [ShowEdges(Edges.NONE)]
    assert not _button(table, "Scores").isEnabled()
    assert "Q and K" in _button(table, "Scores").toolTip()


# --- pictures ----------------------------------------------------------------------------------


def _colours(table: Table, at: QPoint, reach: int) -> set[str]:
    image = table.view.grab().toImage()
    ratio = image.devicePixelRatio()
    return {
        QColor(image.pixel(round(x * ratio), round(y * ratio))).name()
        for x in range(at.x() - reach, at.x() + reach + 1)
        for y in range(at.y() - reach, at.y() + reach + 1)
    }


def test_points_carry_their_tokens_colour_and_ghosts_do_not(scores: Table) -> None:
    fills = [Theme().slot(row).fill.lower() for row in range(4)]
    assert fills[0] in _colours(scores, scores.at(Space.Q, 0), 2)
    for row in range(4):
        assert fills[row] in _colours(scores, scores.at(Space.K, row), 2)
    for row in (2, 3):
        assert fills[row] not in _colours(scores, scores.at(Space.Q, row), 4)


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True)], ids=["light", "dark"])
def test_a_chip_has_the_colour_of_its_value(qtbot: QtBot, theme: Theme) -> None:
    frame = resolve(SAMPLE, SCORES, PAIR)
    table = Table(qtbot, frame, theme)
    for key in range(4):
        corner = table.view.chip_rect(0, key).topLeft().toPoint() + QPoint(6, 6)
        fill = theme.scores_map.fill(frame.shown_scores[0, key], frame.score_domain).name()
        assert fill in _colours(table, corner, 2)


def test_what_is_drawn_depends_on_the_frame_alone(scores: Table) -> None:
    first = scores.view.grab().toImage()
    scores.view.draw(resolve(SAMPLE, SCORES, Selection(Role.S, 2, 1), Selection(Role.X, 3)))
    moved = SAMPLE.replace(X=SAMPLE.X * 0.7)
    frame = resolve(SAMPLE, SCORES, PAIR)
    scores.view.draw(resolve(moved, SCORES, PAIR, drag=Drag(0, SAMPLE.X[0]), previous=frame))
    assert scores.view.grab().toImage() != first
    scores.view.draw(frame)
    assert scores.view.grab().toImage() == first


# --- names -------------------------------------------------------------------------------------


def test_every_point_has_a_name_for_screen_readers(scores: Table) -> None:
    names = point_names(resolve(SAMPLE, SCORES))
    assert names[-1] == "k cloud at −0.62, 0.74"
    assert len(names) == 8
    points = scores.view.findChild(QListWidget)
    renamed = SAMPLE.replace(tokens=("dog", "likes", "fish", "cloud"))
    for frame in (resolve(SAMPLE), resolve(renamed), resolve(SAMPLE, SCORES)):
        scores.view.draw(frame)
        assert [points.item(n).text() for n in range(points.count())] == point_names(frame)
    assert not scores.view.rect().intersects(points.geometry())
    assert "Q, K" in scores.view.viewport().accessibleDescription()


def test_a_projection_is_said(qtbot: QtBot) -> None:
    X = np.random.default_rng(0).normal(size=(5, 8))
    frame = resolve(Scene(tuple("abcde"), X))
    assert point_names(frame)[0].endswith("in the plane")
    table = Table(qtbot, frame)
    drawing = compose(frame, Theme(), Camera(0, 0, 100, 836, 704), 60).drawing
    percent = round(100 * float(frame.projection.explained.sum()))
    caption = f"PCA of 8 dimensions, {percent} % of the variance"
    assert caption in [text.word.text for text in drawing.texts]
    assert table.intents == []
