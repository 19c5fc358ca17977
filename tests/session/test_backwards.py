"""Backwards in a scene: points of Q, K, V, cells of A and scores, the field, the checks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from explorer.attention import MISTAKES, Reason, Unreachable, Variant, fit_projection
from explorer.resources import example
from explorer.session import Matrix, Scene, Space, compute, read_scene
from explorer.session.backwards import (
    OrderCause,
    aim_cell,
    attention_field,
    causes_of_shuffle,
    check_variant,
    follow,
    order_causes,
    pull_point,
    ways,
)
from explorer.session.edits import move_token, set_matrix, set_position
from explorer.text import Problem
from tests.scenes import scenes

CAT = read_scene(example("cat-likes-fish.json"))


@settings(max_examples=80)
@given(scenes(largest=3.0), st.sampled_from([Space.Q, Space.K, Space.V]), st.data())
def test_a_point_lands_where_it_is_said_to(scene: Scene, space: Space, data: st.DataObject) -> None:
    attention = compute(scene)
    points = getattr(attention, space)
    head = data.draw(st.integers(0, attention.heads - 1))
    row = data.draw(st.integers(0, points.shape[1] - 1))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    W = scene.per_head(f"W{space.lower()}")
    if W is not None:
        sizes = np.linalg.svd(W, compute_uv=False)
        assume(not ((sizes > 0) & (sizes < 1e-3)).any())  # a huge X would lose digits
    target = rng.normal(size=points.shape[2])
    if scene.options.qk_norm is not None and space is not Space.V:
        with pytest.raises(Problem, match="normalised"):
            pull_point(scene, attention, space, row, target, head)
        return
    made, found = pull_point(scene, attention, space, row, target, head)
    landed = getattr(compute(made), space)[head, row]
    np.testing.assert_allclose(landed, found.landing, rtol=0, atol=1e-9)
    if found.reached:
        np.testing.assert_allclose(landed, target, rtol=0, atol=1e-9)
    moved = Matrix.CONTEXT if scene.context is not None and space is not Space.Q else Matrix.X
    if scene.given and space is Space.V:
        moved = Matrix.V
    changed = (made.matrix(moved) != scene.matrix(moved)).any(axis=1)
    assert changed.sum() <= 1


def test_cat_is_pulled_along_a_line_where_wk_is_flat() -> None:
    flat = set_matrix(CAT, Matrix.WK, [[1, 0.5], [2, 1]])
    made, found = pull_point(flat, compute(flat), Space.K, 0, [0.0, 5.0])
    assert not found.reached
    np.testing.assert_allclose(compute(made).K[0, 0], found.landing, atol=1e-12)
    np.testing.assert_allclose(np.abs(found.directions), [[2 / 5**0.5, 1 / 5**0.5]])


@pytest.mark.parametrize("moves", ["X", "Wq", "Wk"])
@pytest.mark.parametrize("weight", [True, False], ids=["weight", "score"])
def test_a_cell_becomes_what_is_typed_and_shows_old_new_and_difference(
    moves: str, weight: bool
) -> None:
    scene = set_position(CAT, "sinusoidal")
    proposal = aim_cell(scene, compute(scene), 0, 3, 0.3, moves, weight=weight)
    result = compute(proposal.scene)
    cells = result.weights if weight else result.raw
    assert cells[0, 0, 3] == pytest.approx(0.3, abs=1e-9)
    assert proposal.value == pytest.approx(0.3, abs=1e-9)
    np.testing.assert_array_equal(proposal.new - proposal.old, proposal.difference)
    old = scene.matrix(proposal.matrix)
    np.testing.assert_array_equal(proposal.old, old[[0]] if moves == "X" else old)
    assert proposal.old.shape == proposal.difference.shape


def test_of_several_heads_one_changes() -> None:
    W = np.random.default_rng(1).normal(size=(2, 2, 2))
    scene = Scene(CAT.tokens, CAT.X, W, W, W)
    proposal = aim_cell(scene, compute(scene), 1, 2, 0.6, "Wk", weight=True, head=1)
    assert compute(proposal.scene).weights[1, 1, 2] == pytest.approx(0.6)
    np.testing.assert_array_equal(proposal.scene.matrix(Matrix.WK)[0], W[0])


def test_a_row_whose_own_key_moves_along_has_a_highest_weight() -> None:
    scene = set_position(CAT, "sinusoidal")
    grid = np.linspace(-12, 12, 241)
    places = np.array([(x, y) for x in grid for y in grid])
    attention = compute(scene)
    highest = attention_field(scene, attention, 0, 0, 3, places).max()
    assert 0.373 < highest < 0.3745
    with pytest.raises(Unreachable, match=r"gets no closer than 0\.374:"):
        aim_cell(scene, attention, 0, 3, 0.7, "X", weight=True)


def test_what_cannot_be_is_a_problem_with_a_reason() -> None:
    with pytest.raises(Unreachable) as problem:
        aim_cell(CAT, compute(CAT), 0, 1, 1.5, "X", weight=True)
    assert problem.value.reason is Reason.BEYOND
    assert isinstance(problem.value, Problem)
    assert "between 0 and 1" in str(problem.value)


@pytest.mark.parametrize("position", ["none", "sinusoidal"])
def test_the_field_is_what_a_move_would_give(position: str) -> None:
    scene = set_position(CAT, position)
    points = np.random.default_rng(2).normal(size=(7, 2))
    for token in range(4):
        tints = attention_field(scene, compute(scene), token, 0, 3, points)
        moved = [compute(move_token(scene, token, p)).weights[0, 0, 3] for p in points]
        np.testing.assert_allclose(tints, moved, rtol=0, atol=1e-13)


def test_each_check_finds_its_mistake_in_a_scene() -> None:
    W = np.random.default_rng(1).normal(size=(2, 2, 2))
    scene = set_position(Scene(CAT.tokens, CAT.X, W, W, W), "sinusoidal")
    for variant in MISTAKES:
        wrong = scene.replace(options=type(scene.options)(position="sinusoidal", variant=variant))
        for check in MISTAKES:
            assert check_variant(wrong, compute(wrong), check).found == (check is variant)


# --- order ---------------------------------------------------------------------------------------


def test_order_counts_where_something_asks_for_places() -> None:
    order = (2, 0, 3, 1)
    placed = set_position(CAT, "sinusoidal")
    masked = CAT.replace(options=replace(CAT.options, mask="causal"))
    both = placed.replace(options=replace(placed.options, mask="causal"))
    own = CAT.replace(options=replace(CAT.options, mask=np.tri(4, dtype=bool)))
    assert causes_of_shuffle(CAT, order) == order_causes(CAT) == ()
    assert causes_of_shuffle(placed, order) == (OrderCause.POSITION,)
    assert causes_of_shuffle(masked, order) == (OrderCause.CAUSAL,)
    assert causes_of_shuffle(both, order) == (OrderCause.POSITION, OrderCause.CAUSAL)
    assert causes_of_shuffle(own, order) == ()


def test_a_position_that_is_the_same_everywhere_does_not_count() -> None:
    scene = set_position(CAT, np.full((4, 2), 0.5))
    assert order_causes(scene) == (OrderCause.POSITION,)
    assert causes_of_shuffle(scene, (1, 0, 2, 3)) == ()


def test_heads_split_by_reshape_take_rows_from_whatever_stands_there() -> None:
    W = np.random.default_rng(1).normal(size=(2, 2, 2))
    scene = Scene(CAT.tokens, CAT.X, W, W, W)
    mixed = scene.replace(options=replace(scene.options, variant=Variant.HEADS_MIXED))
    assert causes_of_shuffle(scene, (1, 0, 2, 3)) == ()
    assert causes_of_shuffle(mixed, (1, 0, 2, 3)) == (OrderCause.HEADS_MIXED,)


# --- in the plane --------------------------------------------------------------------------------


def test_a_pulled_point_is_seen_under_the_hand_wherever_it_can_be() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(5, 2))
    wide = Scene(tuple("abcde"), X, *[rng.normal(size=(2, 4)) for _ in range(3)])
    attention = compute(wide)
    start = attention.K[0, 1]
    # The plane of both is neither of the two.
    projection = fit_projection(np.concatenate([attention.Q[0], attention.K[0]]))
    pull = pull_point(wide, attention, Space.K, 1, start)[1]
    assert ways(pull, projection).shape == (2, 2)
    target = follow(pull, projection, start, (0.3, -0.2))
    landed = compute(pull_point(wide, attention, Space.K, 1, target)[0]).K[0, 1]
    step = projection.project(landed) - projection.project(start)
    np.testing.assert_allclose(step, (0.3, -0.2), atol=1e-9)


def test_a_pulled_point_of_a_flat_matrix_stays_on_its_line_in_the_plane() -> None:
    rng = np.random.default_rng(6)
    flat = np.outer(rng.normal(size=3), rng.normal(size=4))
    scene = Scene(tuple("abcde"), rng.normal(size=(5, 3)), rng.normal(size=(3, 4)), flat, flat)
    attention = compute(scene)
    projection = fit_projection(np.concatenate([attention.Q[0], attention.K[0]]))
    pull = pull_point(scene, attention, Space.K, 0, attention.K[0, 0])[1]
    (way,) = ways(pull, projection)
    target = follow(pull, projection, attention.K[0, 0], (1.0, 1.0))
    step = projection.project(target) - projection.project(attention.K[0, 0])
    np.testing.assert_allclose(step, (way @ [1.0, 1.0]) * way, atol=1e-9)
