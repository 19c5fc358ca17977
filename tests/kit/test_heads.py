"""The heads' maps: no weight is too narrow to be seen, and tiles are read by the keyboard."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from explorer.kit.heads import HeadMaps
from explorer.kit.mosaic import tiles_of
from explorer.kit.theme import Theme


@pytest.mark.parametrize("strip", [True, False])
@pytest.mark.parametrize("cell", [(0, 0), (7, 201), (100, 3), (255, 255)])
def test_one_weight_among_many_is_seen(qtbot: QtBot, strip: bool, cell: tuple[int, int]) -> None:
    weights = np.zeros((256, 256))
    weights[cell] = 1.0
    masked = np.zeros(weights.shape, bool)
    masked[:, 4:8] = True
    heads = HeadMaps(Theme(), "heads", strip=strip)
    qtbot.addWidget(heads)
    heads.resize(300, 80)
    heads.show_tiles(tiles_of([weights, weights, weights], [masked] * 3))
    heads.show_chosen(2)
    image, area = heads.grab().toImage(), heads.mosaic.area(0).toAlignedRect()
    full = Theme().weights_map.fill(1.0, 1.0)
    assert any(
        image.pixelColor(x, y) == full
        for x in range(area.left(), area.right() + 1)
        for y in range(area.top(), area.bottom() + 1)
    )


@given(
    st.integers(1, 9), st.integers(1, 9), st.integers(1, 9), st.integers(1, 9), st.integers(0, 99)
)
def test_a_smaller_picture_is_the_largest_of_each_block(
    rows: int, columns: int, high: int, wide: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    values, hidden = rng.uniform(size=(rows, columns)), rng.uniform(size=(rows, columns)) < 0.3
    ramp = Theme().weights_map
    image = ramp.picture(values, 1.0, hidden, (high, wide))
    assert (image.height(), image.width()) == (min(high, rows), min(wide, columns))
    for y in range(image.height()):
        for x in range(image.width()):
            block = [
                values[i, j]
                for i in range(y * rows // image.height(), (y + 1) * rows // image.height())
                for j in range(x * columns // image.width(), (x + 1) * columns // image.width())
                if not hidden[i, j]
            ]
            seen = image.pixelColor(x, y)
            assert seen.alpha() == (255 if block else 0)
            assert not block or seen == ramp.fill(max(block), 1.0)


def test_each_tile_has_a_name_and_is_pressed_without_a_mouse(qtbot: QtBot) -> None:
    maps = np.full((3, 2, 2), 0.5)
    heads = HeadMaps(Theme(), "heads")
    qtbot.addWidget(heads)
    heads.resize(300, 80)
    heads.show_tiles(tiles_of(maps, np.zeros((3, 2, 2), bool)))
    heads.show_chosen(None)
    assert [button.accessibleName() for button in heads.buttons] == ["Head 1", "Head 2", "Average"]
    assert [button.isChecked() for button in heads.buttons] == [False, False, True]
    with qtbot.waitSignal(heads.picked) as picked:
        qtbot.keyClick(heads.buttons[1], Qt.Key.Key_Space)
    assert picked.args == [1]


def test_words_stand_beside_cells_without_numbers(qtbot: QtBot) -> None:
    words = ("the", "unbelievably", "hungry", "farmer", "his", "horses", "old", "every")
    theme = Theme()
    heads = HeadMaps(theme, "heads")
    qtbot.addWidget(heads)
    heads.resize(330, 80)
    shape = len(words), len(words)
    heads.show_tiles(tiles_of(np.full((3, *shape), 0.125), np.zeros((3, *shape), bool)))
    colours = [theme.slot(0), *[theme.neutral_token] * 7]
    heads.show_chosen(None, words, colours)
    mosaic = heads.mosaic
    assert mosaic.named
    assert not mosaic.numbers
    image, area = heads.grab().toImage(), mosaic.area(0).toRect()
    empty = image.pixelColor(0, 0)

    def inked(left: int, top: int, right: int, bottom: int) -> bool:
        spots = ((x, y) for x in range(left, right) for y in range(top, bottom))
        return any(image.pixelColor(*spot) != empty for spot in spots)

    for place in range(len(words)):  # left of each row, and below each column of every tile
        row = mosaic.cell(0, place, place).toRect()
        assert inked(0, row.top(), area.left() - 2, row.bottom())
        for tile in range(3):
            column = mosaic.cell(tile, place, place).toRect()
            assert inked(column.left(), area.bottom() + 3, column.right(), heads.height() - 22)
    # Two words leave room for numbers; these have dots.
    heads.show_tiles(tiles_of(np.full((3, 2, 2), 0.5), np.zeros((3, 2, 2), bool)))
    heads.show_chosen(None, words[:2], colours[:2])
    assert (heads.mosaic.numbers, heads.mosaic.dotted, heads.mosaic.named) == (True, True, False)
