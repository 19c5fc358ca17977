"""Numbers of a frame by the names a lesson gives them, and checks of them."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

import numpy as np

from explorer.lessons.models import is_examined, model_number, model_shares
from explorer.lessons.runs import (
    is_fork_finished,
    is_own_finished,
    is_watched,
    run_number,
    run_shares,
)
from explorer.lessons.schema import Check, Quantity, Reading
from explorer.lessons.tokens import named, named_place, token_place
from explorer.session import Array, Frame, Space, placed_rows, position_rows
from explorer.session.frame import of_head
from explorer.session.model.frame import ModelFrame
from explorer.session.train import TrainFrame
from explorer.text import N_, Problem

AnyFrame = Frame | TrainFrame | ModelFrame
_OPS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ROWS_OF_KEYS = ("K", "V")
_PAIRS = ("raw", "scores", "weights")
_OF_TOKENS = ("X", "P", "X + P", "Q", "R", "output", "head output")


def number(reading: Reading | Check, frame: AnyFrame) -> float:
    """Return the number that is meant. Raises Problem where what is shown has none."""
    assert reading.value is not None
    if isinstance(frame, TrainFrame):
        return run_number(reading, frame)
    if isinstance(frame, ModelFrame):
        return model_number(reading, frame)
    array = table_of(reading.value, frame, reading.head)
    row, column = address(reading, frame)
    if not (row < array.shape[0] and column < array.shape[1]):
        raise Problem(
            N_("{value} has {rows} rows and {columns} columns, so none at row {row}, {column}."),
            value=reading.value,
            rows=array.shape[0],
            columns=array.shape[1],
            row=row + 1,
            column=column + 1,
        )
    return float(array[row, column])


def address(reading: Reading | Check, frame: Frame) -> tuple[int, int]:
    """Return the row and the column, from 0, in the table that is meant. Raises Problem."""
    value, scene = reading.value, frame.scene
    assert value is not None
    if value in _PAIRS:
        row = named_place(reading, "query", scene.tokens)
        return row, named_place(reading, "key", scene.key_tokens)
    column = named(reading.column, "column", value) - 1
    if value in _ROWS_OF_KEYS:
        return named_place(reading, "key", scene.key_tokens), column
    if value in _OF_TOKENS:
        return named_place(reading, "query", scene.tokens), column
    row = 1 if value.startswith("b") else named(reading.row, "row", value)
    return row - 1, column


def shares(reading: Reading, frame: AnyFrame) -> tuple[tuple[str, ...], Array]:
    """Return the tokens among which something is shared, and the share of each. Raises Problem."""
    if isinstance(frame, TrainFrame):
        return run_shares(reading, frame)
    if isinstance(frame, ModelFrame):
        return model_shares(reading, frame)
    query = token_place(reading.query or 1, frame.scene.tokens)
    value = reading.value if reading.value in _PAIRS else "weights"
    return frame.scene.key_tokens, table_of(value, frame, reading.head)[query]


def missed(check: Check, frame: AnyFrame) -> tuple[str, float] | None:
    """Return the name and the value of the first number for which a check does not hold.

    None where it is about something else than numbers.
    """
    for each in check.all or check.any or ():
        if not holds(each, frame):
            return missed(each, frame)
    return None if check.value is None else (check.value, number(check, frame))


def holds(check: Check, frame: AnyFrame) -> bool:
    """Return whether a check holds. Raises Problem where it names what is not there."""
    if check.all is not None or check.any is not None:
        # Every one is looked at, so that a wrong name does not hide behind another's answer.
        found = [holds(each, frame) for each in (check.all or check.any or ())]
        return all(found) if check.all is not None else any(found)
    if check.stage is not None:
        return frame.look.stage is check.stage
    if isinstance(frame, TrainFrame):
        if check.run is not None:
            forked = check.run == "forked"
            return is_fork_finished(frame) if forked else is_own_finished(frame)
        if check.watch is not None:
            return is_watched(check.watch, frame)
    elif isinstance(frame, ModelFrame):
        if check.examine is not None:
            return is_examined(check.examine, frame)
    elif check.option is not None:
        return _option_is(check, frame)
    if check.value is None:
        raise Problem(
            N_("A check names a value, a stage, several checks, or {more}."),
            more={TrainFrame: "watch, run", ModelFrame: "examine"}.get(type(frame), "option"),
        )
    if check.op is None or check.than is None:
        raise Problem(N_('A check of a value needs "op" and "than".'))
    value = number(check, frame)
    than = number(check.than, frame) if isinstance(check.than, Reading) else float(check.than)
    same = math.isclose(value, than, rel_tol=0.0, abs_tol=check.within)
    if check.op in ("==", "!="):
        return same is (check.op == "==")
    return _OPS[check.op](value, than)


def _option_is(check: Check, frame: Frame) -> bool:
    option, wanted = check.option, check.is_
    if wanted is None:
        raise Problem(N_('A check of an option needs "is".'))
    if option == "heads":
        return bool(frame.scene.heads == wanted)
    found = getattr(frame.scene.options, str(option))
    if isinstance(found, np.ndarray):
        return wanted == "own"
    if isinstance(found, str) or isinstance(wanted, str):
        return str(found) == wanted
    return math.isclose(found, wanted, rel_tol=1e-9)


def table_of(value: Quantity, frame: Frame, head: int | None) -> Array:
    """Return a table of one head, the shown one by default, always with rows and columns.

    Raises Problem where the scene has it not.
    """
    scene, result = frame.scene, frame.attention
    which = frame.look.head if head is None else head - 1
    if which >= result.heads:
        raise Problem(
            N_("There is no head {head}: the last is {count}."), count=result.heads, head=head
        )
    found: Array | None
    match value:
        case "X":
            found = scene.X
        case "P":
            found = position_rows(scene)
        case "X + P":
            found = placed_rows(scene)
        case "output":
            found = result.output
        case "head output":
            found = result.of_head(which).head_output
        case "R":
            found = None if scene.options.rotary is None else frame.angles
        case "Q" | "K" | "V":
            found = of_head(result, Space(value), which, turned=False)
        case "raw" | "scores" | "weights":
            found = getattr(result.of_head(which), value)
        case "Wo" | "bo":
            found = getattr(scene, value)
        case _:
            blocks = scene.per_head(value)
            found = None if blocks is None else blocks[which]
    if found is None:
        raise Problem(N_("This scene has no {value}."), value=value)
    return np.atleast_2d(found)
