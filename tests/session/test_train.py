"""The session: the cursor, playing, following a growing run, and what is told of changes."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.resources import example
from explorer.session import Look, Role, Selection, compute
from explorer.session.copy_head import head_scene
from explorer.session.train import Progress, RunState, TrainCentre, TrainChange, TrainSession
from explorer.text import Message
from explorer.traces import Splitting, TraceFile, parse_corpus


@pytest.fixture
def session() -> TrainSession:
    made = TrainSession()
    made.show(TraceFile(example("tiny-transformer.safetensors")), "example", example=True)
    return made


@pytest.fixture
def told(session: TrainSession) -> list[TrainChange]:
    changes: list[TrainChange] = []
    session.changed.connect(changes.append)
    return changes


def test_before_there_is_a_trace_nothing_can_be_shown_and_nothing_fails():
    session = TrainSession()
    session.go(step=3)
    session.go_to_epoch(10)
    session.play(True)
    session.advance(1.0)

    assert session.frame.trace is None
    assert session.frame.values is None
    assert not session.frame.playback.playing


def test_the_numbers_shown_are_the_recorded_ones(session):
    frame = session.frame
    session.go(step=4, sample=2)

    trace = frame.trace
    np.testing.assert_array_equal(session.frame.values.weights, trace.array("weights", 4, layer=0))
    np.testing.assert_allclose(
        session.frame.points, session.frame.basis.project(trace.array("param.embedding", 4))
    )
    logits = trace.array("logits", 4).astype(float)
    expected = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(session.frame.values.probabilities, expected, rtol=1e-6)


def test_the_cursor_stays_within_the_trace(session):
    last = len(session.frame.recorded) - 1
    session.go(step=10_000, sample=-3, layer=7, head=99)

    cursor = session.frame.cursor
    assert (cursor.step, cursor.sample, cursor.layer) == (last, 0, 0)
    assert cursor.head == session.frame.trace.sizes["H"] - 1


def test_another_sample_or_head_reads_nothing_again(session):
    session.go(step=3)
    values = session.frame.values
    session.go(sample=1)
    session.go(head=1)
    assert session.frame.values is values


def test_an_epoch_goes_to_the_nearest_recorded_step(session):
    epochs = session.frame.recorded
    session.go_to_epoch(float(epochs[5]) + 0.4)

    assert session.frame.epoch == epochs[5]


def test_changes_are_told_once_and_by_kind(session, told):
    session.go(step=2)
    session.go(step=2)
    session.look_at(page=TrainCentre.MATRICES)
    session.select(Selection(Role.A, 0, 1))
    session.set_progress(Progress(RunState.RUNNING, 1, 200))

    assert told == [
        TrainChange.CURSOR,
        TrainChange.LOOK,
        TrainChange.SELECTION,
        TrainChange.PROGRESS,
    ]


def test_playing_moves_between_steps_and_stops_at_the_end(session, told):
    last = len(session.frame.recorded) - 1
    session.go(step=last)
    session.play(True)
    assert session.frame.cursor.step == 0
    session.set_playback(rate=4)
    told.clear()
    session.advance(0.125)

    here, after = session.frame.values.points, session.frame.following_values.points
    assert session.frame.playback.between == pytest.approx(0.5)
    np.testing.assert_allclose(session.frame.points, (here + after) / 2)
    assert told == [TrainChange.MOTION]
    session.advance(1000.0)
    assert session.frame.cursor.step == last
    assert not session.frame.playback.playing


def test_a_loop_begins_again(session):
    session.play(True)
    session.set_playback(rate=1, loop=True)
    last = len(session.frame.recorded) - 1
    session.advance(last + 0.5)

    assert session.frame.playback.playing
    assert session.frame.cursor.step == 0


def test_touching_the_cursor_ends_playing_and_following(session):
    session.follow()
    assert session.frame.playback.following
    session.go(step=1)
    assert not session.frame.playback.following
    session.play(True)
    session.go(step=1)
    assert not session.frame.playback.playing


@pytest.mark.parametrize(
    "selection", [Selection(Role.A, 0, 99), Selection(Role.A, -1, 0), Selection(Role.S, 0, 0)]
)
def test_nothing_outside_the_sample_can_be_selected(session, selection):
    session.select(selection)
    assert session.frame.selection is None


def test_an_edited_copy_computes_what_was_recorded(session):
    session.go(step=6, sample=1)
    shown = session.frame.values.head_frame(1, 0, Look())
    scene = head_scene(session.frame.trace, 6, 1, 0, 0)

    np.testing.assert_allclose(compute(scene).weights, shown.attention.weights, atol=1e-5)
    np.testing.assert_allclose(compute(scene).head_output, shown.attention.head_output, atol=1e-5)


def test_edits_of_the_next_run_can_be_undone_by_name(session):
    first = session.frame.config
    session.set_config(Message("change {label}", {"label": "Seed"}), replace(first, seed=8))
    session.set_config(Message("nothing"), session.frame.config)
    session.set_corpus(
        Message("change the corpus"), "a", None, (1, Message("no")), splitting=Splitting()
    )
    assert str(session.undo_name) == "change the corpus"
    assert session.frame.corpus is not None

    session.undo()
    assert session.frame.corpus_problem is None
    session.undo()
    assert session.frame.config is first
    assert session.undo_name is None
    session.redo()
    assert session.frame.config.seed == 8


def test_a_word_can_be_pointed_at_until_another_run_is_shown(session, told):
    session.hover_word(3)
    session.hover_word(3)
    assert told == [TrainChange.HOVER]
    session.hover_word(99)
    assert session.frame.hover_word == 3
    session.show(session.frame.trace, "again")
    assert session.frame.hover_word is None


def test_picked_sentences_are_checked_again_when_the_corpus_changes(session):
    def take(text: str) -> None:
        corpus = parse_corpus(text)
        session.set_corpus(Message("change the corpus"), text, corpus, None, splitting=Splitting())

    session.set_samples(Message("pick"), "4-5, 2")
    assert session.frame.samples == (1, 3, 4)
    take("a b\nb a\n")
    typed, message = session.frame.problems["samples"]
    assert (typed, session.frame.samples) == ("2, 4-5", None)
    assert str(message) == "There is no sentence 4: the corpus has sentences 1 to 2."
    session.set_config(Message("a seed"), replace(session.frame.config, seed=8))
    assert "samples" in session.frame.problems
    take("a b\n" * 5)
    assert (session.frame.problems, session.frame.samples) == ({}, (1, 3, 4))

    session.set_samples(Message("pick"), "all")
    assert session.frame.problems["samples"][0] == "all"
    session.undo()
    assert (session.frame.problems, session.frame.samples) == ({}, (1, 3, 4))
    session.set_samples(Message("pick"), "")
    assert session.frame.samples is None
    for _edit in range(5):
        session.undo()
    assert (session.frame.problems, session.frame.samples) == ({}, None)
    assert session.undo_name is None


def test_places_by_tsne_are_told_and_go_with_the_step(session, told):
    places = np.zeros((8, 2))
    session.set_layout(places)
    assert told == [TrainChange.CURSOR]
    session.go(step=1)
    assert session.frame.layout is None
