"""Switching heads off in a session: steps that are undone and redone, of one model alone."""

from __future__ import annotations

from dataclasses import replace

from explorer.session.model.frame import ModelChange
from explorer.session.model.session import ModelSession
from tests.model_frames import model_frame


def opened() -> ModelSession:
    """Return a session with a model that was run."""
    frame, session = model_frame(), ModelSession()
    assert frame.info is not None
    assert frame.run is not None
    assert frame.head is not None
    session.show(frame.info)
    session.show_run(frame.run, frame.head, None)
    session.edit(frame.run.text)
    return session


def test_each_switch_is_a_step() -> None:
    session = opened()
    changes: list[ModelChange] = []
    session.changed.connect(changes.append)
    session.switch(0, 1, True)
    session.switch(1, 2, True)
    session.switch(1, 2, True)  # it is off already
    session.switch(0, 1, False)
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
    session.switch(0, 1, True)
    assert session.frame.stale
    session.show_run(replace(frame.run, number=2, off=frozenset({(0, 1)})), frame.head, None)
    assert not session.frame.stale
    assert session.frame.switches.off == {(0, 1)}


def test_another_model_begins_with_all_heads() -> None:
    session = opened()
    session.switch(0, 1, True)
    info = session.frame.info
    assert info is not None
    session.show(replace(info, title="another"))
    assert session.frame.switches.off == frozenset()
    assert session.undo_name is None


def test_a_file_of_arrays_has_nothing_to_switch() -> None:
    session = opened()
    info, run, head = session.frame.info, session.frame.run, session.frame.head
    assert info is not None
    assert run is not None
    assert head is not None
    session.show(replace(info, runs=False))
    session.show_run(run, head, None)
    session.switch(0, 1, True)
    assert session.frame.switches.off == frozenset()


def test_all_heads_are_restored_in_one_step() -> None:
    session = opened()
    session.switch(0, 1, True)
    session.switch(1, 2, True)
    session.restore_all()
    assert session.frame.switches.off == frozenset()
    assert str(session.undo_name) == "restore all heads"
    session.undo()
    assert session.frame.switches.off == {(0, 1), (1, 2)}
