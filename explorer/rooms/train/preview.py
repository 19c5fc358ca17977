"""One of Train's views in a window of its own: `python -m explorer.rooms.train.timeline [dark]`."""

from __future__ import annotations

import sys
from pathlib import Path

from explorer.kit.preview import show_alone
from explorer.resources import example
from explorer.rooms.train.base import TrainView
from explorer.session.train import Cursor, Scalars, StepValues, TrainFrame
from explorer.traces import Trace, TraceFile, fit_basis


def sample_frame(trace: Trace) -> TrainFrame:
    """Return a frame of a trace's seventh step, or of its last where it has fewer."""
    basis = trace.basis or (fit_basis(trace) if "param.embedding" in trace.names else None)
    step = min(6, trace.recorded - 1)
    scalars = [
        trace.scalars(name)
        for name in ("epoch", "loss", "accuracy")
        if f"scalar.{name}" in trace.names
    ]
    return TrainFrame(
        trace=trace,
        recorded=trace.epochs,
        cursor=Cursor(step),
        values=StepValues(trace.step(step), 0, basis),
        basis=basis,
        scalars=Scalars(*scalars),
        last_epoch=int(trace.epochs[-1]),
        example=True,
    )


def preview(view_class: type[TrainView]) -> None:
    """Show a view on a step of a trace (a file named, or the example); intents are printed."""
    named = [Path(word) for word in sys.argv[1:] if word.endswith(".safetensors")]
    trace = TraceFile(named[0] if named else example("tiny-transformer.safetensors"))
    show_alone(view_class, sample_frame(trace))
