"""A results table that was filled in by hand, marked cell by cell, with the likely mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from explorer.lessons.mistakes import Pick, after_heads, mean_weights, of_head, side_by_side
from explorer.lessons.predictions import Answer, Cell, answer, explained, likely_mistakes
from explorer.session import Blank, Frame, Look, Stage
from explorer.session.blanks import blank_cells
from explorer.session.lesson import Marking, Verdict
from explorer.text import NotANumber, _, in_a_row, joined, ngettext


def marking(frame: Frame) -> Marking:
    """Return what becomes of the table that is filled in; nothing before it was checked.

    Compared is what the scene gives now, whatever it gave when the table was checked.
    """
    blank = frame.look.blank
    if blank is None:
        return Marking()
    version = frame.look.version(blank.table)
    if version not in blank.asked:
        return Marking()
    now, checked = blank.texts(version), blank.checked_texts(version)
    values = frame.table(blank.table)
    verdicts: dict[Cell, Verdict] = {}
    wrong: dict[Cell, Answer] = {}
    for cell in blank_cells(frame):
        if now.get(cell, "") != checked.get(cell, ""):
            continue  # typed anew since
        if cell not in now:
            verdicts[cell] = Verdict.OPEN
            continue
        given = _answer(now[cell])
        right = given is not None and given.fits(float(values[cell]), blank.within)
        verdicts[cell] = Verdict.RIGHT if right else Verdict.WRONG
        if given is not None and not right:
            wrong[cell] = given
    return Marking(verdicts, in_a_row([_counted(verdicts), *_mistakes(frame, blank, wrong)]))


def _answer(text: str) -> Answer | None:
    try:
        return answer(text)
    except NotANumber:
        return None


def _counted(verdicts: Mapping[Cell, Verdict]) -> str:
    """Return how many cells are right, wrong and empty; those of which there are none unsaid."""
    found = Counter(verdicts.values())
    right, wrong, empty = (found[each] for each in (Verdict.RIGHT, Verdict.WRONG, Verdict.OPEN))
    if verdicts and right == len(verdicts):
        return _("All correct.")
    said = [ngettext("{count} right", "{count} right", right).format(count=right)]
    if wrong:
        said.append(ngettext("{count} wrong", "{count} wrong", wrong).format(count=wrong))
    if empty:
        said.append(ngettext("{count} empty", "{count} empty", empty).format(count=empty))
    return _("{counted}.").format(counted=joined(said))


def _mistakes(frame: Frame, blank: Blank, wrong: Mapping[Cell, Answer]) -> list[str]:
    if not wrong:
        return []
    pick = _pick(frame.look, blank.table)
    if pick is not None:
        found = likely_mistakes(frame, pick, wrong)
    else:
        found = explained(frame.table(blank.table), (), wrong)
    return [str(message) for message in found]


def _pick(look: Look, table: Stage) -> Pick | None:
    """Return what picks a table that is made of scores; None for those before."""
    match table:
        case Stage.S:
            return of_head("scores" if look.scaled else "raw", look.head)
        case Stage.A:
            return mean_weights if look.average else of_head("weights", look.head)
        case Stage.O:
            return of_head("head_output", look.head)
        case Stage.C:
            return side_by_side
        case Stage.Y:
            return after_heads
        case _:
            return None
