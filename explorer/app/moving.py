"""Pictures that move: GIF and WebP of a widget's pictures, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage

from explorer.session.scene_file import write_bytes
from explorer.text import N_, Problem

_COLOURS = 256  # of a GIF


def gif_of(images: Sequence[QImage], fps: float, loop: int) -> bytes:
    """Return a GIF; all its pictures share the colours of the first, middle and last one."""
    from PIL import Image

    frames = _frames(images)
    width, height = frames[0].size
    seen = [frames[0], frames[len(frames) // 2], frames[-1]]
    together = Image.new("RGB", (width, height * len(seen)))
    for place, frame in enumerate(seen):
        together.paste(frame, (0, place * height))
    palette = together.quantize(_COLOURS, dither=Image.Dither.NONE)
    drawn = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    # The number in the file counts how often it is repeated after the first time.
    repeated = {} if loop == 1 else {"loop": max(loop - 1, 0)}
    return _written(drawn, "GIF", fps, **repeated)


def webp_of(images: Sequence[QImage], fps: float, loop: int) -> bytes:
    """Return a WebP without loss: its pictures are the given ones, pixel by pixel."""
    return _written(_frames(images), "WEBP", fps, loop=loop, lossless=True)


# Kinds of moving pictures by the ends of their files' names. Each is made of pictures of one size,
# how many are shown a second, and how often all are shown, 0 for without end.
MOVING: dict[str, Callable[[Sequence[QImage], float, int], bytes]] = {
    ".gif": gif_of,
    ".webp": webp_of,
}


def check_moving(path: Path) -> None:
    """Raise Problem where a file's name ends in no suffix of `MOVING`."""
    if path.suffix.lower() not in MOVING:
        raise Problem(
            N_("{path}: the name of a picture that moves ends in {suffixes}."),
            path=path,
            suffixes=", ".join(MOVING),
        )


def save_moving(images: Sequence[QImage], path: Path, fps: float, loop: int) -> None:
    """Write pictures as a file that moves, of the kind that its suffix says. Raises Problem."""
    check_moving(path)
    write_bytes(MOVING[path.suffix.lower()](images, fps, loop), path)


def _frames(images: Sequence[QImage]) -> list[Any]:
    """Return pictures as Pillow's, all of the first one's size."""
    from PIL import Image

    whole = QRect(0, 0, images[0].width(), images[0].height())
    made = []
    for image in images:
        rgb = image.copy(whole).convertToFormat(QImage.Format.Format_RGB888)
        size, line = (rgb.width(), rgb.height()), rgb.bytesPerLine()
        made.append(Image.frombytes("RGB", size, bytes(rgb.constBits()), "raw", "RGB", line))
    return made


def _written(frames: Sequence[Any], kind: str, fps: float, **options: Any) -> bytes:
    made = BytesIO()
    frames[0].save(
        made, kind, save_all=True, append_images=frames[1:], duration=round(1000 / fps), **options
    )
    return made.getvalue()
