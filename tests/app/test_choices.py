"""Options, targets, sequences and shuffles: intents in, one undo entry each, computed numbers."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.attention import Variant
from explorer.resources import examples
from explorer.rooms.explore import presenter
from explorer.rooms.explore.presenter import Presenter
from explorer.session import Cell, Centre, Change, Matrix, Scene, Space, Stage, compute, read_scene
from explorer.session.backwards import Proposal, aim_cell
from explorer.session.intents import (
    AcceptAim,
    AddSequence,
    AddToken,
    AimCell,
    ChangeLook,
    DropAim,
    MovePoint,
    MoveToken,
    PaintMask,
    Phase,
    RemoveProjections,
    RemoveSequence,
    RenameToken,
    SetBias,
    SetContext,
    SetHeads,
    SetMask,
    SetOutput,
    SetPadding,
    SetPosition,
    SetTemperature,
    SetVariant,
    ShapeMatrix,
    ShowSequence,
    ShowStage,
    ShuffleTokens,
    TypeCell,
)
from explorer.text import Message
from tests.app.desk import Desk


def example(name: str) -> Scene:
    """Return a shipped scene."""
    return read_scene(next(path for path in examples() if path.stem == name))


@pytest.fixture
def desk() -> Desk:
    return Desk(example("cat-likes-fish"))


ONE_STEP = [
    (SetPadding(frozenset({3})), "change the padding"),
    (SetHeads(2, split=False), "change the heads"),
    (SetHeads(2, split=True), "change the heads"),
    (SetBias(Matrix.BK, on=True), "add bk"),
    (SetOutput(on=True), "add Wo"),
    (SetContext(on=True), "add a context"),
    (SetPosition("sinusoidal"), "change the position"),
    (SetPosition("own"), "change the position"),
    (SetVariant(Variant.AVERAGE), "change the variant"),
    (RemoveProjections(), "remove Wq, Wk and Wv"),
    (AddSequence(), "add a sequence"),
]


@pytest.mark.parametrize(("intent", "name"), ONE_STEP, ids=lambda part: str(part)[:24])
def test_a_choice_is_one_undo_entry_with_its_name(desk, intent, name):
    before = desk.scene
    desk.do(intent)

    assert desk.scene is not before
    assert not desk.told
    assert str(desk.session.history.undo_name) == name
    desk.session.undo()
    assert desk.scene is before
    assert not desk.session.modified


@pytest.mark.parametrize(
    ("intent", "again"),
    [
        (SetBias(Matrix.BQ, on=True), SetBias(Matrix.BQ, on=False)),
        (SetOutput(on=True), SetOutput(on=False)),
        (SetContext(on=True), SetContext(on=False)),
        (AddSequence(), RemoveSequence()),
    ],
    ids=lambda part: type(part).__name__,
)
def test_what_is_added_can_be_taken_away_again(desk, intent, again):
    before = desk.session.frame.attention.output
    desk.do(intent, again)

    np.testing.assert_array_equal(desk.session.frame.attention.output, before)
    desk.session.undo()
    desk.session.undo()
    assert not desk.session.history.can_undo


def test_the_mask_as_it_is_becomes_ones_own(desk):
    desk.do(SetMask("causal"), SetMask("own"))

    np.testing.assert_array_equal(desk.scene.options.mask, np.tri(4, dtype=bool))
    own = desk.scene
    desk.do(SetMask("own"))
    assert desk.scene is own
    desk.do(SetMask("none"), SetMask("own"))
    assert desk.scene.options.mask.all()


def test_a_context_has_tokens_of_its_own(desk):
    desk.do(SetContext(on=True), RenameToken(0, "chat", context=True), AddToken(context=True))

    assert desk.scene.context is not None
    assert desk.scene.context.tokens == ("chat", "likes", "fish", "cloud", "token 5")
    assert desk.scene.tokens == ("cat", "likes", "fish", "cloud")


@pytest.mark.parametrize(
    "steps",
    [
        [SetTemperature(t, phase) for t, phase in zip((0.9, 0.5, 0.25), Phase, strict=False)],
        [PaintMask(((0, k),), False, phase) for k, phase in zip((1, 2, 3), Phase, strict=False)],
        [
            ShapeMatrix(Matrix.WK, 0, ((1.0, x), (0.0, 1.0)), phase)
            for x, phase in zip((0.1, 0.2, 0.3), Phase, strict=False)
        ],
    ],
    ids=lambda steps: type(steps[0]).__name__,
)
def test_a_gesture_is_one_undo_entry_and_can_be_given_up(desk, steps):
    before = desk.scene
    desk.do(*steps)
    after = desk.scene

    assert after is not before
    desk.session.undo()
    assert desk.scene is before
    assert not desk.session.history.can_undo
    desk.do(*steps[:2], replace(steps[2], phase=Phase.CANCEL))
    assert desk.scene is before
    assert not desk.session.history.can_undo


def test_what_is_no_number_in_a_w_is_gone_when_it_is_shaped(desk):
    in_wk, in_wq = Cell(Matrix.WK, 0, 1), Cell(Matrix.WQ, 0, 0)
    desk.do(TypeCell(in_wk, "much"), TypeCell(in_wq, "more"))
    desk.do(ShapeMatrix(Matrix.WK, 0, ((2.0, 0.0), (0.0, 1.0)), Phase.BEGIN))
    assert desk.session.frame.invalid.keys() == {in_wq}
    desk.do(ShapeMatrix(Matrix.WK, 0, ((2.0, 0.0), (0.0, 1.0)), Phase.END))
    assert desk.session.frame.invalid.keys() == {in_wq}


def test_a_step_that_cannot_be_ends_the_gesture_as_if_it_had_not_been(desk):
    before = desk.scene
    for phase, x in ((Phase.BEGIN, 1.0), (Phase.MOVE, 2.0), (Phase.MOVE, 1e60), (Phase.END, 1e60)):
        desk.do(ShapeMatrix(Matrix.WK, 0, ((x, 0.0), (0.0, 1.0)), phase))
    assert desk.scene is before
    assert not desk.session.in_gesture
    assert not desk.session.history.can_undo
    assert len(desk.told) == 1


def test_a_step_after_the_gesture_was_ended_elsewhere_changes_nothing(desk):
    desk.do(SetTemperature(0.5, Phase.BEGIN))
    desk.session.undo()
    before = desk.scene
    desk.do(SetTemperature(0.4, Phase.MOVE), SetTemperature(0.3, Phase.END))

    assert desk.scene is before


@pytest.mark.parametrize("space", [Space.Q, Space.K, Space.V])
def test_a_dragged_point_lands_and_x_changes_least(desk, space):
    before = desk.scene
    desk.do(
        MovePoint(space, 1, 3.0, -3.0, Phase.BEGIN),
        MovePoint(space, 1, 0.125, 0.75, Phase.END),
    )

    np.testing.assert_allclose(desk.session.frame.points(space)[1], [0.125, 0.75], atol=1e-12)
    W = before.matrix(Matrix(f"W{space.lower()}"))
    wanted = np.linalg.lstsq(W.T, np.array([0.125, 0.75]), rcond=None)[0]
    np.testing.assert_allclose(desk.scene.X[1], wanted, atol=1e-12)
    np.testing.assert_array_equal(np.delete(desk.scene.X, 1, 0), np.delete(before.X, 1, 0))
    desk.session.undo()
    assert desk.scene is before


def test_a_point_under_a_flattened_matrix_stays_where_x_can_bring_it():
    desk = Desk(example("flattened-wk"))
    desk.do(MovePoint(Space.K, 0, 0.0, 0.0, Phase.BEGIN), MovePoint(Space.K, 0, 2.0, -1.0, "move"))
    drag = desk.session.frame.drag

    assert drag is not None
    assert drag.pull is not None
    assert not drag.pull.reached
    assert len(drag.pull.directions) == 1
    np.testing.assert_allclose(desk.session.frame.points(Space.K)[0], drag.pull.landing, atol=1e-12)


def test_a_dragged_token_with_a_position_lies_under_the_hand():
    desk = Desk(example("cat-likes-fish"))
    desk.do(SetPosition("sinusoidal"), MoveToken(2, 0.25, 0.5, Phase.BEGIN))

    assert desk.scene.X[2].tolist() == [0.25, 0.5]


# --- wanted values --------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", [Matrix.X, Matrix.WQ, Matrix.WK])
@pytest.mark.parametrize("weight", [True, False])
def test_a_wanted_value_is_worked_out_first_and_made_when_accepted(desk, moves, weight):
    before = desk.scene
    desk.do(AimCell(0, 3, "0.3", weight, moves))
    aiming = desk.session.frame.aiming

    assert desk.scene is before
    assert aiming is not None
    assert isinstance(aiming.outcome, Proposal)
    desk.do(AcceptAim())
    frame = desk.session.frame
    cell = (frame.attention.weights if weight else frame.attention.raw)[0, 0, 3]
    assert abs(cell - 0.3) <= 1e-6
    assert frame.aiming is None
    desk.session.undo()
    assert desk.scene is before


def test_a_wanted_value_that_cannot_be_says_why_and_is_left(desk):
    before = desk.scene
    desk.do(AimCell(0, 3, "1.5", weight=True))
    aiming = desk.session.frame.aiming

    assert aiming is not None
    assert isinstance(aiming.outcome, Message)
    assert str(aiming.outcome)
    desk.do(AcceptAim())
    assert desk.scene is before
    desk.do(DropAim())
    assert desk.session.frame.aiming is None


def test_a_long_search_lets_the_window_go_on_and_can_be_given_up(desk, monkeypatch):
    may_end = threading.Event()

    def slow(*found, **options):
        assert may_end.wait(60)
        return aim_cell(*found, **options)

    def give_up(text, is_done):
        told.append((text, is_done()))
        return False

    def wait_for(text, is_done):
        may_end.set()
        while not is_done():
            pass
        return True

    told: list[tuple[str, bool]] = []
    monkeypatch.setattr(presenter, "aim_cell", slow)
    for waiting, found in ((give_up, False), (wait_for, True)):
        made = Presenter(desk.session, desk._ask, desk.told.append, desk.copied.append, waiting)
        made.handle(AimCell(0, 3, "0.3", weight=True))
        assert (desk.session.frame.aiming is not None) is found
    assert told == [("Looking for the smallest change", False)]


def test_no_number_is_no_wanted_value(desk):
    desk.do(AimCell(0, 3, "much", weight=True))

    assert [str(problem) for problem in desk.told] == ["Type a number, for example 0.5"]
    assert desk.session.frame.aiming is None


def test_a_wanted_value_is_dropped_by_the_next_edit_and_told(desk):
    desk.do(AimCell(0, 3, "0.7", weight=True))
    told: list[Change] = []
    desk.session.changed.connect(told.append)
    desk.do(SetVariant(Variant.AVERAGE))

    assert desk.session.frame.aiming is None
    assert any(Change.NOTES in change for change in told)


def test_a_weight_that_the_tokens_own_key_follows_names_another_way(desk):
    desk.do(AimCell(0, 3, "0.7", weight=True))
    aiming = desk.session.frame.aiming

    assert aiming is not None
    assert "own key moves along" in str(aiming.outcome)
    desk.do(AimCell(0, 3, "0.7", weight=True, moves=Matrix.WQ))
    assert isinstance(desk.session.frame.aiming.outcome, Proposal)


# --- sequences, shuffles, heads -------------------------------------------------------------------


def test_looking_at_another_sequence_is_no_edit():
    desk = Desk(example("batch-of-three"))
    tokens = [sequence.tokens for sequence in desk.scene.sequences]
    for place in (2, 0, 1):
        desk.do(ShowSequence(place))
        assert desk.scene.tokens == tokens[place]
        assert not desk.session.modified
        assert not desk.session.history.can_undo
    assert [sequence.tokens for sequence in desk.scene.sequences] == tokens


def test_an_edit_of_one_sequence_is_one_of_the_scene_whichever_is_shown():
    desk = Desk(example("batch-of-three"))
    desk.do(ShowSequence(1), RenameToken(0, "new"), ShowSequence(0))

    assert desk.session.modified
    desk.session.undo()
    assert not desk.session.modified
    desk.session.redo()
    assert desk.session.modified
    desk.session.mark_saved(desk.scene)
    desk.do(ShowSequence(2))
    assert not desk.session.modified


@pytest.mark.parametrize(("position", "same"), [("none", True), ("sinusoidal", False)])
def test_a_shuffle_says_what_became_of_the_outputs(desk, position, same):
    desk.do(SetPosition(position))
    before = desk.session.frame
    desk.do(ShuffleTokens())
    after = desk.session.frame

    assert after.shuffled is not None
    order = list(after.shuffled.order)
    assert after.scene.tokens == tuple(before.scene.tokens[i] for i in order)
    difference = np.abs(compute(after.scene).output - before.attention.output[order]).max()
    assert after.shuffled.difference == pytest.approx(difference)
    assert (after.shuffled.difference < 1e-12) is same
    desk.session.undo()
    assert desk.scene.tokens == before.scene.tokens
    assert desk.session.frame.shuffled is None


def test_the_average_over_heads_is_their_mean():
    desk = Desk(example("two-heads"))
    desk.do(ChangeLook({"average": True}))
    frame = desk.session.frame

    assert frame.averaged
    np.testing.assert_allclose(frame.weights, frame.attention.weights.mean(axis=0))
    desk.do(ChangeLook({"average": False}))
    np.testing.assert_array_equal(desk.session.frame.weights, frame.attention.weights[0])


@pytest.mark.parametrize(
    ("centre", "after"),
    [
        (Centre.SQRT_D, Centre.PLANE),
        (Centre.COMPARE, Centre.COMPARE),
        (Centre.PLANE, Centre.PLANE),
    ],
)
def test_a_stage_is_shown_where_it_can_be(desk, centre, after):
    desk.do(ChangeLook({"centre": centre}), ShowStage(Stage.S))

    assert desk.session.look.stage is Stage.S
    assert desk.session.look.centre is after


def test_a_stage_that_goes_with_its_option_is_left_for_the_one_before(desk):
    desk.do(SetPosition("sinusoidal"))
    desk.session.look_at(desk.session.look.at_stage(Stage.P))
    assert desk.session.look.spaces == {Space.X, Space.P}
    desk.do(SetPosition("none"))

    assert desk.session.look.stage is Stage.X
    assert desk.session.look.spaces == {Space.X}
