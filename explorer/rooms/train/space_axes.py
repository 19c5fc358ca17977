"""The axes that a head's queries, keys, values and outputs are drawn in, the same at every step."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from explorer.attention import Projection, align, fit_projection
from explorer.session import Array
from explorer.traces import BadStep, Trace

MOST_STEPS = 9  # evenly spaced, the first and the last among them
MATCHING, MIXING = ("q", "k"), ("v", "head_output")


@dataclass(frozen=True, eq=False)
class Axes:
    """Two axes for two arrays, and how far their points reach.

    Parameters
    ----------
    projection : Projection
    low, high : ndarray, shape (2,)
        Corners of the rectangle around all points so far.
    """

    projection: Projection
    low: Array
    high: Array

    def reaching(self, points: Array) -> Axes:
        """Return the same axes, reaching as far as points (N, 2) too."""
        low, high = np.minimum(self.low, points.min(axis=0)), np.maximum(self.high, points.max(0))
        if (low >= self.low).all() and (high <= self.high).all():
            return self
        return replace(self, low=low, high=high)

    @property
    def corners(self) -> Array:
        """The two corners, shape (2, 2)."""
        return np.stack([self.low, self.high])


def fit_axes(
    trace: Trace,
    recorded: int,
    place: tuple[int, int, int],
    arrays: tuple[str, str],
    previous: Axes | None = None,
) -> Axes:
    """Return the axes that show most of how two arrays' rows lie over the whole run.

    Parameters
    ----------
    recorded : int
        How many of the trace's steps to look at.
    place : (sample, layer, head)
    previous : Axes, optional
        Earlier ones of the same place, which the axes are turned to lie closest to.

    Raises Problem where the arrays cannot be read.
    """
    sample, layer, head = place
    length = int(trace.lengths[sample])
    rows = []
    bad: BadStep | None = None
    for step in np.unique(np.linspace(0, recorded - 1, MOST_STEPS).round().astype(int)):
        try:
            found = [trace.array(name, int(step), sample, layer, head)[:length] for name in arrays]
        except BadStep as problem:
            bad = problem
        else:
            rows += found
    if not rows:
        assert bad is not None
        raise bad
    points = np.concatenate(rows)
    projection = fit_projection(points)
    if previous is not None:
        projection = align(projection, previous.projection)
    drawn = projection.project(points)
    axes = Axes(projection, drawn.min(axis=0), drawn.max(axis=0))
    # Vectors of two numbers start at the origin.
    return axes.reaching(np.zeros((1, 2))) if projection.exact else axes
