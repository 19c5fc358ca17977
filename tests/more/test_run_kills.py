"""A window that is killed while it trains, at random times: its run is offered back."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from explorer.traces import abandoned_runs

ROOT = Path(__file__).parents[2]
TIMES = 20
_WINDOW = """
import multiprocessing, sys
from pathlib import Path
from PySide6.QtCore import QTimer
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
    page.presenter.handle(intents.SetPace(None))
    page.presenter.handle(intents.Train())
    def tell():
        recorded = page.session.frame.recorded
        if page.runner.trace is page.session.frame.trace and len(recorded):
            (worker,) = multiprocessing.active_children()
            print(worker.pid, page.runner.folder, recorded[-1], flush=True)
    timer = QTimer(interval=20)
    timer.timeout.connect(tell)
    timer.start()
    app.exec()

if __name__ == "__main__":
    main()
"""


@pytest.mark.timeout(1200)
@pytest.mark.skipif(sys.platform != "linux", reason="only there is a stopped process woken")
def test_the_run_of_a_killed_window_is_offered_back(tmp_path: Path) -> None:
    """Every third time the training process is stopped when its window is killed."""
    script = tmp_path / "window.py"
    script.write_text(_WINDOW)
    where = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "QT_QPA_PLATFORM": "offscreen",
        **{f"XDG_{name}_HOME": str(tmp_path / name) for name in ("CONFIG", "DATA", "CACHE")},
    }
    chance = random.Random(4711)
    for number in range(TIMES):
        window = subprocess.Popen(
            [sys.executable, script], stdout=subprocess.PIPE, text=True, env=where
        )
        with window:
            assert window.stdout is not None
            end = None
            for line in window.stdout:
                pid, folder, seen = line.split()
                end = end or time.monotonic() + chance.random()
                if time.monotonic() > end:
                    break
            worker = psutil.Process(int(pid))
            if number % 3 == 0:
                worker.send_signal(signal.SIGSTOP)
            window.kill()
        worker.wait(30)
        runs, problems = abandoned_runs(Path(folder).parent)
        assert not problems
        (run,) = [each for each in runs if each.folder == Path(folder)]
        assert not run.kept
        trace = run.open()
        last = int(trace.epochs[-1])
        assert last >= int(seen)
        assert trace.epochs.tolist() == list(range(last + 1))
        assert trace.step(last).array("weights").shape == trace.step(0).array("weights").shape
        trace.close()
        run.discard()
