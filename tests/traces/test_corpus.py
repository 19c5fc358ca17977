"""The corpus: what a text becomes, and what is said at the line that cannot be."""

from __future__ import annotations

import pytest

from explorer.traces import DEFAULT_CORPUS, ConfigProblem, CorpusProblem, Splitting, parse_corpus


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
    corpus = parse_corpus("猫喜欢鱼\n狗 喜欢\n", Splitting(tokens="characters"))
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
        ("a b\n" * 20_001, 20_001, "20000 sentences"),
        ("a b\n" + "a " * 66, 2, "66 words"),
        ("\n".join(f"w{i} w{i + 1}" for i in range(5000)), 5000, "different words"),
        (f"a b\na {'c' * 65}", 2, "64 characters"),
        ("a b\na \x00c", 2, "control characters"),
        ("a \ud800", 1, "control characters"),
        ("a b " * 2**21, None, "4 MB"),
    ],
)
def test_what_cannot_be_is_said_at_its_line(text: str, line: int | None, part: str) -> None:
    with pytest.raises(CorpusProblem) as caught:
        parse_corpus(text)
    assert caught.value.line == line
    assert part in str(caught.value)


def test_the_limits_themselves_are_allowed() -> None:
    assert len(parse_corpus("a b\n" * 20_000).lines) == 20_000
    assert parse_corpus("a " * 65).longest == 64
    text = "\n".join(f"w{i} w{i + 1}" for i in range(4999))
    assert len(parse_corpus(text).vocabulary) == 5000


def test_the_recorded_samples_are_the_first_64() -> None:
    assert parse_corpus("a b\n" * 70).first_samples == tuple(range(64))
    assert parse_corpus("a b\n" * 3).first_samples == (0, 1, 2)


# --- tokens and contexts -------------------------------------------------------------------------


def test_a_table_has_texts_and_targets() -> None:
    text = 'id;TEXT;target\n1;"the cat;\nit";sat\n\n2;狗喜欢;骨头\n'
    corpus = parse_corpus(text)
    assert corpus.lines == (("the", "cat;", "it", "sat"), ("狗喜欢", "骨头"))
    split = parse_corpus(text, Splitting(tokens="characters"))
    assert split.lines[1] == ("狗", "喜", "欢", "骨头")


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("text,target\na,b\nc\n", 3, "has 1 columns"),
        ('text,target\n"a\nb",c\nd,\n', 4, "no target"),
        ("text,target\na,New York\n", 2, "such as New_York"),
        ('text,target\na,"b\n', 2, "cannot be read"),
        ("text,target\n,b\n", 2, "one word"),
        ("text,target\n", None, "empty"),
    ],
)
def test_what_a_table_cannot_hold_is_said_at_its_line(
    text: str, line: int | None, part: str
) -> None:
    with pytest.raises(CorpusProblem) as caught:
        parse_corpus(text)
    assert caught.value.line == line
    assert part in str(caught.value)


def test_a_sentence_about_text_and_target_is_no_table() -> None:
    assert parse_corpus("text, target\na b\n").lines[0] == ("text,", "target")


def test_byte_pairs_join_what_stands_together_most_often() -> None:
    text = "aaab aaab aaab\naac aab aaab\n"
    # By hand: 10 × "a a"; then "aa b" in no word, "▁ aa" in all 6; "a b" in 4 of them.
    corpus = parse_corpus(text, Splitting(tokens="pairs", vocabulary=16))
    assert corpus == parse_corpus(text, Splitting(tokens="pairs", vocabulary=16))
    joined = ["".join(line).replace("▁", " ").strip() for line in corpus.lines]
    assert joined == text.splitlines()
    assert corpus.lines[0] == ("▁aaab",) * 3
    assert parse_corpus("\n".join(corpus.sentences)).lines == corpus.lines
    long = "".join(map(chr, range(0x4E00, 0x4E20)))
    with pytest.raises(ConfigProblem) as caught:
        parse_corpus(f"{long} {long}", Splitting(tokens="pairs", vocabulary=16))
    assert caught.value.field == "vocabulary"
    assert "33 different characters" in str(caught.value)


def test_a_text_is_cut_into_contexts_that_predict_every_token_once() -> None:
    text = " ".join(f"w{i}" for i in range(5)) + "\n" + " ".join(f"w{i}" for i in range(5, 12))
    corpus = parse_corpus(text, Splitting(context=4))
    assert corpus.lines == (
        ("w0", "w1", "w2", "w3", "w4"),
        ("w4", "w5", "w6", "w7", "w8"),
    )
    assert parse_corpus("a b", Splitting(context=4)).lines == (("a", "b"),)
    with pytest.raises(CorpusProblem, match="Line 1 has one word"):
        parse_corpus("alone", Splitting(context=4))
    with pytest.raises(CorpusProblem, match="leave Context Length empty"):
        parse_corpus("text,target\na,b\n", Splitting(context=4))
    with pytest.raises(CorpusProblem, match="choose a larger Context Length"):
        parse_corpus("a b " * 20_002, Splitting(context=2))
