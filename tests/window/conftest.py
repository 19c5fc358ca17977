"""The real window on the first example, driven as a person drives it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTableView, QWidget

from explorer.app.main import make_window
from explorer.app.pictures import image_of
from explorer.app.window import MainWindow
from explorer.session import Space

NO_KEY = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton


class Person:
    """Somebody at the window, with a mouse and a keyboard."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.session = window.session
        self.plane = window.workspace.plane

    def settle(self) -> None:
        """Let the window draw whatever waits, and end what moves."""
        QApplication.processEvents()
        self.window.clock.flush()
        self.plane.finish_motion()
        QApplication.processEvents()

    def point(self, space: Space, index: int) -> QPoint:
        return self.plane.screen_point(space, index).toPoint()

    def press(self, at: QPoint) -> None:
        QTest.mousePress(self.plane.viewport(), LEFT, NO_KEY, at)

    def move(self, at: QPoint) -> None:
        QTest.mouseMove(self.plane.viewport(), at)
        QApplication.processEvents()

    def release(self, at: QPoint) -> None:
        QTest.mouseRelease(self.plane.viewport(), LEFT, NO_KEY, at)
        self.settle()

    def drag(self, start: QPoint, end: QPoint) -> None:
        """Drag with the mouse, by way of the middle."""
        self.press(start)
        self.move(QPoint((start.x() + end.x()) // 2, (start.y() + end.y()) // 2))
        self.move(end)
        self.release(end)

    def click(self, widget: QWidget, at: QPoint | QPointF) -> None:
        place = at.toPoint() if isinstance(at, QPointF) else at
        QTest.mouseClick(widget, LEFT, NO_KEY, place)
        self.settle()

    def click_cell(self, table: QTableView, row: int, column: int) -> None:
        index = table.model().index(row, column)
        self.click(table.viewport(), table.visualRect(index).center())

    def keys(self, text: str) -> None:
        """Type into whatever has the focus, which the first letter may change."""
        for letter in text:
            QTest.keyClicks(QApplication.focusWidget() or self.window, letter)
        self.settle()

    def key(
        self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NO_KEY, widget: QWidget | None = None
    ) -> None:
        QTest.keyClick(widget or QApplication.focusWidget() or self.window, key, modifiers)
        self.settle()

    def picture(self, widget: QWidget | None = None) -> QImage:
        """Return what is seen below the top bar, without the mouse over it."""
        self.session.hover(None)
        self.settle()
        return image_of(widget or self.window.workspace)


@pytest.fixture
def person(qtbot) -> Person:
    window = make_window()
    # A window with unsaved changes would ask, and nobody is there to answer.
    qtbot.addWidget(window, before_close_func=lambda w: w.session.mark_saved(w.session.scene))
    window.resize(1440, 900)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    somebody = Person(window)
    somebody.settle()
    return somebody
