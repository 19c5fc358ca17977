"""How many pictures a second the word graph paints while it is turned."""

from __future__ import annotations

import statistics
import time
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.kit.theme import Theme
from explorer.rooms.train.graph import GraphView
from explorer.session.train import TrainFrame
from tests.train_frames import recorded_run, sentences, train_frame

TURNS = 40
ROUNDS = 5


def rates(qtbot: QtBot, frame: TrainFrame) -> tuple[int, float]:
    """Return how many edges there are and the pictures a second, the median of five rounds."""
    view = GraphView(Theme())
    qtbot.addWidget(view)
    view.resize(844, 593)
    with qtbot.waitExposed(view):
        view.show()
    view.draw(frame)
    canvas = view.viewport()
    found = []
    for _round in range(ROUNDS):
        start = time.perf_counter()
        for _turn in range(TURNS):
            QTest.keyClick(canvas, Qt.Key.Key_Right)
            canvas.repaint()
        found.append(TURNS / (time.perf_counter() - start))
    return len(view.drawing.edges), statistics.median(found)


def test_the_word_graph_turns_smoothly(qtbot: QtBot, capsys: pytest.CaptureFixture[str]) -> None:
    few = rates(qtbot, train_frame())
    frame = train_frame(recorded_run(sentences(200, 64, 6), steps=2))
    many = rates(qtbot, replace(frame, look=replace(frame.look, others=True)))
    with capsys.disabled():
        print("\nPictures a second while the word graph is turned (median of 5)")
        for words, wanted, (edges, rate) in ((8, 60, few), (200, 30, many)):
            print(f"  {words:3} words, {edges:3} edges {rate:8.0f}  (≥ {wanted})")
    assert many[0] >= 500
