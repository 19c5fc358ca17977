"""The timeline: real keys and mouse in, intents out; what its pixels say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPoint, Qt
from PySide6.QtGui import QAccessible, QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.session.lab import (
    Cursor,
    LabFrame,
    Playback,
    Progress,
    RunState,
    Scalars,
)
from explorer.session.lab.intents import (
    FollowLive,
    GoToEpoch,
    GoToStep,
    Play,
    SetLoop,
    SetRate,
    StepBy,
)
from explorer.traces import BadStep
from explorer.views.lab.timeline import COMPACT, HEIGHT, TimelineView
from explorer.views.lab.timeline_axis import columns, label_epochs, nearest, rounded_up, thinned
from explorer.views.lab.timeline_curves import Curves
from explorer.views.lab.timeline_paint import paint_ground
from explorer.views.style import dress
from explorer.views.theme import Theme
from tests.lab_frames import lab_frame, recorded_run

LEFT = Qt.MouseButton.LeftButton
LIGHT, DARK = Theme(), Theme(dark=True)
RUNNING = Progress(RunState.RUNNING, 30, 60, "cpu")


def frame_of(steps: int = 7, step: int = 3, **changes: Any) -> LabFrame:
    return lab_frame(recorded_run(steps=steps), Cursor(step), **changes)


def scalars(loss: Any, accuracy: Any | None = None) -> Scalars:
    loss = np.asarray(loss, float)
    accuracy = np.zeros(len(loss)) if accuracy is None else np.asarray(accuracy, float)
    return Scalars(np.arange(float(len(loss))), loss, accuracy)


class Shown:
    """A shown timeline and everything it asks for."""

    def __init__(self, view: TimelineView) -> None:
        self.view = view
        self.intents: list[object] = []
        view.intent.connect(self.intents.append)

    def draw(self, frame: LabFrame) -> None:
        self.view.draw(frame)
        QApplication.processEvents()

    def asked(self) -> list[object]:
        asked, self.intents[:] = list(self.intents), []
        return asked

    def at(self, epoch: float, height: float = 40) -> QPoint:
        return QPoint(round(self.view.chart.plot.x(epoch)), round(height))

    def image(self) -> QImage:
        return self.view.chart.grab().toImage()

    def pixel(self, point: QPoint) -> str:
        return self.image().pixelColor(point).name()


@pytest.fixture
def shown(qtbot: QtBot) -> Shown:
    return make(qtbot, LIGHT)


def make(qtbot: QtBot, theme: Theme) -> Shown:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    dress(application, theme)
    view = TimelineView(theme)
    qtbot.addWidget(view)
    view.resize(1200, view.height())
    with qtbot.waitExposed(view):
        view.show()
    return Shown(view)


def count(image: QImage, colour: QColor, box: tuple[int, int, int, int]) -> int:
    left, top, right, bottom = box
    return sum(
        image.pixelColor(x, y).name() == colour.name()
        for x in range(max(left, 0), min(right, image.width()))
        for y in range(max(top, 0), min(bottom, image.height()))
    )


# --- arithmetic ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "top"),
    [(3.4, 3.5), (3.5, 3.5), (12, 15), (2.08, 2.5), (0.03, 0.03), (99, 100), (1e300, 1e300)],
)
def test_the_axis_ends_at_a_round_number(value: float, top: float) -> None:
    assert rounded_up(value) == pytest.approx(top)


@pytest.mark.parametrize("value", [5e-324, 1.7e308, 0.1, 7.3])
def test_the_axis_never_ends_below_what_it_shows(value: float) -> None:
    assert value <= rounded_up(value) < np.inf


def test_epoch_labels_are_round_and_hold_both_ends() -> None:
    assert label_epochs(200, 6) == [0, 50, 100, 150, 200]
    assert label_epochs(0, 6) == [0]
    assert label_epochs(1, 6) == [0, 1]
    for last in (7, 33, 999, 100_000):
        labels = label_epochs(last, 6)
        assert labels[0] == 0
        assert labels[-1] == last
        assert len(labels) <= 7


def test_ticks_are_thinned_where_they_would_touch() -> None:
    dense = np.linspace(0, 100, 1001)
    kept = thinned(dense, 4)
    assert np.diff(kept).min() >= 4
    assert set(kept) <= set(dense)
    assert len(thinned(np.array([0.0, 5.0, 10.0]), 4)) == 3


def test_columns_hold_every_extreme_and_leave_no_gap() -> None:
    rng = np.random.default_rng(3)
    x, y = np.sort(rng.uniform(0, 50, 4000)), rng.normal(size=4000)
    places, low, high = columns(x, y)
    for place, least, most in zip(places, low, high, strict=True):
        inside = y[np.floor(x) == place]
        assert least <= inside.min()
        assert most >= inside.max()
    assert (low[1:] <= high[:-1]).all()
    assert (high[1:] >= low[:-1]).all()


def test_nearest_takes_the_closer_neighbour() -> None:
    values = np.array([0, 5, 10, 12])
    assert [nearest(values, at) for at in (-3, 2, 3, 7.6, 11.5, 99)] == [0, 0, 1, 2, 3, 3]


# --- what is said --------------------------------------------------------------------------------


def test_it_says_epoch_and_frame(shown: Shown) -> None:
    shown.draw(frame_of(7, 3))
    assert shown.view.transport.title.text() == "Epoch 15"
    assert shown.view.transport.place.text() == "frame 4 of 7"


def test_long_numbers_fit_beside_each_other(shown: Shown) -> None:
    recorded = np.arange(0, 100_001, 5.0)
    frame = replace(frame_of(), recorded=recorded, cursor=Cursor(20_000), last_epoch=100_000)
    shown.draw(frame)
    transport = shown.view.transport
    assert transport.title.text() == "Epoch 100000"
    assert transport.place.text().startswith(("20001 of", "20001/", "frame 20001"))
    for label in (transport.title, transport.place):
        assert label.width() >= label.fontMetrics().horizontalAdvance(label.text())


def test_without_a_run_there_is_the_track_alone(shown: Shown) -> None:
    shown.draw(LabFrame())
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


# --- keys and buttons ----------------------------------------------------------------------------


def press(shown: Shown, key: Qt.Key) -> None:
    """Press a key as a person would: with the timeline's own focus."""
    shown.view.setFocus(Qt.FocusReason.TabFocusReason)
    target = QApplication.focusWidget() or shown.view
    QTest.keyClick(target, key)


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
    assert shown.asked() == [GoToEpoch(10)]
    QTest.mouseClick(shown.view.chart, LEFT, pos=shown.at(15, height))
    assert shown.asked() == [GoToEpoch(15)], "also where the cursor is: it stops following"
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
    assert shown.asked() == [GoToEpoch(float(epoch)) for epoch in range(0, 31, 5)]
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


