"""Runs and their processes end as they should: stopped, killed, closed, taken back."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton
from shiboken6 import isValid

from explorer.app.dialogs import QtDialogs
from explorer.app.main import make_window
from explorer.app.window import MainWindow
from explorer.session.train import RunState
from explorer.traces import AbandonedRun, TraceFile
from explorer.traces.spool_trace import KEPT
from tests.window.conftest import Learner
from tests.window.trained import title


def test_a_killed_worker_is_told_and_the_next_run_has_another(learner):
    learner.type_parameter("epochs", "100000")
    learner.train()
    learner.wait(lambda: len(learner.frame.recorded) > 2)
    (worker,) = multiprocessing.active_children()
    os.kill(worker.pid, signal.SIGKILL)
    learner.wait(lambda: learner.frame.progress.state is RunState.FAILED)
    assert "ended unexpectedly" in learner.page.error_bar.sentence
    assert "ended unexpectedly" in learner.run_box.error.text()
    assert learner.shows_its_run
    assert len(learner.frame.recorded) > 2
    learner.chart.setFocus()
    learner.key(Qt.Key.Key_Home)
    learner.key(Qt.Key.Key_Right)
    assert title(learner) == "Epoch 5"

    learner.type_parameter("epochs", "20")
    learner.train()
    learner.finish()
    assert learner.frame.progress.state is RunState.FINISHED


@pytest.fixture
def another(qtbot, monkeypatch) -> Iterator[Callable[[], Learner]]:
    """Open windows of their own, and answer what they ask with what `answers` holds."""
    made: list[MainWindow] = []

    def open_window() -> Learner:
        window = make_window()
        made.append(window)
        window.resize(1100, 700)
        window.show()
        somebody = Learner(window, qtbot)
        somebody.settle()
        return somebody

    yield open_window
    for window in made:
        if isValid(window):
            assert window.train is not None
            window.train.close()
            window.deleteLater()


def answering(monkeypatch, question: str, *answers: object) -> list[tuple[object, ...]]:
    """Answer a question with one answer after another; return what was asked."""
    asked: list[tuple[object, ...]] = []
    left = iter(answers)

    def answer(_dialogs: object, *about: object) -> object:
        asked.append(about)
        return next(left)

    monkeypatch.setattr(QtDialogs, question, answer)
    return asked


def test_closing_in_the_middle_of_a_run(another, monkeypatch, tmp_path):
    answers = ("cancel", "save", "keep", "discard")
    asked = answering(monkeypatch, "ask_running", *answers)
    file = tmp_path / "saved.safetensors"
    answering(monkeypatch, "ask_save_trace", file)
    workers, threads = multiprocessing.active_children(), set(threading.enumerate())

    def begin(somebody: Learner) -> Path:
        somebody.type_parameter("watch_every", "1")
        somebody.train()
        somebody.wait(lambda: len(somebody.frame.recorded) > 3)
        return somebody.room.runner.folder

    def close(somebody: Learner) -> int:
        """Close the window, and return how many steps it knew of."""
        known, begun = len(somebody.frame.recorded), time.monotonic()
        assert somebody.window.close()
        assert time.monotonic() - begun < 2
        assert multiprocessing.active_children() == workers
        assert set(threading.enumerate()) <= threads
        return known

    first = another()
    folder = begin(first)
    assert not first.window.close()  # cancelled
    reached = first.frame.progress.epoch
    first.wait(lambda: first.frame.progress.epoch > reached + 2)
    known = close(first)
    assert TraceFile(file).recorded >= known
    assert not folder.exists()

    second = another()
    kept = begin(second)
    known = close(second)

    third = another()
    third.window.offer_recovery()  # asks nothing: the run was kept on purpose
    menu = third.window.findChild(QToolButton, "document").menu()
    menu.aboutToShow.emit()
    (action,) = [action for action in menu.actions() if action.text().startswith("cat likes fish")]
    action.trigger()
    third.settle()
    assert third.frame.trace.folder == kept
    assert len(third.frame.recorded) >= known
    folder = begin(third)
    close(third)
    assert not folder.exists()
    assert kept.exists()
    assert len(asked) == len(answers)


_WINDOW_TO_KILL = """
import multiprocessing, sys
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from explorer.app.main import application, make_window
from explorer.session.train import intents
from explorer.text import Message
from explorer.traces import Config

