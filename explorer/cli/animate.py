"""What moves in an animated picture of a scene, and how fast."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.session import Cell, Matrix, Scene, read_scene
from explorer.session.ways import Way, way_between, way_of_cell, way_of_temperature
from explorer.text import N_, Problem

if TYPE_CHECKING:
    from explorer.app.moving.films import Pace

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
        or "temperature=0.1..2". Of a run and of a lesson: empty.
    fps : int
        Pictures a second.
    seconds : float or None
        How long it takes; by default 3, a picture for each step of a run, or 4 for each page of a
        lesson.
    loop : int
        How often it is shown; 0 for without end.
    """

    what: str = ""
    fps: int = 12
    seconds: float | None = None
    loop: int = 0

    def lasting(self, usual: float = 3.0) -> Pace:
        """Return the pace; how many seconds it takes where nothing else is asked for."""
        from explorer.app.moving.films import Pace

        return Pace(self.fps, usual if self.seconds is None else self.seconds, self.loop)


def way_of(scene: Scene, what: str, head: int = 0) -> Way:
    """Return the way that `what` names; see `Animation`. Raises Problem."""
    if found := _TEMPERATURE.fullmatch(what):
        return way_of_temperature(scene, *map(float, found.groups()))
    if found := _CELL.fullmatch(what):
        matrix = Matrix(found[1])
        of_head = 0 if matrix in (Matrix.X, Matrix.WO) else head
        cell = Cell(matrix, int(found[2]) - 1, int(found[3]) - 1, of_head)
        return way_of_cell(scene, cell, float(found[4]), float(found[5]))
    if what.endswith(".json"):
        return way_between(scene, read_scene(Path(what)))
    raise Problem(
        N_("--animate {what}: name another scene's file, or a number such as {example}."),
        what=what or '""',
        example="X[1,2]=-1..1",
    )