# --- pixels --------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_what_is_not_yet_run_is_grey(qtbot: QtBot, theme: Theme) -> None:
    shown = make(qtbot, theme)
    shown.draw(frame_of(7, 3, last_epoch=60))
    grey = theme.color("hover").name()
    assert shown.pixel(shown.at(55, 50)) == grey
    assert shown.pixel(shown.at(28, 50)) == theme.color("win").name()
    assert shown.pixel(shown.at(55, 114)) == theme.color("line2").name()
    assert shown.pixel(shown.at(27, 114)) == theme.color("ctl").name()
    shown.draw(frame_of(7, 3, last_epoch=30))
    assert grey not in {shown.pixel(shown.at(e, 50)) for e in (10, 20, 29)}


def test_ticks_stand_at_recorded_steps(shown: Shown) -> None:
    shown.draw(frame_of(7, 3))
    below = 114 + 6  # outside the track, within a tick
    image = shown.image()
    row = [image.pixelColor(x, below).name() for x in range(image.width())]
    tick = LIGHT.color("ctl").name()
    for epoch in (0, 5, 10, 20, 25, 30):
        assert tick in row[shown.at(epoch).x() - 1 : shown.at(epoch).x() + 2]
    assert row.count(tick) == 6, "the seventh is under the playhead"


def test_the_playhead_goes_through_curve_and_track(shown: Shown) -> None:
    shown.draw(frame_of(7, 3))
    assert shown.pixel(shown.at(15, 105)) == LIGHT.color("ink1").name()
    assert shown.pixel(shown.at(15, 114)) == LIGHT.color("raised").name()
    # On the way to the next step it is between the two.
    shown.draw(frame_of(7, 3, playback=Playback(playing=True, between=0.5)))
    assert shown.pixel(shown.at(17.5, 105)) == LIGHT.color("ink1").name()
    assert shown.pixel(shown.at(15, 105)) == LIGHT.color("win").name()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("at", [0, 1, 20])
def test_a_loss_that_is_no_number_ends_in_a_cross(shown: Shown, bad: float, at: int) -> None:
    loss = np.full(31, 2.0)
    loss[at:] = bad
    shown.draw(frame_of(7, 6, scalars=scalars(loss)))
    x = shown.at(at).x()
    err = LIGHT.color("err")
    assert count(shown.image(), err, (x - 7, 10, x + 8, 95)) > 15
    shown.draw(frame_of(7, 6, scalars=scalars(np.full(31, 2.0))))
    assert count(shown.image(), err, (0, 0, 2000, 148)) == 0


def test_the_playhead_hides_nothing_of_the_cross(shown: Shown) -> None:
    loss = np.full(301, 2.0)
    loss[21:] = np.nan
    seen = []
    for step in (4, 40):  # one epoch before it, and far away
        shown.draw(frame_of(61, step, scalars=scalars(loss)))
        x = shown.at(21).x()
        seen.append(count(shown.image(), LIGHT.color("err"), (x - 7, 10, x + 8, 95)))
    assert seen[0] == seen[1] > 15


def test_a_trace_without_curves_says_so_and_a_run_that_begins_does_not(shown: Shown) -> None:
    middle = (300, 30, 800, 85)
    frame = lab_frame(recorded_run(only=()), Cursor(0), scalars=Scalars())
    shown.draw(frame)
    assert count(shown.image(), LIGHT.color("win"), middle) < 500 * 55
    shown.draw(replace(frame, modified=True))
    assert count(shown.image(), LIGHT.color("win"), middle) == 500 * 55


