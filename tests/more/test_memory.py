"""What is done for a long time leaves nothing behind."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

import pytest

from explorer.resources import examples
from explorer.session import Cell, Matrix, Stage, intents, write_scene
from tests.window.test_memory import Held, held

EDITS, OPENS = 5000, 500
HISTORY = 500  # steps of undo: memory grows until they are full
MOST_OBJECTS = 100
MOST_BYTES = 2 * 2**20  # 400 bytes an edit, 4 KiB an opened file

pytestmark = pytest.mark.timeout(3600)


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