def main():
    app = application()
    window = make_window()
    window.show()
    page = window.show_train()
    page.session.set_config(Message("long"), Config(epochs=100_000, watch_every=1, device="cpu"))
    page.presenter.handle(intents.SetPace(100))
    page.presenter.handle(intents.Train())
    def tell():
        if len(page.session.frame.recorded):
            (worker,) = multiprocessing.active_children()
            print(worker.pid, page.session.frame.progress.epoch, flush=True)
    timer = QTimer(interval=20)
    timer.timeout.connect(tell)
    timer.start()
    app.exec()

if __name__ == "__main__":
    main()
"""


@pytest.mark.more
def test_a_killed_window_takes_its_worker_along_and_the_run_is_offered_back(
    another, monkeypatch, tmp_path
):
    script = tmp_path / "window.py"
    script.write_text(_WINDOW_TO_KILL)
    root = str(Path(__file__).parents[2])
    child = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": root, "QT_QPA_PLATFORM": "offscreen"},
    )
    with child:
        assert child.stdout is not None
        worker, epoch = 0, 0
        while epoch < 250:
            worker, epoch = map(int, child.stdout.readline().split())
        child.kill()

    somebody = another()
    somebody.wait(lambda: not Path(f"/proc/{worker}").exists())
    rooms = somebody.window.rooms
    monkeypatch.setattr(QtDialogs, "ask_recover_run", lambda *_: "later")
    opened = rooms.show_sweep()
    somebody.window.offer_recovery()
    assert rooms.front is opened, "what was open stays in front where nothing is taken back"
    found: list[AbandonedRun] = []
    monkeypatch.setattr(
        QtDialogs, "ask_recover_run", lambda _dialogs, runs: found.extend(runs) or runs[0]
    )
    somebody.window.rooms.show_explore()
    somebody.window.offer_recovery()
    somebody.settle()
    assert len(found) == 1
    assert somebody.window.rooms.training
    assert somebody.window.isWindowModified()
    assert somebody.frame.config.epochs == 100_000, "the next run is asked to be as this one"
    last = int(somebody.frame.recorded[-1])
    assert last >= epoch - 100  # a second, at its pace
    assert somebody.frame.recorded.tolist() == list(range(last + 1))

    file = tmp_path / "taken-back.safetensors"
    answering(monkeypatch, "ask_save_trace", file)
    somebody.window.actions_by_name["save"].trigger()
    assert TraceFile(file).epochs.tolist() == list(range(last + 1))
    assert not found[0].folder.exists()
    assert not somebody.window.isWindowModified()


def test_runs_that_were_left_are_kept_and_none_is_taken_for_another(learner, monkeypatch, tmp_path):
    learner.type_parameter("epochs", "10")
    learner.train()
    learner.finish()
    first = learner.room.runner.folder
    learner.type_parameter("epochs", "100000")
    learner.train()
    second = learner.room.runner.folder
    assert (first / KEPT).exists()

    run, later = learner.frame.runs[-2:]
    assert (run.trace.folder, later.trace.folder) == (first, second)
    learner.room.session.show_run(run.key)
    learner.settle()
    reached = learner.frame.progress.epoch
    learner.wait(lambda: learner.frame.progress.epoch > reached + 3)  # the run goes on unseen
    assert learner.frame.recorded.tolist()[-1] == 10
    learner.push(learner.page.timeline.live)
    assert learner.frame.trace.folder == second
    assert learner.frame.cursor.step == len(learner.frame.recorded) - 1
    learner.room.session.show_run(run.key)
    asked = answering(monkeypatch, "ask_running", "cancel")
    assert not learner.window.close()
    assert asked == [()]
    assert learner.frame.trace.folder == second  # what the question is about
    assert first.exists()
