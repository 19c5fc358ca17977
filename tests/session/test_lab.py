"""The lab: the cursor, playing, following a growing run, and what is told of changes."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.resources import example
from explorer.session import Look, Role, Selection, compute
from explorer.session.copy_head import head_scene
from explorer.session.lab import Lab, LabChange, Page, Progress, RunState
from explorer.text import Message
from explorer.traces import TraceFile, parse_corpus


@pytest.fixture
def lab() -> Lab:
    made = Lab()
    made.show(TraceFile(example("tiny-transformer.safetensors")), "example", example=True)
    return made


@pytest.fixture
def told(lab: Lab) -> list[LabChange]:
    changes: list[LabChange] = []
    lab.changed.connect(changes.append)
    return changes


def test_before_there_is_a_trace_nothing_can_be_shown_and_nothing_fails():
    lab = Lab()
    lab.go(step=3)
    lab.go_to_epoch(10)
    lab.play(True)
    lab.advance(1.0)

    assert lab.frame.trace is None
    assert lab.frame.values is None
    assert not lab.frame.playback.playing


def test_the_numbers_shown_are_the_recorded_ones(lab):
    frame = lab.frame
    lab.go(step=4, sample=2)

    trace = frame.trace
    np.testing.assert_array_equal(lab.frame.values.weights, trace.array("weights", 4, layer=0))
    np.testing.assert_allclose(
        lab.frame.points, lab.frame.basis.project(trace.array("param.embedding", 4))
    )
    logits = trace.array("logits", 4).astype(float)
    expected = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(lab.frame.values.probabilities, expected, rtol=1e-6)


def test_the_cursor_stays_within_the_trace(lab):
    last = len(lab.frame.recorded) - 1
    lab.go(step=10_000, sample=-3, layer=7, head=99)

    cursor = lab.frame.cursor
    assert (cursor.step, cursor.sample, cursor.layer) == (last, 0, 0)
    assert cursor.head == lab.frame.trace.sizes["H"] - 1


def test_another_sample_or_head_reads_nothing_again(lab):
    lab.go(step=3)
    values = lab.frame.values
    lab.go(sample=1)
    lab.go(head=1)
    assert lab.frame.values is values


def test_an_epoch_goes_to_the_nearest_recorded_step(lab):
    epochs = lab.frame.recorded
    lab.go_to_epoch(float(epochs[5]) + 0.4)

    assert lab.frame.epoch == epochs[5]


def test_changes_are_told_once_and_by_kind(lab, told):
    lab.go(step=2)
    lab.go(step=2)
    lab.look_at(page=Page.MATRICES)
    lab.select(Selection(Role.A, 0, 1))
    lab.set_progress(Progress(RunState.RUNNING, 1, 200))

    assert told == [
        LabChange.CURSOR,
        LabChange.LOOK,
        LabChange.SELECTION,
        LabChange.PROGRESS,
    ]


def test_playing_moves_between_steps_and_stops_at_the_end(lab, told):
    last = len(lab.frame.recorded) - 1
    lab.go(step=last)
    lab.play(True)
    assert lab.frame.cursor.step == 0
    lab.set_playback(rate=4)
    told.clear()
    lab.advance(0.125)

    here, after = lab.frame.values.points, lab.frame.following_values.points
    assert lab.frame.playback.between == pytest.approx(0.5)
    np.testing.assert_allclose(lab.frame.points, (here + after) / 2)
    assert told == [LabChange.MOTION]
    lab.advance(1000.0)
    assert lab.frame.cursor.step == last
    assert not lab.frame.playback.playing


def test_a_loop_begins_again(lab):
    lab.play(True)
    lab.set_playback(rate=1, loop=True)
    last = len(lab.frame.recorded) - 1
    lab.advance(last + 0.5)

    assert lab.frame.playback.playing
    assert lab.frame.cursor.step == 0


def test_touching_the_cursor_ends_playing_and_following(lab):
    lab.follow()
    assert lab.frame.playback.following
    lab.go(step=1)
    assert not lab.frame.playback.following
    lab.play(True)
    lab.go(step=1)
    assert not lab.frame.playback.playing


@pytest.mark.parametrize(
    "selection", [Selection(Role.A, 0, 99), Selection(Role.A, -1, 0), Selection(Role.S, 0, 0)]
)
def test_nothing_outside_the_sample_can_be_selected(lab, selection):
    lab.select(selection)
    assert lab.frame.selection is None


def test_an_edited_copy_computes_what_was_recorded(lab):
    lab.go(step=6, sample=1)
    shown = lab.frame.values.head_frame(1, 0, Look())
    scene = head_scene(lab.frame.trace, 6, 1, 0, 0)

    np.testing.assert_allclose(compute(scene).weights, shown.attention.weights, atol=1e-5)
    np.testing.assert_allclose(compute(scene).head_output, shown.attention.head_output, atol=1e-5)


def test_edits_of_the_next_run_can_be_undone_by_name(lab):
    first = lab.frame.config
    lab.set_config(Message("change {label}", {"label": "Seed"}), replace(first, seed=8))
    lab.set_config(Message("nothing"), lab.frame.config)
    lab.set_corpus(Message("change the corpus"), "a", None, (1, Message("no")), by_character=False)
    assert str(lab.undo_name) == "change the corpus"
    assert lab.frame.corpus is not None

    lab.undo()
    assert lab.frame.corpus_problem is None
    lab.undo()
    assert lab.frame.config is first
    assert lab.undo_name is None
    lab.redo()
    assert lab.frame.config.seed == 8


def test_a_word_can_be_pointed_at_until_another_run_is_shown(lab, told):
    lab.hover_word(3)
    lab.hover_word(3)
    assert told == [LabChange.HOVER]
    lab.hover_word(99)
    assert lab.frame.hover_word == 3
    lab.show(lab.frame.trace, "again")
    assert lab.frame.hover_word is None


def test_picked_sentences_are_checked_again_when_the_corpus_changes(lab):
    def take(text: str) -> None:
        corpus = parse_corpus(text)
        lab.set_corpus(Message("change the corpus"), text, corpus, None, by_character=False)

    lab.set_samples(Message("pick"), "4-5, 2")
    assert lab.frame.samples == (1, 3, 4)
    take("a b\nb a\n")
    typed, message = lab.frame.problems["samples"]
    assert (typed, lab.frame.samples) == ("2, 4-5", None)
    assert str(message) == "There is no sentence 4: the corpus has sentences 1 to 2."
    lab.set_config(Message("a seed"), replace(lab.frame.config, seed=8))
    assert "samples" in lab.frame.problems
    take("a b\n" * 5)
    assert (lab.frame.problems, lab.frame.samples) == ({}, (1, 3, 4))

    lab.set_samples(Message("pick"), "all")
    assert lab.frame.problems["samples"][0] == "all"
    lab.undo()
    assert (lab.frame.problems, lab.frame.samples) == ({}, (1, 3, 4))
    lab.set_samples(Message("pick"), "")
    assert lab.frame.samples is None
    for _edit in range(5):
        lab.undo()
    assert (lab.frame.problems, lab.frame.samples) == ({}, None)
    assert lab.undo_name is None


def test_places_by_tsne_are_told_and_go_with_the_step(lab, told):
    places = np.zeros((8, 2))
    lab.set_layout(places)
    assert told == [LabChange.CURSOR]
    lab.go(step=1)
    assert lab.frame.layout is None
