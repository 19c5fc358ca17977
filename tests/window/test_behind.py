"""What is behind takes a theme, a text scale or a language when it is shown, and then looks as made
in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from explorer.app.language import speak
from explorer.app.main import make_window
from explorer.app.pictures import image_of
from explorer.app.window import MainWindow
from explorer.lessons.lesson_index import lesson_called
from explorer.text import N_, Problem
from tests.window.conftest import Person

ROOMS = ("explore", "train", "sweep")
BEHIND = ROOMS[1:]


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    speak("en")


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
    if name == "sweep":  # else its estimate of time would be another each time, and come any time
        window.rooms.sweep.session.change(seconds=60.0)


def page_of(window: MainWindow, name: str) -> QWidget:
    return {"explore": window.rooms.explore, "train": window.train, "sweep": window.rooms.sweep}[
        name
    ].page


def show_all(person: Person) -> None:
    """Show every room once, Explore last."""
    for name in reversed(ROOMS):
        show(person.window, name)
        person.settle()


def pictures(person: Person) -> dict[str, QImage]:
    """Return how every room looks, each shown once more."""
    taken = {}
    for name in ROOMS:
        show(person.window, name)
        person.settle()
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
    show_all(person)
    polished = {name: Polished(page_of(window, name)) for name in ROOMS}
    for change in (window.appearance.toggle_theme, lambda: window.appearance.scale_text_to(125)):
        change()
        person.settle()
        assert polished["explore"].since() > 0
        assert [polished[name].since() for name in BEHIND] == [0, 0]
    for name in BEHIND:
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


def words(window: MainWindow) -> str:
    """Return all that is written in the room in front and above it."""
    parts = window.findChildren(QLabel) + window.findChildren(QAbstractButton)
    return " ".join(part.text() for part in parts if part.isVisible())


def test_rooms_that_are_behind_are_made_anew_when_they_are_shown(person, request):
    window = person.window
    show_all(person)
    made = {name: page_of(window, name) for name in ROOMS}
    texts = dict.fromkeys(ROOMS, "")
    for code in ("zh", "en", "zh"):
        window.speak(code)
        person.plane = window.explore_page.plane
        person.settle()
        assert page_of(window, "explore") is not made["explore"]
        assert [page_of(window, name) is made[name] for name in BEHIND] == [True, True]
    for name in BEHIND:
        show(window, name)
        assert page_of(window, name) is not made[name]
        person.settle()
    made = {name: page_of(window, name) for name in ROOMS}
    for name in ROOMS:  # each of them has it by now
        show(window, name)
        person.settle()
        assert page_of(window, name) is made[name]
        texts[name] = words(window)
    changed = pictures(person)
    other = request.getfixturevalue("other")
    fresh = pictures(other)
    assert [name for name in ROOMS if changed[name] != fresh[name]] == []
    for name in ROOMS:
        show(other.window, name)
        other.settle()
        assert texts[name] == words(other.window)
    window.speak("en")


def test_nothing_is_kept_of_the_pages_that_there_were(person):
    window, counts = person.window, []
    show_all(person)
    for code in ("zh", "en", "zh", "en"):
        window.speak(code)
        person.plane = window.explore_page.plane
        show_all(person)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        counts.append(len(window.findChildren(QWidget)))
    assert counts[2:] == counts[:2]


def test_what_is_put_into_a_room_that_is_behind_is_in_no_other_language(person):
    window = person.window
    assert window.open_file(lesson_called("train-and-read-the-trace"))
    person.settle()
    for code, chinese in (("zh", True), ("en", False)):
        show(window, "explore")
        window.speak(code)
        person.plane = window.explore_page.plane
        window.train.tell(Problem(N_("There is no run of your own yet: press Train first.")))
        person.settle()
        show(window, "train")
        person.settle()
        page = window.train.page
        assert page.lesson.isVisible()
        assert page.error_bar.text[:2] == ("还没" if chinese else "Th")
        assert bool(re.search("[\u4e00-\u9fff]", words(window))) is chinese


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
