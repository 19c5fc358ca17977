"""Help's glossary: opened from the menu, searched by typing, read with the keyboard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from explorer.app.glossary import GlossarySheet
from explorer.app.language import speak
from explorer.lessons.glossary import glossary
from tests.showing import to_front


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    speak("en")


def opened(person) -> GlossarySheet:
    """Open the glossary with its shortcut, and wait until its search has the focus."""
    QTest.keyClick(person.window, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    person.settle()
    sheet = person.window.findChild(GlossarySheet)
    to_front(sheet)
    assert sheet.search.hasFocus()
    return sheet


def shown(sheet: GlossarySheet, column: int = 0) -> list[str]:
    table = sheet.table
    rows = (row for row in range(table.rowCount()) if not table.isRowHidden(row))
    return [table.item(row, column).text() for row in rows]


def test_help_in_the_menu_has_the_glossary(person):
    menus = [each for each in person.window.findChildren(QMenu) if each.title() == "Help"]
    assert [action.text() for action in menus[0].actions()] == ["Glossary", "Keyboard shortcuts"]


@pytest.mark.parametrize(
    ("code", "headings", "first"),
    [
        ("en", ["English", "中文", "Meaning"], ["token", "词元"]),
        ("zh", ["中文", "English", "含义"], ["词元", "token"]),
    ],
)
def test_terms_stand_side_by_side_and_nothing_is_clipped(person, code, headings, first):
    person.window.resize(1024, 768)
    person.window.speak(code)
    sheet = opened(person)
    table = sheet.table
    columns = range(table.columnCount())
    assert [table.horizontalHeaderItem(column).text() for column in columns] == headings
    assert [shown(sheet, column)[0] for column in (0, 1)] == first
    assert len(shown(sheet)) == len(glossary())
    assert person.window.geometry().contains(sheet.geometry())
    assert sum(map(table.columnWidth, columns)) <= table.viewport().width()
    for row in range(table.rowCount()):
        assert table.rowHeight(row) >= table.sizeHintForRow(row)
        for column in (0, 1):
            item = table.item(row, column)
            advance = QFontMetrics(item.font()).horizontalAdvance(item.text())
            assert advance < table.columnWidth(column)


def test_typing_leaves_what_has_the_word_in_either_language(person):
    sheet = opened(person)
    person.keys("softm")
    assert "softmax" in shown(sheet)
    assert "query" not in shown(sheet)
    sheet.search.setText("查询")
    assert shown(sheet)[0] == "query"
    assert sheet.none_found.text() == ""
    sheet.search.setText("<b>&xyz")
    assert shown(sheet) == []
    assert sheet.none_found.text() == "No term has “<b>&xyz” in it."
    assert sheet.none_found.textFormat() is Qt.TextFormat.PlainText
    sheet.search.clear()
    assert len(shown(sheet)) == len(glossary())


def test_it_is_read_with_the_keyboard_and_closed_with_esc(person):
    sheet = opened(person)
    person.keys("mask")
    person.key(Qt.Key.Key_Return)
    assert sheet.isVisible()
    person.key(Qt.Key.Key_Down)
    assert sheet.table.hasFocus()
    assert sheet.table.item(sheet.table.currentRow(), 0).text() == shown(sheet)[0]
    person.key(Qt.Key.Key_Down)
    assert sheet.table.item(sheet.table.currentRow(), 0).text() == shown(sheet)[1]
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    QApplication.processEvents()
    assert QApplication.activeModalWidget() is None
