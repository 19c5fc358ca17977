"""Names of columns: whole wherever they have room."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from explorer.kit.table.painting import draw_column_name, elided, text_width
from explorer.kit.theme import Theme, TokenColour

GREY = TokenColour("#808080", "#808080")


def _drawn(name: str, width: float, bold: bool) -> QImage:
    image = QImage(120, 24, QImage.Format.Format_ARGB32)
    image.fill(0)
    with QPainter(image) as painter:
        draw_column_name(painter, Theme(), QRectF(4, 0, width, 24), name, GREY, bold)
    return image


@pytest.mark.parametrize("bold", [False, True])
def test_a_name_without_room_for_its_dot_is_whole(qtbot: QtBot, bold: bool) -> None:
    width = text_width(Theme(), "streams", 13, 600) + 8
    assert _drawn("streams", width, bold) != _drawn("streamz", width, bold)


def test_a_name_with_room_for_it_has_a_dot(qtbot: QtBot) -> None:
    width = text_width(Theme(), "cloud", 13, 600) + 40
    left = _drawn("cloud", width, False).copy(0, 0, 24, 24)
    none = QImage(24, 24, QImage.Format.Format_ARGB32)
    none.fill(0)
    assert left != none


def _ink(image: QImage) -> list[int]:
    """Return the columns of pixels that are painted."""
    return [
        x
        for x in range(image.width())
        if any(image.pixelColor(x, y).alpha() > 40 for y in range(image.height()))
    ]


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("width", [24, 32, 40, 48])
@pytest.mark.parametrize("name", ["journey", "starts", "extraordinarily"])
def test_names_side_by_side_stay_apart(qtbot: QtBot, name: str, width: float, bold: bool) -> None:
    painted = _ink(_drawn(name, width, bold))
    assert painted[0] >= 4 + 1
    assert painted[-1] <= 4 + width - 2


def test_a_name_that_is_cut_says_so(qtbot: QtBot) -> None:
    assert elided(Theme(), "journey", 11, 600, 36).endswith("…")
    assert len(elided(Theme(), "journey", 11, 600, 36)) > 3
    assert elided(Theme(), "journey", 11, 600, 200) == "journey"
