"""A person in Train: what is trained, scrubbed, saved and opened shows what was recorded."""

from __future__ import annotations

import gc
import math
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import torch
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QSlider, QToolButton, QWidget
from safetensors import safe_open
from safetensors.numpy import load_file, save_file
from shiboken6 import isValid

from explorer.app.dialogs import QtDialogs
from explorer.app.main import make_window
from explorer.app.train.document import EXAMPLE
from explorer.app.window import MainWindow
from explorer.resources import example
from explorer.session.lab import Page, RunState
from explorer.text import display_number
from explorer.traces import AbandonedRun, TraceFile, abandoned_runs
from tests.window.conftest import Learner
from tests.window.test_memory import resident

Arrays = Mapping[str, np.ndarray]

# --- what is seen, and what should be ------------------------------------------------------------


def title(learner: Learner) -> str:
    return learner.bench.timeline.transport.title.text()


def seen(learner: Learner) -> dict[str, object]:
    """Return what stands on the screen: maps (the average last), bars, p(target), places."""
    heads, words = learner.bench.sample.heads, learner.bench.sample.next_word
    predictions = learner.bench.parameters.corpus.list.model().predictions
    graph = learner.bench.graph
    vocabulary = learner.frame.vocabulary
    points = [graph.screen_point(word) for word in range(len(vocabulary))]
    return {
        "maps": [
            [
                [heads.text(tile, query, key) for key in range(len(tile.weights))]
                for query in range(len(tile.weights))
            ]
            for tile in heads.tiles
        ],
        "bars": {bar.name: display_number(bar.probability, 2) for bar in words.bars},
        "target": [predictions.said(row) for row in range(len(predictions.target))],
        "places": np.array([(point.x(), point.y()) for point in points]),
    }


def recorded(arrays: Arrays, vocabulary: tuple[str, ...], epoch: int, sample: int = 0) -> dict:
    """Return the same from the arrays of a file without padding, places in the space they have."""
    (step,) = np.flatnonzero(arrays["epochs"] == epoch)
    weights = arrays["weights"][step, sample, 0]
    shares = softmax(arrays["logits"][step])
    targets = arrays["targets"]
    at_target = shares[np.arange(len(targets)), targets]
    right = shares.argmax(axis=1) == targets
    return {
        "maps": [[[f"{w:.2f}" for w in row] for row in m] for m in (*weights, weights.mean(0))],
        "bars": {
            word: display_number(float(p), 2)
            for word, p in zip(vocabulary, shares[sample], strict=True)
        },
        "target": [display_number(float(p), 2) for p in at_target],
        "right": right.tolist(),
        "places": arrays["param.embedding"][step],
    }


def softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits.astype(np.float64) - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def assert_shows(learner: Learner, arrays: Arrays, epoch: int, sample: int = 0) -> None:
    shown = seen(learner)
    wanted = recorded(arrays, learner.frame.vocabulary, epoch, sample)
    assert title(learner) == f"Epoch {epoch}"
    assert learner.frame.epoch == epoch
    assert shown["maps"] == wanted["maps"]
    assert shown["bars"] == wanted["bars"]
    for said, number, right in zip(shown["target"], wanted["target"], wanted["right"], strict=True):
        assert said == f"probability of the target {number}" + ", right" * right
    # The camera is orthographic: places on screen are an affine map of the words' own.
    embedding = learner.frame.basis.project(wanted["places"])
    known = np.column_stack([embedding, np.ones(len(embedding))])
    fitted, *_rest = np.linalg.lstsq(known, shown["places"], rcond=None)
    assert np.abs(known @ fitted - shown["places"]).max() < 0.01  # px


# --- the example ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def example_arrays() -> Arrays:
    return load_file(example(EXAMPLE))


def test_it_opens_on_the_example_and_says_so(learner, example_arrays):
    assert "(example)" in learner.window.windowTitle()
    assert "(example)" in learner.page.document.title
    assert not learner.window.isWindowModified()
    assert learner.run_box.main.accessibleName() == "Train"
    assert_shows(learner, example_arrays, int(example_arrays["epochs"][-1]))


