"""Files dropped on the window, New and Revert: what is on the table after them."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from explorer.app.train import EXAMPLE
from explorer.resources import example
from explorer.session import Matrix, read_scene
from tests.app.test_dialogs import Answers, press
from tests.showing import to_front
from tests.window.conftest import NO_KEY, Person

ONE_WINDOW = True  # which begins anew for each test

CAT, JOURNEY = example("cat-likes-fish.json"), example("your-journey.json")
ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
COPY = Qt.DropAction.CopyAction


def drop(person: Person, urls: Sequence[QUrl]) -> None:
    """Drop on the middle of the window, as the system tells a window of it."""
    window, handle = person.window, person.window.windowHandle()
    mime = QMimeData()
    mime.setUrls(list(urls))
    at = QPointF(window.rect().center())
    entered = QDragEnterEvent(at.toPoint(), COPY, mime, Qt.MouseButton.LeftButton, NO_KEY)
    QApplication.sendEvent(handle, entered)
    assert entered.isAccepted()
    dropped = QDropEvent(at, COPY, mime, Qt.MouseButton.LeftButton, NO_KEY)
    QApplication.sendEvent(handle, dropped)
    assert dropped.isAccepted()
    person.settle()


def local(*paths: Path) -> list[QUrl]:
    return [QUrl.fromLocalFile(str(path)) for path in paths]


def said(person: Person) -> str:
    return person.window.rooms.front.page.error_bar.sentence


def change(person: Person) -> None:
    """Type another number into Wk."""
    grid = person.window.explore_page.inputs.weights[Matrix.WK].grid
    person.click_cell(grid, 0, 1)
    person.keys("0.7")
    person.key(Qt.Key.Key_Return)
    assert person.session.scene.Wk[0, 1] == 0.7


def test_a_dropped_scene_is_opened(person: Person, tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    shutil.copy(JOURNEY, mine)
    drop(person, local(mine))
    assert person.session.scene.tokens == read_scene(JOURNEY).tokens
    assert person.window.document.path == mine
    assert not said(person)


def test_of_two_dropped_files_the_first_is_opened_and_said_so(
    person: Person, tmp_path: Path
) -> None:
    for name, path in (("a.json", JOURNEY), ("b.json", CAT)):
        shutil.copy(path, tmp_path / name)
    link = QUrl("https://example.org/x.json")
    drop(person, [link, *local(tmp_path / "a.json", tmp_path / "b.json")])
    assert person.session.scene.tokens == read_scene(JOURNEY).tokens
    assert "a.json" in said(person)


def test_what_is_dropped_from_the_net_is_not_fetched(person: Person) -> None:
    before = person.session.scene
    drop(person, [QUrl("https://example.org/x.json")])
    assert person.session.scene is before
    assert "this computer" in said(person)


def test_what_cannot_be_opened_is_called_by_what_it_is(person: Person, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)))
    (tmp_path / "corpus.txt").write_text("the cat sat")
    (tmp_path / "corpus.csv").write_text("text,target\nthe cat,sat\n")
    before = person.session.scene
    for name, why in (
        ("empty", "is a folder, but not that of a model, a sweep or a run."),
        ("noise.bin", "is no scene, run, lesson, model or table, so it cannot be opened."),
        ("corpus.txt", "is a text: Train opens it at the pencil of Corpus."),
        ("corpus.csv", "is a text: Train opens it at the pencil of Corpus."),
    ):
        drop(person, local(tmp_path / name))
        assert said(person) == f"{name} {why}"
    assert person.session.scene is before


def test_a_dropped_run_is_shown_in_train_and_a_scene_in_explore(
    person: Person, tmp_path: Path
) -> None:
    run = tmp_path / "run.json"  # known by its content
    shutil.copy(example(EXAMPLE), run)
    drop(person, local(run))
    assert person.window.rooms.training
    assert person.window.train.session.frame.title == "run"
    assert not said(person)

    drop(person, local(JOURNEY))
    assert not person.window.rooms.training
    assert person.session.scene.tokens == read_scene(JOURNEY).tokens


def test_a_dropped_file_that_fails_as_a_run_leaves_one_in_explore(
    person: Person, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(example(EXAMPLE).read_bytes()[:-100])
    drop(person, local(cut))
    assert person.window.rooms.name == "explore"
    assert said(person).startswith("cut.safetensors")


@pytest.mark.parametrize(("answer", "done"), [(Qt.Key.Key_Escape, False), (Qt.Key.Key_D, True)])
def test_new_asks_about_changes_and_begins_anew(person: Person, answer: Qt.Key, done: bool) -> None:
    change(person)
    changed = person.session.scene
    asked = Answers()
    asked.next(press(answer, modifier=ALT if done else NO_KEY))
    person.key(Qt.Key.Key_N, CONTROL, person.plane.viewport())
    assert asked.texts
    if done:
        assert person.session.scene.tokens == ("a", "b", "c")
        assert not person.window.isWindowModified()
        assert not person.window.actions_by_name["undo"].isEnabled()
    else:
        assert person.session.scene is changed


def test_revert_goes_back_to_the_file_and_can_be_undone(person: Person, tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"
    shutil.copy(CAT, mine)
    person.window.open_file(mine)
    person.settle()
    before = person.picture()
    change(person)
    asked = Answers()
    asked.next(press(Qt.Key.Key_G, modifier=ALT))
    person.window.actions_by_name["revert"].trigger()
    person.settle()
    assert asked.texts
    np.testing.assert_array_equal(person.session.scene.Wk, read_scene(CAT).Wk)
    assert not person.window.isWindowModified()
    person.session.select(None)
    assert person.picture() == before
    to_front(person.window)
    person.key(Qt.Key.Key_Z, CONTROL, person.plane.viewport())
    assert person.session.scene.Wk[0, 1] == 0.7
