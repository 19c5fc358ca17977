"""Edits: each gives the scene it says, in the form the scene came in, or one sentence."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.resources import example
from explorer.session import (
    PROJECTIONS,
    Cell,
    Context,
    Matrix,
    Options,
    Scene,
    check_scene,
    compute,
    forms,
    read_scene,
)
from explorer.session.edits import (
    add_projections,
    head_matrix,
    move_token,
    resize,
    set_cells,
    set_head_matrix,
    set_mask,
    set_matrix,
    set_position,
    set_rotary,
    set_scale,
    set_variant,
)
from explorer.session.token_edits import (
    add_token,
    put_tokens,
    remove_token,
    rename_token,
    reorder_token,
)
from explorer.text import Problem
from tests.scenes import PARAMETERS, assert_same_scene, scenes

CAT = read_scene(example("cat-likes-fish.json"))
GREETING = read_scene(example("zao-shang-hao.json"))
SMALL = scenes(largest=10.0)


def counted(*shape: int) -> np.ndarray:
    """An array whose numbers are all different: 1, 2, 3, …"""
    return np.arange(1.0, 1 + np.prod(shape)).reshape(shape)


SPLIT = Scene(
    ("a", "b"),
    counted(2, 3),
    Wq=counted(3, 4),
    Wk=counted(3, 4),
    Wv=counted(3, 6),
    bq=counted(4),
    bv=counted(6),
    Wo=counted(6, 2),
    bo=counted(2),
    options=Options(heads=2),
)
STACKED = SPLIT.replace(
    Wq=SPLIT.per_head("Wq"),
    Wk=SPLIT.per_head("Wk"),
    Wv=SPLIT.per_head("Wv"),
    bq=SPLIT.per_head("bq"),
    bv=SPLIT.per_head("bv"),
)


def sentence_of(edit: Callable[..., Scene], *args: object, **kwargs: object) -> str:
    with pytest.raises(Problem) as problem:
        edit(*args, **kwargs)
    return str(problem.value)


def unlike(a: Scene, b: Scene) -> set[str]:
    """Return the names of the fields that two scenes do not share."""
    names = ("tokens", "X", *PARAMETERS, "context", "options", "title", "note")
    return {name for name in names if getattr(a, name) is not getattr(b, name)}


# --- numbers -------------------------------------------------------------------------------------


def test_a_cell_is_set_and_everything_else_is_shared() -> None:
    made = set_cells(CAT, Cell(Matrix.WK, 1, 0), [[7]])
    np.testing.assert_array_equal(made.Wk, [[1, 0.2], [7, 1]])
    assert unlike(made, CAT) == {"Wk"}
    assert made.Wk is not None
    assert not made.Wk.flags.writeable
    np.testing.assert_array_equal(CAT.Wk, [[1, 0.2], [0.2, 1]])


def test_a_block_is_set_from_its_cell_on() -> None:
    made = set_cells(CAT, Cell(Matrix.X, 1, 0), [[1, 2], [3, 4]])
    np.testing.assert_array_equal(made.X, [[1, 0], [1, 2], [3, 4], [-0.8, 0.9]])


def test_a_block_that_does_not_fit_says_what_does() -> None:
    assert sentence_of(set_cells, CAT, Cell(Matrix.X, 2, 1), np.ones((3, 4))) == (
        "The block of 3 × 4 does not fit there: X has room for 2 × 1 from that cell on. "
        "The plus beside X adds tokens; Options has the numbers of columns."
    )


def test_a_block_that_fits_from_the_first_cell_on_says_so() -> None:
    assert sentence_of(set_cells, CAT, Cell(Matrix.WQ, 1, 1), np.ones((2, 2))) == (
        "The block of 2 × 2 does not fit there: Wq has room for 1 × 1 from that cell on. "
        "Select the first cell of Wq and paste again."
    )


@pytest.mark.parametrize("value", [np.nan, np.inf, -1.1e50])
def test_no_edit_makes_a_number_that_no_file_holds(value: float) -> None:
    sentence = "X[1][0] must be a number between −1e50 and 1e50."
    assert sentence_of(set_cells, CAT, Cell(Matrix.X, 1, 0), [[value]]) == sentence
    assert sentence_of(move_token, CAT, 1, [value, 0]) == sentence
    assert sentence_of(set_matrix, CAT, Matrix.X, [[0, 0], [value, 0], [0, 0], [0, 0]]) == sentence


@pytest.mark.parametrize("scene", [SPLIT, STACKED], ids=["split", "stacked"])
def test_a_cell_counts_within_its_head(scene: Scene) -> None:
    cell = Cell(Matrix.WV, 2, 1, head=1)
    assert head_matrix(scene, Matrix.WV, 1)[2, 1] == 17
    made = set_cells(scene, cell, [[-1, -2]])
    np.testing.assert_array_equal(head_matrix(made, Matrix.WV, 0), head_matrix(scene, Matrix.WV, 0))
    np.testing.assert_array_equal(head_matrix(made, Matrix.WV, 1)[2], [16, -1, -2])
    assert made.matrix(Matrix.WV).shape == scene.matrix(Matrix.WV).shape
    assert "room for 1 × 2" in sentence_of(set_cells, scene, cell, [[1, 2, 3]])


def test_both_forms_of_w_show_the_same_blocks() -> None:
    for name in PROJECTIONS:
        for head in range(2):
            np.testing.assert_array_equal(
                head_matrix(SPLIT, name, head), head_matrix(STACKED, name, head)
            )


@given(SMALL, st.data())
def test_a_set_cell_is_there_and_no_other_has_changed(scene: Scene, data: st.DataObject) -> None:
    matrices = [Matrix.X, *(name for name in PROJECTIONS if scene.projected)]
    matrix = data.draw(st.sampled_from(matrices))
    head = 0 if matrix is Matrix.X else data.draw(st.integers(0, scene.heads - 1))
    rows, columns = head_matrix(scene, matrix, head).shape
    row, column = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, columns - 1))
    made = set_cells(scene, Cell(matrix, row, column, head), [[123.0]])
    assert head_matrix(made, matrix, head)[row, column] == 123.0
    assert (made.matrix(matrix) != scene.matrix(matrix)).sum() == 1
    assert unlike(made, scene) == {matrix}


def test_a_matrix_is_replaced_whole() -> None:
    made = set_matrix(CAT, Matrix.WQ, [[0, 1], [1, 0]])
    np.testing.assert_array_equal(made.Wq, [[0, 1], [1, 0]])
    assert sentence_of(set_matrix, CAT, Matrix.WQ, [[1]]) == (
        "Wq is 2 × 2, so a block of 1 × 1 does not fill it."
    )


def test_one_head_takes_numbers_of_its_own_shape_alone() -> None:
    for scene in (CAT, forms.set_heads(CAT, 2, split=True), forms.set_heads(CAT, 2, split=False)):
        wanted = " × ".join(map(str, head_matrix(scene, Matrix.WQ, 0).shape))
        assert sentence_of(set_head_matrix, scene, Matrix.WQ, 0, np.ones((3, 1))) == (
            f"Wq is {wanted}, so a block of 3 × 1 does not fill it."
        )


def test_a_moved_token_stands_where_it_was_put() -> None:
    made = move_token(CAT, 3, np.array([0.5, -1]))
    np.testing.assert_array_equal(made.X[3], [0.5, -1])
    assert unlike(made, CAT) == {"X"}


# --- tokens --------------------------------------------------------------------------------------


def test_a_new_token_stands_in_the_middle_with_a_name_of_its_own() -> None:
    made = add_token(CAT)
    assert made.tokens == ("cat", "likes", "fish", "cloud", "token 5")
    np.testing.assert_array_equal(made.X[:4], CAT.X)
    np.testing.assert_array_equal(made.X[4], [0.18, 0.6])  # (0.7, 2.4) / 4, to two decimals
    assert unlike(made, CAT) == {"tokens", "X"}


def test_a_new_token_stands_after_the_chosen_one_and_takes_the_first_free_name() -> None:
    scene = rename_token(CAT, 0, "token 5")
    made = add_token(scene, after=0)
    assert made.tokens == ("token 5", "token 6", "likes", "fish", "cloud")
    np.testing.assert_array_equal(made.X[[0, 2, 3, 4]], CAT.X)


def test_new_tokens_stand_apart() -> None:
    made = CAT
    for _token in range(8):
        made = add_token(made)
    apart = np.linalg.norm(made.X[:, None] - made.X, axis=2)[np.triu_indices(12, 1)]
    assert apart.min() > 0.05


def test_put_tokens_are_named_and_added_and_one_word_has_one_row() -> None:
    made = put_tokens(CAT, 2, ["the", "cat", "the", "end"])
    assert made.tokens == ("cat", "likes", "the", "cat", "the", "end")
    np.testing.assert_array_equal(made.X[:4], CAT.X)
    np.testing.assert_array_equal(made.X[4], CAT.X[2])
    assert len(np.unique(made.X, axis=0)) == 5
    longer = put_tokens(CAT, 3, [], 125)
    assert (len(longer.tokens), longer.tokens[-1]) == (128, "token 128")
    assert len(np.unique(longer.X, axis=0)) == 128
    assert "tokens has 513 entries" in sentence_of(put_tokens, CAT, 0, ["a"] * 513)


def test_tokens_are_added_up_to_the_limit() -> None:
    full = Scene(tuple(map(str, range(512))), np.zeros((512, 1)))
    assert sentence_of(add_token, full) == ("tokens has 513 entries, but at most 512 are possible.")
    assert len(add_token(remove_token(full, 3)).tokens) == 512


def test_the_last_token_stays() -> None:
    one = Scene(("a",), np.ones((1, 2)))
    assert "at least one" in sentence_of(remove_token, one, 0)


def test_a_token_is_renamed_to_what_a_file_can_hold() -> None:
    assert rename_token(CAT, 1, "爱").tokens == ("cat", "爱", "fish", "cloud")
    for name in ("", "a" * 65, "a\tb"):
        assert "1 to 64 characters" in sentence_of(rename_token, CAT, 1, name)


MASK = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1]], bool)
MASKED = set_mask(GREETING, MASK)


def test_a_mask_follows_the_tokens() -> None:
    added = add_token(MASKED, after=0).options.mask
    np.testing.assert_array_equal(
        added, np.array([[1, 1, 0, 0], [1, 1, 1, 1], [1, 1, 1, 0], [0, 1, 1, 1]], bool)
    )
    np.testing.assert_array_equal(remove_token(MASKED, 1).options.mask, MASK[[0, 2]][:, [0, 2]])
    np.testing.assert_array_equal(
        reorder_token(MASKED, 0, 2).options.mask, MASK[[1, 2, 0]][:, [1, 2, 0]]
    )


def test_beside_a_context_only_the_rows_of_a_mask_follow() -> None:
    context = Context(("k", "l"), np.ones((2, 5)))
    mask = np.array([[1, 0], [0, 1], [1, 1]], bool)
    scene = set_mask(GREETING.replace(context=context), mask)
    np.testing.assert_array_equal(add_token(scene).options.mask, [*mask, [True, True]])
    np.testing.assert_array_equal(remove_token(scene, 0).options.mask, mask[1:])
    np.testing.assert_array_equal(reorder_token(scene, 2, 0).options.mask, mask[[2, 0, 1]])


@given(SMALL, st.data())
def test_reordered_tokens_keep_their_results(scene: Scene, data: st.DataObject) -> None:
    places = st.integers(0, len(scene.tokens) - 1)
    token, place = data.draw(places), data.draw(places)
    if isinstance(scene.options.mask, str):
        scene = set_mask(scene, "none")
    if not scene.given:
        scene = set_position(scene, "none")
    scene = set_rotary(scene, None)
    if scene.options.variant == "heads_mixed":
        scene = set_variant(scene, "none")
    made = reorder_token(scene, token, place)
    order = list(range(len(scene.tokens)))
    order.insert(place, order.pop(token))
    assert made.tokens == tuple(scene.tokens[i] for i in order)
    np.testing.assert_allclose(
        compute(made).output, compute(scene).output[order], rtol=1e-9, atol=1e-9
    )


@given(SMALL, st.data())
def test_an_added_token_can_be_removed_again(scene: Scene, data: st.DataObject) -> None:
    after = data.draw(st.integers(0, len(scene.tokens) - 1))
    added = add_token(scene, after)
    check_scene(added)
    assert_same_scene(remove_token(added, after + 1), scene)


# --- shapes and options --------------------------------------------------------------------------


def test_a_wider_x_changes_no_result() -> None:
    made = resize(CAT, d_model=3)
    np.testing.assert_array_equal(made.X[:, 2], np.zeros(4))
    np.testing.assert_array_equal(made.Wk, [[1, 0.2], [0.2, 1], [0, 0]])
    np.testing.assert_array_equal(compute(made).output, compute(CAT).output)


def test_wider_heads_continue_the_identity() -> None:
    made = resize(CAT, d_model=3, d_k=3, d_v=1)
    np.testing.assert_array_equal(made.Wq, np.eye(3))
    np.testing.assert_array_equal(made.Wk, [[1, 0.2, 0], [0.2, 1, 0], [0, 0, 1]])
    np.testing.assert_array_equal(made.Wv, [[0.9], [0.1], [0]])


@pytest.mark.parametrize("scene", [SPLIT, STACKED], ids=["split", "stacked"])
def test_biases_and_wo_follow_each_head(scene: Scene) -> None:
    made = resize(scene, d_k=3, d_v=2)
    check_scene(made)
    np.testing.assert_array_equal(made.per_head("bq"), [[1, 2, 0], [3, 4, 0]])
    np.testing.assert_array_equal(made.per_head("bv"), [[1, 2], [4, 5]])
    np.testing.assert_array_equal(made.Wo, counted(6, 2)[[0, 1, 3, 4]])
    np.testing.assert_array_equal(
        head_matrix(made, Matrix.WQ, 1), [[3, 4, 0], [7, 8, 0], [11, 12, 1]]
    )
    assert made.matrix(Matrix.WQ).ndim == scene.matrix(Matrix.WQ).ndim
    assert made.bo is scene.bo


def test_new_values_reach_the_output_only_when_wo_is_edited() -> None:
    made = resize(SPLIT, d_v=5)
    np.testing.assert_allclose(compute(made).output, compute(SPLIT).output, rtol=1e-12)


def test_beside_w_the_context_keeps_its_width() -> None:
    context = Context(("k",), np.ones((1, 2)))
    made = resize(CAT.replace(context=context), d_model=3)
    assert made.context is context
    assert (made.matrix(Matrix.WQ).shape, made.Wk) == ((3, 2), CAT.Wk)


def test_without_w_the_context_follows_x() -> None:
    context = Context(("k",), np.ones((1, 5)))
    scene = GREETING.replace(context=context, Wo=np.ones((5, 1)))
    made = resize(scene, d_model=6)
    assert made.context is not None
    np.testing.assert_array_equal(made.context.X, [[1, 1, 1, 1, 1, 0]])
    np.testing.assert_array_equal(compute(made).output, compute(scene).output)


def test_dimensions_have_limits() -> None:
    for size in (0, -1, 8193):
        assert "from 1 to 8192" in sentence_of(resize, CAT, d_k=size)
    assert "add Wq, Wk and Wv" in sentence_of(resize, GREETING, d_k=3)
    wide = Scene(("a",), np.zeros((1, 512)), *(np.zeros((8, 512, 150)) for _ in range(3)))
    assert "8000000 numbers" in sentence_of(resize, wide, d_v=3000)


@given(SMALL, *[st.none() | st.integers(1, 4)] * 3)
def test_a_resized_scene_has_these_dimensions_and_what_was_common(
    scene: Scene, d_model: int | None, d_k: int | None, d_v: int | None
) -> None:
    if not scene.projected:
        d_k = d_v = None
    made = resize(scene, d_model, d_k, d_v)
    check_scene(made)
    before, after = compute(scene), compute(made)
    assert made.X.shape[1] == (d_model or scene.X.shape[1])
    if scene.projected:
        assert (after.d_k, after.d_v) == (d_k or before.d_k, d_v or before.d_v)
        for name in PROJECTIONS:
            old, new = head_matrix(scene, name), head_matrix(made, name)
            common = tuple(slice(min(pair)) for pair in zip(old.shape, new.shape, strict=True))
            np.testing.assert_array_equal(old[common], new[common])
            assert made.matrix(name).ndim == scene.matrix(name).ndim


def test_added_projections_change_no_result() -> None:
    made = add_projections(GREETING)
    assert made.projected
    np.testing.assert_array_equal(compute(made).output, compute(GREETING).output)


def test_options_are_set() -> None:
    assert set_scale(CAT, 2.5).options.scale == 2.5
    assert set_scale(CAT, "none").options.scale == "none"
    for scale in (0, -1, np.nan, np.inf, 1e-60):
        assert "1e−50 to 1e50" in sentence_of(set_scale, CAT, scale)
    assert set_mask(CAT, "causal").options.mask == "causal"
    with pytest.raises(ValueError, match="sqrt"):
        set_scale(CAT, "sqrt")
    with pytest.raises(ValueError, match="shape"):
        set_mask(CAT, np.ones((2, 2), bool))


@pytest.mark.parametrize(
    "edit",
    [
        lambda: set_cells(CAT, Cell(Matrix.X, 0, 0), [[1.0, 0.0]]),
        lambda: set_matrix(CAT, Matrix.WK, CAT.matrix(Matrix.WK).copy()),
        lambda: move_token(CAT, 0, [1, 0]),
        lambda: rename_token(CAT, 0, "cat"),
        lambda: reorder_token(CAT, 2, 2),
        lambda: resize(CAT, 2, 2, 2),
        lambda: add_projections(CAT),
        lambda: set_scale(CAT, "sqrt_dk"),
        lambda: set_mask(CAT, "none"),
    ],
)
def test_an_edit_that_changes_nothing_returns_the_scene_itself(edit: Callable[[], Scene]) -> None:
    assert edit() is CAT
