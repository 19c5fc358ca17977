"""Views on the screen, for tests."""

from __future__ import annotations

import gc
import weakref
from typing import Any

from PySide6.QtCore import QDeadlineTimer, QPoint, QPointF, Qt
from PySide6.QtGui import QCursor, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from explorer.kit.theme import Theme

THEMES = (Theme(), Theme(dark=True, percent=150))


def asked_of(
    qtbot: QtBot, view: Any, width: int, height: int, frame: object = None
) -> list[object]:
    """Show a view of that size, on a frame where one is given; return what it asks for since."""
    qtbot.addWidget(view)
    view.resize(width, height)
    if frame is not None:
        view.draw(frame)
    with qtbot.waitExposed(view):
        view.show()
    QApplication.processEvents()
    asked: list[object] = []
    view.intent.connect(asked.append)
    return asked


def to_front(window: QWidget) -> None:
    """Bring a window to the front, and wait until it keeps what is typed.

    A busy screen gives the focus late, and may first give it to a window that asked earlier; there
    is no window manager that asks again.
    """
    waiting = QDeadlineTimer(30_000)
    kept = False  # twice in a row: what came meanwhile took nothing back
    while not (kept and window.isActiveWindow()):
        assert not waiting.hasExpired(), f"the focus goes to {QApplication.activeWindow()}"
        kept = window.isActiveWindow()
        if not kept:
            window.activateWindow()
        QTest.qWait(1)


def picture_of(view: QWidget, *, waits: bool = True) -> QImage:
    """Return how a view looks, once what waits is done where it is to wait."""
    if waits:
        QApplication.processEvents()
        QApplication.sendPostedEvents()  # what a layout has left for afterwards
    return view.grab().toImage()


def assert_drawn_alike(
    qtbot: QtBot,
    view: Any,
    width: int,
    height: int,
    frame: object,
    other: object = None,
    *,
    waits: bool = True,
) -> QImage:
    """Show a view in the first theme, and return how it looks.

    It draws a frame twice alike, differs in the other theme, and asks for nothing, nor when it is
    drawn in the first theme again, after another frame where one is given.
    """
    asked = asked_of(qtbot, view, width, height)
    view.draw(frame)
    first = picture_of(view, waits=waits)
    view.draw(frame)
    assert picture_of(view, waits=waits) == first
    view.retheme(THEMES[1])
    view.draw(frame)
    assert picture_of(view, waits=waits) != first
    if other is not None:
        view.retheme(THEMES[0])
        view.draw(other)
        view.draw(frame)
    assert asked == []
    return first


def assert_dies_when_closed(qtbot: QtBot, views: list[Any], frame: object) -> None:
    """Show the one view that a list holds, close it, and take it out: nothing else keeps it."""
    with qtbot.waitExposed(views[0]):
        views[0].show()
    views[0].draw(frame)
    reference = weakref.ref(views[0])
    views[0].close()
    views[0].deleteLater()
    views.clear()
    qtbot.waitUntil(lambda: gc.collect() >= 0 and reference() is None)


def click_to_open(button: QWidget) -> None:
    """Click a button that opens a menu, with the mouse brought there first.

    Where the mouse is when a menu opens, a click closes it and chooses nothing: an entry that came
    to lie below a mouse that an earlier test had left there could not be chosen.
    """
    centre = button.rect().center()
    QCursor.setPos(button.mapToGlobal(centre))
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=centre)


def turn_wheel(widget: QWidget, at: QPointF, notches: int) -> None:
    """Turn the mouse wheel over a point of a widget."""
    event = QWheelEvent(
        at,
        QPointF(widget.mapToGlobal(at)),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
