"""A picture that moves in the making: painted in slices, packed by a process beside the window."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from explorer.app.moving.films import Film, Pace
from explorer.app.pictures import image_of
from explorer.app.saving import Slices
from explorer.exporters.moving import encode, encoder_of
from explorer.processes import WarmProcess
from explorer.session.scene_file import write_bytes
from explorer.text import N_, Problem

_ROUNDS = 3  # what is drawn can ask for other room, and that for another drawing
_LOST = N_("The process that packs the pictures ended: ask for fewer or smaller ones.")
_WAIT = 15  # ms until the process is asked again whether it is ready


class Making(Slices):
    """Paints a film from the window's own parts while the window goes on.

    Parameters
    ----------
    film : Film
    part : callable
        Returns what is painted, once a still is shown.
    settle : callable
        Draws what waits to be drawn.
    density : float
        Pixels to a px of the screen.
    suffix : str
        One of `exporters.moving.MOVING`.
    pace : Pace
    """

    told = Signal(int, int)  # how many pictures are painted, of how many
    made = Signal(bytes)

    def __init__(
        self,
        film: Film,
        part: Callable[[], QWidget],
        settle: Callable[[], None],
        density: float,
        suffix: str,
        pace: Pace,
        parent: QObject,
    ) -> None:
        super().__init__(self._worked(film, suffix, pace), parent)
        self._part, self._settle, self._density = part, settle, density

    def _worked(self, film: Film, suffix: str, pace: Pace) -> Generator[int, None, None]:
        """Do it; yield after each slice how many ms the next one has to wait."""
        try:
            process = WarmProcess(encode, "moving")
        except OSError:
            film.back()
            raise Problem(_LOST) from None
        pipe = process.pipe
        try:
            places = film.places(pace)
            size: tuple[int, int] | None = None
            for done, place in enumerate(places, 1):
                film.show(place)
                while not film.ready():
                    yield _WAIT
                for _round in range(_ROUNDS):
                    yield 0
                    self._settle()
                yield 0
                image = image_of(self._part(), self._density)
                if size is None:
                    size = image.width(), image.height()
                    pipe.send((suffix, size, film.rate(pace), pace.loop))
                data = rgb_of(image, size)
                while not pipe.poll():
                    yield _WAIT
                pipe.recv()  # it is ready
                pipe.send(data)
                self.told.emit(done, len(places))
            while not pipe.poll():
                yield _WAIT
            pipe.recv()
            pipe.send(None)
            while not pipe.poll():
                yield _WAIT
            file = pipe.recv()
        except (EOFError, OSError):
            raise Problem(_LOST) from None
        finally:
            film.back()
            process.end(0)
        self.made.emit(file)


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
