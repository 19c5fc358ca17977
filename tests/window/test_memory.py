"""What is held in memory; a window that was closed leaves nothing behind."""

from __future__ import annotations

import gc
import weakref
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QApplication

from explorer.app.main import make_window
from explorer.kit.memory import resident
from explorer.session import Space
from tests.commands import printed_by

# Each window is closed before the next is opened, as the program opens them.
ONE_AFTER_ANOTHER = """
import weakref
from PySide6.QtCore import QEvent
from explorer.app.main import application, open_window

application()
opened = []
for _ in range(3):
    window = open_window()
    opened.append(weakref.ref(window))
    application().processEvents()
    window.close()
    del window
    application().sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
last = open_window()
print([window() is None for window in opened])
last.close()
"""


class Held(NamedTuple):
    """What the process holds: objects that Python knows, Qt's objects in the window, bytes."""

    objects: int
    widgets: int
    resident: int


def held(person) -> Held:
    """Return what is held once everything is drawn and no garbage is left."""
    person.settle()
    gc.collect()
    widgets = len(person.window.findChildren(QObject))
    return Held(len(gc.get_objects()), widgets, resident())


def test_a_closed_window_and_its_views_are_freed(qtbot, person):
    second = make_window()
    second.resize(1440, 900)
    second.show()
    qtbot.waitExposed(second)
    other = type(person)(second)
    other.settle()
    start = other.point(Space.X, 0)
    other.drag(start, start + QPoint(-60, -40))
    other.key(Qt.Key.Key_5, widget=other.plane.viewport())
    second.show_shortcuts()
    other.settle()
    second.session.mark_saved(second.session.scene)
    views = [weakref.ref(view) for view in second.explore_page.views]
    window, session = weakref.ref(second), weakref.ref(second.session)
    second.close()
    del second, other
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()

    assert window() is None
    assert session() is None
    assert [view() for view in views] == [None] * len(views)


def test_of_windows_one_after_another_only_the_last_is_kept():
    assert printed_by(ONE_AFTER_ANOTHER) == "[True, True, True]\n"
