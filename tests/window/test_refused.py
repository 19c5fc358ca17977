"""What cannot be opened leaves the room in front that was, and is told there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.app.dialogs import QtDialogs
from explorer.sweeps.folder import PLAN
from tests.models.made import model_folder
from tests.window.conftest import Person

ONE_WINDOW = True  # which begins anew for each test

Open = Callable[[Person, Path], object]


def drop(person: Person, path: Path) -> None:
    person.window.opening.drop([QUrl.fromLocalFile(str(path))])


def open_it(person: Person, path: Path) -> None:
    person.window.open_file(path)


@pytest.fixture
def broken_model(tmp_path: Path) -> Path:
    folder = model_folder(tmp_path / "broken model")
    (folder / "model.safetensors").write_bytes(b"no weights")
    return folder


@pytest.fixture
def broken_sweep(tmp_path: Path) -> Path:
    folder = tmp_path / "broken sweep"
    folder.mkdir()
    (folder / PLAN).write_text('{"version": 1')
    return folder


def end_opening(person: Person, qtbot: QtBot) -> None:
    model = person.window.model
    assert model is not None
    qtbot.waitUntil(lambda: not model.runner.busy, timeout=60_000)
    person.settle()


@pytest.mark.parametrize("how", [drop, open_it])
def test_a_broken_sweep(person: Person, broken_sweep: Path, how: Open) -> None:
    rooms = person.window.rooms
    how(person, broken_sweep)
    person.settle()
    assert rooms.front is rooms.explore
    assert person.window.explore_page.isVisible()
    assert "sweep.json" in person.window.explore_page.error_bar.sentence


@pytest.mark.parametrize("room", ["explore", "train"])
@pytest.mark.parametrize("how", [drop, open_it])
def test_a_broken_model(
    person: Person, qtbot: QtBot, broken_model: Path, how: Open, room: str
) -> None:
    rooms = person.window.rooms
    if room == "train":
        person.window.show_train(warm=False)
    front = rooms.front
    how(person, broken_model)
    assert rooms.front is rooms.model  # where one sees how far it is
    end_opening(person, qtbot)
    assert rooms.front is front
    assert front.page.isVisible()
    bar = front.page.error_bar
    assert "model.safetensors" in bar.sentence
    bar.more.click()
    assert str(broken_model) in bar.text
    # Model says it no more, and opens what it opens the first time.
    assert rooms.model.page.error_bar.isHidden()
    person.window.actions_by_name["model"].trigger()
    end_opening(person, qtbot)
    assert rooms.model.session.frame.info is not None


def test_who_goes_elsewhere_meanwhile_stays_and_is_told(
    person: Person, qtbot: QtBot, broken_model: Path
) -> None:
    drop(person, broken_model)
    train = person.window.show_train(warm=False)
    end_opening(person, qtbot)
    assert person.window.rooms.front is train
    assert "model.safetensors" in train.page.error_bar.sentence


def test_a_later_model_knows_nothing_of_the_room_before(
    person: Person, qtbot: QtBot, broken_model: Path, folder: Path
) -> None:
    rooms = person.window.rooms
    person.window.open_file(folder)
    end_opening(person, qtbot)
    assert rooms.front is rooms.model
    person.window.open_file(broken_model)
    end_opening(person, qtbot)
    assert rooms.front is rooms.model
    assert "model.safetensors" in rooms.model.page.error_bar.sentence


def test_a_model_that_is_not_chosen_after_all(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QtDialogs, "ask_model", lambda _dialogs, _folder: None)
    person.window.actions_by_name["open_model"].trigger()
    QApplication.processEvents()
    assert person.window.rooms.front is person.window.explore
