"""Moving in time: what the timeline says, and what real keys and mouse ask for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.numbers import csv_of
from explorer.session.train import Cursor, Playback, Progress, RunState, TrainFrame
from explorer.session.train.intents import (
    FollowLive,
    GoToEpoch,
    GoToStep,
    Play,
    SetLoop,
    SetRate,
    StepBy,
)
from tests.rooms.train.timeline.conftest import LEFT, LIGHT, Shown, count, frame_of, scalars

NO_KEY = Qt.KeyboardModifier.NoModifier
RUNNING = Progress(RunState.RUNNING, 30, 60, "cpu")


# --- what is said --------------------------------------------------------------------------------


def test_it_says_epoch_and_step(shown: Shown) -> None:
    shown.draw(frame_of(7, 3))
    assert shown.view.transport.title.text() == "Epoch 15"
    assert shown.view.transport.place.text() == "step 4 of 7"


def test_long_numbers_fit_beside_each_other(shown: Shown) -> None:
    recorded = np.arange(0, 100_001, 5.0)
    frame = replace(frame_of(), recorded=recorded, cursor=Cursor(20_000), last_epoch=100_000)
    shown.draw(frame)
    transport = shown.view.transport
    assert transport.title.text() == "Epoch 100000"
    assert transport.place.text().startswith(("20001 of", "20001/", "step 20001"))
    for label in (transport.title, transport.place):
        assert label.width() >= label.fontMetrics().horizontalAdvance(label.text())


def test_without_a_run_there_is_the_track_alone(shown: Shown) -> None:
    shown.draw(TrainFrame())
    assert shown.view.transport.title.text() == "No run yet"
    assert not shown.view.transport.play.isEnabled()
    image = shown.image()
    colours = {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }
    track = {LIGHT.color("win").name(), LIGHT.color("line2").name()}
    mixed = {name for name in colours if name not in track}
    assert track <= colours
    assert LIGHT.color("ink1").name() not in colours
    assert len(mixed) < 40, "nothing but the rounded ends of the track"
    for key in (Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Space, Qt.Key.Key_L):
        press(shown, key)
    assert shown.asked() == []


def test_a_screen_reader_is_told_and_may_move(shown: Shown) -> None:
    shown.draw(frame_of(7, 2, scalars=scalars(np.linspace(3, 0, 31))))
    slider = shown.view.chart.slider
    assert (slider.minimum(), slider.maximum(), slider.value()) == (0, 6, 2)
    assert slider.accessibleDescription() == "epoch 10, loss 2.00, accuracy 0%"
    accessible = QAccessible.queryAccessibleInterface(slider)
    assert accessible.role() == QAccessible.Role.Slider
    assert shown.asked() == []
    slider.setValue(5)
    assert shown.asked() == [GoToStep(5)]


def press(shown: Shown, key: Qt.Key) -> None:
    """Press a key as a person would: with the timeline's own focus."""
    shown.view.setFocus(Qt.FocusReason.TabFocusReason)
    target = QApplication.focusWidget() or shown.view
    QTest.keyClick(target, key)


# --- keys and buttons ----------------------------------------------------------------------------


def test_keys_move_play_and_follow(shown: Shown) -> None:
    shown.draw(frame_of(7, 3, progress=RUNNING))
    for key, intent in (
        (Qt.Key.Key_Left, StepBy(-1)),
        (Qt.Key.Key_Right, StepBy(1)),
        (Qt.Key.Key_Home, GoToStep(0)),
        (Qt.Key.Key_End, GoToStep(6)),
        (Qt.Key.Key_Space, Play(True)),
        (Qt.Key.Key_L, FollowLive()),
    ):
        press(shown, key)
        assert shown.asked() == [intent]
    shown.draw(frame_of(7, 3, playback=Playback(playing=True)))
    press(shown, Qt.Key.Key_Space)
    assert shown.asked() == [Play(False)]


def test_nothing_can_be_followed_where_nothing_runs(shown: Shown) -> None:
    shown.draw(frame_of(7, 6))
    press(shown, Qt.Key.Key_L)
    assert shown.asked() == []


def test_arrows_move_in_time_from_a_button_too(shown: Shown) -> None:
    shown.draw(frame_of(7, 3))
    shown.view.transport.back.setFocus()
    QTest.keyClick(shown.view.transport.back, Qt.Key.Key_Right)
    assert shown.asked() == [StepBy(1)]


