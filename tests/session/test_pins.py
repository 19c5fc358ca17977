"""Which token goes by which colour, among few and among many."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.session import Look, Options, Scene, Session, resolve, token_edits
from explorer.session.slots import CHOSEN, COLOURS, UNPINNED, pinned_by, pinned_with
from explorer.text import Message


def _many(count: int = 12) -> Scene:
    rng = np.random.default_rng(5)
    return Scene(tuple(f"t{n}" for n in range(count)), rng.normal(size=(count, 2)))


def test_of_many_tokens_those_with_the_largest_weights_have_a_colour() -> None:
    frame = resolve(_many())
    weights = frame.attention.weights.max(axis=0)
    np.fill_diagonal(weights := weights.copy(), 0.0)
    expected = set(np.argsort(weights.max(axis=0))[-CHOSEN:].tolist())
    assert set(pinned_by(frame.slots)) == expected
    assert sorted(slot for slot in frame.slots if slot != UNPINNED) == list(range(CHOSEN))


def test_for_the_colours_of_a_large_scene_no_other_heads_are_computed() -> None:
    rng = np.random.default_rng(5)
    W = {name: rng.normal(size=(4, 2, 2)) for name in ("Wq", "Wk", "Wv")}
    names = tuple(f"t{n}" for n in range(256))
    large = Scene(names, rng.normal(size=(256, 2)), **W, options=Options(heads=4))
    frame = resolve(large, Look(head=2))
    assert [frame.attention.has_head(head) for head in range(4)] == [False, False, True, False]
    weights = frame.attention.of_head(2).weights * (1 - np.eye(256))
    assert set(pinned_by(frame.slots)) == set(np.argsort(-weights.max(axis=0))[:CHOSEN].tolist())


def test_pinned_tokens_have_the_colours_in_their_order() -> None:
    slots = resolve(_many(), Look(pinned=(7, 2, 4))).slots
    assert [slots[place] for place in (7, 2, 4)] == [0, 1, 2]
    assert slots.count(UNPINNED) == 9


def test_colours_stay_while_numbers_change_and_a_pin_takes_the_place_of_all_chosen_ones() -> None:
    session = Session(_many())
    before = session.frame.slots
    session.edit(_name(), session.scene.replace(X=session.scene.X[::-1].copy()))
    assert session.frame.slots == before
    chosen, token = before.index(3), before.index(UNPINNED)
    for each in (chosen, token):
        session.look_at(replace(session.look, pinned=pinned_with(session.frame, each)))
    assert session.look.pinned == (chosen, token)
    assert pinned_by(session.frame.slots) == (token, chosen), "one that had a colour keeps it"
    for each in (token, chosen):
        session.look_at(replace(session.look, pinned=pinned_with(session.frame, each)))
    assert session.look.pinned == ()
    assert set(pinned_by(session.frame.slots)) == set(pinned_by(resolve(session.scene).slots))


def test_a_pin_follows_its_token_when_another_is_removed() -> None:
    session = Session(_many())
    session.look_at(replace(session.look, pinned=(3, 9)))
    session.edit(_name(), token_edits.remove_token(session.scene, 0))
    assert session.look.pinned == (2, 8)
    assert [session.frame.slots[place] for place in (2, 8)] == [0, 1]


def test_a_ninth_token_takes_no_colour_away_and_a_removed_one_gives_its_own() -> None:
    session = Session(_many(8))
    eight = session.scene
    session.edit(_name(), token_edits.add_token(eight))
    assert session.frame.slots == (*range(COLOURS), UNPINNED)
    session.edit(_name(), token_edits.remove_token(session.scene, 2))
    assert sorted(session.frame.slots) == list(range(COLOURS))
    assert session.frame.slots[7] == 2


def _name() -> Message:
    return Message("test")