def test_the_mouse_and_the_keys_scrub_everything(learner, example_arrays):
    epochs = example_arrays["epochs"].tolist()
    places = []
    for wanted in (epochs[7], epochs[3], epochs[-2]):
        learner.scrub(epochs[0], wanted + 0.3)
        assert_shows(learner, example_arrays, wanted)
        places.append(seen(learner)["places"])
    assert not np.allclose(places[0], places[1], atol=2)
    assert not np.allclose(places[1], places[2], atol=2)

    learner.chart.setFocus()
    for key, step in (
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_Right, 1),
        (Qt.Key.Key_Right, 2),
        (Qt.Key.Key_Left, 1),
        (Qt.Key.Key_End, len(epochs) - 1),
    ):
        learner.key(key)
        assert_shows(learner, example_arrays, epochs[step])


def test_other_sentences_and_heads_follow(learner, example_arrays):
    last = int(example_arrays["epochs"][-1])
    learner.push(learner.bench.sample.next)
    learner.push(learner.bench.sample.next)
    assert learner.frame.cursor.sample == 2
    assert_shows(learner, example_arrays, last, sample=2)
    heads = learner.bench.sample.heads
    learner.click(heads, heads.mosaic.title_rect(1).center())
    assert learner.frame.cursor.head == 1
    strongest = example_arrays["weights"][-1, 2, 0, 1].max()
    chips = {chip.word.text for chip in learner.bench.graph.drawing.chips}
    assert f"{strongest:.2f}" in chips


# --- a run ---------------------------------------------------------------------------------------


def slow_forward(arrays: Arrays, step: int, tokens: list[int], heads: int) -> dict:
    """Return maps and logits of one sentence, from the recorded parameters alone, in torch."""

    def param(name: str) -> torch.Tensor:
        return torch.from_numpy(np.array(arrays[f"param.{name}"][step])).double()

    def layer_norm(x: torch.Tensor, name: str) -> torch.Tensor:
        centred = x - x.mean(dim=-1, keepdim=True)
        variance = (centred**2).mean(dim=-1, keepdim=True)
        gain, bias = param(f"layers.0.{name}.gain"), param(f"layers.0.{name}.bias")
        return centred / torch.sqrt(variance + 1e-5) * gain + bias

    x = torch.stack([param("embedding")[token] for token in tokens])
    x = x + param("position")[: len(tokens)]
    Wq, Wk, Wv = (param(f"layers.0.{name}") for name in ("Wq", "Wk", "Wv"))
    bq, bk, bv = (param(f"layers.0.{name}") for name in ("bq", "bk", "bv"))
    maps, outputs = [], []
    for head in range(heads):
        q, k, v = x @ Wq[head] + bq[head], x @ Wk[head] + bk[head], x @ Wv[head] + bv[head]
        weights = torch.softmax(q @ k.T / math.sqrt(q.shape[1]), dim=-1)
        maps.append(weights.numpy())
        outputs.append(weights @ v)
    attended = torch.cat(outputs, dim=-1) @ param("layers.0.Wo") + param("layers.0.bo")
    x = layer_norm(x + attended, "norm1")
    inner = torch.relu(x @ param("layers.0.W1") + param("layers.0.b1"))
    x = layer_norm(x + inner @ param("layers.0.W2") + param("layers.0.b2"), "norm2")
    logits = x[-1] @ param("Wout") + param("bout")
    return {"maps": np.stack(maps), "logits": logits.numpy()}


def test_train_forty_epochs_scrub_save_and_reopen(learner, monkeypatch, tmp_path):
    for field, text in (("d_model", "8"), ("epochs", "40"), ("watch_every", "1"), ("seed", "3")):
        learner.type_parameter(field, text)
    learner.train()
    learner.finish()
    assert learner.frame.progress.state is RunState.FINISHED
    assert learner.frame.recorded.tolist() == list(range(41))
    assert learner.window.isWindowModified()
    assert "(example)" not in learner.window.windowTitle()

    learner.scrub(33, 20)
    assert title(learner) == "Epoch 20"
    assert "frame 21 of 41" in learner.bench.timeline.transport.place.text()
    before = learner.picture()
    file = tmp_path / "mine.safetensors"
    monkeypatch.setattr(QtDialogs, "ask_save_trace", lambda *_args: file)
    spool = learner.page.runner.folder
    assert spool is not None
    learner.key(Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)

    assert not learner.window.isWindowModified()
    assert "mine" in learner.window.windowTitle()
    assert not spool.exists()
    assert learner.picture() == before
    arrays = load_file(file)
    for sample in range(3):
        assert_shows(learner, arrays, 20, sample)
        tokens = arrays["tokens"][sample].tolist()
        slow = slow_forward(arrays, 20, tokens, heads=2)
        tiles = learner.bench.sample.heads.tiles
        assert np.abs(np.stack([tile.weights for tile in tiles[:2]]) - slow["maps"]).max() < 1e-5
        assert np.abs(tiles[2].weights - slow["maps"].mean(0)).max() < 1e-5
        shares = softmax(slow["logits"])
        for bar in learner.bench.sample.next_word.bars:
            assert bar.probability == pytest.approx(shares[bar.word], abs=1e-5)
        learner.push(learner.bench.sample.next)

    learner.page.document.open_example()
    learner.settle()
    assert learner.picture() != before
    learner.window.open_file(file)
    learner.scrub(20)
    assert learner.picture() == before


