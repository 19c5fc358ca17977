"""The glossary: every term in both languages, and Chinese that keeps to its terms."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from explorer.lessons.glossary import Term, glossary
from explorer.resources import lessons

CATALOGUE = Path(__file__).parents[2] / "resources/i18n/zh/LC_MESSAGES/explorer.po"
TERMS = glossary()
# Where a term's word is something else: a verb, a command's argument, an array's name, a disk's.
OTHER_MEANINGS = {
    "Input/output error",
    "Mask the pair, or let it be seen",
    "shape {matrix}",
    "{array} must be described by dtype, shape and data_offsets alone.",
    "invalid choice: %(value)r (choose from %(choices)s)",
    "{array} is of a layer that weights does not have: it has {layers}.",
}


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name["en"])
def test_every_term_is_told_in_both_languages_in_one_sentence(term: Term) -> None:
    for texts in (term.name, term.text):
        assert texts.keys() == {"en", "zh"}
        assert all(text == text.strip() != "" for text in texts.values())
    assert term.text["en"].endswith(".")
    assert term.text["en"].count(". ") == 0
    assert len(term.text["en"].split()) <= 25
    assert term.text["zh"].endswith("。")
    assert term.text["zh"].count("。") == 1


def test_the_terms_are_the_fields() -> None:
    chinese = {term.name["en"]: term.name["zh"] for term in TERMS}
    assert len(chinese) == len(TERMS)
    assert len(set(chinese.values())) == len(TERMS)
    assert chinese["query"] == "查询"
    assert chinese["key"] == "键"
    assert chinese["value"] == "值"
    assert chinese["attention weights"] == "注意力权重"
    assert chinese["softmax"] == "softmax"


def says(sentence: str, english: str) -> bool:
    """Return whether a sentence has a term, one or several of it, beside names of fields."""
    words = re.sub(r'\{\w*\}|\w+\.\w+|"\w+"', "", sentence)
    stem = english if english.endswith("ss") else english.removesuffix("s")
    plural = rf"{stem[:-1]}ies" if stem.endswith("y") else rf"{stem}(s|es)?"
    return re.search(rf"(?<![\w-])({stem}|{plural})(?![\w-])", words, re.IGNORECASE) is not None


def test_a_term_is_found_in_a_sentence_and_other_words_are_not() -> None:
    assert says("Queries of {key}", "query")
    assert says("Q, queries", "query")
    assert not says('options.key is "key" of {key}; keyboard', "key")


PLAIN = Path(__file__).with_name("plain_words.txt")
WORD = re.compile(r"[A-Za-z][A-Za-z’'-]+")


def in_language(part: object, code: str) -> Iterator[str]:
    """Yield the texts of a lesson file in one language."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key == code and isinstance(value, str):
                yield value
            elif key != "tokens":
                yield from in_language(value, code)
    elif isinstance(part, list):
        for each in part:
            yield from in_language(each, code)


def words_of(text: str) -> set[str]:
    """Return the words of a text, in small letters and without ’s."""
    found = (word.casefold().replace("’", "'") for word in WORD.findall(text))
    return {word.removesuffix("'s").strip("'-") for word in found}


def explained(word: str, names: set[str]) -> bool:
    """Return whether a word, or its singular, is one of the glossary's."""
    forms = {word, word.removesuffix("s"), word.removesuffix("es")}
    forms |= {word.removesuffix("ies") + "y", word.removesuffix("ices") + "ix"}
    return bool(forms & names)


def test_every_word_that_a_lesson_uses_is_plain_or_explained() -> None:
    """A new word of a lesson is either put into the glossary or into the list of plain words."""
    texts = [tomllib.loads(path.read_text("utf-8")) for path in lessons()]
    used = set().union(*(words_of(text) for each in texts for text in in_language(each, "en")))
    names = set().union(*(words_of(term.name["en"]) for term in TERMS))
    unexplained = {word for word in used if not explained(word, names)}
    plain = set(PLAIN.read_text("utf-8").split())
    assert {
        "in neither": sorted(unexplained - plain),
        "used no more": sorted(plain - unexplained),
    } == {"in neither": [], "used no more": []}


@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_a_lesson_uses_the_glossarys_terms_in_both_languages(path: Path) -> None:
    lesson = tomllib.loads(path.read_text("utf-8"))
    english, chinese = ("\n".join(in_language(lesson, code)) for code in ("en", "zh"))
    otherwise = [
        (name["en"], name["zh"])
        for name in (term.name for term in TERMS)
        if says(english, name["en"])
        and not any(part in chinese for part in re.split("[ （）]", name["zh"]) if part)
    ]
    assert otherwise == []


def test_chinese_sentences_use_the_glossarys_terms() -> None:
    with CATALOGUE.open("rb") as file:
        catalogue = read_po(file)
    sentences = {
        each[-1] if isinstance(each, tuple) else each: said[0] if isinstance(said, tuple) else said
        for each, said in ((message.id, message.string) for message in catalogue if message.id)
    }
    assert sentences.keys() >= OTHER_MEANINGS
    words = {term.name["en"]: re.split("[ （）]", term.name["zh"]) for term in TERMS}
    words["weight"] = ["权重"]
    otherwise = [
        f"{english}: {sentence} ⇒ {said}"
        for sentence, said in sentences.items()
        for english, chinese in words.items()
        if says(sentence, english)
        and sentence not in OTHER_MEANINGS
        and not any(part and part in said for part in chinese)
    ]
    assert otherwise == []
