"""What can move in the window: a run, a lesson, a drag, a number, one scene into another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from explorer.session import Change, Frame, Scene, Session
from explorer.session.ways import Gesture, Way
from explorer.text import Message

if TYPE_CHECKING:
    from explorer.session.train import TrainSession

PAGE_SECONDS = 4.0  # to look at a lesson's page
# Shows everything of all these frames from one place; returns what ends that.
Hold = Callable[[Iterable[Frame]], Callable[[], None]]

_MOST_SCENES = 2000  # of a drag; of a longer one every other is dropped
_MOST_LOOKED_AT = 48  # stills of a film, to find a view of all
_MOST_BYTES = 64 * 2**20  # of their arrays together


@dataclass(frozen=True)
class Pace:
    """How many pictures a second, for how long, and how often, 0 for without end."""

    fps: int
    seconds: float
    loop: int = 0

    @property
    def count(self) -> int:
        """How many pictures there are where each is another one."""
        return max(2, round(self.seconds * self.fps))


@dataclass(frozen=True)
class Film:
    """What is shown one after the other, in the window itself.

    Parameters
    ----------
    show : callable
        Shows the still of a place, counted from 0.
    stills : int
        How many there are.
    back : callable
        Shows again what was shown before.
    ready : callable, optional
        Returns whether all of the still that is shown has come.
    """

    show: Callable[[int], object]
    stills: int
    back: Callable[[], object]
    ready: Callable[[], bool] = lambda: True

    def places(self, pace: Pace) -> list[int]:
        """Return the places of the pictures; where there are few stills each is shown longer."""
        count = min(pace.count, self.stills)
        return [round(place * (self.stills - 1) / max(count - 1, 1)) for place in range(count)]

    def rate(self, pace: Pace) -> float:
        """Return how many of these pictures are shown a second."""
        return len(self.places(pace)) / pace.seconds


def way_film(session: Session, hold: Hold, way: Way, stills: int) -> Film:
    """Return a film of the scenes on a way; afterwards nothing has been edited.

    hold : keeps the plane from following what moves, which would be a jump from one still to the
        next; asked as the first still is shown, when the window has its size
    """
    back, let_go = session.aside(), None
    last = max(stills - 1, 1)

    def frame_at(at: int) -> Frame:
        session.edit(Message(""), way(at / last))
        return session.frame

    def show(at: int) -> None:
        nonlocal let_go
        if let_go is None:
            count = min(stills, _MOST_LOOKED_AT)
            let_go = hold(
                frame_at(round(place * last / max(count - 1, 1))) for place in range(count)
            )
        frame_at(at)

    def end() -> None:
        if let_go is not None:
            let_go()
        back()

    return Film(show, stills, end)


def run_film(session: TrainSession) -> Film:
    """Return a film of the recorded steps of the shown run."""
    before = session.frame

    def back() -> None:
        if before.playback.following:
            session.follow()
        else:
            session.go(step=before.cursor.step)

    return Film(lambda at: session.go(step=at), len(before.recorded), back)


class GestureRecorder:
    """Remembers the last drag of a session, scene by scene.

    Parameters
    ----------
    session : Session
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._scenes: list[Scene] = []
        self._times: list[float] = []
        self._last: Gesture | None = None
        session.changed.connect(self._on_change)

    @property
    def last(self) -> Gesture | None:
        """The last drag that changed something in the document that is open."""
        return self._last

    def _on_change(self, _change: Change) -> None:
        session, scenes = self._session, self._scenes
        if session.in_gesture:
            start = session.gesture_start.scene
            if not scenes or scenes[0] is not start:
                self._scenes = scenes = [start]
                self._times = [monotonic()]
            if session.scene is not scenes[-1]:
                scenes.append(session.scene)
                self._times.append(monotonic())
            each = max(_bytes_beside(session.scene, start), 1)
            # Even, so that the last one stays.
            most = min(_MOST_SCENES, max(_MOST_BYTES // each // 2 * 2, 2))
            if len(scenes) > most:
                self._scenes = scenes[::2]
                self._times = self._times[::2]
        elif scenes:
            if session.scene is scenes[-1] and len(scenes) > 1:
                times = tuple(time - self._times[0] for time in self._times)
                self._last = Gesture(tuple(scenes), times)
            self._scenes = []
        elif not (session.history.can_undo or session.history.can_redo):
            self._last = None  # another document


def _bytes_beside(scene: Scene, other: Scene) -> int:
    """Return the size of the arrays that a scene does not share with another."""
    shared = {id(array) for array in other.arrays}
    return sum(array.nbytes for array in scene.arrays if id(array) not in shared)
