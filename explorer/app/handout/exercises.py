"""What a step asks, as it is printed: what it starts from, tables to fill in, and the answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from explorer.app.handout.rows import Table
from explorer.app.lessons.asking import LARGER, SMALLER, asked
from explorer.app.lessons.hiding import PAIRS, with_equals
from explorer.lessons.lesson import printed_text, said_in
from explorer.lessons.readings import AnyFrame, address, number, shares, table_of
from explorer.lessons.schema import Edit, Fill, Predict, Quantity, Task, Watch
from explorer.session import Array, Frame, Scene, position_rows
from explorer.session.scene import PARAMETERS
from explorer.text import (
    N_,
    _,
    decimal_places,
    display_number,
    displayable,
    full_number,
    joined_long,
    labelled,
    language,
)
from explorer.traces.spec import LABELS

_MOST = 8  # rows and columns of a table that is printed
_DECIMALS = 3
_LONGEST_NAME = 12  # letters of a token's name

# What a number is computed from.
_FROM: dict[Quantity, tuple[Quantity, ...]] = {
    "X + P": ("X", "P"),
    "Q": ("X", "Wq", "bq"),
    "K": ("X", "Wk", "bk"),
    "V": ("X", "Wv", "bv"),
    "raw": ("Q", "K", "R"),
    "scores": ("Q", "K", "R"),
    "weights": ("scores",),
    "head output": ("weights", "V"),
    "output": ("head output", "Wo", "bo"),
}
OPTIONS = {
    "scale": N_("Scale"),
    "mask": N_("Mask"),
    "temperature": N_("Temperature"),
    "position": N_("Position, added to X"),
    "variant": N_("Mistake or simpler version"),
    "heads": N_("Heads"),
}
CHOICES = {
    "none": N_("none"),
    "sqrt_dk": "÷ √d",
    "causal": N_("Causal"),
    "sinusoidal": N_("Sinusoidal"),
}
_TITLES: dict[Quantity, str] = {
    "raw": "QKᵀ",
    "scores": "S",
    "weights": "A",
    "head output": "O",
    "output": "Y",
}
_PAIRS, _OF_KEYS = ("raw", "scores", "weights"), ("K", "V")
_INPUTS: tuple[Quantity, ...] = ("X", "Wq", "Wk", "Wv", "Wo")
_OF_TOKENS = ("X", "P", "X + P", "Q", "R", "head output", "output")


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


def predicted(predict: Predict, before: AnyFrame, after: AnyFrame) -> Exercise:
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
                choice=_(LARGER if new > old else SMALLER),
                old=display_number(old, _DECIMALS),
                new=display_number(new, _DECIMALS),
            )
        case "shape" | "choice" | "line":
            answer = asked(predict, before, after, "", language(), shown=True).right
        case _:
            answer = display_number(number(of, before), _DECIMALS)
            printed = None
            if isinstance(before, Frame):
                printed = _printed(before, of.value, of.head, address(of, before))
            if predict.text is None and printed is None:
                text = _("Which number is it? Write at least two decimals.")
            elif predict.text is None:
                text = _("Which number belongs in the framed cell? Write at least two decimals.")
            if printed is not None:
                sources, own = printed
                given, solved = (*sources, _emptied(own)), (own,)
    return Exercise(_("Predict"), text, question.choices, given, answer, solved)


def filled(fill: Fill, frame: Frame) -> Exercise:
    """Return a table to be filled in as an exercise. Raises Problem where it is not there."""
    printed = _printed(frame, fill.table, None)
    blank = frame.look.blank
    title, text = _("Fill in"), _("Fill in the empty cells, with at least two decimals.")
    if printed is None or blank is None:
        return Exercise(title, text, answer=_("as the program shows them"))
    sources, own = printed
    cells = None
    if blank.row is not None:
        values = frame.table(blank.table)
        cells = {(blank.row, column) for column in range(values.shape[1])}
        if blank.table in PAIRS:  # what equals them would give them away
            cells = with_equals(values, sorted(cells))
            cells |= {
                (veil.row, veil.column)
                for veil in frame.look.veils
                if veil.table is blank.table and veil.row is not None and veil.column is not None
            }
    empty = (*sources, _emptied(own, cells))
    solved = own if blank.row is None else replace(own, marked=(blank.row, None))
    return Exercise(title, text, tables=empty, solved=(solved,))


def set_task(task: Task) -> Exercise:
    """Return a task as an exercise: its answer is what solves it; the hint where paper cannot."""
    steps = [_said(edit) for edit in task.solution]
    answer = joined_long(steps) if all(steps) else said_in(language(), task.hint)
    return Exercise(_("Task"), printed_text(task), answer=answer)


def _said(edit: Edit) -> str:
    """Return an edit as it is done by hand; empty for those which the hint tells of."""
    if edit.stage is not None:
        return _("Choose {stage} in the chain").format(stage=edit.stage)
    if edit.run == "train":
        return _("Press Train and wait for the last epoch")
    if edit.run == "fork":
        return _("Fork here")
    if edit.parameter is not None and edit.to is not None:
        to = edit.to if isinstance(edit.to, str) else full_number(edit.to)
        return labelled(_(LABELS[edit.parameter]), displayable(to, 40))
    if edit.examine is not None and edit.examine.switch:
        return joined_long(map(_switched, edit.examine.switch))
    if edit.watch is not None:
        return _watched(edit.watch)
    if edit.option is not None and edit.to is not None:
        if isinstance(edit.to, str):
            chosen = _(CHOICES[edit.to]) if edit.to in CHOICES else displayable(edit.to, 40)
        else:
            chosen = display_number(edit.to, decimal_places(edit.to, _DECIMALS))
        return labelled(_(OPTIONS[edit.option]), chosen)
    if edit.set is None or not isinstance(edit.to, float):
        return ""
    row = edit.query or edit.key or edit.row
    places = ", ".join(str(place) for place in (row, edit.column) if place is not None)
    value = display_number(edit.to, decimal_places(edit.to, _DECIMALS))
    return f"{edit.set}({displayable(places, 40)}) = {value}"


def _switched(head: str) -> str:
    """Return that a head is switched off; it is named as in a lesson, such as "4.2"."""
    layer, _dot, number = head.partition(".")
    return _("Switch off layer {layer}, head {head}").format(layer=layer, head=number)


def _watched(watch: Watch) -> str:
    """Return where in a run one looks, such as "epoch 100; threshold 0.5"."""
    ends = {"first": N_("the first"), "last": N_("the last")}
    names = {
        "epoch": N_("Epoch"),
        "sample": N_("Sample"),
        "head": N_("Head"),
        "stage": N_("Stage"),
        "threshold": N_("Edge Threshold"),
    }
    told = []
    for key, name in names.items():
        value = getattr(watch, key)
        if value is not None:
            said = _(ends[value]) if value in ends else str(value)
            told.append(labelled(_(name), displayable(said, 40)))
    return joined_long(told)


_OF_PARTS = ("Q", "K", "V")


def _printed(
    frame: Frame, value: Quantity, head: int | None, marked: tuple[int, int] | None = None
) -> tuple[tuple[Table, ...], Table] | None:
    """Return the tables that a table comes from, and itself; None where they are too large.

    marked : its cell that is asked for
    """
    scene, options = frame.scene, frame.scene.options
    if value == "output" and scene.heads == 1 and scene.Wo is None:
        value = "head output"  # the same table: it is not given beside itself
    if value not in _FROM:
        return None
    normed = options.qk_norm is not None and options.rotary is None
    if value in _OF_PARTS and (scene.given or (normed and value != "V")):
        return None  # more is done to them than the tables beside them say
    placed = position_rows(scene) is not None and value in ("Q", "K", "V")
    names = ("X + P" if placed and name == "X" else name for name in _FROM[value])
    sources = [_table(name, frame, head) for name in names if _is_there(name, scene)]
    if value in _OF_KEYS and scene.context is not None:
        keys = tuple(map(_short, scene.key_tokens))
        across = _counted(scene.context.X.shape[1])
        sources[0] = Table("C", keys, across, _texts(scene.context.X))
    if value == "output" and scene.heads > 1:
        sources = []  # all heads side by side
    own = _table(value, frame, head, marked)
    return (tuple(sources), own) if all(map(_is_small, (*sources, own))) else None


def _is_there(name: Quantity, scene: Scene) -> bool:
    """Return whether a scene has a table: not all have W, biases or a position."""
    if name == "P":
        return position_rows(scene) is not None
    if name == "R":
        return scene.options.rotary is not None
    return name not in PARAMETERS or getattr(scene, name) is not None


def inputs(frame: Frame, names: Sequence[str]) -> list[Table]:
    """Return the tables of what can be changed, by the names of parts of the window."""
    wanted = _INPUTS if "inputs" in names else names
    there = [name for name in _INPUTS if name in wanted and _is_there(name, frame.scene)]
    made = [_table(name, frame, None) for name in there]
    return [table for table in made if _is_small(table)]


def _is_small(table: Table) -> bool:
    return max(len(table.rows), len(table.columns)) <= _MOST


def _table(
    value: Quantity, frame: Frame, head: int | None, marked: tuple[int, int] | None = None
) -> Table:
    """Return a table of the computation."""
    scene, values = frame.scene, table_of(value, frame, head)
    rows, columns = values.shape
    tokens, keys = (tuple(map(_short, names)) for names in (scene.tokens, scene.key_tokens))
    if value in _PAIRS:
        names, across = tokens, keys
    else:
        names = keys if value in _OF_KEYS else tokens if value in _OF_TOKENS else _counted(rows)
        across = _counted(columns)
    return Table(_TITLES.get(value, value), names, across, _texts(values), marked)


def _texts(values: Array) -> tuple[tuple[str, ...], ...]:
    finite = values[np.isfinite(values)]
    places = max((decimal_places(value, _DECIMALS) for value in finite.flat), default=1)
    # What is left over of a computation that gives 0 is 0 for whoever does it by hand.
    rounded = np.round(values, places)
    return tuple(tuple(display_number(value, places) for value in row) for row in rounded)


def _emptied(table: Table, cells: Collection[tuple[int, int]] | None = None) -> Table:
    """Return a table without its numbers, or without those of some cells."""
    empty = tuple(
        tuple(
            "" if cells is None or (row, column) in cells else text
            for column, text in enumerate(texts)
        )
        for row, texts in enumerate(table.cells)
    )
    return Table(table.title, table.rows, table.columns, empty, table.marked)


def _counted(count: int) -> tuple[str, ...]:
    return tuple(str(place) for place in range(1, count + 1))


def _short(name: str) -> str:
    return displayable(name, _LONGEST_NAME)
