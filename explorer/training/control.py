"""What a run in progress is told from outside: pace, pause, one epoch, stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

FULL_SPEED = None
SLOWEST, FASTEST = 1, 100  # epochs a second
USUAL_PACE = 20


class Control:
    """Lets the epochs of one run go ahead, from any thread.

    Parameters
    ----------
    pace : float or None
        Epochs a second; None is full speed. It has no effect on the numbers.
    paused : bool
        Whether the run waits after epoch 0.
    """

    def __init__(self, pace: float | None = FULL_SPEED, *, paused: bool = False) -> None:
        self._changed = threading.Condition()
        self._pace = pace
        self._paused = paused
        self._steps = 0  # epochs to be done though paused
        self._stopped = False
        self._held = False  # whether an epoch in progress waits where it can
        self._waiting = False  # whether one does
        self._last = -float("inf")  # when the last epoch was let go

    def pause(self) -> None:
        """Wait, within the epoch in progress where it has several passes, or else after it."""
        with self._changed:
            self._paused, self._steps = True, 0
            self._held = True
            self._changed.notify()

    def resume(self) -> None:
        """Go on."""
        with self._changed:
            self._paused = self._held = False
            self._changed.notify()

    def step(self) -> None:
        """Do one epoch, or what is left of one that waits, and wait after it."""
        with self._changed:
            self._paused, self._held = True, False
            if not self._waiting:
                self._steps += 1
            self._changed.notify()

    def stop(self) -> None:
        """End the run after the pass in progress."""
        with self._changed:
            self._stopped = True
            self._changed.notify()

    def set_pace(self, pace: float | None) -> None:
        """Go on at another pace from the next epoch on."""
        with self._changed:
            self._pace = pace
            self._changed.notify()

    def proceed(self, before_waiting: Callable[[], None]) -> bool:
        """Return when the next epoch may be done: True, or False when the run shall end.

        before_waiting : called once, if this does not return at once
        """
        with self._changed:
            delay = self._delay()
            if delay:
                # Not within the lock: whoever tells the run something must not wait for this.
                self._changed.release()
                try:
                    before_waiting()
                finally:
                    self._changed.acquire()
                while delay := self._delay():
                    self._changed.wait(None if delay == float("inf") else delay)
            if self._paused and not self._stopped:
                self._steps -= 1
            self._last = time.monotonic()
            return not self._stopped

    def within(self) -> bool:
        """Return when the epoch in progress may go on: True, or False when the run shall end."""
        with self._changed:
            self._waiting = True
            self._changed.wait_for(lambda: self._stopped or not self._held)
            self._waiting = False
            return not self._stopped

    def _delay(self) -> float:
        """Return how long to wait, in seconds, as things stand: infinite while paused."""
        if self._stopped:
            return 0.0
        if self._paused:
            return 0.0 if self._steps else float("inf")
        if self._pace is FULL_SPEED:
            return 0.0
        return max(0.0, self._last + 1 / self._pace - time.monotonic())