def test_what_only_looks_never_trains(learner):
    learner.type_parameter("epochs", "30")
    learner.train()
    learner.finish()
    trainer = learner.page.runner._trainer
    spool, scalars = learner.page.runner.folder, learner.frame.scalars
    written = {path: path.stat().st_mtime_ns for path in spool.iterdir()}
    orders: list[object] = []
    original = trainer._order
    trainer._order = lambda order: (orders.append(order), original(order))
    try:
        learner.scrub(0, 10, 25, 5)
        learner.chart.setFocus()
        learner.key(Qt.Key.Key_Right)
        slider = learner.bench.bar.findChild(QSlider, "threshold")
        slider.setFocus()
        for _press in range(30):
            QTest.keyClick(slider, Qt.Key.Key_Right)
        learner.settle()
        for page in Page:
            learner.lab.look_at(page=page)
            learner.settle()
    finally:
        del trainer._order

    assert learner.frame.look.threshold == pytest.approx(0.5)
    assert orders == []
    assert learner.page.runner._mailbox.take().scalars == ()
    assert learner.frame.scalars is scalars
    assert {path: path.stat().st_mtime_ns for path in spool.iterdir()} == written


def test_what_cannot_be_is_said_and_taken_once_it_fits(learner):
    rows = learner.bench.parameters.rows
    learner.type_parameter("d_model", "abc")
    assert "D Model must be a number from 2 to 128, but is “abc”." in rows["d_model"].problem.text()
    assert rows["d_model"].input.lineEdit().text() == "abc"
    assert not learner.run_box.main.isEnabled()
    learner.type_parameter("d_model", "16")
    assert rows["d_model"].problem.isHidden()

    learner.type_parameter("heads", "3")
    assert "divide" in rows["heads"].problem.text()
    assert (learner.frame.config.d_model, learner.frame.config.heads) == (16, 2)
    learner.type_parameter("d_model", "12")
    assert (learner.frame.config.d_model, learner.frame.config.heads) == (12, 3)
    assert rows["heads"].problem.isHidden()
    assert learner.run_box.main.isEnabled()
    assert learner.page.runner.folder is None or not learner.shows_its_run


# --- while it runs -------------------------------------------------------------------------------


def test_pause_step_and_start_over(learner):
    learner.type_parameter("epochs", "100000")
    learner.train()
    learner.wait(lambda: learner.frame.progress.epoch >= 3)
    first = learner.frame.scalars.loss[:3]
    learner.push(learner.run_box.pause)
    assert learner.frame.progress.state is RunState.PAUSED
    assert learner.run_box.count.text() == f"Paused at {learner.frame.progress.epoch}"
    learner.push(learner.run_box.step)
    reached = learner.frame.progress.epoch
    learner.wait(lambda: learner.frame.progress.epoch > reached)
    reached = learner.frame.progress.epoch
    for more in range(1, 4):
        learner.push(learner.run_box.step)
        learner.wait(lambda more=more: learner.frame.progress.epoch == reached + more)
    assert learner.frame.progress.state is RunState.PAUSED
    learner.push(learner.run_box.pause)  # which goes on now
    learner.wait(lambda: learner.frame.progress.epoch > reached + 5)
    assert learner.frame.progress.state is RunState.RUNNING

    left = learner.page.runner.folder
    learner.push(learner.run_box.again)
    learner.wait(lambda: learner.shows_its_run and learner.frame.progress.epoch >= 3)
    assert learner.page.runner.folder != left
    assert learner.frame.scalars.loss[:3].tolist() == first.tolist()
    learner.push(learner.run_box.main)
    learner.wait(lambda: learner.frame.progress.state is RunState.STOPPED)
    assert learner.run_box.count.text() == f"Stopped at {learner.frame.progress.epoch}"
    assert learner.run_box.main.accessibleName() == "Train"


