"""The plane (or the 3D space) that points of any width are drawn in: principal components.

Pearson 1901; Hotelling 1933. The turn that keeps a refitted plane still is the orthogonal
Procrustes problem, Schönemann 1966.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from explorer.attention.arrays import Floats, floats, read_only


@dataclass(frozen=True, eq=False)
class Projection:
    """An n-dimensional view of d-dimensional points; arrays are read-only.

    mean : (d,); the point drawn at the origin: 0 where exact, else the mean of the points, or
        after `align` the point of the same plane that keeps the origin where it was
    components : (n, d); orthonormal rows, the axes (where d < n, rows beyond d are zero)
    explained : (n,); the part of the points' variance along each axis, 0 to 1; their sum is what
        the view as a whole shows, and 1 where nothing is lost
    exact : whether d ≤ n, so that the axes are the coordinates themselves and nothing is lost
    """

    mean: Floats
    components: Floats
    explained: Floats
    exact: bool

    def project(self, points: ArrayLike) -> Floats:
        """Where `points` (..., d) are drawn, (..., n)."""
        return read_only((np.asarray(points, dtype=np.float64) - self.mean) @ self.components.T)

    def lift(self, delta: ArrayLike) -> Floats:
        """The move (..., d) among the points that a move `delta` (..., n) in the view stands for.

        It is the shortest such move: nothing changes at right angles to the view.
        """
        return read_only(np.asarray(delta, dtype=np.float64) @ self.components)


def fit_projection(points: ArrayLike, n: int = 2) -> Projection:
    """The view of `points` that shows most of their variance; the identity where d ≤ n.

    points : (N, d). Each axis points to where its largest entry is positive. Points without
    variance give the first coordinates as axes and count as shown in full by the first.
    """
    cloud = floats("points", points, 2)
    d = cloud.shape[1]
    mean = np.zeros(d) if d <= n else cloud.mean(axis=0)
    spread = float(np.ptp(cloud, axis=0).max())
    axes = np.eye(n, d)
    variance = np.eye(1, min(n, d))[0]
    if spread > 0.0:
        centred = (cloud - cloud.mean(axis=0)) / spread  # no square of a huge or tiny number
        if d <= n:
            variance = np.square(centred).sum(axis=0)
        else:
            variance, axes = _principal(centred, n)
    explained = np.zeros(n)
    explained[: min(n, d)] = variance[:n] / variance.sum()
    return Projection(
        read_only(mean), read_only(axes[:n].copy()), read_only(explained), exact=d <= n
    )


def align(projection: Projection, previous: Projection) -> Projection:
    """A fresh fit with its axes turned within its own plane to lie closest to `previous`.

    So a cloud refitted after a change neither flips nor spins nor jumps: the origin, too, is moved
    within the plane to where `previous` has it. The plane is the same, and so is the total of
    `explained`; each ratio is that of its own turned axis. Views of other widths are left as they
    are, and so is an exact one.
    """
    if projection.exact or projection.components.shape != previous.components.shape:
        return projection
    left, _, right = np.linalg.svd(previous.components @ projection.components.T)
    turn = left @ right
    components = turn @ projection.components
    slide = (previous.mean - projection.mean) @ components.T @ components
    return replace(
        projection,
        mean=read_only(projection.mean + slide),
        components=read_only(components),
        explained=read_only(np.square(turn) @ projection.explained),
    )


def _principal(centred: Floats, n: int) -> tuple[Floats, Floats]:
    """The variance (up to a factor) along every principal axis, largest first, and the axes."""
    count, d = centred.shape
    if count < d:
        # Few points in many dimensions: cheaper than d × d. Rows of zeros add no variance, but
        # make sure of n axes.
        padded = np.vstack([centred, np.zeros((max(0, n - count), d))])
        _, singular, axes = np.linalg.svd(padded, full_matrices=False)
        variance = np.square(singular)
    else:
        ascending, columns = np.linalg.eigh(centred.T @ centred)
        variance, axes = ascending[::-1].clip(min=0.0), columns.T[::-1]
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1, keepdims=True), axis=1)
    return variance, axes * np.sign(largest)
