"""A room that needs a process starts it when it is shown, so that what is asked begins at once."""

from __future__ import annotations

from explorer.rooms.model.runner import ModelRunner
from explorer.rooms.sweep.runner import SweepRunner
from explorer.rooms.train.runner import Runner


def test_a_room_that_is_shown_starts_its_process(person, monkeypatch):
    begun: list[object] = []
    for runner in (Runner, ModelRunner, SweepRunner):
        monkeypatch.setattr(runner, "warm", lambda self: begun.append(self))
    rooms = person.window.rooms
    person.window.show_train(warm=False)
    assert begun == []
    rooms.show_train()
    assert begun == [rooms.train.runner]
    rooms.show_model()
    rooms.show_sweep()
    assert begun[1:] == [rooms.model.runner, rooms.sweep.runner]
