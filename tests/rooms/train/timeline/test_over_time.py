"""The plot under the loss: on the same axis of time, and a click goes to its epoch."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from explorer.kit.numbers import csv_of
from explorer.kit.theme import Theme
from explorer.rooms.train.timeline import TimelineView
from explorer.session.train import TrainLook
from explorer.session.train.intents import ChangeTrainLook, GoToEpoch
from explorer.traces import Config
from tests.train_frames import recorded_run, train_frame


def test_a_measure_is_chosen_plotted_clicked_and_saved(qtbot: QtBot) -> None:
    view = TimelineView(Theme())
    qtbot.addWidget(view)
    view.resize(1200, 148)
    with qtbot.waitExposed(view):
        view.show()
    frame = train_frame()
    view.draw(frame)
    asked: list[object] = []
    view.intent.connect(asked.append)
    plot, box = view.over_time, view.transport.measure
    assert plot.isHidden()
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert asked[0] == ChangeTrainLook({"measure": "accuracy"})
    assert box.currentData() is None  # the frame alone says what is chosen
    low = view.height()
    view.draw(replace(frame, look=TrainLook(measure="entropy")))
    assert plot.isVisible()
    assert view.height() > low
    qtbot.waitUntil(lambda: plot.width() == view.chart.width() and plot.height() > 50)
    asked.clear()
    at = QPoint(round(view.chart.plot.x(20)), plot.height() // 2)
    QTest.mouseClick(plot, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert isinstance(asked[0], GoToEpoch)
    assert abs(asked[0].epoch - 20) < 0.1
    assert csv_of(plot.columns()).splitlines()[0] == "epoch,Head 1,Head 2"
    assert len(csv_of(plot.columns()).splitlines()) == 1 + len(frame.recorded)
    named = ",".join(view.curves.plotted())
    assert named == "epoch,loss,accuracy,recorded epoch,Head 1,Head 2"
    # B's lines beside A's, in B's colour, and after A's in the file.
    other = train_frame(recorded_run(config=Config(seed=8), steps=5))
    look = TrainLook(measure="entropy")
    view.draw(replace(frame, look=look, other=replace(other, look=look)))
    lines = csv_of(plot.columns()).splitlines()
    assert lines[0] == "epoch,Head 1,Head 2,B epoch,B Head 1,B Head 2"
    assert len(lines) == 1 + len(frame.recorded)
    qtbot.waitUntil(lambda: holds(plot, Theme().color("run_b")))
    look = TrainLook(measure="gradient")
    view.draw(replace(frame, look=look, other=replace(other, look=look)))
    assert "does not hold scalar.gradient" in str(plot.series.missing)
    # What a lesson asks of later epochs is not told here either.
    view.draw(replace(frame, look=TrainLook(measure="entropy", veiled=True)))
    assert plot.series.epochs.tolist() == [e for e in frame.recorded.tolist() if e <= frame.epoch]
    view.draw(frame)
    assert plot.isHidden()


def holds(plot: QWidget, colour: QColor) -> bool:
    """Return whether a pixel of the picture has this colour."""
    picture = plot.grab().toImage()
    pixels = [
        (x, y)
        for x in range(picture.width())
        for y in range(picture.height() // 2, picture.height())
    ]
    return any(picture.pixelColor(x, y) == colour for x, y in pixels)
