"""The document: nothing is lost unasked, nothing is swapped unchecked, a crash costs nothing."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from explorer.app import document as document_module
from explorer.app.document import AUTOSAVE, Document
from explorer.app.folders import data_folder
from explorer.app.recovery import Abandoned, Recovery, Unsaved
from explorer.app.settings import SettingsStore
from explorer.session import Look, Scene, Session, Stage, dump_scene, read_scene, write_scene
from explorer.text import Message, Problem


class ScriptedDialogs:
    """Answers from a script, in order; a question that it does not expect fails the test."""

    def __init__(self) -> None:
        self.answers: list[tuple[str, object]] = []
        self.asked: list[tuple[str, object]] = []
        self.told: list[str] = []

    def expect(self, question: str, answer: object) -> None:
        self.answers.append((question, answer))

    def _answer(self, question: str, about: object) -> object:
        self.asked.append((question, about))
        assert self.answers, f"unexpected question: {question}"
        expected, answer = self.answers.pop(0)
        assert question == expected
        return answer(about) if callable(answer) else answer

    def ask_open(self, folder: Path) -> Path | None:
        return self._answer("open", folder)  # type: ignore[return-value]

    def ask_save(self, folder: Path, name: str) -> Path | None:
        return self._answer("save", (folder, name))  # type: ignore[return-value]

    def ask_unsaved(self, title: str) -> Literal["save", "discard", "cancel"]:
        return self._answer("unsaved", title)  # type: ignore[return-value]

    def ask_revert(self, title: str) -> bool:
        return bool(self._answer("revert", title))

    def ask_overwrite_changed(self, path: Path) -> bool:
        return bool(self._answer("overwrite", path))

    def ask_recover(
        self, abandoned: Sequence[Abandoned]
    ) -> Abandoned | Literal["later", "discard"]:
        return self._answer("recover", abandoned)  # type: ignore[return-value]

    def ask_reading(self, text: str, readings: tuple[float, ...]) -> float | None:
        raise AssertionError("a document asks for no number")

    def tell(self, problem: Problem) -> None:
        self.told.append(str(problem))


def scene(value: float = 1.0, title: str = "") -> Scene:
    X = np.array([[value, 0.0], [0.0, 1.0]])
    return Scene(tokens=("cat", "fish"), X=X, title=title)


def edit(session: Session, value: float = 7.0) -> Scene:
    made = session.scene.replace(X=np.array([[value, 0.0], [0.0, 1.0]]))
    session.edit(Message("change X"), made)
    return made


def recovery_files() -> list[Path]:
    return sorted((data_folder() / "recovery").glob("*.json"))


class Window:
    """What a window joins, without one."""

    def __init__(self, first: Scene | None = None) -> None:
        self.session = Session(first or scene(title="first"))
        self.dialogs = ScriptedDialogs()
        self.settings = SettingsStore(self.dialogs.tell)
        self.recovery = Recovery()
        self.document = Document(self.session, self.dialogs, self.settings, self.recovery)
        self.changes = 0
        self.document.changed.connect(self._count)

    def _count(self) -> None:
        self.changes += 1

    def recent(self) -> list[str]:
        return [Path(each).name for each in self.settings.settings.recent]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let changes be kept as soon as events are handled."""
    monkeypatch.setattr(document_module, "AUTOSAVE", 0)


@pytest.fixture
def window(qapp: object) -> Iterator[Window]:
    made = Window()
    yield made
    made.document.close()
    assert made.dialogs.answers == []
    assert recovery_files() == []


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cat.json"
    write_scene(scene(2.0, "The cat"), path)
    return path


def shown(window: Window) -> float:
    return float(window.session.scene.X[0, 0])


# --- opening -----------------------------------------------------------------------------------


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


# --- saving ------------------------------------------------------------------------------------


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


# --- reverting ---------------------------------------------------------------------------------


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


# --- autosave and recovery ---------------------------------------------------------------------


def kept(path: Path) -> float:
    """Return what a recovery file holds."""
    text = path.read_text("utf-8")
    return float(text[text.index('"X"') :].split("[")[2].split(",")[0])


def test_changes_are_kept_within_two_seconds_while_more_of_them_come(
    window: Window, qtbot: QtBot
) -> None:
    assert AUTOSAVE <= 1500  # and half a second to write
    step = 0

    def continue_dragging() -> bool:
        nonlocal step
        step += 1
        window.session.move(window.session.scene.replace(X=np.array([[step, 0.0], [0.0, 1.0]])))
        return bool(recovery_files())

    window.session.begin_gesture(Message("move cat"))
    qtbot.waitUntil(continue_dragging, timeout=5000)
    (path,) = recovery_files()
    assert 0 < kept(path) < step
    last = step
    window.session.finish_gesture()
    qtbot.waitUntil(lambda: kept(path) == last, timeout=5000)


def test_nothing_is_kept_where_nothing_is_unsaved(
    at_once: None, window: Window, qtbot: QtBot, file: Path, tmp_path: Path
) -> None:
    def edited_and_kept() -> None:
        edit(window.session)
        qtbot.waitUntil(lambda: bool(recovery_files()), timeout=5000)

    assert not data_folder().exists()
    edited_and_kept()
    window.session.undo()
    assert recovery_files() == []
    edited_and_kept()
    window.dialogs.expect("save", tmp_path / "mine.json")
    window.document.save()
    assert recovery_files() == []


