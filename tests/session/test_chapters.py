"""Chapters of a run: what each rule finds, and with which number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.session.train import Scalars
from explorer.session.train.chapters import chapters_of
from explorer.traces import Config, Corpus, Fork, SpoolTrace, parse_corpus
from explorer.training.control import Control
from explorer.training.forks import corpus_of, fork_point
from explorer.training.record import record
from tests.train_frames import recorded_run


def run(folder: Path, config: Config, corpus: Corpus, **more: object) -> SpoolTrace:
    record(config, corpus, folder, run=1, control=Control(), tell=lambda _item: None, **more)  # type: ignore[arg-type]
    return SpoolTrace(folder)


def found(trace: SpoolTrace) -> list[tuple[str, int]]:
    scalars = Scalars(*(trace.scalars(name) for name in ("epoch", "loss", "accuracy")))
    return [(str(chapter.said), chapter.epoch) for chapter in chapters_of(trace, scalars)]


def test_the_usual_run_and_its_fork_have_the_chapters_of_the_design(tmp_path: Path) -> None:
    corpus = parse_corpus(
        "cat likes fish\ndog likes bone\nbird likes worm\n"
        "cat eats fish\ndog eats bone\nbird eats worm"
    )
    config = Config(watch_every=1)
    first = run(tmp_path / "first", config, corpus)
    assert found(first) == [
        ("all correct", 28),
        ("head 2 turns to the first word", 40),
        ("fastest fall", 55),
        ("loss under 0.1", 95),
    ]
    faster = replace(config, learning_rate=0.006)
    start = fork_point(first, 60, faster)
    second = run(tmp_path / "second", faster, corpus_of(first), start=start)
    assert found(second) == [("fork", 60), ("loss under 0.1", 69), ("loss under 0.01", 107)]


def test_rules_by_hand() -> None:
    trace = recorded_run(steps=2)
    epochs = np.arange(20.0)
    loss = np.array(
        [3.0, 2, 1.9, *np.full(5, 1.8), 0.5, 0.4, *np.full(6, 0.05), 0.04, np.nan, 1, 1]
    )
    right = np.array([*np.zeros(10), *np.ones(10)])
    chapters = chapters_of(trace, Scalars(epochs, loss, right), heads=False)
    assert [(str(each.said), each.epoch) for each in chapters] == [
        ("all correct", 10),
        ("fastest fall", 10),
        ("loss under 0.1", 10),
        ("diverged", 17),
    ]
    assert "87.5\u2009%" in str(chapters[1].rule)
    assert str(chapters[2].rule) == "The first loss under 0.1: 0.0500"


@pytest.mark.parametrize("scalars", [Scalars(), Scalars(np.arange(3.0), *np.full((2, 3), np.nan))])
def test_a_run_without_losses_has_no_chapters_but_its_fork(scalars: Scalars) -> None:
    trace = recorded_run(steps=2)
    assert chapters_of(trace, scalars, heads=False) == ()
    trace.run = replace(trace.run, fork=Fork(epoch=5))
    assert [each.epoch for each in chapters_of(trace, scalars, heads=False)] == [5]


def test_a_head_has_formed_where_its_score_passes_and_stays() -> None:
    trace = recorded_run(steps=5)
    scores = np.zeros((5, 1, 2), np.float32)
    scores[:, 0, 1] = (0.1, 0.5, 0.3, 0.45, 0.9)
    trace.arrays["repeats.previous"] = scores
    trace.arrays["repeats.induction"] = np.full((5, 1, 2), 0.39, np.float32)
    formed = [each for each in chapters_of(trace, Scalars()) if "score" in str(each.rule)]
    assert [(str(each.said), each.epoch) for each in formed] == [
        ("a previous-token head", int(trace.epochs[3]))
    ]
    assert str(formed[0].rule) == (
        "The previous-token score of layer 1 head 2 passes 0.4 and stays above: 0.45"
    )
