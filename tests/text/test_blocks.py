"""Blocks of numbers from a spreadsheet's clipboard."""

from __future__ import annotations

import time
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from explorer.exporters.tables import as_table
from explorer.text import Problem
from explorer.text.blocks import comma_columns, parse_block, parse_tokens


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("1\t2\n3\t4\n", [[1, 2], [3, 4]]),
        ("0,5\t−0,8\r\n1/3\t1e2\r\n", [[0.5, -0.8], [1 / 3, 100]]),
        ("0,5;0,2\n1;2", [[0.5, 0.2], [1, 2]]),
        ("1;2;\n3;4;\n", [[1, 2], [3, 4]]),
        ("1 2\n 3   4\n", [[1, 2], [3, 4]]),
        ("1, 2, 3", [[1, 2, 3]]),
        ("1,2,3\n4,5,6", [[1, 2, 3], [4, 5, 6]]),
        ("1,-2\n3,4", [[1, -2], [3, 4]]),
        ("0.500,100.5", [[0.5, 100.5]]),
        ("1,2 3,4\n5,6 7,8", [[1.2, 3.4], [5.6, 7.8]]),
        ("7", [[7]]),
        ("1 234\t5", [[1234, 5]]),
        ("1\r2", [[1], [2]]),
    ],
)
def test_a_block_is_read_row_by_row(text: str, block: list[list[float]]) -> None:
    np.testing.assert_array_equal(parse_block(text), block)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no numbers"),
        ("\n\t\n", "no numbers"),
        ("1\t2\n3\tx", "“x” in row 2, column 2"),
        ("1\t\t3", "Row 1, column 2 of the block is empty"),
        ("1\n\n3", "Row 2"),
        ("1,2,3\n4,5", "Row 2 of the block must have as many numbers as the first: 3, not 2."),
        ("0,5, 0,8", "“0,5,” in row 1, column 1"),
        ("1 2\n3", "Row 2 of the block must have as many numbers as the first: 2, not 1."),
        ("1\t1,234", "“1,234” in row 1, column 2 of the block may mean 1.234 or 1234.0"),
        ("1,234.5", "“1,234.5” in row 1, column 1 of the block may mean 1234.5: write it without"),
        (
            "1\t1e60",
            "“1e60” in row 1, column 2 of the block is not a number between −1e50 and 1e50.",
        ),
        ("<b>\t1", "“<b>”"),
        ("1\tab\u202ecd", "“ab cd”"),
    ],
)
def test_a_bad_entry_is_named_by_its_place(text: str, words: str) -> None:
    with pytest.raises(Problem) as problem:
        parse_block(text)
    assert words in str(problem.value)


@pytest.mark.parametrize(
    "text",
    [
        "[[" * 100_000,
        "[\n" * 100_000,
        r"\begin{matrix}" * 50_000,
        "1" * 100_000 + "x",
        "1,\n" * 9999,
    ],
)
def test_however_long_a_hopeless_text_is_it_is_refused_soon(text: str) -> None:
    begun = time.process_time()
    for read in (parse_block, parse_tokens):
        with suppress(Problem):
            read(text)
    assert time.process_time() - begun < 3


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        (" 1,2\r\n-3,40\n", [[1, 2], [-3, 40]]),
        ("1,2", None),
        ("0,5\n-0,8", None),
        ("0,5\n1,05", None),
        ("1,2\n3", None),
        ("1,2 3,4\n5,6 7,8", None),
    ],
)
def test_commas_may_part_columns_of_whole_numbers(
    text: str, columns: list[list[float]] | None
) -> None:
    found = comma_columns(text)
    assert (found if found is None else found.tolist()) == columns


@given(
    arrays(
        np.float64, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=st.floats(-1e50, 1e50)
    )
)
def test_a_copied_table_can_be_pasted(block: np.ndarray) -> None:
    np.testing.assert_array_equal(parse_block(as_table("X", block)), block)


@pytest.mark.parametrize(
    ("text", "names", "rows"),
    [
        ("the cat sat.", ["the", "cat", "sat."], None),
        ("the\tcat\n\n猫坐着 2 مرحبا\n", ["the", "cat", "猫", "坐", "着", "2", "مرحبا"], None),
        ("the\t0,5\t1\nold man\t1/3\t−2", ["the", "old man"], [[0.5, 1], [1 / 3, -2]]),
        ("token,x,y\n😀,0.5,1\nb,-2,.5", ["😀", "b"], [[0.5, 1], [-2, 0.5]]),
        ("name x y\na 1 2", ["a"], [[1, 2]]),
    ],
)
def test_words_before_numbers_and_sentences_are_tokens(
    text: str, names: list[str], rows: list[list[float]] | None
) -> None:
    found = parse_tokens(text)
    assert found is not None
    assert list(found[0]) == names
    assert (None if found[1] is None else found[1].tolist()) == rows


@pytest.mark.parametrize(
    "text", ["1 2\n3 four", "x1\tx2\n1\t2\n3\t4", "nan nan", "array([[a, b]])", "word", "1,5 2,5"]
)
def test_what_is_a_block_with_a_fault_is_no_tokens(text: str) -> None:
    assert parse_tokens(text) is None


def test_a_fault_in_a_named_row_is_told_by_its_place() -> None:
    with pytest.raises(Problem, match="Row 3 of the block must have as many numbers"):
        parse_tokens("token,x,y\na,1,2\nb,3")
