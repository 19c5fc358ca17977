"""Blocks of numbers as spreadsheets and programs put them on the clipboard."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from explorer.text.messages import N_, Problem, _
from explorer.text.numbers import Ambiguous, NotANumber, TooLarge, full_number, parse_number
from explorer.text.plain import displayable

_LONGEST_QUOTE = 24
_PLAIN = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?").fullmatch


def parse_block(text: str) -> NDArray[np.float64]:
    """Return the numbers of a pasted block, shape (rows, columns).

    A line is a row. Numbers are separated by tabs where there are any, else by semicolons, else
    by spaces, and written as `parse_number` reads them; empty lines around the block are ignored.
    A NumPy array, a PyTorch tensor or a LaTeX matrix is read as well, with what stands around it,
    and so are a Markdown table and commas that cannot be decimal commas. In LaTeX a number may be
    a fraction of two, such as `\\frac{1}{2}`, or have a power of ten.

    Raises
    ------
    Problem
        One sentence naming the row and column that is no number, that may mean several, or that
        has no like in the first row.
    """
    if not text.strip():
        raise Problem(N_("There are no numbers to paste."))
    return _numbers(split_block(text))


def comma_columns(text: str) -> NDArray[np.float64] | None:
    """Return a pasted block read as two columns where `parse_block` reads decimal commas: 1,2.

    None where its commas can only be decimal ones, and of one line, which is a number as typed.
    """
    lines = text.strip().splitlines()
    if len(lines) < 2 or not all(map(_PAIR, lines)):
        return None
    return np.array([[float(part) for part in line.split(",")] for line in lines])


def parse_tokens(text: str) -> tuple[tuple[str, ...], NDArray[np.float64] | None] | None:
    """Return the names of tokens in a pasted text, and their rows, shape (tokens, columns).

    Lines of one word and then numbers are tokens with their rows; a first line without numbers is
    a heading and left out. A text mostly of words is a sentence: its words, of Chinese each
    character, without rows. None where the text is neither, but a block for `parse_block`.

    Raises
    ------
    Problem
        As `parse_block` does.
    """
    if _from_latex(text) or _from_lists(text):
        return None
    lines = text.strip().splitlines()
    if all(map(_NAMED, lines[1:] or lines)):
        text = "\n".join(lines).replace(",", "\t")
    rows = split_block(text.strip())
    heading = int(len(rows) > 1 and all(map(_is_word, filter(str.strip, rows[0]))))
    named = rows[heading:]
    if all(len(row) > 1 and _is_word(row[0]) and not any(map(_is_word, row[1:])) for row in named):
        numbers = _numbers([row[1:] for row in named], heading + 1, 2)
        return tuple(row[0].strip() for row in named), numbers
    words = text.split()
    tokens = tuple(part for word in words for part in _HAN.findall(word))
    looked_at = words[:_LOOKED_AT]
    if len(tokens) > 1 and 2 * sum(map(_is_word, looked_at)) > len(looked_at):
        return tokens, None
    return None


_LOOKED_AT = 64  # words that tell a sentence from a block
_NO_WORDS = {"nan", "inf", "none", "null", "true", "false", "e"}
_NAMED = re.compile(r"[^,\s]+(?:,\s*[+-]?[\d.][^,\s]*)+\s*").fullmatch
_HAN = re.compile(r"[\u3400-\u9fff]|[^\u3400-\u9fff]+")


def _is_word(entry: str) -> bool:
    """Return whether an entry cannot have been meant as a number."""
    entry = entry.strip()
    if not entry or entry.lower() in _NO_WORDS:
        return False
    return not _may_be_number(entry) and (entry[0].isalpha() or not entry[0].isascii())


def _numbers(entries: list[list[str]], first_row: int = 1, first: int = 1) -> NDArray[np.float64]:
    """Return the numbers that entries stand for; problems count from the first row and column."""
    rows = [
        [
            # As programs write them: a table of them is read at once.
            float(entry) if _PLAIN(entry) else _number(entry, i, j)
            for j, entry in enumerate(line, start=first)
        ]
        for i, line in enumerate(entries, start=first_row)
    ]
    for i, row in enumerate(rows, start=first_row):
        if len(row) != len(rows[0]):
            raise Problem(
                N_(
                    "Row {row} of the block must have as many numbers as the first: "
                    "{wanted}, not {found}."
                ),
                row=i,
                found=len(row),
                wanted=len(rows[0]),
            )
    return np.array(rows)


_MATRIX = re.compile(r"\\begin\{([a-zA-Z]*matrix\*?|array)\}(?:\{[^}]*\})?")
_TIMES = re.compile(r"([^/\\]+?)\s*\\(?:times|cdot)\s*10\s*\^\s*\{?\s*([+-]?\d+)\s*\}?").fullmatch
_PART = r"\s*(?:\{([^{}/\\]+)\}|(\d))"
_FRACTION = re.compile(rf"([+-]?)\s*\\[dt]?frac{_PART}{_PART}").fullmatch
_OPENED, _CLOSED = re.compile(r"\[ ?\["), re.compile(r"\] ?,? ?\]")
_DIGITS = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_COMMAS = re.compile(rf"\s*{_DIGITS}(?:(?:,{_DIGITS})+|(?:,\s+{_DIGITS})+)\s*", re.ASCII)
_POINTED = re.compile(r"[.eE]").search
# Whole numbers as they are written where a comma parts them; -0,5 and 1,05 are decimal.
_PAIR = re.compile(r"\s*(?!-0)[+-]?(?:0|[1-9]\d*),(?:0|[1-9]\d*)\s*", re.ASCII).fullmatch
_LIST = re.compile(r"(?:^|[=(]) ?\[([^\[\]]*)\]")


def _from_latex(text: str) -> str:
    """Return the first LaTeX matrix in a text with tabs between its numbers; nothing without."""
    rows = re.split(r"\\\\(?:\[[^\]]*\])?", _matrix(text).replace(r"\hline", ""))
    return "\n".join("\t".join(map(_without_latex, row.split("&"))) for row in rows if row.strip())


def _matrix(text: str) -> str:
    """Return what stands in the first LaTeX matrix; a kind that never ends is looked for once."""
    endless: set[str] = set()
    for begin in _MATRIX.finditer(text):
        if begin[1] not in endless:
            end = text.find(rf"\end{{{begin[1]}}}", begin.end())
            if end >= 0:
                return text[begin.end() : end]
            endless.add(begin[1])
    return ""


def _from_lists(text: str) -> str:
    """Return the nested lists of a program, or one list, in the same way; nothing without."""
    text = " ".join(text.split())  # many blanks would be tried in pairs
    opened, closed = _OPENED.search(text), list(_CLOSED.finditer(text))
    if opened is not None and closed and closed[-1].start() >= opened.end():
        inner = text[opened.end() : closed[-1].start()]
    elif (found := _LIST.search(text)) is not None:
        inner = found[1]
    else:
        return ""
    rows = re.split(r"\] ?,? ?\[", inner)
    parts = (
        re.split(r"\s*,\s*" if "," in row else r"\s+", row.strip().rstrip(",")) for row in rows
    )
    return "\n".join("\t".join(part.strip() for part in row) for row in parts)


def _from_markdown(text: str) -> str:
    """Return the rows of a Markdown table below its head in the same way; nothing without."""
    lines = [line.strip() for line in text.strip().splitlines()]
    if len(lines) < 3 or not all(line.startswith("|") for line in lines):
        return ""
    if not re.fullmatch(r"\|(?:\s*:?-+:?\s*\|)+", lines[1]):
        return ""
    rows = (line.removeprefix("|").removesuffix("|").split("|") for line in lines[2:])
    return "\n".join("\t".join(map(str.strip, row)) for row in rows)


def _from_commas(text: str) -> str:
    """Return rows in the same way where commas can only stand between numbers; nothing else."""
    lines = text.strip().splitlines()
    if not all(map(_COMMAS.fullmatch, lines)) or all(
        _may_be_number(line) and not all(map(_POINTED, line.split(","))) for line in lines
    ):
        return ""
    return text.replace(",", "\t")


def _may_be_number(text: str) -> bool:
    try:
        parse_number(text)
    except (Ambiguous, TooLarge):
        return True
    except NotANumber:
        return False
    return True


def split_block(text: str) -> list[list[str]]:
    """Return the texts of a pasted block, row by row, as `parse_block` parts them."""
    text = (
        _from_latex(text) or _from_lists(text) or _from_markdown(text) or _from_commas(text) or text
    )
    lines = re.split(r"\r\n|\r|\n", text.strip("\r\n"))
    separator = next((mark for mark in "\t;" if mark in text), None)
    if separator == ";":
        # Semicolons may end the lines as well.
        lines = [line.rstrip().removesuffix(";") for line in lines]
    return [line.split(separator) for line in lines]


def _without_latex(entry: str) -> str:
    """Return a number in LaTeX as it is typed: a power of ten, or a fraction of two numbers."""
    entry = " ".join(entry.strip().strip("$").split())  # many blanks would be tried in pairs
    if times := _TIMES(entry):
        return f"{times[1]}e{times[2]}"
    if fraction := _FRACTION(entry):
        sign, *parts = fraction.groups()
        return sign + (parts[0] or parts[1]).strip() + "/" + (parts[2] or parts[3]).strip()
    return entry


def _number(entry: str, row: int, column: int) -> float:
    try:
        return parse_number(_without_latex(entry))
    except NotANumber as wrong:
        raise _problem(entry, row, column, wrong) from None


def _problem(entry: str, row: int, column: int, wrong: NotANumber) -> Problem:
    place = {"text": displayable(entry.strip(), _LONGEST_QUOTE), "row": row, "column": column}
    if isinstance(wrong, Ambiguous):
        return Problem(
            N_(
                "“{text}” in row {row}, column {column} of the block may mean {numbers}: "
                "write it without a thousands separator."
            ),
            numbers=_(" or ").join(map(full_number, wrong.readings)),
            **place,
        )
    if isinstance(wrong, TooLarge):
        return Problem(
            N_(
                "“{text}” in row {row}, column {column} of the block is not a number between "
                "−1e50 and 1e50."
            ),
            **place,
        )
    if not entry.strip():
        return Problem(N_("Row {row}, column {column} of the block is empty."), **place)
    return Problem(
        N_("“{text}” in row {row}, column {column} of the block is not a number such as 0.5."),
        **place,
    )
