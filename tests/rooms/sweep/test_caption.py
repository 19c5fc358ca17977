"""Where the caption of the selected run stands among the medians."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from explorer.rooms.sweep.bands import caption_place

PLACE = QRectF(50, 20, 400, 200)
SIZE = (120.0, 16.0)
XS = np.linspace(50, 450, 201)


def line(ys: np.ndarray) -> list[QPointF]:
    return [QPointF(x, y) for x, y in zip(XS.tolist(), np.broadcast_to(ys, XS.shape), strict=True)]


def goes_through(box: QRectF, points: list[QPointF]) -> bool:
    """Whether a line passes a box, seen at every fourth of a pixel."""
    for x in np.arange(box.left(), box.right(), 0.25):
        y = np.interp(x, [p.x() for p in points], [p.y() for p in points])
        if box.top() < y < box.bottom():
            return True
    return False


@pytest.mark.parametrize("wave", [0, 10, 60])
@pytest.mark.parametrize("above", [8, 14, 30])
def test_it_stands_beside_its_line_and_off_the_others(wave: float, above: float) -> None:
    own = line(110 + wave * np.sin(XS / 70))
    others = [line(110 - above + wave * np.sin(XS / 70)), line(110 - 2 * above + 0 * XS)]
    box, met = caption_place(own, others, SIZE, PLACE, 4)
    assert met == 0
    assert PLACE.left() <= box.left() <= box.right() <= PLACE.right()
    assert 0 <= box.top() <= box.bottom() <= PLACE.bottom()
    assert not any(goes_through(box, each) for each in (own, *others))


def test_where_there_is_room_it_stands_a_third_of_the_way_above() -> None:
    box, met = caption_place(line(100 + 0 * XS), [], SIZE, PLACE, 4)
    assert (box.left(), box.bottom(), met) == (pytest.approx(50 + 400 / 3, abs=2), 96, 0)


def test_where_lines_are_everywhere_it_says_that_some_go_through() -> None:
    others = [line(np.full(XS.shape, y)) for y in range(0, 230, 6)]
    box, met = caption_place(line(100 + 0 * XS), others, SIZE, PLACE, 4)
    assert met > 0
    assert 0 <= box.top() <= box.bottom() <= PLACE.bottom()


def test_a_run_that_ends_early_has_its_caption_where_it_is() -> None:
    short = line(100 + 0 * XS)[:3]
    box, _met = caption_place(short, [line(90 + 0 * XS)], SIZE, PLACE, 4)
    assert box.left() <= short[-1].x()
