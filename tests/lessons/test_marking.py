"""What is said to a table that was filled in by hand."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.lessons.marking import marking
from explorer.resources import example
from explorer.session import Stage, read_scene, stages_of
from explorer.session.frame import Cell
from explorer.session.intents import BlankOut, ChangeLook, CheckBlank, FillCells, TypeCell
from explorer.session.lesson import Marking, Verdict
from explorer.session.scene import Matrix
from tests.app.desk import Desk
from tests.kinds import KINDS, ONE, with_options

RIGHT, WRONG, EMPTY = Verdict.RIGHT, Verdict.WRONG, Verdict.OPEN


@pytest.fixture
def desk() -> Desk:
    return Desk(read_scene(example("cat-likes-fish.json")))


def written(values: np.ndarray, decimals: int = 3) -> tuple[tuple[str, ...], ...]:
    """Return a table as somebody writes it."""
    return tuple(tuple(f"{value:.{decimals}f}" for value in row) for row in values)


def said(desk: Desk) -> str:
    return marking(desk.session.frame).said


def test_nothing_is_marked_before_it_is_checked(desk: Desk) -> None:
    assert marking(desk.session.frame) == Marking()
    desk.do(BlankOut(Stage.A), FillCells(0, 0, (("0.99",),)))
    assert marking(desk.session.frame) == Marking()


def test_each_cell_is_right_wrong_or_empty(desk: Desk) -> None:
    desk.do(BlankOut(Stage.A), FillCells(0, 0, (("0.38", "0.9", "much"),)), CheckBlank())
    verdicts = marking(desk.session.frame).verdicts
    assert [verdicts[0, column] for column in range(4)] == [RIGHT, WRONG, WRONG, EMPTY]
    assert len(verdicts) == 16
    assert said(desk) == "1 right, 2 wrong, 13 empty."


def test_a_cell_typed_anew_has_no_mark_until_the_next_check(desk: Desk) -> None:
    desk.do(BlankOut(Stage.A), FillCells(0, 0, (("0.1", "0.1"),)), CheckBlank())
    desk.do(FillCells(0, 0, (("0.379",),)), FillCells(0, 2, (("0.2",),)))
    verdicts = marking(desk.session.frame).verdicts
    assert (0, 0) not in verdicts
    assert (0, 2) not in verdicts
    assert verdicts[0, 1] is WRONG
    desk.do(CheckBlank())
    assert marking(desk.session.frame).verdicts[0, 0] is RIGHT


def test_a_table_without_a_fault_is_all_right(desk: Desk) -> None:
    for stage in stages_of(desk.scene)[1:]:
        values = desk.session.frame.table(stage)
        desk.do(BlankOut(stage), FillCells(0, 0, written(values)), CheckBlank())
        assert said(desk) == "All correct."


def test_the_mistake_of_a_whole_table_is_named_once(desk: Desk) -> None:
    raw = desk.session.frame.attention.raw[0]
    shares = np.exp(raw) / np.exp(raw).sum(axis=1, keepdims=True)
    desk.do(BlankOut(Stage.A), FillCells(0, 0, written(shares)), CheckBlank())
    assert said(desk) == "0 right, 16 wrong. ÷ √d was left out."


def test_two_mistakes_that_fit_are_both_named(desk: Desk) -> None:
    desk.do(ChangeLook({"scaled": True}))
    # With four tokens the root of their number is d itself.
    halves = desk.session.frame.attention.raw[0] / 2
    desk.do(BlankOut(Stage.S), FillCells(0, 0, written(halves)), CheckBlank())
    assert "Divided by d, not by its root." in said(desk)
    assert "The root of the number of tokens was taken, not that of d_k." in said(desk)


def test_the_other_sign_is_named_in_every_table(desk: Desk) -> None:
    for stage in (Stage.Q, Stage.K, Stage.V, Stage.S, Stage.O):
        values = -desk.session.frame.table(stage)
        desk.do(BlankOut(stage), FillCells(0, 0, written(values)), CheckBlank())
        assert "The sign is wrong." in said(desk)


def test_what_counts_is_what_the_scene_gives_now(desk: Desk) -> None:
    before = desk.session.frame.table(Stage.Q)
    desk.do(BlankOut(Stage.Q), FillCells(0, 0, written(before)), CheckBlank())
    desk.do(TypeCell(Cell(Matrix.X, 0, 0), "2"))
    verdicts = marking(desk.session.frame).verdicts
    assert verdicts[0, 0] is WRONG
    assert verdicts[1, 0] is RIGHT


def test_masked_cells_are_not_counted() -> None:
    desk = Desk(with_options(ONE, mask="causal"))
    desk.do(BlankOut(Stage.A), CheckBlank())
    assert said(desk) == "0 right, 10 empty."


def test_one_row_alone_is_marked(desk: Desk) -> None:
    row = desk.session.frame.table(Stage.A)[2:3]
    desk.do(BlankOut(Stage.A, 2), FillCells(2, 0, written(row)), CheckBlank())
    assert set(marking(desk.session.frame).verdicts) == {(2, column) for column in range(4)}
    assert said(desk) == "All correct."


@pytest.mark.parametrize("kind", KINDS)
def test_every_table_of_every_kind_is_marked(kind: str) -> None:
    desk = Desk(KINDS[kind])
    for stage in stages_of(KINDS[kind])[1:]:
        desk.do(BlankOut(stage))
        values = desk.session.frame.table(stage)
        desk.do(FillCells(0, 0, written(np.nan_to_num(values, neginf=0.0))), CheckBlank())
        assert said(desk) == "All correct."
        desk.do(FillCells(0, 0, (("77.7",) * values.shape[1],) * len(values)), CheckBlank())
        assert said(desk).startswith("0 right")
