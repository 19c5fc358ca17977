"""Lists and notes in both languages: each has its own commas, colons and brackets."""

from __future__ import annotations

import pytest

from explorer.text import (
    Listing,
    Problem,
    as_sentences,
    joined,
    joined_long,
    labelled,
    listed,
    noted,
    use_language,
)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["X, Q, K", "loss 0.1, saved", "a, b; c", "loss: 0.1", "cat (saved)", "One. Two"]),
        ("zh", ["X、Q、K", "loss 0.1，saved", "a, b；c", "loss：0.1", "cat（saved）", "One。Two"]),
    ],
)
def test_each_language_has_its_own_signs(language: str, said: list[str]) -> None:
    use_language(language)
    assert [
        listed("XQK"),
        joined(("loss 0.1", "", "saved")),
        joined_long(("a, b", "c")),
        labelled("loss", "0.1"),
        noted("cat", "saved"),
        as_sentences(("One", "", "Two")),
    ] == said


def test_braces_in_names_are_shown_as_they_are() -> None:
    assert labelled("{text}", "{label}") == "{text}: {label}"
    assert as_sentences(("{note}", "{title}")) == "{note}. {title}"


def test_a_list_in_a_problem_is_said_in_the_language_in_use() -> None:
    problem = Problem("one of {names}", names=Listing.quoted(("a", "b")))
    use_language("zh")
    assert str(problem) == '"a"、"b" 之一'
    use_language("en")
    assert str(problem) == 'one of "a", "b"'
    assert str(Listing.of((1, 2))) == "1, 2"
