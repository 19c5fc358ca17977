"""What moves in an animated picture: a run's steps, one number, or one scene into another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from explorer.exporters.moving import MOST_BYTES
from explorer.session import Cell, Matrix, Scene, read_scene
from explorer.session.ways import Way, way_between, way_of_cell, way_of_temperature
from explorer.text import N_, Problem

_SECONDS = 3.0  # of what has no steps of its own
_NUMBER = r"([+-]?(?:\d+\.?\d*|\.\d+))"
_CELL = re.compile(rf"(X|Wq|Wk|Wv|Wo)\[(\d{{1,4}}),(\d{{1,4}})\]={_NUMBER}\.\.{_NUMBER}", re.ASCII)
_TEMPERATURE = re.compile(rf"temperature={_NUMBER}\.\.{_NUMBER}", re.ASCII)


@dataclass(frozen=True)
class Animation:
    """What is to move, and how fast.

    Parameters
    ----------
    what : str
        Of a scene: another scene's file, or a number's way, "X[1,2]=-1..1" (row and column from 1)
        or "temperature=0.1..2". Of a run: empty, its steps.
    fps : int
        Pictures a second.
    seconds : float or None
        How long it takes; by default 3, or a picture for each step of a run.
    loop : int
        How often it is shown; 0 for without end.
    """

    what: str = ""
    fps: int = 12
    seconds: float | None = None
    loop: int = 0

    def count(self, size: tuple[int, int], steps: int | None = None) -> int:
        """Return how many pictures there are. Raises Problem where these are too many."""
        seconds = _SECONDS if self.seconds is None else self.seconds
        own = steps is not None and self.seconds is None
        count = steps if own and steps is not None else max(2, round(seconds * self.fps))
        if count * size[0] * size[1] * 4 > MOST_BYTES:
            raise Problem(
                N_(
                    "{count} pictures of {width} x {height} are too many: ask for fewer --seconds,"
                    " a smaller --fps or a smaller --size."
                ),
                count=count,
                width=size[0],
                height=size[1],
            )
        return count


def shares(count: int) -> list[float]:
    """Return how much of a way is gone at each of `count` pictures, from 0 to 1."""
    return [place / max(count - 1, 1) for place in range(count)]


def way_of(scene: Scene, what: str, head: int = 0) -> Way:
    """Return the way that `what` names; see `Animation`. Raises Problem."""
    if found := _TEMPERATURE.fullmatch(what):
        return way_of_temperature(scene, *map(float, found.groups()))
    if found := _CELL.fullmatch(what):
        matrix = Matrix(found[1])
        of_head = 0 if matrix is Matrix.X else head
        cell = Cell(matrix, int(found[2]) - 1, int(found[3]) - 1, of_head)
        return way_of_cell(scene, cell, float(found[4]), float(found[5]))
    if what.endswith(".json"):
        return way_between(scene, read_scene(Path(what)))
    raise Problem(
        N_("--animate {what}: name another scene's file, or a number such as {example}."),
        what=what or '""',
        example="X[1,2]=-1..1",
    )
