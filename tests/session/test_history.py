"""Undo and redo."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.session import History, Scene
from explorer.session import history as module
from explorer.text import Message


def scene(number: float, size: int = 1) -> Scene:
    return Scene(("a",), np.full((1, size), float(number)))


def history_of(*scenes: Scene, merge: str | None = None) -> History:
    history = History()
    for i, (before, after) in enumerate(pairwise(scenes)):
        history = history.push(Message(f"edit {i + 1}"), before, after, merge)
    return history


def test_nothing_to_undo_at_first() -> None:
    history = History()
    assert not history.can_undo
    assert not history.can_redo
    assert history.undo_name is None
    assert history.redo_name is None


def test_undo_and_redo_go_back_and_forth_by_name() -> None:
    a, b, c = map(scene, range(3))
    history = history_of(a, b, c)
    assert str(history.undo_name) == "edit 2"
    history, now = history.undo()
    assert now is b
    assert (str(history.undo_name), str(history.redo_name)) == ("edit 1", "edit 2")
    history, now = history.undo()
    assert now is a
    assert not history.can_undo
    history, now = history.redo()
    assert now is b
    history, now = history.redo()
    assert now is c
    assert not history.can_redo


def test_a_new_edit_ends_what_could_be_redone() -> None:
    a, b, c = map(scene, range(3))
    history, _now = history_of(a, b).undo()
    history = history.push(Message("other"), a, c)
    assert not history.can_redo
    assert history.undo()[1] is a


def test_edits_in_a_row_with_one_key_are_one() -> None:
    a, b, c, d, e = map(scene, range(5))
    history = history_of(a, b, c, merge="wheel")
    assert len(history.done) == 1
    assert history.undo()[1] is a
    assert history.undo()[0].redo()[1] is c
    history = history.push(Message("other"), c, d).push(Message("nudge"), d, e, "wheel")
    assert [str(entry.name) for entry in history.done] == ["edit 1", "other", "nudge"]


def test_edits_without_a_key_stay_apart() -> None:
    assert len(history_of(*map(scene, range(4))).done) == 3


def test_an_edit_after_an_undo_joins_nothing() -> None:
    a, b, c, d = map(scene, range(4))
    history, _now = history_of(a, b, c, merge=None).undo()
    history = history.push(Message("x"), b, d, "wheel")
    assert len(history.done) == 2


def test_the_oldest_of_more_than_500_go() -> None:
    scenes = [scene(i) for i in range(520)]
    history = history_of(*scenes)
    assert len(history.done) == 500
    while history.can_undo:
        history, now = history.undo()
    assert now is scenes[19]


def test_the_oldest_go_where_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    scenes = [scene(i, 100) for i in range(10)]  # 800 bytes each
    monkeypatch.setattr(module, "MOST_BYTES", 3200)
    history = history_of(*scenes)
    assert len(history.done) == 3  # between four scenes
    monkeypatch.setattr(module, "MOST_BYTES", 100)
    assert len(history_of(*scenes).done) == 1  # the newest stays in any case


def test_an_array_that_scenes_share_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 2000)
    first = scene(1, 200)  # 1,600 bytes
    renamed = [first.replace(tokens=(f"name {i}",)) for i in range(50)]
    assert len(history_of(first, *renamed).done) == 50


@given(st.lists(st.sampled_from(["push", "undo", "redo"]), max_size=40))
def test_history_agrees_with_a_list_and_a_place_in_it(steps: list[str]) -> None:
    scenes, place = [scene(0)], 0
    history, now = History(), scenes[0]
    for step in steps:
        if step == "push":
            new = scene(len(scenes))
            scenes, place = [*scenes[: place + 1], new], place + 1
            history, now = history.push(Message("edit"), now, new), new
        elif step == "undo" and place > 0:
            place -= 1
            history, now = history.undo()
        elif step == "redo" and place < len(scenes) - 1:
            place += 1
            history, now = history.redo()
        assert now is scenes[place]
        assert (history.can_undo, history.can_redo) == (place > 0, place < len(scenes) - 1)
