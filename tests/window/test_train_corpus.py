"""How much of a corpus is seen in Train's panel, in windows of usual sizes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from explorer.app.main import make_window
from explorer.session.train.intents import SetCorpus
from tests.window.conftest import Learner

SENTENCES = [
    f"{who} {does}"
    for who in ("cat", "dog", "bird", "horse", "cow")
    for does in (
        "likes fish",
        "eats bone",
        "sees worm",
        "chases grass",
        "wants milk",
        "hears music",
    )
][:29]


@pytest.fixture
def first_run(qapp: QApplication, qtbot: QtBot) -> Iterator[Learner]:
    """Somebody whose panel lists no other runs."""
    window = make_window()
    window.resize(1440, 900)
    window.show()
    somebody = Learner(window, qtbot)
    somebody.settle()
    yield somebody
    somebody.room.runner.stop()
    somebody.wait(lambda: not somebody.frame.progress.active)
    somebody.room.close()
    window.close()


def whole(first_run) -> list[int]:
    """Return the rows of the corpus that are seen whole, in the list and in the panel."""
    corpus, panel = first_run.page.parameters.corpus.list, first_run.page.parameters
    area = panel.findChild(QScrollArea).viewport()
    seen = []
    for row in range(corpus.model().rowCount()):
        box = corpus.visualRect(corpus.model().index(row, 0))
        there = box.translated(corpus.viewport().mapTo(area, QPoint(0, 0)))
        if corpus.viewport().rect().contains(box) and area.rect().contains(there):
            seen.append(row)
    return seen


def test_of_an_own_corpus_many_sentences_are_seen_while_it_is_learned(first_run):
    first_run.room.handle(SetCorpus("\n".join(SENTENCES)))
    first_run.choose(first_run.run_box.pace, Qt.Key.Key_Home)
    first_run.train()
    assert len(whole(first_run)) >= 6
    # Where the panel is scrolled, the sentences fill it.
    first_run.window.resize(1024, 768)
    first_run.page.pin_left(True)
    for percent, least in ((125, 8), (150, 7)):
        first_run.window.appearance.scale_text_to(percent)
        first_run.settle()
        bar = first_run.page.parameters.findChild(QScrollArea).verticalScrollBar()
        assert bar.maximum() > 0
        bar.setValue(bar.maximum())
        assert len(whole(first_run)) >= least
        bar.setValue(0)
        corpus = first_run.page.parameters.corpus.list
        corpus.setFocus()
        for _key in range(3):
            first_run.key(Qt.Key.Key_Down, widget=corpus)
            assert corpus.currentIndex().row() in whole(first_run)
    first_run.page.pin_left(False)
