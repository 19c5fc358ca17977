"""Heads, biases, Wo, context, sequences, masks, position: each edit, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from explorer.resources import example
from explorer.session import (
    Cell,
    Context,
    Matrix,
    Scene,
    Session,
    at_sequence,
    check_scene,
    compute,
    position_rows,
    read_scene,
)
from explorer.session.backwards import shuffle_difference
from explorer.session.edits import (
    head_matrix,
    resize,
    set_cells,
    set_mask,
    set_position,
    set_temperature,
    set_variant,
)
from explorer.session.forms import (
    add_sequence,
    remove_sequence,
    set_bias,
    set_context,
    set_heads,
    set_output,
    without_projections,
)
from explorer.session.masks import (
    MaskKind,
    mask_kinds,
    padded_keys,
    set_mask_cells,
    set_padding,
    visible,
)
from explorer.session.token_edits import (
    add_token,
    permute_tokens,
    remove_token,
    rename_token,
    reorder_token,
    shuffle_order,
)
from explorer.text import Message
from tests.scenes import assert_same_scene, scenes
from tests.session.test_edits import SPLIT, STACKED, sentence_of

CAT = read_scene(example("cat-likes-fish.json"))
GREETING = read_scene(example("zao-shang-hao.json"))
SMALL = scenes(largest=10.0)
CONTEXT = Context(("k", "l"), np.array([[1.0, 2.0], [3.0, 4.0]]))


# --- heads, biases, Wo ---------------------------------------------------------------------------


def test_columns_are_divided_among_heads_and_joined_again() -> None:
    split = set_heads(SPLIT, 1, split=True)
    assert split.Wq is SPLIT.Wq or np.array_equal(split.matrix(Matrix.WQ), SPLIT.matrix(Matrix.WQ))
    assert split.heads == 1
    assert_same_scene(set_heads(split, 2, split=True), SPLIT)
    assert sentence_of(set_heads, SPLIT, 3, split=True) == (
        "The columns of Wq, 4 in all, cannot be divided among 3 heads."
    )


def test_both_forms_of_heads_compute_the_same() -> None:
    own = set_heads(SPLIT, 2, split=False)
    assert_same_scene(own, STACKED)
    assert_same_scene(set_heads(own, 2, split=True), SPLIT)
    np.testing.assert_array_equal(compute(own).output, compute(SPLIT).output)


def test_new_heads_are_the_identity_and_do_not_reach_the_output() -> None:
    made = set_heads(STACKED, 4, split=False)
    np.testing.assert_array_equal(head_matrix(made, Matrix.WK, 3), np.eye(3, 2))
    np.testing.assert_array_equal(head_matrix(made, Matrix.BQ, 3), [[0, 0]])
    np.testing.assert_allclose(compute(made).output, compute(STACKED).output, rtol=1e-13)
    assert_same_scene(set_heads(made, 2, split=False), STACKED)


def test_heads_have_limits() -> None:
    assert (
        sentence_of(set_heads, CAT, 9, split=False)
        == "The number of heads must be from 1 to 8, not 9."
    )
    assert "add these first" in sentence_of(set_heads, GREETING, 2, split=False)
    assert set_heads(GREETING, 1, split=False) is GREETING


@pytest.mark.parametrize("scene", [SPLIT, STACKED], ids=["split", "stacked"])
@pytest.mark.parametrize("name", ["bq", "bk", "bv", "bo"])
def test_a_bias_begins_as_zeros_and_is_edited_as_a_row(scene: Scene, name: str) -> None:
    without = set_bias(scene, name, on=False)
    assert getattr(without, name) is None
    made = set_bias(without, name, on=True)
    check_scene(made)
    np.testing.assert_array_equal(compute(made).output, compute(without).output)
    assert set_bias(made, name, on=True) is made
    cell = Cell(Matrix(name), 0, 1, head=0 if name == "bo" else 1)
    edited = set_cells(made, cell, [[7.0]])
    assert head_matrix(edited, cell.matrix, cell.head)[0, 1] == 7
    assert np.count_nonzero(edited.matrix(cell.matrix)) == 1
    assert edited.matrix(cell.matrix).shape == made.matrix(cell.matrix).shape


def test_a_bias_needs_what_it_is_added_to() -> None:
    assert sentence_of(set_bias, GREETING, "bk", on=True) == (
        "bk is added to what Wk gives: add Wk first."
    )
    assert "add Wo first" in sentence_of(set_bias, CAT, "bo", on=True)


def test_wo_begins_as_the_identity() -> None:
    scene = set_output(SPLIT, on=False)
    assert (scene.Wo, scene.bo) == (None, None)
    made = set_output(scene, on=True)
    np.testing.assert_array_equal(made.Wo, np.eye(6))
    np.testing.assert_array_equal(compute(made).output, compute(scene).output)


def test_without_projections_is_the_softmax_of_x_with_itself() -> None:
    made = without_projections(set_variant(set_heads(CAT, 2, split=True), "unscaled"))
    X = CAT.X
    weights = np.exp(X @ X.T)
    weights /= weights.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(compute(made).output, weights @ X, rtol=1e-13)


# --- context -------------------------------------------------------------------------------------


def test_a_context_is_set_edited_and_taken_away() -> None:
    made = set_context(set_mask(CAT, np.tri(4, dtype=bool)), CONTEXT)
    assert made.key_tokens == ("k", "l")
    assert made.options.mask == "none"
    made = set_cells(made, Cell(Matrix.CONTEXT, 1, 0), [[9.0]])
    made = rename_token(made, 1, "m", context=True)
    made = add_token(set_mask(made, np.zeros((4, 2), bool)), after=0, context=True)
    assert made.context is not None
    assert made.context.tokens == ("k", "token 3", "m")
    np.testing.assert_array_equal(made.context.X, [[1, 2], [5, 3], [9, 4]])
    np.testing.assert_array_equal(made.options.mask, [[False, True, False]] * 4)
    made = reorder_token(made, 0, 2, context=True)
    assert made.context is not None
    assert made.context.tokens == ("token 3", "m", "k")
    made = remove_token(remove_token(made, 0, context=True), 0, context=True)
    assert made.key_tokens == ("k",)
    assert "at least one" in sentence_of(remove_token, made, 0, context=True)
    assert made.tokens == CAT.tokens
    check_scene(made)
    assert set_context(made, None).context is None


def test_a_context_of_another_width_is_refused() -> None:
    wide = Context(("k",), np.ones((1, 3)))
    assert sentence_of(set_context, CAT, wide) == (
        "Wk must have a row for each column of context.X: 3, not 2."
    )
    assert "must have as many columns as X: 5, not 3" in sentence_of(set_context, GREETING, wide)


# --- masks ---------------------------------------------------------------------------------------


def test_cells_of_the_mask_are_painted() -> None:
    made = set_mask_cells(set_mask(CAT, "causal"), [(0, 3), (1, 3)], True)
    expected = np.tri(4, dtype=bool)
    expected[:2, 3] = True
    np.testing.assert_array_equal(made.options.mask, expected)
    assert set_mask_cells(made, [(0, 3)], True) is made
    hidden = set_mask_cells(CAT, [(2, 0)], False)
    assert set_mask_cells(hidden, [(2, 0)], True).options.mask == "none"
    added = add_token(hidden)
    assert visible(added)[4].all()
    assert visible(added)[:, 4].all()


def test_padding_hides_a_token_from_all_and_keeps_the_rest_of_the_mask() -> None:
    padded = set_padding(CAT, [3])
    assert padded_keys(padded) == (3,)
    assert not compute(padded).weights[0, :, 3].any()
    assert set_padding(padded, []).options.mask == "none"
    causal = set_padding(set_mask(CAT, "causal"), [1])
    np.testing.assert_array_equal(visible(causal)[:, 1], [False] * 4)
    np.testing.assert_array_equal(visible(causal)[:, 2], [False, False, True, True])
    moved = set_padding(causal, [2])
    np.testing.assert_array_equal(visible(moved)[:, 1], [False, True, True, True])
    assert set_padding(moved, []).options.mask == "causal"
    painted = set_padding(set_mask_cells(CAT, [(0, 1)], False), [3])
    np.testing.assert_array_equal(visible(set_padding(painted, []))[0], [True, False, True, True])


def test_what_a_mask_is_made_for() -> None:
    causal, padding, other = MaskKind
    assert mask_kinds(CAT) == ()
    assert mask_kinds(set_mask(CAT, np.ones((4, 4), bool))) == ()
    assert mask_kinds(set_mask(CAT, "causal")) == (causal,)
    assert mask_kinds(set_mask(CAT, np.tri(4, dtype=bool))) == (causal,)
    assert mask_kinds(set_padding(CAT, [0, 3])) == (padding,)
    assert mask_kinds(set_padding(set_mask(CAT, "causal"), [1])) == (causal, padding)
    assert mask_kinds(set_mask_cells(CAT, [(0, 1)], False)) == (other,)
    crossed = CAT.replace(context=Context(tuple("abcdef"), np.ones((6, 2))))
    assert mask_kinds(set_mask(crossed, np.tri(4, 6, dtype=bool))) == (causal,)


@given(SMALL, st.data())
def test_any_mask_can_be_painted_and_padded(scene: Scene, data: st.DataObject) -> None:
    query = data.draw(st.integers(0, len(scene.tokens) - 1))
    key = data.draw(st.integers(0, len(scene.key_tokens) - 1))
    for may_attend in (True, False):
        made = set_mask_cells(scene, [(query, key)], may_attend)
        check_scene(made)
        expected = visible(scene).copy()
        expected[query, key] = may_attend
        np.testing.assert_array_equal(visible(made), expected)
    padded = set_padding(scene, {key})
    check_scene(padded)
    # Where there are more keys than queries, a causal mask hides the last ones by itself.
    others = set(padded_keys(padded)) - {key}
    assert key in padded_keys(padded)
    assert not np.tri(*visible(scene).shape, dtype=bool)[:, list(others)].any()


# --- position, temperature, variants, order ------------------------------------------------------


def test_options_are_set_and_have_limits() -> None:
    assert set_temperature(CAT, 0.5).options.temperature == 0.5
    for temperature in (0, -1, np.nan, np.inf, 1e-30):
        assert "1e−20 to 1e50" in sentence_of(set_temperature, CAT, temperature)
    assert set_variant(CAT, "average").options.variant == "average"
    with pytest.raises(ValueError, match="wrong"):
        set_variant(CAT, "wrong")
    with pytest.raises(ValueError, match="sine"):
        set_position(CAT, "sine")
    assert "to fit X" in sentence_of(set_position, CAT, np.ones((3, 2)))


@pytest.mark.parametrize(
    "edit",
    [
        lambda: set_temperature(CAT, 1.0),
        lambda: set_variant(CAT, "none"),
        lambda: set_position(CAT, "none"),
        lambda: set_context(CAT, None),
        lambda: set_mask_cells(CAT, [(0, 0)], True),
        lambda: set_padding(CAT, []),
        lambda: set_output(CAT, False),
        lambda: set_heads(CAT, 1, split=True),
        lambda: permute_tokens(CAT, range(4)),
        lambda: reorder_token(CAT, 1, 1),
    ],
)
def test_an_edit_that_changes_nothing_returns_the_scene_itself(edit: Callable[[], Scene]) -> None:
    assert edit() is CAT


def test_position_belongs_to_places_not_to_tokens() -> None:
    rows = np.arange(8.0).reshape(4, 2)
    scene = set_position(CAT, rows)
    np.testing.assert_array_equal(compute(scene).X, CAT.X + rows)
    moved = reorder_token(scene, 0, 3)
    np.testing.assert_array_equal(position_rows(moved), rows)
    np.testing.assert_array_equal(position_rows(remove_token(scene, 0)), rows[:3])
    np.testing.assert_array_equal(position_rows(add_token(scene, 0)), [*rows, [0, 0]])
    wider = position_rows(resize(scene, d_model=3))
    np.testing.assert_array_equal(wider, np.pad(rows, ((0, 0), (0, 1))))
    edited = set_cells(scene, Cell(Matrix.POSITION, 1, 1), [[-1.0]])
    assert position_rows(edited)[1, 1] == -1  # type: ignore[index]


def test_shuffled_tokens_give_the_same_outputs_in_the_new_order_unless_order_counts() -> None:
    order = shuffle_order(4, seed=1)
    assert sorted(order) == [0, 1, 2, 3]
    assert order != (0, 1, 2, 3)

    def difference(scene: Scene) -> float:
        return shuffle_difference(compute(scene), compute(permute_tokens(scene, order)), order)

    assert difference(CAT) < 1e-15
    own = set_mask(CAT, np.array([[1, 0, 1, 1], [0, 1, 1, 1], [1, 1, 1, 0], [1, 1, 1, 1]], bool))
    assert difference(own) < 1e-15
    assert difference(set_position(CAT, "sinusoidal")) > 0.01
    assert difference(set_mask(CAT, "causal")) > 0.01


@given(st.integers(2, 9), st.integers(0, 1000))
def test_a_shuffle_changes_the_order(count: int, seed: int) -> None:
    order = shuffle_order(count, seed)
    assert sorted(order) == list(range(count))
    assert order != tuple(range(count))
    assert shuffle_order(count, seed) == order


# --- sequences -----------------------------------------------------------------------------------


def test_sequences_are_added_edited_apart_and_removed() -> None:
    two = add_sequence(set_mask(CAT, "causal"))
    assert two.shown == 1
    two = set_cells(set_mask(two, "none"), Cell(Matrix.X, 0, 0), [[9.0]])
    assert [one.X[0, 0] for one in two.sequences] == [1, 9]
    assert [one.mask for one in two.sequences] == ["causal", "none"]
    two = remove_token(two, 3)
    three = add_sequence(two)
    assert [len(one.tokens) for one in three.sequences] == [4, 3, 3]
    assert_same_scene(remove_sequence(three), two)
    assert remove_sequence(three).shown == 1
    first = remove_sequence(at_sequence(two, 0))
    assert (first.shown, first.others, first.tokens) == (0, (), ("cat", "likes", "fish"))
    assert "at least one" in sentence_of(remove_sequence, first)


@given(SMALL)
def test_a_sequence_added_and_removed_leaves_the_rest(scene: Scene) -> None:
    assume(not scene.given)
    made = add_sequence(scene)
    check_scene(made)
    assert_same_scene(remove_sequence(made), scene)
    if scene.others:
        fewer = remove_sequence(scene)
        check_scene(fewer)
        kept = [one.tokens for i, one in enumerate(scene.sequences) if i != scene.shown]
        assert [one.tokens for one in fewer.sequences] == kept


def test_position_rows_are_as_many_as_the_longest_sequence_needs() -> None:
    two = add_sequence(set_position(CAT, np.ones((4, 2))))
    short = remove_token(two, 0)
    assert short.matrix(Matrix.POSITION).shape == (4, 2)
    assert position_rows(short).shape == (3, 2)  # type: ignore[union-attr]
    both = remove_token(at_sequence(short, 0), 0)
    assert both.matrix(Matrix.POSITION).shape == (3, 2)
    check_scene(resize(both, d_model=3))


def test_picking_a_sequence_tells_the_views_what_changed() -> None:
    session = Session(add_sequence(CAT))
    told = []
    session.changed.connect(told.append)
    session.edit(Message("pick"), at_sequence(session.scene, 0))
    session.edit(Message("edit"), replace(session.scene, others=()))
    assert len(told) == 2
    assert all(change for change in told)
