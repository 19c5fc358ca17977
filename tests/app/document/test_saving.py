"""Saving and reverting: files are written whole or not at all, nothing is overwritten unasked."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest

from explorer.session import Look, Role, Selection, Stage, read_scene, write_scene
from tests.app.document.conftest import Window, edit, scene, shown

# --- saving --------------------------------------------------------------------------------------


def test_save_writes_the_file_it_came_from(window: Window, file: Path) -> None:
    window.document.open(file)
    edit(window.session)
    assert window.document.save()
    assert float(read_scene(file).X[0, 0]) == 7.0
    assert not window.document.modified
    window.session.undo()
    assert window.document.modified
    window.session.redo()
    assert not window.document.modified
    assert window.dialogs.asked == []


def test_save_asks_for_a_file_the_first_time_only(window: Window, tmp_path: Path) -> None:
    window.dialogs.expect("save", None)
    assert not window.document.save()
    path = tmp_path / "mine.json"
    window.dialogs.expect("save", path)
    assert window.document.save()
    edit(window.session)
    assert window.document.save()
    assert float(read_scene(path).X[0, 0]) == 7.0
    assert window.recent() == ["mine.json"]


@pytest.mark.parametrize(
    ("title", "name"),
    [("", "scene.json"), ("../../etc: a/b", "etc-a-b.json"), ("早上 好", "早上-好.json")],
)
def test_the_proposed_name_comes_from_the_title(qapp: object, title: str, name: str) -> None:
    window = Window(scene(title=title))
    window.dialogs.expect("save", None)
    window.document.save()
    assert window.dialogs.asked[0][1][1] == name  # type: ignore[index]
    window.document.close()


@pytest.mark.parametrize("agreed", [False, True])
def test_a_file_that_another_program_changed_is_not_overwritten_unasked(
    window: Window, file: Path, agreed: bool
) -> None:
    window.document.open(file)
    edit(window.session)
    write_scene(scene(9.0), file)
    window.dialogs.expect("overwrite", agreed)
    assert window.document.save() == agreed
    assert window.dialogs.asked == [("overwrite", file)]
    assert float(read_scene(file).X[0, 0]) == (7.0 if agreed else 9.0)
    assert window.document.modified != agreed
    if agreed:
        edit(window.session, 8.0)
        assert window.document.save()


def test_a_file_that_is_gone_is_written_again(window: Window, file: Path) -> None:
    window.document.open(file)
    file.unlink()
    assert window.document.save()
    assert float(read_scene(file).X[0, 0]) == 2.0


def test_a_save_that_fails_midway_leaves_the_old_file(
    window: Window, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.document.open(file)
    made = edit(window.session)
    before = file.read_bytes()

    def full(source: object, target: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        assert not window.document.save()
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["cat.json"]
    assert (window.session.scene, window.document.modified) == (made, True)
    (sentence,) = window.dialogs.told
    assert "cat.json" in sentence
    assert "No space left on device" in sentence
    assert window.document.save()


# --- reverting -----------------------------------------------------------------------------------


def test_revert_is_one_edit_that_undo_takes_back(window: Window, file: Path) -> None:
    window.document.open(file)
    edit(window.session, 5.0)
    made = edit(window.session, 6.0)
    window.dialogs.expect("revert", False)
    assert not window.document.revert()
    assert window.session.scene is made
    window.dialogs.expect("revert", True)
    assert window.document.revert()
    assert shown(window) == 2.0
    assert not window.document.modified
    window.session.undo()
    assert window.session.scene is made
    assert window.document.modified
    window.session.redo()
    assert not window.document.modified


def test_revert_shows_what_another_program_wrote(window: Window, file: Path) -> None:
    window.document.open(file)
    assert window.document.revert()
    assert not window.session.history.can_undo
    write_scene(scene(9.0), file)
    assert window.document.revert()
    assert shown(window) == 9.0
    assert not window.document.modified
    edit(window.session)
    assert window.document.save()  # the file is known again, nothing is asked


def test_revert_without_a_file_goes_back_to_the_start(window: Window) -> None:
    first = window.session.scene
    edit(window.session)
    window.dialogs.expect("revert", True)
    assert window.document.revert()
    assert window.session.scene is first
    assert not window.document.modified


def test_revert_to_a_file_that_is_gone_keeps_the_changes(window: Window, file: Path) -> None:
    window.document.open(file)
    made = edit(window.session)
    file.unlink()
    window.dialogs.expect("revert", True)
    assert not window.document.revert()
    assert window.session.scene is made
    assert "cat.json" in window.dialogs.told[0]
    window.session.undo()


# --- how it is looked at -------------------------------------------------------------------------


def test_saving_keeps_how_the_scene_is_looked_at_and_opening_restores_it(
    window: Window, file: Path
) -> None:
    document, session = window.document, window.session
    document.open(file)
    look = replace(session.look.at_stage(Stage.A), scaled=True)
    session.look_at(look)
    session.select(Selection(Role.A, 0, 0))
    assert not document.modified
    edit(session)
    assert document.save()
    session.look_at(Look())
    session.select(None)
    assert not document.modified
    document.new()
    assert session.look.stage is Stage.X
    document.open(file)
    assert (session.look.stage, session.look.scaled) == (Stage.A, True)
    assert session.selection == Selection(Role.A, 0, 0)
    assert not document.modified