def test_buttons_ask(shown: Shown) -> None:
    transport = shown.view.transport
    shown.draw(frame_of(7, 3))
    for button, intent in (
        (transport.to_start, GoToStep(0)),
        (transport.back, StepBy(-1)),
        (transport.play, Play(True)),
        (transport.forward, StepBy(1)),
        (transport.to_end, GoToStep(6)),
        (transport.loop, SetLoop(True)),
    ):
        QTest.mouseClick(button, LEFT)
        assert shown.asked() == [intent]
    assert not transport.loop.isChecked(), "the frame alone says what is checked"
    shown.draw(frame_of(7, 3, playback=Playback(loop=True)))
    assert transport.loop.isChecked()
    transport.rate.setFocus()
    QTest.keyClick(transport.rate, Qt.Key.Key_Down)
    assert shown.asked() == [SetRate(16)]
    assert transport.rate.currentData() == 8


def test_buttons_at_the_ends_cannot_be_pressed(shown: Shown) -> None:
    transport = shown.view.transport
    shown.draw(frame_of(7, 0))
    assert [b.isEnabled() for b in (transport.to_start, transport.back, transport.forward)] == [
        False,
        False,
        True,
    ]
    shown.draw(frame_of(1, 0))
    assert not transport.play.isEnabled()
    assert not transport.to_end.isEnabled()


def test_live_is_there_while_a_run_goes_on(shown: Shown) -> None:
    live = shown.view.live
    shown.draw(frame_of())
    assert not live.isVisible()
    shown.draw(frame_of(progress=RUNNING))
    assert live.isVisible()
    assert not live.isChecked()
    QTest.mouseClick(live, LEFT)
    assert shown.asked() == [FollowLive()]
    assert not live.isChecked()
    shown.draw(frame_of(progress=RUNNING, playback=Playback(following=True)))
    assert live.isChecked()
    shown.draw(frame_of(playback=Playback(following=True)))
    assert not live.isVisible()


# --- the mouse -----------------------------------------------------------------------------------


@pytest.mark.parametrize("height", [40, 114])
def test_a_press_on_curve_or_track_goes_to_the_recorded_epoch_beside_it(
    shown: Shown, height: float
) -> None:
    shown.draw(frame_of(7, 3))
    QTest.mouseClick(shown.view.chart, LEFT, pos=shown.at(11, height))
    assert shown.asked() == [GoToEpoch(10, True), GoToEpoch(10)]
    QTest.mouseClick(shown.view.chart, LEFT, pos=shown.at(15, height))
    # Also where the cursor is: it stops following.
    assert shown.asked() == [GoToEpoch(15, True), GoToEpoch(15)]
    QTest.mouseClick(shown.view.chart, Qt.MouseButton.RightButton, pos=shown.at(5, height))
    assert shown.asked() == []


def test_a_drag_asks_once_for_each_step_it_passes(shown: Shown) -> None:
    shown.draw(frame_of(7, 3))
    chart = shown.view.chart
    QTest.mousePress(chart, LEFT, pos=shown.at(1))
    for epoch in np.linspace(1, 31, 40):
        QTest.mouseMove(chart, shown.at(float(epoch), 60))
    far = shown.at(30) + QPoint(500, 0)
    QTest.mouseMove(chart, far)
    QTest.mouseRelease(chart, LEFT, pos=far)
    passed = [GoToEpoch(float(epoch), True) for epoch in range(0, 31, 5)]
    assert shown.asked() == [*passed, GoToEpoch(30)]
    QTest.mouseMove(chart, shown.at(10))
    assert shown.asked() == [], "the button is up"


def test_hovering_reads_the_values(shown: Shown, qtbot: QtBot) -> None:
    shown.draw(frame_of(7, 0))
    before = shown.image()
    QTest.mouseMove(shown.view.chart, shown.at(20, 60))
    top = (0, 0, before.width(), 16)
    raised = LIGHT.color("raised")
    few = count(before, raised, top)
    qtbot.waitUntil(lambda: count(shown.image(), raised, top) > few + 500)
    assert shown.asked() == []


# --- a part of the epochs ------------------------------------------------------------------------


