"""Train's keys, wherever the focus is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.app.train.bench import TrainBench
from explorer.session.lab import Page, Progress, RunState
from explorer.session.lab.intents import FollowLive, Play
from explorer.views.theme import Theme
from tests.lab_frames import lab_frame, recorded_run


@pytest.fixture
def bench(qtbot: QtBot) -> TrainBench:
    bench = TrainBench(Theme())
    qtbot.addWidget(bench)
    bench.resize(1200, 700)
    with qtbot.waitExposed(bench):
        bench.show()
    running = Progress(RunState.RUNNING, 3, 9)
    frame = lab_frame(recorded_run(steps=4), progress=running)
    for view in bench.views:
        view.draw(frame)
    return bench


@pytest.mark.parametrize("place", ["graph", "timeline"])
def test_space_plays_and_l_follows_where_no_control_wants_them(
    bench: TrainBench, place: str
) -> None:
    asked: list[object] = []
    bench.timeline.intent.connect(asked.append)
    focused = {"graph": bench.graph.viewport(), "timeline": bench.timeline.chart.slider}[place]
    QTest.keyClick(focused, Qt.Key.Key_Space)
    QTest.keyClick(focused, Qt.Key.Key_L)
    assert asked == [Play(True), FollowLive()]


def test_space_plays_from_the_sentences(bench: TrainBench) -> None:
    asked: list[object] = []
    bench.timeline.intent.connect(asked.append)
    QTest.keyClick(bench.parameters.corpus.list, Qt.Key.Key_Space)
    assert asked == [Play(True)]


def test_a_button_keeps_its_space(bench: TrainBench) -> None:
    asked: list[object] = []
    bench.timeline.intent.connect(asked.append)
    QTest.keyClick(bench.bar.pages.button(Page.SPACES), Qt.Key.Key_Space)
    assert asked == []
