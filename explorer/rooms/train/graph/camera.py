"""From the words' places in space to pixels: the extent of a run, and an orthographic camera."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QMatrix4x4, QQuaternion

from explorer.attention import Projection
from explorer.session.train import TrainFrame
from explorer.text import Problem
from explorer.traces import Trace

Array = NDArray[np.float64]

AZIMUTH, ELEVATION = 60.0, 22.0  # degrees, where a picture begins
_CLOSEST, _FARTHEST = 30.0, 0.2  # of zoom
_FAR = 30_000.0  # px: farther out than any screen, and small enough for a painter's arithmetic
_PAD = 0.04  # of the largest side, kept free around the words
_ABOVE_FLOOR = 0.1  # of the largest side, between the floor and the lowest word
_NARROWEST = 0.45  # of the largest side: no box is thinner
_FINEST, _SMALLEST = 1e-9, 1e-290  # spans below these, of the places and at all, are none


@dataclass(frozen=True)
class Stance:
    """Where the person looks from.

    Parameters
    ----------
    azimuth, elevation : float
        Degrees: how far the floor is turned, and how far it is seen from above (0 to 90).
    zoom : float
        1 where everything fits.
    pan_x, pan_y : float
        Pixels by which the picture is moved.
    """

    azimuth: float = AZIMUTH
    elevation: float = ELEVATION
    zoom: float = 1.0
    pan_x: float = 0.0
    pan_y: float = 0.0

    def turned(self, azimuth: float, elevation: float) -> Stance:
        """Return the stance turned by some degrees; the floor is never seen from below."""
        return replace(
            self,
            azimuth=(self.azimuth + azimuth) % 360.0,
            elevation=min(max(self.elevation + elevation, 0.0), 90.0),
        )

    def towards(self, other: Stance, share: float) -> Stance:
        """Return the stance a share of the way to another, turned the shorter way round."""

        def between(start: float, end: float) -> float:
            return start + share * (end - start)

        turn = (other.azimuth - self.azimuth + 180.0) % 360.0 - 180.0
        return Stance(
            (self.azimuth + share * turn) % 360.0,
            between(self.elevation, other.elevation),
            between(self.zoom, other.zoom),
            between(self.pan_x, other.pan_x),
            between(self.pan_y, other.pan_y),
        )

    def panned(self, dx: float, dy: float) -> Stance:
        """Return the stance with the picture moved by some pixels."""
        return replace(self, pan_x=self.pan_x + dx, pan_y=self.pan_y + dy)

    def zoomed(self, factor: float, x: float = 0.0, y: float = 0.0) -> Stance:
        """Return the stance with the picture enlarged about a place, in px from its home.

        Home is where the middle of the extent is drawn before anything is moved.
        """
        zoom = min(max(self.zoom * factor, _FARTHEST), _CLOSEST)
        ratio = zoom / self.zoom
        return replace(
            self,
            zoom=zoom,
            pan_x=x - (x - self.pan_x) * ratio,
            pan_y=y - (y - self.pan_y) * ratio,
        )


OVERHEAD = Stance(azimuth=0.0, elevation=90.0)  # how a plane is seen


class Extent(NamedTuple):
    """The box that the words stay in, and how far they reach up and down on screen.

    Parameters
    ----------
    low, high : ndarray, shape (3,)
        Corners of the box; the floor is its lower side.
    rise, fall : float
        From the box's middle, up to the highest that a word gets and down to the lowest that the
        floor gets while it is turned at the elevation of the start, in units of the points.
    """

    low: Array
    high: Array
    rise: float
    fall: float

    @property
    def middle(self) -> Array:
        """The middle of the box, which the camera turns about."""
        return np.asarray((self.low + self.high) / 2)


def extent_of(points: Array) -> Extent:
    """Return the extent of points (N, 3); no side of its box is very much thinner than another."""
    low, high = points.min(axis=0), points.max(axis=0)
    side, far = float((high - low).max()), float(np.abs(points).max())
    if side < max(far * _FINEST, _SMALLEST):
        side = far if far > _SMALLEST else 1.0  # as good as one place
    thin = np.maximum(_NARROWEST * side - (high - low), 0.0) / 2
    pad = _PAD * side
    low, high = low - thin - pad, high + thin + pad
    low[2] -= (_ABOVE_FLOOR - _PAD) * side
    half = (high - low) / 2
    across = np.hypot(*(points[:, :2] - (low + half)[:2]).T)
    tilt = math.radians(ELEVATION)
    up = (points[:, 2] - (low + half)[2]) * math.cos(tilt) + across * math.sin(tilt)
    height = half[2] * math.cos(tilt)
    floor = math.hypot(half[0], half[1]) * math.sin(tilt)
    return Extent(low, high, max(float(up.max()), float(height)), float(height + floor))


class Viewport(NamedTuple):
    """A view in pixels, and what of it is kept free around the picture."""

    width: float
    height: float
    side: float
    above: float
    below: float


@dataclass(frozen=True, eq=False)
class OrbitCamera:
    """The projection from the words' space to pixels.

    Parameters
    ----------
    matrix : ndarray, shape (3, 3)
        Turns a point into right, up and towards the viewer.
    middle : ndarray, shape (3,)
        The point that is drawn at (x, y).
    scale : float
        Pixels a unit.
    """

    matrix: Array
    middle: Array
    x: float
    y: float
    scale: float

    @classmethod
    def of(cls, stance: Stance, extent: Extent, room: Viewport, flat: bool) -> OrbitCamera:
        """Return the camera of a stance, fitted so that all of the extent is seen at zoom 1.

        The scale is the same however the box is turned, so that turning moves and never resizes.
        """
        half = (extent.high - extent.low) / 2
        width = max(room.width - 2 * room.side, room.width * 0.3)
        height = max(room.height - room.above - room.below, room.height * 0.3)
        if flat:
            across, rise, fall = half[0], half[1], half[1]
        else:
            across, rise, fall = math.hypot(half[0], half[1]), extent.rise, extent.fall
        scale = min(width / (2 * across), height / (rise + fall))
        spare = height - (rise + fall) * scale
        return cls(
            turn_matrix(stance),
            extent.middle,
            room.width / 2 + stance.pan_x,
            room.above + spare / 2 + rise * scale + stance.pan_y,
            scale * stance.zoom,
        )

    def to_screen(self, points: Array) -> Array:
        """Return where points (N, 3) are drawn, in px, and how near they are, shape (N, 3)."""
        with np.errstate(over="ignore"):
            seen = (points - self.middle) @ self.matrix.T * self.scale
        seen[:, 0] += self.x
        seen[:, 1] = self.y - seen[:, 1]
        return np.asarray(np.clip(seen, -_FAR, _FAR))

    @property
    def squash(self) -> float:
        """How high a circle on the floor is drawn, in parts of its width."""
        return math.hypot(self.matrix[1, 0], self.matrix[1, 1])


def turn_matrix(stance: Stance) -> Array:
    """Return the turn into right, up and towards the viewer, shape (3, 3)."""
    tilt = QQuaternion.fromAxisAndAngle(1, 0, 0, stance.elevation - 90.0)
    turn = QMatrix4x4()
    turn.rotate(tilt * QQuaternion.fromAxisAndAngle(0, 0, 1, stance.azimuth))
    return np.array(turn.copyDataTo()).reshape(4, 4)[:3, :3]


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
        runs = ((frame.trace, frame.basis),) if flat else frame.spread
        runs = runs or ((frame.trace, frame.basis),)
        of = (flat, *(part for run in runs for part in run))
        if len(of) != len(self._of) or any(a is not b for a, b in zip(of, self._of, strict=True)):
            self._of, self._extent = of, None
            self._points = np.empty((0, 3))
            for trace, basis in runs:
                if not flat and trace is not None and basis is not None:
                    self._points = np.concatenate([self._points, sampled_places(trace, basis)])
        if self._extent is None or not _within(places, self._extent):
            self._points = np.concatenate([self._points, places])
            self._extent = extent_of(self._points)
        return self._extent


def sampled_places(trace: Trace, basis: Projection) -> Array:
    """Return where the words are at steps from the first to the last, shape (N, 3).

    At most 256, and fewer where the vocabulary is large, but always both ends; steps that cannot
    be read are left out.
    """
    shape = trace.entries["param.embedding"].shape[1:]
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
