"""The largest scenes are read and written beside the window, which shows that it takes a while."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QProgressDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from explorer.app import files, progress
from explorer.app.dialogs import QtDialogs
from explorer.session import Scene, read_scene
from tests.app.document.conftest import Window, edit, shown


@pytest.fixture(autouse=True)
def _everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGE_FILE", 0)
    monkeypatch.setattr(files, "LARGE_SCENE", 0)


def test_a_large_scene_is_opened_and_saved_beside_the_window(window: Window, file: Path) -> None:
    assert window.document.open(file)
    assert shown(window) == 2.0
    edit(window.session)
    assert window.document.save()
    assert not window.document.modified
    assert float(read_scene(file).X[0, 0]) == 7.0
    assert window.dialogs.waited == ["Opening cat.json", "Saving cat.json"]
    edit(window.session, 8.0)
    assert window.document.save()  # its digest is that of the file: nothing is asked
    assert window.dialogs.asked == []


def test_cancel_leaves_the_window_and_the_file_as_they_were(window: Window, file: Path) -> None:
    window.document.open(file)
    window.dialogs.cancels = True
    before = file.read_bytes()
    edit(window.session)
    assert not window.document.save()
    assert window.document.modified
    assert not window.document.open_example(file)
    assert shown(window) == 7.0
    assert file.read_bytes() == before
    assert window.dialogs.told == []
    assert list(file.parent.iterdir()) == [file]
    window.dialogs.cancels = False
    assert window.document.save()


def test_a_pipe_that_nobody_writes_to_leaves_the_window_alone(
    window: Window, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    window.dialogs.cancels = True
    assert not window.document.open(tmp_path / "pipe.json")
    assert window.dialogs.waited == ["Opening pipe.json"]


def test_why_a_large_file_holds_no_scene_is_told(window: Window, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text("{")
    assert not window.document.open(path)
    assert window.dialogs.told == ["broken.json: This is not JSON (line 1, column 2)."]


def test_the_window_goes_on_while_a_scene_is_written(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its timers go on, and a real bar stands over it."""
    monkeypatch.setattr(progress, "_SOON", 0)
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    dialogs = QtDialogs(lambda: window, lambda problem: pytest.fail(str(problem)))
    beats = [time.monotonic()]
    bars: list[str] = []
    timer = QTimer(interval=10)

    def beat() -> None:
        beats.append(time.monotonic())
        bars.extend(bar.labelText() for bar in window.findChildren(QProgressDialog))

    timer.timeout.connect(beat)
    timer.start()
    random = np.random.default_rng(0)
    scene = Scene(tokens=tuple(map(str, range(200))), X=random.normal(size=(200, 4000)))
    path = tmp_path / "large.json"
    assert files.write(scene, path, lambda done: dialogs.wait_for("Saving", done)) is not None
    read = files.read(path, lambda done: dialogs.wait_for("Opening", done))
    timer.stop()
    assert read is not None
    np.testing.assert_array_equal(read[0].X, scene.X)
    assert {"Saving", "Opening"} == set(bars)
    assert len(beats) > 5


def test_cancel_on_the_bar_ends_the_waiting(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_SOON", 0)
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    dialogs = QtDialogs(lambda: window, lambda problem: pytest.fail(str(problem)))

    def press() -> None:
        for button in window.findChildren(QPushButton):
            if button.isVisible():
                button.click()

    timer = QTimer(interval=5)
    timer.timeout.connect(press)
    timer.start()
    never = threading.Event()
    assert not dialogs.wait_for("Opening", lambda: never.wait(0.01))
    timer.stop()
