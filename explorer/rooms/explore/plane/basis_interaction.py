"""Dragging the image of a basis vector, which is a row of W."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from explorer.kit.plane.basis import Basis, bases
from explorer.session import Frame, Matrix
from explorer.session.intents import Phase, ShapeMatrix

_DECIMALS = 3  # of what is dragged
Place = tuple[float, float]


@dataclass(frozen=True)
class _Held:
    """A vector in the hand: its W when it was taken, where it was gripped, and its row now."""

    basis: Basis
    row: int
    grip: Place
    now: Place


class BasisInteraction:
    """One gesture after another, each from taking a basis vector to letting it go.

    Parameters
    ----------
    emit : callable
        Takes the intents.
    snap : callable
        Rounds a coordinate to a step.
    """

    def __init__(self, emit: Callable[[object], None], snap: Callable[[float], float]) -> None:
        self._emit = emit
        self._snap = snap
        self._held: _Held | None = None

    @property
    def busy(self) -> bool:
        """Whether a basis vector is being dragged."""
        return self._held is not None

    def take(self, matrix: Matrix, row: int, at: Place, frame: Frame) -> None:
        """Take hold of a basis vector at a point of the plane."""
        basis = next((each for each in bases(frame) if each.matrix is matrix), None)
        if basis is None:
            return
        x, y = basis.tips[row].tolist()
        now = basis.W[row, 0].item(), basis.W[row, 1].item()
        self._held = _Held(basis, row, (at[0] - x, at[1] - y), now)
        self._say(Phase.BEGIN)

    def drag_to(self, at: Place, *, snapping: bool) -> None:
        """Let the vector end where the hand is, or at the nearest step from the origin."""
        held = self._held
        if held is None:
            return
        origin = held.basis.origin.tolist()
        x, y = (at[n] - held.grip[n] - origin[n] for n in (0, 1))
        now = (self._snap(x), self._snap(y)) if snapping else _rounded(x, y)
        if now != held.now:
            self._held = replace(held, now=now)
            self._say(Phase.MOVE)

    def let_go(self) -> bool:
        """End the gesture; return whether there was one."""
        return self._end(Phase.END)

    def give_back(self) -> bool:
        """Take the gesture back; return whether there was one."""
        return self._end(Phase.CANCEL)

    def reach_into(self, frame: Frame) -> None:
        """Let go of what is no more."""
        if self._held is not None and all(
            each.matrix is not self._held.basis.matrix for each in bases(frame)
        ):
            self._held = None

    def _end(self, phase: Phase) -> bool:
        busy = self.busy
        if busy:
            self._say(phase)
        self._held = None
        return busy

    def _say(self, phase: Phase) -> None:
        held = self._held
        assert held is not None
        rows = held.basis.W.tolist()
        if phase is not Phase.CANCEL:
            rows[held.row] = list(held.now)
        values = tuple(tuple(row) for row in rows)
        self._emit(ShapeMatrix(held.basis.matrix, held.basis.head, values, phase))


def _rounded(x: float, y: float) -> Place:
    nearest = np.round((x, y), _DECIMALS)
    return float(nearest[0]), float(nearest[1])
