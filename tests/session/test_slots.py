"""A token keeps its colour, wherever it goes."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.resources import example
from explorer.session import Change, Context, Scene, Session, read_scene
from explorer.session.backwards import shuffling
from explorer.session.token_edits import add_token, permute_tokens, remove_token, rename_token
from explorer.text import Message

CAT = read_scene(example("cat-likes-fish.json"))
NAME = Message("edit")


def test_tokens_have_the_colours_of_their_places_at_first() -> None:
    assert Session(CAT).frame.slots == (0, 1, 2, 3)
    crossed = Scene(("a", "b"), np.eye(2), context=Context(("b", "c"), np.eye(2)))
    assert Session(crossed).frame.slots == (0, 1, 2, 3)


def test_words_as_drawn_in_the_design_have_their_colour_in_every_scene() -> None:
    crossed = read_scene(example("translation.json"))
    assert crossed.tokens == ("the", "cat", "sits")
    assert Session(crossed).frame.slots == (1, 0, 2, 3, 4, 5)
    assert Session(Scene(("dog", "bites", "dog"), np.eye(3, 2))).frame.slots == (4, 0, 1)
    eight = Session(Scene(("cloud", "eats", *"abcdef"), np.eye(8, 2))).frame.slots
    assert eight == (3, 0, 1, 2, 4, 5, 6, 7)


@pytest.mark.parametrize(
    ("edit", "slots"),
    [
        (lambda scene: permute_tokens(scene, (2, 0, 3, 1)), (2, 0, 3, 1)),
        (lambda scene: remove_token(scene, 0), (1, 2, 3)),
        (lambda scene: add_token(scene, 0), (0, 4, 1, 2, 3)),
        (lambda scene: rename_token(scene, 2, "bird"), (0, 1, 2, 3)),
    ],
    ids=["order", "remove", "add", "rename"],
)
def test_a_token_keeps_its_colour_and_undo_gives_it_back(edit, slots) -> None:
    session = Session(CAT)
    session.edit(NAME, edit(CAT))
    assert session.frame.slots == slots
    session.undo()
    assert session.frame.slots == (0, 1, 2, 3)


def test_of_tokens_with_one_name_those_with_the_same_numbers_are_the_same() -> None:
    session = Session(Scene(("the", "hen", "the"), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])))
    session.edit(NAME, permute_tokens(session.scene, (2, 1, 0)))
    assert session.frame.slots == (2, 1, 0)


def test_of_more_tokens_than_colours_those_that_are_left_take_the_free_ones() -> None:
    session = Session(Scene(tuple("abcdefghi"), np.eye(9, 2)))
    before = session.frame.slots
    assert before.count(-1) == 3
    session.edit(NAME, remove_token(session.scene, before.index(-1)))
    assert sorted(session.frame.slots) == list(range(8))


def test_of_twins_the_order_of_a_shuffle_tells_which_is_which_and_undo_puts_them_back() -> None:
    session = Session(
        Scene(("hen", "pecks", "hen"), np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]]))
    )
    order = (2, 0, 1)
    told: list[Change] = []
    session.changed.connect(told.append)
    session.shuffle(NAME, shuffling(session.scene, session.frame.attention, order))
    assert session.frame.slots == order
    assert len(told) == 1  # what is drawn of the new order knows that it was shuffled
    session.undo()
    assert session.frame.slots == (0, 1, 2)
    assert session.frame.shuffled is None
