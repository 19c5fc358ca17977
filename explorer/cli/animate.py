"""What moves in an animated picture: a run's steps, one number, or one scene into another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.session import Array, Cell, Matrix, Scene, read_scene
from explorer.session.edits import head_matrix, set_cells, set_temperature
from explorer.session.scene import PARAMETERS
from explorer.text import N_, Problem

MOST_BYTES = 2 * 10**9  # of all pictures, before they are packed
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


def steps_shown(recorded: int, count: int) -> list[int]:
    """Return which of a run's steps are shown: `count` of them from the first to the last."""
    last = max(count - 1, 1)
    return [round(place * (recorded - 1) / last) for place in range(count)]


def scenes_shown(scene: Scene, what: str, count: int, head: int = 0) -> Iterator[Scene]:
    """Yield `count` scenes on the way that `what` names; see `Animation`. Raises Problem."""
    shares = [place / (count - 1) for place in range(count)]
    if found := _TEMPERATURE.fullmatch(what):
        start, end = map(float, found.groups())
        yield from (set_temperature(scene, start + (end - start) * share) for share in shares)
    elif found := _CELL.fullmatch(what):
        matrix, row, column = Matrix(found[1]), int(found[2]) - 1, int(found[3]) - 1
        start, end = float(found[4]), float(found[5])
        rows, columns = _shape(scene, matrix, head)
        if not (0 <= row < rows and 0 <= column < columns):
            raise Problem(
                N_("--animate {what}: {matrix} has {rows} rows and {columns} columns."),
                what=what,
                matrix=found[1],
                rows=rows,
                columns=columns,
            )
        cell = Cell(matrix, row, column, 0 if matrix is Matrix.X else head)
        yield from (set_cells(scene, cell, [[start + (end - start) * share]]) for share in shares)
    elif what.endswith(".json"):
        yield from _between(scene, read_scene(Path(what)), shares)
    else:
        raise Problem(
            N_("--animate {what}: name another scene's file, or a number such as {example}."),
            what=what or '""',
            example="X[1,2]=-1..1",
        )


def _shape(scene: Scene, matrix: Matrix, head: int) -> tuple[int, int]:
    if matrix is not Matrix.X and getattr(scene, matrix.value) is None:
        return 0, 0
    rows, columns = head_matrix(scene, matrix, head).shape
    return rows, columns


def _between(first: Scene, last: Scene, shares: list[float]) -> Iterator[Scene]:
    """Yield scenes whose numbers go straight from one scene's to another's."""
    names = ("X", *PARAMETERS)
    pairs: dict[str, tuple[Array, Array]] = {}
    for name in names:
        start, end = getattr(first, name), getattr(last, name)
        if (start is None) is not (end is None) or (start is not None and start.shape != end.shape):
            raise Problem(
                N_("The two scenes differ in the shape of {name}: nothing lies in between."),
                name=name,
            )
        if start is not None:
            pairs[name] = start, end
    for share in shares:
        made = {name: (1 - share) * start + share * end for name, (start, end) in pairs.items()}
        yield first.replace(**made)
