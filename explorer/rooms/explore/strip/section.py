"""The strip's columns as values: a caption above a line, and how they read as plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from explorer.kit.text_runs import Runs, Text, plain
from explorer.text.numbers import MINUS

# Which columns go first where room is short; 0 stays.
DROP_ADDS, DROP_SCALE, DROP_SELECTED, DROP_SOFTMAX = 1, 2, 3, 4


@dataclass(frozen=True)
class Terms:
    """The terms of a sum, made only when asked for.

    Parameters
    ----------
    count : int
    term : callable
        From the place of a term, counted from 0, to its runs.
    joint : str
        What stands between two terms.
    """

    count: int
    term: Callable[[int], Runs]
    joint: str = " + "

    @property
    def joint_runs(self) -> Runs:
        """What stands between two terms, as runs."""
        return (Text(self.joint, "ink2"),)


@dataclass(frozen=True)
class Section:
    """One column of the strip: a caption above a line.

    Parameters
    ----------
    caption, before : tuple of Run
    terms : Terms or None
        Follow `before`; all of them, or the first and last around a button.
    after : tuple of Run
    drop : int
        One of the DROP numbers: in which order columns go where room is short.
    width : int
        The least width where there is room, px at 100 %.
    """

    caption: Runs
    before: Runs
    terms: Terms | None = None
    after: Runs = ()
    drop: int = 0
    width: int = 0


def text_of(sections: Iterable[Section], most: int | None = None) -> str:
    """Return sections as plain text with ASCII minus, one a line; sums fold beyond `most` terms."""
    lines = []
    for section in sections:
        line = plain((*section.before, *_folded(section.terms, most), *section.after))
        caption = plain(section.caption)
        lines.append(f"{caption}: {line}" if caption else line)
    return "\n".join(lines)


def all_terms(section: Section) -> str:
    """Return a section for reading on screen: each term on a line of its own, then the sum."""
    rows = [plain(section.before, MINUS)] if section.before else []
    if section.terms is not None:
        joint = section.terms.joint.strip()
        for place in range(section.terms.count):
            row = plain(section.terms.term(place), MINUS)
            rows.append(f"{joint} {row}" if place and joint == "+" else row)
    if section.after:
        rows.append(plain(section.after, MINUS))
    return "\n".join(rows)


def _folded(terms: Terms | None, most: int | None) -> Runs:
    if terms is None:
        return ()
    if most is None or terms.count <= most:
        groups = [terms.term(place) for place in range(terms.count)]
    else:
        groups = [terms.term(place) for place in range(most - 1)]
        groups += [(Text("…"),), terms.term(terms.count - 1)]
    joined = (
        group if not place else terms.joint_runs + group for place, group in enumerate(groups)
    )
    return sum(joined, ())
