"""Both sides of a comparison: each is the scene with one setting off or on, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.attention import MISTAKES, Variant
from explorer.resources import example, examples, lessons
from explorer.session import (
    Comparison,
    Context,
    Edges,
    Look,
    Options,
    Scene,
    Session,
    Space,
    Stage,
    compute,
    fitting_look,
    placed_rows,
    read_scene,
    resolve,
    stages_of,
)
from explorer.session.backwards import pull_point
from explorer.session.comparison import (
    Compared,
    ScenePair,
    comparisons,
    facts,
    largest_difference,
    resolve_pair,
    sides,
    tint_domain,
)
from explorer.session.edits import set_scale, set_temperature, set_variant
from explorer.session.frame import Drag
from explorer.text import Message
from tests.scenes import PARAMETERS, scenes

SLOW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def cat() -> Scene:
    return read_scene(example("cat-likes-fish.json"))


def made(scene: Scene, comparison: Comparison) -> ScenePair:
    found = sides(scene, comparison)
    assert isinstance(found, ScenePair), str(found)
    return found


def compared(scene: Scene, comparison: Comparison, **look: object) -> Compared:
    found = resolve_pair(resolve(scene, Look(comparison=comparison, **look)))
    assert isinstance(found, Compared), str(found)
    return found


def plainly(scene: Scene, *, scale: str | float | None = None, mask: object = None) -> np.ndarray:
    """The weights of head 0, one number after the other."""
    options = scene.options
    X = placed_rows(scene)
    C = X if scene.context is None else scene.context.X
    Q, K = X, C
    if scene.projected:
        Q, K = X @ scene.per_head("Wq")[0], C @ scene.per_head("Wk")[0]
    scale = options.scale if scale is None else scale
    divisor = {"sqrt_dk": Q.shape[1] ** 0.5, "none": 1.0}.get(scale, scale)
    mask = options.mask if mask is None else mask
    weights = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            seen = mask[i, j] if isinstance(mask, np.ndarray) else mask == "none" or j <= i
            if seen:
                weights[i, j] = np.exp(Q[i] @ K[j] / divisor / options.temperature)
        if weights[i].any():
            weights[i] /= weights[i].sum()
    return weights


# --- the two scenes ------------------------------------------------------------------------------


def test_scaled_is_compared_with_not_scaled() -> None:
    both = compared(cat(), Comparison.SCALE)
    np.testing.assert_allclose(both.left.weights, plainly(cat(), scale="none"), atol=1e-14)
    np.testing.assert_allclose(both.right.weights, plainly(cat()), atol=1e-14)
    assert [str(side.title) for side in (both.sides.left, both.sides.right)] == [
        "not scaled",
        "÷ √2",
    ]
    own = made(set_scale(cat(), 3.0), Comparison.SCALE)
    assert str(own.right.title) == "÷ 3"
    assert own.right.scene.options.scale == 3.0
    assert str(made(set_scale(cat(), "none"), Comparison.SCALE).right.title) == "÷ √2"


@pytest.mark.parametrize("variant", ["average", "softmax_first", "multiplied", "unscaled"])
def test_a_scale_that_is_not_heeded_is_not_compared(variant: str) -> None:
    refused = sides(set_variant(cat(), variant), Comparison.SCALE)
    assert isinstance(refused, Message)
    assert "scale option changes nothing" in str(refused)


def test_a_mask_is_compared_with_none() -> None:
    both = compared(cat(), Comparison.MASK)
    np.testing.assert_allclose(both.left.weights, plainly(cat()), atol=1e-14)
    np.testing.assert_allclose(both.right.weights, plainly(cat(), mask="causal"), atol=1e-14)
    painted = np.ones((4, 4), bool)
    painted[0, 1:] = False
    own = cat().replace(options=Options(mask=painted))
    both = compared(own, Comparison.MASK)
    assert str(both.sides.right.title) == "the scene’s own mask"
    assert both.right.scene is own
    np.testing.assert_allclose(both.right.weights, plainly(own), atol=1e-14)
    np.testing.assert_allclose(both.left.weights, plainly(cat()), atol=1e-14)
    # A mask that hides nothing is none.
    hides_nothing = cat().replace(options=Options(mask=np.ones((4, 4), bool)))
    assert str(made(hides_nothing, Comparison.MASK).right.title) == "causal mask"


def test_two_heads_have_the_columns_of_one() -> None:
    both = compared(cat(), Comparison.HEADS)
    scene = cat()
    assert (both.left.attention.heads, both.right.attention.heads) == (1, 2)
    assert both.left.scene is both.table.scene
    for head in range(2):
        Q, K, V = (scene.X @ W[:, head : head + 1] for W in (scene.Wq, scene.Wk, scene.Wv))
        weights = np.exp(Q @ K.T)
        weights /= weights.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(
            both.right.attention.output[:, head : head + 1], weights @ V, atol=1e-14
        )
    assert facts(both.left.scene).parameters == facts(both.right.scene).parameters == 12


@pytest.mark.parametrize("form", ["stacked", "columns"])
def test_several_heads_are_compared_with_one_of_all_their_columns(form: str) -> None:
    scene = read_scene(example("two-heads.json"))
    if form == "stacked":
        blocks = {name: scene.per_head(name) for name in ("Wq", "Wk", "Wv")}
        scene = scene.replace(**blocks, options=replace(scene.options, heads=2))
    both = compared(scene, Comparison.HEADS)
    assert both.right.scene is scene
    one = both.left.scene
    assert one.heads == 1
    for name in ("Wq", "Wk", "Wv"):
        np.testing.assert_array_equal(
            one.per_head(name)[0], np.concatenate(list(scene.per_head(name)), axis=1)
        )
    np.testing.assert_allclose(both.left.weights, plainly(one), atol=1e-14)


def test_heads_that_cannot_be_say_why() -> None:
    thin = cat().replace(Wq=np.ones((2, 3)), Wk=np.ones((2, 3)))
    assert str(sides(thin, Comparison.HEADS)) == (
        "The columns of Wq, 3 in all, cannot be divided among 2 heads."
    )
    bare = read_scene(example("zao-shang-hao.json"))
    assert "add these first" in str(sides(bare, Comparison.HEADS))


def test_projections_are_compared_with_none() -> None:
    both = compared(cat(), Comparison.PROJECTIONS)
    bare = both.left.scene
    assert all(getattr(bare, name) is None for name in PARAMETERS)
    np.testing.assert_allclose(both.left.weights, plainly(bare), atol=1e-14)
    np.testing.assert_allclose(both.left.attention.output, plainly(bare) @ cat().X, atol=1e-14)
    assert both.right.scene is both.table.scene
    without = read_scene(example("zao-shang-hao.json"))
    both = compared(without, Comparison.PROJECTIONS)
    assert both.left.scene is without
    np.testing.assert_array_equal(both.right.scene.Wv, np.eye(5))
    assert all(one.same for one in both.differences)


def test_projections_are_needed_where_the_context_is_of_another_width() -> None:
    wide = cat().replace(
        context=Context(("a",), np.ones((1, 3))), Wk=np.ones((3, 2)), Wv=np.ones((3, 2))
    )
    refused = sides(wide, Comparison.PROJECTIONS)
    assert isinstance(refused, Message)
    assert "2 columns" in str(refused)
    assert "3" in str(refused)


def test_a_position_is_compared_with_none() -> None:
    both = compared(cat(), Comparison.POSITION)
    assert both.left.scene is both.table.scene
    np.testing.assert_allclose(both.right.weights, plainly(both.right.scene), atol=1e-14)
    assert both.right.scene.options.position == "sinusoidal"
    own = cat().replace(options=Options(position=np.ones((4, 2))))
    both = compared(own, Comparison.POSITION)
    assert both.right.scene is own
    assert str(both.sides.right.title) == "own position"
    np.testing.assert_array_equal(both.left.attention.X, own.X)


@pytest.mark.parametrize("scale", ["sqrt_dk", "none", 5.0])
@pytest.mark.parametrize("variant", MISTAKES)
def test_a_mistake_is_compared_with_the_computation_without_it(
    variant: Variant, scale: str | float
) -> None:
    scene = set_variant(set_scale(read_scene(example("two-heads.json")), scale), variant)
    both = compared(scene, Comparison.MISTAKE)
    assert both.right.scene is scene
    assert both.left.scene.options.variant is Variant.NONE
    heeded = variant in (Variant.OUTPUT_SCALED, Variant.HEADS_MIXED)
    expected = scale if heeded else "sqrt_dk"
    np.testing.assert_allclose(both.left.weights, plainly(both.left.scene, scale=expected))
    assert not all(one.same for one in both.differences)
    assert str(both.sides.right.title).startswith("mistake: ")


def test_the_mistake_is_offered_only_while_one_is_made() -> None:
    assert Comparison.MISTAKE not in comparisons(cat())
    wrong = set_variant(cat(), "multiplied")
    assert Comparison.MISTAKE in comparisons(wrong)
    look = Look(comparison=Comparison.MISTAKE)
    assert fitting_look(wrong, look).comparison is Comparison.MISTAKE
    assert fitting_look(cat(), look).comparison is Comparison.SCALE
    session = Session(wrong)
    session.look_at(look)
    session.edit(Message("right"), cat())
    assert session.look.comparison is Comparison.SCALE
    assert isinstance(sides(cat(), Comparison.MISTAKE), Message)


@SLOW
@given(scenes(largest=3.0), st.sampled_from(Comparison))
def test_sides_of_any_scene_differ_from_it_in_their_setting_alone(
    scene: Scene, comparison: Comparison
) -> None:
    found = sides(scene, comparison)
    if isinstance(found, Message):
        assert str(found)
        return
    for side in (found.left, found.right):
        assert str(side.title)
        assert side.scene.X is scene.X
        assert side.scene.tokens is scene.tokens
        assert side.scene.context is scene.context
        assert np.isfinite(compute(side.scene).output).all()
        if comparison not in (Comparison.HEADS, Comparison.PROJECTIONS):
            assert all(getattr(side.scene, n) is getattr(scene, n) for n in PARAMETERS)
        kept = {
            Comparison.SCALE: ("mask", "heads", "temperature", "position", "variant"),
            Comparison.MASK: ("scale", "heads", "temperature", "position", "variant"),
            Comparison.HEADS: ("scale", "mask", "temperature", "position", "variant"),
            Comparison.PROJECTIONS: ("scale", "mask", "temperature", "position", "variant"),
            Comparison.POSITION: ("scale", "mask", "heads", "temperature", "variant"),
            Comparison.MISTAKE: ("mask", "heads", "temperature", "position"),
        }[comparison]
        for name in kept:
            assert getattr(side.scene.options, name) is getattr(scene.options, name)


# --- facts and differences -----------------------------------------------------------------------


@SLOW
@given(scenes())
def test_parameters_are_counted_one_by_one(scene: Scene) -> None:
    count = 0
    for name in PARAMETERS:
        array = getattr(scene, name)
        for _number in () if array is None else array.ravel():
            count += 1
    told = facts(scene)
    assert told.parameters == count
    assert told.projections == (scene.Wq is not None)
    decided = "Wo" if scene.Wo is not None else "Wv" if scene.Wv is not None else None
    assert told.output_from == decided


@SLOW
@given(scenes(largest=3.0))
def test_the_output_is_as_wide_as_said(scene: Scene) -> None:
    assert facts(scene).output_width == compute(scene).output.shape[1]


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ("none", "÷ √2"),
        ("average", "all scores are 0"),
        ("softmax_first", "A ÷ √2, after the softmax"),
        ("multiplied", "× √2"),
        ("output_scaled", "÷ √2, output × √2"),
        ("unscaled", "none"),
        ("heads_mixed", "÷ √2"),
    ],
)
def test_the_scaling_is_said_as_it_is_computed(variant: str, said: str) -> None:
    scene = set_variant(cat(), variant)
    assert str(facts(scene).scaling) == said
    warm = str(facts(set_temperature(scene, 0.5)).scaling)
    assert warm == (said if variant == "average" else f"{said}, temperature 0.5")


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_the_largest_difference_is_found(rows: int, columns: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    left, right = rng.normal(size=(2, rows, columns))
    found = largest_difference("A", left, right)
    assert found is not None
    most = max(abs(right[i, j] - left[i, j]) for i in range(rows) for j in range(columns))
    assert abs(found.difference) == most
    assert (found.left, found.right) == (
        left[found.query, found.column],
        right[found.query, found.column],
    )
    domain = tint_domain(left, right)
    assert domain >= most
    assert domain <= 2.5 * max(most, np.abs([left, right]).max() / 4) * (1 + 1e-9)
    assert tint_domain(right, left) == domain
    assert largest_difference("A", left, right[:, :0]) is None


def test_outputs_of_other_widths_are_not_compared() -> None:
    scene = read_scene(example("your-journey.json"))
    both = compared(scene, Comparison.PROJECTIONS)
    assert [one.array for one in both.differences] == ["A"]


# --- as frames -----------------------------------------------------------------------------------


@SLOW
@given(scenes(largest=3.0), st.sampled_from(Comparison), st.sampled_from(Space))
def test_sides_of_any_scene_can_be_drawn(
    scene: Scene, comparison: Comparison, space: Space
) -> None:
    look = fitting_look(scene, Look(spaces=frozenset({space, Space.X}), comparison=comparison))
    table = resolve(scene, look)
    before = resolve_pair(table)
    found = resolve_pair(table, before if isinstance(before, Compared) else None)
    if isinstance(found, Message):
        return
    assert isinstance(before, Compared)
    assert found.sides is before.sides
    for frame in (found.left, found.right):
        assert frame.look.edges is not Edges.NONE
        for shown in frame.look.spaces:
            assert np.isfinite(frame.projection.project(frame.points(shown))).all()
        if Space.X in frame.look.spaces and Space.X in table.look.spaces:
            assert frame.projection is table.projection
    assert found.left.weight_domain == found.right.weight_domain
    assert found.left.score_domain == found.right.score_domain


@pytest.mark.parametrize("stage", Stage)
def test_both_sides_show_edges_at_every_stage(stage: Stage) -> None:
    scene = read_scene(example("order-regained.json"))
    look = fitting_look(scene, Look(comparison=Comparison.POSITION).at_stage(stage))
    found = resolve_pair(resolve(scene, look))
    assert isinstance(found, Compared)
    assert found.left.look.edges is found.right.look.edges
    assert found.left.look.edges is not Edges.NONE


def test_every_stage_that_was_looked_at_leads_to_one_that_another_scene_has() -> None:
    paths = [
        *lessons()[0].parent.glob("*.json"),
        *(each for each in examples() if each.suffix == ".json"),
    ]
    found = [read_scene(path) for path in paths]
    assert any(scene.given for scene in found)
    for scene in found:
        for stage in Stage:
            assert fitting_look(scene, Look().at_stage(stage)).stage in stages_of(scene)


def test_a_dragged_token_is_dragged_on_both_sides() -> None:
    session = Session(cat())
    before = resolve_pair(session.frame)
    session.begin_gesture(Message("move"), Drag(0, cat().X[0]))
    moved = cat().X.copy()
    moved[0] = (2.0, 1.0)
    session.move(cat().replace(X=moved))
    assert isinstance(before, Compared)
    found = resolve_pair(session.frame, before)
    assert isinstance(found, Compared)
    for frame in (found.left, found.right):
        assert frame.drag is session.frame.drag
        np.testing.assert_array_equal(frame.scene.X[0], (2.0, 1.0))
    # Points of another width than the table's are not those that are dragged.
    queries = replace(session.frame, drag=Drag(0, np.zeros(2), Space.Q))
    queries = replace(queries, look=replace(queries.look, comparison=Comparison.HEADS))
    found = resolve_pair(queries)
    assert isinstance(found, Compared)
    assert found.left.drag is queries.drag
    assert found.right.drag is None


def test_a_side_whose_key_begins_elsewhere_has_its_own_ghost_and_no_line() -> None:
    session = Session(cat())
    session.look_at(replace(session.look, comparison=Comparison.PROJECTIONS))
    before = resolve_pair(session.frame)
    assert isinstance(before, Compared)
    start = session.frame.points(Space.K)[3]
    pull = pull_point(cat(), session.frame.attention, Space.K, 3, start)[1]
    session.begin_gesture(Message("move"), Drag(3, start, Space.K, pull))
    for row in ((2.0, 1.0), (0.5, -1.0)):
        moved = cat().X.copy()
        moved[3] = row
        session.move(cat().replace(X=moved))
        found = resolve_pair(session.frame, before)
        assert isinstance(found, Compared)
        own, other = (
            (found.left, found.right)
            if found.left.scene is session.scene
            else (found.right, found.left)
        )
        assert own.drag is session.frame.drag
        assert other.drag is not None
        assert other.drag.pull is None
        np.testing.assert_array_equal(other.drag.start, cat().X[3])  # K is X without projections
        before = found
