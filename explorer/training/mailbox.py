"""Where the supervising thread leaves what the window fetches: the one object they share."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Literal, NamedTuple

from explorer.text import Message
from explorer.training.libraries import Device


class Scalar(NamedTuple):
    """Loss and accuracy over the whole corpus after `epoch` passes."""

    epoch: int
    loss: float
    accuracy: float


@dataclass(frozen=True)
class Progress:
    """What a run has come to since it last told: its scalars in order.

    share : how much is done of the epoch after the last one, 0 to 1

    Its recorded steps are in its folder, where everybody reads them.
    """

    run: int
    scalars: tuple[Scalar, ...]
    share: float = 0.0


@dataclass(frozen=True)
class DevicesFound:
    """Where training can run here, the CPU first."""

    devices: tuple[Device, ...]


@dataclass(frozen=True)
class Started:
    """A run has begun, on this device."""

    run: int
    device: Device


@dataclass(frozen=True)
class Ended:
    """A run is over; what it recorded is kept.

    epoch : the last one told of, −1 where there is none
    message : what to say of a run that diverged or failed
    """

    run: int
    why: Literal["finished", "stopped", "diverged", "failed"]
    epoch: int
    message: Message | None = None


Event = DevicesFound | Started | Ended


@dataclass(frozen=True)
class Batch:
    """What has come since the last time, of the run begun last; events may be of earlier ones.

    run : int
        0 before the first run.
    scalars : tuple of Scalar
        All of them, in order.
    events : tuple of Event
        All of them, in order.
    share : float
        How much is done of the epoch after the last one, 0 to 1.
    """

    run: int = 0
    scalars: tuple[Scalar, ...] = ()
    events: tuple[Event, ...] = ()
    share: float = 0.0


class Mailbox:
    """Keeps every scalar of the run and every event until they are taken."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._run = 0
        self._scalars: list[Scalar] = []
        self._events: list[Event] = []
        self._share = 0.0

    def begin(self, run: int) -> None:
        """Drop what is left of earlier runs, and take scalars of this one alone."""
        with self._lock:
            self._run = run
            self._scalars.clear()
            self._share = 0.0

    def put(self, item: Progress | Event) -> None:
        """Leave something; the progress of a run that is not the one begun last is dropped."""
        with self._lock:
            if not isinstance(item, Progress):
                self._events.append(item)
            elif item.run == self._run:
                self._scalars.extend(item.scalars)
                self._share = item.share

    def take(self) -> Batch:
        """Return what has come since the last call. Never waits for longer than a put takes."""
        with self._lock:
            batch = Batch(self._run, tuple(self._scalars), tuple(self._events), self._share)
            self._scalars.clear()
            self._events.clear()
            return batch
