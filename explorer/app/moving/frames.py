"""Widgets as pictures that move: each picture is what the window shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage

from explorer.exporters.moving import encoder_of
from explorer.session.scene_file import write_bytes


def rgb_of(image: QImage, size: tuple[int, int]) -> bytes:
    """Return a picture as rows of RGB, cut or filled up with black to a width and a height."""
    width, height = size
    rgb = image.copy(QRect(0, 0, width, height)).convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(rgb.constBits(), np.uint8).reshape(height, rgb.bytesPerLine())
    return lines[:, : 3 * width].tobytes()


def save_moving(images: Iterable[QImage], path: Path, fps: float, loop: int) -> None:
    """Write pictures as a file that moves, of the kind that its suffix says.

    All have the size of the first one. Raises Problem.
    """
    make = encoder_of(path)
    coming = iter(images)
    first = next(coming)
    size = first.width(), first.height()

    def pictures() -> Iterator[bytes]:
        yield rgb_of(first, size)
        for image in coming:
            yield rgb_of(image, size)

    write_bytes(make(pictures(), size, fps, loop), path)
