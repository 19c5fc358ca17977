"""Menus as they open under the mouse."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton


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
