"""A long text is read beside the window's work, and nothing that was asked meanwhile is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from explorer.session.train.intents import OpenCorpus, SetSplitting, Train
from explorer.traces import Splitting
from tests.app.run_desk import RunDesk


@pytest.mark.usefixtures("qapp")
def test_a_long_text_is_split_as_was_asked_while_it_was_read(qtbot: QtBot, tmp_path: Path) -> None:
    desk = RunDesk(tmp_path / "runs")
    before = desk.frame
    file = tmp_path / "long.txt"
    file.write_text("a rose is a rose\n" * 7000)
    desk.presenter.handle(OpenCorpus(file))
    assert desk.frame.reading
    assert desk.frame.corpus == before.corpus
    desk.presenter.handle(Train())
    assert "still being read" in str(desk.told[-1])
    desk.presenter.handle(SetSplitting("tokens", "characters"))
    desk.presenter.handle(SetSplitting("context", "64"))
    qtbot.waitUntil(lambda: not desk.frame.reading, timeout=30_000)
    frame = desk.frame
    assert frame.splitting == Splitting(tokens="characters", context=64)
    assert frame.corpus_text == file.read_text()
    assert frame.corpus is not None
    assert len(frame.corpus.lines) == (12 * 7000 - 1) // 64
    assert frame.corpus.vocabulary == tuple("aeiors")
    # What cannot be is kept as it was typed, with the reason.
    desk.presenter.handle(SetSplitting("context", "1"))
    typed, why = desk.frame.problems["context"]
    assert typed == "1"
    assert "from 2 to 64" in str(why)
    assert desk.frame.corpus is frame.corpus
    desk.session.undo()
    desk.session.undo()
    assert desk.frame.corpus_text == before.corpus_text
