"""What a lesson hides on a page because a later page, or this one, asks it."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from explorer.app.lessons.tables import after_edits
from explorer.lessons.lesson import Lesson
from explorer.lessons.readings import address, number, table_of
from explorer.lessons.schema import Predict, Step
from explorer.lessons.steps import frame_as_of, kind_of, scene_named
from explorer.session import Frame, Stage, Veil
from explorer.text import Problem

PAIRS = (Stage.S, Stage.A)
_STAGES = {
    "P": Stage.P,
    "X + P": Stage.P,
    "Q": Stage.Q,
    "K": Stage.K,
    "V": Stage.V,
    "R": Stage.R,
    "raw": Stage.S,
    "scores": Stage.S,
    "weights": Stage.A,
    "head output": Stage.O,
}


def veils(lesson: Lesson, place: int, known: Collection[int] = ()) -> frozenset[Veil]:
    """Return what a page of a lesson hides: what it and later ones ask of the scene it shows.

    Left out is what the page's step teaches. A page that cannot be shown asks nothing.

    Parameters
    ----------
    known : collection of int
        The pages whose questions were answered.
    """
    step, scene = lesson.steps[place], scene_named(lesson, place)
    if not isinstance(step, Step) or scene is None:
        return frozenset()
    try:
        here = frame_as_of(lesson, place)
    except Problem:
        return frozenset()
    found: set[Veil] = set()
    for later in range(place, len(lesson.steps)):
        own = later == place and step.fill is not None  # the blank table hides its own
        if own or later in known or scene_named(lesson, later) != scene:
            continue
        try:
            found |= asked_by(lesson, later, here)
        except Problem:
            continue
    return frozenset(veil for veil in found if veil.table not in step.teaches)


def answers_above(lesson: Lesson, place: int) -> frozenset[Veil]:
    """Return the cells in which a page shows the numbers that earlier ones ask of its scene.

    On paper they would stand below the question. Raises Problem where the page cannot be shown.
    """
    here, scene = frame_as_of(lesson, place), scene_named(lesson, place)
    found: set[Veil] = set()
    for earlier in range(place):
        step = lesson.steps[earlier]
        predict = step.predict if isinstance(step, Step) else None
        if predict is None or predict.ask != "value" or scene_named(lesson, earlier) != scene:
            continue
        stage = _STAGES.get(predict.of.value)
        if stage not in PAIRS:
            continue
        try:
            frame = frame_as_of(lesson, earlier)
            row, column = address(predict.of, frame)
            tables = [table_of(predict.of.value, each, predict.of.head) for each in (frame, here)]
        except Problem:
            continue
        asked, shown = tables
        if asked.shape == shown.shape and asked[row, column] == shown[row, column]:
            found |= {Veil(stage, *cell) for cell in with_equals(shown, [(row, column)])}
    return frozenset(found)


_CURVES = ("loss", "accuracy")  # what the timeline shows of all epochs at once


def veils_curves(lesson: Lesson, place: int, known: Collection[int] = ()) -> bool:
    """Return whether the curves of a page's run end at the playhead.

    They do where this page asks what comes after it, or a later one of the same run.

    Parameters
    ----------
    known : collection of int
        The pages whose questions were answered.
    """
    for later in range(place, len(lesson.steps)):
        step = lesson.steps[later]
        if kind_of(lesson, later) != "trace" or (
            isinstance(step, Step) and later > place and step.trace
        ):
            return False
        if not isinstance(step, Step) or later in known or step.predict is None:
            continue
        if step.predict.ask == "change" and step.predict.of.value in _CURVES:
            return True
    return False


def asked_by(lesson: Lesson, place: int, here: Frame) -> set[Veil]:
    """Return what a step asks, as it would be seen in a frame of the same scene. Raises Problem.

    With a score or a weight go the cells that equal it: its mirror image, and those with the same
    digits from three on; with a weight the rest of its row, since a row's sum is 1.
    """
    step = lesson.steps[place]
    if not isinstance(step, Step) or (step.predict, step.fill) == (None, None):
        return set()
    frame = frame_as_of(lesson, place)
    if step.predict is not None:
        return _predicted(step.predict, frame, here)
    blank = frame.look.blank
    assert blank is not None
    if blank.table not in PAIRS or blank.row is None:
        return {Veil(blank.table)}
    values = frame.table(blank.table)
    cells = [(blank.row, column) for column in range(values.shape[1])]
    return {Veil(blank.table, *cell) for cell in with_equals(values, cells)}


def _predicted(predict: Predict, frame: Frame, here: Frame) -> set[Veil]:
    of = predict.of
    if not predict.hides:
        return set()
    if predict.ask == "most":
        return {Veil(Stage.S)}
    stage = _STAGES.get(of.value)
    if of.value == "output":
        scene = frame.scene
        stage = Stage.Y if scene.Wo is not None else Stage.C if scene.heads > 1 else Stage.O
    if stage is None:
        return set()  # what is given, or of a trace
    if predict.ask == "shape":
        return {Veil(stage, shape=True)}
    if stage not in PAIRS:
        return {Veil(stage)}
    row, column = address(of, frame)
    if predict.ask == "change":
        after = number(of, after_edits(predict.by, frame))
        same = _digits(number(of, here)) == _digits(after)
        cells = {(row, column)} if same else set()
    else:
        cells = with_equals(table_of(of.value, frame, of.head), [(row, column)])
    if stage is Stage.A:
        cells = _with_their_rows(table_of(of.value, frame, of.head), cells)
    return {Veil(stage, *cell) for cell in cells}


def _with_their_rows(weights: np.ndarray, cells: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return cells of A with all others of their rows that are not masked."""
    rows = {row for row, _column in cells}
    whole = {(row, column) for row in rows for column in np.flatnonzero(weights[row]).tolist()}
    return cells | whole


def with_equals(values: np.ndarray, cells: list[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return cells of a table, and with them those that would give them away."""
    found = set(cells)
    for row, column in cells:
        digits = _digits(float(values[row, column]))
        for other in np.ndindex(*values.shape):
            alike = other == (column, row) or _counted(digits) >= 3
            if alike and _digits(float(values[other])) == digits:
                found.add(other)
    return found


def _digits(value: float) -> str:
    """Return a number's first three digits that count."""
    return f"{value + 0.0:.2e}"


def _counted(digits: str) -> int:
    """Return how many digits of a number count: of 6.20e-01 two."""
    return len(digits.partition("e")[0].replace("-", "").replace(".", "").rstrip("0"))
