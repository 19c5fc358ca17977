"""Large matrices as pictures: nothing that is one cell wide is lost, and what is seen is chosen."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.attention import max_pooled
from explorer.kit.heat_map import HeatMap
from explorer.kit.plot import Plot, paint_plot
from explorer.kit.theme import Theme
from tests.showing import turn_wheel

THEME = Theme()


def slowly_pooled(values: np.ndarray, height: int, width: int) -> np.ndarray:
    rows, columns = values.shape
    height, width = min(height, rows), min(width, columns)
    edges = [n * rows // height for n in range(height + 1)]
    sides = [n * columns // width for n in range(width + 1)]
    return np.array(
        [
            [
                max(values[i, j] for i in range(top, bottom) for j in range(left, right))
                for left, right in pairwise(sides)
            ]
            for top, bottom in pairwise(edges)
        ]
    )


@given(
    st.integers(1, 20), st.integers(1, 20), st.integers(1, 25), st.integers(1, 25), st.integers()
)
def test_every_block_shows_its_maximum(
    rows: int, columns: int, height: int, width: int, seed: int
) -> None:
    values = np.random.default_rng(abs(seed)).normal(size=(rows, columns))
    pooled = max_pooled(values, height, width)
    assert np.array_equal(pooled, slowly_pooled(values, height, width))
    heads = max_pooled(np.stack([values, -values]), height, width)
    assert np.array_equal(heads[0], pooled)
    hidden = values > 1
    signed = max_pooled(np.where(hidden, -np.inf, values), height, width, signed=True)
    sizes = slowly_pooled(np.where(hidden, -np.inf, np.abs(values)), height, width)
    assert np.array_equal(np.where(np.isneginf(signed), signed, np.abs(signed)), sizes)
    assert set(signed[np.isfinite(signed)]) <= set(values.flat)


@pytest.fixture
def shown(qtbot: QtBot) -> HeatMap:
    heat = HeatMap(THEME)
    qtbot.addWidget(heat)
    heat.resize(400, 300)
    with qtbot.waitExposed(heat):
        heat.show()
    return heat


def turn(heat: HeatMap, notches: int, at: QPointF) -> None:
    turn_wheel(heat, at, notches)


def places_of(shown: HeatMap, row: int, column: int) -> list[tuple[int, int]]:
    """Show a million cells with one weight; return where its colour is, as (row, column)."""
    values = np.zeros((1024, 1024))
    values[row, column] = 1.0
    shown.show_matrix(values, THEME.weights_map, 1.0)
    strongest = THEME.weights_map.fill(1.0, 1.0).name()
    image = shown.grab().toImage()
    cells = [
        shown.cell_at(x + 0.5, y + 0.5)
        for x in range(44, 320)
        for y in range(12, 270)
        if image.pixelColor(x, y).name() == strongest
    ]
    return [cell for cell in cells if cell is not None]


def test_one_weight_among_a_million_is_seen(shown: HeatMap) -> None:
    places = places_of(shown, 701, 333)
    assert shown.picture.max() == 1.0
    assert max(shown.picture.shape) < 400
    assert any(abs(row - 701) < 9 and abs(column - 333) < 9 for row, column in places)


def test_a_picture_takes_no_size_from_the_plot_before(shown: HeatMap) -> None:
    paper = QPixmap(1600, 1200)
    with QPainter(paper) as painter:
        # Most of it is margin, where another view shows other things.
        paint_plot(
            painter, THEME, Plot((1600, 1200), QRectF(300, 300, 100, 100), QRectF(0, 0, 1, 1))
        )
    places = places_of(shown, 900, 900)
    assert places
    assert all(abs(row - 900) < 9 and abs(column - 900) < 9 for row, column in places)


def test_wheel_drag_and_double_click_choose_what_is_seen(shown: HeatMap) -> None:
    shown.show_matrix(np.eye(500), THEME.weights_map, 1.0)
    at = QPointF(150, 120)
    before = shown.cell_at(at.x(), at.y())
    turn(shown, 6, at)
    after = shown.cell_at(at.x(), at.y())
    assert shown.seen.width() < 200
    assert before is not None
    assert after is not None
    assert max(abs(before[0] - after[0]), abs(before[1] - after[1])) <= 1
    left = shown.seen.left()
    QTest.mousePress(shown, Qt.MouseButton.LeftButton, pos=QPoint(150, 120))
    QTest.mouseMove(shown, QPoint(190, 120))
    QTest.mouseRelease(shown, Qt.MouseButton.LeftButton, pos=QPoint(190, 120))
    assert shown.seen.left() < left
    QTest.mouseDClick(shown, Qt.MouseButton.LeftButton, pos=QPoint(150, 120))
    assert (shown.seen.width(), shown.seen.height()) == (500, 500)


@pytest.mark.parametrize("shape", [(1, 1), (1, 900), (900, 1), (3, 2), (0, 0)])
def test_every_shape_and_masked_cells_are_shown(shown: HeatMap, shape: tuple[int, int]) -> None:
    values = np.full(shape, -np.inf)
    shown.show_matrix(values, THEME.scores_map, 2.0)
    turn(shown, 3, QPointF(150, 120))
    shown.retheme(Theme(dark=True, percent=200), Theme(dark=True).scores_map)
    assert not shown.grab().isNull()
