"""The list of runs, which two are compared, and what undo takes back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace as changed

from explorer.session.look import Role, Selection
from explorer.session.train import ForkFrom, TrainChange, TrainSession
from explorer.session.train.pair import common_words, paired_axes, same_sample
from explorer.session.train.runs import all_right_from, side_by_side
from explorer.text import Message, Problem
from explorer.traces import (
    FORMAT,
    VERSION,
    Config,
    Fork,
    Mark,
    Splitting,
    fit_basis,
    parse_corpus,
    save_trace,
)
from tests.train_frames import MemoryTrace, recorded_run


@pytest.fixture
def two() -> tuple[MemoryTrace, MemoryTrace]:
    """A run, and another one of the same words that begins later and learns faster."""
    first = recorded_run(config=Config(epochs=20, watch_every=5), steps=5)
    second = recorded_run(
        config=Config(epochs=20, watch_every=5, learning_rate=0.02, seed=8), steps=5
    )
    run = changed(second.run, fork=Fork(epoch=10))
    arrays = {
        name: array[2:] if name == "epochs" or array.shape[:1] == (5,) else array
        for name, array in second.arrays.items()
    }
    return first, MemoryTrace(run, arrays)


def shown(*traces: MemoryTrace) -> TrainSession:
    session = TrainSession()
    for number, trace in enumerate(traces, 1):
        session.show(trace, f"run {number}")
    return session


def test_b_is_looked_at_where_a_is(two: tuple[MemoryTrace, MemoryTrace]) -> None:
    session = shown(two[1], two[0])
    told: list[TrainChange] = []
    session.changed.connect(told.append)
    session.compare(1)
    assert TrainChange.RUNS in told[-1]
    session.go(step=3, sample=2, head=1)
    session.select(Selection(Role.A, 0, 1))
    session.hover_word(3)
    frame, other = session.frame, session.frame.other
    assert other is not None
    assert (frame.epoch, other.epoch) == (15, 15)
    assert (other.cursor.sample, other.cursor.head) == (2, 1)
    assert (other.selection, other.hover_word) == (frame.selection, 3)
    # One basis for both, fitted to both; that of A alone is kept for its file.
    assert other.basis is frame.basis
    assert frame.own_basis is not frame.basis
    assert frame.basis is not None
    both = [trace.arrays["param.embedding"].reshape(-1, 16) for trace in two]
    joint = np.linalg.svd(np.concatenate(both) - np.concatenate(both).mean(0))[2][:3]
    overlap = np.linalg.svd(frame.basis.components @ joint.T)[1]
    np.testing.assert_allclose(overlap, 1, atol=1e-6)
    # Before the fork B stands at its beginning.
    session.go(step=0)
    assert session.frame.other is not None
    assert session.frame.other.epoch == 10
    session.compare(None)
    assert session.frame.other is None
    assert session.frame.basis is session.frame.own_basis


def test_other_widths_have_axes_of_their_own_turned_to_the_common_words() -> None:
    first, second = recorded_run(steps=2), recorded_run(config=Config(d_model=8), steps=2)
    mine, own = fit_basis(first), fit_basis(second)
    axes, turned = paired_axes(first, second, mine, own)
    assert axes is mine
    assert turned is not None

    def apart(basis: Any) -> float:
        ends = [
            axis.project(trace.array("param.embedding", trace.recorded - 1))
            for axis, trace in ((mine, first), (basis, second))
        ]
        return float(np.square(ends[0] - ends[1]).sum())

    assert apart(turned) < apart(own)
    # Turned and moved as a whole: the words keep their distances.
    points = [b.project(second.array("param.embedding", 0)) for b in (own, turned)]
    lengths = [np.linalg.norm(p[:, None] - p[None], axis=-1) for p in points]
    np.testing.assert_allclose(lengths[0], lengths[1], atol=1e-9)


def test_runs_without_a_common_word_are_refused() -> None:
    first, second = recorded_run(), recorded_run("one two\nthree four")
    assert common_words(first, second) == ()
    assert same_sample(first, 0, second) is None
    session = shown(first, second)
    with pytest.raises(Problem, match="no word in common"):
        session.compare(1)
    assert session.frame.other is None
    # One that is shown while two are compared is shown alone.
    session.show(recorded_run(), "again")
    session.compare(1)
    session.show_run(2)
    assert session.frame.trace is second
    assert session.frame.other is None
    session.compare(None)


def test_names_deletes_and_forks_are_undone(two: tuple[MemoryTrace, MemoryTrace]) -> None:
    session = shown(two[0])
    session.rename(1, "first")
    session.set_fork(ForkFrom(1, 10))
    assert session.frame.config.epochs == 20
    assert session.frame.samples is None
    session.add_fork(two[1], "first from epoch 10", 1)
    frame = session.frame
    assert [frame.name_of(card) for card in frame.runs] == ["first", "first from epoch 10"]
    assert frame.other is not None
    assert frame.other.trace is two[1]
    assert str(session.undo_name) == "fork at epoch 10"
    session.undo()
    assert [card.key for card in session.frame.runs] == [1]
    assert session.frame.other is None
    session.redo()
    session.delete(1)
    assert session.frame.trace is two[1]
    session.delete(2)  # the last one stays
    assert [card.key for card in session.frame.runs] == [2]
    session.undo()
    assert [card.key for card in session.frame.runs] == [1, 2]
    for _each in range(3):
        session.undo()
    assert session.frame.names == {}
    assert session.frame.fork is None


def test_a_and_b_change_places(two: tuple[MemoryTrace, MemoryTrace]) -> None:
    session = shown(two[1], two[0])
    session.compare(1)
    session.go(step=3, sample=4)
    session.show_run(1)
    frame = session.frame
    assert frame.other is not None
    assert (frame.shown, frame.other.shown) == (1, 2)
    assert (frame.epoch, frame.other.epoch, frame.cursor.sample) == (15, 15, 4)


def test_parameters_side_by_side(two: tuple[MemoryTrace, MemoryTrace]) -> None:
    rows = side_by_side(*two, ("d_model", "learning_rate"), "Begins at")
    assert [(row.field, row.first, row.second, row.differs) for row in rows] == [
        ("d_model", 16, 16, False),
        ("learning_rate", 0.0015, 0.02, True),
        ("epochs", 20, 20, False),
        ("seed", 7, 8, True),
        ("begins", 0, 10, True),
    ]


def test_all_right_is_told_from_the_last_mistake() -> None:
    epochs = np.arange(5.0)
    assert all_right_from(epochs, np.array([0, 1, 0.5, 1, 1])) == 3
    assert all_right_from(epochs, np.array([0, 1, 1, 1, 0.5])) is None
    assert all_right_from(epochs, np.full(5, np.nan)) is None


def test_the_shown_parameters_can_be_used(two: tuple[MemoryTrace, MemoryTrace]) -> None:
    session = shown(two[1])
    session.use_parameters()
    frame = session.frame
    assert frame.config == two[1].run.config
    assert frame.fork is None
    assert replace(frame.plan) == frame.plan
    assert two[1].samples is not None, "the trace names its sentences, the first ones"
    session.set_corpus(
        Message("fewer"), "a b\n", parse_corpus("a b\n"), None, splitting=Splitting()
    )
    assert not session.frame.problems


def test_marks_are_undone_and_saved_with_the_run(
    two: tuple[MemoryTrace, MemoryTrace], tmp_path: Path
) -> None:
    session = shown(two[0])
    session.mark(10, " look here ")
    session.mark(5, "before <b>")
    assert session.frame.marks_of(1) == (Mark(5, "before <b>"), Mark(10, "look here"))
    session.mark(10, "")
    assert session.frame.marks_of(1) == (Mark(5, "before <b>"),)
    session.undo()
    path = tmp_path / "a.safetensors"
    two[0].metadata = {
        "format": FORMAT,
        "version": VERSION,
        "run": msgspec.json.encode(two[0].run).decode(),
    }
    session.rename(1, " slow\ud800\n ")
    saved = save_trace(two[0], path, said=session.frame.said_of(session.frame.runs[0]))
    again = TrainSession()
    again.show(saved, "a")
    card = again.frame.runs[0]
    assert again.frame.name_of(card) == "slow"
    again.rename(1, "fast")
    assert again.frame.name_of(card) == "fast"
    again.rename(1, "")
    assert again.frame.name_of(card) == "slow"
    assert again.frame.marks_of(1) == session.frame.marks_of(1)
    again.mark(5, "")
    assert again.frame.marks_of(1) == (Mark(10, "look here"),)
    for wrong in ("[[1]]", '[[-1, "x"]]', "nothing"):
        saved.metadata = {**saved.metadata, "marks": wrong}
        bad = tmp_path / "bad.safetensors"
        with pytest.raises(Problem, match='"marks" in its metadata'):
            save_trace(saved, bad)
    saved.close()
