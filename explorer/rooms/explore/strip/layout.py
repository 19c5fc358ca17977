"""Where the strip's runs stand: columns dropped, names cut, sums folded until all fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from explorer.kit.text_runs import CAPTION, LINE, More, Run, Runs, Text
from explorer.rooms.explore.strip.section import (
    DROP_ADDS,
    DROP_SCALE,
    DROP_SELECTED,
    DROP_SOFTMAX,
    Section,
    Terms,
)
from explorer.text import _

_DROPS = (0, DROP_ADDS, DROP_SELECTED, DROP_SCALE, DROP_SOFTMAX)  # the first to be missed first
TIGHT = 15.0  # size of the lines' text where room is short, px at 100 %


class Placed(NamedTuple):
    """A run and its left end, in px from the strip's left."""

    run: Run
    x: float
    width: float


@dataclass(frozen=True)
class Column:
    """A section that found its place.

    Parameters
    ----------
    section : Section
    x, width : float
        In px from the strip's left.
    caption, line : tuple of Placed
    size : float
        Of the line's text, px at 100 %.
    row : int
        How many others stand above it.
    """

    section: Section
    x: float
    width: float
    caption: tuple[Placed, ...]
    line: tuple[Placed, ...]
    size: float = LINE
    row: int = 0


@dataclass(frozen=True)
class Measures:
    """The strip's measures, in px.

    Parameters
    ----------
    width : float
        Of the whole strip.
    margin : float
        Left and right of it.
    gap : float
        Between two columns; a hairline stands in its middle.
    scale : float
        Text scale, 1 at 100 %.
    compact : bool
        Whether the column that can best be missed is left out in any case.
    """

    width: float
    margin: float
    gap: float
    scale: float
    compact: bool


class _Effort(NamedTuple):
    """How far to go: letters of a name, columns dropped, terms kept, size of the text.

    Sums of up to `terms` terms are not folded; of longer ones at least the first and the last
    are shown, or none where `terms` is 0.
    """

    letters: int
    dropped: int
    terms: int
    size: float = LINE
    roomy: bool = False  # columns at their least width


_EFFORTS = (
    _Effort(24, 0, 4, roomy=True),
    _Effort(24, 0, 4),
    _Effort(24, 0, 4, TIGHT),
    _Effort(24, DROP_ADDS, 4),
    _Effort(12, DROP_ADDS, 4),
    _Effort(12, DROP_ADDS, 4, TIGHT),
    _Effort(12, DROP_SELECTED, 4),
    _Effort(12, DROP_SELECTED, 4, TIGHT),
    _Effort(12, DROP_SCALE, 4),
    _Effort(12, DROP_SCALE, 4, TIGHT),
    _Effort(12, DROP_SCALE, 2),
    _Effort(8, DROP_SCALE, 2, TIGHT),
    _Effort(6, DROP_SCALE, 0, TIGHT),
    _Effort(6, DROP_SOFTMAX, 2, TIGHT),
    _Effort(4, DROP_SOFTMAX, 0, TIGHT),
)


Measure = Callable[[Run, float], float]  # from a run and the size of its text to its width


def place(
    sections_of: Callable[[int], tuple[Section, ...]], room: Measures, measure: Measure
) -> tuple[Column, ...]:
    """Return the columns that found their place, with the least loss that makes them fit.

    Parameters
    ----------
    sections_of : callable
        From the longest name, in letters, to the sections.
    measure : callable
    """
    measure = _remembering(measure)
    sized: list[_Sized] = []
    before = _Effort(0, 0, 0)
    for effort in _EFFORTS:
        if (effort.letters, effort.size) != (before.letters, before.size):
            sized = [_sized(s, measure, effort.size) for s in sections_of(effort.letters)]
        before = effort
        if effort.terms == 0 and effort is not _EFFORTS[-1] and _are_short(sized):
            continue  # "all 2 terms" would say less than the softmax that it makes room for
        dropped = max(effort.dropped, DROP_ADDS if room.compact else 0)
        kept = [each for each in sized if not 0 < each.section.drop <= dropped] or sized[:1]
        sums, left = _fold(kept, room, measure, effort)
        if left >= 0:
            return _columns(kept, sums, room, measure, effort)
    columns = _columns(kept, sums, room, measure, effort)
    return tuple(_cut(columns, room, measure, effort.size))


def stack(
    sections_of: Callable[[int], tuple[Section, ...]], room: Measures, rows: int, measure: Measure
) -> tuple[Column, ...]:
    """Return the sections below one another, each with the least loss that makes it fit.

    rows : of more than so many sections those that can best be missed are left out
    """
    drops = [section.drop for section in sections_of(_EFFORTS[0].letters)]
    for dropped in _DROPS:
        kept = [n for n, drop in enumerate(drops) if not 0 < drop <= dropped]
        if len(kept) <= rows:
            break
    room = replace(room, compact=False)
    columns: list[Column] = []
    for row, n in enumerate(kept[:rows]):

        def alone(letters: int, n: int = n) -> tuple[Section, ...]:
            return sections_of(letters)[n : n + 1]

        columns += (replace(column, row=row) for column in place(alone, room, measure))
    return tuple(columns)


def _remembering(measure: Measure) -> Measure:
    """Return `measure` asked once for each run: every effort, and the places, ask again."""
    # By identity, since a run's hash takes as long as measuring it; the run is kept alive.
    known: dict[tuple[int, float], tuple[Run, float]] = {}

    def remembered(run: Run, size: float) -> float:
        found = known.get((id(run), size))
        if found is None:
            found = known[id(run), size] = run, measure(run, size)
        return found[1]

    return remembered


