"""The Chinese pages say what the English ones say: part by part in the same order, in Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.project.pages.told import CHINESE, ENGLISH, all_quoted

CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"!\[.*\]\((?:\.\./)*resources/pictures/(?:zh/)?([\w-]+\.png)\)", re.DOTALL)


def test_every_page_is_there_in_both() -> None:
    assert list(CHINESE) == list(ENGLISH)


def parts(text: str) -> list[str]:
    """Return what each part between empty lines is, by what is the same in every language."""
    blocks = iter(CODE.findall(text))
    return [_part(part, blocks) for part in CODE.sub("```", text).strip().split("\n\n")]


def _part(part: str, blocks: Iterator[str]) -> str:
    first = part.lstrip()
    if first == "```":
        return next(blocks)
    if first.startswith("#"):
        return first.split()[0]
    if picture := PICTURE.match(first):
        return picture[1]
    if first.startswith("|"):
        rows = [line.split(" | ") for line in first.splitlines()[2:]]
        return "\n".join(f"{all_quoted(row[0])} {len(row)}" for row in rows)
    return f"{len(re.findall('^(?:- |[0-9]+[.] )', first, re.MULTILINE))} points"


@pytest.mark.parametrize("page", ENGLISH)
def test_the_parts_are_the_same_in_the_same_order(page: str) -> None:
    assert parts(CHINESE[page]) == parts(ENGLISH[page])


@pytest.mark.parametrize("page", ENGLISH)
def test_each_leads_to_the_other(page: str) -> None:
    english, chinese = ("README.md", "README.zh.md")
    if page != "README":
        english, chinese = (f"../{page}.md", f"zh/{page}.md")
    assert ENGLISH[page].split("\n\n")[1] == f"English · [简体中文]({chinese})"
    assert CHINESE[page].split("\n\n")[1] == f"[English]({english}) · 简体中文"


@pytest.mark.parametrize("page", ENGLISH)
def test_the_code_within_lines_is_the_same(page: str) -> None:
    of_chinese, of_english = (
        set(all_quoted(CODE.sub("", pages[page]))) for pages in (CHINESE, ENGLISH)
    )
    assert of_chinese == of_english


@pytest.mark.parametrize("page", CHINESE)
def test_nothing_is_left_in_english(page: str) -> None:
    text = CODE.sub("", CHINESE[page])
    text = re.sub(r"`[^`\n]+`|\([^)\n]*\.(md|png)\)|https?://\S+", "", text)
    assert re.findall(r"(?:\b[A-Za-z]{2,}[ ,]+){3}[A-Za-z]{2,}", text) == []
