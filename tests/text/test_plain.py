"""What of any text can name a token."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.text import displayable, in_a_row, plain_text
from explorer.text.plain import LONGEST_NAME, is_token, token_name


@given(st.text(st.characters(categories=None), max_size=2 * LONGEST_NAME))
def test_what_is_kept_of_a_text_can_name_a_token(text: str) -> None:
    name = token_name(text)
    assert not name or is_token(name)
    assert name == text or not is_token(text)


@pytest.mark.parametrize(
    "text", ["cat", "猫", "<b>&amp;", "s\u0323\u0307", "\U0001f469\u200d\U0001f467"]
)
def test_most_texts_are_shown_as_they_are(text: str) -> None:
    assert displayable(text) == text


@pytest.mark.parametrize("text", ["שלום", "مرحبا", "2 קטן"])
def test_right_to_left_is_set_apart_once(text: str) -> None:
    shown = displayable(text)
    assert shown == f"\u2068{text}\u2069"
    assert displayable(shown) == shown
    assert plain_text(text) == text
    sentence = displayable(f"A[{shown}, {shown}] 0.25 → 0.5")
    assert sentence.strip("\u2068\u2069").count(shown) == 2


def test_what_is_not_closed_is_taken_away() -> None:
    assert displayable("a\u2068b") == displayable("a\u2069b") == "ab"
    assert displayable("\u2069a\u2068") == "a"
    assert displayable("a\u202eb") == "a b"
    assert displayable("\u2068שלום\u2069 and more", 6) == "\u2068שלום…\u2069"


@given(st.text(st.characters(categories=None), max_size=40), st.integers(2, 20))
def test_the_rest_of_a_sentence_is_never_disturbed(text: str, limit: int) -> None:
    shown = displayable(text, limit)
    assert displayable(shown) == shown
    assert len(plain_text(text, limit)) <= limit
    depths = list(accumulate((c == "\u2068") - (c == "\u2069") for c in shown))
    assert min(depths, default=0) >= 0
    assert depths[-1:] in ([], [0])


def test_sentences_in_a_row_have_a_space_between_them_but_not_after_a_full_width_stop() -> None:
    assert in_a_row(["Not yet.", "", "The sign is wrong."]) == "Not yet. The sign is wrong."
    assert in_a_row(["还不对。", "正负号反了。"]) == "还不对。正负号反了。"
    assert in_a_row([]) == ""
