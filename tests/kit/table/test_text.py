"""Numbers as cells show them: as typed where there is room, and never cut off."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.style import apply_theme
from explorer.kit.table.grid import NumberGrid
from explorer.kit.table.numbers import number_text
from explorer.kit.theme import SCALES, Theme
from explorer.session import Matrix
from explorer.text import parse_number

NUMBERS = st.floats(-1e50, 1e50, allow_nan=False)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1.0"),
        (0, "0.0"),
        (-0.0, "0.0"),
        (-0.8, "−0.8"),
        (0.25, "0.25"),
        (0.1 + 0.2, "0.3"),
        (1 / 3, "0.3333"),
        (1234.5, "1234.5"),
        (1e-5, "1.0e−5"),
        (1e50, "1.0e50"),
    ],
)
def test_as_typed_up_to_four_decimals(value: float, text: str) -> None:
    assert number_text(value) == text


@given(NUMBERS)
def test_a_text_reads_back_close_to_the_number(value: float) -> None:
    assert parse_number(number_text(value)) == pytest.approx(value, rel=0.06, abs=1e-4)


@given(NUMBERS.filter(bool), st.integers(1, 12))
def test_no_room_never_turns_a_number_into_zero(value: float, room: int) -> None:
    text = number_text(value, lambda text: len(text) <= room)
    assert text.strip("−0.")


@given(st.floats(-99, 99, allow_nan=False))
def test_the_most_decimals_that_fit_are_taken(value: float) -> None:
    short = number_text(value, lambda text: len(text) <= 4)
    longer = number_text(value, lambda text: len(text) <= 5)
    if "e" not in short and "e" not in longer:
        assert abs(parse_number(longer) - value) <= abs(parse_number(short) - value) + 1e-12


@pytest.mark.parametrize("percent", SCALES)
@pytest.mark.parametrize("columns", [1, 2, 3, 8])
def test_every_number_is_painted_inside_its_cell(qtbot: QtBot, percent: int, columns: int) -> None:
    theme = Theme(percent=percent)
    apply_theme(QApplication.instance(), theme)  # cells have no padding
    grid = NumberGrid(Matrix.WQ, "Wq", theme)
    qtbot.addWidget(grid)
    grid.resize(theme.px(61) * columns if columns < 3 else theme.px(224), 400)
    hard = (0.1234, -0.1234, -12.345, 123456.789, -1e50, -1.5e-50, 99999.9, -0.00012345)
    for value in hard:
        grid.show_numbers(np.full((1, columns), value))
        grid.fit()
        index = grid.cells.index(0, 0)
        cell = QRect(0, 0, grid.columnWidth(0), grid.rowHeight(0))
        image = grid.grab(QRect(cell)).toImage()
        paper = theme.color("raised").rgb()
        edge = [image.pixel(1, y) for y in range(cell.height() // 4, 3 * cell.height() // 4)]
        assert set(edge) == {paper}, f"{value} reaches the left edge"
        assert index.data().startswith("−") == (value < 0)
