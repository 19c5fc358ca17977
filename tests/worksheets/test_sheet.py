"""Worksheets: every key computed again in another way, every rule held, every number unique."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.session import compute
from explorer.text import Problem
from explorer.worksheets import Choices, Grid, What, Worksheet, made_sheet, read_number, sheet_scene

ROOTS = {2: Fraction("1.41"), 3: Fraction("1.73")}
EVERY = [
    Choices(what, tokens, width, decimals, columns, table, mask)
    for what, (tokens, width, decimals), (columns, table, mask) in zip(
        [*What] * 3,
        [(2, 2, 0), (3, 2, 1), (3, 3, 0), (4, 2, 1), (4, 3, 1), (2, 3, 1)] * 2,
        list(product((False, True), repeat=3)) * 2,
        strict=False,
    )
]


def halves_up(value: Fraction, decimals: int) -> Fraction:
    """Round as on paper, by whole numbers alone."""
    scaled = abs(value) * 10**decimals
    whole = math.floor(scaled + Fraction(1, 2))
    return Fraction(whole if value >= 0 else -whole, 10**decimals)


def numbers(grid: Grid) -> np.ndarray:
    return np.array([[None if c is None else Fraction(c) for c in row] for row in grid.cells])


def grids(sheet: Worksheet) -> dict[str, np.ndarray]:
    all_of = [*sheet.given, *(grid for step in sheet.steps for grid in step.grids)]
    return {grid.key: numbers(grid) for grid in all_of}


def check(sheet: Worksheet) -> None:
    """Compute a key again in fractions, and hold it against the rules of a worksheet."""
    found, choices = grids(sheet), sheet.choices
    X = np.array([[Fraction(c) for c in row] for row in sheet.X])
    T = choices.tokens
    for h, head in enumerate(sheet.projections):
        mark = "" if choices.heads == 1 else str(h + 1)
        q, k, v = (X @ np.array([[Fraction(c) for c in row] for row in W]) for W in head)
        raw = q @ k.T
        rounded_raw = np.vectorize(lambda x: halves_up(x, 2 * choices.decimals))(raw)
        S = np.vectorize(lambda x: halves_up(x / ROOTS[choices.width], 1))(rounded_raw)
        seen = np.tri(T, dtype=bool) if choices.mask else np.ones((T, T), bool)
        assert ((S >= -2) & (S <= 4))[seen].all()
        powers = np.power(2.72 if choices.table else math.e, S.astype(float))
        E = np.vectorize(lambda x: halves_up(Fraction(x), 2))(powers) * seen
        total = E.sum(axis=1)
        A = np.vectorize(lambda x: halves_up(x, 2))(E / total[:, None])
        assert (A.sum(axis=1) == 1).all()
        for row in A:
            first, second = sorted(row)[-1:-3:-1]
            assert first - second >= Fraction("0.05")
        O = np.vectorize(lambda x: halves_up(x, 2))(A @ v)  # noqa: E741
        expected = {"Q": q, "K": k, "V": v, "raw": raw, "E": E, "A": A, "O": O}
        for name, values in expected.items():
            if name + mark in found:
                shown = rounded_raw if name == "raw" else values
                assert (found[name + mark] == shown).all(), name
        if "S" + mark in found:
            assert (found["S" + mark][seen] == S[seen]).all()
            assert all(cell is None for cell in found["S" + mark][~seen])
        if "sum" + mark in found:
            assert (found["sum" + mark][:, 0] == total).all()
        if h == 0 and sheet.question:
            query = sheet.tokens.index(sheet.question.split()[-4])
            assert not (choices.mask and query == 0)  # it sees itself alone
            token, share = sheet.answer.split(", ")
            assert A[query].max() == A[query][sheet.tokens.index(token)] == Fraction(share)


def assert_all_different(copies: int) -> None:
    """Fail where a copy breaks a rule, or two have the same numbers."""
    sheets = [made_sheet(Choices(), 4711, copy) for copy in range(1, copies + 1)]
    for sheet in sheets:
        check(sheet)
        assert len(sheet.powers) <= 6
    assert len({(sheet.X, sheet.projections) for sheet in sheets}) == copies


def test_copies_hold_every_rule_and_are_all_different() -> None:
    assert_all_different(50)


@pytest.mark.parametrize("choices", EVERY, ids=lambda choices: f"{choices.code}")
def test_every_kind_of_sheet_holds_the_rules(choices: Choices) -> None:
    check(made_sheet(choices, 12, 3))


@pytest.mark.parametrize("columns", [False, True])
def test_two_heads_have_steps_of_their_own(columns: bool) -> None:
    sheet = made_sheet(Choices(heads=2, columns=columns), 5)
    check(sheet)
    assert {"Q1", "Q2", "A1", "A2"} <= grids(sheet).keys()


def test_columns_show_the_same_numbers_turned() -> None:
    sheet = made_sheet(Choices(columns=True), 8)
    x = sheet.given[0]
    rows, columns, texts = x.printed
    assert (len(rows), len(columns)) == (2, 3)
    assert texts[1][2] == x.text(x.cells[2][1])
    assert sheet.formulas[1] == "Q = Wq X, K = Wk X, V = Wv X"


@given(
    st.builds(
        Choices,
        st.sampled_from(What),
        st.integers(2, 4),
        st.integers(2, 3),
        st.integers(0, 1),
        *[st.booleans()] * 3,
        st.integers(1, 2),
    ),
    st.integers(0, 999_999),
    st.integers(1, 200),
)
def test_a_sheets_number_gives_its_choices_again(choices: Choices, seed: int, copy: int) -> None:
    assert read_number(choices.number(seed, copy)) == (choices, seed, copy)


@given(st.text(max_size=12))
def test_any_text_is_a_sheets_number_or_a_problem(text: str) -> None:
    try:
        choices, seed, copy = read_number(text)
    except Problem:
        return
    assert read_number(choices.number(seed, copy)) == (choices, seed, copy)


@pytest.mark.parametrize("text", ["", "x", "4711-0", "4711-201", "4711-01-ZZZ", "²", "1000000"])
def test_what_is_no_number_is_said(text: str) -> None:
    with pytest.raises(Problem, match="4711-01"):
        read_number(text)


def test_a_seed_alone_is_the_first_sheet() -> None:
    assert read_number(" 4711 ") == (Choices(), 4711, 1)
    assert made_sheet(*read_number("4711")) == made_sheet(Choices(), 4711, 1)


def test_numbers_stay_the_same() -> None:
    """What is on paper must be found again in later versions."""
    sheet = made_sheet(Choices(), 4711, 1)
    assert sheet.number == "4711-01"
    assert [[int(c) for c in row] for row in sheet.X] == [[2, 1], [-1, 0], [2, 2]]
    assert sheet.answer == "cat, 0.76"


@pytest.mark.parametrize(
    ("field", "value"), [("tokens", 5), ("width", 1), ("decimals", 2), ("heads", 3)]
)
def test_choices_that_cannot_be_are_refused(field: str, value: int) -> None:
    with pytest.raises(Problem, match=f"{field}.*not {value}"):
        Choices(**{field: value})


def test_usual_mistakes_are_wrong_numbers() -> None:
    sheet = made_sheet(Choices(), 4711, 1)
    right = sheet.answer.split(", ")[1]
    assert sheet.mistakes
    assert all(each.number != right for each in sheet.mistakes)
    assert len({each.number for each in sheet.mistakes}) == len(sheet.mistakes)
    row = next(step.grids[0] for step in sheet.steps if step.grids[0].key == "raw").cells[2]
    unscaled = [2.72 ** float(each) for each in row]
    assert f"{unscaled[0] / sum(unscaled):.2f}" == next(
        each.number for each in sheet.mistakes if each.meaning.startswith("not divided")
    )


@pytest.mark.parametrize("mask", [False, True])
def test_the_scene_computes_the_sheet(mask: bool) -> None:
    sheet = made_sheet(Choices(mask=mask), 31, 2)
    frame = compute(sheet_scene(sheet))
    raw = grids(sheet)["raw"].astype(float)
    assert frame.raw[0] == pytest.approx(raw)
    # The sheet rounds the root and each step.
    assert frame.weights[0] == pytest.approx(grids(sheet)["A"].astype(float), abs=0.05)
