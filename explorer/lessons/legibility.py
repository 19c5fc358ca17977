"""Can the last row read it? Visual angles of what a projector shows.

Digits are readable from 16 minutes of arc on and good from 20; Chinese characters, with more
strokes in the same height, from 25.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

READABLE, GOOD, CHINESE = 16.0, 20.0, 25.0  # minutes of arc
LARGEST_PERCENT = 200  # of the text scale
_DIGIT, _CHARACTER = 0.727, 0.92  # heights of a digit and a Chinese character, in font sizes


@dataclass(frozen=True)
class ProjectedScreen:
    """A screen and how far away it is read.

    Parameters
    ----------
    width : float
        Of the picture on the wall, in metres.
    distance : float
        From the picture to the last row, in metres.
    pixels : int
        Of the picture, across.
    """

    width: float
    distance: float
    pixels: int

    def angle(self, height: float) -> float:
        """Return the visual angle of something `height` pixels high, in minutes of arc."""
        metres = height * self.width / self.pixels
        return math.degrees(2 * math.atan(metres / 2 / self.distance)) * 60


@dataclass(frozen=True)
class Judgement:
    """How the smallest text is seen from the last row.

    Parameters
    ----------
    digits, characters : float
        Visual angles of a digit and of a Chinese character, in minutes of arc.
    percent : int or None
        The smallest offered text scale at which both can be read; None where the room is too deep.
    """

    digits: float
    characters: float
    percent: int | None

    @property
    def readable(self) -> bool:
        """Whether digits can be read."""
        return self.digits >= READABLE

    @property
    def good(self) -> bool:
        """Whether digits are read with ease."""
        return self.digits >= GOOD


def judge(
    room: ProjectedScreen, smallest: float, percents: tuple[int, ...], *, chinese: bool
) -> Judgement:
    """Return how text of `smallest` px at 100 % is seen, and which scale makes it readable.

    Parameters
    ----------
    percents : tuple of int
        The text scales to choose from; the first is that in use.
    chinese : bool
        Whether Chinese must be readable too.
    """

    def at(percent: int) -> tuple[float, float]:
        size = smallest * percent / 100
        return room.angle(size * _DIGIT), room.angle(size * _CHARACTER)

    def enough(percent: int) -> bool:
        digits, characters = at(percent)
        return digits >= READABLE and (not chinese or characters >= CHINESE)

    offered = sorted(percent for percent in percents if percent <= LARGEST_PERCENT)
    return Judgement(*at(percents[0]), next(filter(enough, offered), None))
