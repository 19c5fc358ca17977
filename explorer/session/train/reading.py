"""What a trace shows at a cursor, and what is fitted to the whole of it: read, never kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from explorer.attention import Projection
from explorer.session.train.frame import Cursor, Playback, Scalars, TrainFrame
from explorer.session.train.values import StepValues
from explorer.text import Message, Problem
from explorer.traces import BadStep, Trace, as_kept, fit_basis
from explorer.traces.basis import MOST_STEPS as MOST_FITTED


def looking(
    frame: TrainFrame, before: TrainFrame, cursor: Cursor, playback: Playback
) -> TrainFrame:
    """Return the frame at a cursor; where its step cannot be read, the last good one stays."""
    trace = frame.trace
    if trace is None:
        return replace(frame, playback=playback)
    same = (
        before.values is not None
        and before.values.step.trace is trace
        and (before.cursor.step, before.cursor.layer) == (cursor.step, cursor.layer)
        and before.basis is frame.basis
        and before.bad is None
    )
    try:
        values = before.values if same else read(trace, cursor, frame.basis)
        after = None
        if playback.between and cursor.step + 1 < len(frame.recorded):
            after = before.following_values
            if after is None or after.step.index != cursor.step + 1:
                after = read(trace, replace(cursor, step=cursor.step + 1), frame.basis)
        bad = None
    except Problem as problem:
        values, after, bad = before.values, None, problem.message
    return replace(
        frame,
        cursor=cursor,
        values=values,
        following_values=after,
        bad=bad,
        layout=frame.layout if same else None,
        playback=playback,
    )


def read(trace: Trace, cursor: Cursor, basis: Projection | None) -> StepValues:
    """Return the values at a cursor, read so far as every view needs them. Raises Problem."""
    values = StepValues(trace.step(cursor.step), cursor.layer, basis)
    _ = values.weights, values.probabilities, values.points
    return values


def last_good(
    trace: Trace, cursor: Cursor, basis: Projection | None
) -> tuple[StepValues, Message | None]:
    """Return the values at a cursor; else those of the last good step before, and why not.

    Raises Problem where there is none, or where the file cannot be read.
    """
    first: BadStep | None = None
    for step in range(cursor.step, -1, -1):
        try:
            values = read(trace, replace(cursor, step=step), basis)
        except BadStep as problem:
            first = first or problem
        else:
            return values, first.message if first else None
    assert first is not None
    raise first


def within(cursor: Cursor, trace: Trace, recorded: int | None = None) -> Cursor:
    """Return the nearest cursor that there is in a trace."""
    heads, layers = trace.sizes.get("H", 1), trace.sizes.get("L", 1)
    steps = trace.recorded if recorded is None else recorded
    head = cursor.head
    return Cursor(
        step=min(max(cursor.step, 0), max(0, steps - 1)),
        sample=min(max(cursor.sample, 0), len(trace.lengths) - 1),
        layer=min(max(cursor.layer, 0), layers - 1),
        head=None if head is None else min(max(head, 0), heads - 1),
    )


def fitted_basis(
    trace: Trace,
    previous: Projection | None,
    most_steps: int = MOST_FITTED,
    *,
    live: bool = False,
) -> Projection | None:
    """Return the word graph's axes; None where the trace says nothing of where words are.

    live : whether the run is going on, so that they are fitted in little time
    """
    if "param.embedding" not in trace.names or not trace.recorded:
        return None
    try:
        return as_kept(fit_basis(trace, previous, most_steps=most_steps, live=live))
    except Problem:
        return previous


def scalars_of(trace: Trace) -> Scalars:
    """Return what is known of each epoch; NaN where it is not recorded."""

    def column(name: str, length: int | None = None) -> Any:
        if f"scalar.{name}" not in trace.names:
            return np.full(length or 0, np.nan)
        return trace.scalars(name)

    epochs = column("epoch")
    names = ("loss", "accuracy", "gradient")
    return Scalars(epochs, *(column(name, len(epochs)) for name in names))
