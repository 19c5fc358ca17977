"""The size that the window opens with, and of its right panel."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from explorer.app.settings import load


class _Screen:
    def __init__(self, room: QSize) -> None:
        self.availableSize = lambda: room


@pytest.mark.parametrize("room", [QSize(1366, 728), QSize(1440, 875), QSize(1440, 900)])
def test_at_first_it_fills_a_screen_without_room_for_its_usual_size(person, monkeypatch, room):
    monkeypatch.setattr(person.window, "screen", lambda: _Screen(room))
    person.window.restore()
    assert person.window.isMaximized()
    assert (
        person.window.normalGeometry().size().boundedTo(room)
        == person.window.normalGeometry().size()
    )


def test_at_first_it_has_its_usual_size_where_there_is_room(person, monkeypatch):
    monkeypatch.setattr(person.window, "screen", lambda: _Screen(QSize(1920, 1040)))
    person.window.restore()
    assert person.window.size() == QSize(1440, 900)
    assert not person.window.isMaximized()


@pytest.mark.parametrize(("width", "percent"), [(960, 125), (1024, 150), (1440, 200)])
def test_the_rooms_names_are_whole_where_the_top_bar_is_narrow(person, width: int, percent: int):
    """Other commands are shown by their signs, and the document's name is cut short."""
    person.window.resize(width, 768)
    person.window.appearance.scale_text_to(percent)
    person.settle()
    for button in person.window.topbar.findChildren(QToolButton):
        if button.isVisible() and button.objectName() != "document":
            assert button.width() >= button.sizeHint().width(), button.text()


def _drag_edge(person, by: int) -> None:
    """Drag the right panel's edge to the left, in two steps and with the mouse."""
    grip = person.window.explore_page.grip
    at = QPointF(grip.rect().center())
    start = QPointF(grip.mapToGlobal(at))
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    kinds = QEvent.Type
    for kind, moved, button, held in (
        (kinds.MouseButtonPress, 0, left, left),
        (kinds.MouseMove, by // 2, none, left),
        (kinds.MouseMove, by, none, left),
        (kinds.MouseButtonRelease, by, left, none),
    ):
        to = start - QPointF(moved, 0)
        event = QMouseEvent(kind, at, to, button, held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(grip, event)
        person.settle()


def test_the_right_panel_is_as_wide_as_it_is_made_and_never_narrower_than_it_has_to_be(person):
    page = person.window.explore_page
    least = page.right.width()
    _drag_edge(person, 150)
    assert page.right.width() == least + 150
    assert load(print).wider == 150
    train = person.window.show_train(warm=False)
    person.settle()
    assert train.page.right.width() > least, "the rooms have one width"
    person.window.rooms.show_explore()

    person.window.appearance.scale_text_to(125)
    person.settle()
    assert page.right.width() > 1.25 * least
    assert page.middle.width() >= 1.25 * 480, "the picture keeps its room"
    person.window.appearance.scale_text_to(100)

    _drag_edge(person, 2000)
    assert page.middle.width() == 480
    _drag_edge(person, -2000)
    assert (page.right.width(), load(print).wider) == (least, 0)
    _drag_edge(person, 80)
    person.window.speak("zh")
    try:
        page = person.window.explore_page
        person.settle()
        assert page.right.width() == least + 80
        QTest.mouseDClick(page.grip, Qt.MouseButton.LeftButton)
        assert (page.right.width(), load(print).wider) == (least, 0)
    finally:
        person.window.speak("en")
