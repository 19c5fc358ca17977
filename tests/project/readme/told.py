"""What the README tells: its code blocks, its tables, what it quotes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text("utf-8")
CHINESE = (ROOT / "README.zh.md").read_text("utf-8")
PICTURES = ROOT / "resources" / "pictures"
PROGRAM = "attention-explorer"
LARGEST_PICTURE = 300_000  # bytes


def code(language: str) -> list[str]:
    """Return the README's blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def shell_lines() -> list[list[str]]:
    return [
        words
        for block in code("sh")
        for line in block.splitlines()
        if (words := shlex.split(line, comments=True))
    ]


def lines_of(*first: str) -> list[list[str]]:
    return [words for words in shell_lines() if words[: len(first)] == [*first]]


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the README's table below a header row that begins so."""
    table = README.split(f"| {heading} |", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.split(" | ")] for line in table.splitlines()[2:]]


def quoted(cell: str) -> str:
    [name] = re.findall(r"`([^`]+)`", cell)[:1]
    return str(name)
