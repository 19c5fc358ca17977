"""What a step asks, as it is printed: what it starts from, tables to fill in, and the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer.app.handout.rows import Table
from explorer.app.lessons.asking import LESS, MORE, asked
from explorer.lessons.lesson import said_in
from explorer.lessons.readings import address, number, shares, table_of
from explorer.lessons.schema import Edit, Predict, Quantity, Reading, Task
from explorer.session import Array, Frame, placed_rows, position_rows
from explorer.session.lab import LabFrame
from explorer.text import _, decimal_places, display_number, displayable, language

_MOST = 8  # rows and columns of a table that is printed
_DECIMALS = 3
_LONGEST_NAME = 12  # letters of a token's name

# What a number is computed from.
_FROM: dict[Quantity, tuple[Quantity, ...]] = {
    "Q": ("X", "Wq"),
    "K": ("X", "Wk"),
    "V": ("X", "Wv"),
    "raw": ("Q", "K"),
    "scores": ("Q", "K"),
    "weights": ("scores",),
    "head output": ("weights", "V"),
    "output": ("head output", "Wo"),
}
_TITLES: dict[Quantity, str] = {
    "raw": "QKᵀ",
    "scores": "S",
    "weights": "A",
    "head output": "O",
    "output": "Y",
}
_PAIRS, _OF_KEYS = ("raw", "scores", "weights"), ("K", "V")
_PROJECTIONS: tuple[Quantity, ...] = ("Wq", "Wk", "Wv")
_INPUTS: tuple[Quantity, ...] = ("X", *_PROJECTIONS, "Wo")
_OF_TOKENS = ("X", "P", "X + P", "Q", "head output", "output")


@dataclass(frozen=True)
class Exercise:
    """A prediction or a task.

    Parameters
    ----------
    title : str
    text : str
    choices : tuple of str
        To choose from; empty where something is written.
    tables : tuple of Table
        What the asked number comes from, and the table that it belongs to, empty.
    answer : str
    solved : tuple of Table
        That table with its numbers.
    """

    title: str
    text: str
    choices: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    answer: str = ""
    solved: tuple[Table, ...] = ()


def predicted(predict: Predict, before: Frame | LabFrame, after: Frame | LabFrame) -> Exercise:
    """Return a prediction as an exercise. Raises Problem where it names what is not there.

    before, after : without and with the edits that it is about
    """
    question = asked(predict, before, after, "", language())
    text, of = question.text, predict.of
    given: tuple[Table, ...] = ()
    solved: tuple[Table, ...] = ()
    match predict.ask:
        case "most":
            names, found = shares(of, before)
            best = int(np.argmax(found))
            share = display_number(found[best], _DECIMALS)
            answer = _("{key}, with {weight}").format(key=_short(names[best]), weight=share)
        case "change":
            old, new = number(of, before), number(of, after)
            answer = _("{choice}: from {old} to {new}").format(
                choice=_(MORE if new > old else LESS),
                old=display_number(old, _DECIMALS),
                new=display_number(new, _DECIMALS),
            )
        case _:
            answer = display_number(number(of, before), _DECIMALS)
            printed = _printed(before, of) if isinstance(before, Frame) else None
            if predict.text is None and printed is None:
                text = _("Which number is it? Write at least two decimals.")
            elif predict.text is None:
                text = _("Which number belongs into the framed cell? Write at least two decimals.")
            if printed is not None:
                sources, own = printed
                given, solved = (*sources, _emptied(own)), (own,)
    return Exercise(_("Predict"), text, question.choices, given, answer, solved)


def set_task(task: Task) -> Exercise:
    """Return a task as an exercise: its answer is the hint, and the numbers that solve it."""
    steps = filter(None, map(_said, task.solution))
    answer = " ".join([said_in(language(), task.hint), "; ".join(steps)]).strip()
    return Exercise(_("Task"), said_in(language(), task.text), answer=answer)


def _said(edit: Edit) -> str:
    """Return an edit of a number as an equation; empty for others, which the hint tells of."""
    if edit.set is None or not isinstance(edit.to, float):
        return ""
    row = edit.query or edit.key or edit.row
    places = ", ".join(str(place) for place in (row, edit.column) if place is not None)
    value = display_number(edit.to, decimal_places(edit.to, _DECIMALS))
    return f"{edit.set}({displayable(places, 40)}) = {value}"


def _printed(frame: Frame, of: Reading) -> tuple[tuple[Table, ...], Table] | None:
    """Return the tables that a number comes from, and its own; None where they are too large."""
    if of.value not in _FROM:
        return None
    scene = frame.scene
    sources = [_table(name, frame, of.head) for name in _FROM[of.value] if _is_there(name, frame)]
    if of.value in _OF_KEYS and scene.context is not None:
        keys = tuple(map(_short, scene.key_tokens))
        across = _counted(scene.context.X.shape[1])
        sources[0] = Table("C", keys, across, _texts(scene.context.X))
    own = _table(of.value, frame, of.head, address(of, frame))
    return (tuple(sources), own) if all(map(_is_small, (*sources, own))) else None


def _is_there(name: Quantity, frame: Frame) -> bool:
    """Return whether a scene has what a number comes from: without projections it has no W."""
    if name == "Wo":
        return frame.scene.Wo is not None
    return frame.scene.projected or name not in _PROJECTIONS


def inputs(frame: Frame, names: Sequence[str]) -> list[Table]:
    """Return the tables of what can be changed, by the names of parts of the window."""
    wanted = ("X", "Wq", "Wk", "Wv", "Wo") if "inputs" in names else names
    there = [name for name in _INPUTS if name in wanted and _is_there(name, frame)]
    made = [_table(name, frame, None) for name in there]
    return [table for table in made if _is_small(table)]


def _is_small(table: Table) -> bool:
    return max(len(table.rows), len(table.columns)) <= _MOST


def _table(
    value: Quantity, frame: Frame, head: int | None, marked: tuple[int, int] | None = None
) -> Table:
    """Return a table of the computation."""
    scene, values = frame.scene, table_of(value, frame, head)
    if value == "X":
        values = placed_rows(scene)
    rows, columns = values.shape
    tokens, keys = (tuple(map(_short, names)) for names in (scene.tokens, scene.key_tokens))
    if value in _PAIRS:
        names, across = tokens, keys
    else:
        names = keys if value in _OF_KEYS else tokens if value in _OF_TOKENS else _counted(rows)
        across = _counted(columns)
    title = "X + P" if value == "X" and position_rows(scene) is not None else value
    return Table(_TITLES.get(value, title), names, across, _texts(values), marked)


def _texts(values: Array) -> tuple[tuple[str, ...], ...]:
    finite = values[np.isfinite(values)]
    places = max((decimal_places(value, _DECIMALS) for value in finite.flat), default=1)
    return tuple(tuple(display_number(value, places) for value in row) for row in values)


def _emptied(table: Table) -> Table:
    empty = tuple(("",) * len(row) for row in table.cells)
    return Table(table.title, table.rows, table.columns, empty, table.marked)


def _counted(count: int) -> tuple[str, ...]:
    return tuple(str(place) for place in range(1, count + 1))


def _short(name: str) -> str:
    return displayable(name, _LONGEST_NAME)
