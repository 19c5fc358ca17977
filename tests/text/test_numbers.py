"""Numbers as people type them, and as the program writes them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.text import (
    Ambiguous,
    NotANumber,
    ascii_number,
    decimal_places,
    display_divisor,
    display_number,
    display_weight,
    full_number,
    parse_number,
    unbroken,
)

NUMBERS = st.floats(-1e50, 1e50)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", 0.5),
        ("0,5", 0.5),
        (".5", 0.5),
        (",5", 0.5),
        ("5.", 5.0),
        ("5,", 5.0),
        ("  7 ", 7.0),
        ("+3", 3.0),
        ("-0.8", -0.8),
        ("−0.8", -0.8),
        ("–0,8", -0.8),
        ("－０．８", -0.8),
        ("-8e-1", -0.8),
        ("−8E−1", -0.8),
        ("1/3", 1 / 3),
        ("−1 / 3", -1 / 3),
        ("0,5/2", 0.25),
        ("1e-50", 1e-50),
        ("1234,5", 1234.5),
        ("1.234", 1.234),
        ("0,234", 0.234),
        ("1,23", 1.23),
        ("1,2345", 1.2345),
        ("1 234", 1234.0),
        ("1\u202f234,5", 1234.5),
        ("1'234.5", 1234.5),
        ("1'234 567", 1234567.0),
        ("1e50", 1e50),
        ("1e-9999", 0.0),
    ],
)
def test_a_number_is_read_as_it_is_meant(text: str, value: float) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("1,234.5", (1234.5,)),
        ("-1.234,5", (-1234.5,)),
        ("1,234.5/2", (617.25,)),
        ("1,234 567,8", (1234567.8,)),
        ("1,234", (1.234, 1234.0)),
        ("−12,345", (-12.345, -12345.0)),
        ("1,234,567", (1234567.0, 1.234567)),
        ("1.234.567", (1234567.0, 1.234567)),
        ("1,234/2", (0.617, 617.0)),
        ("1/1,000", (1.0, 0.001)),
    ],
)
def test_separators_that_may_mean_thousands_are_asked_about(
    text: str, readings: tuple[float, ...]
) -> None:
    with pytest.raises(Ambiguous) as asked:
        parse_number(text)
    assert asked.value.readings == readings


NO_NUMBERS = """
- . , a 1a 1,23,4 --1 1..2 1/0 1/0,0 1/2/3 /2 1/ nan inf -Infinity 1e51 -1e51 1e400 1e99999 1/1e-51
0x10 1_000 ½ ٣ 2² True 1;2 50%
"""


@pytest.mark.parametrize("text", ["", " ", "1 2", *NO_NUMBERS.split()])
def test_anything_else_is_no_number(text: str) -> None:
    with pytest.raises(NotANumber) as refused:
        parse_number(text)
    assert not isinstance(refused.value, Ambiguous)


@given(NUMBERS)
def test_the_full_text_reads_back_as_the_same_number(value: float) -> None:
    assert parse_number(full_number(value)) == value
    assert "-" not in full_number(value)


@given(NUMBERS, st.integers(1, 6))
def test_the_shown_text_reads_back_as_nearly_the_number(value: float, decimals: int) -> None:
    shown = parse_number(display_number(value, decimals))
    assert abs(shown - value) <= max(0.50001 * 10.0**-decimals, 0.0501 * abs(value))
    assert display_number(value, decimals).replace("−", "-") == ascii_number(value, decimals)


@given(st.floats(-9.9e5, 9.9e5).filter(lambda value: value == 0 or abs(value) >= 1e-4))
def test_plain_sizes_are_rounded_to_the_decimals_asked_for(value: float) -> None:
    text = ascii_number(value, 3)
    assert len(text.partition(".")[2]) == 3
    assert abs(float(text) - value) <= 0.000500001
    assert text != "-0.000"


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (-0.62, 2, "−0.62"),
        (1.0, 1, "1.0"),
        (-0.0, 2, "0.00"),
        (-0.001, 2, "0.00"),
        (1.2e9, 2, "1.2e9"),
        (-3e-7, 3, "−3.0e−7"),
        (0.0004, 3, "0.000"),
        (math.inf, 2, "∞"),
        (-math.inf, 2, "−∞"),
        (math.nan, 2, "nan"),
    ],
)
def test_numbers_on_the_screen(value: float, decimals: int, text: str) -> None:
    assert display_number(value, decimals) == text


def test_a_copied_number_is_ascii() -> None:
    assert [ascii_number(v, 2) for v in (-0.5, math.inf, -math.inf)] == ["-0.50", "inf", "-inf"]


@pytest.mark.parametrize(
    ("value", "places"), [(1.0, 1), (0.5, 1), (-0.62, 2), (1.162, 3), (1 / 3, 3), (0.1 + 0.2, 1)]
)
def test_as_many_decimals_as_needed(value: float, places: int) -> None:
    assert decimal_places(value, most=3) == places


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Areas × 0.96: less", "Areas_×_0.96: less"),
        ("q · k is 1 ÷ √2 = 0.7 here", "q_·_k is 1_÷_√2 =_0.7 here"),
        ("take ÷ n", "take ÷ n"),
        ("at (−0.62, 0.74), or (1, 0)", "at (−0.62,_0.74), or (1,_0)"),
        ("0.7, 0.4 and 0.1", "0.7, 0.4 and 0.1"),
    ],
)
def test_what_belongs_together_stays_on_one_line(text: str, shown: str) -> None:
    assert unbroken(text) == shown.replace("_", "\u00a0")


def test_small_numbers_of_a_row_keep_their_order() -> None:
    row = (0.4, 0.001, 0.0006, 0.0004, 1.6e-5)
    assert [display_weight(value) for value in row] == ["0.400", "0.001", "0.001", "<.001", "<.001"]
    assert display_weight(-1e-9, 2) == ">−.01"
    assert display_weight(0.0) == "0.000"


@given(st.floats(1e-320, 1e50), st.integers(2, 3))
def test_what_is_divided_by_keeps_digits_that_count(value: float, decimals: int) -> None:
    shown = parse_number(display_divisor(value, decimals))
    assert shown == pytest.approx(value, rel=0.051)