def test_a_single_epoch_from_nothing(learner):
    learner.push(learner.run_box.step)
    learner.wait(lambda: learner.shows_its_run and learner.frame.progress.epoch == 1)
    assert learner.frame.progress.state is RunState.PAUSED
    learner.push(learner.run_box.step)
    learner.wait(lambda: learner.frame.progress.epoch == 2)


def test_live_follows_until_the_playhead_is_touched(learner):
    learner.type_parameter("epochs", "100000")
    learner.type_parameter("watch_every", "1")
    learner.train()
    live = learner.bench.timeline.live
    assert live.isVisible()
    for epoch in (2, 5, 8):
        learner.wait(lambda epoch=epoch: len(learner.frame.recorded) > epoch)
        assert learner.frame.cursor.step == len(learner.frame.recorded) - 1
        assert live.isChecked()
    learner.chart.setFocus()
    learner.key(Qt.Key.Key_Home)
    assert not live.isChecked()
    reached = learner.frame.progress.epoch
    learner.wait(lambda: learner.frame.progress.epoch > reached + 5)
    assert title(learner) == "Epoch 0"

    learner.push(live)
    assert live.isChecked()
    assert learner.frame.cursor.step == len(learner.frame.recorded) - 1
    # At another pace the numbers stay the same.
    learner.choose(learner.run_box.pace, Qt.Key.Key_Home)
    assert learner.frame.pace == 1
    learner.choose(learner.run_box.pace, Qt.Key.Key_End)
    assert learner.frame.pace is None
    reached = learner.frame.progress.epoch
    learner.wait(lambda: learner.frame.progress.epoch > reached + 200)
    fast = learner.frame.scalars.loss[:50]
    learner.push(learner.run_box.again)
    learner.wait(lambda: learner.shows_its_run and len(learner.frame.scalars.loss) >= 50)
    assert learner.frame.scalars.loss[:50].tolist() == fast.tolist()


def test_a_run_that_diverges_offers_a_smaller_rate_and_the_last_good_epoch(learner):
    learner.type_parameter("d_model", "128")
    learner.type_parameter("learning_rate", "1")
    learner.type_parameter("watch_every", "1")
    learner.push(learner.bench.parameters.more.fold.header)
    learner.choose(learner.bench.parameters.more.rows["optimizer"].input, Qt.Key.Key_End)
    assert learner.frame.config.optimizer == "sgd"
    learner.choose(learner.run_box.pace, Qt.Key.Key_End)
    learner.train()
    learner.wait(lambda: learner.frame.progress.state is RunState.DIVERGED)
    notice, epoch = learner.bench.notice, learner.frame.progress.epoch
    assert f"no number any more at epoch {epoch}" in notice.sentence
    broken = learner.frame.scalars
    assert math.isnan(broken.loss[-1])
    assert broken.epochs[-1] == epoch
    x = learner.chart.plot.x(epoch)
    assert has_colour(learner, "err", round(x))

    assert notice.back.text() == f"Show epoch {epoch - 1}"
    learner.push(notice.back)
    assert title(learner) == f"Epoch {epoch - 1}"
    assert learner.frame.bad is None
    assert learner.frame.values.epoch == epoch - 1
    assert notice.smaller.text() == "Use 0.1"
    learner.push(notice.smaller)
    assert learner.frame.config.learning_rate == 0.1
    assert learner.bench.parameters.rows["learning_rate"].input.lineEdit().text() == "0.1"
    assert notice.sentence == ""
    learner.train()
    assert learner.frame.trace.run.config.learning_rate == 0.1


def has_colour(learner: Learner, name: str, x: int) -> bool:
    """Return whether the chart has a pixel of a colour of the theme about a column."""
    image = learner.picture(learner.chart)
    wanted = learner.window.theme.color(name).rgb()
    columns = range(max(x - 8, 0), min(x + 9, image.width()))
    return any(image.pixel(i, j) == wanted for i in columns for j in range(image.height()))


def test_ten_runs_leave_nothing_behind(learner):
    learner.type_parameter("epochs", "100000")
    learner.choose(learner.run_box.pace, Qt.Key.Key_End)

    def cycle() -> None:
        learner.train()
        learner.wait(lambda: learner.frame.progress.epoch > 20)
        learner.push(learner.run_box.main)
        learner.wait(lambda: learner.frame.progress.state is RunState.STOPPED)

    for _warming in range(3):
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
    gc.collect()
    descriptors = Path("/proc/self/fd")
    return Held(
        {process.pid for process in multiprocessing.active_children()},
        {thread.name for thread in threading.enumerate()},
        len(list(descriptors.iterdir())) if descriptors.exists() else 0,
        len(learner.window.findChildren(QWidget)),
        resident(),
    )


