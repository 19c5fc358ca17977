"""Unsaved changes are kept while one works, and given back after a crash."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from explorer.app import document as document_module
from explorer.app.document import AUTOSAVE
from explorer.app.recovery import Recovery, Unsaved
from explorer.app.settings import data_folder
from explorer.session import read_scene
from explorer.text import Message
from tests.app.document.conftest import Window, edit, recovery_files, scene, shown


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let changes be kept as soon as events are handled."""
    monkeypatch.setattr(document_module, "AUTOSAVE", 0)


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
    qtbot.waitUntil(continue_dragging)
    (path,) = recovery_files()
    assert 0 < kept(path) < step
    last = step
    window.session.finish_gesture()
    qtbot.waitUntil(lambda: kept(path) == last)


def test_nothing_is_kept_where_nothing_is_unsaved(
    at_once: None, window: Window, qtbot: QtBot, file: Path, tmp_path: Path
) -> None:
    def edited_and_kept() -> None:
        edit(window.session)
        qtbot.waitUntil(lambda: bool(recovery_files()))

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
        qtbot.waitUntil(lambda: attempts >= 3)
    (sentence,) = window.dialogs.told
    assert "No space left on device" in sentence
    assert "not kept" in sentence
    # It is tried again until it works.
    qtbot.waitUntil(lambda: bool(recovery_files()))
    assert len(window.dialogs.told) == 1


def test_closing_after_discarding_leaves_nothing(at_once: None, qtbot: QtBot) -> None:
    window = Window()
    edit(window.session)
    qtbot.waitUntil(lambda: bool(recovery_files()))
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
        qtbot.waitUntil(lambda: bool(recovery_files()))
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
    claim._lock.release()


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
