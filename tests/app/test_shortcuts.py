"""The sheet of shortcuts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from explorer.app.shortcuts import Group, ShortcutsSheet
from explorer.kit.style import style_sheet
from explorer.kit.theme import Theme

GROUPS: list[Group] = [
    ("File", [("Ctrl+N", "New scene"), ("Ctrl+O", "Open…"), ("Ctrl+S", "Save")]),
    ("Edit", [("Ctrl+Z", "Undo"), ("Ctrl+Shift+Z, Ctrl+Y", "Redo"), ("<b>", "<i>&Bold</i>")]),
    ("Chain", [("1 … 7", "Go to X, Q, K, V, S, A or O"), ("← →", "Move along the chain")]),
    ("Plane", [("+", "Zoom in"), ("−", "Zoom out"), ("0", "Fit"), ("Shift", "Snap to 0.05")]),
    ("View", [("Ctrl++", "Larger text"), ("Ctrl+-", "Smaller text"), ("?", "This sheet")]),
]


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(960, 640)
    with qtbot.waitExposed(window):
        window.show()
    return window


def sheet(
    qtbot: QtBot, window: QWidget, groups: list[Group] = GROUPS, theme: Theme | None = None
) -> ShortcutsSheet:
    theme = theme or Theme()
    window.setStyleSheet(style_sheet(theme))
    opened = ShortcutsSheet(groups, theme, window)
    with qtbot.waitExposed(opened):
        opened.open()
    return opened


def texts(opened: ShortcutsSheet) -> list[str]:
    return [label.text() for label in opened.findChildren(QLabel)]


def test_every_shortcut_is_shown_as_plain_text(qtbot: QtBot, window: QWidget) -> None:
    opened = sheet(qtbot, window)
    shown = texts(opened)
    for heading, shortcuts in GROUPS:
        assert heading in shown
        for keys, what in shortcuts:
            assert keys in shown
            assert what in shown
    assert {label.textFormat() for label in opened.findChildren(QLabel)} == {
        Qt.TextFormat.PlainText
    }


def test_it_stands_in_two_columns(qtbot: QtBot, window: QWidget) -> None:
    opened = sheet(qtbot, window)
    at = {label.text(): label.mapTo(opened, QPoint(0, 0)) for label in opened.findChildren(QLabel)}
    assert at["File"].y() == at["Plane"].y()
    assert at["File"].x() == at["Edit"].x() < at["Plane"].x() == at["View"].x()


def test_esc_closes_it(qtbot: QtBot, window: QWidget) -> None:
    opened = sheet(qtbot, window)
    with qtbot.waitSignal(opened.finished):
        qtbot.keyClick(opened, Qt.Key.Key_Escape)


def test_a_click_on_its_text_closes_it(qtbot: QtBot, window: QWidget) -> None:
    opened = sheet(qtbot, window)
    label = next(label for label in opened.findChildren(QLabel) if label.text() == "Undo")
    with qtbot.waitSignal(opened.finished):
        qtbot.mouseClick(label, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("percent", [100, 125])
def test_it_fits_the_smallest_window_without_scrolling(
    qtbot: QtBot, window: QWidget, percent: int
) -> None:
    opened = sheet(qtbot, window, theme=Theme(percent=percent))
    assert window.geometry().contains(opened.geometry())
    bar = opened.findChild(QScrollArea).verticalScrollBar()
    assert bar.maximum() == 0


def test_more_than_fits_scrolls(qtbot: QtBot, window: QWidget) -> None:
    many: list[Group] = [
        (f"Group {i}", [(f"F{j}", f"Do {j}") for j in range(12)]) for i in range(6)
    ]
    opened = sheet(qtbot, window, many, Theme(dark=True, percent=150))
    assert opened.height() <= window.height()
    assert opened.findChild(QScrollArea).verticalScrollBar().maximum() > 0
    assert opened.findChild(QScrollArea).horizontalScrollBar().maximum() == 0


def test_it_stands_in_one_column_where_two_have_no_room(qtbot: QtBot, window: QWidget) -> None:
    window.resize(1024, 768)
    wide: list[Group] = [("Numbers", [("Alt+Shift+Up, Alt+Shift+Down", "Move a token up or down")])]
    opened = sheet(qtbot, window, [*GROUPS, *wide, *GROUPS], Theme(percent=200))
    scroll = opened.findChild(QScrollArea)
    assert scroll.horizontalScrollBar().maximum() == 0
    for label in scroll.findChildren(QLabel):
        right = label.mapTo(scroll, label.rect().topRight()).x()
        assert right < scroll.viewport().width()
    headings = [h for h in scroll.findChildren(QLabel) if h.text() in ("File", "View")]
    assert len({heading.mapTo(opened, QPoint(0, 0)).x() for heading in headings}) == 1