def _are_short(sized: list[_Sized]) -> bool:
    """Return whether no sum has more than two terms."""
    sums = [each.section.terms for each in sized]
    return all(terms is None or terms.count <= 2 for terms in sums)


class _Sized(NamedTuple):
    """A section, and the widths of its caption and of its line without the terms."""

    section: Section
    caption: float
    line: float

    def width(self, scale: float, terms: float = 0.0) -> float:
        """Return the column's width; `scale` is 0 where its least width does not count."""
        return max(self.caption, self.line + terms, self.section.width * scale)


def _sized(section: Section, measure: Measure, size: float) -> _Sized:
    line = _width((*section.before, *section.after), measure, size)
    return _Sized(section, _width(section.caption, measure, CAPTION), line)


def _fold(
    sized: list[_Sized], room: Measures, measure: Measure, effort: _Effort
) -> tuple[list[Runs], float]:
    """Return each section's terms, folded to the room that the rest leaves, and the room left."""
    scale = room.scale if effort.roomy else 0.0
    left = room.width - 2 * room.margin - room.gap * (len(sized) - 1)
    left -= sum(each.width(scale) for each in sized)
    sums: list[Runs] = []
    waiting = sum(each.section.terms is not None for each in sized)
    for each in sized:
        runs: Runs = ()
        if each.section.terms is not None and left >= 0:
            free = each.width(scale) - each.line  # below a caption wider than the line
            runs = _fitting_terms(each.section.terms, free + left / waiting, measure, effort)
            waiting -= 1
            left -= each.width(scale, _width(runs, measure, effort.size)) - each.width(scale)
        sums.append(runs)
    return sums, left


def _columns(
    sized: list[_Sized], sums: list[Runs], room: Measures, measure: Measure, effort: _Effort
) -> tuple[Column, ...]:
    """Return the sections side by side."""
    scale = room.scale if effort.roomy else 0.0
    columns = []
    x = room.margin
    for each, terms in zip(sized, sums, strict=True):
        section = each.section
        line = _in_a_row((*section.before, *terms, *section.after), x, measure, effort.size)
        caption = _in_a_row(section.caption, x, measure, CAPTION)
        width = each.width(scale, _width(terms, measure, effort.size))
        columns.append(Column(section, x, width, caption, line, effort.size))
        x += width + room.gap
    return tuple(columns)


def _fitting_terms(terms: Terms, width: float, measure: Measure, effort: _Effort) -> Runs:
    """Return all terms, or as many first ones as fit, a button, and the last.

    Where the terms have an order, the first ones are those of it, and the last is not shown.

    As many terms as the effort asks for are returned, whatever the width.
    """
    size = effort.size
    wanted = terms.count if terms.count <= effort.terms else min(effort.terms, 2)
    joint = _width(terms.joint_runs, measure, size)
    more = _more(terms)
    folded_width = measure(more, size) + joint
    groups: list[Runs] = []
    used = 0.0  # by the groups, with a joint after each
    fold_at = 0  # how many groups fit beside the button and the last term
    last: Runs | None = None
    last_width = 0.0
    for index in range(terms.count):
        group = terms.term(terms.order[index] if terms.order else index)
        used += _width(group, measure, size) + joint
        groups.append(group)
        if used - joint > width and index >= wanted:
            break
        if not terms.order and last is None and used + folded_width > width / 2:
            last = terms.term(terms.count - 1)
            last_width = _width(last, measure, size)
        if used + folded_width + last_width <= width:
            fold_at = index + 1
    fits = len(groups) == terms.count and used - joint <= width
    if fits or terms.count <= wanted:
        return _joined([terms.term(index) for index in range(terms.count)], terms)
    first = max(fold_at, wanted - 1)
    if first <= 0:
        return (more,)
    if terms.order:
        return _joined([*map(terms.term, sorted(terms.order[:first])), (more,)], terms)
    return _joined([*groups[:first], (more,), last or terms.term(terms.count - 1)], terms)


def _more(terms: Terms) -> More:
    return More(_("all {count} terms").format(count=terms.count))


def _joined(groups: Iterable[Runs], terms: Terms) -> Runs:
    runs: list[Run] = []
    for index, group in enumerate(groups):
        if index:
            runs.extend(terms.joint_runs)
        runs.extend(group)
    return tuple(runs)


def _cut(
    columns: tuple[Column, ...], room: Measures, measure: Measure, size: float
) -> Iterable[Column]:
    """Yield the columns without what lies beyond the strip, an ellipsis in its place."""
    end = room.width - room.margin
    for column in columns:
        if column.x >= end:
            return
        line = _cut_row(column.line, end, measure, size)
        caption = _cut_row(column.caption, end, measure, CAPTION)
        width = min(column.width, end - column.x)
        yield replace(column, width=width, caption=caption, line=line)


def _cut_row(
    row: tuple[Placed, ...], end: float, measure: Measure, size: float
) -> tuple[Placed, ...]:
    if not row or row[-1].x + row[-1].width <= end:
        return row
    ellipsis = Text("…", "ink2")
    width = measure(ellipsis, size)
    kept = [placed for placed in row if placed.x + placed.width <= end - width]
    x = kept[-1].x + kept[-1].width if kept else row[0].x
    return (*kept, Placed(ellipsis, x, width))


def _width(runs: Runs, measure: Measure, size: float) -> float:
    return sum(measure(run, size) for run in runs)


def _in_a_row(runs: Runs, x: float, measure: Measure, size: float) -> tuple[Placed, ...]:
    placed = []
    for run in runs:
        width = measure(run, size)
        placed.append(Placed(run, x, width))
        x += width
    return tuple(placed)
