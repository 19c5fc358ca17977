"""A table that is filled in by hand: what is hidden, what is kept, what undo leaves alone."""

from __future__ import annotations

import pytest

from explorer.resources import example
from explorer.session import Centre, Look, ResultsTab, Space, Stage, read_scene, stages_of
from explorer.session.blanks import blank_cells
from explorer.session.frame import Cell
from explorer.session.intents import (
    BlankOut,
    ChangeLook,
    CheckBlank,
    FillCells,
    RemoveToken,
    SetOutput,
    ShowHead,
    ShowSpaces,
    TypeCell,
)
from explorer.session.scene import Matrix
from tests.app.desk import Desk
from tests.kinds import KINDS, ONE, TWO, with_options


@pytest.fixture
def desk() -> Desk:
    return Desk(read_scene(example("cat-likes-fish.json")))


def texts(desk: Desk) -> dict[tuple[int, int], str]:
    """Return what stands in the table."""
    look = desk.session.look
    assert look.blank is not None
    return look.blank.texts(look.version(look.blank.table))


@pytest.mark.parametrize(
    ("table", "hidden"),
    [
        (Stage.P, "X + P,Q,K,V,S,A,O,C,Y"),
        (Stage.Q, "Q,S,A,O,C,Y"),
        (Stage.K, "K,S,A,O,C,Y"),
        (Stage.V, "V,O,C,Y"),
        (Stage.S, "S,A,O,C,Y"),
        (Stage.A, "A,O,C,Y"),
        (Stage.O, "O,C,Y"),
        (Stage.C, "O,C,Y"),
        (Stage.Y, "Y"),
    ],
)
def test_what_gives_a_table_away_is_hidden_with_it(table: Stage, hidden: str) -> None:
    desk = Desk(KINDS["everything"])
    desk.do(BlankOut(table))
    assert desk.session.look.hidden == frozenset(map(Stage, hidden.split(",")))
    desk.do(BlankOut(None))
    assert desk.session.look.hidden == frozenset()


def test_hidden_points_are_not_drawn_and_come_back(desk: Desk) -> None:
    desk.do(ShowSpaces(frozenset({Space.Q, Space.K})), BlankOut(Stage.Q))
    assert desk.session.look.shown == {Space.K}
    desk.do(ShowSpaces(frozenset({Space.O})))
    assert desk.session.look.shown == {Space.X}
    desk.do(BlankOut(None))
    assert desk.session.look.shown == {Space.O}


def test_a_table_is_brought_into_view(desk: Desk) -> None:
    desk.do(
        ChangeLook({"tab": ResultsTab.PAIRS}),
        ChangeLook({"centre": Centre.COMPARE}),
        BlankOut(Stage.A),
    )
    look = desk.session.look
    assert (look.tab, look.centre) == (ResultsTab.MATRICES, Centre.PLANE)


def test_texts_are_kept_as_they_are_typed_and_can_be_cleared(desk: Desk) -> None:
    desk.do(BlankOut(Stage.A), FillCells(0, 1, ((" 1/3 ",),)), FillCells(3, 3, (("much",),)))
    assert texts(desk) == {(0, 1): "1/3", (3, 3): "much"}
    desk.do(FillCells(0, 1, (("0,5",),)), FillCells(3, 3, (("",),)))
    assert texts(desk) == {(0, 1): "0,5"}
    desk.do(FillCells(0, 0, (("9" * 500,),)))
    assert len(texts(desk)[0, 0]) == 40


def test_a_block_is_put_from_a_cell_on_and_refused_where_it_does_not_fit(desk: Desk) -> None:
    desk.do(BlankOut(Stage.O), FillCells(2, 0, (("1", "2"), ("3", ""))))
    assert texts(desk) == {(2, 0): "1", (2, 1): "2", (3, 0): "3"}
    desk.do(FillCells(3, 1, (("7", "8"),)))
    [problem] = desk.told
    assert "The block of 1 × 2 does not fit there: O has room for 1 × 1" in str(problem)
    assert (3, 1) not in texts(desk)


def test_only_what_is_hidden_is_filled_in(desk: Desk) -> None:
    desk.do(BlankOut(Stage.S, 1), FillCells(0, 0, (("1", "2"), ("3", "4"))))
    assert texts(desk) == {(1, 0): "3", (1, 1): "4"}
    assert blank_cells(desk.session.frame) == [(1, column) for column in range(4)]
    desk.do(BlankOut(Stage.S, 1, 2))
    assert blank_cells(desk.session.frame) == [(1, 2)]


def test_raw_and_scaled_scores_and_each_head_have_texts_of_their_own() -> None:
    desk = Desk(TWO)
    desk.do(BlankOut(Stage.S), FillCells(0, 0, (("raw",),)))
    desk.do(ChangeLook({"scaled": True}), FillCells(0, 0, (("scaled",),)))
    desk.do(ShowHead(1))
    assert texts(desk) == {}
    desk.do(ShowHead(0))
    assert texts(desk) == {(0, 0): "scaled"}
    desk.do(ChangeLook({"scaled": False}))
    assert texts(desk) == {(0, 0): "raw"}
    desk.do(BlankOut(Stage.A), FillCells(0, 0, (("one",),)), ChangeLook({"average": True}))
    assert texts(desk) == {}


def test_masked_cells_hold_no_number_to_be_filled_in() -> None:
    desk = Desk(with_options(ONE, mask="causal"))
    desk.do(BlankOut(Stage.A))
    below = [(i, j) for i in range(4) for j in range(i + 1)]
    assert blank_cells(desk.session.frame) == below
    desk.do(BlankOut(Stage.S))
    assert len(blank_cells(desk.session.frame)) == 16  # raw scores are before the mask
    desk.do(ChangeLook({"scaled": True}))
    assert blank_cells(desk.session.frame) == below


def test_neither_hiding_nor_typing_nor_checking_is_an_edit(desk: Desk) -> None:
    desk.do(BlankOut(Stage.A), FillCells(0, 0, (("0.5",),)), CheckBlank(), BlankOut(None))
    assert desk.session.undo_name is None
    assert not desk.session.modified


def test_texts_stay_while_the_scene_is_edited(desk: Desk) -> None:
    desk.do(BlankOut(Stage.A), FillCells(0, 0, (("0.5",),)), CheckBlank())
    desk.do(TypeCell(Cell(Matrix.X, 0, 0), "2"))
    desk.session.undo()
    assert texts(desk) == {(0, 0): "0.5"}


def test_what_the_scene_has_no_more_is_not_filled_in_any_more() -> None:
    desk = Desk(KINDS["Wo"])
    desk.do(BlankOut(Stage.Y), SetOutput(False))
    assert desk.session.look.blank is None
    desk.do(BlankOut(Stage.A, 3), RemoveToken(3))
    assert desk.session.look.blank is None


@pytest.mark.parametrize("kind", KINDS)
def test_every_table_of_every_kind_can_be_filled_in(kind: str) -> None:
    desk = Desk(KINDS[kind])
    for stage in stages_of(KINDS[kind])[1:]:
        desk.do(BlankOut(stage))
        frame = desk.session.frame
        rows, columns = frame.table(stage).shape
        desk.do(FillCells(0, 0, (("0.1",) * columns,) * rows))
        assert set(blank_cells(frame)) <= set(texts(desk))
    assert desk.told == []


def test_a_look_without_any_such_table_hides_nothing() -> None:
    assert Look().hidden == frozenset()
    assert Stage.A in Look(veiled=True).hidden
    assert Stage.Q not in Look(veiled=True).hidden  # what one predicts scores from is seen
