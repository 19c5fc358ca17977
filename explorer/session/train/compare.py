"""In what two frames of Train differ: what views are told."""

from __future__ import annotations

from dataclasses import replace

from explorer.session.look import Selection
from explorer.session.train.frame import Cursor, Progress, TrainChange, TrainFrame, TrainLook
from explorer.traces import Config, Splitting

_FIELDS: tuple[tuple[TrainChange, tuple[str, ...]], ...] = (
    (TrainChange.TRACE, ("trace", "basis", "example")),
    (TrainChange.RECORDED, ("recorded", "scalars", "last_epoch", "chapters")),
    (TrainChange.CURSOR, ("cursor", "values", "bad", "layout")),
    (TrainChange.PROGRESS, ("progress",)),
    (
        TrainChange.CONFIG,
        (
            "config",
            "problems",
            "corpus_text",
            "corpus",
            "corpus_problem",
            "splitting",
            "reading",
            "samples",
            "devices",
            "pace",
            "fork",
        ),
    ),
    (TrainChange.RUNS, ("cards", "hidden", "names", "marks", "shown")),
    (TrainChange.LOOK, ("look",)),
    (TrainChange.SELECTION, ("selection", "word")),
    (TrainChange.HOVER, ("hover", "hover_word")),
    (TrainChange.DOCUMENT, ("title", "modified")),
)

# Small values are compared; everything else has changed when it is another object.
_SMALL = (
    Cursor,
    TrainLook,
    Progress,
    Selection,
    Config,
    Splitting,
    str,
    int,
    tuple,
    frozenset,
    type(None),
)


def compare(before: TrainFrame, after: TrainFrame) -> TrainChange:
    """Return the kinds of data in which two frames differ."""
    change = TrainChange(0)
    for kind, names in _FIELDS:
        if any(_differ(getattr(before, name), getattr(after, name)) for name in names):
            change |= kind
    if _run(before.other) != _run(after.other):
        change |= TrainChange.RUNS
    old, new = before.playback, after.playback
    if old.between != new.between:
        change |= TrainChange.MOTION
    if replace(old, between=0.0) != replace(new, between=0.0):
        change |= TrainChange.PLAYBACK
    return change


def _run(frame: TrainFrame | None) -> tuple[object, ...]:
    """Return what a compared run is told apart by: which it is, and how much there is of it."""
    if frame is None:
        return ()
    return frame.shown, id(frame.trace), len(frame.recorded), len(frame.scalars.epochs)


def _differ(old: object, new: object) -> bool:
    if old is new:
        return False
    return not (isinstance(old, _SMALL) and isinstance(new, _SMALL)) or old != new