def turn(shown: Shown, epoch: float, notches: int, keys: Qt.KeyboardModifier = NO_KEY) -> None:
    chart, at = shown.view.chart, QPointF(shown.at(epoch))
    event = QWheelEvent(
        at,
        chart.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(chart, event)


def test_the_wheel_zooms_about_the_mouse_and_a_double_click_leads_back(shown: Shown) -> None:
    frame = frame_of(61, 3, scalars=scalars(np.linspace(3, 1, 301)), last_epoch=300)
    shown.draw(frame)
    at = shown.at(200)
    turn(shown, 200, 8)
    plot = shown.view.chart.plot
    assert plot.last - plot.first < 100
    assert plot.epoch(at.x()) == pytest.approx(200, abs=1)
    QTest.mouseClick(shown.view.chart, LEFT, pos=shown.at(211))
    assert shown.asked() == [GoToEpoch(210, True), GoToEpoch(210)], (
        "what is in sight is what is pressed"
    )
    # The first press of the two moves the playhead.
    QTest.mouseClick(shown.view.chart, LEFT, pos=at)
    shown.draw(replace(frame, cursor=Cursor(40)))
    QTest.mouseDClick(shown.view.chart, LEFT, pos=at)
    assert shown.asked()[-1] == GoToEpoch(15), "the playhead is where it was"
    shown.draw(frame)
    plot = shown.view.chart.plot
    assert (plot.first, plot.last) == (0, 300)
    turn(shown, 200, -8)
    assert shown.view.chart.plot == plot, "there is no more than all"


def test_a_drag_with_shift_chooses_a_range_and_moves_nothing(shown: Shown) -> None:
    shown.draw(frame_of(61, 3, scalars=scalars(np.linspace(3, 1, 301)), last_epoch=300))
    shift, chart = Qt.KeyboardModifier.ShiftModifier, shown.view.chart
    left, right = shown.at(100), shown.at(160)
    QTest.mousePress(chart, LEFT, shift, right)
    QTest.mouseMove(chart, left)
    QTest.mouseRelease(chart, LEFT, shift, left)
    assert shown.asked() == []
    plot = shown.view.chart.plot
    assert (plot.first, plot.last) == pytest.approx((100, 160), abs=1)
    turn(shown, 130, -1, shift)
    moved = shown.view.chart.plot
    assert moved.first > plot.first
    assert moved.last - moved.first == pytest.approx(plot.last - plot.first)


def test_keys_zoom_and_the_playhead_stays_in_sight(shown: Shown) -> None:
    frame = frame_of(61, 3, scalars=scalars(np.linspace(3, 1, 301)), last_epoch=300)
    shown.draw(frame)
    for _press in range(6):
        press(shown, Qt.Key.Key_Plus)
    near = shown.view.chart.plot
    assert near.holds(15)
    assert not near.holds(200)
    shown.draw(replace(frame, cursor=Cursor(40)))
    assert shown.view.chart.plot.holds(200)
    press(shown, Qt.Key.Key_Minus)
    assert shown.view.chart.plot.last - shown.view.chart.plot.first > near.last - near.first
    press(shown, Qt.Key.Key_0)
    assert shown.view.chart.plot.first == 0
    assert shown.view.chart.plot.last == 300
    assert shown.asked() == []


def test_the_menu_has_the_logarithm_and_there_are_the_numbers(shown: Shown) -> None:
    loss = 10.0 ** np.linspace(0, -4, 31)
    shown.draw(frame_of(7, 3, scalars=scalars(loss)))
    by_text = {action.text(): action for action in shown.view.curves.actions()}
    before = shown.image()
    by_text["Logarithmic loss"].trigger()
    assert shown.image() != before
    x, y = shown.at(7.5).x(), round(shown.view.chart.plot.y(0.75))
    ink = LIGHT.color("ink1")
    assert count(shown.image(), ink, (x - 2, y - 2, x + 3, y + 3)) > 0, "the line is straight"
    by_text["Logarithmic loss"].trigger()
    assert shown.image() == before
    rows = csv_of(shown.view.curves.plotted()).splitlines()
    assert rows[0] == "epoch,loss,accuracy"
    assert rows[8] == f"7,{float(loss[7])!r},0", "whole numbers have no points"
    assert len(rows) == 32
