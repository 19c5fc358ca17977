"""What comes from a foreign format: opened like any file, and never written to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer import importers
from explorer.app.dialogs import QtDialogs
from explorer.importers import IMPORTERS, Importer, Kind
from explorer.session import Scene, read_scene
from tests.traces.made import spooled, step_of
from tests.window.conftest import Person

NUMBERS = "1 2\n3 4\n"


def is_numbers(path: Path) -> bool:
    return path.suffix == ".numbers"


def read_numbers(path: Path) -> Scene:
    X = np.loadtxt(path)
    return Scene(tokens=tuple(f"t{row}" for row in range(len(X))), X=X, title=path.stem)


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A file of a format that was added with one line."""
    line = Importer(
        "Numbers",
        Kind.SCENE,
        (".numbers",),
        f"{__name__}:is_numbers",
        f"{__name__}:read_numbers",
    )
    monkeypatch.setattr(importers, "IMPORTERS", (line, *IMPORTERS))
    path = tmp_path / "mine.numbers"
    path.write_text(NUMBERS)
    return path


def test_it_is_opened_untied_and_saved_elsewhere(
    person: Person, foreign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, asked = person.window, []

    def ask(_self: QtDialogs, folder: Path, name: str) -> Path | None:
        asked.append((folder, name))
        return [tmp_path / "new.json", foreign][len(asked) % 2]

    monkeypatch.setattr(QtDialogs, "ask_save", ask)
    assert window.open_file(foreign)
    person.settle()
    assert window.document.path is None
    assert (window.document.title, window.document.modified) == ("mine", False)
    assert window.document._settings.settings.recent[0] == str(foreign)

    window.actions_by_name["save"].trigger()  # chooses the foreign file itself
    assert foreign.read_text() == NUMBERS
    assert "another format" in window.explore_page.error_bar.sentence
    window.actions_by_name["save"].trigger()
    assert asked == [(tmp_path, "mine.json")] * 2
    assert window.document.path == tmp_path / "new.json"
    assert np.array_equal(read_scene(tmp_path / "new.json").X, [[1, 2], [3, 4]])
    assert foreign.read_text() == NUMBERS


def test_a_run_that_is_not_saved_is_opened_by_its_folder(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    spooled(folder, {0: step_of(), 1: step_of()}).close()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    monkeypatch.setattr(QtDialogs, "ask_save_trace", lambda *_: tmp_path / "saved.safetensors")
    assert person.window.open_file(folder)
    train = person.window.rooms.front
    assert train.document.title == "run"
    train.document.save()
    assert importers.importer_of(tmp_path / "saved.safetensors").kind is Kind.TRACE
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
