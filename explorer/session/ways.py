"""Ways that a scene goes: one number's, into another scene, or as a drag went."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from explorer.session.edits import head_matrix, set_cells, set_temperature
from explorer.session.frame import Cell
from explorer.session.scene import PARAMETERS, Array, Matrix, Scene
from explorer.text import N_, Problem

# Takes how much of the way is gone, from 0 to 1, and returns the scene there.
Way = Callable[[float], Scene]


def way_of_temperature(scene: Scene, start: float, end: float) -> Way:
    """Return the way on which the temperature goes straight from one value to another."""
    return lambda share: set_temperature(scene, start + (end - start) * share)


def way_of_cell(scene: Scene, cell: Cell, start: float, end: float) -> Way:
    """Return the way on which one number goes straight from one value to another.

    Raises Problem where the scene has no such number.
    """
    rows, columns = cell_places(scene, cell.matrix, cell.head)
    if not (0 <= cell.row < rows and 0 <= cell.column < columns):
        raise Problem(
            N_("{cell}: {matrix} has {rows} rows and {columns} columns."),
            cell=f"{cell.matrix.value}[{cell.row + 1},{cell.column + 1}]",
            matrix=cell.matrix.value,
            rows=rows,
            columns=columns,
        )
    return lambda share: set_cells(scene, cell, [[start + (end - start) * share]])


def cell_places(scene: Scene, matrix: Matrix, head: int = 0) -> tuple[int, int]:
    """Return how many rows and columns of a matrix can be edited; none where there is none."""
    if matrix is not Matrix.X and getattr(scene, matrix.value) is None:
        return 0, 0
    rows, columns = head_matrix(scene, matrix, head).shape
    return rows, columns


def way_between(first: Scene, last: Scene) -> Way:
    """Return the way on which all numbers go straight from one scene's to another's.

    Raises Problem where these differ in shape.
    """
    pairs: dict[str, tuple[Array, Array]] = {}
    for name in ("X", *PARAMETERS):
        start, end = getattr(first, name), getattr(last, name)
        if (start is None) is not (end is None) or (start is not None and start.shape != end.shape):
            raise Problem(
                N_("The two scenes differ in the shape of {name}: nothing lies in between."),
                name=name,
            )
        if start is not None:
            pairs[name] = start, end

    def at(share: float) -> Scene:
        made = {name: (1 - share) * start + share * end for name, (start, end) in pairs.items()}
        return first.replace(**made)

    return at


@dataclass(frozen=True)
class Gesture:
    """A drag as it went: the scenes, and after how many seconds each was there, from 0 on."""

    scenes: tuple[Scene, ...]
    times: tuple[float, ...]

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.times[-1]

    def at(self, share: float) -> Scene:
        """Return the scene that was there when a share of the time was gone."""
        return self.scenes[bisect_right(self.times, share * self.seconds) - 1]
