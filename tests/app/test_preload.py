"""What other pages need is loaded while the program is idle, and not before."""

from __future__ import annotations

import json
import time
from functools import partial
from itertools import repeat

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from explorer.app import preload
from tests.commands import printed_by

PIECES = 30
SHOWN_FIRST = {"explorer.rooms.explore.plane"}

# The program as it starts; its window is closed once the last module is there.
STARTED = """
import json, sys
from PySide6.QtCore import QTimer
from explorer.app import preload, main
from explorer.session.views import Centre, ModelCentre, TrainCentre

views = [view.spec.factory.partition(":")[0] for view in (*Centre, *TrainCentre, *ModelCentre)]
names = list(dict.fromkeys([*preload.MODULES, *views]))
app = main.application()
seen = []

def look():
    seen.append([name for name in names if name in sys.modules])
    if seen[-1] == names:
        timer.stop()
        QTimer.singleShot(0, app.closeAllWindows)

timer = QTimer(interval=0)
timer.timeout.connect(look)
timer.start()
assert main.run() == 0
largest = max(len(after) - len(before) for before, after in zip(seen, seen[1:]))
heavy = sorted({"torch", "sklearn", "safetensors"} & sys.modules.keys())
print(json.dumps({"first": seen[0], "largest": largest, "all": len(names), "heavy": heavy}))
"""


def test_modules_are_loaded_once_the_window_is_seen_and_events_come_between() -> None:
    started = json.loads(printed_by(STARTED))
    assert set(started["first"]) <= SHOWN_FIRST
    assert started["largest"] < started["all"] / 2
    assert started["heavy"] == []


@pytest.mark.parametrize("typed", [True, False], ids=["typed", "pressed"])
def test_nothing_is_loaded_while_something_is_done(
    typed: bool, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    done: list[float] = []
    monkeypatch.setattr(preload, "QUIET", 0)
    preload.Preloader(window, repeat(partial(_work, done), PIECES))
    qtbot.waitUntil(lambda: bool(done))
    monkeypatch.setattr(preload, "QUIET", 10**8)
    handle = window.windowHandle()
    if typed:
        QTest.keyClick(handle, Qt.Key.Key_A)
    else:
        QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    before = len(done)
    assert before < PIECES
    for _ in range(20):
        QApplication.processEvents()
    assert len(done) == before
    monkeypatch.setattr(preload, "QUIET", 0)
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    qtbot.waitUntil(lambda: len(done) == PIECES)
    qtbot.waitUntil(lambda: window.findChild(preload.Preloader) is None)


def _work(done: list[float]) -> None:
    """Take longer than a slice, so that events are handled after each piece."""
    end = time.perf_counter() + 2 * preload.SLICE
    while time.perf_counter() < end:
        pass
    done.append(end)
