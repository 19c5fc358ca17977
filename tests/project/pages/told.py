"""What README and the pages of docs/ tell: their code blocks, their tables, what they quote."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[3]
PICTURES = ROOT / "resources" / "pictures"
PROGRAM = "attention-explorer"
LARGEST_PICTURE = 300_000  # bytes


def _pages(readme: str, folder: str) -> dict[str, str]:
    paths = {path.stem: path for path in sorted((ROOT / folder).glob("*.md"))}
    return {
        name: path.read_text("utf-8") for name, path in {"README": ROOT / readme, **paths}.items()
    }


# The text of each page, by its name.
ENGLISH = _pages("README.md", "docs")
CHINESE = _pages("README.zh.md", "docs/zh")


def code(language: str, page: str | None = None) -> list[str]:
    """Return the blocks of one language, of one page or of all."""
    told = "\n\n".join(ENGLISH.values()) if page is None else ENGLISH[page]
    return re.findall(rf"^```{language}\n(.*?)^```$", told, re.DOTALL | re.MULTILINE)


def shell_lines() -> list[list[str]]:
    """Return the words of each command in the pages' shell blocks, each command once."""
    lines = {
        tuple(words): None
        for block in code("sh")
        for line in block.splitlines()
        if (words := shlex.split(line, comments=True))
    }
    return [list(words) for words in lines]


def lines_of(*first: str) -> list[list[str]]:
    return [words for words in shell_lines() if words[: len(first)] == [*first]]


def prose(page: str) -> str:
    """Return a page as one line."""
    return " ".join(ENGLISH[page].split())


def rows(page: str, heading: str) -> list[list[str]]:
    """Return the cells of the page's one table below a header row that begins so."""
    [table] = ENGLISH[page].split(f"\n| {heading} |")[1:]
    lines = table.split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.split(" | ")] for line in lines]


def all_quoted(text: str) -> list[str]:
    return re.findall(r"`([^`\n]+)`", text)


def quoted(cell: str) -> str:
    return all_quoted(cell)[0]
