"""Which sentences of a corpus a run records, as they are typed: by their numbers, from 1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from explorer.text import N_, Problem, displayable
from explorer.traces.corpus import Corpus
from explorer.traces.spec import MOST_SAMPLES

_LONGEST = 40  # of what cannot be, quoted
_PART = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_RANGE = re.compile(r"\s*[-\u2013\u2212]\s*")  # with a hyphen, a dash or a minus sign
_BETWEEN = re.compile(r"[\s,;\uff0c\u3001]+")


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
