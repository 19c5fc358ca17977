"""The presenter: intents in, session edits out, problems told."""

import numpy as np
import pytest

from explorer.session import (
    Cell,
    Edges,
    Matrix,
    ResultsTab,
    Role,
    Scene,
    Selection,
    Space,
    Stage,
    intents,
)
from explorer.session.intents import Phase
from tests.app.desk import Desk


@pytest.fixture
def desk() -> Desk:
    identity = np.eye(2)
    return Desk(
        Scene(
            tokens=("cat", "likes", "fish"),
            X=np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]),
            Wq=identity,
            Wk=identity,
            Wv=identity,
        )
    )


def test_a_drag_moves_the_token_and_is_one_step_back(desk):
    desk.do(
        intents.MoveToken(0, 1.0, 0.0, Phase.BEGIN),
        intents.MoveToken(0, 0.7, 0.2, Phase.MOVE),
        intents.MoveToken(0, 0.6, 0.25, Phase.END),
    )

    assert desk.scene.X[0].tolist() == [0.6, 0.25]
    assert str(desk.session.history.undo_name) == "move cat"
    desk.session.undo()
    assert desk.scene.X[0].tolist() == [1.0, 0.0]


def test_dragged_coordinates_have_no_more_digits_than_are_shown(desk):
    desk.do(
        intents.MoveToken(0, 1.0, 0.0, Phase.BEGIN),
        intents.MoveToken(0, 0.123456, -1 / 3, Phase.END),
    )

    assert desk.scene.X[0].tolist() == [0.123, -0.333]


def test_a_given_up_drag_changes_nothing(desk):
    before = desk.scene
    desk.do(
        intents.MoveToken(0, 1.0, 0.0, Phase.BEGIN),
        intents.MoveToken(0, 5.0, 5.0, Phase.MOVE),
        intents.MoveToken(0, 5.0, 5.0, Phase.CANCEL),
    )

    assert desk.scene is before
    assert not desk.session.history.can_undo


def test_a_click_that_begins_and_ends_a_drag_in_place_is_no_edit(desk):
    before = desk.scene
    desk.do(intents.MoveToken(0, 1.0, 0.0, Phase.BEGIN), intents.MoveToken(0, 1.0, 0.0, Phase.END))

    assert desk.scene is before
    assert not desk.session.history.can_undo


def test_dragging_in_pca_moves_along_the_two_components_only():
    rng = np.random.default_rng(5)
    desk = Desk(Scene(tokens=tuple("abcdef"), X=rng.normal(size=(6, 4))))
    projection = desk.session.frame.projection
    row = desk.scene.X[2]
    x, y = projection.project(row)
    desk.do(
        intents.MoveToken(2, x, y, Phase.BEGIN),
        intents.MoveToken(2, x + 0.5, y - 0.25, Phase.MOVE),
    )
    moved = desk.scene.X[2] - row

    np.testing.assert_allclose(projection.components @ moved, [0.5, -0.25], atol=1e-3)
    outside = moved - projection.components.T @ (projection.components @ moved)
    np.testing.assert_allclose(outside, 0, atol=1e-12)


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.25", 0.25), ("0,25", 0.25), ("−0.8", -0.8), ("-8e-1", -0.8), ("1/3", 1 / 3)],
)
def test_typed_numbers(desk, text, value):
    desk.do(intents.TypeCell(Cell(Matrix.WK, 0, 1), text))

    assert desk.scene.Wk[0, 1] == value
    assert not desk.session.frame.held


def test_an_invalid_text_is_kept_and_results_are_held(desk):
    before = desk.scene
    cell = Cell(Matrix.X, 1, 0)
    desk.do(intents.TypeCell(cell, "a lot"))

    assert desk.scene is before
    assert desk.session.frame.invalid[cell].text == "a lot"
    assert "for example 0.5" in str(desk.session.frame.invalid[cell].message)
    desk.do(intents.TypeCell(cell, "2"))
    assert not desk.session.frame.held
    assert desk.scene.X[1, 0] == 2.0


def test_a_number_beyond_the_limit_is_told_the_limit(desk):
    cell = Cell(Matrix.WK, 0, 1)
    desk.do(intents.TypeCell(cell, "1e60"))
    assert "1e50" in str(desk.session.frame.invalid[cell].message)
    desk.do(intents.TypeCell(cell, "1e50"))
    assert desk.scene.Wk[0, 1] == 1e50


