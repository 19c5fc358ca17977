"""Runs that come and go leave nothing behind."""

from __future__ import annotations

import gc
import multiprocessing
import threading
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QWidget

from explorer.kit.memory import resident
from explorer.session.train import RunState
from explorer.session.train.shown import MOST_CARDS
from tests.window.conftest import Learner


def test_ten_runs_leave_nothing_behind(learner):
    learner.type_parameter("epochs", "100000")
    learner.choose(learner.run_box.pace, Qt.Key.Key_End)

    def cycle() -> None:
        learner.train()
        learner.wait(lambda: learner.frame.progress.epoch > 20)
        learner.push(learner.run_box.main)
        learner.wait(lambda: learner.frame.progress.state is RunState.STOPPED)

    for _warming in range(2 * MOST_CARDS):  # the list is full, and each of its places was used anew
        cycle()
    before = held(learner)
    for _run in range(10):
        cycle()
    after = held(learner)

    assert after.workers == before.workers
    assert after.threads == before.threads
    assert after.files == before.files
    assert after.widgets == before.widgets
    assert after.resident - before.resident < 4 * 2**20


class Held(NamedTuple):
    """What the window's process holds."""

    workers: set[int | None]
    threads: set[str]
    files: int
    widgets: int
    resident: int


def held(learner: Learner) -> Held:
    learner.settle()
    # What is to be deleted waits for an event loop, which a test has only while it waits.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    descriptors = Path("/proc/self/fd")
    return Held(
        {process.pid for process in multiprocessing.active_children()},
        {thread.name for thread in threading.enumerate()},
        len(list(descriptors.iterdir())) if descriptors.exists() else 0,
        len(learner.window.findChildren(QWidget)),
        resident(),
    )
