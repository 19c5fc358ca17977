"""What of any text can name a token."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from explorer.text.plain import LONGEST_NAME, is_token, token_name


@given(st.text(st.characters(categories=None), max_size=2 * LONGEST_NAME))
def test_what_is_kept_of_a_text_can_name_a_token(text: str) -> None:
    name = token_name(text)
    assert not name or is_token(name)
    assert name == text or not is_token(text)
