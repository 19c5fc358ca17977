"""The controls over the centre of Train: what they show and what they ask for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from explorer.kit.theme import SCALES, Theme
from explorer.rooms.train.centre_bar import CentreBar
from explorer.session.train import TrainCentre, TrainFrame
from explorer.session.train.intents import ChangeTrainLook
from tests.train_frames import train_frame

LEFT = Qt.MouseButton.LeftButton


class Shown:
    """A shown bar and the intents it emitted."""

    def __init__(self, qtbot: QtBot, width: int = 844, theme: Theme | None = None) -> None:
        self.bar = CentreBar(theme or Theme())
        qtbot.addWidget(self.bar)
        self.bar.resize(width, 56)
        with qtbot.waitExposed(self.bar):
            self.bar.show()
        self.frame = train_frame()
        self.bar.draw(self.frame)
        self.intents: list[object] = []
        self.bar.intent.connect(self.intents.append)

    def look(self, **look: Any) -> TrainFrame:
        return replace(self.frame, look=replace(self.frame.look, **look))

    def value(self) -> str:
        captions = {"Edge Threshold"}
        texts = [label.text() for label in self.bar.findChildren(QLabel)]
        return next(text for text in texts if text not in captions)


@pytest.fixture
def shown(qtbot: QtBot) -> Shown:
    return Shown(qtbot)


def test_pages_are_asked_for(shown: Shown) -> None:
    for page in (TrainCentre.SPACES, TrainCentre.MATRICES):
        QTest.mouseClick(shown.bar.pages.button(page), LEFT)
    QTest.mouseClick(shown.bar.pages.button(TrainCentre.GRAPH), LEFT)
    assert shown.intents == [
        ChangeTrainLook({"page": TrainCentre.SPACES}),
        ChangeTrainLook({"page": TrainCentre.MATRICES}),
    ]


def test_tsne_is_asked_for(shown: Shown) -> None:
    QTest.mouseClick(shown.bar.layouts.button(True), LEFT)
    assert shown.intents == [ChangeTrainLook({"tsne": True})]
    assert shown.bar.layouts.button(False).isChecked(), "what is checked is said by the frame"


def test_the_threshold_follows_the_mouse_and_the_keys(shown: Shown) -> None:
    slider = shown.bar.threshold
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert shown.intents == [ChangeTrainLook({"threshold": 0.21})]
    shown.bar.draw(shown.look(threshold=0.21))
    QTest.keyClick(slider, Qt.Key.Key_PageUp)
    QTest.keyClick(slider, Qt.Key.Key_Home)
    QTest.keyClick(slider, Qt.Key.Key_End)
    assert shown.intents[1:] == [
        ChangeTrainLook({"threshold": 0.31}),
        ChangeTrainLook({"threshold": 0.0}),
        ChangeTrainLook({"threshold": 1.0}),
    ]
    shown.bar.draw(shown.look(threshold=0.0))
    shown.intents.clear()
    middle = QPoint(8, slider.height() // 2)
    QTest.mousePress(slider, LEFT, Qt.KeyboardModifier.NoModifier, middle)
    QTest.mouseMove(slider, middle + QPoint(40, 0))
    QTest.mouseRelease(slider, LEFT, Qt.KeyboardModifier.NoModifier, middle + QPoint(40, 0))
    found = shown.intents[-1]
    assert isinstance(found, ChangeTrainLook)
    assert 0.3 < found.changes["threshold"] < 0.7


def test_drawing_shows_the_threshold_and_emits_nothing(shown: Shown) -> None:
    for threshold, text in ((0.0, "0.00"), (0.35, "0.35"), (1.0, "1.00")):
        shown.bar.draw(shown.look(threshold=threshold))
        assert shown.value() == text
        assert shown.bar.threshold.value() == round(100 * threshold)
        assert shown.bar.threshold.accessibleDescription() == text
    assert shown.intents == []


def test_on_other_pages_only_the_pages_are_shown(shown: Shown) -> None:
    parts = (shown.bar.layouts, shown.bar.threshold, shown.bar.turn, shown.bar.reset)
    assert all(part.isVisible() for part in parts)
    shown.bar.draw(shown.look(page=TrainCentre.SPACES))
    assert not any(part.isVisible() for part in parts)
    assert shown.bar.pages.isVisible()


def test_the_view_of_the_graph_is_asked_for(qtbot: QtBot, shown: Shown) -> None:
    asked: list[bool] = []
    shown.bar.turn_asked.connect(asked.append)
    with qtbot.waitSignal(shown.bar.reset_asked):
        QTest.mouseClick(shown.bar.reset, LEFT)
    QTest.mouseClick(shown.bar.turn, LEFT)
    assert not shown.bar.turn.isChecked(), "what is checked is said by the graph"
    shown.bar.show_turning(True)
    assert shown.bar.turn.isChecked()
    QTest.mouseClick(shown.bar.turn, LEFT)
    assert asked == [True, False]


def test_without_a_run_nothing_can_be_turned(shown: Shown) -> None:
    shown.bar.draw(TrainFrame())
    assert not shown.bar.turn.isEnabled()
    assert not shown.bar.reset.isEnabled()
    assert shown.bar.pages.button(TrainCentre.SPACES).isEnabled()
    shown.bar.draw(shown.look(tsne=True))
    assert not shown.bar.turn.isEnabled()
    assert shown.bar.reset.isEnabled()


def test_at_the_designs_size_it_is_one_row(shown: Shown) -> None:
    assert shown.bar.height() <= 56


@pytest.mark.parametrize("percent", SCALES)
@pytest.mark.parametrize("width", [480, 648, 844])
@pytest.mark.parametrize("pair", [False, True], ids=["one run", "two runs"])
def test_nothing_is_cut_off_or_covered(qtbot: QtBot, width: int, percent: int, pair: bool) -> None:
    bar = Shown(qtbot, width, Theme(percent=percent)).bar
    if pair:
        bar.draw(train_frame(other=train_frame()))
    groups = [w for w in bar.children() if isinstance(w, QWidget) and not w.isHidden()]
    close = 100 * width < 340 * percent  # then the buttons that keys stand for give way
    assert len(groups) == (3 if pair or close else 4)
    for n, group in enumerate(groups):
        assert bar.rect().contains(group.geometry())
        assert group.width() >= group.sizeHint().width()
        assert not any(group.geometry().intersects(other.geometry()) for other in groups[:n])


def test_controls_have_names(shown: Shown) -> None:
    bar = shown.bar
    for widget in (bar.pages, bar.layouts, bar.threshold, bar.turn, bar.reset):
        assert widget.accessibleName()
