"""A person in Train: what is trained, scrubbed, saved and opened shows what was recorded."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import torch
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSlider
from safetensors.numpy import load_file

from explorer.app.dialogs import QtDialogs
from explorer.app.train.document import EXAMPLE
from explorer.resources import example
from explorer.session.lab import Page, RunState
from explorer.text import display_number
from explorer.traces import TraceFile
from tests.window.conftest import Learner

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
            word: display_number(float(p), 2) for word, p in zip(vocabulary, shares[sample])
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
    for said, number, right in zip(
        shown["target"], wanted["target"], wanted["right"], strict=True
    ):
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
