"""The glossary: every term in both languages, and Chinese that keeps to its terms."""

from __future__ import annotations

import re
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
    "invalid %(type)s value: %(value)r",
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
    stem = english.removesuffix("s")
    plural = rf"{stem[:-1]}ies" if stem.endswith("y") else rf"{stem}(s|es)?"
    return re.search(rf"(?<![\w-])({stem}|{plural})(?![\w-])", words, re.IGNORECASE) is not None


def test_a_term_is_found_in_a_sentence_and_other_words_are_not() -> None:
    assert says("Queries of {key}", "query")
    assert says("Q, queries", "query")
    assert not says('options.key is "key" of {key}; keyboard', "key")


# Words of the field that a lesson may use: whichever does has to be explained.
OF_THE_FIELD = """
    accuracy|attention weights|batch size|bias|causal|context|convex hull|corpus|cross-attention|
    decoder|determinant|dilated convolution|directed graph|dot product|dropout|embedding|encoder|
    epoch|explained variance|feed-forward|gradient descent|gradient|head|heat map|identity matrix|
    initialisation|key|layer norm|layer|learning rate|linear map|logits|loss|mask|optimizer|
    padding|parameter|plain average|position|projection|query|recurrent network|reflection|
    residual connection|rotary position|rotation|sample|score|seed|self-attention|Seq2Seq|sequence|
    shape|shear|singular value|softmax|temperature|token|trace|transpose|value|variance|vocabulary
"""


def test_every_term_that_a_lesson_uses_is_explained() -> None:
    explained = {term.name["en"].casefold() for term in TERMS}
    texts = "\n".join(path.read_text("utf-8") for path in lessons())
    terms = [each.strip() for each in OF_THE_FIELD.split("|")]
    used = [term for term in terms if says(texts, term)]
    assert len(used) > 45
    assert [term for term in used if term.casefold() not in explained] == []


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
