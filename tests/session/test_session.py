"""The session: what changes, what is told of it, and what undo brings back."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.session import (
    Cell,
    Change,
    Context,
    Drag,
    Edges,
    Invalid,
    Look,
    Matrix,
    Options,
    ResultsTab,
    Role,
    Scene,
    Selection,
    Session,
    Space,
    Stage,
    compute,
    edits,
    token_edits,
)
from explorer.text import Message

MOVE = Message("move {token}", {"token": "cat"})


def small_scene() -> Scene:
    identity = np.eye(2)
    return Scene(
        tokens=("cat", "likes", "fish"),
        X=np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]),
        Wq=identity,
        Wk=identity,
        Wv=identity,
    )


def moved(scene: Scene, x: float) -> Scene:
    X = scene.X.copy()
    X[0, 0] = x
    return scene.replace(X=X)


@pytest.fixture
def session() -> Session:
    return Session(small_scene())


@pytest.fixture
def told(session: Session) -> list[Change]:
    changes: list[Change] = []
    session.changed.connect(changes.append)
    return changes


def test_an_edit_recomputes_and_tells_just_what_changed(session, told):
    session.edit(MOVE, moved(session.scene, 2.0))

    assert told == [Change.X | Change.DOCUMENT | (told[0] & Change.PLANE)]
    np.testing.assert_array_equal(session.frame.attention.weights, compute(session.scene).weights)
    assert session.frame.attention.Q[0, 0, 0] == 2.0


def test_an_edit_shares_every_untouched_array(session):
    before = session.scene
    session.edit(MOVE, moved(before, 2.0))

    assert session.scene.Wq is before.Wq
    assert session.scene.Wk is before.Wk


def test_undo_and_redo_bring_the_very_same_scenes(session):
    first = session.scene
    session.edit(MOVE, moved(first, 2.0))
    second = session.scene
    assert session.modified

    session.undo()
    assert session.scene is first
    assert not session.modified
    session.redo()
    assert session.scene is second


def test_a_gesture_is_one_entry(session):
    first = session.scene
    session.begin_gesture(MOVE, Drag(0, first.X[0]))
    for x in (1.1, 1.2, 1.3):
        session.move(moved(session.scene, x))
    assert session.frame.drag is not None
    session.finish_gesture()

    assert session.frame.drag is None
    assert str(session.history.undo_name) == "move cat"
    session.undo()
    assert session.scene is first
    assert not session.history.can_undo


def test_the_frame_says_that_a_gesture_goes_on_even_where_no_point_is_dragged(session):
    seen = []
    session.changed.connect(lambda _change: seen.append(session.frame.gesture))
    session.begin_gesture(MOVE)
    session.move(moved(session.scene, 1.1))
    session.hover(Selection(Role.X, 1))
    session.look_at(replace(session.look, scaled=True))
    session.finish_gesture()
    session.begin_gesture(MOVE)
    session.cancel_gesture()
    assert seen == [True, True, True, True, False, True, False]


def test_a_cancelled_gesture_leaves_nothing(session):
    first = session.scene
    session.begin_gesture(MOVE, Drag(0, first.X[0]))
    session.move(moved(first, 9.0))
    session.cancel_gesture()

    assert session.scene is first
    assert not session.history.can_undo
    assert session.frame.drag is None


def test_undo_within_a_gesture_ends_it_first(session):
    first = session.scene
    session.begin_gesture(MOVE, Drag(0, first.X[0]))
    session.move(moved(first, 9.0))
    session.undo()

    assert session.scene is first
    assert not session.in_gesture


def test_a_gesture_can_be_undone_as_soon_as_it_changes_something(session, told):
    first = session.scene
    session.begin_gesture(MOVE, Drag(0, first.X[0]))
    assert session.undo_name is None
    told.clear()
    for x in (8.0, 9.0):
        session.move(moved(session.scene, x))
    assert [Change.DOCUMENT in change for change in told] == [True, False]
    assert str(session.undo_name) == "move cat"
    session.undo()
    assert session.undo_name is None
    assert str(session.redo_name) == "move cat"

    session.begin_gesture(MOVE, Drag(0, first.X[0]))
    session.move(moved(first, 7.0))
    assert session.redo_name is None
    told.clear()
    session.cancel_gesture()
    assert Change.DOCUMENT in told[0]
    assert str(session.redo_name) == "move cat"


def test_a_move_outside_a_gesture_is_a_mistake(session):
    with pytest.raises(RuntimeError, match="begin_gesture"):
        session.move(moved(session.scene, 2.0))


def test_domains_stand_still_during_a_drag_and_follow_at_its_end(session):
    before = session.frame.score_domain
    session.begin_gesture(MOVE, Drag(0, session.scene.X[0]))
    session.move(moved(session.scene, 30.0))
    assert session.frame.score_domain == before
    session.finish_gesture()

    assert session.frame.score_domain == 900.0


def test_axes_of_a_wide_scene_stand_still_during_a_drag_and_do_not_flip_after_it():
    rng = np.random.default_rng(3)
    scene = Scene(tokens=tuple("abcdef"), X=rng.normal(size=(6, 5)))
    session = Session(scene)
    axes = session.frame.projection
    assert not axes.exact
    session.begin_gesture(MOVE, Drag(0, scene.X[0]))
    session.move(moved(scene, 0.5))
    assert session.frame.projection is axes
    session.finish_gesture()

    fresh = session.frame.projection
    assert fresh is not axes
    cosines = np.sum(fresh.components * axes.components, axis=1)
    assert np.all(cosines > 0.5)


def test_undo_and_redo_bring_back_axes_and_colours():
    rng = np.random.default_rng(3)
    session = Session(Scene(tokens=tuple("abcdef"), X=rng.normal(size=(6, 5))))
    seen = [session.frame]
    for row in range(3):
        session.edit(MOVE, edits.move_token(session.scene, row, rng.normal(size=5)))
        seen.append(session.frame)
    session.edit(MOVE, token_edits.remove_token(session.scene, 1))
    seen.append(session.frame)
    session.edit(MOVE, edits.move_token(session.scene, 2, rng.normal(size=5)))

    def same(frame):
        assert session.frame.projection is frame.projection
        assert session.frame.slots == frame.slots

    for frame in reversed(seen):
        session.undo()
        same(frame)
    for frame in seen[1:]:
        session.redo()
        same(frame)


def test_selection_and_hover_are_told_once_and_only_when_they_change(session, told):
    pair = Selection(Role.S, query=0, key=2)
    session.select(pair)
    session.select(pair)
    session.hover(pair)
    session.hover(pair)

    assert told == [Change.SELECTION, Change.HOVER]


def test_what_is_no_longer_there_is_not_selected_any_more(session):
    session.select(Selection(Role.S, query=0, key=2))
    session.edit(
        Message("remove fish"),
        session.scene.replace(tokens=session.scene.tokens[:2], X=session.scene.X[:2]),
    )

    assert session.selection is None


@pytest.mark.parametrize(
    "selection",
    [
        Selection(Role.X, query=3),
        Selection(Role.S, query=0, key=3),
        Selection(Role.O, query=0, column=2),
        Selection(Role.WQ, query=2, column=0),
        Selection(Role.X, query=-1),
        Selection(Role.P, query=0),
        Selection(Role.C, query=0),
        Selection(Role.Y, query=0),
        Selection(Role.BQ, query=0, column=0),
        Selection(Role.WO, query=0, column=0),
        Selection(Role.CONTEXT, key=0),
        Selection(Role.POSITION, query=0),
    ],
)
def test_nothing_outside_the_scene_can_be_selected(session, selection):
    session.select(selection)

    assert session.selection is None


@pytest.mark.parametrize(
    "selection",
    [
        Selection(Role.P, query=2, column=1),
        Selection(Role.C, query=2, column=3),
        Selection(Role.Y, query=2, column=2),
        Selection(Role.BQ, query=0, column=0),
        Selection(Role.WO, query=3, column=2),
        Selection(Role.BO, query=0, column=2),
        Selection(Role.CONTEXT, key=3, column=1),
        Selection(Role.POSITION, query=2, column=1),
    ],
)
def test_every_number_of_a_full_scene_can_be_selected(selection):
    scene = small_scene().replace(
        **{name: np.ones((2, 2, 2)) for name in ("Wq", "Wk", "Wv")},
        bq=np.ones((2, 2)),
        Wo=np.ones((4, 3)),
        bo=np.ones(3),
        context=Context(("a", "b", "c", "d"), np.ones((4, 2))),
        options=Options(position=np.ones((3, 2))),
    )
    session = Session(scene)
    session.select(selection)

    assert session.selection == selection


def test_invalid_cells_stay_until_their_array_is_set(session):
    cell = Cell(Matrix.WQ, 0, 0)
    session.set_invalid({cell: Invalid("abc", Message("Type a number"))})
    session.edit(MOVE, moved(session.scene, 2.0))
    assert session.frame.held

    session.edit(Message("change Wq"), session.scene.replace(Wq=2 * np.eye(2)))
    assert not session.frame.held


def test_an_invalid_cell_of_x_survives_a_drag(session):
    cell = Cell(Matrix.X, 2, 0)
    session.set_invalid({cell: Invalid("abc", Message("Type a number"))})
    session.begin_gesture(MOVE, Drag(0, session.scene.X[0]))
    session.move(moved(session.scene, 2.0))

    assert session.frame.invalid[cell].text == "abc"


def test_spaces_that_do_not_agree_are_not_drawn_together():
    scene = Scene(
        tokens=("a", "b"),
        X=np.eye(2, 3),
        Wq=np.ones((3, 2)),
        Wk=np.ones((3, 2)),
        Wv=np.ones((3, 1)),
    )
    session = Session(scene)
    session.look_at(Look(spaces=frozenset({Space.X, Space.Q, Space.K, Space.V})))

    assert session.look.spaces == {Space.V}
    session.look_at(Look(stage=Stage.S, spaces=frozenset({Space.X, Space.Q, Space.K})))
    assert session.look.spaces == {Space.Q, Space.K}


def test_turning_a_page_concerns_nobody_else(session, told):
    session.look_at(replace(session.look, tab=ResultsTab.PAIRS))
    session.look_at(replace(session.look, options_open=True, edges=Edges.SCORES))
    session.look_at(replace(session.look, edges=Edges.NONE))

    look = Change.LOOK | Change.PLANE
    assert told == [Change.PAGES, Change.PAGES | look, look]


def test_opening_starts_an_empty_history_and_keeps_the_look(session):
    session.edit(MOVE, moved(session.scene, 2.0))
    session.open(small_scene(), Look(edges=Edges.SCORES))

    assert not session.history.can_undo
    assert not session.modified
    assert session.look.edges is Edges.SCORES


def test_a_recovered_scene_counts_as_unsaved(session):
    session.open(small_scene(), saved=False)
    assert session.modified
    session.mark_saved(session.scene)
    assert not session.modified


def test_frames_carry_the_scene_as_opened_or_saved_and_a_saved_one_is_told_once(session, told):
    opened = session.scene
    session.edit(MOVE, moved(opened, 0.7))
    session.look_at(Look().at_stage(Stage.Q))
    assert session.frame.original is session.original is opened

    told.clear()
    session.mark_saved(session.scene)
    session.mark_saved(session.scene)
    assert session.frame.original is session.scene
    assert told == [Change.DOCUMENT | Change.ORIGINAL, Change.DOCUMENT]
    session.open(opened)
    assert session.frame.original is opened


def test_undo_stops_at_the_saved_scene_between_nudges_of_one_cell(session):
    session.edit(MOVE, moved(session.scene, 2.0), merge="nudge")
    session.mark_saved(session.scene)
    saved = session.scene
    session.edit(MOVE, moved(session.scene, 3.0), merge="nudge")
    session.undo()

    assert session.scene is saved
    assert not session.modified


def test_after_an_edit_that_cannot_be_computed_everything_is_as_before(session, told):
    frame = session.frame
    wrong = session.scene.replace(Wk=np.eye(3))
    with pytest.raises(ValueError, match="Wk"):
        session.edit(MOVE, wrong)

    assert session.frame is frame
    assert not session.history.can_undo
    assert told == []
