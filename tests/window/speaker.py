"""Somebody who presents, with a mouse and a keyboard in the audience's window."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from explorer.kit.motion import finish_motions
from explorer.lessons.lesson_index import lesson_called
from explorer.session import Space

SIZES = ((1024, 768), (1280, 720), (1920, 1080))
LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
SOFTMAX = lesson_called("scores-become-shares")


class Speaker:
    """Somebody who presents."""

    def __init__(self, person) -> None:
        self.person, self.session = person, person.session
        self.page.set_motion(False)

    @property
    def audience(self):
        return self.person.window.presenting.audience

    @property
    def page(self):
        return self.audience.page

    @property
    def below_title(self) -> QRect:
        """The part of the page in which two pictures of the same things are the same.

        Letters as large as a title are filled outlines, whose edges hang on the size of the
        letters that Qt drew before.
        """
        part = self.audience.rect()
        part.setTop(self.page.left.title.geometry().bottom() + 1)
        return part

    def settle(self) -> None:
        self.person.settle()
        if self.audience is not None:
            finish_motions(self.audience)
            self.page.set_motion(False)
        QApplication.processEvents()

    def key(self, key: Qt.Key) -> None:
        QTest.keyClick(self.page, key)
        self.settle()

    def resize(self, width: int, height: int) -> None:
        self.audience.showNormal()
        self.audience.resize(width, height)
        self.settle()
        assert self.page.size().toTuple() == (width, height)

    def push(self, button: QWidget) -> None:
        QTest.mouseClick(button, LEFT, NO_KEY, button.rect().center())
        self.settle()

    def point(self, space: Space, index: int) -> QPoint:
        return self.page.plane.screen_point(space, index).toPoint()

    def drag(self, widget: QWidget, start: QPoint, end: QPoint) -> None:
        QTest.mousePress(widget, LEFT, NO_KEY, start)
        # An event of its own: QTest's has no button held, and this platform moves no cursor.
        for place in ((start + end) / 2, end):
            QTest.mouseMove(widget, place)
            QApplication.processEvents()
        QTest.mouseRelease(widget, LEFT, NO_KEY, end)
        self.settle()

    def seen(self, part: QRect | None = None) -> QImage:
        """What the audience sees, in one part of it or everywhere."""
        self.settle()
        picture = self.audience.grab().toImage()
        return picture if part is None else picture.copy(part)
