"""The corpus: what a text becomes, and what is said at the line that cannot be."""

from __future__ import annotations

import pytest

from explorer.traces import DEFAULT_CORPUS, CorpusProblem, parse_corpus


def test_the_default_corpus() -> None:
    corpus = parse_corpus(DEFAULT_CORPUS)
    assert corpus.sentences == (
        "cat likes fish",
        "dog likes bone",
        "bird likes worm",
        "cat eats fish",
        "dog eats bone",
        "bird eats worm",
    )
    assert corpus.vocabulary == ("bird", "bone", "cat", "dog", "eats", "fish", "likes", "worm")
    tokens, lengths, targets = corpus.encoded()
    assert tokens.tolist() == [[2, 6], [3, 6], [0, 6], [2, 4], [3, 4], [0, 4]]
    assert lengths.tolist() == [2] * 6
    assert targets.tolist() == [5, 1, 7, 5, 1, 7]


def test_shorter_sentences_are_padded_with_0() -> None:
    corpus = parse_corpus("b a\n c  a\tb a\n")
    assert corpus.longest == 3
    tokens, lengths, targets = corpus.encoded()
    assert tokens.tolist() == [[1, 0, 0], [2, 0, 1]]
    assert lengths.tolist() == [1, 3]
    assert targets.tolist() == [0, 0]
    tokens, _lengths, _targets = corpus.encoded([0])
    assert tokens.tolist() == [[1]]


def test_a_run_s_sentences_are_the_corpus_again() -> None:
    corpus = parse_corpus("猫喜欢鱼\n狗 喜欢\n", by_character=True)
    assert corpus.lines == (("猫", "喜", "欢", "鱼"), ("狗", "喜", "欢"))
    assert parse_corpus("\n".join(corpus.sentences)) == corpus


def test_chinese_without_spaces_is_one_word_until_it_is_split() -> None:
    with pytest.raises(CorpusProblem) as caught:
        parse_corpus("猫喜欢鱼")
    assert caught.value.line == 1


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_count_as_an_editor_counts_them(end: str) -> None:
    with pytest.raises(CorpusProblem) as caught:
        parse_corpus(end.join(["\ufeffa b", "", "c\u2028d e", "alone", "f g"]))
    assert caught.value.line == 4
    assert "Line 4" in str(caught.value)
    assert "alone" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("", None, "empty"),
        (" \n\t\n", None, "empty"),
        ("a b\n" * 5001, 5001, "5000 sentences"),
        ("a b\n" + "a " * 65, 2, "65 words"),
        ("\n".join(f"w{i} w{i + 1}" for i in range(5000)), 5000, "different words"),
        (f"a b\na {'c' * 65}", 2, "64 characters"),
        ("a b\na \x00c", 2, "control characters"),
        ("a \ud800", 1, "control characters"),
        ("a b " * 2**21, None, "4 MiB"),
    ],
)
def test_what_cannot_be_is_said_at_its_line(text: str, line: int | None, part: str) -> None:
    with pytest.raises(CorpusProblem) as caught:
        parse_corpus(text)
    assert caught.value.line == line
    assert part in str(caught.value)


def test_the_limits_themselves_are_allowed() -> None:
    assert len(parse_corpus("a b\n" * 5000).lines) == 5000
    assert parse_corpus("a " * 64).longest == 63
    text = "\n".join(f"w{i} w{i + 1}" for i in range(4999))
    assert len(parse_corpus(text).vocabulary) == 5000


def test_the_recorded_samples_are_the_first_64() -> None:
    assert parse_corpus("a b\n" * 70).first_samples == tuple(range(64))
    assert parse_corpus("a b\n" * 3).first_samples == (0, 1, 2)
