"""The corpus: one sentence a line, all but the last word → the last word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.attention.arrays import read_only
from explorer.text import N_, Problem, displayable
from explorer.text.plain import LONGEST_NAME, is_token
from explorer.traces.files import open_file
from explorer.traces.spec import MOST_SAMPLES

DEFAULT_CORPUS = """\
cat likes fish
dog likes bone
bird likes worm
cat eats fish
dog eats bone
bird eats worm
"""
MOST_SENTENCES = 5000
MOST_WORDS = 64  # of one sentence
MOST_VOCABULARY = 5000
LARGEST_TEXT = 4 * 2**20  # bytes of UTF-8, so that a trace's header stays readable at once

Integers = NDArray[np.int32]


class CorpusProblem(Problem):
    """Something in a corpus that cannot be.

    Attributes
    ----------
    line : int or None
        The line of the text it stands in, counted from 1; None where it is the text as a whole.
    """

    def __init__(self, line: int | None, template: str, /, **args: object) -> None:
        super().__init__(template, **args)
        self.line = line


@dataclass(frozen=True)
class Corpus:
    """Sentences of words; the last word of each is what the others predict.

    Parameters
    ----------
    lines : tuple of tuple of str
        At least two words each.
    known : tuple of str
        The vocabulary of a model that was trained before, all words among it; empty for the
        words of the lines alone.
    room : int
        Tokens of a sentence that such a model has positions for.
    """

    lines: tuple[tuple[str, ...], ...]
    known: tuple[str, ...] = ()
    room: int = 0

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """Every word once, sorted by code points, or those that are known."""
        return self.known or tuple(sorted({word for line in self.lines for word in line}))

    @property
    def sentences(self) -> tuple[str, ...]:
        """The lines as a run keeps them: words separated by single spaces."""
        return tuple(" ".join(line) for line in self.lines)

    @property
    def longest(self) -> int:
        """Most words before the last of a sentence, or those that there is room for."""
        return max(self.room, max(map(len, self.lines)) - 1)

    @property
    def first_samples(self) -> tuple[int, ...]:
        """The lines that are recorded unless others are picked: the first 64, counted from 0."""
        return tuple(range(min(len(self.lines), MOST_SAMPLES)))

    def encode(self, words: Iterable[str]) -> tuple[int, ...]:
        """Return the words' places in the vocabulary. Raises KeyError for an unknown word."""
        return tuple(self._places[word] for word in words)

    def encoded(self, samples: Sequence[int] | None = None) -> tuple[Integers, Integers, Integers]:
        """Return tokens (N, T), lengths (N) and targets (N) of some lines, or of all.

        T is the longest of these lines without its last word, or `longest` where these are all;
        shorter ones are padded with 0.
        """
        chosen = self.lines if samples is None else [self.lines[i] for i in samples]
        lengths = np.array([len(line) - 1 for line in chosen], dtype=np.int32)
        width = self.longest if samples is None else int(lengths.max())
        tokens = np.zeros((len(chosen), width), dtype=np.int32)
        targets = np.zeros(len(chosen), dtype=np.int32)
        for i, line in enumerate(chosen):
            *tokens[i, : lengths[i]], targets[i] = self.encode(line)
        return read_only(tokens), read_only(lengths), read_only(targets)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.vocabulary)}


def parse_corpus(text: str, *, by_character: bool = False) -> Corpus:
    """Return the corpus in a text; empty lines are passed over.

    Parameters
    ----------
    by_character : bool
        Whether every character but white space is a word of its own (Chinese without spaces).

    Raises
    ------
    CorpusProblem
        One sentence naming the line and the remedy.
    """
    if len(text.encode(errors="surrogatepass")) > LARGEST_TEXT:
        raise CorpusProblem(
            None,
            N_("The corpus is larger than {most} MiB: shorten it."),
            most=LARGEST_TEXT // 2**20,
        )
    lines: list[tuple[str, ...]] = []
    vocabulary: set[str] = set()
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for number, line in enumerate(plain.split("\n"), start=1):
        words = tuple("".join(line.split()) if by_character else line.split())
        if not words:
            continue
        _check_line(number, words)
        lines.append(words)
        vocabulary.update(words)
        if len(lines) > MOST_SENTENCES:
            raise CorpusProblem(
                number,
                N_("Line {line}: a corpus may have at most {most} sentences. Remove the others."),
                line=number,
                most=MOST_SENTENCES,
            )
        if len(vocabulary) > MOST_VOCABULARY:
            raise CorpusProblem(
                number,
                N_("Line {line}: a corpus may have at most {most} different words."),
                line=number,
                most=MOST_VOCABULARY,
            )
    if not lines:
        raise CorpusProblem(None, N_("The corpus is empty: type one sentence a line."))
    return Corpus(tuple(lines))


def read_corpus_text(path: Path) -> str:
    """Return the text of a corpus file, for `parse_corpus`.

    Raises Problem naming the file: it cannot be read, is too large, or is no UTF-8 text.
    """
    with open_file(path) as file:
        if file.size > LARGEST_TEXT:
            raise Problem(
                N_("{file} is larger than {most} MiB, too large for a corpus: shorten it."),
                file=file.name,
                most=LARGEST_TEXT // 2**20,
            )
        data = file.read(0, file.size)
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Problem(
                N_("{file}: line {line} is no UTF-8 text: save the file as UTF-8."),
                file=file.name,
                line=data.count(b"\n", 0, error.start) + 1,
            ) from None


def _check_line(number: int, words: tuple[str, ...]) -> None:
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
            N_("Line {line} has {found} words, but at most {most} are possible: split it."),
            line=number,
            found=len(words),
            most=MOST_WORDS,
        )
    for word in words:
        if not is_token(word):
            raise CorpusProblem(
                number,
                N_(
                    "Line {line}: the word “{word}” must have 1 to {most} characters"
                    " and no control characters."
                ),
                line=number,
                word=displayable(word, LONGEST_NAME),
                most=LONGEST_NAME,
            )
