"""Menus as they open under the mouse."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolButton

from explorer.app.menus import STORY
from explorer.resources import examples
from explorer.session import read_scene
from explorer.text import html_escaped


def test_the_documents_menu_reads_in_the_direction_of_the_window(person):
    button = person.window.findChild(QToolButton, "document")
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
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
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
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    return entries


def test_ten_examples_are_offered_in_the_order_of_the_story_with_their_notes(person):
    entries = opened_menu(person.window.findChild(QToolButton, "document"))
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


def test_an_example_opened_from_the_menu_shows_its_note(person):
    button = person.window.findChild(QToolButton, "document")
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
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    person.settle()
    assert person.session.scene.title == scene.title
    labels = person.window.workspace.strip.findChildren(QLabel)
    note = next(label for label in labels if label.accessibleName() == "Note")
    assert note.isVisible()
    assert note.text() == scene.note
