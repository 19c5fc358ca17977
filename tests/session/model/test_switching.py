"""Switching heads off in a session: steps that are undone and redone, of one model alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from explorer.models.switches import Put
from explorer.session.model.frame import ModelChange
from explorer.session.model.session import ModelSession
from explorer.session.model.switching import ALL_ON
from tests.model_frames import model_frame


def opened() -> ModelSession:
    """Return a session with a model that was run."""
    frame, session = model_frame(), ModelSession()
    assert frame.info is not None
    assert frame.run is not None
    assert frame.head is not None
    session.edit(frame.run.text)
    session.show(frame.info)
    session.show_run(frame.run, frame.head, None)
    return session


def test_each_switch_is_a_step() -> None:
    session = opened()
    changes: list[ModelChange] = []
    session.changed.connect(changes.append)
    session.switch(0, 1, Put.ZEROS)
    session.switch(1, 2, Put.ZEROS)
    session.switch(1, 2, Put.ZEROS)  # it is off already
    session.switch(0, 1, None)
    assert changes == [ModelChange.SWITCHES] * 3
    assert session.frame.switches.off == {(1, 2)}
    assert session.undo_name is not None
    assert str(session.undo_name) == "restore layer 1 head 2"
    session.undo()
    assert session.frame.switches.off == {(0, 1), (1, 2)}
    session.undo()
    session.undo()
    assert session.frame.switches.off == frozenset()
    assert session.undo_name is None
    session.undo()  # nothing is left
    session.redo()
    assert session.frame.switches.off == {(0, 1)}
    assert session.redo_name is not None
    assert str(session.redo_name) == "switch off layer 2 head 3"


def test_what_is_shown_is_old_until_it_was_run_with_the_switches() -> None:
    session = opened()
    frame = session.frame
    assert frame.run is not None
    assert frame.head is not None
    assert not frame.stale
    session.switch(0, 1, Put.ZEROS)
    assert session.frame.stale
    session.show_run(
        replace(frame.run, number=2, switches=session.frame.switches), frame.head, None
    )
    assert not session.frame.stale
    assert session.frame.switches.off == {(0, 1)}


def test_another_model_begins_with_all_heads_and_the_one_before_is_left_as_it_was() -> None:
    session = opened()
    session.switch(0, 1, Put.ZEROS)
    info = session.frame.info
    assert info is not None
    said = session.show(replace(info, title="another", path=Path("/another")))
    assert str(said) == (
        "model was left with 1 of its heads switched: they will be again when it is reopened."
    )
    assert session.frame.switches.off == frozenset()
    assert session.undo_name is None
    assert session.show(info) is None
    assert session.frame.switches.off == {(0, 1)}
    session.undo()
    assert session.frame.switches.off == frozenset()


def test_texts_and_switches_are_undone_in_turn() -> None:
    """What is typed within a word is one step."""
    session = opened()
    first = session.frame.text
    for text in ("a", "a c", "a ca", "a cat"):
        session.edit(text)
    session.switch(0, 1, Put.MEAN)
    session.edit("a cat s")
    session.undo()
    assert (session.frame.text, session.frame.switches.puts) == ("a cat", ((0, 1, Put.MEAN),))
    session.undo()
    assert (session.frame.text, session.frame.switches) == ("a cat", ALL_ON)
    session.undo()
    assert session.frame.text == "a"
    session.undo()
    assert session.frame.text == first
    for _time in range(4):
        session.redo()
    assert (session.frame.text, session.frame.switches.off) == ("a cat s", {(0, 1)})


def test_steps_are_walked_and_kept_until_the_next_edit() -> None:
    session = opened()
    session.switch(0, 1, Put.ZEROS)
    session.switch(1, 2, Put.SELF)
    session.switch(0, 1, Put.MEAN)
    wanted = [set(), {(0, 1)}, {(0, 1), (1, 2)}, {(0, 1), (1, 2)}]
    assert [set(step.off) for step in session.frame.steps] == wanted
    assert session.frame.step == 3
    session.go_to_step(1)
    assert session.frame.switches == session.frame.steps[1]
    assert (session.frame.step, len(session.frame.steps)) == (1, 4)
    session.go_to_step(3)
    assert session.frame.switches.put(0, 1) is Put.MEAN
    session.go_to_step(0)
    assert session.frame.switches == ALL_ON
    session.go_to_step(2)
    session.switch(1, 0, Put.ZEROS)
    assert [len(step.puts) for step in session.frame.steps] == [0, 1, 2, 3]
    # On another text they begin again: with all heads, then with those that are off.
    session.edit("another text")
    assert [len(step.puts) for step in session.frame.steps] == [0, 3]
    session.go_to_step(0)
    assert session.frame.switches == ALL_ON
    assert session.frame.text == "another text"


def test_the_second_text_is_kept_while_no_head_takes_from_it() -> None:
    session = opened()
    session.edit_second("a dog")
    session.switch(0, 1, Put.OTHER)
    assert session.frame.switches.second == "a dog"
    session.edit_second("a cat")
    session.undo()
    assert (session.frame.second, session.frame.switches.second) == ("a dog", "a dog")
    session.switch(0, 1, Put.ZEROS)
    assert (session.frame.second, session.frame.switches.second) == ("a dog", "")


def test_a_file_of_arrays_has_nothing_to_switch() -> None:
    session = opened()
    info, run, head = session.frame.info, session.frame.run, session.frame.head
    assert info is not None
    assert run is not None
    assert head is not None
    session.show(replace(info, runs=False))
    session.show_run(run, head, None)
    session.switch(0, 1, Put.ZEROS)
    assert session.frame.switches.off == frozenset()


def test_all_heads_are_restored_in_one_step() -> None:
    session = opened()
    session.switch(0, 1, Put.ZEROS)
    session.switch(1, 2, Put.ZEROS)
    session.restore_all()
    assert session.frame.switches.off == frozenset()
    assert str(session.undo_name) == "restore all heads"
    session.undo()
    assert session.frame.switches.off == {(0, 1), (1, 2)}
