"""A person in Train trains: what is trained, paused and followed is what is shown and saved."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSlider, QToolButton
from safetensors.numpy import load_file

from explorer.app.dialogs import QtDialogs
from explorer.session.train import RunState, TrainCentre
from tests.window.conftest import Learner
from tests.window.trained import Arrays, assert_shows, softmax, title

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
    assert "step 21 of 41" in learner.page.timeline.transport.place.text()
    before = learner.picture()
    file = tmp_path / "mine.safetensors"
    monkeypatch.setattr(QtDialogs, "ask_save_trace", lambda *_args: file)
    spool = learner.room.runner.folder
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
        tiles = learner.page.sample.heads.tiles
        assert np.abs(np.stack([tile.weights for tile in tiles[:2]]) - slow["maps"]).max() < 1e-5
        assert np.abs(tiles[2].weights - slow["maps"].mean(0)).max() < 1e-5
        shares = softmax(slow["logits"])
        for bar in learner.page.sample.next_word.bars:
            assert bar.probability == pytest.approx(shares[bar.word], abs=1e-5)
        learner.push(learner.page.sample.next)

    learner.room.document.open_example()
    learner.settle()
    assert learner.picture() != before
    learner.window.open_file(file)
    learner.scrub(20)
    # The example stands in the list of runs beside it, until it is taken from there.
    (other,) = [card.key for card in learner.frame.runs if card.key != learner.frame.shown]
    learner.session.delete(other)
    assert learner.picture() == before


def test_what_only_looks_never_trains(learner):
    learner.type_parameter("epochs", "30")
    learner.train()
    learner.finish()
    trainer = learner.room.runner._trainer
    spool, scalars = learner.room.runner.folder, learner.frame.scalars
    written = {path: path.stat().st_mtime_ns for path in spool.iterdir()}
    orders: list[object] = []
    original = trainer._order
    trainer._order = lambda order: (orders.append(order), original(order))
    try:
        learner.scrub(0, 10, 25, 5)
        learner.chart.setFocus()
        learner.key(Qt.Key.Key_Right)
        slider = learner.page.bar.findChild(QSlider, "threshold")
        slider.setFocus()
        for _press in range(30):
            QTest.keyClick(slider, Qt.Key.Key_Right)
        learner.settle()
        for page in TrainCentre:
            learner.session.look_at(page=page)
            learner.settle()
    finally:
        del trainer._order

    assert learner.frame.look.threshold == pytest.approx(0.5)
    assert orders == []
    assert learner.room.runner._mailbox.take().scalars == ()
    assert learner.frame.scalars is scalars
    assert {path: path.stat().st_mtime_ns for path in spool.iterdir()} == written


def test_what_cannot_be_is_said_and_taken_once_it_fits(learner):
    rows = learner.page.parameters.rows
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
    assert learner.room.runner.folder is None or not learner.shows_its_run


# --- while it runs -------------------------------------------------------------------------------


def test_pause_step_and_start_over(learner):
    learner.type_parameter("epochs", "100000")
    learner.train()
    learner.wait(lambda: len(learner.frame.scalars.loss) >= 3)  # what is read follows what is told
    first = learner.frame.scalars.loss[:3]
    learner.push(learner.run_box.pause)
    assert learner.frame.progress.state is RunState.PAUSED
    assert learner.run_box.count.text() == f"Paused at {learner.frame.progress.epoch}"
    reached = learner.frame.progress.epoch
    for more in range(1, 4):
        learner.push(learner.run_box.step)
        learner.wait(lambda more=more: learner.frame.progress.epoch >= reached + more)
    # The epoch in progress when it was paused ends too.
    assert learner.frame.progress.epoch <= reached + 4
    assert learner.frame.progress.state is RunState.PAUSED
    learner.push(learner.run_box.pause)  # which goes on now
    learner.wait(lambda: learner.frame.progress.epoch > reached + 5)
    assert learner.frame.progress.state is RunState.RUNNING

    left = learner.room.runner.folder
    learner.push(learner.run_box.again)
    learner.wait(lambda: learner.shows_its_run and len(learner.frame.scalars.loss) >= 3)
    assert learner.room.runner.folder != left
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


def test_a_double_click_on_train_trains(learner):
    def double_click() -> None:
        QTest.mouseClick(learner.run_box.main, Qt.MouseButton.LeftButton)
        QTest.mouseDClick(learner.run_box.main, Qt.MouseButton.LeftButton)

    learner.type_parameter("epochs", "100000")
    double_click()
    learner.wait(lambda: learner.shows_its_run and learner.frame.progress.epoch > 2)
    double_click()
    learner.wait(lambda: not learner.frame.progress.active)
    assert learner.frame.progress.state is RunState.STOPPED
    ended = int(learner.frame.scalars.epochs[-1])
    assert learner.chart.plot.last == ended, "the curves have the whole axis"


def test_live_follows_until_the_playhead_is_touched(learner):
    learner.type_parameter("epochs", "100000")
    learner.type_parameter("watch_every", "1")
    learner.train()
    live = learner.page.timeline.live
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
    learner.push(learner.page.parameters.more.fold.header)
    learner.choose(learner.page.parameters.more.rows["optimizer"].input, Qt.Key.Key_End)
    assert learner.frame.config.optimizer == "sgd"
    learner.choose(learner.run_box.pace, Qt.Key.Key_End)
    learner.train()
    learner.wait(lambda: learner.frame.progress.state is RunState.DIVERGED)
    notice, epoch = learner.page.notice, learner.frame.progress.epoch
    assert f"no longer a number at epoch {epoch}" in notice.sentence
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
    assert learner.page.parameters.rows["learning_rate"].input.lineEdit().text() == "0.1"
    assert notice.sentence == ""
    learner.train()
    assert learner.frame.trace.run.config.learning_rate == 0.1


def has_colour(learner: Learner, name: str, x: int) -> bool:
    """Return whether the chart has a pixel of a colour of the theme about a column."""
    image = learner.picture(learner.chart)
    wanted = learner.window.theme.color(name).rgb()
    columns = range(max(x - 8, 0), min(x + 9, image.width()))
    return any(image.pixel(i, j) == wanted for i in columns for j in range(image.height()))


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
    for page in (*TrainCentre, TrainCentre.GRAPH):
        reached = learner.frame.progress.epoch
        learner.push(learner.page.bar.pages.button(page))
        assert learner.frame.look.page is page
        learner.wait(lambda reached=reached: learner.frame.progress.epoch > reached + 2)
    assert (window.width(), window.height()) == size
    assert learner.page.graph.viewport().width() >= 480
    if not learner.page.parameters.isVisible():
        (button,) = learner.page.rail.findChildren(QToolButton)
        learner.push(button)
        assert learner.page.parameters.isVisible()
        learner.type_parameter("seed", "11")
        assert learner.frame.config.seed == 11
        learner.key(Qt.Key.Key_Escape, widget=window)
        assert not learner.page.parameters.isVisible()
    if dark:
        learner.key(Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier, window)
    assert learner.frame.progress.state is RunState.RUNNING
