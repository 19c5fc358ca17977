"""The animation from one picture of the plane to the next."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Signal

from explorer.kit.plane.camera import Camera
from explorer.kit.plane.pairs import edge_widths
from explorer.kit.plane.placed_frame import Array, Pose, between, points_in_plane
from explorer.kit.plane.relations import edge_values, possible_flow
from explorer.session import Frame, Space, placed_rows

STEP = 450  # ms: a step of the chain


def pose_of(frame: Frame, camera: Camera) -> Pose:
    """Return the pose in which a frame stands still."""
    return Pose(
        camera,
        points_in_plane(frame),
        possible_flow(frame, frame.look.edges),
        edge_widths(frame, edge_values(frame)),
    )


def shuffled_pose(pose: Pose, frame: Frame) -> Pose:
    """Return a pose with every token's points and edges at its new place in the order."""
    assert frame.shuffled is not None
    order = np.array(frame.shuffled.order)
    keys = order if frame.scene.context is None else np.arange(pose.widths.shape[1])
    at = {
        space: points[keys if space in (Space.K, Space.V) else order]
        for space, points in pose.at.items()
    }
    return pose._replace(at=at, widths=pose.widths[order][:, keys])


def departure(before: Pose, after: Pose, frame: Frame) -> Pose:
    """Return `after` as it begins where `before` is.

    Points that are shown already start where they are, Q, K and V at their X + P or X, O at its V,
    Y at its O; edges between the same points keep their width, others come out of nothing.
    """
    at = {space: _origin(space, before, after, frame) for space in after.at}
    same = before.flow == after.flow and before.widths.shape == after.widths.shape
    widths = before.widths if same else np.zeros_like(after.widths)
    return Pose(before.camera, at, after.flow, widths, before.arrival if same else 0.0)


def _origin(space: Space, before: Pose, after: Pose, frame: Frame) -> Array:
    """Return where the points of a space come from, in the plane; their own place if nowhere."""
    own = after.at[space]
    for place in (before.at.get(space), *_sources(space, before, after, frame)):
        if place is not None and place.shape == own.shape:
            return place
    return own


def _sources(space: Space, before: Pose, after: Pose, frame: Frame) -> list[Array | None]:
    """Return what the points of a space are made from row by row, or return to, likeliest first."""
    scene, shown = frame.scene, before.at
    crossed = scene.context is not None
    if space in (Space.X, Space.P):
        other = Space.P if space is Space.X else Space.X
        made = (Space.Q, Space.O) if crossed else (Space.Q, Space.K, Space.V, Space.O)
        return [shown.get(each) for each in (other, *made, Space.Y)]
    if space is Space.O:
        return [shown.get(Space.Y)] + (
            [] if crossed else [shown.get(Space.V), after.at.get(Space.V)]
        )
    if space is Space.Y:
        same = frame.attention.d_v == len(frame.projection.mean)
        rows = frame.points(Space.O)
        return [shown.get(Space.O), frame.projection.project(rows) if same else None]
    keyed = space is not Space.Q
    rows = scene.context.X if keyed and scene.context is not None else placed_rows(scene)
    fits = rows.shape[1] == len(frame.projection.mean)
    seen = [] if keyed and crossed else [shown.get(Space.P), shown.get(Space.X)]
    return [*seen, frame.projection.project(rows) if fits else None]


class Motion(QObject):
    """Leads from one pose to another within `STEP`, or at once where it is not `wanted`."""

    moved = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.wanted = False
        self._way: tuple[Pose, Pose] | None = None
        self._clock = QVariantAnimation(self)
        self._clock.setStartValue(0.0)
        self._clock.setEndValue(1.0)
        self._clock.setDuration(STEP)
        self._clock.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._clock.valueChanged.connect(self._step)

    @property
    def pose(self) -> Pose | None:
        """Where everything is now on its way; None where all stands still."""
        return None if self._way is None else between(*self._way, float(self._clock.currentValue()))

    def begin(self, start: Pose, end: Pose) -> None:
        """Set out from `start`, made by `departure`; tells nothing before the first step."""
        self._clock.blockSignals(True)
        self._clock.stop()
        self._clock.start()
        self._clock.blockSignals(False)
        self._way = start, end

    def finish(self) -> bool:
        """Be at the end at once, without telling; return whether anything was under way."""
        moving, self._way = self._way is not None, None
        if moving:
            self._clock.stop()
        return moving

    def _step(self, share: float) -> None:
        if share >= 1.0:
            self._way = None
        self.moved.emit()