def test_the_words_for_a_loss_that_is_no_number() -> None:
    curves = Curves.of(scalars([3.0, 2.0, np.nan, 1.0]))
    assert curves.broken == 2
    assert curves.said(1) == "epoch 1, loss 2.00, accuracy 0%"
    assert curves.said(2) == "epoch 2, loss is not a number, accuracy 0%"
    assert Curves.of(scalars([np.nan])).broken == 0
    assert Curves.of(Scalars()).broken is None


def test_scalars_may_be_missing_or_negative(shown: Shown) -> None:
    shown.draw(frame_of(7, 3, scalars=Scalars()))
    shown.image()
    only_loss = Scalars(np.arange(31.0), np.linspace(2, -3, 31), np.zeros(0))
    shown.draw(frame_of(7, 3, scalars=only_loss))
    shown.image()
    assert shown.view.chart.said == "epoch 15, loss −0.50"


def test_a_loss_that_was_not_recorded_is_no_divergence(shown: Shown) -> None:
    trace = recorded_run(without=("scalar.loss",))
    missing = Scalars(np.arange(31.0), np.full(31, np.nan), np.ones(31))
    shown.draw(lab_frame(trace, Cursor(3), scalars=missing))
    assert shown.view.chart.said == "epoch 15, accuracy 100%"
    assert count(shown.image(), LIGHT.color("err"), (0, 0, 2000, 148)) == 0


def test_steps_that_cannot_be_shown_are_marked(shown: Shown) -> None:
    frame = frame_of(7, 3)
    assert frame.trace is not None
    shown.draw(frame)
    frame.trace.bad_steps[5] = BadStep("No.", step=5, name="q")
    frame.trace.bad_steps[50] = BadStep("No.", step=50, name="q")
    shown.draw(frame)
    x = shown.at(25).x()
    assert count(shown.image(), LIGHT.color("err"), (x - 8, 108, x + 9, 126)) > 15
    assert count(shown.image(), LIGHT.color("err"), (0, 0, 2000, 148)) < 200


def test_one_recorded_step(shown: Shown) -> None:
    shown.draw(frame_of(1, 0, last_epoch=200))
    shown.image()
    QTest.mouseClick(shown.view.chart, LEFT, pos=shown.at(150))
    assert shown.asked() == [GoToEpoch(0)]
    shown.draw(frame_of(1, 0, last_epoch=0))
    shown.image()
    QTest.mouseClick(shown.view.chart, LEFT, pos=shown.at(0))
    assert shown.asked() == [GoToEpoch(0)]


def test_a_hundred_thousand_epochs(shown: Shown) -> None:
    epochs = np.arange(100_001)
    loss = 1.0 + (epochs % 2)
    loss[70_000] = 40.0
    frame = replace(
        frame_of(),
        scalars=scalars(loss),
        recorded=epochs[::5].astype(float),
        cursor=Cursor(4000),
        last_epoch=100_000,
    )
    shown.draw(frame)
    ink = LIGHT.color("ink1")
    plot = shown.view.chart.plot
    spike = shown.at(70_000).x()
    top = int(plot.bottom - (plot.bottom - plot.top) * 40 / 40)
    assert count(shown.image(), ink, (spike - 1, top - 2, spike + 2, top + 8)) >= 8
    assert shown.view.transport.title.text() == "Epoch 20000"


def test_moving_the_playhead_paints_the_curves_from_memory(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[Any] = []

    def counted(*parts: Any) -> Any:
        painted.append(parts)
        return paint_ground(*parts)

    monkeypatch.setattr("explorer.views.lab.timeline_chart.paint_ground", counted)
    frame = frame_of(7, 0)
    for step in range(7):
        shown.draw(replace(frame, cursor=Cursor(step)))
        shown.image()
    assert len(painted) == 1
    longer = scalars(np.linspace(3, 1, 41))
    shown.draw(replace(frame, scalars=longer, last_epoch=40))
    shown.image()
    assert len(painted) == 2


# --- as every view -------------------------------------------------------------------------------


def test_compact_takes_half_the_height(shown: Shown) -> None:
    shown.draw(frame_of(7, 3))
    assert shown.view.height() == HEIGHT
    shown.view.set_compact(True)
    QApplication.processEvents()
    assert shown.view.height() == COMPACT
    assert shown.pixel(shown.at(15, 46)) == LIGHT.color("raised").name(), "the playhead"
    assert not shown.view.transport.rate.isVisible()
    shown.view.set_compact(False)
    assert shown.view.height() == HEIGHT


def test_it_can_be_exported_as_vectors(shown: Shown) -> None:
    shown.draw(frame_of())
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    painter = QPainter(generator)
    shown.view.chart.render(painter, QPoint())
    painter.end()
    picture = bytes(buffer.data().data())
    assert b"<polyline" in picture
    assert b"<image" not in picture
