"""Steps that ask for a table to be filled in."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.lessons.lesson import Fault
from explorer.lessons.read import read_lesson
from explorer.lessons.schema import Fill
from explorer.lessons.steps import as_of, blanked
from explorer.session import Look, Stage
from explorer.text import Problem
from tests.kinds import KINDS, ONE

LESSON = """
format = "attention-explorer/lesson"
version = 1
title.en = "By hand"

[[step]]
scene = "example:cat-likes-fish"
text.en = "Reckon."
short.en = "Reckon."
{fill}
[[step]]
text.en = "Look."
short.en = "Look."
"""


def lesson_with(folder: Path, fill: str):
    path = folder / "by-hand.toml"
    path.write_text(LESSON.format(fill=fill), encoding="utf-8")
    return read_lesson(path)


def test_a_step_asks_for_a_table_and_the_next_one_does_not(tmp_path: Path) -> None:
    lesson = lesson_with(tmp_path, 'fill = {table = "weights", query = "fish"}')
    look = as_of(lesson, 0)[1]
    assert look.blank is not None
    assert (look.blank.table, look.blank.row) == (Stage.A, 2)
    assert as_of(lesson, 1)[1].blank is None


@pytest.mark.parametrize("fill", ['fill = {table = "X"}', 'fill = {tables = "weights"}'])
def test_what_is_no_table_is_a_fault_of_the_step(tmp_path: Path, fill: str) -> None:
    fault = lesson_with(tmp_path, fill).steps[0]
    assert isinstance(fault, Fault)
    assert "fill" in str(fault.message)


def test_a_token_that_is_not_there_is_named(tmp_path: Path) -> None:
    lesson = lesson_with(tmp_path, 'fill = {table = "weights", query = "dog"}')
    fault = lesson.steps[0]
    assert isinstance(fault, Fault)
    assert "There is no token dog" in str(fault.message)


@pytest.mark.parametrize(
    ("table", "kind", "stage"),
    [
        ("X + P", "sinusoidal", Stage.P),
        ("Q", "no W", Stage.Q),
        ("raw", "no W", Stage.S),
        ("scores", "causal", Stage.S),
        ("weights", "causal", Stage.A),
        ("head output", "two heads", Stage.O),
        ("output", "no W", Stage.O),
        ("output", "two heads", Stage.C),
        ("output", "Wo", Stage.Y),
    ],
)
def test_tables_have_the_names_of_their_numbers(table: str, kind: str, stage: Stage) -> None:
    look = blanked(Fill(table), KINDS[kind], Look())  # type: ignore[arg-type]
    assert look.blank is not None
    assert look.blank.table is stage
    assert look.scaled == (table == "scores")


def test_rows_of_keys_are_named_by_a_key() -> None:
    look = blanked(Fill("K", key="sky"), KINDS["context"], Look())
    assert look.blank is not None
    assert look.blank.row == 1


def test_a_table_that_the_scene_has_not_is_refused() -> None:
    with pytest.raises(Problem, match=r"This scene has no X \+ P"):
        blanked(Fill("X + P"), ONE, Look())
