"""What the timeline's pixels say."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPoint
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.loss_curves import Curves, paired
from explorer.kit.plot import paint_plot
from explorer.kit.theme import Theme
from explorer.rooms.train.timeline import COMPACT
from explorer.rooms.train.timeline_chart import HEIGHT
from explorer.session.train import Cursor, Playback, Progress, RunState, Scalars, TrainFrame
from explorer.session.train.intents import GoToEpoch
from explorer.traces import BadStep
from tests.pixels import pixels
from tests.proofreading import written_on
from tests.rooms.train.timeline.conftest import (
    DARK,
    LEFT,
    LIGHT,
    Shown,
    count,
    frame_of,
    make,
    scalars,
)
from tests.train_frames import recorded_run, train_frame

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


@pytest.mark.parametrize("theme", [LIGHT, Theme(percent=150)])
def test_the_playhead_crosses_no_name_of_a_curve(qtbot: QtBot, theme: Theme) -> None:
    shown = make(qtbot, theme)
    known = scalars(np.linspace(3, 0.02, 301), np.linspace(0, 1, 301))
    sides = set()
    for step in range(1, 61):
        shown.draw(frame_of(61, step, scalars=known))
        line = shown.view.chart.plot.x(shown.view.chart.playhead)
        texts = [
            each for each in written_on(shown.view.chart) if re.match("loss|accuracy", each.text)
        ]
        assert len(texts) == 2
        for each in texts:
            assert not each.box.left() - 2 < line < each.box.right() + 2, (step, each)
        # Beside the playhead it says the loss there, else the last one.
        loss, before = texts[1], shown.view.chart.playhead / 300
        beside = line - 20 < loss.box.right() < line
        value = 3 - 2.98 * before if beside else 0.02
        assert loss.text == f"loss {value:.2f}"
        sides.add(beside)
    assert sides == {False, True}


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
    frame = train_frame(recorded_run(only=()), Cursor(0), scalars=Scalars())
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
    shown.draw(train_frame(trace, Cursor(3), scalars=missing))
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
    assert shown.asked() == [GoToEpoch(0, True), GoToEpoch(0)]
    shown.draw(frame_of(1, 0, last_epoch=0))
    shown.image()
    QTest.mouseClick(shown.view.chart, LEFT, pos=shown.at(0))
    assert shown.asked() == [GoToEpoch(0, True), GoToEpoch(0)]


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
    top = int(plot.y(1.0))
    assert count(shown.image(), ink, (spike - 1, top - 2, spike + 2, top + 8)) >= 8
    assert shown.view.transport.title.text() == "Epoch 20000"


def test_moving_the_playhead_paints_the_curves_from_memory(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[Any] = []

    def counted(*parts: Any) -> Any:
        painted.append(parts)
        return paint_plot(*parts)

    monkeypatch.setattr("explorer.rooms.train.timeline_still.paint_plot", counted)
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
    with QPainter(generator) as painter:
        shown.view.chart.render(painter, QPoint())
    picture = bytes(buffer.data().data())
    assert b"<polyline" in picture
    assert b"<image" not in picture


def test_a_run_without_a_loss_stands_on_the_other_s_logarithmic_axis() -> None:
    epochs = np.arange(3.0)
    first = Curves.of(Scalars(epochs, np.array([1.0, 0.1, 0.01]), epochs / 3), log=True)
    none = np.full(3, np.nan)
    for other in (Curves.of(Scalars(epochs, none, none), log=True), Curves()):
        one, two = paired(first, other)
        assert (one.low, one.high, one.log) == (two.low, two.high, two.log) == (0.01, 1.0, True)
        assert np.isfinite(one.heights(one.loss)).all()
        assert np.isfinite(two.heights(0.0))


def test_a_followed_run_lies_as_when_it_is_opened_again(shown: Shown, qtbot: QtBot) -> None:
    loss = 3.4 * np.exp(-np.arange(301) / 60) + 0.1 * np.sin(np.arange(301) / 5) ** 2
    accuracy = np.linspace(0, 1, 301)

    def frame(known: int, state: RunState) -> TrainFrame:
        """Return a run of 300 epochs of which so many are known, each recorded."""
        return replace(
            frame_of(7, 3),
            scalars=scalars(loss[:known], accuracy[:known]),
            recorded=np.arange(known),
            cursor=Cursor(known - 1),
            last_epoch=300,
            playback=Playback(following=True),
            progress=Progress(state, known - 1, 300, "cpu"),
        )

    for known in (2, 3, 40, 41, 180, 301):
        shown.draw(frame(known, RunState.RUNNING))
        anew = make(qtbot, LIGHT)
        anew.draw(frame(known, RunState.RUNNING))
        one, two = (pixels(each.image()).astype(int) for each in (shown, anew))
        apart = np.abs(one - two).max(axis=2)
        assert (apart > 64).mean() < 0.0005, "but for soft edges"
    for each in (shown, anew):
        each.draw(frame(301, RunState.FINISHED))
    assert shown.image() == anew.image()


def test_the_curves_take_the_height_that_there_is(shown: Shown) -> None:
    shown.draw(frame_of(7, 3))
    chart = shown.view.chart
    before = chart.plot

    chart.resize(chart.width(), HEIGHT + 200)

    assert chart.plot.bottom == before.bottom + 200
    assert chart.plot.top == before.top
