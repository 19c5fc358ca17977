"""Another language is chosen in the top bar: everything is said in it, and nothing is lost."""

from __future__ import annotations

import gc
import json
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMenu, QToolButton, QWidget

from explorer.app.language import speak
from explorer.app.main import make_window
from explorer.app.settings import settings_file
from explorer.resources import lessons
from explorer.session import Centre, Space, intents
from explorer.text import language
from tests.showing import click_to_open
from tests.window.conftest import Person

ONE_WINDOW = True  # which begins anew for each test

CHINESE = "中文"


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    speak("en")


def choose_language(somebody: Person, name: str) -> None:
    """Choose a language by its name in the top bar's menu, with the mouse."""
    button = somebody.window.findChild(QToolButton, "language")

    def click() -> None:
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            timer.stop()
            action = next(each for each in menu.actions() if each.text() == name)
            QTest.mouseClick(
                menu,
                Qt.MouseButton.LeftButton,
                Qt.KeyboardModifier.NoModifier,
                menu.actionGeometry(action).center(),
            )

    timer = QTimer(interval=5)
    timer.timeout.connect(click)
    timer.start()
    click_to_open(button)
    somebody.window.flush()
    somebody.plane = somebody.window.explore_page.plane
    somebody.settle()


def texts(widget: QWidget) -> set[str]:
    """Return what is written on the visible labels and buttons, and what is read aloud of them."""
    parts = [*widget.findChildren(QLabel), *widget.findChildren(QAbstractButton)]
    shown = [part for part in parts if part.isVisible()]
    return {text for part in shown for text in (part.text(), part.accessibleName())}


def test_everything_is_said_in_the_chosen_language_and_back(person):
    assert "Explore" in texts(person.window)
    choose_language(person, CHINESE)
    assert language() == "zh"
    assert {"探索", "训练", "矩阵"} <= texts(person.window)
    assert "Explore" not in texts(person.window)
    assert person.window.actions_by_name["save"].text() == "保存"
    assert json.loads(settings_file().read_text())["language"] == "zh"
    choose_language(person, "English")
    assert "Explore" in texts(person.window)
    assert person.window.actions_by_name["save"].text() == "Save"


def test_nothing_is_lost(person):
    window = person.window
    start = person.point(Space.X, 0)
    person.drag(start, start + QPoint(-60, -40))
    person.key(Qt.Key.Key_5, widget=person.plane.viewport())
    window.explore.handle(intents.ChangeLook({"options_open": True}))
    window.appearance.toggle_theme()
    session = window.session
    scene, look, selection = session.scene, session.look, session.frame.selection
    size, theme, undo = window.size(), window.theme, session.undo_name
    assert session.modified
    choose_language(person, CHINESE)
    assert (window.session, session.scene, session.look) == (session, scene, look)
    assert session.frame.selection == selection
    assert (window.size(), window.theme) == (size, theme)
    assert session.modified
    assert str(undo) == "移动 cat"
    assert window.actions_by_name["undo"].text() == "撤销 移动 cat"
    assert window.explore_page.inputs.options.is_open
    window.actions_by_name["undo"].trigger()
    person.settle()
    assert not session.modified
    # The new parts are joined: a token can be dragged.
    window.rooms.show_centre(Centre.PLANE)
    person.key(Qt.Key.Key_1, widget=person.plane.viewport())
    start = person.point(Space.X, 1)
    person.drag(start, start + QPoint(50, -30))
    assert str(session.undo_name) == "移动 likes"


def test_the_plane_is_seen_from_where_it_was(person):
    QTest.mousePress(person.plane.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(30, 300))
    person.move(QPoint(60, 330))
    person.move(QPoint(90, 350))
    person.release(QPoint(90, 350))
    before = [person.point(Space.X, n) for n in range(4)]
    choose_language(person, CHINESE)
    assert [person.point(Space.X, n) for n in range(4)] == before


