"""The slider of all panels: where numbers stand on it, and what a gesture asks for."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from explorer.kit.slider import LinearScale, LogScale, Slider
from explorer.session.intents import Phase

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.mark.parametrize("scale", [LogScale(0.1, 10.0), LogScale(1, 512, whole=True)])
def test_a_doubling_takes_the_same_way_everywhere(scale: LogScale) -> None:
    doubled = {scale.place_of(number * 2) - scale.place_of(number) for number in (1, 2, 4)}
    assert len(doubled) == 1


@pytest.mark.parametrize(
    ("scale", "numbers"),
    [
        (LogScale(0.1, 10.0), (0.1, 0.55, 1.0, 2.0, 3.7, 10.0)),
        (LogScale(1, 512, whole=True), range(1, 513)),
        (LinearScale(-3, 3, 0.05, 10), (-3.0, -0.05, 0.0, 0.15, 3.0)),
    ],
)
def test_every_number_has_its_place(scale, numbers) -> None:
    assert [scale.number_at(scale.place_of(number)) for number in numbers] == list(numbers)


def test_near_1_it_is_1() -> None:
    scale = LogScale(0.1, 10.0)
    assert scale.number_at(scale.place_of(1.04)) == 1.0


def slider_for(
    qtbot: QtBot, scale: LinearScale | LogScale
) -> tuple[Slider, list[tuple[float, Phase]]]:
    slider = Slider("shear", scale)
    qtbot.addWidget(slider)
    slider.resize(200, 24)
    slider.show()
    told: list[tuple[float, Phase]] = []
    slider.asked.connect(lambda number, phase: told.append((number, phase)))
    return slider, told


def test_a_press_beside_the_handle_brings_it_there_and_esc_takes_that_back(qtbot: QtBot) -> None:
    slider, told = slider_for(qtbot, LinearScale(-3, 3, 0.05, 10))
    slider.show_number(0.0)
    QTest.mousePress(slider, LEFT, NO_KEY, QPoint(199, 12))
    assert told == [(0.0, Phase.BEGIN), (3.0, Phase.MOVE)]
    QTest.keyClick(slider, Qt.Key.Key_Escape)
    QTest.mouseRelease(slider, LEFT, NO_KEY, QPoint(199, 12))
    assert told[2:] == [(3.0, Phase.CANCEL)]


def test_a_slider_tells_of_a_key_from_press_to_release_and_the_wheel_where_it_has_the_focus(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    slider = Slider("shear", LinearScale(-3, 3, 0.05, 10), parent)
    parent.show()
    told: list[tuple[float, Phase]] = []
    slider.asked.connect(lambda number, phase: told.append((number, phase)))
    slider.show_number(50.0, "50")
    assert (slider.value(), told) == (60, [])
    slider.show_number(0.42, "0.42")

    QTest.keyPress(slider, Qt.Key.Key_Right)
    QTest.keyPress(slider, Qt.Key.Key_Right)
    QTest.keyRelease(slider, Qt.Key.Key_Right)
    assert told == [
        (0.42, Phase.BEGIN),
        (0.45, Phase.MOVE),
        (0.5, Phase.MOVE),
        (0.5, Phase.END),
    ]
    told.clear()
    turn = QWheelEvent(
        QPointF(2, 2),
        QPointF(2, 2),
        QPointF(0, 0).toPoint(),
        QPointF(0, 120).toPoint(),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(slider, turn)
    assert told == []