def test_a_killed_worker_is_told_and_the_next_run_has_another(learner):
    learner.type_parameter("epochs", "100000")
    learner.train()
    learner.wait(lambda: len(learner.frame.recorded) > 2)
    (worker,) = multiprocessing.active_children()
    os.kill(worker.pid, signal.SIGKILL)
    learner.wait(lambda: learner.frame.progress.state is RunState.FAILED)
    assert "ended unexpectedly" in learner.bench.error_bar.sentence
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


@pytest.mark.parametrize(
    ("size", "percent", "dark"),
    [
        ((1440, 900), 125, True),
        ((1440, 900), 150, False),
        ((1024, 768), 100, True),
        ((960, 640), 125, False),
    ],
)
def test_any_size_and_theme_while_it_runs(learner, size, percent, dark):
    window = learner.window
    learner.type_parameter("epochs", "100000")
    learner.train()
    while window.theme.percent < percent:
        learner.key(Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier, window)
    if dark:
        learner.key(Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier, window)
    window.resize(*size)
    learner.settle()
    for page in (*Page, Page.GRAPH):
        reached = learner.frame.progress.epoch
        learner.push(learner.bench.bar.pages.button(page))
        assert learner.frame.look.page is page
        learner.wait(lambda reached=reached: learner.frame.progress.epoch > reached + 2)
    assert (window.width(), window.height()) == size
    assert learner.bench.graph.viewport().width() >= 480
    if not learner.bench.parameters.isVisible():
        (button,) = learner.bench.rail.findChildren(QToolButton)
        learner.push(button)
        assert learner.bench.parameters.isVisible()
        learner.type_parameter("seed", "11")
        assert learner.frame.config.seed == 11
        learner.key(Qt.Key.Key_Escape, widget=window)
        assert not learner.bench.parameters.isVisible()
    if dark:
        learner.key(Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier, window)
    assert learner.frame.progress.state is RunState.RUNNING


# --- the window is closed, or dies ---------------------------------------------------------------


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
        return somebody.page.runner.folder

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
from explorer.session.lab import intents
from explorer.text import Message
from explorer.traces import Config

def main():
    app = application()
    window = make_window()
    window.show()
    page = window.show_train()
    page.lab.set_config(Message("long"), Config(epochs=100_000, watch_every=1, device="cpu"))
    page.presenter.handle(intents.SetPace(100))
    page.presenter.handle(intents.Train())
    def tell():
        if len(page.lab.frame.recorded):
            (worker,) = multiprocessing.active_children()
            print(worker.pid, page.lab.frame.progress.epoch, flush=True)
    timer = QTimer(interval=20)
    timer.timeout.connect(tell)
    timer.start()
    app.exec()

if __name__ == "__main__":
    main()
