"""Which part of the plane is seen: one value between the plane's coordinates and pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Farther out than any screen, and still small enough for a painter's arithmetic.
_FAR = 30_000.0
_SMALLEST_SPAN = 1e-290


class Margins(NamedTuple):
    """Pixels kept free around fitted points."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Camera:
    """The seen part of the plane, with equal scales and y upwards.

    Parameters
    ----------
    x, y : float
        The point of the plane in the middle of the view.
    scale : float
        Pixels a unit.
    width, height : float
        Of the view in pixels.
    """

    x: float = 0.0
    y: float = 0.0
    scale: float = 100.0
    width: float = 1.0
    height: float = 1.0

    def to_screen(self, points: Array) -> Array:
        """Return points (N, 2) of the plane in pixels, those far outside drawn nearer."""
        with np.errstate(over="ignore"):
            x = self.width / 2 + (points[:, 0] - self.x) * self.scale
            y = self.height / 2 - (points[:, 1] - self.y) * self.scale
        return np.clip(np.stack([x, y], axis=1), -_FAR, _FAR)

    def to_plane(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the plane under a pixel."""
        return (
            self.x + (x - self.width / 2) / self.scale,
            self.y - (y - self.height / 2) / self.scale,
        )

    def all_to_plane(self, pixels: Array) -> Array:
        """Return the points (N, 2) of the plane under pixels (N, 2)."""
        x, y = pixels.T
        return np.stack(
            [
                self.x + (x - self.width / 2) / self.scale,
                self.y - (y - self.height / 2) / self.scale,
            ],
            axis=-1,
        )

    def panned(self, dx: float, dy: float) -> Camera:
        """Return the view after its content was pulled by some pixels."""
        return replace(self, x=self.x - dx / self.scale, y=self.y + dy / self.scale)

    def zoomed(self, factor: float, x: float, y: float) -> Camera:
        """Return the view enlarged about a pixel, which stays where it is."""
        at_x, at_y = self.to_plane(x, y)
        return replace(
            self,
            x=at_x - (at_x - self.x) / factor,
            y=at_y - (at_y - self.y) / factor,
            scale=self.scale * factor,
        )

    def resized(self, width: float, height: float) -> Camera:
        """Return the view with the same middle and scale in another size."""
        return replace(self, width=max(width, 1.0), height=max(height, 1.0))


def fit(points: Array, width: float, height: float, margins: Margins) -> Camera:
    """Return the view that shows all points (N, 2) between the margins, in the middle.

    Points without extent are shown at a scale of their own size, or one unit where they lie at 0.
    """
    width, height = max(width, 1.0), max(height, 1.0)
    low, high = points.min(axis=0), points.max(axis=0)
    span_x, span_y = (high - low).tolist()
    if max(span_x, span_y) < _SMALLEST_SPAN:
        span_x = float(np.abs(points).max()) or 2.0
    room_x = max(width - margins.left - margins.right, width * 0.2)
    room_y = max(height - margins.top - margins.bottom, height * 0.2)
    scale = min(
        room_x / span_x if span_x > 0 else math.inf, room_y / span_y if span_y > 0 else math.inf
    )
    scale = min(scale, 1 / _SMALLEST_SPAN)
    middle = (low + (high - low) / 2).tolist()
    return Camera(
        x=middle[0] + (margins.right - margins.left) / 2 / scale,
        y=middle[1] - (margins.bottom - margins.top) / 2 / scale,
        scale=scale,
        width=width,
        height=height,
    )
