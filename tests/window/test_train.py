"""A person in Train looks at a recorded run, scrubs it and takes a head along to Explore."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from safetensors.numpy import load_file

from explorer.app.train import EXAMPLE
from explorer.resources import example
from explorer.session.train import TrainCentre
from tests.window.trained import Arrays, assert_shows, seen


@pytest.fixture(scope="module")
def example_arrays() -> Arrays:
    return load_file(example(EXAMPLE))


def test_it_opens_on_the_example_and_says_so(learner, example_arrays):
    assert "(example)" in learner.window.windowTitle()
    assert "(example)" in learner.room.document.title
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
    learner.push(learner.page.sample.next)
    learner.push(learner.page.sample.next)
    assert learner.frame.cursor.sample == 2
    assert_shows(learner, example_arrays, last, sample=2)
    heads = learner.page.sample.heads
    learner.click(heads, heads.mosaic.titles[1].center())
    assert learner.frame.cursor.head == 1
    strongest = example_arrays["weights"][-1, 2, 0, 1].max()
    chips = {chip.word.text for chip in learner.page.graph.drawing.chips}
    assert f"{strongest:.2f}" in chips


def test_a_copy_of_a_head_can_be_edited_in_explore(learner, example_arrays):
    epoch = int(example_arrays["epochs"][6])
    learner.scrub(epoch)
    learner.push(learner.page.sample.next)
    learner.click(learner.page.sample.heads, learner.page.sample.heads.mosaic.titles[1].center())
    learner.push(learner.page.bar.pages.button(TrainCentre.SPACES))
    (button,) = [
        button
        for button in learner.page.pages[TrainCentre.SPACES].findChildren(QPushButton)
        if button.text() == "Edit a copy"
    ]
    learner.push(button)

    assert not learner.window.rooms.training
    session = learner.window.session
    scene, shown = session.scene, session.frame.attention
    words = learner.frame.trace.words(1)
    assert scene.tokens == words
    assert np.array_equal(scene.X, example_arrays["x"][6, 1, 0])
    for name in ("Wq", "Wk", "Wv"):
        recorded_matrix = example_arrays[f"param.layers.0.{name}"][6, 1]
        assert np.array_equal(getattr(scene, name), recorded_matrix)
    assert np.abs(shown.weights[0] - example_arrays["weights"][6, 1, 0, 1]).max() < 1e-5
    for part in (" ".join(words), f"epoch {epoch}", "layer 1", "head 2"):
        assert part in learner.window.windowTitle()
    session.mark_saved(scene)


def test_in_chinese_no_line_of_train_has_an_english_comma(learner):
    learner.window.speak("zh")
    learner.settle()
    page = learner.room.page
    learner.push(page.bar.pages.button(TrainCentre.MATRICES))
    lines = [label.text() for label in page.findChildren(QLabel) if label.isVisible()]
    assert any("，" in line for line in lines)
    assert [line for line in lines if ", " in line] == []
