"""What is done for a long time leaves nothing behind; nor does a window that was closed."""

from __future__ import annotations

import gc
import os
import shutil
import weakref
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QApplication

from explorer.app.main import make_window
from explorer.resources import examples
from explorer.session import Cell, Matrix, Space, Stage, intents, write_scene

EDITS, OPENS = 5000, 500
HISTORY = 500  # steps of undo: memory grows until they are full
MOST_OBJECTS = 100
MOST_BYTES = 2 * 2**20  # 400 bytes an edit, 4 KiB an opened file


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


def resident() -> int:
    """Return the memory in use, in bytes; 0 on systems that do not say it in a file."""
    told = Path("/proc/self/statm")
    return int(told.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if told.exists() else 0


def assert_no_more(before: Held, after: Held) -> None:
    assert after.objects - before.objects <= MOST_OBJECTS
    assert after.widgets == before.widgets
    assert after.resident - before.resident <= MOST_BYTES


@pytest.fixture
def handle(person) -> Callable[[object], None]:
    """What a view's intents are handed to, in a window that is small so that painting is quick."""
    person.window.resize(1100, 700)
    person.settle()
    return person.plane.intent.emit


def test_five_thousand_edits_leave_no_growing_memory(person, handle, tmp_path):
    cells = [Cell(Matrix.X, 0, 1), Cell(Matrix.WK, 1, 0), Cell(Matrix.X, 3, 0)]
    made = cycle(
        [
            *(intents.TypeCell(cell, text) for text in ("0.5", "1/3", "-0.8") for cell in cells),
            intents.TypeCell(cells[0], "much"),
            intents.RevertCell(cells[0]),
            intents.RenameToken(0, "dog"),
            intents.AddToken(after=1),
            intents.RemoveToken(2),
            intents.RenameToken(0, "cat"),
            intents.NudgeCell(cells[1], 0.1),
        ]
    )

    def edit(count: int) -> None:
        for n, intent in enumerate(islice(made, count)):
            handle(intent)
            if n % 25 == 0:
                person.settle()

    edit(2 * HISTORY)
    write_scene(person.session.scene, tmp_path / "kept.json")  # loads what autosaving needs
    before = held(person)
    edit(EDITS)

    assert_no_more(before, held(person))
    assert person.session.history.can_undo


def test_five_hundred_opens_leave_no_growing_memory(person, handle, tmp_path):
    files = cycle([Path(shutil.copy(example, tmp_path)) for example in examples()])
    stages = cycle(Stage)

    def open_files(count: int) -> None:
        for n, path in enumerate(islice(files, count)):
            assert person.window.document.open(path)
            if n % 4 == 0:
                handle(intents.ShowStage(next(stages)))
                person.settle()

    open_files(120)
    before = held(person)
    open_files(OPENS)

    assert_no_more(before, held(person))


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
