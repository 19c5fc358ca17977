"""The menu of lessons: a teacher's folder, and handouts of the lesson that is open."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QMenu,
    QProgressDialog,
    QToolButton,
    QToolTip,
    QWidgetAction,
)
from pytestqt.qtbot import QtBot

from explorer.app.dialogs import QtDialogs
from explorer.app.main import open_window
from explorer.app.settings import load
from explorer.lessons.lesson_index import MOST
from explorer.resources import lessons
from explorer.session import Stage
from explorer.session.intents import ShowStage
from explorer.session.lesson import AskForHint, TurnTo
from tests.window.conftest import Person

BY_HAND = next(path for path in lessons() if path.stem.endswith("scores-by-hand"))
FOLDER, HANDOUT = "Folder of lessons…", "Handout as PDF…"
WITH_ANSWERS = "Handout with answers as PDF…"


def in_lessons(person: Person, do: Callable[[list[QAction]], None]) -> None:
    """Open the document's menu and in it that of lessons, and do something with its entries."""

    def look() -> None:
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            timer.stop()
            inner = next(m for m in menu.findChildren(QMenu) if m.title() == "Lessons")
            inner.aboutToShow.emit()
            actions = inner.actions()
            menu.close()
            do(actions)

    timer = QTimer(interval=5)
    timer.timeout.connect(look)
    timer.start()
    QTest.mouseClick(person.window.findChild(QToolButton, "document"), Qt.MouseButton.LeftButton)
    person.settle()


def said(action: QAction) -> str:
    """Return what is read at an entry: its text, or that of a heading."""
    if isinstance(action, QWidgetAction):
        label = action.defaultWidget()
        assert isinstance(label, QLabel)
        return label.text()
    return action.text()


def entries(person: Person) -> dict[str, bool]:
    """Return the entries of the menu, and whether each can be chosen."""
    found: dict[str, bool] = {}
    in_lessons(person, lambda actions: found.update((said(a), a.isEnabled()) for a in actions))
    return found


def choose(person: Person, text: str) -> None:
    def press(actions: list[QAction]) -> None:
        next(action for action in actions if said(action) == text).trigger()

    in_lessons(person, press)


