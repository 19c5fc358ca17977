"""The timeline on the screen, and all it asks for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.style import finish, prepare
from explorer.kit.theme import Theme
from explorer.rooms.train.timeline import TimelineView
from explorer.session.train import Cursor, Scalars, TrainFrame
from tests.pixels import pixels
from tests.train_frames import recorded_run, train_frame

LEFT = Qt.MouseButton.LeftButton
LIGHT, DARK = Theme(), Theme(dark=True)


def frame_of(steps: int = 7, step: int = 3, **changes: Any) -> TrainFrame:
    return train_frame(recorded_run(steps=steps), Cursor(step), **changes)


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

    def draw(self, frame: TrainFrame) -> None:
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
    prepare(theme)
    view = TimelineView(theme)
    finish(view, theme)
    qtbot.addWidget(view)
    view.resize(1200, view.height())
    with qtbot.waitExposed(view):
        view.show()
    return Shown(view)


def count(image: QImage, colour: QColor, box: tuple[int, int, int, int]) -> int:
    left, top, right, bottom = box
    seen = pixels(image)[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
    return int((seen == colour.getRgb()[:3]).all(axis=-1).sum())
