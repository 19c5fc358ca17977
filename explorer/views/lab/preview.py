"""One of Train's views in a window of its own: `python -m explorer.views.lab.timeline [dark]`."""

from __future__ import annotations

import sys
from pathlib import Path

from explorer.resources import example
from explorer.session.lab import Cursor, LabFrame, Scalars, StepValues
from explorer.traces import Trace, TraceFile, fit_basis
from explorer.views.lab.base import LabView
from explorer.views.preview import show_alone


def sample_frame(trace: Trace) -> LabFrame:
    """Return a frame of a trace's seventh step, or of its last where it has fewer."""
    basis = trace.basis or (fit_basis(trace) if "param.embedding" in trace.names else None)
    step = min(6, trace.recorded - 1)
    scalars = [
        trace.scalars(name)
        for name in ("epoch", "loss", "accuracy")
        if f"scalar.{name}" in trace.names
    ]
    return LabFrame(
        trace=trace,
        recorded=trace.epochs,
        cursor=Cursor(step),
        values=StepValues(trace.step(step), 0, basis),
        basis=basis,
        scalars=Scalars(*scalars),
        last_epoch=int(trace.epochs[-1]),
        example=True,
    )


def preview(view_class: type[LabView]) -> None:
    """Show a view on a step of a trace (a file named, or the example); intents are printed."""
    named = [Path(word) for word in sys.argv[1:] if word.endswith(".safetensors")]
    trace = TraceFile(named[0] if named else example("tiny-transformer.safetensors"))
    show_alone(view_class, sample_frame(trace))