def test_another_cell_of_the_same_matrix_leaves_the_invalid_text(desk):
    cell = Cell(Matrix.X, 1, 0)
    desk.do(intents.TypeCell(cell, "a lot"), intents.TypeCell(Cell(Matrix.X, 0, 0), "3"))

    assert desk.session.frame.invalid[cell].text == "a lot"


def test_retyping_the_value_that_was_there_clears_the_mark(desk):
    cell = Cell(Matrix.X, 1, 0)
    desk.do(intents.TypeCell(cell, "a lot"), intents.TypeCell(cell, "0.5"))

    assert not desk.session.frame.held


def test_escape_gives_the_last_valid_value_back(desk):
    cell = Cell(Matrix.X, 1, 0)
    desk.do(intents.TypeCell(cell, "a lot"), intents.RevertCell(cell))

    assert not desk.session.frame.held


def test_an_ambiguous_number_is_asked_about(desk):
    cell = Cell(Matrix.X, 0, 0)
    desk.answer = 1234.5
    desk.do(intents.TypeCell(cell, "1,234.5"))

    assert desk.asked == [("1,234.5", (1234.5,))]
    assert desk.scene.X[0, 0] == 1234.5


def test_an_ambiguous_number_that_nobody_explains_stays_marked(desk):
    before = desk.scene
    cell = Cell(Matrix.X, 0, 0)
    desk.do(intents.TypeCell(cell, "1,234"))

    assert desk.scene is before
    assert desk.session.frame.invalid[cell].text == "1,234"


def test_nudges_in_a_row_are_one_step_and_stay_tenths(desk):
    cell = Cell(Matrix.X, 2, 0)
    for _ in range(3):
        desk.do(intents.NudgeCell(cell, 0.1))

    assert desk.scene.X[2, 0] == 0.3
    desk.session.undo()
    assert desk.scene.X[2, 0] == 0.0


def test_a_pasted_block_lands_at_its_cell(desk):
    desk.do(intents.PasteCells(Cell(Matrix.X, 1, 0), "1\t2\n3\t4"))

    assert desk.scene.X.tolist() == [[1.0, 0.0], [1.0, 2.0], [3.0, 4.0]]


def test_commas_that_may_part_columns_or_be_decimal_are_asked_about(desk):
    before, cell = desk.scene, Cell(Matrix.X, 0, 0)
    desk.do(intents.PasteCells(cell, "1,2\n3,4"))
    assert desk.lines == ["1,2"]
    assert desk.scene is before
    assert "with a point, as 1.2" in str(desk.told.pop())

    desk.columns = 2
    desk.do(intents.PasteCells(cell, "1,2\n3,4"))
    assert desk.scene.X[:2].tolist() == [[1, 2], [3, 4]]
    desk.columns = 1
    desk.do(intents.PasteCells(cell, "5,6\n7,8"))
    assert desk.scene.X[:2].tolist() == [[5.6, 2], [7.8, 4]]
    assert desk.lines == ["1,2", "1,2", "5,6"]
    desk.do(intents.PasteCells(cell, "1,234\n2,345"))
    assert "thousands separator" in str(desk.told.pop())


@pytest.mark.parametrize(
    ("column", "text", "rows"),
    [
        (1, "1,2\n3,4", [[1, 1.2], [0.5, 3.4]]),  # room for one column alone
        (0, "-0,5\n1,25", [[-0.5, 0], [1.25, 0.5]]),
        (0, "1.5,2\n3,4", [[1.5, 2], [3, 4]]),
        (0, "9,5", [[9.5, 0], [0.5, 0.5]]),  # as it is typed
    ],
)
def test_commas_of_one_meaning_are_not_asked_about(desk, column, text, rows):
    desk.do(intents.PasteCells(Cell(Matrix.X, 0, column), text))
    assert desk.scene.X[:2].tolist() == rows
    assert desk.lines == desk.told == []


def test_a_block_that_does_not_fit_is_told_and_changes_nothing(desk):
    before = desk.scene
    desk.do(intents.PasteCells(Cell(Matrix.X, 2, 1), "1\t2\n3\t4"))

    assert desk.scene is before
    assert len(desk.told) == 1


