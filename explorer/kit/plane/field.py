"""A heat map over the plane: the selected pair's weight, were the token elsewhere."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from PySide6.QtGui import QColor, QImage

from explorer.kit.canvas.drawing import Tint
from explorer.kit.plane.camera import Camera
from explorer.kit.plane.placed_frame import Array
from explorer.kit.plane.relations import points_at
from explorer.kit.theme import Theme, mixed
from explorer.session import Frame, Space, Stage, position_rows
from explorer.session.backwards import attention_field

SHARE = 0.35  # opacity of the tint upon the canvas: names stay legible where it is full
_STEP = 8  # px between places whose weight is computed; between them it is interpolated


class Field:
    """The tint of a plane, worked out once a gesture: it does not depend on where the token is."""

    def __init__(self) -> None:
        self._known: tuple[tuple[object, ...], Tint] | None = None

    def tint(self, frame: Frame, theme: Theme, camera: Camera) -> Tint | None:
        """Return the tint of a frame; None where nothing is dragged in X, or no pair selected."""
        if not is_tinted(frame):
            self._known = None
            return None
        assert frame.drag is not None
        key = (
            # As long as it is kept here, no other drag has this start.
            *(frame.drag.start, frame.selection, frame.look.head, frame.averaged),
            *(frame.projection, theme, camera),
        )
        if self._known is None or not _same(self._known[0], key):
            self._known = key, _tint(frame, theme, camera)
        return self._known[1]


def is_tinted(frame: Frame) -> bool:
    """Return whether the plane of a frame is tinted."""
    drag, thing = frame.drag, points_at(frame.selection)
    return (
        frame.look.field
        and not frame.look.hides(Stage.A)
        and drag is not None
        and drag.space in (Space.X, Space.P)
        and thing is not None
        and thing.pair is not None
    )


def _same(known: tuple[object, ...], key: tuple[object, ...]) -> bool:
    return known[0] is key[0] and known[1:] == key[1:]


def _tint(frame: Frame, theme: Theme, camera: Camera) -> Tint:
    width, height = max(round(camera.width), 1), max(round(camera.height), 1)
    across, down = _steps(width), _steps(height)
    pixels = np.stack(np.meshgrid(across, down), axis=-1)
    weights = weights_at(frame, camera, pixels.reshape(-1, 2)).reshape(pixels.shape[:2])
    smooth = _between(down, height) @ weights @ _between(across, width).T
    low, high = _range(weights)
    share = np.clip((smooth - low) / (high - low), 0.0, 1.0)
    levels = np.rint(share * (_LEVELS - 1)).astype(np.uint8)
    image = QImage(
        _colours(theme)[levels].tobytes(), width, height, 4 * width, QImage.Format.Format_RGB32
    )
    return Tint(image.copy(), camera.width, camera.height, low, high)


def _range(weights: Array) -> tuple[float, float]:
    """Return the weights of the first and of the last colour: hundredths around all of them."""
    low = math.floor(float(weights.min()) * _HUNDRED) / _HUNDRED
    high = math.ceil(float(weights.max()) * _HUNDRED) / _HUNDRED
    return max(low, 0.0), min(max(high, low + 1 / _HUNDRED), 1.0) if low < 1.0 else 1.01


def weights_at(frame: Frame, camera: Camera, pixels: Array) -> Array:
    """Return the selected pair's weight with the dragged token under pixels (N, 2), shape (N,).

    The mean over the heads where that is what is shown.
    """
    drag, thing = frame.drag, points_at(frame.selection)
    assert drag is not None
    assert thing is not None
    assert thing.pair is not None
    start = drag.start
    position = position_rows(frame.scene)
    if drag.space is Space.P and position is not None:
        start = start - position[drag.token]
    rows = start + frame.projection.lift(
        camera.all_to_plane(pixels) - frame.projection.project(drag.start)
    )
    heads = range(frame.attention.heads) if frame.averaged else (frame.look.head,)
    each = [
        attention_field(frame.scene, frame.attention, drag.token, *thing.pair, rows, head)
        for head in heads
    ]
    mean: Array = np.mean(each, axis=0)
    return mean


def _steps(length: int) -> Array:
    """Return the middles of pixels whose weights are computed, the last beyond the edge."""
    return np.arange(0.5, length + _STEP, _STEP)


def _between(steps: Array, length: int) -> Array:
    """Return the share of each step in each pixel of a row, shape (length, steps)."""
    at = np.arange(length) / _STEP
    return np.maximum(0.0, 1.0 - np.abs(at[:, None] - np.arange(len(steps))))


_LEVELS, _HUNDRED = 256, 100


@lru_cache(maxsize=4)
def _colours(theme: Theme) -> np.ndarray:
    """Return the tint's colours from the least weight to the largest, packed."""
    return np.array([tint_colour(theme, n / (_LEVELS - 1)).rgb() for n in range(_LEVELS)], "u4")


def tint_colour(theme: Theme, weight: float) -> QColor:
    """Return the colour of the plane at a share, 0 to 1, of the way to the largest weight."""
    return mixed(theme.weights_map.fill(weight, 1.0), theme.color("canvas"), SHARE)
