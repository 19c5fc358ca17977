"""Pictures as arrays, for tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtGui import QImage


def pixels(image: QImage) -> np.ndarray:
    """Return red, green and blue of each pixel, (height, width, 3)."""
    rgb = image.convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(rgb.constBits(), np.uint8).reshape(rgb.height(), rgb.bytesPerLine())
    return lines[:, : 3 * rgb.width()].reshape(rgb.height(), rgb.width(), 3).copy()


def decoded(path: Path) -> list[np.ndarray]:
    """Return the pictures of a file that moves, as `pixels` returns them."""
    with Image.open(path) as file:
        frames = []
        for place in range(getattr(file, "n_frames", 1)):
            file.seek(place)
            frames.append(np.array(file.convert("RGB")))
        return frames
