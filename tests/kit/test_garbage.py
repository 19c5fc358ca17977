"""Garbage is never looked for while Qt walks widgets, nor in a thread that is not Qt's own."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import ClassVar

import pytest
from PySide6.QtCore import QObject

from explorer.kit.garbage import collect_between_events, no_collection

# Widgets that only a cycle holds are freed where the collector runs, here in the midst of the walk.
CHANGES = """
import gc
import os
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QLabel
from explorer.kit.style import apply_theme, finish, prepare
from explorer.kit.theme import Theme

CHANGED = (QEvent.Type.StyleChange, QEvent.Type.FontChange, QEvent.Type.PaletteChange)


class Watching(QLabel):
    def event(self, event):
        if event.type() in CHANGED:
            gc.collect()
        return super().event(event)


def leave_garbage():
    for _ in range(200):
        label = QLabel("garbage")
        label.itself = label
        label.ensurePolished()


application = QApplication([])
gc.disable()  # so that nothing but what is asked for here is collected
gc.freeze()  # the program's modules are none of it
kept = [Watching("kept") for _ in range(10)]
for label in kept:
    label.show()
for change in range(8):
    theme = Theme(dark=bool(change % 2), percent=100 + 25 * (change % 3))
    leave_garbage()
    {change}
    application.processEvents()
print("lived")
"""


@pytest.mark.parametrize(
    "change",
    ["apply_theme(application, theme)", "prepare(theme)", "finish(application, theme)"],
)
def test_garbage_pending_while_the_theme_changes_does_no_harm(change):
    child = [sys.executable, "-X", "faulthandler", "-c", CHANGES.replace("{change}", change)]
    ran = subprocess.run(
        child, capture_output=True, text=True, env=_without_screen(), timeout=60, check=False
    )

    assert (ran.returncode, ran.stdout) == (0, "lived\n"), ran.stderr


def _without_screen() -> dict[str, str]:
    return {**os.environ, "QT_QPA_PLATFORM": "offscreen"}


class Knot:
    """What only a reference cycle holds; notes in which thread it was freed."""

    freed: ClassVar[list[str]] = []

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        Knot.freed.append(threading.current_thread().name)


@pytest.fixture
def collecting(qapp) -> Iterator[None]:
    """Garbage is looked for between events, as in the running program."""
    gc.collect()
    Knot.freed = []
    owner = QObject()
    collect_between_events(owner)
    yield
    owner.deleteLater()
    gc.enable()


def allocate() -> None:
    kept = [[] for _ in range(20 * gc.get_threshold()[0])]
    assert kept


def test_another_thread_frees_no_garbage(collecting):
    Knot()
    worker = threading.Thread(target=allocate)
    worker.start()
    worker.join()

    assert Knot.freed == []


def test_garbage_is_freed_between_events(collecting, qtbot):
    Knot()
    allocate()
    allocated = [[] for _ in range(20 * gc.get_threshold()[0])]

    qtbot.waitUntil(lambda: Knot.freed == [threading.main_thread().name])
    assert allocated


def test_few_objects_set_nothing_off(collecting, qapp):
    gc.collect()
    Knot()
    qapp.processEvents()

    assert Knot.freed == []


def test_the_collector_is_as_it_was_after_a_walk():
    with no_collection():
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.disable()
    try:
        with no_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