def test_the_parts_there_were_are_freed(person):
    person.window.rooms.show_centre(Centre.COMPARE)
    views = [weakref.ref(view) for view in person.window.explore_page.views]
    person.plane = None
    choose_language(person, CHINESE)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    assert [view() for view in views] == [None] * len(views)
    assert person.window.session.look.centre is Centre.COMPARE
    assert person.window.explore_page.main_picture == "compare"


def test_what_was_told_is_told_in_the_other_language(person):
    person.window.opening.drop([])
    choose_language(person, CHINESE)
    assert person.window.explore_page.error_bar.sentence == "这里只能放入本机上的文件。"


def test_a_lesson_goes_on_in_the_other_language(person):
    path = next(each for each in lessons() if "scores-by-hand" in each.stem)
    assert person.window.playing.open(path)
    QTest.keyClick(person.window, Qt.Key.Key_PageDown)
    person.settle()
    assert person.window.explore_page.lesson.stepper.text() == "2 of 7"
    choose_language(person, CHINESE)
    assert person.window.explore_page.lesson.stepper.text() == "2/7"
    assert "手算分数" in texts(person.window.explore_page.left)


def test_the_window_opens_in_the_language_of_the_last_time(qtbot, person):
    choose_language(person, CHINESE)
    speak("en")
    second = make_window()
    qtbot.addWidget(second)
    assert language() == "zh"
    assert second.actions_by_name["save"].text() == "保存"


def test_at_first_the_window_follows_the_system(qtbot, monkeypatch):
    monkeypatch.setenv("LANGUAGE", "zh_CN:en")
    window = make_window()
    qtbot.addWidget(window)
    assert window.actions_by_name["save"].text() == "保存"


def test_a_run_goes_on(learner):
    learner.choose(learner.run_box.pace, Qt.Key.Key_Home)
    learner.train()
    folder = learner.room.runner.folder
    epoch = learner.frame.progress.epoch
    choose_language(learner, CHINESE)
    learner.page = learner.room.page
    learner.run_box = learner.page.parameters.run
    assert learner.window.rooms.training
    assert learner.room.runner.folder == folder
    assert learner.frame.progress.active
    learner.wait(lambda: learner.frame.progress.epoch > epoch)
    assert learner.run_box.main.isVisible()
    assert learner.window.rooms.front.document.title == "未保存的训练"
    choose_language(learner, "English")
    assert learner.window.rooms.front.document.title == "unsaved run"


@pytest.mark.parametrize("text", ["قطة", "חתול", "猫", "кошка"])
def test_tokens_of_every_script_are_drawn(person, text):
    person.window.resize(1024, 768)
    person.settle()
    at = person.point(Space.X, 0)
    beside = QRect(at.x() + 16, at.y() - 30, 60, 40)
    person.window.explore.handle(intents.RenameToken(0, "."))
    blank = person.picture(person.plane.viewport()).copy(beside)
    person.window.explore.handle(intents.RenameToken(0, text))
    written = person.picture(person.plane.viewport()).copy(beside)
    inked = sum(
        written.pixel(x, y) != blank.pixel(x, y)
        for x in range(blank.width())
        for y in range(blank.height())
    )
    assert inked > 60


def test_a_mistake_in_the_middle_leaves_a_window_that_is_painted(newcomer, qtbot, monkeypatch):
    def fail(*_asked: object) -> None:
        raise RuntimeError("a mistake")

    monkeypatch.setattr(type(newcomer.window.rooms.front), "take_over", fail)
    content = newcomer.window.centralWidget()
    with qtbot.capture_exceptions() as caught:
        newcomer.window.speak("zh")
        assert not content.updatesEnabled()
        qtbot.waitUntil(content.updatesEnabled)
    assert [str(each[1]) for each in caught] == ["a mistake"]
    monkeypatch.undo()
    newcomer.window.speak("en")
    newcomer.settle()
    assert "Explore" in texts(newcomer.window)
