"""Menus as they open under the mouse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolButton, QWidget

from explorer.app.dialogs import QtDialogs
from explorer.app.language import speak
from explorer.app.menus import STORY, fill_model_menu, fill_within_screen
from explorer.exporters import WHOLE
from explorer.resources import examples
from explorer.session import read_scene
from explorer.text import html_escaped
from tests.showing import click_to_open

ONE_WINDOW = True  # which begins anew for each test


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    speak("en")


def document_button(person) -> QToolButton:
    return person.window.findChild(QToolButton, "document")


def test_the_documents_menu_reads_in_the_direction_of_the_window(person):
    button = document_button(person)
    directions = []

    def look() -> None:
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            timer.stop()
            directions.append(menu.layoutDirection())
            menu.close()

    timer = QTimer(interval=5)
    timer.timeout.connect(look)
    timer.start()
    click_to_open(button)
    assert directions == [person.window.layoutDirection()]


def opened_menu(button: QToolButton) -> list[tuple[str, str]]:
    """Return the entries of a button's menu as it opens: their texts and tooltips."""
    entries: list[tuple[str, str]] = []

    def look() -> None:
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            timer.stop()
            assert menu.toolTipsVisible()
            entries.extend((action.text(), action.toolTip()) for action in menu.actions())
            menu.close()

    timer = QTimer(interval=5)
    timer.timeout.connect(look)
    timer.start()
    click_to_open(button)
    return entries


def test_ten_examples_are_offered_in_the_order_of_the_story_with_their_notes(person):
    entries = opened_menu(document_button(person))
    scenes = {path.stem: read_scene(path) for path in examples()}
    assert set(scenes) == set(STORY)
    assert len(STORY) == 10
    titles = [scenes[stem].title for stem in STORY]
    offered = [entry for entry in entries if entry[0] in titles]
    assert [text for text, _tip in offered] == titles
    for stem, (_text, tip) in zip(STORY, offered, strict=True):
        note = scenes[stem].note
        assert 1 <= len(note.split("\n")) <= 2
        for line in note.split("\n"):
            assert html_escaped(line) in tip


def test_a_menu_wider_than_the_screen_has_one_column_that_scrolls(person):
    """As the list of lessons at 1024×768 with text at 150 %."""
    menu = QMenu(person.window)
    room = menu.screen().availableGeometry().width()
    for count, scrolls in ((60, False), (600, True)):

        def fill(menu: QMenu, count: int = count) -> None:
            menu.clear()
            for number in range(count):
                menu.addAction(f"{number}  a lesson about something")

        fill_within_screen(menu, fill)
        menu.popup(person.window.mapToGlobal(person.window.rect().topLeft()))
        assert menu.width() <= room
        columns = {menu.actionGeometry(each).left() for each in menu.actions()}
        assert (len(columns) == 1) == scrolls
        menu.close()


def test_the_chinese_menu_has_no_english(person):
    person.window.speak("zh")
    entries = [each for each in opened_menu(document_button(person)) if each[0]]
    assert [text for text, _tip in entries if re.search("[A-Za-z]{3}", text)] == []
    notes = [tip for _text, tip in entries if "<br>" in tip]
    assert len(notes) == len(STORY)
    assert [note for note in notes if not re.search("[一-鿿]", note)] == []


def test_an_example_is_called_in_chinese_and_a_scene_of_ones_own_as_it_is(person):
    person.window.speak("zh")
    assert document_button(person).text() == "猫 喜欢 鱼 云"
    assert "拖动一个" in document_button(person).toolTip()
    scene = person.session.scene
    person.session.open(scene.replace(title="Save", note="Open…"))
    person.settle()
    assert document_button(person).text() == "Save"
    assert "Open…" in document_button(person).toolTip()


def test_an_example_opened_from_the_menu_shows_its_note(person):
    button = document_button(person)
    path = next(path for path in examples() if path.stem == "translation")
    scene = read_scene(path)

    def choose() -> None:
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            timer.stop()
            action = next(each for each in menu.actions() if each.text() == scene.title)
            QTest.mouseClick(
                menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center()
            )

    timer = QTimer(interval=5)
    timer.timeout.connect(choose)
    timer.start()
    click_to_open(button)
    person.settle()
    assert person.session.scene.title == scene.title
    labels = person.window.explore_page.strip.findChildren(QLabel)
    note = next(label for label in labels if label.accessibleName() == "Note")
    assert note.isVisible()
    assert note.text() == scene.note


def test_a_recent_model_of_the_cache_is_called_by_its_name(qtbot):
    menu = QMenu()
    qtbot.addWidget(menu)
    snapshot = Path("/cache/models--owner--Some-Bert/snapshots/0123abcd")
    opened: list[Path] = []
    actions = {key: QAction(menu) for key in ("open_model", "open")}
    fill_model_menu(menu, actions, [str(snapshot)], opened.append, lambda _menu: None)
    (recent,) = [action for action in menu.actions() if action.text() == "Some-Bert"]
    recent.trigger()
    assert opened == [snapshot]


def test_the_scene_is_copied_and_exported_in_every_format(person, monkeypatch, tmp_path):
    path = tmp_path / "scene"
    monkeypatch.setattr(QtDialogs, "ask_export", lambda _self, _title, _exporter: path)
    menu = document_button(person).menu()
    menu.aboutToShow.emit()
    inner = {each.title(): each for each in menu.findChildren(QMenu)}
    for title in ("Copy the scene as", "Export as"):
        actions = inner[title].actions()
        assert [action.text() for action in actions] == [each.title for each in WHOLE]
        for exporter, action in zip(WHOLE, actions, strict=True):
            action.trigger()
            copied = title.startswith("Copy")
            text = QApplication.clipboard().text() if copied else path.read_text("utf-8")
            assert text == exporter.text_of(person.session.frame)
    path = tmp_path / "nowhere" / "scene"
    actions[0].trigger()
    assert "scene cannot be saved" in person.window.explore_page.error_bar.sentence


def test_no_part_keeps_its_menu_on_the_stack(person):
    window = person.window
    for show in (window.show_train, window.rooms.show_sweep, window.rooms.show_model):
        show()
        person.settle()
    policies = {part.contextMenuPolicy() for part in window.findChildren(QWidget)}
    assert Qt.ContextMenuPolicy.CustomContextMenu in policies
    assert Qt.ContextMenuPolicy.ActionsContextMenu not in policies  # see `offer_actions`
