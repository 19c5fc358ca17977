"""The corpus: one sentence a line, all but the last word → the last word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from explorer.attention.arrays import read_only
from explorer.text import N_, Problem, displayable
from explorer.traces.spec import MOST_SAMPLES

DEFAULT_CORPUS = """\
cat likes fish
dog likes bone
bird likes worm
cat eats fish
dog eats bone
bird eats worm
"""
MOST_SENTENCES = 20_000
MOST_WORDS = 65  # of one sentence
MOST_VOCABULARY = 5000
LARGEST_TEXT = 4 * 10**6  # bytes of UTF-8, so that a trace's header stays readable at once

NO_TARGET = -100  # where nothing is to be predicted

Integers = NDArray[np.int32]
_LONGEST = 40  # of what cannot be, quoted
_PART = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_RANGE = re.compile(r"\s*[-\u2013\u2212]\s*")  # with a hyphen, a dash or a minus sign
_BETWEEN = re.compile(r"[\s,;\uff0c\u3001]+")


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
        """The first 64 lines, counted from 0: no more are recorded unless they are picked."""
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

    def following(self, samples: Sequence[int] | None = None) -> Integers:
        """Return the word after each place of some lines, or of all, (N, T) as `encoded` has them.

        `NO_TARGET` stands beyond a line's end.
        """
        tokens, lengths, targets = self.encoded(samples)
        after = np.full(tokens.shape, NO_TARGET, np.int32)
        real = np.arange(1, tokens.shape[1]) < lengths[:, None]
        after[:, :-1][real] = tokens[:, 1:][real]
        after[np.arange(len(lengths)), lengths - 1] = targets
        return read_only(after)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.vocabulary)}


def parse_samples(text: str, corpus: Corpus) -> tuple[int, ...] | None:
    """Return the picked lines of a corpus, ascending and counted from 0; None for the first 64.

    Parameters
    ----------
    text : str
        Numbers and ranges, counted from 1, both ends included: "1-10, 20". Empty for the first 64.

    Raises
    ------
    Problem
        One sentence: what is no number or range, which sentence there is not, or that they are
        too many.
    """
    picked: set[int] = set()
    count = len(corpus.lines)
    for part in filter(None, _BETWEEN.split(_RANGE.sub("-", text.strip()))):
        match = _PART.fullmatch(part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, -1)
        if match is None or (match[2] and last < first):
            raise Problem(
                N_("Recorded sentences must be numbers such as 1-10, 20, not “{text}”."),
                text=displayable(part, _LONGEST),
            )
        if first < 1 or last > count:
            raise Problem(
                N_("There is no sentence {number}: the corpus has sentences 1 to {count}."),
                number=first if first < 1 or first > count else last,
                count=count,
            )
        picked.update(range(first - 1, last))
    if len(picked) > MOST_SAMPLES:
        raise Problem(
            N_("At most {most} sentences can be recorded, but these are {found}."),
            most=MOST_SAMPLES,
            found=len(picked),
        )
    return tuple(sorted(picked)) or None


def samples_text(samples: Sequence[int] | None) -> str:
    """Return picked lines as they are typed: "1-10, 20"; empty for None."""
    parts = []
    for _offset, together in groupby(enumerate(samples or ()), lambda pair: pair[1] - pair[0]):
        run = [line + 1 for _place, line in together]
        parts.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}")
    return ", ".join(parts)
