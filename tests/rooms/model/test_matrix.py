"""The matrix of a head: cells with names, a window of a long text, and the whole as a picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.kit.heat_map import HeatMap
from explorer.kit.theme import Theme
from explorer.models import run_of
from explorer.rooms.model.cell_matrix import short
from explorer.rooms.model.matrix import MatrixView
from explorer.session.model.frame import ModelCursor, ModelFrame, ModelLook
from explorer.session.model.intents import (
    HoverPair,
    MoveWindow,
    PinToken,
    SelectPair,
    StepPair,
)
from tests.model_frames import array_run, model_frame
from tests.showing import asked_of, turn_wheel
from tests.train_views import click, colour_at, leave, move

THEME = Theme()
LONG_TEXT = tuple(f"w{i}" for i in range(200))
Matrix = tuple[MatrixView, list[object]]


@pytest.fixture
def matrix(qtbot: QtBot) -> Matrix:
    view = MatrixView(THEME)
    return view, asked_of(qtbot, view, 784, 640, model_frame())


def long_frame(
    cursor: ModelCursor | None = None, window: tuple[int, int, int] = (0, 0, 24)
) -> ModelFrame:
    run = array_run(LONG_TEXT, layers=1, heads=1)
    return model_frame(run, cursor or ModelCursor(0, 0, 3, 4), ModelLook(window=window))


def turn(view: MatrixView, notches: int) -> None:
    target = view.viewport()
    at = QPointF(target.rect().center())
    turn_wheel(target, at, notches)


def test_cells_have_the_drawn_size_and_the_colours_of_their_weights(matrix: Matrix) -> None:
    view, _asked = matrix
    frame = model_frame()
    assert frame.head is not None
    laid = view.cells.laid
    assert (laid.wide, laid.high) == (39, 37.5)
    weights = frame.head.arrays.weights
    assert view.domain == pytest.approx(np.ceil(weights.max() * 10 - 1e-4) / 10)
    for query, key in ((0, 0), (4, 6), (8, 3)):
        middle = view.cells.box(query, key).center()
        expected = THEME.weights_map.fill(float(weights[query, key]), view.domain)
        assert colour_at(view.cells, middle) == expected


def test_cells_are_smaller_where_there_is_less_room(matrix: Matrix) -> None:
    view, _asked = matrix
    view.resize(420, 400)
    last = view.cells.box(8, 8)
    assert last.width() < 39
    assert last.right() <= view.cells.width()
    assert last.bottom() <= view.cells.height()


def test_numbers_stay_where_rows_are_hardly_higher_than_digits(matrix: Matrix) -> None:
    view, _asked = matrix
    cells = view.cells
    cells.resize(cells.width(), round(cells.laid.top) + 9 * 12 + 6)
    assert cells.laid.high < 1.25 * 10.5
    assert cells.number_size == 11.0


@pytest.mark.parametrize(
    ("weight", "text"), [(0.653, ".65"), (0.004, ".00"), (1.0, "1.00"), (0.0, ".00")]
)
def test_numbers_are_short(weight: float, text: str) -> None:
    assert short(weight) == text


def test_a_click_selects_a_cell_a_row_or_a_column(matrix: Matrix) -> None:
    view, asked = matrix
    cells = view.cells
    click(cells, cells.box(4, 6).center())
    click(cells, cells.box(4, 0).center() - QPointF(60, 0))  # a row's name
    above = QPointF(cells.box(0, 5).center().x() + 20, cells.box(0, 5).top() - 20)
    click(cells, above)  # a column's name rises to the right
    assert asked == [SelectPair(4, 6), SelectPair(4, None), SelectPair(2, 5)]


def test_the_pair_under_the_mouse_is_shown_everywhere(matrix: Matrix) -> None:
    view, asked = matrix
    move(view.cells, view.cells.box(4, 6).center())
    move(view.cells, view.cells.box(4, 6).center() + QPointF(2, 2))
    leave(view.cells)
    assert asked == [HoverPair(4, 6), HoverPair()]
    frame = model_frame()
    assert frame.head is not None
    tip = view.cells.text_at(view.cells.box(4, 6).center())
    assert tip.startswith("not → the 0.")


def test_keys_move_the_pair_and_step_in_the_row(matrix: Matrix) -> None:
    view, asked = matrix
    for key in (
        Qt.Key.Key_Right,
        Qt.Key.Key_Up,
        Qt.Key.Key_Home,
        Qt.Key.Key_BracketLeft,
        Qt.Key.Key_BracketRight,
        Qt.Key.Key_PageUp,  # the page's, which goes to another layer
    ):
        QTest.keyClick(view.cells, key)
    assert asked == [
        SelectPair(2, 8),
        SelectPair(1, 7),
        SelectPair(2, 0),
        StepPair(1),
        StepPair(-1),
    ]
    view.draw(model_frame(cursor=ModelCursor(1, 2)))
    asked.clear()
    QTest.keyClick(view.cells, Qt.Key.Key_Down)
    assert asked == [SelectPair(0, 0)]


def test_without_special_tokens_their_rows_and_columns_are_left_out(matrix: Matrix) -> None:
    view, asked = matrix
    view.draw(model_frame(look=ModelLook(special=False)))
    assert view.cells.rows.tolist() == view.cells.columns.tolist() == list(range(1, 8))
    assert "without [CLS] and [SEP]" in view.caption.text()
    QTest.keyClick(view.cells, Qt.Key.Key_Right)  # the last one that is shown is selected
    assert asked == [SelectPair(2, 7)]


def test_masked_cells_are_hatched(qtbot: QtBot, matrix: Matrix) -> None:
    view, _asked = matrix
    random = np.random.default_rng(0)
    q, k = random.normal(size=(2, 1, 1, 3, 4))
    run = run_of({"q": q, "k": k, "mask": np.tri(3, dtype=bool)}, tokens=["a", "b", "c"])
    view.draw(model_frame(run, ModelCursor(0, 0, 2, 0)))
    box = view.cells.box(0, 2).toRect().adjusted(3, 3, -3, -3)
    image = view.cells.grab().toImage()
    colours = {
        image.pixelColor(x, y).name()
        for x in range(box.left(), box.right())
        for y in range(box.top(), box.bottom())
    }
    assert len(colours) > 1


def test_a_menu_pins_the_tokens_of_a_pair(matrix: Matrix) -> None:
    view, asked = matrix
    pinned, other = view.cells.menu_of((2, 4)).actions()
    assert pinned.isChecked()
    assert not other.isChecked()
    other.trigger()
    assert asked == [PinToken(4)]


def test_a_long_text_shows_a_window_that_follows_the_pair(matrix: Matrix) -> None:
    view, asked = matrix
    view.draw(long_frame(window=(10, 50, 24)))
    assert view.cells.rows.tolist() == list(range(10, 34))
    assert view.cells.columns.tolist() == list(range(50, 74))
    assert "11–34" in view.caption.text()
    assert "51–74" in view.caption.text()
    view.draw(long_frame(ModelCursor(0, 0, 33, 73), (10, 50, 24)))
    QTest.keyClick(view.cells, Qt.Key.Key_Down)
    assert asked == [MoveWindow(11, 50, 24), SelectPair(34, 73)]


def test_a_window_beyond_the_text_lies_inside(matrix: Matrix) -> None:
    view, _asked = matrix
    view.draw(long_frame(window=(500, -3, 24)))
    assert view.window_shown == (176, 0, 24)


def test_one_zooms_from_the_numbers_to_the_whole_head_and_back(matrix: Matrix) -> None:
    view, asked = matrix
    view.draw(long_frame(window=(100, 100, 24)))
    turn(view, -1)
    assert asked == [MoveWindow(97, 97, 30)]
    asked.clear()
    view.whole.click()
    assert asked == [MoveWindow(0, 0, 200)]
    view.draw(long_frame(window=(0, 0, 200)))
    picture = view.viewport()
    assert isinstance(picture, HeatMap)
    assert picture.seen.width() == 200
    asked.clear()
    turn(view, 1)
    [moved] = asked
    assert isinstance(moved, MoveWindow)
    assert moved.size == 160
    asked.clear()
    view.whole.click()
    assert asked == [MoveWindow(0, 0, 24)]
    view.draw(long_frame(window=(0, 0, 24)))
    assert view.viewport() is view.cells or not isinstance(view.viewport(), HeatMap)


def test_keys_zoom_a_long_text_alone(matrix: Matrix) -> None:
    view, asked = matrix
    QTest.keyClick(view.cells, Qt.Key.Key_0)
    assert asked == []
    view.draw(long_frame(window=(100, 100, 24)))
    for key in (Qt.Key.Key_0, Qt.Key.Key_Plus, Qt.Key.Key_Minus):
        QTest.keyClick(view.cells, key)
    sizes = [each.size for each in asked if isinstance(each, MoveWindow)]
    assert sizes == [200, 19, 30]


def test_a_click_in_the_picture_selects_and_the_pair_is_outlined(matrix: Matrix) -> None:
    view, asked = matrix
    view.draw(long_frame(ModelCursor(0, 0, 150, 20), (0, 0, 200)))
    picture = view.viewport()
    assert isinstance(picture, HeatMap)
    place = picture.cell(60, 90).center()
    move(picture, place)
    click(picture, place)
    assert asked == [HoverPair(60, 90), SelectPair(60, 90)]
    box = picture.cell(150, 20)
    image = picture.grab().toImage()
    around = [image.pixelColor(QPoint(int(box.center().x()) + x, int(box.center().y()))).name()
              for x in range(-8, 9)]  # fmt: skip
    assert any(is_outline(name) for name in around)


def is_outline(name: str) -> bool:
    """Return whether a colour is the outline's: dark and without a hue of the weights."""
    return name == THEME.palette.ink1.lower()


def test_nothing_is_shown_before_there_are_numbers(matrix: Matrix) -> None:
    view, asked = matrix
    view.draw(replace(model_frame(), head=None))
    assert view.caption.text() == ""
    view.draw(ModelFrame())
    view.draw(model_frame())
    assert view.caption.text()
    assert asked == []
