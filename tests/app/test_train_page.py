"""Train's keys, wherever the focus is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.kit.theme import Theme
from explorer.rooms.train.page import TrainPage
from explorer.session.train import Progress, RunState, TrainCentre
from explorer.session.train.intents import FollowLive, Play
from tests.train_frames import recorded_run, train_frame


@pytest.fixture
def page(qtbot: QtBot) -> TrainPage:
    page = TrainPage(Theme())
    qtbot.addWidget(page)
    page.resize(1200, 700)
    with qtbot.waitExposed(page):
        page.show()
    running = Progress(RunState.RUNNING, 3, 9)
    frame = train_frame(recorded_run(steps=4), progress=running)
    for view in page.views:
        view.draw(frame)
    return page


@pytest.mark.parametrize("place", ["graph", "timeline"])
def test_space_plays_and_l_follows_where_no_control_wants_them(page: TrainPage, place: str) -> None:
    asked: list[object] = []
    page.timeline.intent.connect(asked.append)
    focused = {"graph": page.graph.viewport(), "timeline": page.timeline.chart.slider}[place]
    QTest.keyClick(focused, Qt.Key.Key_Space)
    QTest.keyClick(focused, Qt.Key.Key_L)
    assert asked == [Play(True), FollowLive()]


def test_space_plays_from_the_sentences(page: TrainPage) -> None:
    asked: list[object] = []
    page.timeline.intent.connect(asked.append)
    QTest.keyClick(page.parameters.corpus.list, Qt.Key.Key_Space)
    assert asked == [Play(True)]


def test_a_button_keeps_its_space(page: TrainPage) -> None:
    asked: list[object] = []
    page.timeline.intent.connect(asked.append)
    QTest.keyClick(page.bar.pages.button(TrainCentre.SPACES), Qt.Key.Key_Space)
    assert asked == []
