"""What the graph sees in a frame: what it depends on, where the words are, what is missing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.kit.theme import Theme
from explorer.session.train import RunState, TrainFrame
from explorer.text import _

Array = NDArray[np.float64]

CONTENT = 8  # how many parts of `concerning` the edges and colours depend on


def concerning(frame: TrainFrame, theme: Theme) -> tuple[object, ...]:
    """Return all that the picture depends on; what is hovered comes last."""
    return (
        theme,
        frame.trace,
        frame.values,
        frame.cursor,
        frame.look.threshold,
        frame.word,
        frame.selection,
        frame.epoch,
        frame.following_values,
        frame.playback.between,
        frame.playback.playing,
        frame.basis,
        frame.look.tsne,
        frame.layout,
        frame.progress.state,
        (frame.hover, frame.hover_word),
    )


def same(a: object, b: object) -> bool:
    """Return whether two parts of `concerning` are the same; arrays are so only by identity."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return a is b
    return a is b or bool(a == b)


def places_of(frame: TrainFrame) -> Array | None:
    """Return where the words are, shape (V, 3); None where that is not known. Raises Problem."""
    if frame.look.tsne:
        if frame.layout is None or frame.trace is None:
            return None
        return np.column_stack([frame.layout, np.zeros(len(frame.layout))])
    return frame.points


def axes_of(frame: TrainFrame) -> int:
    """Return how many axes the words spread over: 3, or 2 where the model has no third."""
    basis = frame.basis
    return 3 if basis is None or basis.components[2].any() else 2


def missing(frame: TrainFrame) -> str:
    """Return why there is nothing to be seen; empty where there is."""
    if frame.trace is None:
        starting = frame.progress.state is RunState.STARTING
        return _("The run is starting…") if starting else _("No run yet")
    if frame.values is None:
        return _("Nothing is recorded yet")
    if "param.embedding" not in frame.trace.names and not (
        frame.look.tsne and frame.layout is not None
    ):
        return _("This trace holds no embedding, so its words have no place.")
    if (frame.layout if frame.look.tsne else frame.basis) is None:
        return _("Laying out…")
    return ""
