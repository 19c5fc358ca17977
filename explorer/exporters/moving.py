"""Pictures that move: GIF, lossless WebP and MP4 of pictures that come one after the other."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from io import BytesIO
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.text import N_, Problem

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

VIDEO = "pip install 'attention-explorer[video]'"  # brings what MP4 takes
MOST_BYTES = 2 * 10**9  # of all pictures, before they are packed
_COLOURS = 256  # of a GIF
_LEAST_RATE = 10  # pictures a second of a video; players stumble over fewer
_QUALITY = "16"  # x264's constant rate factor: hardly to be told from the pictures

# Takes each picture as rows of RGB, height × width × 3 bytes; their width and height; how many are
# shown a second; and how often all are shown, 0 for without end. Returns the file.
Encoder = Callable[[Iterable[bytes], tuple[int, int], float, int], bytes]


def gif_of(pictures: Iterable[bytes], size: tuple[int, int], fps: float, loop: int) -> bytes:
    """Return a GIF; all its pictures share the colours of the first, middle and last one."""
    from PIL import Image

    packed = [zlib.compress(data, 1) for data in pictures]
    frames = (Image.frombytes("RGB", size, zlib.decompress(data)) for data in packed)
    width, height = size
    seen = [packed[0], packed[len(packed) // 2], packed[-1]]
    together = Image.frombytes(
        "RGB", (width, height * len(seen)), b"".join(map(zlib.decompress, seen))
    )
    palette = together.quantize(_COLOURS, dither=Image.Dither.NONE)
    drawn = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)
    # The number in the file counts how often it is repeated after the first time.
    repeated = {} if loop == 1 else {"loop": max(loop - 1, 0)}
    # It counts in hundredths of a second: rounded one by one, the whole would be shorter.
    ends = [round(100 * place / fps) for place in range(len(packed) + 1)]
    lasting = [10 * (end - start) for start, end in pairwise(ends)]
    return _written(drawn, "GIF", lasting, **repeated)


def webp_of(pictures: Iterable[bytes], size: tuple[int, int], fps: float, loop: int) -> bytes:
    """Return a WebP without loss: its pictures are the given ones, pixel by pixel."""
    from PIL import Image

    frames = (Image.frombytes("RGB", size, data) for data in pictures)
    return _written(frames, "WEBP", round(1000 / fps), loop=loop, lossless=True)


def mp4_of(pictures: Iterable[bytes], size: tuple[int, int], fps: float, loop: int) -> bytes:
    """Return an MP4 with H.264, nearly the given pictures; its player decides what is repeated.

    Both sides become even, by one more row or column like the last.
    """
    from fractions import Fraction

    import av
    from av.video.reformatter import Colorspace

    width, height = size
    odd = (0, height % 2), (0, width % 2), (0, 0)
    again = ceil(_LEAST_RATE / fps)
    made = BytesIO()
    with av.open(made, "w", format="mp4") as file:
        rate = Fraction(fps * again).limit_denominator(1000)
        colours = "colorprim=bt709:transfer=bt709:colormatrix=bt709"
        stream = file.add_stream(
            "libx264", rate=rate, options={"crf": _QUALITY, "x264-params": colours}
        )
        stream.width, stream.height = width + width % 2, height + height % 2
        stream.pix_fmt = "yuv420p"  # the one that every player knows
        for data in pictures:
            rows = np.pad(np.frombuffer(data, np.uint8).reshape(height, width, 3), odd, "edge")
            for _time in range(again):
                frame = av.VideoFrame.from_ndarray(rows, format="rgb24").reformat(
                    format="yuv420p", dst_colorspace=Colorspace.ITU709
                )
                file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
    return made.getvalue()


# By the ends of files' names.
MOVING: dict[str, Encoder] = {".gif": gif_of, ".webp": webp_of, ".mp4": mp4_of}


def encoder_of(path: Path) -> Encoder:
    """Return what makes a file of a name. Raises Problem where nothing here does."""
    suffix = path.suffix.lower()
    if suffix not in MOVING:
        raise Problem(
            N_("{path}: a moving picture's name ends in {suffixes}."),
            path=path,
            suffixes=", ".join(MOVING),
        )
    if suffix == ".mp4" and find_spec("av") is None:
        if getattr(sys, "frozen", False):
            raise Problem(N_("The program without Python cannot write MP4: choose WebP or GIF."))
        raise Problem(
            N_("MP4 needs PyAV, which is not installed here: {command} installs it."), command=VIDEO
        )
    return MOVING[suffix]


def encode(pipe: Connection[Any, Any]) -> None:
    """Make one file, asked through a pipe; the main function of a process of its own.

    Takes what `Encoder` takes after the pictures, with the file's suffix before. Then sends None
    for each picture that it is ready for, takes it, or None after the last one, and sends the file.
    """
    suffix, size, fps, loop = pipe.recv()

    def taken() -> Iterator[bytes]:
        while True:
            pipe.send(None)
            data = pipe.recv()
            if data is None:
                return
            yield data

    try:
        pipe.send(MOVING[suffix](taken(), size, fps, loop))
    except (EOFError, BrokenPipeError):
        return  # nobody wants it any more


def _written(frames: Iterator[Any], kind: str, lasting: int | list[int], **options: Any) -> bytes:
    made = BytesIO()
    first = next(frames)
    first.save(made, kind, save_all=True, append_images=frames, duration=lasting, **options)
    return made.getvalue()
