"""Picking the sentences that are recorded, in the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from explorer.session.train import RunState
from explorer.session.train.intents import SetCorpus


@pytest.fixture(autouse=True)
def as_before(learner):
    before = learner.frame.corpus_text
    yield
    learner.room.presenter.handle(SetCorpus(before))
    learner.type_parameter("samples", "")


def test_only_the_picked_sentences_are_recorded_and_listed(learner):
    learner.type_parameter("epochs", "5")
    learner.type_parameter("samples", "2, 5-6")
    learner.train()
    learner.finish()
    assert learner.frame.progress.state is RunState.FINISHED
    assert learner.frame.trace.samples.tolist() == [1, 4, 5]
    rows = learner.page.parameters.corpus.list.model()
    flags = [rows.flags(rows.index(row)) for row in range(rows.rowCount())]
    chosen = [row for row, flag in enumerate(flags) if Qt.ItemFlag.ItemIsEnabled in flag]
    assert chosen == [1, 4, 5]
    assert learner.frame.words == ("dog", "likes")
    learner.push(learner.page.sample.next)
    assert learner.frame.words == ("dog", "eats")


def test_sentences_that_go_with_the_corpus_are_asked_about_beside_the_field(learner):
    row = learner.page.parameters.more.rows["samples"]
    learner.type_parameter("samples", "2, 5-6")
    learner.room.presenter.handle(SetCorpus("cat likes fish\ndog likes bone\n"))
    learner.settle()
    assert row.problem.text() == "There is no sentence 5: the corpus has sentences 1 to 2."
    assert row.input.lineEdit().text() == "2, 5-6"
    assert not learner.run_box.main.isEnabled()
    learner.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier, learner.window)
    assert row.problem.isHidden()
    assert learner.frame.samples == (1, 4, 5)
    learner.type_parameter("samples", "1-7")
    assert "There is no sentence 7" in row.problem.text()
    learner.type_parameter("samples", "1")
    assert row.problem.isHidden()
    assert learner.run_box.main.isEnabled()