"""


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
    found: list[AbandonedRun] = []
    monkeypatch.setattr(
        QtDialogs, "ask_recover_run", lambda _dialogs, runs: found.extend(runs) or runs[0]
    )
    somebody.window.pages.show_explore()
    somebody.window.offer_recovery()
    somebody.settle()
    assert len(found) == 1
    assert somebody.window.pages.training
    assert somebody.window.isWindowModified()
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
    first = learner.page.runner.folder
    learner.type_parameter("epochs", "100000")
    learner.train()
    second = learner.page.runner.folder
    runs, _problems = abandoned_runs(first.parent)
    assert [run.kept for run in runs if run.folder == first] == [True]

    (run,) = [run for run in runs if run.folder == first]
    assert learner.page.document.open_run(run)
    learner.settle()
    reached = learner.frame.progress.epoch
    learner.wait(lambda: learner.frame.progress.epoch > reached + 3)  # the run goes on unseen
    assert learner.frame.recorded.tolist()[-1] == 10
    learner.push(learner.bench.timeline.live)
    assert learner.frame.trace.folder == second
    assert learner.frame.cursor.step == len(learner.frame.recorded) - 1
    assert learner.page.document.open_run(run)
    asked = answering(monkeypatch, "ask_running", "cancel")
    assert not learner.window.close()
    assert asked == [()]
    assert learner.frame.trace.folder == second  # what the question is about
    assert first.exists()


# --- files ---------------------------------------------------------------------------------------


def broken_files(folder: Path) -> dict[str, Path]:
    """Make files that are no runs, each in its own way."""
    sound = example(EXAMPLE).read_bytes()
    header = int.from_bytes(sound[:8], "little")
    made = {
        "cut short": sound[:-100],
        "cut in the header": sound[:200],
        "a header longer than the file": (2**40).to_bytes(8, "little") + sound[8:],
        "no JSON": sound[:8] + b"{" * header + sound[8 + header :],
        "another version": sound.replace(b'"version":"1"', b'"version":"7"', 1),
        "an array that is not there": sound.replace(b'"weights"', b'"weighty"', 1),
        "empty": b"",
    }
    paths = {}
    for number, (name, data) in enumerate(made.items()):
        paths[name] = folder / f"broken{number}.safetensors"
        paths[name].write_bytes(data)
    return paths


def test_what_is_no_run_is_one_sentence_and_what_was_open_stays(learner, tmp_path):
    before, trace = title(learner), learner.frame.trace
    for name, path in broken_files(tmp_path).items():
        learner.bench.error_bar.hide()
        learner.window.open_file(path)
        learner.settle()
        sentence = learner.bench.error_bar.sentence
        assert path.name in sentence, name
        assert sentence.count(". ") <= 1, name
        assert learner.frame.trace is trace, name
        assert title(learner) == before, name
        assert learner.window.pages.training, name


def test_a_file_cut_short_while_it_is_open_is_a_sentence(learner, tmp_path):
    file = Path(shutil.copy(example(EXAMPLE), tmp_path / "mine.safetensors"))
    learner.window.open_file(file)
    learner.scrub(50)
    good = seen(learner)["maps"]
    os.truncate(file, 5000)
    learner.scrub(100)
    assert "mine" in learner.bench.notice.sentence
    assert seen(learner)["maps"] == good
    learner.scrub(150)
    for page in Page:
        learner.push(learner.bench.bar.pages.button(page))
    file.unlink()
    learner.scrub(25)
    assert learner.bench.notice.sentence
    learner.page.document.open_example()
    learner.settle()
    assert learner.bench.notice.sentence == ""


def test_a_step_without_numbers_is_marked_and_the_file_opens(learner, tmp_path):
    arrays = dict(load_file(example(EXAMPLE)))
    with safe_open(example(EXAMPLE), "np") as file:
        metadata = file.metadata()
    metadata.pop("basis", None)
    arrays["weights"][-1] = np.nan
    path = tmp_path / "bad-end.safetensors"
    save_file(arrays, path, metadata)
    learner.window.open_file(path)
    learner.settle()
    assert learner.page.document.title == "bad-end"
    assert learner.bench.notice.sentence
    epochs = arrays["epochs"].tolist()
    learner.scrub(epochs[3])
    assert learner.bench.notice.sentence == ""
    assert_shows(learner, arrays, epochs[3])
    learner.scrub(epochs[-1])
    assert learner.bench.notice.sentence


def test_a_copy_of_a_head_can_be_edited_in_explore(learner, example_arrays):
    epoch = int(example_arrays["epochs"][6])
    learner.scrub(epoch)
    learner.push(learner.bench.sample.next)
    learner.click(
        learner.bench.sample.heads, learner.bench.sample.heads.mosaic.title_rect(1).center()
    )
    learner.push(learner.bench.bar.pages.button(Page.SPACES))
    (button,) = [
        button
        for button in learner.bench.spaces.findChildren(QPushButton)
        if button.text() == "Edit a copy"
    ]
    learner.push(button)

    assert not learner.window.pages.training
    scene, shown = learner.session.scene, learner.session.frame.attention
    words = learner.frame.trace.words(1)
    assert scene.tokens == words
    assert np.array_equal(scene.X, example_arrays["x"][6, 1, 0])
    for name in ("Wq", "Wk", "Wv"):
        recorded_matrix = example_arrays[f"param.layers.0.{name}"][6, 1]
        assert np.array_equal(getattr(scene, name), recorded_matrix)
    assert np.abs(shown.weights[0] - example_arrays["weights"][6, 1, 0, 1]).max() < 1e-5
    for part in (" ".join(words), f"epoch {epoch}", "layer 1", "head 2"):
        assert part in learner.window.windowTitle()
    learner.session.mark_saved(scene)