def test_changes_that_cannot_be_kept_are_told_once(
    at_once: None, window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = 0

    def full(source: object, target: object) -> None:
        nonlocal attempts
        attempts += 1
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        edit(window.session)
        qtbot.waitUntil(lambda: attempts >= 3, timeout=5000)
    (sentence,) = window.dialogs.told
    assert "No space left on device" in sentence
    assert "not kept" in sentence
    # It is tried again until it works.
    qtbot.waitUntil(lambda: bool(recovery_files()), timeout=5000)
    assert len(window.dialogs.told) == 1


def test_closing_after_discarding_leaves_nothing(at_once: None, qtbot: QtBot) -> None:
    window = Window()
    edit(window.session)
    qtbot.waitUntil(lambda: bool(recovery_files()), timeout=5000)
    window.dialogs.expect("unsaved", "discard")
    assert window.document.may_close()
    window.document.close()
    assert list((data_folder() / "recovery").iterdir()) == []
    edit(window.session)  # the document no longer listens
    QCoreApplication.processEvents()
    assert list((data_folder() / "recovery").iterdir()) == []


KILLED = """
import os, sys
from pathlib import Path
import numpy as np
from PySide6.QtCore import QCoreApplication
from explorer.app.dialogs import QtDialogs
from explorer.app.document import Document
from explorer.app.recovery import Recovery
from explorer.app.settings import SettingsStore
from explorer.session import Session, read_scene
from explorer.text import Message

def tell(problem):
    sys.exit(str(problem))

application = QCoreApplication([])
session = Session(read_scene(sys.argv[1]))
dialogs = QtDialogs(lambda: None, tell)
document = Document(session, dialogs, SettingsStore(tell), Recovery())
document.open(Path(sys.argv[1]))
X = np.random.default_rng(1).normal(size=session.scene.X.shape)
session.edit(Message("change X"), session.scene.replace(X=X))
print("edited", flush=True)
application.exec()
"""


def test_a_killed_program_gives_the_scene_back(window: Window, qtbot: QtBot, file: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(file)],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        text=True,
    ) as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == "edited\n"
        qtbot.waitUntil(lambda: bool(recovery_files()), timeout=10_000)
        assert killed.poll() is None
        # While it lives, its file is nobody else's.
        assert not window.document.recover()
        killed.kill()
    window.dialogs.expect("recover", lambda abandoned: abandoned[0])
    assert window.document.recover()
    X = np.random.default_rng(1).normal(size=(2, 2))
    assert window.session.scene.X.tobytes() == X.tobytes()
    assert (window.session.scene.title, window.session.scene.tokens) == ("The cat", ("cat", "fish"))
    assert (window.document.path, window.document.title) == (file, "cat")
    assert window.document.modified
    assert recovery_files() != []  # a second crash would cost nothing either
    assert window.document.save()
    assert recovery_files() == []
    assert read_scene(file).X.tobytes() == X.tobytes()


def crash(unsaved: Unsaved) -> None:
    """Leave a recovery file as a dying window does: the system lets go of its lock."""
    recovery = Recovery()
    recovery.save(unsaved).result()
    claim = recovery._claim
    assert claim is not None
    os.close(claim._lock)


def test_later_keeps_and_discard_removes(window: Window) -> None:
    assert not window.document.recover()
    assert window.dialogs.asked == []
    crash(Unsaved(scene(5.0), "one"))
    crash(Unsaved(scene(6.0), "two"))
    for answer, left in (("later", 2), ("discard", 0)):
        window.dialogs.expect("recover", answer)
        assert not window.document.recover()
        assert len(recovery_files()) == left
    assert len(window.dialogs.asked) == 2
    assert shown(window) == 1.0
    assert not window.document.modified


def test_the_chosen_one_is_recovered_and_the_other_waits(window: Window) -> None:
    crash(Unsaved(scene(5.0, "five"), "five"))
    crash(Unsaved(scene(6.0, "six"), "six"))
    window.dialogs.expect("recover", lambda abandoned: abandoned[1])
    assert window.document.recover()
    assert (shown(window), window.document.title, window.document.path) == (5.0, "five", None)
    window.dialogs.expect("recover", "discard")
    assert not window.document.recover()
    (_first, (_question, left)) = window.dialogs.asked
    assert [each.title for each in left] == ["six"]  # type: ignore[attr-defined]


def test_a_recovered_scene_asks_before_it_replaces_a_changed_file(
    window: Window, file: Path
) -> None:
    crash(Unsaved(scene(5.0), "cat", file, digest="of what was there"))
    window.dialogs.expect("recover", lambda abandoned: abandoned[0])
    assert window.document.recover()
    window.dialogs.expect("overwrite", True)
    assert window.document.save()


def test_a_broken_recovery_file_is_told_and_no_obstacle(window: Window) -> None:
    crash(Unsaved(scene(5.0), "cat"))
    (path,) = recovery_files()
    path.write_bytes(b"{")
    assert not window.document.recover()
    assert window.dialogs.asked == []
    assert "broken" in window.dialogs.told[0]
