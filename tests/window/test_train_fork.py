"""A run is forked by hand, compared with its parent, named, deleted, and all of it undone."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from explorer.rooms.train.difference import largest_change
from explorer.session.train import Compared, TrainCentre
from explorer.traces import SpoolTrace
from tests.window.conftest import LEFT, Learner

SHIFT = Qt.KeyboardModifier.ShiftModifier


def test_a_run_is_forked_compared_named_and_deleted(learner: Learner) -> None:
    parameters, page = learner.page.parameters, learner.page
    learner.type_parameter("epochs", "30")
    learner.type_parameter("watch_every", "1")
    learner.train()
    learner.finish()
    # Opened again, by this window or another, its words lie where they lay.
    again = SpoolTrace(learner.frame.trace.folder)
    assert again.basis is not None
    np.testing.assert_array_equal(again.basis.components, learner.frame.own_basis.components)
    again.close()
    learner.scrub(20)
    learner.push(parameters.choice.button(False))  # This run
    assert parameters.this.rows["epochs"][1].text() == "30"
    learner.push(parameters.list.fork)
    assert learner.frame.fork == (learner.frame.shown, 20)
    assert learner.frame.look.next_run
    assert "run 1 from epoch 20" in parameters.changes.text()
    assert not parameters.rows["heads"].isEnabled()
    learner.type_parameter("learning_rate", "0.01")
    assert "1 change: Learning Rate" in parameters.changes.text()
    learner.push(learner.run_box.main)
    learner.wait(lambda: learner.frame.other is not None)
    learner.finish()

    # A and B at one epoch, in the same axes, looked at from one place.
    frame = learner.frame
    other = frame.other
    assert other is not None
    assert other.recorded.tolist() == list(range(20, 31))
    learner.scrub(20)
    first, second = (
        each.values.embedding for each in (learner.frame, learner.frame.other) if each.values
    )
    np.testing.assert_array_equal(first, second)
    assert largest_change(learner.frame) == "All weights of the two runs are the same here."
    twin = page.beside.others[TrainCentre.GRAPH]
    word = QPoint(*map(round, page.graph.screen_point(0).toTuple()))
    assert (page.graph.screen_point(0) - twin.screen_point(0)).manhattanLength() < 1e-6
    page.graph.look_from(40, 10, 1.2)
    learner.wait(lambda: page.graph.stance == twin.stance and page.graph.stance.azimuth == 40)
    assert word != QPoint(*map(round, twin.screen_point(0).toTuple()))

    # What B says is said of A's words too.
    learner.scrub(30)
    at = twin.screen_point(3).toPoint()
    QTest.mouseMove(twin.viewport(), at)
    learner.wait(lambda: learner.frame.hover_word == 3)
    learner.push(page.bar.compared.button(Compared.DIFFERENCE))
    assert page.beside.difference.isVisible()
    assert page.beside.difference.said.text().startswith("Largest: head ")

    # A copy of B's head is of B.
    learner.push(page.bar.compared.button(Compared.BOTH))
    learner.push(page.bar.pages.button(TrainCentre.MATRICES))
    for each in (learner.frame, learner.frame.other):
        view = page.pages if each is learner.frame else page.beside.others
        learner.push(view[TrainCentre.MATRICES].heading.copy_button)
        copied = learner.window.session
        wanted = each.values.sample_weights(each.cursor.sample, 0)
        np.testing.assert_allclose(copied.frame.attention.weights[0], wanted, atol=1e-5)
        copied.mark_saved(copied.scene)
        learner.window.show_train()
        learner.settle()

    # N goes from chapter to chapter of both, Shift+N back.
    learner.key(Qt.Key.Key_Home, widget=learner.chart.slider)
    epochs = sorted({c.epoch for each in (frame, other) for c in each.chapters})
    assert 20 in epochs
    for epoch in epochs:
        learner.key(Qt.Key.Key_N, widget=learner.chart.slider)
        assert learner.frame.epoch == epoch
    learner.key(Qt.Key.Key_N, SHIFT, learner.chart.slider)
    assert learner.frame.epoch == epochs[-2]

    # Cards: another name, another A, a delete; undo brings everything back.
    cards = list(parameters.list.cards.values())
    assert [card.said.letter for card in cards] == ["A", "B"]
    assert [card.said.name for card in cards] == ["run 1", "run 1 from epoch 20"]
    cards[1].setFocus()
    learner.key(Qt.Key.Key_F2, widget=cards[1])
    cards[1].field.clear()
    QTest.keyClicks(cards[1].field, "faster")
    learner.key(Qt.Key.Key_Return, widget=cards[1].field)
    assert cards[1].said.name == "faster"
    learner.push(cards[1])
    assert [card.said.letter for card in cards] == ["B", "A"]
    QTest.mouseClick(cards[0], LEFT, SHIFT, cards[0].rect().center())
    learner.settle()
    assert learner.frame.other is None
    folder = learner.frame.trace.folder
    learner.key(Qt.Key.Key_Delete, widget=cards[1])
    assert [card.said.letter for card in parameters.list.cards.values()] == []
    assert folder.exists()  # until the window closes
    learner.session.undo()
    learner.session.undo()
    learner.settle()
    names = [card.said.name for card in parameters.list.cards.values()]
    assert names == ["run 1", "run 1 from epoch 20"]
