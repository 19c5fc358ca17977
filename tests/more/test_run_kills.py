"""A window that is killed while it trains, at random times: its run is offered back."""

from __future__ import annotations

import multiprocessing
import random
import signal
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psutil
import pytest
from PySide6.QtCore import QTimer

from explorer.app.window import MainWindow
from explorer.session.train import intents
from explorer.text import Message
from explorer.traces import Config, abandoned_runs
from tests.more import prepared

TIMES = 20


def train(window: MainWindow, tell: Connection[Any, Any]) -> None:
    """Train without end, and tell of the training process, the folder and the newest epoch."""
    page = window.show_train()
    page.session.set_config(Message("long"), Config(epochs=100_000, watch_every=1, device="cpu"))
    page.presenter.handle(intents.SetPace(None))
    page.presenter.handle(intents.Train())

    def say() -> None:
        recorded = page.session.frame.recorded
        if page.runner.trace is page.session.frame.trace and len(recorded):
            (worker,) = multiprocessing.active_children()
            tell.send((worker.pid, page.runner.folder, int(recorded[-1])))

    timer = QTimer(window, interval=20)
    timer.timeout.connect(say)
    timer.start()


@pytest.mark.timeout(1200)
@pytest.mark.skipif(sys.platform != "linux", reason="only there is a stopped process woken")
def test_the_run_of_a_killed_window_is_offered_back(tmp_path: Path) -> None:
    """Every third time the training process is stopped when its window is killed."""
    chance = random.Random(4711)
    for number in range(TIMES):
        ours, theirs = multiprocessing.Pipe(duplex=False)
        window = prepared.window(tmp_path, train, theirs)
        assert ours.poll(100)
        end = time.monotonic() + chance.random()
        pid, folder, seen = ours.recv()
        while time.monotonic() < end:
            pid, folder, seen = ours.recv()
        worker = psutil.Process(pid)
        if number % 3 == 0:
            worker.send_signal(signal.SIGSTOP)
        window.kill()
        window.join()
        ours.close()
        theirs.close()
        worker.wait(30)
        runs, problems = abandoned_runs(folder.parent)
        assert not problems
        (run,) = [each for each in runs if each.folder == folder]
        assert not run.kept
        trace = run.open()
        last = int(trace.epochs[-1])
        assert last >= seen
        assert trace.epochs.tolist() == list(range(last + 1))
        assert trace.step(last).array("weights").shape == trace.step(0).array("weights").shape
        trace.close()
        run.discard()
