"""In what two frames of the lab differ: what views are told."""

from __future__ import annotations

from dataclasses import replace

from explorer.session.lab.frame import Cursor, LabChange, LabFrame, LabLook, Progress
from explorer.session.look import Selection
from explorer.traces import Config

_FIELDS: tuple[tuple[LabChange, tuple[str, ...]], ...] = (
    (LabChange.TRACE, ("trace", "basis", "example")),
    (LabChange.RECORDED, ("recorded", "scalars", "last_epoch")),
    (LabChange.CURSOR, ("cursor", "values", "bad", "layout")),
    (LabChange.PROGRESS, ("progress",)),
    (
        LabChange.CONFIG,
        (
            "config",
            "problems",
            "corpus_text",
            "corpus",
            "corpus_problem",
            "by_character",
            "samples",
            "devices",
            "pace",
        ),
    ),
    (LabChange.LOOK, ("look",)),
    (LabChange.SELECTION, ("selection", "word")),
    (LabChange.HOVER, ("hover", "hover_word")),
    (LabChange.DOCUMENT, ("title", "modified")),
)

# Small values are compared; everything else has changed when it is another object.
_SMALL = (Cursor, LabLook, Progress, Selection, Config, str, int, tuple, type(None))


def compare(before: LabFrame, after: LabFrame) -> LabChange:
    """Return the kinds of data in which two frames differ."""
    change = LabChange(0)
    for kind, names in _FIELDS:
        if any(_differ(getattr(before, name), getattr(after, name)) for name in names):
            change |= kind
    old, new = before.playback, after.playback
    if old.between != new.between:
        change |= LabChange.MOTION
    if replace(old, between=0.0) != replace(new, between=0.0):
        change |= LabChange.PLAYBACK
    return change


def _differ(old: object, new: object) -> bool:
    if old is new:
        return False
    return not (isinstance(old, _SMALL) and isinstance(new, _SMALL)) or old != new
