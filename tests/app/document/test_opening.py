"""Opening a file: nothing is lost unasked, nothing is swapped unchecked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from explorer.app import document as document_module
from explorer.session import Look, Stage, dump_scene, read_scene, write_scene
from tests.app.document.conftest import Window, edit, scene, shown


def test_an_opened_file_is_the_document(window: Window, file: Path) -> None:
    assert (window.document.path, window.document.title) == (None, "first")
    window.session.look_at(Look(stage=Stage.A))
    assert window.document.open(file)
    assert shown(window) == 2.0
    assert (window.document.path, window.document.title) == (file, "cat")
    assert not window.document.modified
    assert not window.session.history.can_undo
    assert window.session.look.stage is Stage.A
    assert window.recent() == ["cat.json"]
    assert window.changes == 1


def test_open_asks_where_it_was_last(window: Window, file: Path, tmp_path: Path) -> None:
    window.dialogs.expect("open", file)
    assert window.document.open()
    window.document.new()
    window.dialogs.expect("open", None)
    assert not window.document.open()
    assert [about for _question, about in window.dialogs.asked][1] == tmp_path
    assert window.document.title == "Untitled"


def test_files_are_known_by_their_content(window: Window, tmp_path: Path) -> None:
    named_otherwise = tmp_path / "scene.txt"
    write_scene(scene(4.0), named_otherwise)
    assert window.document.open(named_otherwise)
    assert shown(window) == 4.0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"not JSON", ["JSON"]),
        (dump_scene(scene()).replace(b"1.0", b"1e400"), ["X[0][0]"]),
        (dump_scene(scene()).replace(b'"fish"', b'"fish", "cloud"'), ["tokens"]),
        (b"\x89PNG\r\n\x1a\n\xff", ["no"]),
    ],
)
def test_a_bad_file_leaves_everything_as_it_was(
    window: Window, tmp_path: Path, file: Path, content: bytes, said: list[str]
) -> None:
    window.document.open(file)
    made = edit(window.session)
    bad = tmp_path / "bad.json"
    bad.write_bytes(content)
    assert not window.document.open(bad)
    # Nothing was asked, for there was nothing to lose the changes for.
    assert window.dialogs.asked == []
    assert window.session.scene is made
    assert (window.document.path, window.document.modified) == (file, True)
    assert window.recent() == ["cat.json"]
    (sentence,) = window.dialogs.told
    assert all(word in sentence for word in ["bad.json", *said])
    window.session.undo()


def test_a_recent_file_that_is_gone_leaves_the_list(window: Window, file: Path) -> None:
    window.document.open(file)
    window.document.new()
    file.unlink()
    assert not window.document.open(file)
    assert window.recent() == []
    assert "cat.json" in window.dialogs.told[0]
    assert window.document.title == "Untitled"


@pytest.mark.parametrize("act", ["open", "open_example", "new", "may_close"])
@pytest.mark.parametrize("answer", ["save", "discard", "cancel"])
def test_unsaved_changes_are_asked_about_once(
    window: Window, file: Path, tmp_path: Path, act: str, answer: str
) -> None:
    window.document.open(file)
    made = edit(window.session)
    other = tmp_path / "other.json"
    write_scene(scene(3.0), other)
    acts: dict[str, Callable[[], bool]] = {
        "open": lambda: window.document.open(other),
        "open_example": lambda: window.document.open_example(other),
        "new": window.document.new,
        "may_close": window.document.may_close,
    }
    window.dialogs.expect("unsaved", answer)
    assert acts[act]() == (answer != "cancel")
    assert window.dialogs.asked == [("unsaved", "cat")]
    assert float(read_scene(file).X[0, 0]) == (7.0 if answer == "save" else 2.0)
    if answer == "cancel" or act == "may_close":
        assert window.session.scene is made
        assert window.document.path == file
    else:
        assert window.session.scene is not made
        assert window.document.path == (other if act == "open" else None)


def test_a_failed_save_keeps_the_changes(window: Window, file: Path, tmp_path: Path) -> None:
    made = edit(window.session)
    window.dialogs.expect("unsaved", "save")
    window.dialogs.expect("save", tmp_path / "no such folder" / "x.json")
    assert not window.document.open(file)
    assert window.session.scene is made
    assert window.document.modified
    assert "x.json" in window.dialogs.told[0]


def test_opening_the_open_file_after_saving_it_shows_what_was_saved(
    window: Window, file: Path
) -> None:
    window.document.open(file)
    edit(window.session)
    window.dialogs.expect("unsaved", "save")
    assert window.document.open(file)
    assert shown(window) == 7.0
    assert window.document.save()


def test_an_example_is_not_tied_to_its_file(
    window: Window, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_module, "examples", lambda: [file])
    for open_it in (window.document.open_example, window.document.open):
        assert open_it(file)
        assert (window.document.path, window.document.title) == (None, "The cat")
        assert window.recent() == []
    window.dialogs.expect("save", file)
    assert not window.document.save()
    assert "cat.json" in window.dialogs.told[0]
    mine = tmp_path / "mine.json"
    window.dialogs.expect("save", mine)
    assert window.document.save()
    assert window.dialogs.asked[-1][1][1] == "The-cat.json"  # type: ignore[index]
    assert (window.document.path, window.document.title) == (mine, "mine")


def test_the_raw_scores_of_a_lesson_are_not_kept_for_another_scene(window: Window) -> None:
    session, document = window.session, window.document
    document.show(session.scene)
    session.look_at(replace(session.look, scaled=False))
    document.show(session.scene)
    assert not session.look.scaled  # steps say themselves which scores they show
    document.new()
    assert session.look.scaled
