"""Where points and edges of the plane are, and the way from one place to another, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.kit.plane.camera import Camera
from explorer.kit.plane.relations import Flow
from explorer.session import Space

Array = NDArray[np.float64]


class Pose(NamedTuple):
    """Where everything stands at one moment.

    Parameters
    ----------
    camera : Camera
    at : mapping of Space to ndarray, shape (T or S, 2)
        The shown points in the plane, in the order of painting.
    flow : Flow or None
        Between which points the edges run.
    widths : ndarray, shape (T, S)
        Of all edges that could be drawn, px at 100 %.
    arrival : float
        Opacity of the edges and their values, 0 where they are yet to come.
    """

    camera: Camera
    at: Mapping[Space, Array]
    flow: Flow | None
    widths: Array
    arrival: float = 1.0


def between(start: Pose, end: Pose, share: float) -> Pose:
    """Return the pose a share of the way from `start`, made by `departure`, to `end`."""

    def mix(a: float, b: float) -> float:
        return a + (b - a) * share

    camera = replace(
        end.camera,
        x=mix(start.camera.x, end.camera.x),
        y=mix(start.camera.y, end.camera.y),
        scale=1 / mix(1 / start.camera.scale, 1 / end.camera.scale),
    )
    at = {space: here + (end.at[space] - here) * share for space, here in start.at.items()}
    widths = start.widths + (end.widths - start.widths) * share
    return Pose(camera, at, end.flow, widths, mix(start.arrival, end.arrival))
