"""The view of each scene when it was last shown: undo restores the same picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from explorer.attention import Projection
from explorer.session.frame import Frame
from explorer.session.look import Space
from explorer.session.scene import Scene


@dataclass(frozen=True, eq=False)
class _View:
    """What of a frame depends on those before it."""

    spaces: frozenset[Space]
    head: int
    projection: Projection
    slots: tuple[int, ...]
    pinned: tuple[int, ...]


class ViewMemory:
    """Keeps, for every scene that still exists, the axes and colours it was last seen with.

    Axes are turned to lie closest to those before, so they hang on the way to a scene: fitted anew
    on the way back they would lie elsewhere.
    """

    def __init__(self) -> None:
        self._views: WeakKeyDictionary[Scene, _View] = WeakKeyDictionary()

    def keep(self, frame: Frame) -> None:
        """Take note of how a frame shows its scene."""
        look = frame.look
        self._views[frame.scene] = _View(
            look.spaces, look.head, frame.projection, frame.slots, look.pinned
        )

    def again(self, frame: Frame) -> Frame:
        """Return the frame with the axes and colours that its scene was last seen with, if ever."""
        view = self._views.get(frame.scene)
        if view is None:
            return frame
        look = frame.look
        same_points = (view.spaces, view.head) == (look.spaces, look.head)
        projection = view.projection if same_points else frame.projection
        slots = view.slots if view.pinned == look.pinned else frame.slots
        return replace(frame, projection=projection, slots=slots)
