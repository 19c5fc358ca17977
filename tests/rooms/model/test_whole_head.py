"""The panel beside a long text: rows, the whole head, and the window upon it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.theme import Theme
from explorer.rooms.model.whole_head import WholeHead
from explorer.session.model.frame import ModelCentre, ModelCursor, ModelFrame, ModelLook
from explorer.session.model.intents import (
    ChangeModelLook,
    HoverPair,
    MoveWindow,
    SelectPair,
    StepPair,
)
from tests.model_frames import WORDS, file_frame, row_frame
from tests.showing import asked_of

Shown = Callable[..., tuple[WholeHead, list[object]]]
LONG = WORDS * 10  # 120 tokens


@pytest.fixture
def shown(qtbot: QtBot) -> Shown:
    def show(frame: ModelFrame) -> tuple[WholeHead, list[object]]:
        view = WholeHead(Theme())
        return view, asked_of(qtbot, view, 372, 684, frame)

    return show


def windowed(query: int = 40, key: int = 30, size: int = 24, **cursor: int) -> ModelFrame:
    look = ModelLook(window=(query, key, size))
    return file_frame(LONG, ModelCursor(**cursor), look=look)


def drag(view: WholeHead, start: QPoint, end: QPoint) -> None:
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(view.map, left, pos=start)
    for at in (QPointF(start + end) / 2, QPointF(end)):
        event = QMouseEvent(
            QEvent.Type.MouseMove,
            at,
            view.map.mapToGlobal(at),
            Qt.MouseButton.NoButton,
            left,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(view.map, event)
    QTest.mouseRelease(view.map, left, pos=end)
    QApplication.processEvents()


def test_rows_tell_the_strongest_and_what_is_left(shown: Shown) -> None:
    words = ("one", "two", "three", "four", "five", "six", "seven")
    view, intents = shown(row_frame([0.05, 0.4, 0.2, 0.15, 0.1, 0.06, 0.04], words, 2))
    assert view.rows.keys == (1, 2, 3, 4, 5)
    assert view.rows.others == "the other 2 tokens together"
    assert view.rows.accessibleDescription() == (
        "two 0.400, three 0.200, four 0.150, five 0.100, six 0.060"
    )
    middle = view.rows.row_rect(3).center()
    assert view.rows.text_at(middle) == "five, token 5\nthree gives it 0.1"
    QTest.mouseClick(view.rows, Qt.MouseButton.LeftButton, pos=middle.toPoint())
    QTest.keyClick(view.rows, Qt.Key.Key_Down)
    QTest.keyClick(view.rows, Qt.Key.Key_Up)
    told = [intent for intent in intents if not isinstance(intent, HoverPair)]
    assert told == [SelectPair(2, 4), StepPair(-1), StepPair(1)]


def test_special_tokens_that_hide_are_counted_among_the_others(shown: Shown) -> None:
    frame = row_frame([0.6, 0.3, 0.1], ("[CLS]", "two", "three"), 1, special=False)
    assert frame.run is not None
    pieces = (replace(frame.run.key_pieces[0], special=True), *frame.run.key_pieces[1:])
    frame = replace(frame, run=replace(frame.run, pieces=pieces, key_pieces=pieces))
    view, _intents = shown(frame)
    assert view.rows.keys == (1, 2)
    assert view.rows.others == "the other 1 token"


def test_a_line_one_token_wide_stays_in_sight(shown: Shown) -> None:
    made = np.zeros((1, 1, 900, 900))
    made[..., 451] = 1.0
    view, _intents = shown(file_frame(tuple(f"w{n}" for n in range(900)), given={"weights": made}))
    picture = view.map.grab().toImage()
    full = Theme().weights_map.fill(1.0, 1.0)
    column = view.map.cell(700, 451).center()
    near = [picture.pixelColor(round(column.x()) + by, round(column.y())) for by in (-1, 0, 1)]
    assert full in near


def test_dragging_moves_the_window(shown: Shown) -> None:
    view, intents = shown(windowed())
    start = view.map.window_rect.center().toPoint()
    drag(view, start, start + QPoint(68, 34))
    moved = [intent for intent in intents if isinstance(intent, MoveWindow)][-1]
    assert moved.size == 24
    # 272 px are 120 tokens.
    assert moved.key == pytest.approx(30 + 30, abs=1)
    assert moved.query == pytest.approx(40 + 15, abs=1)


def test_a_click_elsewhere_brings_the_window_there(shown: Shown) -> None:
    view, intents = shown(windowed())
    at = view.map.cell(90, 100).center().toPoint()
    QTest.mouseClick(view.map, Qt.MouseButton.LeftButton, pos=at)
    moved = [intent for intent in intents if isinstance(intent, MoveWindow)]
    assert moved == [MoveWindow(78, 88, 24)]


def test_a_corner_makes_it_larger_and_the_opposite_one_stays(shown: Shown) -> None:
    view, intents = shown(windowed())
    corner = view.map.window_rect.bottomRight().toPoint()
    drag(view, corner, view.map.cell(84, 74).topLeft().toPoint())
    moved = [intent for intent in intents if isinstance(intent, MoveWindow)][-1]
    assert (moved.query, moved.key) == (40, 30)
    assert moved.size == pytest.approx(44, abs=1)
    intents.clear()
    corner = view.map.window_rect.topLeft().toPoint()
    drag(view, corner, view.map.cell(50, 40).topLeft().toPoint())
    moved = [intent for intent in intents if isinstance(intent, MoveWindow)][-1]
    assert (moved.query + moved.size, moved.key + moved.size) == (64, 54)
    assert moved.size == pytest.approx(14, abs=1)


def test_the_wheel_zooms_about_the_middle(shown: Shown) -> None:
    view, intents = shown(windowed())
    at = view.map.window_rect.center()
    for turn in (120, -120):
        event = QWheelEvent(
            at,
            view.map.mapToGlobal(at),
            QPoint(),
            QPoint(0, turn),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(view.map, event)
    closer, farther = (intent for intent in intents if isinstance(intent, MoveWindow))
    assert closer.size < 24 < farther.size
    for moved in (closer, farther):
        assert moved.query + moved.size / 2 == pytest.approx(52, abs=1)


def test_keys_move_it_and_open_it(shown: Shown) -> None:
    view, intents = shown(windowed(query=95))
    shift = Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(view.map, Qt.Key.Key_Left)
    QTest.keyClick(view.map, Qt.Key.Key_Right, shift)
    QTest.keyClick(view.map, Qt.Key.Key_Down, shift)  # as far as there is
    QTest.keyClick(view.map, Qt.Key.Key_Return)
    assert intents == [
        MoveWindow(95, 29, 24),
        MoveWindow(95, 40, 24),
        MoveWindow(96, 30, 24),
        ChangeModelLook({"centre": ModelCentre.MATRIX}),
    ]
    QTest.mouseClick(view.button, Qt.MouseButton.LeftButton)
    assert intents[-1] == ChangeModelLook({"centre": ModelCentre.MATRIX})


def test_a_cell_of_the_window_is_selected(shown: Shown) -> None:
    view, intents = shown(windowed())
    assert view.place.text() == "queries 41–64  keys 31–54"
    at = view.inset.cell(50, 33).center()
    QTest.mouseClick(view.inset, Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert SelectPair(50, 33) in intents
    assert view.inset.text_at(QPointF(at)).startswith("that 51 → cat 34\n")


def test_a_window_is_never_larger_than_the_head(shown: Shown) -> None:
    view, _intents = shown(file_frame(WORDS, look=ModelLook(window=(500, 500, 24))))
    assert view.title.text() == "The window, 12 × 12"
    assert view.place.text() == "queries 1–12  keys 1–12"


def test_in_a_low_window_keys_and_head_take_turns(shown: Shown) -> None:
    view, _intents = shown(windowed(query=40, key=30))
    parts = (view.tabs, view.rows, view.map, view.below)

    def seen() -> list[bool]:
        return [part.isVisible() for part in parts]

    assert seen() == [False, True, True, True]
    view.tabs.set_by_turns(True)
    assert seen() == [True, True, False, False]
    QTest.mouseClick(view.tabs.button("map"), Qt.MouseButton.LeftButton)
    assert seen() == [True, False, True, True]
    view.tabs.set_by_turns(False)
    assert seen() == [False, True, True, True]


def test_a_narrow_panel_cuts_nothing_of_the_head_off(shown: Shown) -> None:
    view, _intents = shown(windowed())
    view.resize(332, 684)
    QApplication.processEvents()
    assert view.map.width() == 332
    assert view.map.area.right() < 332 - 16
    assert view.map.area.bottom() < view.map.height()
    assert view.map.area.width() == view.map.area.height()