def test_lessons_of_a_folder_stand_under_its_name_and_follow_what_is_there(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "my class"
    folder.mkdir()
    shutil.copy(BY_HAND.with_name("asymmetric-keys.json"), folder)
    own = folder / "own.toml"
    text = BY_HAND.read_text("utf-8")
    own.write_text(text.replace("Scores by hand", "A & B"), "utf-8")
    monkeypatch.setattr(QtDialogs, "ask_lessons", lambda _dialogs, _folder: None)
    choose(person, FOLDER)
    assert "my class" not in entries(person)
    monkeypatch.setattr(QtDialogs, "ask_lessons", lambda _dialogs, _folder: folder)
    choose(person, FOLDER)
    assert load(print).lessons == str(folder)
    there = entries(person)
    assert there["my class"]
    assert there["A && B"]
    choose(person, "A && B")
    assert person.window.explore_page.lesson.isVisible()

    (folder / "new.toml").write_text(text.replace("Scores by hand", "New"), "utf-8")
    assert "New" in entries(person)
    for number in range(MOST):
        (folder / f"0{number}.toml").write_text(text, "utf-8")
    assert not entries(person)[f"There are more: only {MOST} are listed."]
    for path in folder.iterdir():
        path.unlink()
    assert not entries(person)["There are no lessons in this folder."]
    folder.rmdir()
    there = entries(person)
    assert not next(able for text, able in there.items() if text.startswith("There is no folder"))
    assert there[FOLDER]
    assert not person.window.explore_page.error_bar.isVisible()


def test_the_open_lesson_is_saved_as_a_handout(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []

    def ask(_dialogs: QtDialogs, name: str) -> Path:
        names.append(name)
        return path

    monkeypatch.setattr(QtDialogs, "ask_handout", ask)
    path = tmp_path / "handout.pdf"
    assert not entries(person)[HANDOUT]
    assert person.window.open_file(BY_HAND)
    scene = person.session.scene
    choose(person, HANDOUT)
    without = len(PdfReader(path).pages)
    choose(person, WITH_ANSWERS)
    assert len(PdfReader(path).pages) == without + 1
    assert names == ["Scores-by-hand"] * 2
    assert person.session.scene is scene

    monkeypatch.setattr(QProgressDialog, "wasCanceled", lambda _bar: True)
    path = tmp_path / "given up.pdf"
    choose(person, HANDOUT)
    assert not path.exists()
    assert not person.window.explore_page.error_bar.isVisible()
    path = tmp_path / "nowhere" / "handout.pdf"
    choose(person, HANDOUT)
    assert "There is no folder" in person.window.explore_page.error_bar.sentence

    shutil.copy(BY_HAND.with_name("asymmetric-keys.json"), tmp_path)
    own, path = tmp_path / "own.toml", tmp_path / "own.pdf"
    text = BY_HAND.read_text("utf-8").replace("K = X W_k", r"\sofmax")
    own.write_text(text, "utf-8")
    monkeypatch.undo()
    monkeypatch.setattr(QtDialogs, "ask_handout", ask)
    assert person.window.open_file(own)
    choose(person, HANDOUT)
    assert path.exists()
    assert r"formula: The formula has \sofmax" in person.window.explore_page.error_bar.sentence


def test_a_lesson_of_ones_own_is_recent_and_read_again_when_it_is_saved(
    person: Person, tmp_path: Path, qtbot: QtBot
) -> None:
    shutil.copy(BY_HAND.with_name("asymmetric-keys.json"), tmp_path)
    own = tmp_path / "own.toml"
    text = BY_HAND.read_text("utf-8")
    own.write_text(text, "utf-8")
    window = person.window
    window.playing.open(BY_HAND)
    assert str(BY_HAND) not in load(print).recent
    window.playing.open(own)
    window.playing.handle(TurnTo(2))
    assert load(print).recent[0] == str(own)
    panel = window.explore_page.lesson

    def titles() -> list[str]:
        return [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]

    for title in ("Once more", "And again"):  # an editor writes another file and renames it
        fresh = tmp_path / "fresh"
        fresh.write_text(text.replace("Scores by hand", title), "utf-8")
        fresh.replace(own)
        qtbot.waitUntil(lambda title=title: title in titles())
        assert panel.stepper.value() == 2
    own.write_text("no lesson", "utf-8")
    bar = window.explore_page.error_bar
    qtbot.waitUntil(bar.isVisible)
    assert "own.toml: This is not TOML" in bar.sentence
    assert "And again" in titles()
    own.write_text(text, "utf-8")
    qtbot.waitUntil(lambda: "Scores by hand" in titles())
    assert not bar.isVisible()  # what it said of the file is put right


def test_a_view_is_copied_as_a_step_that_can_be_pasted(
    person: Person, tmp_path: Path, qtbot: QtBot
) -> None:
    window = person.window
    window.rooms.explore.handle(ShowStage(Stage.A))
    person.settle()
    window.explore_page.plane.look_at(0.5, 0.25, 2.0)
    choose(person, "Copy this view as a lesson step")
    qtbot.waitUntil(lambda: QToolTip.isVisible() and QToolTip.text() == "Copied")
    copied = QApplication.clipboard().text()
    assert 'scene = "example:cat-likes-fish"' in copied
    assert "camera = {x = 0.5, y = 0.25, zoom = 2}" in copied
    own = tmp_path / "own.toml"
    head = 'format = "attention-explorer/lesson"\nversion = 1\ntitle.en = "Mine"\n'
    own.write_text(head + copied, "utf-8")
    window.rooms.explore.handle(ShowStage(Stage.X))
    assert window.open_file(own)
    person.settle()
    assert person.session.look.stage is Stage.A


def test_the_lessons_around_one_are_read_when_it_is_opened(person, tmp_path):
    for path in (BY_HAND, BY_HAND.with_name("asymmetric-keys.json")):
        shutil.copy(path, tmp_path)
    other = Path(shutil.copy(BY_HAND, tmp_path / "99-after.toml"))
    window = person.window
    assert window.open_file(tmp_path / BY_HAND.name)
    window.playing.handle(TurnTo(6))
    person.settle()
    panel = window.explore_page.lesson
    assert "Scores by hand" in panel.next.toolTip()
    other.unlink()
    window.playing.handle(AskForHint())  # the page is drawn again
    person.settle()
    assert panel.next.isEnabled()
    assert window.open_file(tmp_path / BY_HAND.name)
    window.playing.handle(TurnTo(6))
    person.settle()
    assert not panel.next.isEnabled()


# Last: a window that the program itself opens takes back, when it is closed, what keeps a search
# for garbage short.
def test_a_lesson_named_on_the_command_line_is_open(qtbot: QtBot) -> None:
    window = open_window(BY_HAND)
    qtbot.addWidget(window)
    window.show()
    lesson = window.explore_page.lesson
    assert lesson is not None
    assert lesson.isVisible()
