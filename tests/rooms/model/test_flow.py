"""The flow: which curves are drawn, what clicks and keys ask for, and numbers beside the keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.kit.theme import Theme
from explorer.rooms.model.flow import FlowView
from explorer.session.model.frame import ModelCursor, ModelFrame
from explorer.session.model.intents import HoverPair, SelectPair, StepPair
from tests.model_frames import WORDS, file_frame, row_frame, weights
from tests.showing import asked_of

Shown = Callable[..., tuple[FlowView, list[object]]]


@pytest.fixture
def shown(qtbot: QtBot) -> Shown:
    def show(frame: ModelFrame) -> tuple[FlowView, list[object]]:
        view = FlowView(Theme())
        return view, asked_of(qtbot, view, 784, 500, frame)

    return show


def click(view: FlowView, place: int, *, key: bool) -> None:
    at = view.page.token_rect(place, key=key).center().toPoint()
    QTest.mouseClick(view.page, Qt.MouseButton.LeftButton, pos=at)


def test_all_weights_from_the_smallest_on_are_drawn(shown: Shown) -> None:
    made = weights(12)
    view, _intents = shown(file_frame(given={"weights": made}))
    for least in (0.05, 0.3):
        view.show_from(least)
        drawn = {(row, column) for row, column, _weight in view.page.curves(0, 1000)}
        assert drawn == {(int(i), int(j)) for i, j in np.argwhere(made[0, 0] >= least)}


def test_a_selected_query_has_the_curves_alone(shown: Shown) -> None:
    made = weights(12)
    frame = file_frame(cursor=ModelCursor(query=3), given={"weights": made})
    view, _intents = shown(frame)
    rows = {row for row, _column, _weight in view.page.curves(0, 1000)}
    assert rows == {3}
    view.draw(replace(frame, hover=(7, None)))
    assert {row for row, _column, _weight in view.page.curves(0, 1000)} == {7}


def test_only_what_is_in_sight_is_drawn_of_a_long_text(shown: Shown) -> None:
    count = 900
    near = np.zeros((1, 1, count, count))
    place = np.arange(count)
    near[0, 0, place, np.maximum(place - 1, 0)] = 1.0
    frame = file_frame(tuple(f"w{n}" for n in range(count)), given={"weights": near})
    view, _intents = shown(frame)
    top = view.page.token_rect(400, key=True).top()
    seen = view.page.curves(top, top + 260)
    assert {row for row, _column, _weight in seen} == set(range(399, 413))


def test_clicks_and_keys_select(shown: Shown) -> None:
    frame = row_frame([0.1, 0.2, 0.5, 0.2], ("one", "two", "three", "four"), 1)
    view, intents = shown(frame)
    click(view, 1, key=False)
    click(view, 3, key=True)
    QTest.mouseClick(view.page, Qt.MouseButton.LeftButton, pos=QPoint(390, 20))
    QTest.keyClick(view.page, Qt.Key.Key_Down)
    QTest.keyClick(view.page, Qt.Key.Key_BracketRight)
    told = [intent for intent in intents if not isinstance(intent, HoverPair)]
    assert told == [
        SelectPair(1, 2),
        SelectPair(1, 3),
        SelectPair(None),
        SelectPair(2, 0),
        StepPair(-1),
    ]


def test_the_slider_asks_for_the_smallest_weight(shown: Shown) -> None:
    view, _intents = shown(file_frame())
    view.slider.setFocus()
    QTest.keyClick(view.slider, Qt.Key.Key_Right)
    assert view.page.least == pytest.approx(0.06)
    assert view.number.text() == ".06"


def test_a_query_that_is_selected_elsewhere_comes_in_sight(shown: Shown) -> None:
    frame = file_frame(WORDS * 40)
    view, _intents = shown(frame)
    view.draw(replace(frame, cursor=ModelCursor(query=450)))
    rect, scrolled = view.page.token_rect(450, key=False), view.area.verticalScrollBar().value()
    assert scrolled <= rect.top()
    assert rect.bottom() <= scrolled + view.area.viewport().height()
