"""README.zh.md says what README.md says: part by part in the same order, and all in Chinese."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
ENGLISH, CHINESE = ((ROOT / name).read_text("utf-8") for name in ("README.md", "README.zh.md"))
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def parts(text: str) -> list[str]:
    """Return what each part between empty lines is, by what is the same in every language."""
    blocks = iter(CODE.findall(text))
    return [_part(part, blocks) for part in CODE.sub("```", text).strip().split("\n\n")]


def _part(part: str, blocks) -> str:
    first = part.lstrip()
    if first == "```":
        return next(blocks)
    if first.startswith("#"):
        return first.split()[0]
    if picture := re.match(
        r"!\[.*\]\(resources/pictures/(?:zh/)?([\w-]+\.png)\)", first, re.DOTALL
    ):
        return picture[1]
    if first.startswith("|"):
        rows = [[cell.strip() for cell in row.split(" | ")] for row in first.splitlines()[2:]]
        return "\n".join(f"{row[0].strip('| ')} {len(row)}" for row in rows)
    return f"{len(re.findall('^(?:- |[0-9]+[.] )', first, re.MULTILINE))} points"


def test_the_parts_are_the_same_in_the_same_order() -> None:
    assert parts(CHINESE) == parts(ENGLISH)


def test_each_leads_to_the_other() -> None:
    assert "[简体中文](README.zh.md)" in ENGLISH.split("\n\n")[1]
    assert "[English](README.md)" in CHINESE.split("\n\n")[1]


def quoted(text: str) -> set[str]:
    """Return the code within lines: keys, options, files."""
    return set(re.findall("`([^`\n]+)`", CODE.sub("", text)))


def test_the_code_within_lines_is_the_same() -> None:
    assert quoted(CHINESE) == quoted(ENGLISH)


def test_nothing_is_left_in_english() -> None:
    text = re.sub(r"`[^`\n]+`|\([^)\n]*\.(md|png)\)|https?://\S+", "", CODE.sub("", CHINESE))
    assert re.findall(r"(?:\b[A-Za-z]{2,}[ ,]+){3}[A-Za-z]{2,}", text) == []


@pytest.mark.parametrize("link", re.findall(r"\]\(#([^)]+)\)", CHINESE))
def test_a_link_within_leads_to_a_heading(link: str) -> None:
    assert re.search(rf"^## {re.escape(link)}$", CHINESE, re.MULTILINE)