def test_a_pasted_sentence_and_named_rows_are_tokens_in_one_step_each(desk):
    before = desk.scene
    desk.do(intents.PasteCells(Cell(Matrix.X, 0, 1), "the cat sat on the mat"))
    assert desk.scene.tokens == ("the", "cat", "sat", "on", "the", "mat")
    assert desk.scene.X[:3].tolist() == before.X.tolist()
    desk.do(intents.PasteCells(Cell(Matrix.X, 5, 1), "a\t1\t2\nb\t3\t4"))
    assert desk.scene.tokens[5:] == ("a", "b")
    assert desk.scene.X[5:].tolist() == [[1, 2], [3, 4]]
    desk.do(intents.PasteCells(Cell(Matrix.X, 6, 0), "5\t6\n7\t8"))
    assert desk.scene.tokens[6:] == ("b", "token 8")
    assert desk.scene.X[6:].tolist() == [[5, 6], [7, 8]]
    for _step in range(3):
        desk.session.undo()
    assert desk.scene == before
    assert desk.told == []


def test_a_pasted_word_is_told_with_its_place(desk):
    before = desk.scene
    desk.do(intents.PasteCells(Cell(Matrix.X, 0, 0), "1\t2\n3\tfour"))

    assert desk.scene is before
    assert "four" in str(desk.told[0])


def test_tokens_are_added_renamed_reordered_and_removed_one_step_each(desk):
    desk.do(
        intents.AddToken(),
        intents.RenameToken(3, "cloud"),
        intents.ReorderToken(3, 0),
        intents.RemoveToken(1),
    )

    assert desk.scene.tokens == ("cloud", "likes", "fish")
    for _ in range(4):
        desk.session.undo()
    assert desk.scene.tokens == ("cat", "likes", "fish")


def test_the_last_token_cannot_be_removed(desk):
    desk.do(intents.RemoveToken(0), intents.RemoveToken(0), intents.RemoveToken(0))

    assert len(desk.scene.tokens) == 1
    assert len(desk.told) == 1


def test_shapes_options_and_presets(desk):
    desk.do(
        intents.Resize(d_model=3),
        intents.SetScale("none"),
        intents.SetMask("causal"),
        intents.ApplyPreset(Matrix.WK, "zeros"),
    )

    assert desk.scene.X.shape == (3, 3)
    assert desk.scene.Wq.shape == (3, 2)
    assert desk.scene.options.scale == "none"
    assert desk.scene.options.mask == "causal"
    assert not desk.scene.Wk.any()


def test_a_stage_sets_spaces_and_edges(desk):
    desk.do(intents.ShowStage(Stage.O))

    assert desk.session.look.spaces == {Space.V, Space.O}
    assert desk.session.look.edges is Edges.ATTENTION
    desk.do(intents.ShowStage(Stage.X))
    assert desk.session.look.edges is Edges.NONE


def test_a_space_of_another_dimension_replaces_the_shown_ones(desk):
    desk.do(intents.Resize(d_k=3), intents.ShowStage(Stage.O))
    desk.do(intents.ShowSpaces(frozenset({Space.V, Space.O, Space.Q}), added=Space.Q))

    assert desk.session.look.spaces == {Space.Q}


def test_selecting_hovering_and_copying(desk):
    pair = Selection(Role.S, query=0, key=1)
    desk.do(intents.Select(pair), intents.Hover(pair), intents.CopyText("1\t2"))

    assert desk.session.selection == pair
    assert desk.session.frame.hover == pair
    assert desk.copied == ["1\t2"]
    desk.do(intents.Hover(None), intents.Select(None))
    assert desk.session.frame.pointed is None


def test_an_unknown_intent_is_a_mistake_of_ours(desk):
    with pytest.raises(TypeError, match="no such intent"):
        desk.do(object())


def test_choosing_a_head_shows_its_own_weights(desk):
    desk.do(intents.SetHeads(3, False), intents.ChangeLook({"average": True}))
    assert desk.session.frame.averaged
    desk.do(intents.ShowHead(1))
    assert not desk.session.frame.averaged
    assert desk.session.look.head == 1


def test_a_wanted_value_of_one_head_goes_with_another_head(desk):
    desk.do(intents.SetHeads(2, False), intents.AimCell(0, 1, "0.5", weight=True))
    assert desk.session.frame.aiming is not None
    desk.do(intents.ShowHead(0))  # the same one
    assert desk.session.frame.aiming is not None
    desk.do(intents.ShowHead(1))
    assert desk.session.frame.aiming is None


def test_painting_opens_the_page_of_the_matrices(desk):
    desk.do(intents.ChangeLook({"tab": ResultsTab.PAIRS}), intents.ShowPainting(True))
    assert desk.session.look.tab is ResultsTab.MATRICES
    desk.do(intents.ChangeLook({"tab": ResultsTab.PAIRS}), intents.ShowPainting(False))
    assert desk.session.look.tab is ResultsTab.PAIRS
