"""What is behind takes a theme or a text scale when it is shown, and then looks as made in it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from explorer.app.main import make_window
from explorer.app.pictures import image_of
from explorer.app.window import MainWindow
from tests.window.conftest import Person

ROOMS = ("explore", "train", "sweep")


class Polished(QObject):
    """Counts how often widgets of a page are given another style."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._times = 0
        for widget in (page, *page.findChildren(QWidget)):
            widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self._times += event.type() == QEvent.Type.StyleChange
        return False

    def since(self) -> int:
        """Return how often since this was asked last."""
        times, self._times = self._times, 0
        return times


def show(window: MainWindow, name: str) -> None:
    if name == "train":
        window.show_train(warm=False)
    else:
        window.actions_by_name[name].trigger()


def page_of(window: MainWindow, name: str) -> QWidget:
    return {"explore": window.rooms.explore, "train": window.train, "sweep": window.rooms.sweep}[
        name
    ].page


def pictures(person: Person) -> dict[str, QImage]:
    """Return how every room looks, each shown once more."""
    taken = {}
    for name in ROOMS:
        show(person.window, name)
        person.settle()
        taken[name] = image_of(page_of(person.window, name).chain)
        if name != "sweep":  # whose estimate of time is never twice the same
            taken[name] = image_of(page_of(person.window, name))
    return taken


@pytest.fixture
def other(person: Person, qtbot) -> Person:
    """Somebody at a window that is made now, as the first one is remembered."""
    window = make_window()
    qtbot.addWidget(window)
    window.resize(person.window.size())
    with qtbot.waitExposed(window):
        window.show()
    return Person(window)


def test_rooms_that_are_behind_are_polished_when_they_are_shown(person, request):
    window = person.window
    for name in reversed(ROOMS):
        show(window, name)
        person.settle()
    polished = {name: Polished(page_of(window, name)) for name in ROOMS}
    for change in (window.appearance.toggle_theme, lambda: window.appearance.scale_text_to(125)):
        change()
        person.settle()
        assert polished["explore"].since() > 0
        assert [polished[name].since() for name in ROOMS[1:]] == [0, 0]
    for name in ROOMS[1:]:
        show(window, name)
        assert polished[name].since() > 0
        person.settle()
    polished["train"].since()
    for name in ROOMS:  # each of them has it by now
        show(window, name)
        person.settle()
        assert [each.since() for each in polished.values()] == [0, 0, 0]
    changed = pictures(person)
    fresh = pictures(request.getfixturevalue("other"))
    assert [name for name in ROOMS if changed[name] != fresh[name]] == []


def test_neither_the_window_nor_the_application_has_a_style_sheet(person, qapp):
    """Qt would polish every widget of every room for it."""
    window = person.window
    assert [qapp.styleSheet(), window.styleSheet(), window.centralWidget().styleSheet()] == [""] * 3
    window.show_shortcuts()
    person.settle()
    sheet = person.window.findChild(QWidget, "sheet")
    assert sheet is not None
    light = image_of(sheet)
    window.appearance.toggle_theme()  # as the system may at any time
    person.settle()
    assert image_of(sheet) != light
