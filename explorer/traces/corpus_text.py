"""A corpus as it stands in a text: a sentence a line, or a table of texts and targets."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from explorer.text import N_, displayable
from explorer.text.plain import LONGEST_NAME, is_token
from explorer.traces.corpus import (
    LARGEST_TEXT,
    MOST_SENTENCES,
    MOST_VOCABULARY,
    MOST_WORDS,
    Corpus,
    CorpusProblem,
)
from explorer.traces.files import read_text
from explorer.traces.splitting import Splitting, pieces

_COLUMNS = ("text", "target")


class _Row(NamedTuple):
    """A line of the text, counted from 1; of a table what is to be predicted too."""

    number: int
    text: str
    target: str | None


def parse_corpus(text: str, splitting: Splitting = Splitting()) -> Corpus:  # noqa: B008 (frozen)
    """Return the corpus in a text; empty lines are passed over.

    A text whose first line names columns, "text" and "target" among them, with commas or semicolons
    and no white space between, is a table (CSV): its targets are words, whatever tokens are.

    Raises
    ------
    CorpusProblem
        One sentence naming the line and the remedy.
    ConfigProblem
        The vocabulary of the splitting is too small for this text.
    """
    if len(text.encode(errors="surrogatepass")) > LARGEST_TEXT:
        raise CorpusProblem(
            None,
            N_("The corpus is larger than {most} MB: shorten it."),
            most=LARGEST_TEXT // 10**6,
        )
    rows = tuple(_rows(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")))
    if not rows:
        raise CorpusProblem(None, N_("The corpus is empty: type one sentence a line."))
    split = _split(rows, splitting)
    if splitting.context is not None:
        _check_words(rows, split)
        return Corpus(_contexts(rows, split, splitting.context))
    for row, words in zip(rows, split, strict=True):
        _check_length(row.number, words)
    _check_words(rows, split)
    if len(rows) > MOST_SENTENCES:
        raise CorpusProblem(
            rows[MOST_SENTENCES].number,
            N_("Line {line}: a corpus may have at most {most} sentences. Remove the others."),
            line=rows[MOST_SENTENCES].number,
            most=MOST_SENTENCES,
        )
    return Corpus(tuple(split))


def read_corpus_text(path: Path) -> str:
    """Return the text of a corpus file, for `parse_corpus`. Raises Problem."""
    return read_text(path, LARGEST_TEXT)


def _rows(text: str) -> Iterator[_Row]:
    lines = text.split("\n")
    names, mark = _header(lines[0])
    if names:
        yield from _table(lines, names, mark)
        return
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _Row(number, line, None)


def is_table(line: str) -> bool:
    """Return whether a first line names the columns that sentences are read from."""
    return bool(_header(line)[0])


def _header(line: str) -> tuple[list[str], str]:
    """Return the columns that a line names, and the mark between them; none of any other line."""
    if len(line.split()) != 1:
        return [], ""  # two words are a sentence
    for mark in ",;":
        names = [name.strip('"').lower() for name in line.strip().split(mark)]
        if set(_COLUMNS) <= set(names):
            return names, mark
    return [], ""


def _table(lines: Sequence[str], names: Sequence[str], mark: str) -> Iterator[_Row]:
    text, target = (names.index(name) for name in _COLUMNS)
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=mark, strict=True)
    number = 1
    try:
        next(reader)
        number = reader.line_num + 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if len(cells) <= max(text, target):
                    raise CorpusProblem(
                        number,
                        N_("Line {line} has {found} columns, but the first line names {wanted}."),
                        line=number,
                        found=len(cells),
                        wanted=len(names),
                    )
                yield _Row(number, cells[text], _target(number, cells[target]))
            number = reader.line_num + 1
    except csv.Error as error:
        raise CorpusProblem(
            number,
            N_("Line {line}: the table cannot be read ({reason})."),
            line=number,
            reason=displayable(str(error), 80),
        ) from None


def _target(number: int, cell: str) -> str:
    """Return the word in the column of targets. Raises CorpusProblem."""
    words = cell.split()
    if not words:
        raise CorpusProblem(number, N_("Line {line} has no target."), line=number)
    if len(words) > 1:
        raise CorpusProblem(
            number,
            N_("Line {line}: the target “{target}” must be one word, such as {word}."),
            line=number,
            target=displayable(cell.strip(), LONGEST_NAME),
            word=displayable("_".join(words), LONGEST_NAME),
        )
    return words[0]


def _split(rows: Sequence[_Row], splitting: Splitting) -> list[tuple[str, ...]]:
    """Return the tokens of each row, its target at the end. Raises Problem."""
    if splitting.tokens == "words":
        split: Iterable[Sequence[str]] = (row.text.split() for row in rows)
    else:
        texts = [" ".join(row.text.split()) for row in rows]
        _check_words(rows, [tuple(set(text)) for text in texts])
        if splitting.tokens == "pairs":
            split = pieces(texts, splitting.vocabulary)
        else:
            split = (text.replace(" ", "") for text in texts)
    ends = ((row.target,) if row.target is not None else () for row in rows)
    return [(*words, *end) for words, end in zip(split, ends, strict=True)]


def _contexts(
    rows: Sequence[_Row], split: Sequence[tuple[str, ...]], context: int
) -> tuple[tuple[str, ...], ...]:
    """Return the lines, one after the other, cut so that each token but the first is predicted.

    What is left at the end, less than a context, is left out.
    """
    if rows[0].target is not None:
        raise CorpusProblem(
            None,
            N_(
                "A table of texts and targets already has its sentences:"
                " leave Context Length empty."
            ),
        )
    tokens = tuple(token for words in split for token in words)
    if len(tokens) < 2:
        _check_length(rows[0].number, tokens)
    whole = (len(tokens) - 1) // context
    if whole > MOST_SENTENCES:
        raise CorpusProblem(
            None,
            N_(
                "The text has {found} contexts, but at most {most} are possible: choose a larger"
                " Context Length, or shorten the text."
            ),
            found=whole,
            most=MOST_SENTENCES,
        )
    return tuple(tokens[i * context : (i + 1) * context + 1] for i in range(max(whole, 1)))


def _check_length(number: int, words: Sequence[str]) -> None:
    if len(words) < 2:
        raise CorpusProblem(
            number,
            N_("Line {line} has one word, “{word}”: a sentence needs a word before its last."),
            line=number,
            word=displayable(words[0], LONGEST_NAME),
        )
    if len(words) > MOST_WORDS:
        raise CorpusProblem(
            number,
            N_(
                "Line {line} has {found} words, but at most {most} are possible: split it, or"
                " choose a Context Length."
            ),
            line=number,
            found=len(words),
            most=MOST_WORDS,
        )


def _check_words(rows: Sequence[_Row], split: Sequence[tuple[str, ...]]) -> None:
    """Raise a CorpusProblem at the first line with what is no token, or a word too many."""
    vocabulary: set[str] = set()
    for row, words in zip(rows, split, strict=True):
        for word in words:
            if word in vocabulary:
                continue
            if not is_token(word):
                raise CorpusProblem(
                    row.number,
                    N_(
                        "Line {line}: the word “{word}” must have 1 to {most} characters"
                        " and no control characters."
                    ),
                    line=row.number,
                    word=displayable(word, LONGEST_NAME),
                    most=LONGEST_NAME,
                )
            vocabulary.add(word)
        if len(vocabulary) > MOST_VOCABULARY:
            raise CorpusProblem(
                row.number,
                N_("Line {line}: a corpus may have at most {most} different words."),
                line=row.number,
                most=MOST_VOCABULARY,
            )
