"""Where the words are during a run, so that the scale stands still while one moves through it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.attention import Projection
from explorer.rooms.train.graph.camera import Extent, extent_of
from explorer.session.train import TrainFrame
from explorer.text import Problem
from explorer.traces import Trace

Array = NDArray[np.float64]

_STEPS = 256  # looked at when a run is first shown; most runs have no more
_MOST_NUMBERS = 2**21  # read for that


class Cloud:
    """The extent of a run's words: of steps from its first to its last, and of all shown so far.

    It is worked out anew for another run and other axes only, and otherwise never shrinks. Where
    every step is looked at, it is the same however one comes to a step.
    """

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._points = np.empty((0, 3))
        self._extent: Extent | None = None

    def extent(self, frame: TrainFrame, places: Array) -> Extent:
        """Return the extent to show the words (V, 3) of a frame in."""
        flat = frame.look.tsne
        of = (frame.trace, flat, None if flat else frame.basis)
        if len(of) != len(self._of) or any(a is not b for a, b in zip(of, self._of, strict=True)):
            self._of, self._extent = of, None
            self._points = np.empty((0, 3))
            if not flat and frame.trace is not None and frame.basis is not None:
                self._points = sampled_places(frame.trace, frame.basis)
        if self._extent is None or not _within(places, self._extent):
            self._points = np.concatenate([self._points, places])
            self._extent = extent_of(self._points)
        return self._extent


def sampled_places(trace: Trace, basis: Projection) -> Array:
    """Return where the words are at steps from the first to the last, shape (N, 3).

    At most 256, and fewer where the vocabulary is large, but always both ends; steps that cannot
    be read are left out.
    """
    shape = trace.layout["param.embedding"].shape[1:]
    count = max(2, min(_STEPS, _MOST_NUMBERS // max(int(np.prod(shape)), 1), trace.recorded))
    found = [np.empty((0, 3))]
    for step in np.unique(np.linspace(0, trace.recorded - 1, count).round().astype(int)):
        try:
            found.append(basis.project(trace.array("param.embedding", int(step))))
        except Problem:
            continue
    return np.concatenate(found)


def _within(places: Array, extent: Extent) -> bool:
    return bool((places >= extent.low).all() and (places <= extent.high).all())
